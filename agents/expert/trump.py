"""Judgements on the trump: what to call or lay, when to pass, when to ask, what to cut with.

Those on calling and laying name actions: for a suit its call, or all its cards that may be laid.
"""

from collections.abc import Callable

import numpy as np

from agents.expert.sight import Sight, by_suit, suits, where
from agents.hand import as_set
from rungenv.actions import CALL, KEEP, PASS, REVEAL
from rungenv.bits import BIT, EMPTY, count
from rungenv.cards import ACES, LANE, card_set
from rungenv.rules import Trump
from rungenv.view import ME, PARTNER

Judgement = Callable[[Sight], np.ndarray]


# Calling and laying: what the suit has


def _seen(sight: Sight) -> np.ndarray:
    """The cards that the caller knows to be its own: five, or 13 at the change of trump."""
    return sight.view.hand | as_set(sight.view.my_face_down)


def _choices(sight: Sight, which: np.ndarray) -> np.ndarray:
    """The actions that make one of these suits the trump: (4, n) bool -> (n,) uint64."""
    if sight.rules.trump == Trump.HIDDEN:
        return suits(which)
    return np.bitwise_or.reduce(np.where(which, BIT[CALL : CALL + 4, None], EMPTY), axis=0)


def two_cards(sight: Sight) -> np.ndarray:
    """A suit with two cards or more."""
    return _choices(sight, by_suit(_seen(sight)) >= 2)


def three_cards(sight: Sight) -> np.ndarray:
    """A suit with three cards or more: longer than its share."""
    return _choices(sight, by_suit(_seen(sight)) >= 3)


def four_cards(sight: Sight) -> np.ndarray:
    """A suit with four cards or more."""
    return _choices(sight, by_suit(_seen(sight)) >= 4)


def five_cards(sight: Sight) -> np.ndarray:
    """A suit with five cards or more."""
    return _choices(sight, by_suit(_seen(sight)) >= 5)


def six_cards(sight: Sight) -> np.ndarray:
    """A suit with six cards or more, as only a change of trump can see."""
    return _choices(sight, by_suit(_seen(sight)) >= 6)


def ace_of_trumps(sight: Sight) -> np.ndarray:
    """A suit with its ace."""
    return _has(sight, "A")


def king_of_trumps(sight: Sight) -> np.ndarray:
    """A suit with its king."""
    return _has(sight, "K")


def queen_of_trumps(sight: Sight) -> np.ndarray:
    """A suit with its queen."""
    return _has(sight, "Q")


def jack_of_trumps(sight: Sight) -> np.ndarray:
    """A suit with its jack."""
    return _has(sight, "J")


def ten_of_trumps(sight: Sight) -> np.ndarray:
    """A suit with its ten."""
    return _has(sight, "T")


def aces_outside(sight: Sight) -> np.ndarray:
    """A suit beside which the hand has an ace: it wins once the trumps are drawn."""
    return _choices(sight, _outside(sight, "A") >= 1)


def kings_outside(sight: Sight) -> np.ndarray:
    """A suit beside which the hand has a king."""
    return _choices(sight, _outside(sight, "K") >= 1)


def lay_the_lowest(sight: Sight) -> np.ndarray:
    """The lowest card of its suit: while it lies face down it takes no trick."""
    return sight.bottoms


def lay_no_court_card(sight: Sight) -> np.ndarray:
    """An ace, king, queen or jack laid: it would be missed."""
    return sight.cards & _COURT


def pass_at_all(sight: Sight) -> np.ndarray:
    """The pass: the partner, whose five may be better, has to call."""
    return np.full(len(sight.view), BIT[PASS])


def keep_at_all(sight: Sight) -> np.ndarray:
    """No change of trump."""
    return np.full(len(sight.view), BIT[KEEP])


def keep_four(sight: Sight) -> np.ndarray:
    """No change of trump, having four cards of it."""
    return _keep(sight, 4)


def keep_five(sight: Sight) -> np.ndarray:
    """No change of trump, having five cards of it."""
    return _keep(sight, 5)


def keep_the_ace(sight: Sight) -> np.ndarray:
    """No change of trump, having its ace."""
    return where(_seen(sight) & sight.trumps & ACES != 0, BIT[KEEP])


def keep_the_king(sight: Sight) -> np.ndarray:
    """No change of trump, having its king."""
    return where(_seen(sight) & sight.trumps & _KINGS != 0, BIT[KEEP])


def _keep(sight: Sight, least: int) -> np.ndarray:
    return where(count(_seen(sight) & sight.trumps) >= least, BIT[KEEP])


def _has(sight: Sight, rank: str) -> np.ndarray:
    return _choices(sight, _seen(sight) & _rank(rank) & LANE[:4, None] != 0)


def _outside(sight: Sight, rank: str) -> np.ndarray:
    cards = by_suit(_seen(sight) & _rank(rank))
    return cards.sum(axis=0) - cards


def _rank(rank: str) -> np.uint64:
    return _BY_RANK[rank]


_BY_RANK = {rank: card_set(f"{rank}C {rank}D {rank}H {rank}S") for rank in "AKQJT"}
_KINGS = _BY_RANK["K"]
_COURT = ACES | _KINGS | _BY_RANK["Q"] | _BY_RANK["J"]


# The cut: the first card off the led suit makes its suit the trump (R8.2)


def cut_into_four(sight: Sight) -> np.ndarray:
    """A suit with four cards or more."""
    return sight.side & suits(sight.held >= 4)


def cut_into_five(sight: Sight) -> np.ndarray:
    """A suit with five cards or more."""
    return sight.side & suits(sight.held >= 5)


