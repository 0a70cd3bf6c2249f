"""What the order of the cards played tells: who led which suits, and who cut.

The rest of a view says which cards each seat has played, not when; this is read off the history.
"""

import numpy as np

from agents.hand import of_suit, suit_of
from rungenv.actions import REVEAL
from rungenv.bits import EMPTY
from rungenv.view import View

_NOTHING_YET = 255


def led_by(view: View) -> np.ndarray:
    """All cards of the suits that each seat of the view has led to a trick: (4, n) uint64."""
    cards, seats = _played(view, every=4)
    suits = of_suit(suit_of(cards))
    led = [np.where(seats == seat, suits, EMPTY) for seat in range(4)]
    return np.bitwise_or.reduce(np.stack(led), axis=2)


def cutter(view: View) -> np.ndarray:
    """The seat that played the first card off the led suit (R8.2): (n,) int64, -1 for none."""
    cards, seats = _played(view, every=1)
    suit = suit_of(cards)
    off = (suit != np.repeat(suit[:, ::4], 4, axis=1)[:, : suit.shape[1]]) & (cards >= 0)
    rows = np.arange(len(view))
    return np.where(off.any(axis=1), seats[rows, off.argmax(axis=1)].astype(np.int64), -1)


def _played(view: View, every: int) -> tuple[np.ndarray, np.ndarray]:
    """Each card played, or every fourth: (n, m) int64, -1 for none; by whom: (n, m) uint8."""
    history = view.history
    length = (history != _NOTHING_YET).sum(axis=1)
    shows = view.history_actions() == REVEAL
    shown_at = np.where(shows.any(axis=1), shows.argmax(axis=1), length)
    on_table = 4 * view.trick_number.astype(np.int64) + view.trick_size
    first = length - on_table - (shown_at < length)
    place = first[:, None] + np.arange(0, max(int(on_table.max(initial=0)), 1), every)
    place = place + (shown_at[:, None] <= place)  # the showing is an action, but no card
    words = np.take_along_axis(history, np.minimum(place, history.shape[1] - 1), axis=1)
    cards = np.where(place < length[:, None], (words & 63).astype(np.int64), -1)
    return cards, ((words >> 6) - view.seat[:, None].astype(np.uint8)) & 3
