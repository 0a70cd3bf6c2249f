"""What each phase permits, as one set of actions per table."""

import numpy as np

from rungenv.actions import CALL, CALLS, KEEP, NEW_CARDS, PASS, REVEAL, TIMEOUT
from rungenv.bits import BIT, EMPTY
from rungenv.cards import LANE, suits_in
from rungenv.rules import Shown, Trump
from rungenv.state import Phase, State

_SUIT_CALLS = BIT[CALL : CALL + 4]


def refresh(state: State, rows: np.ndarray) -> None:
    """Set `legal_set` of these tables for the seat that is now to act; empty when over."""
    phase = state.phase.take(rows)
    for options, low, high in _OPTIONS:
        there = (phase >= low) & (phase <= high)
        if there.all():
            state.legal_set[rows] = options(state, rows)
            return
        some = rows.compress(there)
        if some.size:
            state.legal_set[some] = options(state, some)
            rows, phase = rows.compress(~there), phase.compress(~there)


def over(state: State, rows: np.ndarray) -> np.ndarray:
    """Nothing, when the round is over: (m,) uint64."""
    return np.zeros(len(rows), np.uint64)


def play(state: State, rows: np.ndarray) -> np.ndarray:
    """The play of a card, or the showing of the face-down one: (m,) uint64."""
    hand = state.flat.hands[state.at(rows, state.seat.take(rows))]
    following = hand & LANE.take(state.led.take(rows))  # R3.2; the whole hand when leading
    legal = following | hand * (following == 0)  # the hand where nothing follows
    if state.rules.trump == Trump.HIDDEN:
        legal = _duty_to_trump(state, rows, hand, legal)
        legal |= _showing(state, rows, following)
    return legal


def _duty_to_trump(
    state: State, rows: np.ndarray, hand: np.ndarray, legal: np.ndarray
) -> np.ndarray:
    """R7.3, R7.4, R9.3: who had the card shown must play a trump, if holding one."""
    trumps = hand & LANE[state.trump[rows]]
    return np.where((state.must_trump[rows] != 0) & (trumps != 0), trumps, legal)


def _showing(state: State, rows: np.ndarray, following: np.ndarray) -> np.ndarray:
    """R7.3: asking, for a seat that cannot follow; R7.4: showing, for the owner about to lead.

    R7.6 needs no case of its own: with just the face-down card left there is no other action.
    """
    leads = state.led[rows] < 0
    may = leads & (state.owner[rows] == state.seat[rows])
    if state.rules.shown == Shown.ON_DEMAND:
        may |= ~leads & (following == 0)
    return np.where(may & (state.face_down[rows] >= 0), BIT[REVEAL], EMPTY)


def call(state: State, rows: np.ndarray) -> np.ndarray:
    """Calling or laying (R2.1, R2.3, R7.1, R9.2), passing (R2.1), letting time run out (R2.2)."""
    five = state.flat.first_five[state.at(rows, state.seat[rows])]
    if state.rules.trump == Trump.HIDDEN:
        legal = five
    elif state.rules.call_any_suit:
        legal = np.full(len(rows), CALLS)
    else:
        legal = (suits_in(five) * _SUIT_CALLS).sum(axis=1, dtype=np.uint64)
    may_pass = state.rules.passing & (state.phase[rows] == _CALL)
    late = BIT[TIMEOUT] if state.rules.allow_timeout else EMPTY
    return legal | np.where(may_pass, BIT[PASS], late)


def new_cards(state: State, rows: np.ndarray) -> np.ndarray:
    """R10.2: a fresh deal, or KEEP."""
    return np.full(len(rows), BIT[NEW_CARDS] | BIT[KEEP])


def change_trump(state: State, rows: np.ndarray) -> np.ndarray:
    """R10.1: any other suit, or another of the owner's first five; or KEEP."""
    if state.rules.trump == Trump.CALLED:
        other = CALLS & ~_SUIT_CALLS[state.trump[rows]]
    else:
        five = state.flat.first_five[state.at(rows, state.seat[rows])]
        other = five & ~BIT[state.face_down[rows]]
    return other | BIT[KEEP]


_CALL = Phase.CALL.value
# Phases from the most common one down: what gives their options, first and last phase.
_OPTIONS = (
    (play, Phase.PLAY.value, Phase.PLAY.value),
    (call, _CALL, Phase.PARTNER_CALL.value),
    (over, Phase.OVER.value, Phase.OVER.value),
    (new_cards, Phase.NEW_CARDS.value, Phase.NEW_CARDS.value),
    (change_trump, Phase.CHANGE_TRUMP.value, Phase.CHANGE_TRUMP.value),
)
