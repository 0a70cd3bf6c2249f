"""The situations that an expert tells apart, and the judgements that it asks in each.

A situation is a kind of decision: its judgements are about the same choices, and their weights are
fitted together.
"""

from collections.abc import Callable

import numpy as np

from agents.expert import follow, lead, pile, tens, trump
from agents.expert.sight import Sight
from agents.hand import of_suit, suit_of
from rungenv.actions import REVEAL
from rungenv.bits import BIT
from rungenv.rules import Collects, Goal, Rules, Trump
from rungenv.state import Phase
from rungenv.view import PARTNER, View

Judgement = Callable[[Sight], np.ndarray]

_SUIT_WORTH = (
    trump.two_cards,
    trump.three_cards,
    trump.four_cards,
    trump.five_cards,
    trump.ace_of_trumps,
    trump.king_of_trumps,
    trump.queen_of_trumps,
    trump.jack_of_trumps,
    trump.ten_of_trumps,
    trump.aces_outside,
    trump.kings_outside,
)
_LAYING = (trump.lay_the_lowest, trump.lay_no_court_card)
_PASSING = (trump.pass_at_all,)
_KEEPING = (
    trump.keep_at_all,
    trump.keep_four,
    trump.keep_five,
    trump.keep_the_ace,
    trump.keep_the_king,
)

_LEADING = (
    lead.cash_masters,
    lead.cash_fresh_masters,
    lead.cash_late_masters,
    lead.spare_ruffed_masters,
    lead.lead_a_singleton,
    lead.lead_a_doubleton,
    lead.lead_the_long_suit,
    lead.lead_very_long_suit,
    lead.return_partners_suit,
    lead.avoid_opponents_suit,
    lead.lead_into_a_ruff,
    lead.lead_up_to_a_ruff,
    lead.give_a_ruff,
    lead.lead_away_from_a_king,
    lead.lead_a_bare_king,
    lead.lead_a_sequence,
    lead.lead_court_cards,
    lead.lead_the_lowest,
    lead.lead_the_highest,
    lead.lead_small_cards,
    lead.lead_masters_over,
    lead.take_the_last_trick_needed,
    lead.press_for_the_kot,
)
_LEADING_TRUMPS = (
    lead.lead_trumps_at_all,
    lead.draw_trumps,
    lead.draw_when_long,
    lead.draw_own_trumps,
    lead.draw_for_partner,
    lead.trumps_against_the_caller,
    lead.keep_the_last_trump,
    lead.draw_two_for_one,
    lead.lead_short_with_trumps,
)
_LEADING_DRAWN = (
    lead.lead_trumps_at_all,
    lead.run_winners,
    lead.cash_masters,
    lead.keep_the_last_trump,
    lead.lead_the_long_suit,
    lead.lead_very_long_suit,
    lead.return_partners_suit,
    lead.avoid_opponents_suit,
    lead.lead_away_from_a_king,
    lead.lead_a_bare_king,
    lead.lead_a_sequence,
    lead.lead_court_cards,
    lead.lead_the_lowest,
    lead.lead_the_highest,
    lead.lead_small_cards,
    lead.lead_masters_over,
    lead.lead_a_singleton,
    lead.lead_a_doubleton,
    lead.give_a_ruff,
    lead.take_the_last_trick_needed,
    lead.press_for_the_kot,
)
_LEADING_BLIND = (
    trump.stay_in_the_long_suit,
    trump.hold_the_choice,
    trump.get_short,
    trump.get_short_beside_a_long_suit,
)
_NOT_THE_OWNER = (trump.lead_what_the_owner_avoids, trump.lead_the_owners_trump_at_it)
_SHOWING = (
    trump.show,
    trump.show_with_three,
    trump.show_with_four,
    trump.show_with_the_master,
    trump.show_early,
    trump.lead_low_trumps_hidden,
    trump.lead_master_trump_hidden,
)

