"""Where a won trick goes: to its winner at once (R4), or to the pile (R6)."""

import numpy as np

from rungenv.rules import Collects, Rules
from rungenv.state import State
from rungenv.trick import Taken, by_ace, by_trump


def tricks_in_a_kot(rules: Rules) -> int:
    """How many tricks to none make a kot: the first seven (R4.2), or the whole pile (R6.6)."""
    return 7 if rules.collects == Collects.TRICK else 13


def collect(state: State, taken: Taken) -> None:
    """Credit tricks that were just taken to a team, or lay them on the pile (R6.1)."""
    if state.rules.collects == Collects.TRICK:
        _credit(state, taken.seat, taken.full.view(np.int8), taken.tens)
        return
    state.pile += taken.full
    state.pile_tens += taken.tens
    picks = _picks_up(state, taken)
    stays = taken.full & ~picks
    state.waiting[picks] = -1  # R6.3
    state.waiting_ace *= ~picks
    np.copyto(state.waiting, taken.seat, where=stays)
    np.copyto(state.waiting_ace, by_ace(taken), where=stays)
    _credit(state, taken.seat, state.pile * picks, state.pile_tens * picks)
    state.pile *= ~picks
    state.pile_tens *= ~picks


def _picks_up(state: State, taken: Taken) -> np.ndarray:
    """When the pile is picked up: at a seat's second win in a row, and at trick 13: (n,) bool."""
    rules = state.rules
    second = state.waiting == taken.seat  # R6.2
    if rules.ace_over_ace:  # R6.7
        second &= ~(by_ace(taken) & (state.waiting_ace != 0))
    if rules.trump_ace_cannot_seal:  # R6.7
        second &= ~(by_ace(taken) & by_trump(state, taken))
    if rules.no_late_pickup:  # R6.7
        second &= state.trick_number < 11
    return taken.full & (second | (state.trick_number == 13))  # R6.4


def _credit(state: State, seat: np.ndarray, tricks: np.ndarray, tens: np.ndarray) -> None:
    """Add tricks and tens to the counts of the seats' teams: (n,) int8 each."""
    for team, won in enumerate(((seat & 1) == 0, (seat & 1) == 1)):
        state.tricks[:, team] += tricks * won
        state.tens[:, team] += tens * won
