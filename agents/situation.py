"""What a seat sees in the play of a card, in the words that players use.

Each function is from a view of n rows to (n,) bool, or to (n,) uint64 card sets.
"""

import numpy as np

from agents.hand import first_of, higher_than, of_suit, suit_of
from rungenv.cards import PACK, TENS
from rungenv.rules import Goal
from rungenv.view import NEXT, PARTNER, View


def playable(view: View) -> np.ndarray:
    """The cards that may be played now."""
    return view.legal & PACK


def known_trumps(view: View) -> np.ndarray:
    """All cards of the trump suit if this seat knows it, public or its own card's; else none."""
    return of_suit(np.where(view.trump >= 0, view.trump, suit_of(view.my_face_down)))


def is_leading(view: View) -> np.ndarray:
    """Whether the seat leads the trick."""
    return view.led < 0


def is_last(view: View) -> np.ndarray:
    """Whether the seat plays the trick's fourth card."""
    return view.trick_size == 3


def partner_wins(view: View) -> np.ndarray:
    """Whether the partner is winning the trick."""
    return view.holder == PARTNER


def partner_is_safe(view: View) -> np.ndarray:
    """Whether the partner will win the trick, as far as can be told.

    It is played out, or nobody holds a higher card of its suit and the one opponent still to play
    is not known to be able to ruff.
    """
    higher = view.unseen & higher_than(view.trick[:, PARTNER])
    is_void = (view.voids[:, NEXT] >> np.maximum(view.led, 0)) & 1 != 0
    may_ruff = is_void & (view.unseen & of_suit(view.trump) != 0)
    return partner_wins(view) & (is_last(view) | ((higher == 0) & ~may_ruff))


def no_trumps(view: View) -> np.ndarray:
    """The playable cards but the trumps, or the trumps if there is nothing else."""
    cards = playable(view)
    return first_of(cards & ~known_trumps(view), cards)


def thrown_away(view: View) -> np.ndarray:
    """The cards to throw when the trick is not this seat's to win; never none.

    No trump is wasted, and where tens count none is given away.
    """
    return without_tens(view, no_trumps(view))


def without_tens(view: View, cards: np.ndarray) -> np.ndarray:
    """The cards less the tens where these count, unless nothing else is left."""
    if view.rules.goal != Goal.TENS:
        return cards
    return first_of(cards & ~TENS, cards)
