"""A card is placed on the table, and the trick goes to somebody (R3).

A card's *standing* in its trick is its rank, 13 more as a trump that was not led, and less than
nothing off the led suit. Standing is fixed as the card is played, so a trump that is shown later
in the trick does not reach back to it, and no history is needed (R7.5). When the led suit is itself
the trump, the trick goes to its highest card whenever played, so that card needs no bonus.
"""

from dataclasses import dataclass

import numpy as np

from rungenv.bits import BIT
from rungenv.cards import ACE, CARD_RANK, CARD_SUIT
from rungenv.rules import Trump
from rungenv.state import State
from rungenv.trump import cut

_TRUMP = 13
# `State.best` keeps 4 * standing + seat, so that the better card is the greater number.
_RANK_PART = 4 * CARD_RANK
_BONUS = 4 * np.array([0, -15, _TRUMP], np.int8)
"""For a card of the led suit, one off it, a trump off it."""


@dataclass(frozen=True)
class Taken:
    """Tricks that are complete, one entry for each of `rows`."""

    rows: np.ndarray
    cards: np.ndarray  # (4, m) int8, by seat
    seat: np.ndarray  # the winner
    by_ace: np.ndarray  # it won with an ace
    by_trump: np.ndarray  # it won with a card of the trump suit


def place(state: State, rows: np.ndarray, cards: np.ndarray) -> np.ndarray:
    """The seats to act play these cards, and the turn passes on: cards (m,) int64.

    Returns the rows whose trick is complete.
    """
    seat = state.seat[rows]
    at = state.at(rows, seat)
    suit = CARD_SUIT[cards]
    state.flat.hands[at] ^= BIT[cards]
    state.flat.trick[at] = cards

    led = state.led[rows]
    led = np.where(led < 0, suit, led)
    state.led[rows] = led
    off = suit != led
    state.flat.voids[at] |= off << led
    if state.rules.trump == Trump.CUT:
        cut(state, rows[off], suit[off])
    trumps = off & (suit == state.trump[rows])
    best = _RANK_PART[cards] + seat + _BONUS[off.view(np.int8) + trumps]
    state.best[rows] = np.maximum(state.best[rows], best)
    if state.rules.trump == Trump.HIDDEN:
        state.must_trump[rows] = 0

    next_seat = (seat + 1) & 3
    state.seat[rows] = next_seat
    return rows[state.leader[rows] == next_seat]


def take_trick(state: State, rows: np.ndarray) -> Taken:
    """Clear tables of four cards; the winner leads the next trick (R3.1, R3.3)."""
    best = state.best[rows]
    winner = best & 3
    standing = best >> 2
    taken = Taken(
        rows=rows,
        cards=state.trick.T[:, rows],
        seat=winner,
        by_ace=standing % _TRUMP == ACE,
        by_trump=(standing >= _TRUMP) | (state.led[rows] == state.trump[rows]),
    )
    state.trick_number[rows] += 1
    state.leader[rows] = state.seat[rows] = winner
    state.led[rows] = state.best[rows] = -1
    state.trick.T[:, rows] = -1
    return taken
