"""A card is placed on the table, and the trick goes to somebody (R3).

The best card so far is kept as its *standing*: rank, plus 16 in the led suit, plus 32 as a trump
of another suit. A card's standing is fixed as it is played, so a trump that is shown later in the
trick does not reach back to it (R7.5), and no history is needed. When the led suit is itself the
trump, the trick goes to its highest card whenever played (R7.5), so it needs no bonus.
"""

from dataclasses import dataclass

import numpy as np

from rungenv.bits import BIT
from rungenv.cards import ACE, CARD_RANK, CARD_SUIT
from rungenv.state import State
from rungenv.trump import cut

_TRUMP = 32
_RANK = 15
_BONUS = np.array([16, 0, _TRUMP], np.int8)
"""Standing beyond the rank: a card of the led suit, one off it, a trump off it."""


@dataclass(frozen=True)
class Taken:
    """Tricks that are complete, one entry for each of `rows`."""

    rows: np.ndarray
    cards: np.ndarray  # (m, 4) int8, by seat
    seat: np.ndarray  # the winner
    by_ace: np.ndarray  # it won with an ace
    by_trump: np.ndarray  # it won with a card of the trump suit


def place(state: State, rows: np.ndarray, cards: np.ndarray) -> None:
    """The seats to act play these cards, and the turn passes on: cards (m,) int64."""
    seat = state.seat[rows]
    at = state.at(rows, seat)
    suit = CARD_SUIT[cards]
    bit = BIT[cards]
    state.flat.hands[at] &= ~bit
    state.flat.played[at] |= bit
    state.flat.trick[at] = cards

    led = state.led[rows]
    led = np.where(led < 0, suit, led)
    off = suit != led
    if off.any():
        state.flat.voids[at[off]] |= 1 << led[off]
        cut(state, rows[off], suit[off])
    trumped = off & (suit == state.trump[rows])
    standing = CARD_RANK[cards] + _BONUS[off + trumped.view(np.int8)]

    beats = standing > state.best[rows]
    ahead = rows[beats]
    state.best[ahead] = standing[beats]
    state.holder[ahead] = seat[beats]
    state.led[rows] = led
    state.must_trump[rows] = 0
    state.trick_size[rows] += 1
    state.seat[rows] = (seat + 1) & 3


def clear_full(state: State, rows: np.ndarray) -> Taken:
    """Clear tables of four cards; the winner leads the next trick (R3.1, R3.3)."""
    rows = rows[state.trick_size[rows] == 4]
    best = state.best[rows]
    taken = Taken(
        rows=rows,
        cards=state.trick[rows],
        seat=state.holder[rows],
        by_ace=(best & _RANK) == ACE,
        by_trump=(best >= _TRUMP) | (state.led[rows] == state.trump[rows]),
    )
    state.trick_number[rows] += 1
    state.seat[rows] = taken.seat
    state.trick_size[rows] = 0
    for column in (state.trick, state.led, state.best, state.holder):
        column[rows] = -1
    return taken
