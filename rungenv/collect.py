"""Where a won trick goes: to its winner at once (R4), or to the pile (R6)."""

import numpy as np

from rungenv.cards import CARD_RANK, TEN
from rungenv.rules import Collects, Rules
from rungenv.state import State
from rungenv.trick import Taken, by_ace, by_trump


def tricks_in_a_kot(rules: Rules) -> int:
    """How many tricks to none make a kot: the first seven (R4.2), or the whole pile (R6.6)."""
    return 7 if rules.collects == Collects.TRICK else 13


def collect(state: State, taken: Taken) -> None:
    """Credit tricks that were just taken to a team, or lay them on the pile (R6.1)."""
    tens = (CARD_RANK[taken.cards] == TEN).sum(axis=0, dtype=np.int8)
    if state.rules.collects == Collects.TRICK:
        _credit(state, taken.rows, taken.seat, np.int8(1), tens)
        return
    state.pile[taken.rows] += 1
    state.pile_tens[taken.rows] += tens
    picks = _picks_up(state, taken)
    state.waiting[taken.rows] = np.where(picks, np.int8(-1), taken.seat)  # R6.3
    state.waiting_ace[taken.rows] = ~picks & by_ace(taken)
    rows = taken.rows.compress(picks)
    _credit(state, rows, taken.seat.compress(picks), state.pile[rows], state.pile_tens[rows])
    state.pile[rows] = 0
    state.pile_tens[rows] = 0


def _picks_up(state: State, taken: Taken) -> np.ndarray:
    """When the pile is picked up: at a seat's second win in a row, and at trick 13: (m,) bool."""
    second = state.waiting[taken.rows] == taken.seat  # R6.2
    trick_number = state.trick_number[taken.rows]
    rules = state.rules
    if rules.ace_over_ace:  # R6.7
        second &= ~(by_ace(taken) & (state.waiting_ace[taken.rows] != 0))
    if rules.trump_ace_cannot_seal:  # R6.7
        second &= ~(by_ace(taken) & by_trump(state, taken))
    if rules.no_late_pickup:  # R6.7
        second &= trick_number < 11
    return second | (trick_number == 13)  # R6.4


def _credit(
    state: State,
    rows: np.ndarray,
    seat: np.ndarray,
    tricks: np.ndarray | np.int8,
    tens: np.ndarray,
) -> None:
    at = state.at(rows, seat & 1)
    state.flat.tricks[at] += tricks
    state.flat.tens[at] += tens
