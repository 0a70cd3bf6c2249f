"""The result of a round: whether it is over, who won, in what way, and what that pays."""

import numpy as np

from rungenv.collect import tricks_in_a_kot
from rungenv.rules import Goal, Trump
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

_OVER = Phase.OVER.value
_WIN, _KOT, _GOON_KOT, _MENDI, _MENDIKOT, _WHITEWASH, _TRICKS = np.array(list(Kind), np.int8)[1:]
_KIND_BY_TENS = np.array([_MENDIKOT, _MENDI, _TRICKS, _MENDI, _MENDIKOT])


def judge(state: State, full: np.ndarray) -> np.ndarray:
    """End the rounds that are decided, of those where a trick was just taken; return their rows.

    full (n,) bool; returns (m,) int64.
    """
    decide = _by_tricks if state.rules.goal == Goal.SEVEN_TRICKS else _by_tens
    rows, winner, kind = decide(state, full)
    if rows.size:
        state.winner[rows] = winner
        state.kind[rows] = kind
        state.phase[rows] = _OVER
        state.seat[rows] = -1
        if state.rules.trump == Trump.HIDDEN:
            turn_up(state, rows[state.face_down[rows] >= 0])  # R7.8
    return rows


def others_won(state: State, rows: np.ndarray) -> np.ndarray:
    """Whether the dealer's team, not the callers, won the round: (m,) bool."""
    return state.winner[rows] == state.dealer[rows] & 1


def pay(state: State, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Points and kots that the round pays its winners (R5.1, R9.4): two (m,) int8."""
    paid = _PAYS[state.kind[rows], others_won(state, rows).view(np.int8)]
    return paid[:, 0], paid[:, 1]


def _by_tricks(state: State, full: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Seven tricks win (R4.1); to none, the round goes on until they are a kot (R4.2, R6.5).

    Returns the rows that are over, the winners and the kinds.
    """
    ours, theirs = state.tricks.T
    to_none = np.minimum(ours, theirs) == 0
    most = np.maximum(ours, theirs)
    over = full & (most >= 7) & (~to_none | (most == tricks_in_a_kot(state.rules)))
    rows = np.flatnonzero(over)
    if not rows.size:
        return rows, rows, rows
    winner = (theirs > ours)[rows].view(np.int8)
    kot = np.where(winner == state.dealer[rows] & 1, _GOON_KOT, _KOT)
    return rows, winner, np.where(to_none[rows], kot, _WIN)


def _by_tens(state: State, full: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The tens win (R9.1), and the round is over when its result can no longer change (R9.5).

    That is when the result is the same whichever team gets all the tricks and tens still out.
    Returns as `_by_tricks`.
    """
    rows = np.flatnonzero(full)
    ours, theirs = state.tricks.T[:, rows]
    our_tens, their_tens = state.tens.T[:, rows]
    winner, kind = _tens_result(ours, our_tens)
    over = state.trick_number[rows] == 13
    if not state.rules.play_out:
        if_rest_is_ours = _tens_result(13 - theirs, 4 - their_tens)
        over |= (winner == if_rest_is_ours[0]) & (kind == if_rest_is_ours[1])
    return rows[over], winner[over], kind[over]


def _tens_result(tricks: np.ndarray, tens: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Winner and kind when team 0 has so many and team 1 all the others: two (m,) int8."""
    most_tricks = np.maximum(tricks, 13 - tricks)
    kind = np.where(most_tricks == 13, _WHITEWASH, _KIND_BY_TENS[tens])
    winner = np.where(tens == 2, tricks < 7, tens < 2).view(np.int8)
    return winner, kind