def cut_into_more_than_out(sight: Sight) -> np.ndarray:
    """A suit of which the hand has as many cards as the other three together."""
    return sight.side & suits(sight.held >= sight.others)


def cut_into_half_of_it(sight: Sight) -> np.ndarray:
    """A suit of which the hand has at least half as many cards as the other three together."""
    return sight.side & suits(2 * sight.held >= sight.others)


def cut_into_masters(sight: Sight) -> np.ndarray:
    """A suit with its highest card left in the hand."""
    return sight.side & suits(sight.masters & LANE[:4, None] != 0)


def cut_into_partners_suit(sight: Sight) -> np.ndarray:
    """A suit that the partner has led: it may have run out of it, or be strong there."""
    return sight.side & sight.partner_led


def cut_into_opponents_suit(sight: Sight) -> np.ndarray:
    """A suit that an opponent has led."""
    return sight.side & sight.opponents_led


def cut_with_a_master(sight: Sight) -> np.ndarray:
    """The highest card left of the suit: nobody can trump higher."""
    return sight.cards & sight.masters


# Blind leads: no trump is known yet


def stay_in_the_long_suit(sight: Sight) -> np.ndarray:
    """A suit of five cards or more, led before a trump is known: the others run out of it first."""
    return sight.side & suits(sight.held >= 5)


def hold_the_choice(sight: Sight) -> np.ndarray:
    """A suit of which the others have few cards left: one of them would choose the trump."""
    return sight.side & suits((sight.others <= 6) & (sight.held >= 2))


def get_short(sight: Sight) -> np.ndarray:
    """The shortest suit: who first runs out of one chooses the trump."""
    shortest = np.where(sight.held > 0, sight.held, 14).min(axis=0)
    return sight.side & suits(sight.held == shortest)


def get_short_beside_a_long_suit(sight: Sight) -> np.ndarray:
    """The shortest suit, with five cards of another to choose."""
    return where(sight.held.max(axis=0) >= 5, get_short(sight))


# Asking for the face-down card (R7.3) and showing one's own (R7.4)


def ask(sight: Sight) -> np.ndarray:
    """Have the face-down card shown."""
    return np.full(len(sight.view), BIT[REVEAL])


def ask_when_the_partner_wins(sight: Sight) -> np.ndarray:
    """The same while the partner is winning: a trump from this hand would beat it."""
    return where(sight.partner_wins, BIT[REVEAL])


def ask_when_the_partner_is_safe(sight: Sight) -> np.ndarray:
    """The same on a trick that is the partner's for sure."""
    return where(sight.partner_is_safe, BIT[REVEAL])


def ask_for_the_partners(sight: Sight) -> np.ndarray:
    """The same when the card is the partner's: its side is the longer one in trumps."""
    return where(sight.view.owner == PARTNER, BIT[REVEAL])


def ask_for_my_own(sight: Sight) -> np.ndarray:
    """The same when the card is one's own."""
    return where(sight.view.owner == ME, BIT[REVEAL])


def ask_early(sight: Sight) -> np.ndarray:
    """The same in the first four tricks, while the hands are long."""
    return where(sight.view.trick_number < 4, BIT[REVEAL])


def ask_for_a_ten(sight: Sight) -> np.ndarray:
    """The same when a ten lies on the table."""
    return where((sight.tens_on_table > 0) & ~sight.partner_wins, BIT[REVEAL])


def ask_to_stop_a_seal(sight: Sight) -> np.ndarray:
    """The same when an opponent would pick the pile up."""
    return where(sight.holder_seals & ~sight.partner_wins, BIT[REVEAL])


def unlike_trump(sight: Sight) -> np.ndarray:
    """All cards of the suits that the owner of the face-down card has not been short of or led.

    It keeps its trumps: what it leads or runs out of is hardly the trump.
    """
    rows = np.arange(len(sight.view))
    voids = np.stack([sight.void(seat) for seat in range(4)])
    short = where(sight.view.owner >= 0, voids[sight.view.owner, rows])
    return LANE[-1] & ~(short | sight.owner_led)


def lead_what_the_owner_avoids(sight: Sight) -> np.ndarray:
    """Cards of the suits that may be the trump, by what its owner has led or run out of."""
    return sight.cards & unlike_trump(sight)


def lead_the_owners_trump_at_it(sight: Sight) -> np.ndarray:
    """Masters of such suits while an opponent owns the card."""
    theirs = (sight.view.owner & 1) == 1
    return where(theirs, sight.cards & sight.masters & unlike_trump(sight))


def show(sight: Sight) -> np.ndarray:
    """Show one's own card when leading, which makes its suit count."""
    return np.full(len(sight.view), BIT[REVEAL])


def show_with_three(sight: Sight) -> np.ndarray:
    """The same with three more trumps in the hand."""
    return where(count(sight.my_trumps) >= 3, BIT[REVEAL])


def show_with_four(sight: Sight) -> np.ndarray:
    """The same with four more trumps in the hand."""
    return where(count(sight.my_trumps) >= 4, BIT[REVEAL])


def show_with_the_master(sight: Sight) -> np.ndarray:
    """The same with the highest trump left in the hand, which can be led at once."""
    return where(sight.my_trumps & sight.masters != 0, BIT[REVEAL])


def show_early(sight: Sight) -> np.ndarray:
    """The same in the first four tricks."""
    return where(sight.view.trick_number < 4, BIT[REVEAL])


def lead_low_trumps_hidden(sight: Sight) -> np.ndarray:
    """A trump led while nobody knows that it is one."""
    return sight.cards & sight.trumps


def lead_master_trump_hidden(sight: Sight) -> np.ndarray:
    """The highest trump, led while nobody knows that it is one: it wins as any master."""
    return sight.cards & sight.trumps & sight.masters
