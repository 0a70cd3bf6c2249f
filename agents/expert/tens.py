"""Judgements on tens, which decide Mendikot (R9.1)."""

import numpy as np

from agents.expert.sight import Sight, suits, where
from agents.hand import lowest_of_suits
from rungenv.cards import LANE, TENS


def lead_no_ten_into_the_unknown(sight: Sight) -> np.ndarray:
    """Tens that something left can beat: whoever beats them has them."""
    return sight.cards & TENS & ~sight.masters


def lead_where_the_ten_is_out(sight: Sight) -> np.ndarray:
    """Masters of a suit whose ten others hold: it may have to fall."""
    return sight.masters & sight.cards & _with(sight.view.unseen & TENS)


def lead_low_where_the_ten_is_out(sight: Sight) -> np.ndarray:
    """Small cards of a suit whose ten others hold."""
    return sight.side & ~sight.masters & _with(sight.view.unseen & TENS)


def lead_from_my_ten(sight: Sight) -> np.ndarray:
    """Other cards of a suit in which the hand has the ten."""
    return sight.cards & ~TENS & _with(sight.view.hand & TENS)


def lead_where_no_ten_is_left(sight: Sight) -> np.ndarray:
    """Masters of a suit whose ten is gone: there is little to win."""
    return sight.masters & sight.cards & ~_with((sight.view.hand | sight.view.unseen) & TENS)


def give_the_partner_a_ten(sight: Sight) -> np.ndarray:
    """A ten on a trick that is the partner's for sure."""
    return where(sight.partner_is_safe, sight.losers & TENS)


def risk_a_ten_on_the_partner(sight: Sight) -> np.ndarray:
    """A ten on a trick that the partner is winning, but may lose."""
    return where(sight.partner_wins & ~sight.partner_is_safe, sight.losers & TENS)


def throw_no_ten_away(sight: Sight) -> np.ndarray:
    """A ten on a trick that the others are winning."""
    return where(~sight.partner_wins, sight.losers & TENS)


def win_by_a_sure_ten(sight: Sight) -> np.ndarray:
    """A ten that wins the trick for sure: it is home."""
    return sight.sure & TENS


def win_by_an_unsure_ten(sight: Sight) -> np.ndarray:
    """A ten that beats the trick, but may still be beaten."""
    return sight.winners & TENS & ~sight.sure


def take_a_ten(sight: Sight) -> np.ndarray:
    """Beat a trick with a ten in it."""
    return where(sight.tens_on_table > 0, sight.winners)


def take_a_ten_for_sure(sight: Sight) -> np.ndarray:
    """Beat a trick with a ten in it, by a card that nobody can beat."""
    return where(sight.tens_on_table > 0, lowest_of_suits(sight.sure))


def leave_a_trick_without_tens(sight: Sight) -> np.ndarray:
    """Cards that do not win, on a trick without a ten that nobody plays to any more."""
    return where(sight.is_last & (sight.tens_on_table == 0), sight.losers & ~TENS)


def keep_the_cards_above(sight: Sight) -> np.ndarray:
    """Jack to ace of a suit whose ten is not played: they catch it, or save it."""
    alive = _with((sight.view.hand | sight.view.unseen) & TENS)
    return sight.cards & alive & _ABOVE


def _with(cards: np.ndarray) -> np.ndarray:
    """All cards of the suits that have one in the sets."""
    return suits(cards & LANE[:4, None] != 0)


_ABOVE = np.uint64(sum(0b1111 << 13 * suit + 9 for suit in range(4)))
