"""Every way the trump comes to be.

- *called* (R2): the eldest hand names a suit, or its partner does, or a card is turned up;
- *hidden* (R7, R9.2): a card is laid face down, and its suit is the trump once it is shown;
- *cut* (R8.2): the first card played off the led suit.

`open_calling` starts a deal's calling and `answer_call` carries it on; both return the rows whose
calling is over, which go on to the extras of R10 and to the play.
"""

import numpy as np

from rungenv.actions import CALL, PASS, TIMEOUT
from rungenv.bits import BIT, EMPTY
from rungenv.cards import CARD_SUIT, LANES
from rungenv.columns import Values, some
from rungenv.dealing import eldest
from rungenv.rules import Shown, Trump
from rungenv.state import Phase, State
from rungenv.storage import Columns

_CALL, _PARTNER_CALL = Phase.CALL.value, Phase.PARTNER_CALL.value


def open_calling(state: State, rows: np.ndarray) -> np.ndarray:
    """The eldest hand is asked first (R2.1); with a cut trump nobody is (R8.1, R9.2)."""
    if not state.rules.calls:
        return rows
    state.phase[rows] = _CALL
    state.seat[rows] = eldest(state, rows)
    return rows[:0]


def answer_call(state: State, rows: np.ndarray, actions: np.ndarray) -> np.ndarray:
    """One answer in the calling: a call or a card laid, a pass, or time run out."""
    passes = actions == PASS
    _pass_to_partner(state, rows[passes])
    late = actions == TIMEOUT
    _time_out(state, rows[late])
    decides = ~(passes | late)
    _decide(state, rows[decides], actions[decides])
    return rows[~passes]


def _pass_to_partner(state: State, rows: np.ndarray) -> None:
    """R2.1: the eldest hand passes, once, to its partner."""
    state.passed[rows] = 1
    state.phase[rows] = _PARTNER_CALL
    state.seat[rows] = state.seat[rows] ^ 2


def _decide(state: State, rows: np.ndarray, actions: np.ndarray) -> None:
    seat = state.seat[rows]
    state.caller[rows] = seat
    if state.rules.trump == Trump.CALLED:
        state.trump[rows] = actions - CALL
    else:
        lay_face_down(state, rows, seat, actions.astype(np.int8), known=1)


def _time_out(state: State, rows: np.ndarray) -> None:
    """Nobody decided in time: the deal decides, and the eldest hand counts as the caller."""
    if not rows.size:
        return
    state.timed_out[rows] = 1
    first = eldest(state, rows)
    state.caller[rows] = first
    received = state.deal[rows, first]
    if state.rules.trump == Trump.CALLED:  # R2.2, R2.4: the sixth card, for all to see
        card = received[:, 5]
        state.turned_up[rows] = card
        state.trump[rows] = CARD_SUIT[card]
    elif state.rules.passing:  # R7.7: the sixth card, which nobody has seen
        lay_face_down(state, rows, first, received[:, 5], known=0)
    else:  # R9.2: the first of the five, which its owner knows
        lay_face_down(state, rows, first, received[:, 0], known=1)


def lay_face_down(
    state: State, rows: np.ndarray, owner: np.ndarray, card: np.ndarray, known: int
) -> None:
    """A card leaves its owner's hand and lies face down; an earlier one goes back (R7.1, R10.1)."""
    at = state.at(rows, owner)
    before = state.face_down[rows]
    returns = np.where(before >= 0, BIT[before], EMPTY)
    state.flat.hands[at] = (state.flat.hands[at] | returns) & ~BIT[card]
    state.face_down[rows] = card
    state.owner[rows] = owner
    state.owner_knows[rows] = known


def turn_up(state: State, rows: np.ndarray) -> None:
    """The face-down card is shown to all and goes back into its owner's hand (R7.3, R7.8)."""
    card = state.face_down[rows]
    at = state.at(rows, state.owner[rows])
    state.flat.hands[at] |= BIT[card]
    back = np.uint16(1) << (state.owner[rows] * 4 + CARD_SUIT[card]).astype(np.uint16)
    state.void_word[rows] &= ~back
    state.shown[rows] = card
    state.face_down[rows] = -1


def reveal(state: State, rows: np.ndarray) -> None:
    """The face-down card becomes the trump at the turn of the seat to act, which must trump.

    R7.3: a seat that cannot follow asks; R7.4: the owner, about to lead, shows it; R9.3: it is
    turned up before a seat that cannot follow plays. The duty to trump is that seat's alone.
    """
    state.trump[rows] = CARD_SUIT[state.face_down[rows]]
    turn_up(state, rows)
    state.asker[rows] = state.seat[rows]
    state.must_trump[rows] = 1


def reveal_at_first_void(state: State) -> None:
    """R9.3: the card is turned up as soon as the seat to act cannot follow."""
    void = first_void(state)
    if some(void):
        reveal(state, np.flatnonzero(void))


def first_void(state: Columns) -> Values:
    """Whether the seat to act cannot follow, and so has the face-down card turned up: flags."""
    if state.rules.trump != Trump.HIDDEN or state.rules.shown != Shown.FIRST_VOID:
        return False
    in_doubt = (state.face_down >= 0) & (state.led >= 0)
    if not some(in_doubt):
        return False
    return in_doubt & (state.of_seat("hands", state.seat) & LANES[state.led] == 0)


def cut(state: Columns, off: Values, suit: Values) -> None:
    """R8.2: the first card off the led suit sets the trump: off are flags, suit int8."""
    first = off & (state.trump < 0)
    state.trump = state.trump + first * (suit + 1)  # from -1 to the suit
