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
_OFF_SUIT = np.int8(60)
_TRUMP_OFF_SUIT = np.int8(60 + 4 * _TRUMP)
_ONE = np.int8(1)


@dataclass(frozen=True)
class Taken:
    """Tricks that are complete, one entry for each of `rows`."""

    rows: np.ndarray
    cards: np.ndarray  # (4, m) int8, by seat
    seat: np.ndarray  # the winner
    standing: np.ndarray  # of the winning card
    led: np.ndarray  # the led suit


def place(state: State, rows: np.ndarray, cards: np.ndarray) -> np.ndarray:
    """The seats to act play these cards, and the turn passes on: cards (m,) int64.

    Returns the rows whose trick is complete.
    """
    seat = state.seat.take(rows)
    at = state.at(rows, seat)
    suit = CARD_SUIT.take(cards)
    state.flat.hands[at] ^= BIT[cards]
    state.flat.trick[at] = cards

    led = state.led.take(rows)
    led += (led < 0) * (suit + _ONE)  # the first card leads: from -1 to its suit
    state.led[rows] = led
    off = suit != led
    state.flat.voids[at] |= off << led
    if state.rules.trump == Trump.CUT:
        cut(state, rows.compress(off), suit.compress(off))
    trumps = off & (suit == state.trump.take(rows))
    best = _RANK_PART.take(cards) + seat - off * _OFF_SUIT + trumps * _TRUMP_OFF_SUIT
    state.best[rows] = np.maximum(state.best.take(rows), best)
    if state.rules.trump == Trump.HIDDEN:
        state.must_trump[rows] = 0

    next_seat = (seat + 1) & 3
    state.seat[rows] = next_seat
    return rows.compress(state.leader.take(rows) == next_seat)


def take_trick(state: State, rows: np.ndarray) -> Taken:
    """Clear tables of four cards; the winner leads the next trick (R3.1, R3.3)."""
    best = state.best.take(rows)
    winner = best & 3
    taken = Taken(
        rows=rows,
        cards=state.trick.T.take(rows, axis=1),
        seat=winner,
        standing=best >> 2,
        led=state.led.take(rows),
    )
    state.trick_number[rows] += 1
    state.leader[rows] = state.seat[rows] = winner
    state.led[rows] = state.best[rows] = -1
    state.trick.T[:, rows] = -1
    return taken


def by_ace(taken: Taken) -> np.ndarray:
    """Whether an ace won the trick: (m,) bool."""
    return (taken.standing == ACE) | (taken.standing == ACE + _TRUMP)


def by_trump(state: State, taken: Taken) -> np.ndarray:
    """Whether a card of what is now the trump suit won the trick: (m,) bool."""
    return (taken.standing >= _TRUMP) | (taken.led == state.trump[taken.rows])