_FOLLOWING = (
    follow.win_at_all,
    follow.win_cheaply,
    follow.win_for_sure,
    follow.win_with_a_master,
    follow.third_hand_high,
    follow.cover_an_honour,
    follow.win_when_it_matters,
    follow.win_to_spare_the_kot,
    follow.win_to_press_the_kot,
    follow.play_low,
    follow.second_low,
    follow.keep_court_cards,
)
_UNDER_PARTNER = (follow.leave_it_to_a_sure_partner, follow.leave_it_to_the_partner)
_RUFFING = (
    follow.ruff_at_all,
    follow.ruff_cheaply,
    follow.ruff_before_a_ruff,
    follow.ruff_with_small_ones,
    follow.keep_trump_control,
    follow.under_ruff,
    follow.win_for_sure,
    follow.win_when_it_matters,
    follow.win_to_spare_the_kot,
    follow.win_to_press_the_kot,
)
_THROWING = (
    follow.throw_from_the_shortest,
    follow.throw_from_the_longest,
    follow.throw_the_lowest,
    follow.throw_small_cards,
    follow.keep_masters,
    follow.keep_a_guard,
    follow.keep_partners_suit,
    follow.keep_opponents_suit,
    follow.throw_dead_cards,
    follow.play_low,
)
_CUTTING = (
    trump.cut_into_four,
    trump.cut_into_five,
    trump.cut_into_more_than_out,
    trump.cut_into_half_of_it,
    trump.cut_into_masters,
    trump.cut_into_partners_suit,
    trump.cut_into_opponents_suit,
    trump.cut_with_a_master,
)
_ASKING = (
    trump.ask,
    trump.ask_when_the_partner_wins,
    trump.ask_when_the_partner_is_safe,
    trump.ask_for_the_partners,
    trump.ask_for_my_own,
    trump.ask_early,
)

_LEADING_PILE = (
    pile.seal_the_pile,
    pile.seal_safely,
    pile.begin_a_pair,
    pile.waste_no_master,
    pile.two_in_a_suit,
    pile.keep_a_master_for_the_end,
    pile.spare_the_ace,
)
_FOLLOWING_PILE = (
    pile.stop_a_seal,
    pile.win_with_another_to_come,
    pile.end_a_run,
    pile.leave_a_small_pile,
    pile.keep_a_master_for_the_end,
    pile.spare_the_ace,
)
_UNDER_PARTNER_PILE = (pile.let_the_partner_seal,)

_LEADING_TENS = (
    tens.lead_no_ten_into_the_unknown,
    tens.lead_where_the_ten_is_out,
    tens.lead_low_where_the_ten_is_out,
    tens.lead_from_my_ten,
    tens.lead_where_no_ten_is_left,
)
_FOLLOWING_TENS = (
    tens.throw_no_ten_away,
    tens.win_by_a_sure_ten,
    tens.win_by_an_unsure_ten,
    tens.take_a_ten,
    tens.take_a_ten_for_sure,
    tens.leave_a_trick_without_tens,
    tens.keep_the_cards_above,
)
_UNDER_PARTNER_TENS = (tens.give_the_partner_a_ten, tens.risk_a_ten_on_the_partner)

SITUATIONS = (
    "call",
    "partner_call",
    "change_trump",
    "lead",
    "lead_drawn",
    "lead_blind",
    "lead_owner",
    "second",
    "third",
    "third_partner",
    "last",
    "last_partner",
    "void_second",
    "void_third",
    "void_third_partner",
    "void_last",
    "void_last_partner",
    "cut",
    "ask",
)
"""In the order of the numbers that `situation` gives."""

_NUMBER = {name: number for number, name in enumerate(SITUATIONS)}


def situation(view: View) -> np.ndarray:
    """Which of SITUATIONS each row is: (n,) int; -1 for a decision on new cards (R10.2)."""
    knows = (view.trump >= 0) | (view.my_face_down >= 0)
    trumps = of_suit(np.where(view.trump >= 0, view.trump, suit_of(view.my_face_down)))
    drawn = knows & (view.unseen & trumps == 0)
    showing = view.legal & BIT[REVEAL] != 0
    leads = np.where(drawn, _NUMBER["lead_drawn"], _NUMBER["lead"])
    leads = np.where(knows, leads, _NUMBER["lead_blind"])
    leads = np.where((view.my_face_down >= 0) & (view.trump < 0), _NUMBER["lead_owner"], leads)

    partner = view.holder == PARTNER
    follows = _PLACE[view.trick_size, partner.astype(np.int64)]
    is_void = view.hand & of_suit(view.led) == 0
    follows = follows + (_NUMBER["void_second"] - _NUMBER["second"]) * is_void
    if view.rules.trump == Trump.CUT:
        follows = np.where(is_void & (view.trump < 0), _NUMBER["cut"], follows)
    follows = np.where(showing, _NUMBER["ask"], follows)

    found = np.where(view.led < 0, leads, follows)
    for phase, number in _PHASES.items():
        found = np.where(view.phase == phase, number, found)
    return found


