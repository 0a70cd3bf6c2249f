"""The result of a round: whether it is over, who won, in what way, and what that pays."""

import numpy as np

from rungenv.bits import EMPTY
from rungenv.collect import tricks_in_a_kot
from rungenv.rules import Goal
from rungenv.state import Kind, Phase, State
from rungenv.trump import turn_up

_PAY = {  # kind: (points, kots) when the callers win, (points, kots) when the others do
    Kind.NONE: ((0, 0), (0, 0)),
    Kind.WIN: ((1, 0), (2, 0)),  # R5.1
    Kind.KOT: ((3, 1), (0, 0)),
    Kind.GOON_KOT: ((0, 0), (4, 3)),
    Kind.MENDI: ((1, 0), (1, 0)),  # R9.4
    Kind.MENDIKOT: ((2, 0), (2, 0)),
    Kind.WHITEWASH: ((3, 0), (3, 0)),
    Kind.TRICKS: ((1, 0), (1, 0)),
}
_PAYS = np.array([_PAY[kind] for kind in Kind], np.int8)
"""(kind, callers or others, points or kots)."""


def judge(state: State, rows: np.ndarray) -> np.ndarray:
    """End the rounds that are decided, of those where a trick was just taken; return their rows."""
    tricks = state.tricks[rows]
    if state.rules.goal == Goal.SEVEN_TRICKS:
        over, winner, kind = _by_tricks(state, rows, tricks)
    else:
        over, winner, kind = _by_tens(state, rows, tricks)
    rows = rows[over]
    state.winner[rows] = winner[over]
    state.kind[rows] = kind[over]
    state.phase[rows] = Phase.OVER
    state.seat[rows] = -1
    state.legal_set[rows] = EMPTY
    unshown = rows[state.face_down[rows] >= 0]
    turn_up(state, unshown)  # R7.8
    return rows


def others_won(state: State, rows: np.ndarray) -> np.ndarray:
    """Whether the dealer's team, not the callers, won the round: (m,) bool."""
    return state.winner[rows] == state.dealer[rows] & 1


def pay(state: State, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Points and kots that the round pays its winners (R5.1, R9.4): two (m,) int8."""
    paid = _PAYS[state.kind[rows], others_won(state, rows).view(np.int8)]
    return paid[:, 0], paid[:, 1]


def _by_tricks(
    state: State, rows: np.ndarray, tricks: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Seven tricks win (R4.1); to none, the round goes on until they are a kot (R4.2, R6.5)."""
    winner = (tricks[:, 1] > tricks[:, 0]).astype(np.int8)
    most, least = tricks.max(axis=1), tricks.min(axis=1)
    is_kot = (least == 0) & (most >= tricks_in_a_kot(state.rules))
    over = (most >= 7) & ((least > 0) | is_kot)
    kot = np.where(winner == state.dealer[rows] & 1, Kind.GOON_KOT, Kind.KOT)
    return over, winner, np.where(is_kot, kot, Kind.WIN)


def _by_tens(
    state: State, rows: np.ndarray, tricks: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The tens win (R9.1), and the round is over when its result can no longer change (R9.5).

    That is when the result is the same whichever team gets all the tricks and tens still out.
    """
    tens = state.tens[rows]
    out = np.zeros((2, *tricks.shape), np.int8)  # [to whom][row, team]
    out[[0, 1], :, [0, 1]] = 13 - tricks.sum(axis=1, dtype=np.int8)
    tens_out = np.zeros_like(out)
    tens_out[[0, 1], :, [0, 1]] = 4 - tens.sum(axis=1, dtype=np.int8)
    winner, kind = _tens_result(tricks + out, tens + tens_out)
    settled = (winner[0] == winner[1]) & (kind[0] == kind[1])
    all_played = state.trick_number[rows] == 13
    return all_played | (settled & (not state.rules.play_out)), winner[0], kind[0]


def _tens_result(tricks: np.ndarray, tens: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Winner and kind once every trick and ten is somebody's: (..., 2) int8 -> two (...)."""
    by_tens = np.where(tens[..., 1] > tens[..., 0], 1, 0)
    by_tricks = np.where(tricks[..., 1] > tricks[..., 0], 1, 0)
    winner = np.where(tens[..., 0] == tens[..., 1], by_tricks, by_tens).astype(np.int8)
    most_tens = tens.max(axis=-1)
    kind = np.choose(most_tens - 2, [Kind.TRICKS, Kind.MENDI, Kind.MENDIKOT])
    return winner, np.where(tricks.max(axis=-1) == 13, Kind.WHITEWASH, kind)
