"""Every judgement of the expert, at a position where it has something to say."""

import pytest

import rungenv
from agents.expert.agent import judgement_names
from agents.expert.sight import Sight
from rungenv.actions import action_names
from tables import Game

KNOWN = judgement_names()


def said(name, game):
    """The legal actions that a judgement names at a table, in the order of their numbers."""
    view = rungenv.observe(game.tables)
    return action_names(KNOWN[name](Sight(view))[0] & view.legal[0])


LEADS = "AC QC 2C AH 3H KD QD 5D 4D 2D KS 7S 6S"
CALLED = ("single_sar", (LEADS,), "CALL_C", {})
PARTNER_DIAMONDS_VOID = (
    "AC 2C 3C AD KD 4D 3D 2S 3S AH QH 4H KS",
    "5D 6D S",
    "7C 6H H",
    "7D 8D 6C JC",
)
OPPONENT_TRUMPS_VOID = (
    "AC KC QC 2C AH 5H 6H 2S 3S 4S 5S 6S 7S",
    "7H 8H D",
    "3C 4C H",
    "5C 6C 7C S",
)
SEALS = (
    "AC KC QC 2C 3D AH KH 5H 2S 3S 4S 5S 6S",
    "6C 7C D",
    "3C 4C 5C H",
    "8C 9C S",
)
VOID = ("2D 3C 4C C", "AD 3H H", "KC 2C 9C KH 2H AS S", "4D D")
SECOND = ("QD C", "AD KD 2D H", "3D S", "4D")
CUT = ("AC C", "AD KD 3D 9H 8H 7H 6H 5H 4H KS QS JS TS")
SHOWS = ("2S 3S 4S AS AC KC 2D 3D 4D 5H 6H 7H 8H",)
ASKED = ("2S 3C C", "AC 4S", "3D 5S H", "TC S")

