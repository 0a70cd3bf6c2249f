"""The result of a round: whether it is over, who won, in what way, and what that pays."""

import numpy as np

from rungenv.collect import tricks_in_a_kot
from rungenv.columns import Lookup, Values, larger, select, smaller
from rungenv.rules import Goal, Rules, Trump
from rungenv.state import Kind, Phase, State
from rungenv.storage import Columns
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

_KINDS = {
    Goal.SEVEN_TRICKS: [Kind.WIN, Kind.KOT, Kind.GOON_KOT],
    Goal.TENS: [Kind.MENDI, Kind.MENDIKOT, Kind.WHITEWASH, Kind.TRICKS],
}
"""The ways in which a round can be won, by what wins it."""

_OVER = Phase.OVER.value
_WIN, _KOT, _GOON_KOT = Kind.WIN.value, Kind.KOT.value, Kind.GOON_KOT.value
_WHITEWASH = Kind.WHITEWASH.value
_KIND_BY_TENS = Lookup([Kind.MENDIKOT, Kind.MENDI, Kind.TRICKS, Kind.MENDI, Kind.MENDIKOT], np.int8)


def judge(state: State, full: np.ndarray) -> np.ndarray:
    """End the rounds that are decided, of those where a trick was just taken; return their rows.

    full (n,) bool; returns (m,) int64.
    """
    rows = np.flatnonzero(decided(state, full))
    if rows.size:
        ours, theirs = state.tricks.T[:, rows]
        if state.rules.goal == Goal.SEVEN_TRICKS:
            winner = (theirs > ours).view(np.int8)
            kot = np.where(winner == state.dealer[rows] & 1, _GOON_KOT, _KOT)
            kind = np.where(np.minimum(ours, theirs) == 0, kot, _WIN)
        else:
            winner, kind = _tens_result(ours, state.tens.T[0, rows])
        state.winner[rows] = winner
        state.kind[rows] = kind
        state.phase[rows] = _OVER
        state.seat[rows] = state.leader[rows] = -1
        if state.rules.trump == Trump.HIDDEN:
            turn_up(state, rows[state.face_down[rows] >= 0])  # R7.8
    return rows


def decided(state: Columns, full: Values) -> Values:
    """Whether the round is over, now that a trick was taken where `full` is set: flags."""
    ours, theirs = state.by_team("tricks")
    if state.rules.goal == Goal.SEVEN_TRICKS:
        # Seven tricks win (R4.1); to none, it goes on until they are a kot (R4.2, R6.5).
        most, fewest = larger(ours, theirs), smaller(ours, theirs)
        kot = tricks_in_a_kot(state.rules)
        return full & (most >= 7) & ((fewest > 0) | (most == kot))
    over = full & (state.trick_number == 13)
    if state.rules.play_out:
        return over
    # R9.5: the result can no longer change when it is the same whichever team gets all that is
    # still out.
    our_tens, their_tens = state.by_team("tens")
    if_theirs = _tens_result(ours, our_tens)
    if_ours = _tens_result(13 - theirs, 4 - their_tens)
    same = (if_theirs[0] == if_ours[0]) & (if_theirs[1] == if_ours[1])
    return over | (full & same)


def others_won(state: State, rows: np.ndarray) -> np.ndarray:
    """Whether the dealer's team, not the callers, won the round: (m,) bool."""
    return state.winner[rows] == state.dealer[rows] & 1


def pay(state: State, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Points and kots that the round pays its winners (R5.1, R9.4): two (m,) int8."""
    paid = _PAYS[state.kind[rows], others_won(state, rows).view(np.int8)]
    return paid[:, 0], paid[:, 1]


def most_paid(rules: Rules) -> int:
    """The most points that a round can pay, a streak's bonus aside (R5.1, R9.4)."""
    kinds = _KINDS[rules.goal]
    return int(_PAYS[kinds, :, 0].max())


def _tens_result(tricks: Values, tens: Values) -> tuple[Values, Values]:
    """Winner and kind when team 0 has so many tricks and tens and team 1 all the others (R9.1)."""
    winner = select(tens == 2, tricks < 7, tens < 2)
    all_tricks = (tricks == 0) | (tricks == 13)
    return winner, select(all_tricks, _WHITEWASH, _KIND_BY_TENS[tens])
