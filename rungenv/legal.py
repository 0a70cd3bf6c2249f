"""What each phase permits, as one set of actions per table."""

import numpy as np

from rungenv.actions import CALL, CALLS, KEEP, NEW_CARDS, PASS, REVEAL, TIMEOUT
from rungenv.bits import BIT, EMPTY
from rungenv.cards import LANES, suits_in
from rungenv.columns import Lookup, Values, number, select, some, unless
from rungenv.dealing import can_deal_again
from rungenv.rules import Shown, Trump
from rungenv.state import Phase, State
from rungenv.storage import Columns

_SUIT_CALLS = BIT[CALL : CALL + 4]
_REVEAL = Lookup([0, 1 << REVEAL], np.uint64)


def refresh(state: State, rows: np.ndarray | None = None) -> None:
    """Set `legal_set` of these tables, by default of all, for the seat that is now to act."""
    if rows is None:
        state.legal_set = play(state)
        rows = np.flatnonzero(state.phase != _PLAY)
    left = rows.size
    phase = state.phase[rows]
    for options, low, high in _OPTIONS:
        if left:
            there = rows.compress((phase >= low) & (phase <= high))
            left -= there.size
            if there.size:
                state.legal_set[there] = options(state, there)


def over(state: State, rows: np.ndarray) -> np.ndarray:
    """Nothing, when the round is over: (m,) uint64."""
    return np.zeros(len(rows), np.uint64)


def play(state: Columns) -> Values:
    """The play of a card, or the showing of the face-down one: sets."""
    hand = state.of_seat("hands", state.seat)
    following = hand & LANES[state.led]  # R3.2; the whole hand when leading
    legal = following | hand * (following == 0)  # the hand where nothing follows
    if state.rules.trump == Trump.HIDDEN:
        bound = state.must_trump == 1  # R7.3, R7.4, R9.3: to play a trump, if holding one
        if some(bound):
            trumps = hand & LANES[state.trump]
            legal = select(bound & (trumps != 0), trumps, legal)
        legal = legal | _REVEAL[number(_may_show(state, following))]
    return legal


def _may_show(state: Columns, following: Values) -> Values:
    """R7.3: asking, for a seat that cannot follow; R7.4: showing, for the owner about to lead.

    Returns flags. R7.6 needs no case of its own: with just the face-down card left there is no
    other action.
    """
    leads = state.led < 0
    may = leads & (state.owner == state.seat)
    if state.rules.shown == Shown.ON_DEMAND:
        may = may | (unless(leads) & (following == 0))
    return may & (state.face_down >= 0)


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
    """R10.2: a fresh deal, if one is known, or KEEP."""
    return BIT[KEEP] | np.where(can_deal_again(state, rows), BIT[NEW_CARDS], EMPTY)


def change_trump(state: State, rows: np.ndarray) -> np.ndarray:
    """R10.1: any other suit, or another of the owner's first five; or KEEP."""
    if state.rules.trump == Trump.CALLED:
        other = CALLS & ~_SUIT_CALLS[state.trump[rows]]
    else:
        five = state.flat.first_five[state.at(rows, state.seat[rows])]
        other = five & ~BIT[state.face_down[rows]]
    return other | BIT[KEEP]


_CALL, _PLAY = Phase.CALL.value, Phase.PLAY.value
# What gives the options of which phases, the first and the last of them.
_OPTIONS = (
    (call, _CALL, Phase.PARTNER_CALL.value),
    (over, Phase.OVER.value, Phase.OVER.value),
    (lambda state, rows: play(state.take(rows)), _PLAY, _PLAY),
    (new_cards, Phase.NEW_CARDS.value, Phase.NEW_CARDS.value),
    (change_trump, Phase.CHANGE_TRUMP.value, Phase.CHANGE_TRUMP.value),
)