# Game, hands, actions, columns to set; what judgements name there.
POSITIONS = {
    "first lead": (
        *CALLED,
        {
            "cash_masters": "AH",
            "cash_fresh_masters": "AH",
            "lead_a_doubleton": "3H AH",
            "lead_the_long_suit": "2D 4D 5D QD KD",
            "lead_away_from_a_king": "2D 4D 5D 6S 7S",
            "lead_a_bare_king": "QD KD KS",
            "lead_a_sequence": "QD KD",
            "lead_court_cards": "QD KD KS",
            "lead_the_lowest": "2C 2D 3H 6S",
            "lead_the_highest": "AC KD AH KS",
            "lead_small_cards": "2C 2D 4D 5D 3H 6S",
            "lead_masters_over": "3H",
            "lead_trumps_at_all": "2C QC AC",
            "draw_trumps": "AC",
            "draw_own_trumps": "2C QC AC",
            "draw_when_long": "",
            "take_the_last_trick_needed": "",
            "spare_ruffed_masters": "",
        },
    ),
    "a trick from the end": (
        *CALLED[:3],
        {"tricks": (6, 5)},
        {
            "take_the_last_trick_needed": "AC AH",
            "press_for_the_kot": "",
        },
    ),
    "no trick yet": (*CALLED[:3], {"tricks": (0, 5)}, {}),
    "all tricks so far": (*CALLED[:3], {"tricks": (5, 0)}, {"press_for_the_kot": "AC AH"}),
    "most of the trumps": (
        "single_sar",
        ("AC KC QC JC TC 9C 8C 2D 3D KH 2H 3S 2S",),
        "CALL_C",
        {},
        {"draw_when_long": "8C 9C TC JC QC KC AC", "lead_away_from_a_king": "2H"},
    ),
    "all of the trumps": (
        "single_sar",
        ("AC C",),
        "CALL_C",
        {},
        {"run_winners": "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC", "draw_trumps": ""},
    ),
    "the partner is out of diamonds": (
        "single_sar",
        PARTNER_DIAMONDS_VOID,
        "CALL_C AD 5D 6H 7D",
        {},
        {"give_a_ruff": "3D 4D KD", "cash_masters": "KD AH", "cash_late_masters": ""},
    ),
    "an opponent is out of trumps": (
        "single_sar",
        OPPONENT_TRUMPS_VOID,
        "CALL_C AC 7D . .",
        {},
        {"draw_two_for_one": "2C QC KC", "draw_trumps": "QC KC"},
    ),
    "a singleton": (
        "double_sar",
        SEALS,
        "CALL_C",
        {},
        {
            "lead_a_singleton": "3D",
            "lead_short_with_trumps": "3D",
            "begin_a_pair": "QC KC AC KH AH",
            "two_in_a_suit": "QC KC AC KH AH",
            "spare_the_ace": "AC AH",
            "seal_the_pile": "",
        },
    ),
    "one trick on the pile": (
        "double_sar",
        SEALS,
        "CALL_C KC 6C 3C 8C",
        {},
        {
            "seal_the_pile": "QC KH AH",
            "seal_safely": "QC KH AH",
            "waste_no_master": "AC",
            "keep_a_master_for_the_end": "",
        },
    ),
    "second": (
        "single_sar",
        SECOND,
        "CALL_C QD",
        {},
        {
            "win_at_all": "KD AD",
            "win_cheaply": "KD",
            "win_for_sure": "KD",
            "win_with_a_master": "KD AD",
            "cover_an_honour": "KD AD",
            "play_low": "2D",
            "second_low": "2D",
            "win_when_it_matters": "",
        },
    ),
    "second, a trick from the end": (
        "single_sar",
        SECOND,
        "CALL_C QD",
        {"tricks": (5, 6)},
        {
            "win_when_it_matters": "KD",
        },
    ),
    "second, no trick yet": (
        "single_sar",
        SECOND,
        "CALL_C QD",
        {"tricks": (4, 0)},
        {"win_to_spare_the_kot": "KD AD", "win_to_press_the_kot": ""},
    ),
    "second, all tricks so far": (
        "single_sar",
        SECOND,
        "CALL_C QD",
        {"tricks": (0, 4)},
        {"win_to_press_the_kot": "KD AD", "win_to_spare_the_kot": ""},
    ),
    "third": (
        "single_sar",
        ("2D C", "3D H", "AD QD 4D S", "5D"),
        "CALL_C 2D 3D",
        {},
        {"third_hand_high": "AD", "win_for_sure": "AD", "win_cheaply": "4D"},
    ),
    "third, the partner winning": (
        "single_sar",
        ("KD C", "3D H", "AD QD 4D S", "5D"),
        "CALL_C KD 3D",
        {},
        {
            "leave_it_to_a_sure_partner": "4D QD",
            "leave_it_to_the_partner": "4D QD",
            "keep_court_cards": "QD",
        },
    ),
    "last": (
        "single_sar",
        ("QD C", "3D H", "4D S", "AD KD 5D"),
        "CALL_C QD 3D 4D",
        {},
        {"win_for_sure": "KD"},
    ),
    "out of the led suit": (
        "single_sar",
        VOID,
        "CALL_C 2D AD",
        {},
        {
            "ruff_at_all": "2C 9C KC",
            "ruff_cheaply": "2C",
            "ruff_with_small_ones": "2C",
            "throw_from_the_longest": "2S 3S 4S 5S 6S 7S 8S AS",
            "throw_the_lowest": "2H 2S",
            "throw_small_cards": "2H 2S 3S 4S 5S 6S",
            "keep_masters": "AS",
            "keep_a_guard": "2H",
            "throw_dead_cards": "2H",
        },
    ),
    "out of the suit that the partner wins": (
        "single_sar",
        ("AD 3C H", "3D S", "2C KC KH 3H 4H AS 5S 6S 7S 8S 9S", "4D D"),
        "CALL_C AD 3D",
        {},
        {
            "ruff_over_a_sure_partner": "2C TC JC KC",
            "leave_it_to_the_partner": "3H 4H KH 5S 6S 7S 8S 9S AS",
        },
    ),
    "two with masters of trumps": (
        "single_sar",
        ("QD 3C H", "2C KC AC 4C KH 2H AS S", "3D D", "4D"),
        "CALL_C QD",
        {},
        {"keep_trump_control": "KC AC", "win_for_sure": "KC"},
    ),
    "tens to lead": (
        "mendikot",
        ("TC 2C AC AH KD TD 3D 9S 8S 7S 2S 3S 4S",),
        "",
        {},
        {
            "lead_no_ten_into_the_unknown": "TC TD",
            "lead_where_the_ten_is_out": "AH",
            "lead_low_where_the_ten_is_out": "2S 3S 4S 7S 8S 9S",
            "lead_from_my_ten": "2C AC 3D KD",
            "stay_in_the_long_suit": "2S 3S 4S 7S 8S 9S",
            "get_short": "AH",
            "get_short_beside_a_long_suit": "AH",
        },
    ),
    "a ten for the partner": (
        "mendikot",
        ("AC 2C S", "3C KC D", "TC 4C QC", "5C H"),
        "AC 3C",
        {},
        {"give_the_partner_a_ten": "TC", "keep_the_cards_above": "JC QC"},
    ),
    "a ten on the table": (
        "mendikot",
        ("TC 2C S", "3C 4C D", "AC KC 5C", "QC JC H"),
        "TC 3C",
        {},
        {
            "take_a_ten": "KC AC",
            "take_a_ten_for_sure": "KC",
        },
    ),
    "a ten that wins": (
        "mendikot",
        ("2C S", "3C 4C D", "9C 5C", "TC QC H"),
        "2C 3C 9C",
        {},
        {"win_by_a_sure_ten": "TC", "win_by_an_unsure_ten": "", "throw_no_ten_away": ""},
    ),
    "the cut": (
        "be_ranga",
        CUT,
        "AC",
        {},
        {
            "cut_into_four": "4H 5H 6H 7H 8H 9H TS JS QS KS",
            "cut_into_five": "4H 5H 6H 7H 8H 9H",
            "cut_into_half_of_it": "4H 5H 6H 7H 8H 9H",
            "cut_into_masters": "3D KD AD",
            "cut_with_a_master": "KD AD",
            "cut_into_more_than_out": "",
        },
    ),
    "a card face down": (
        "hidden_rung",
        ASKED,
        "2S 3C AC",
        {},
        {
            "ask": "REVEAL",
            "ask_for_the_partners": "REVEAL",
            "ask_for_my_own": "",
            "ask_early": "REVEAL",
            "throw_from_the_shortest": "3D 5S",
        },
    ),
    "the own card face down": (
        "hidden_rung",
        SHOWS,
        "2S",
        {},
        {
            "show": "REVEAL",
            "show_with_three": "REVEAL",
            "show_with_four": "",
            "show_with_the_master": "REVEAL",
            "show_early": "REVEAL",
            "lead_low_trumps_hidden": "3S 4S AS",
            "lead_master_trump_hidden": "AS",
        },
    ),
    "five cards to call from": (
        "single_sar",
        ("AC KC 2C AD 3H",),
        "",
        {},
        {
            "two_cards": "CALL_C",
            "three_cards": "CALL_C",
            "four_cards": "",
            "ace_of_trumps": "CALL_C CALL_D",
            "king_of_trumps": "CALL_C",
            "aces_outside": "CALL_C CALL_D CALL_H",
            "kings_outside": "CALL_D CALL_H",
            "pass_at_all": "PASS",
        },
    ),
    "five cards to lay one of": (
        "hidden_rung",
        ("AC KC 2C TD 3H",),
        "",
        {},
        {
            "ten_of_trumps": "TD",
            "three_cards": "2C KC AC",
            "lay_the_lowest": "2C TD 3H",
            "lay_no_court_card": "KC AC",
        },
    ),
    "a trump to change": (
        "single_sar",
        ("AC KC 2C AD 3H 4H 5H 6H 7H 8H 9H 2S 3S",),
        "CALL_C",
        {"change_trump": True},
        {
            "four_cards": "CALL_H",
            "five_cards": "CALL_H",
            "six_cards": "CALL_H",
            "keep_at_all": "KEEP",
            "keep_the_ace": "KEEP",
            "keep_the_king": "KEEP",
            "keep_four": "",
        },
    ),
    "trumps for the partner": (
        "single_sar",
        ("2C 3C AH KH S", "D", "AC KC QC JC TC H"),
        "PASS CALL_C",
        {},
        {"draw_for_partner": "2C 3C", "lead_very_long_suit": "2S 3S 4S 5S 6S 7S 8S 9S TS"},
    ),
    "the partner's suit": (
        "single_sar",
        ("2D 3C 4C 5C AC", "3D S", "AD 4D 5D 6H 7H 2C", "KD C"),
        "CALL_C 2D 3D AD KD",
        {},
        {
            "return_partners_suit": "4D 5D 6D 7D 8D 9D TD JD QD",
            "cash_late_masters": "4D 5D 6D 7D 8D 9D TD JD QD",
            "keep_the_last_trump": "2C",
        },
    ),
    "the opponents' suit and trump": (
        "single_sar",
        ("2D C", "AD 3D 5D 2C H", "4D S", "6D KD"),
        "CALL_C 2D AD 4D 6D",
        {},
        {"avoid_opponents_suit": "3D 5D", "trumps_against_the_caller": "2C"},
    ),
    "the next can ruff": (
        "single_sar",
        ("AD KD 4D AC KC QC 2H 3H 4H 2S 3S 4S 5S", "5H 6C 7C S", "5D 6D 8C", "7D 8D 9D 2C"),
        "CALL_C AD 5H 5D 7D",
        {},
        {"lead_into_a_ruff": "4D KD", "spare_ruffed_masters": "KD", "lead_up_to_a_ruff": ""},
    ),
    "the last can ruff": (
        "single_sar",
        ("AD KD 4D AC KC QC 2H 3H 4H 2S 3S 4S 5S", "7D 8D 9D 2C", "5D 6D 8C", "5H 6C 7C S"),
        "CALL_C AD 7D 5D 5H",
        {},
        {"lead_up_to_a_ruff": "4D KD", "lead_into_a_ruff": ""},
    ),
    "suits that others led": (
        "single_sar",
        ("2D 3S 3H C", "AD AS AH KH H", "4D 4S 5S 6S D", "6D 7S 8H"),
        "CALL_C 2D AD 4D 6D AS 4S 7S 3S AH",
        {},
        {"keep_partners_suit": "3D 5D 7D 8D 9D TD JD QD KD", "keep_opponents_suit": "5S 6S"},
    ),
    "a ruff before a ruff": (
        "single_sar",
        ("AD 2D C", "QD 9D D", "3D 2C 5C S", "H"),
        "CALL_C AD 9D 3D 5H 2D QD",
        {},
        {"ruff_before_a_ruff": "2C 5C"},
    ),
    "a higher ruff lies there": (
        "single_sar",
        ("AD 3C 4C 5C D", "KC S", "2C 6C AC H"),
        "CALL_C AD KC",
        {},
        {"under_ruff": "2C 6C", "ruff_at_all": "AC"},
    ),
    "queen and jack": (
        "single_sar",
        ("QC JC 2C AD 3H",),
        "",
        {},
        {"queen_of_trumps": "CALL_C", "jack_of_trumps": "CALL_C"},
    ),
    "five trumps to keep": (
        "single_sar",
        ("QC JC 2C 3C 4C 3H 4H 5H 6H 7H 8H 2S 3S",),
        "CALL_C",
        {"change_trump": True},
        {"keep_four": "KEEP", "keep_five": "KEEP", "keep_the_ace": ""},
    ),
    "four more beside the own card": (
        "hidden_rung",
        ("2S 3S 4S AS 5S KC 2D 3D 4D 5H 6H 7H 8H",),
        "2S",
        {},
        {"show_with_four": "REVEAL"},
    ),
    "the own card, and nothing to follow with": (
        "hidden_rung",
        ("3C C", "AC 4S", "3D H", "2D 3S 4D S"),
        "PASS 3D 3C AC",
        {},
        {"ask_for_my_own": "REVEAL", "ask_for_the_partners": ""},
    ),
    "a card face down, the partner winning": (
        "hidden_rung",
        ("2S AC C", "KC 4S", "3D 5S H", "TC S"),
        "2S AC KC",
        {},
        {"ask_when_the_partner_wins": "REVEAL", "ask_when_the_partner_is_safe": "REVEAL"},
    ),
    "a card face down, an opponent about to seal": (
        "double_sar",
        ("2S KC QC AC C", "3C D", "2C 4C H", "5C 6C S"),
        "2S KC 3C 2C 5C QC",
        {"trump": "hidden"},
        {"ask_to_stop_a_seal": "REVEAL", "ask_when_the_partner_wins": ""},
    ),
    "a card face down, a ten on the table": (
        "mendikot",
        ("2S TC C", "D"),
        "2S TC",
        {"trump": "hidden", "shown": "on_demand"},
        {"ask_for_a_ten": "REVEAL"},
    ),
    "a lead at the owner of the face-down card": (
        "hidden_rung",
        ("2S 2D C", "AD 3D AH H", "4D", "6D S"),
        "2S 2D AD 4D 6D",
        {},
        {
            "lead_what_the_owner_avoids": "2H 3H 4H 5H 6H 7H 8H 9H TH JH AH",
            "lead_the_owners_trump_at_it": "AH",
        },
    ),
    "seven of a suit, and no trump yet": (
        "be_ranga",
        ("2D 3D 4D 5D 6D 7D 8D AH KH 3H 2S 3S 4S",),
        "",
        {},
        {"hold_the_choice": "2D 3D 4D 5D 6D 7D 8D"},
    ),
    "seven of a suit to cut into": (
        "be_ranga",
        ("AC C", "2D 3D 4D 5D 6D 7D 8D AH KH 3H 2S 3S 4S"),
        "AC",
        {},
        {"cut_into_more_than_out": "2D 3D 4D 5D 6D 7D 8D"},
    ),
    "suits that others led, to cut into": (
        "be_ranga",
        ("2D 3S 3H C", "AD AS AH KH H", "4D 4S 5S 6S D", "6D 7S 8H"),
        "2D AD 4D 6D AS 4S 7S 3S AH",
        {},
        {
            "cut_into_partners_suit": "3D 5D 7D 8D 9D TD JD QD KD",
            "cut_into_opponents_suit": "5S 6S",
        },
    ),
    "no ten left in the suit": (
        "mendikot",
        ("2C S", "3C 4C D", "9C 5C", "TC AC KC H"),
        "2C 3C 9C TC",
        {},
        {"lead_where_no_ten_is_left": "KC AC"},
    ),
    "a trick without a ten": (
        "mendikot",
        ("2C S", "3C 4C D", "9C 5C", "8C QC H"),
        "2C 3C 9C",
        {},
        {"leave_a_trick_without_tens": "8C"},
    ),
    "a ten under a king": (
        "mendikot",
        ("KC 2C S", "3C D", "TC 4C H", "AC 5C"),
        "KC 3C",
        {},
        {"risk_a_ten_on_the_partner": "TC", "give_the_partner_a_ten": ""},
    ),
    "a ten under an opponent's king": (
        "mendikot",
        ("KC 2C S", "3C TC D", "4C", "AC"),
        "KC",
        {},
        {"throw_no_ten_away": "TC"},
    ),
    "a ten over a nine": (
        "mendikot",
        ("9C 2C S", "3C TC D", "4C", "AC"),
        "9C",
        {},
        {"win_by_an_unsure_ten": "TC", "win_by_a_sure_ten": ""},
    ),
    "an opponent about to seal": (
        "double_sar",
        ("KD QD 4C C", "5D 6D 3H H", "3D 4D 5S S", "2D AD 7D D"),
        "CALL_C KD 5D 3D 2D QD 6D 4D",
        {},
        {
            "stop_a_seal": "AD",
            "end_a_run": "AD",
            "leave_a_small_pile": "AD",
            "win_with_another_to_come": "AD",
        },
    ),
    "the partner about to seal": (
        "double_sar",
        ("KD QD 4C C", "5D 6D 3H H", "3D 4D AD 5S S", "2D JD 7D D"),
        "CALL_C KD 5D 3D 2D QD 6D",
        {},
        {"let_the_partner_seal": "4D", "stop_a_seal": ""},
    ),
    "a pile near the end": (
        "double_sar",
        SEALS,
        "CALL_C",
        {"trick_number": 9},
        {"keep_a_master_for_the_end": "QC KC AC KH AH"},
    ),
}

OPTIONS = ("change_trump", "trump", "shown")

CASES = [
    pytest.param(position[:4], name, expected, id=f"{title}: {name}")
    for title, position in POSITIONS.items()
    for name, expected in position[4].items()
]


@pytest.mark.parametrize(("position", "name", "expected"), CASES)
def test_a_judgement_names_the_cards_that_it_is_about(position, name, expected):
    game, hands, actions, columns = position
    options = {option: columns[option] for option in OPTIONS if option in columns}
    table = Game(game, *hands, **options).play(actions)
    table.set(**{name: value for name, value in columns.items() if name not in OPTIONS})
    assert said(name, table) == expected


def test_every_judgement_has_such_a_position():
    spoken = {name for *_, cases in POSITIONS.values() for name, named in cases.items() if named}
    assert set(KNOWN) - spoken == set()
