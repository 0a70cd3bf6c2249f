"""From round to round: the totals, the streak, who deals next, and when the match is won."""

import numpy as np

from rungenv.rules import Goal, Scoring
from rungenv.score import others_won, pay
from rungenv.state import Kind, State

STREAK = 7
"""Rounds won in a row that earn a bonus (R5.2)."""
_BONUS_POINTS, _BONUS_KOTS = 2, 1
_WIN, _KOT, _WHITEWASH = Kind.WIN.value, Kind.KOT.value, Kind.WHITEWASH.value


def settle(state: State, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Pay the winners of rounds just ended, and see to all that follows from the result.

    Returns what the winners were paid, streak bonus included: points and kots, (m,) int8 each.
    """
    points, kots = pay(state, rows)
    bonus = _count_streak(state, rows)
    if state.rules.scoring == Scoring.POINTS:
        points = points + np.int8(_BONUS_POINTS) * bonus
    else:
        kots = kots + np.int8(_BONUS_KOTS) * bonus
    at = state.at(rows, state.winner[rows])
    state.flat.points[at] += points
    state.flat.kots[at] += kots
    conclude(state, rows)
    return points, kots


def conclude(state: State, rows: np.ndarray) -> None:
    """Say who deals next, and who has won the match: of rounds that have been paid for."""
    state.next_dealer[rows] = _next_dealer(state, rows)
    _end_match(state, rows)


def _count_streak(state: State, rows: np.ndarray) -> np.ndarray:
    """Count rounds won in a row (R5.2, R5.3): (m,) bool, whether the 7th earns its bonus."""
    if state.rules.goal == Goal.TENS:  # R9.6
        return np.zeros(len(rows), np.bool_)
    winner = state.winner[rows]
    at = state.at(rows, winner)
    count = state.flat.streak[at] + 1
    kot = state.kind[rows] != _WIN
    earned = (count == STREAK) & ~kot
    state.flat.streak[at] = np.where(kot | earned, 0, count)
    state.flat.streak[state.at(rows, winner ^ 1)] = 0
    return earned


def _next_dealer(state: State, rows: np.ndarray) -> np.ndarray:
    """R5.4, R9.6: so the deal moves that the winners always call next, but for a lost Mendikot."""
    kind = state.kind[rows]
    swept = (kind == _KOT) | (kind == _WHITEWASH)
    moves = np.where(others_won(state, rows), 1, np.where(swept, 2, 0))
    return (state.dealer[rows] + moves) & 3


def _end_match(state: State, rows: np.ndarray) -> None:
    """R5.5: only the winners of the round can have reached the target."""
    flat = state.flat
    at = state.at(rows, state.winner[rows])
    totals = flat.points if state.rules.scoring == Scoring.POINTS else flat.kots
    reached = rows[totals[at] >= state.rules.target]
    state.match_winner[reached] = state.winner[reached]
