"""Judgements on the pile of double sar, which goes to a seat's second win in a row (R6)."""

import numpy as np

from agents.expert.sight import Sight, suits, where
from agents.hand import lowest_of_suits
from rungenv.bits import EMPTY, count
from rungenv.cards import ACES, LANE
from rungenv.view import ME


def seal_the_pile(sight: Sight) -> np.ndarray:
    """Having won the last trick, a master: it picks the pile up."""
    return sight.may_seal & sight.masters & sight.cards


def seal_safely(sight: Sight) -> np.ndarray:
    """The same with a trump, or where no opponent is known to be able to ruff."""
    return seal_the_pile(sight) & ~sight.opponents_ruff


def begin_a_pair(sight: Sight) -> np.ndarray:
    """A master that cannot pick up yet, where the hand has another that then could."""
    aces = ACES if sight.rules.ace_over_ace else EMPTY
    others = count(sight.masters & ~aces)
    return where((sight.view.waiting != ME) & (others >= 2), sight.masters & sight.cards)


def waste_no_master(sight: Sight) -> np.ndarray:
    """A master that cannot pick up: the trick goes to the pile, and the card is gone."""
    return sight.masters & sight.cards & ~sight.may_seal


def stop_a_seal(sight: Sight) -> np.ndarray:
    """Beat an opponent who would pick the pile up."""
    return where(sight.holder_seals & ~sight.partner_wins, sight.winners)


def let_the_partner_seal(sight: Sight) -> np.ndarray:
    """Do not beat a partner who would pick the pile up."""
    return where(sight.holder_seals & sight.partner_wins, sight.losers)


def win_with_another_to_come(sight: Sight) -> np.ndarray:
    """Beat the trick with a master left in the hand to pick up with."""
    keeps = sight.masters & ~lowest_of_suits(sight.winners)
    return where(keeps != 0, sight.winners & ~sight.may_seal)


def end_a_run(sight: Sight) -> np.ndarray:
    """Beat the trick where that takes the wait from an opponent: it must start again."""
    waits = (sight.view.waiting & 1 == 1) & (sight.view.waiting >= 0)
    return where(waits, sight.winners)


def leave_a_small_pile(sight: Sight) -> np.ndarray:
    """Do not beat a trick that picks nothing up while the pile is small."""
    return where(sight.view.pile <= 1, sight.winners & ~sight.may_seal)


def keep_a_master_for_the_end(sight: Sight) -> np.ndarray:
    """Masters, near the end: the thirteenth trick takes all that is left (R6.4)."""
    return where(sight.view.trick_number >= 9, sight.masters & sight.cards & ~sight.may_seal)


def spare_the_ace(sight: Sight) -> np.ndarray:
    """Aces: where house rules hold them back they seal badly, and as first of two well (R6.7)."""
    return sight.cards & ACES


def two_in_a_suit(sight: Sight) -> np.ndarray:
    """Masters of a suit in which the hand has two of them: the second picks up behind the first."""
    twice = suits(count(sight.masters & LANE[:4, None]) >= 2)
    return where(sight.view.waiting != ME, sight.masters & twice & sight.cards)
