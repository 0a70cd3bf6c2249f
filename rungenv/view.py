"""What a seat may know, and nothing else.

`observe` gives a `View`, for agents; `View.dense()` gives it as a matrix for networks. `layout.py`
lists what a view holds, `knowledge.py` fills it. Seats are relative to the viewer: 0 itself, 1 the
next in turn, 2 the partner, 3 the previous, -1 nobody. Teams: 0 the viewer's, 1 the others. A view
is a snapshot; it shares no memory with the tables.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np

from rungenv.actions import CALL, N_ACTIONS
from rungenv.bits import unpack
from rungenv.checks import checked_column
from rungenv.knowledge import card_or_none, known
from rungenv.layout import PARTS, SET_ROWS, SETS, SMALL_ROWS, SMALLS, field_names
from rungenv.packing import dense, scaled
from rungenv.rules import Rules, Trump, in_short
from rungenv.state import Phase, State, opening_length

LAID, NOTHING = 61, 63
"""In a view's history: a card laid face down by another seat; no action yet."""
ME, NEXT, PARTNER, PREVIOUS = range(4)
"""Seats, as a view numbers them."""

_PLAY = Phase.PLAY.value


class View:
    """What the viewers know, a row for each table; see the module's words on seats and teams.

    Arrays are (n,) or, by seat or team, (n, 4) or (n, 2): uint64 card sets, int8 all else.
    """

    rules: Rules
    seat: np.ndarray  # the viewer's own seat at the table, 0 to 3
    legal: np.ndarray  # set of actions; empty when it is not the viewer's turn

    hand: np.ndarray  # while calling, the first five only (R1.3)
    first_five: np.ndarray
    unseen: np.ndarray  # cards not in the hand, not the known face-down card, not played
    winners: np.ndarray  # cards of the hand that would beat the trick; empty when leading
    masters: np.ndarray  # cards of the hand that no unseen card of their suit beats
    played: np.ndarray  # (n, 4) sets

    turn: np.ndarray  # the seat to act, -1 when the round is over
    phase: np.ndarray  # a Phase
    led: np.ndarray  # suit, -1
    trump: np.ndarray  # suit known to all, -1
    trick_size: np.ndarray
    holder: np.ndarray  # the seat winning the trick, -1
    dealer: np.ndarray
    caller: np.ndarray
    owner: np.ndarray  # whose the face-down card is or was, -1
    asker: np.ndarray  # the seat at whose turn it was shown, -1
    waiting: np.ndarray  # the seat that another win may let pick up, -1
    legal_calls: np.ndarray  # bits of suits
    legal_other: np.ndarray  # bits of PASS, TIMEOUT, REVEAL, KEEP, NEW_CARDS
    voids: np.ndarray  # (n, 4) bit s: the seat has failed to follow suit s
    passed: np.ndarray  # flag: the eldest hand passed
    timed_out: np.ndarray  # flag: time ran out for the call
    is_down: np.ndarray  # flag: a card lies face down
    owner_knows: np.ndarray  # flag
    must_trump: np.ndarray  # flag: the seat to act must play a trump if it can
    waiting_ace: np.ndarray  # flag: the waiting seat's win was an ace's
    pile: np.ndarray  # tricks lying on the pile
    pile_tens: np.ndarray  # tens among them
    trick_number: np.ndarray  # tricks completed
    tricks: np.ndarray  # (n, 2) collected
    tens: np.ndarray  # (n, 2) collected
    points: np.ndarray  # (n, 2) in the match, at most POINTS_SHOWN
    kots: np.ndarray  # (n, 2)
    streak: np.ndarray  # (n, 2) rounds won in a row
    new_cards_left: np.ndarray  # (n, 4)
    target: np.ndarray
    my_face_down: np.ndarray  # the viewer's own face-down card, if it knows it (R7.2), -1
    turned_up: np.ndarray  # card (R2.4), -1
    shown: np.ndarray  # the face-down card once shown, -1
    trick: np.ndarray  # (n, 4) the card of each seat on the table, -1

    history: np.ndarray  # (n, h) uint8: action | seat at the table << 6, in order

    def __init__(
        self,
        rules: Rules,
        seat: np.ndarray,
        legal: np.ndarray,
        sets: np.ndarray,
        smalls: np.ndarray,
        history: np.ndarray,
    ) -> None:
        self.rules = rules
        self.seat = seat
        self.legal = legal
        self.sets = sets
        self.smalls = smalls
        self.history = history
        for block, parts, rows in ((sets, SETS, SET_ROWS), (smalls, SMALLS, SMALL_ROWS)):
            for part in parts:
                place = rows[part.name]
                column = block[place.start] if part.rows == 1 else block[place].T
                setattr(self, part.name, column)

    def __len__(self) -> int:
        return len(self.legal)

    def __repr__(self) -> str:
        rows = f"{len(self)} row{'s' * (len(self) != 1)}"
        seat = f" of seat {self.seat[0]}" if len(self) == 1 else ""
        return f"<View: {rows}{seat}, {in_short(self.rules)}; rungenv.explain puts it in words>"

    @property
    def eldest(self) -> np.ndarray:
        """The eldest hand's seat: (n,) int8."""
        return (self.dealer + 1) & 3

    def take(self, rows: np.ndarray | slice) -> "View":
        """The views of some rows: indices, a mask or a slice."""
        return View(
            self.rules,
            self.seat[rows],
            self.legal[rows],
            self.sets[:, rows],
            self.smalls[:, rows],
            self.history[rows],
        )

    def legal_mask(self) -> np.ndarray:
        """The legal actions as flags: (n, 61) bool."""
        return unpack(self.legal, N_ACTIONS)

    def dense(
        self,
        names: Iterable[str] | None = None,
        out: np.ndarray | None = None,
        dtype: type[np.generic] = np.uint8,
    ) -> np.ndarray:
        """The view as a matrix: (n, N_FEATURES) uint8, columns as in `FIELDS`.

        names: just these fields, side by side in their order. out: an array to write into, as a
        large fresh one costs more than its contents. dtype: np.float32 divides each column by its
        highest value, so that all are from 0 to 1. ValueError for an unknown field or one named
        twice, an `out` that does not fit, or another dtype. The order of past actions is not part
        of it; `history` has that.
        """
        wanted = None if names is None else field_names(names, PARTS)
        if dtype == np.uint8:
            return dense(self.sets, self.smalls, wanted, out)
        if dtype != np.float32:
            raise ValueError(f"dtype must be np.uint8 or np.float32, not {dtype!r}")
        return scaled(dense(self.sets, self.smalls, wanted), wanted, out)

    def history_actions(self) -> np.ndarray:
        """The actions so far, in order: (n, h) uint8; LAID for another seat's card face down."""
        return self.history & 63

    def history_seats(self) -> np.ndarray:
        """Whose they were, relative to the viewer: (n, h) uint8; of no meaning beyond the last."""
        return ((self.history >> 6) - self.seat[:, None].astype(np.uint8)) & 3

    def history_pairs(self) -> np.ndarray:
        """The actions so far, in order, each with whose it was: (n, h, 2) uint8.

        Seats are relative to the viewer. After the last action come pairs of NOTHING and 0.
        """
        actions = self.history_actions()
        return np.stack([actions, self.history_seats() * (actions != NOTHING)], axis=2)