_PLACE = np.array(
    [
        [_NUMBER["second"]] * 2,
        [_NUMBER["second"]] * 2,
        [_NUMBER["third"], _NUMBER["third_partner"]],
        [_NUMBER["last"], _NUMBER["last_partner"]],
    ]
)
_PHASES = {
    Phase.CALL: _NUMBER["call"],
    Phase.PARTNER_CALL: _NUMBER["partner_call"],
    Phase.CHANGE_TRUMP: _NUMBER["change_trump"],
    Phase.NEW_CARDS: -1,
}


def judgements(rules: Rules, situation: str) -> tuple[Judgement, ...]:
    """What an expert asks in a situation of a game: no judgement on tens where none count."""
    found = _PLAIN[situation]
    if rules.trump == Trump.HIDDEN:
        found += _HIDDEN.get(situation, ())
    if rules.collects == Collects.PILE:
        found += _PILE.get(situation, ())
    if rules.goal == Goal.TENS:
        found += _TENS.get(situation, ())
    return tuple(dict.fromkeys(found))


_VOID = _RUFFING + _THROWING
_VOID_PARTNER = (*_VOID, *_UNDER_PARTNER, follow.ruff_over_a_sure_partner)
_PLAIN: dict[str, tuple[Judgement, ...]] = {
    "call": _SUIT_WORTH + _PASSING,
    "partner_call": _SUIT_WORTH,
    "change_trump": (*_SUIT_WORTH, trump.six_cards, *_KEEPING),
    "lead": _LEADING + _LEADING_TRUMPS,
    "lead_drawn": _LEADING_DRAWN,
    "lead_blind": _LEADING + _LEADING_BLIND,
    "lead_owner": _LEADING + _SHOWING,
    "second": _FOLLOWING,
    "third": _FOLLOWING,
    "third_partner": _FOLLOWING + _UNDER_PARTNER,
    "last": _FOLLOWING,
    "last_partner": _FOLLOWING + _UNDER_PARTNER,
    "void_second": _VOID,
    "void_third": _VOID,
    "void_third_partner": _VOID_PARTNER,
    "void_last": _VOID,
    "void_last_partner": _VOID_PARTNER,
    "cut": _CUTTING + _THROWING,
    "ask": _ASKING + _THROWING,
}
_HIDDEN: dict[str, tuple[Judgement, ...]] = {
    "call": _LAYING,
    "partner_call": _LAYING,
    "change_trump": _LAYING,
    "lead_blind": _NOT_THE_OWNER,
}
_FOLLOW_NAMES = tuple(name for name in SITUATIONS if name.startswith(("second", "third", "last")))
_VOID_NAMES = tuple(name for name in SITUATIONS if name.startswith("void"))
_LEAD_NAMES = tuple(name for name in SITUATIONS if name.startswith("lead"))
_PILE: dict[str, tuple[Judgement, ...]] = {
    **dict.fromkeys(_LEAD_NAMES, _LEADING_PILE),
    **dict.fromkeys(_FOLLOW_NAMES + _VOID_NAMES, _FOLLOWING_PILE),
    "cut": _FOLLOWING_PILE,
    "ask": (trump.ask_to_stop_a_seal, *_FOLLOWING_PILE),
}
_TENS: dict[str, tuple[Judgement, ...]] = {
    **dict.fromkeys(_LEAD_NAMES, _LEADING_TENS),
    **dict.fromkeys(_FOLLOW_NAMES, _FOLLOWING_TENS),
    **dict.fromkeys(_VOID_NAMES, _FOLLOWING_TENS),
    "cut": _FOLLOWING_TENS + _UNDER_PARTNER_TENS,
    "ask": (trump.ask_for_a_ten, *_FOLLOWING_TENS, *_UNDER_PARTNER_TENS),
}
for _name in SITUATIONS:
    if _name.endswith("_partner"):
        _PILE[_name] += _UNDER_PARTNER_PILE
        _TENS[_name] += _UNDER_PARTNER_TENS
