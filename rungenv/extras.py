"""Extras of the app (R10): fresh deals, and a change of trump, before the first card.

`dealt_out` leads rows whose calling is over through both and into the play; `answer_extra` carries
out one answer.
"""

import numpy as np

from rungenv.actions import CALL, NEW_CARDS
from rungenv.dealing import deal_again, eldest
from rungenv.rules import Trump
from rungenv.state import Phase, State
from rungenv.trump import lay_face_down, open_calling

_NEW_CARDS, _CHANGE_TRUMP = Phase.NEW_CARDS.value, Phase.CHANGE_TRUMP.value
_PLAY = Phase.PLAY.value


def dealt_out(state: State, rows: np.ndarray) -> None:
    """All 13 cards are seen: offer the extras in their order, then let the eldest hand lead."""
    _ask_for_new_cards(state, rows, eldest(state, rows))


def answer_extra(state: State, rows: np.ndarray, actions: np.ndarray) -> None:
    """One answer in NEW_CARDS or CHANGE_TRUMP: the thing offered, or KEEP."""
    fresh = state.phase[rows] == _NEW_CARDS
    _answer_new_cards(state, rows[fresh], actions[fresh])
    _answer_change(state, rows[~fresh], actions[~fresh])


def _ask_for_new_cards(state: State, rows: np.ndarray, first: np.ndarray) -> None:
    """R10.2: ask the first seat, from `first` to the dealer, that has fresh deals left.

    Rows with no such seat go on to the change of trump.
    """
    if not any(state.rules.new_cards):
        return _offer_change(state, rows)
    # Turn order counted from the eldest hand: 0 is the eldest, 3 the dealer.
    start = (first - eldest(state, rows)) & 3
    seats = (eldest(state, rows)[:, None] + np.arange(4, dtype=np.int8)) & 3
    may_ask = np.take_along_axis(state.new_cards_left[rows], seats.astype(np.int64), axis=1) > 0
    may_ask &= np.arange(4) >= start[:, None]
    found = may_ask.any(axis=1)
    asked = rows[found]
    state.phase[asked] = _NEW_CARDS
    state.seat[asked] = seats[found, may_ask[found].argmax(axis=1)]
    _offer_change(state, rows[~found])


def _answer_new_cards(state: State, rows: np.ndarray, actions: np.ndarray) -> None:
    if not rows.size:
        return
    seat = state.seat[rows]
    wants = actions == NEW_CARDS
    state.flat.new_cards_left[state.at(rows[wants], seat[wants])] -= 1
    deal_again(state, rows[wants])
    dealt_out(state, open_calling(state, rows[wants]))

    keeps = rows[~wants]
    is_dealer = seat[~wants] == state.dealer[keeps]  # the last to be asked
    _offer_change(state, keeps[is_dealer])
    _ask_for_new_cards(state, keeps[~is_dealer], (seat[~wants][~is_dealer] + 1) & 3)


def _offer_change(state: State, rows: np.ndarray) -> None:
    """R10.1: the caller may change the trump, now that all 13 cards are seen."""
    if not state.rules.change_trump:
        return _start_play(state, rows)
    state.phase[rows] = _CHANGE_TRUMP
    state.seat[rows] = state.caller[rows]


def _answer_change(state: State, rows: np.ndarray, actions: np.ndarray) -> None:
    if state.rules.trump == Trump.CALLED:
        calls = (actions >= CALL) & (actions < CALL + 4)
        state.trump[rows[calls]] = actions[calls] - CALL
    else:
        lays = actions < CALL
        changed = rows[lays]
        card = actions[lays].astype(np.int8)
        lay_face_down(state, changed, state.owner[changed], card, known=1)
    _start_play(state, rows)


def _start_play(state: State, rows: np.ndarray) -> None:
    """R3.1: the eldest hand leads the first trick, whoever called."""
    state.phase[rows] = _PLAY
    state.seat[rows] = state.leader[rows] = eldest(state, rows)
    state.play_from[rows] = state.length[rows]