def observe(tables: State, seats: Any = None) -> View:
    """What the seat to act may know at each table, or what the given seats may.

    seats: an int or (n,) ints, 0 to 3. By default the seat to act, and where the round is over
    the eldest hand. ValueError for other seats.
    """
    viewer = _viewers(tables, seats)
    legal = tables.legal_set * (tables.seat == viewer)
    sets, smalls = known(tables, viewer, legal)
    return View(tables.rules, viewer, legal, sets, smalls, public_history(tables, viewer))


def public_history(tables: State, viewer: np.ndarray) -> np.ndarray:
    """The actions so far; a card that another seat laid face down is not named (R7.2)."""
    history = tables.history.copy()
    if tables.rules.trump == Trump.HIDDEN:
        opening = history[:, : opening_length(tables.rules)]
        ends = np.where(tables.phase >= _PLAY, tables.play_from, tables.length)
        is_lay = (opening & 63 < CALL) & (np.arange(opening.shape[1]) < ends[:, None])
        is_lay &= opening >> 6 != viewer[:, None]
        np.copyto(opening, opening & 0xC0 | LAID, where=is_lay)
    return history


def hidden_hands(tables: State, seats: Any = None) -> np.ndarray:
    """What the view hides, for a training-time critic only; no agent receives it.

    Returns (n, 208) uint8: the hands of relative seats 1, 2, 3 and the face-down card, 52 columns
    each. seats as for `observe`.
    """
    n = len(tables)
    viewer = _viewers(tables, seats)
    words = np.empty((n, 4), np.uint64)
    for turn in (1, 2, 3):
        words[:, turn - 1] = tables.of_seat("hands", (viewer + turn) & 3)
    words[:, 3] = card_or_none(tables.face_down)
    return unpack(words.ravel(), 52).reshape(n, 208).view(np.uint8)


def _viewers(tables: State, seats: Any) -> np.ndarray:
    if seats is not None:
        return checked_column("seats", seats, len(tables), 0, 3).astype(np.int8)
    over = tables.seat < 0
    if not over.any():
        return tables.seat.copy()
    return np.where(over, (tables.dealer + 1) & 3, tables.seat)
