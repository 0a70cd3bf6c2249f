"""What a seat may know, and nothing else: the one place that decides it.

`observe` gives a `View`, for agents; `View.dense()` gives it as a matrix for networks. `layout.py`
lists what a view holds. Seats are relative to the viewer: 0 itself, 1 the next in turn, 2 the
partner, 3 the previous, -1 nobody. Teams: 0 the viewer's, 1 the others. A view is a snapshot; it
shares no memory with the tables.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from rungenv.actions import CALL, N_ACTIONS, PASS
from rungenv.bits import BIT, unpack
from rungenv.cards import HIGHER, LANE, LANES, PACK, not_higher_than
from rungenv.columns import Lookup, Values, bit_count, larger, number, select, smaller, some
from rungenv.layout import (
    N_SETS,
    N_SMALLS,
    POINTS_SHOWN,
    SET_ROWS,
    SETS,
    SMALL_ROWS,
    SMALLS,
    dense,
)
from rungenv.rules import Rules, Trump
from rungenv.state import Phase, Row, State, opening_length
from rungenv.tables import checked_column
from rungenv.trick import winning_card

LAID, NOTHING = 61, 63
"""In a view's history: a card laid face down by another seat; no action yet."""

_PARTNER_CALL, _PLAY = Phase.PARTNER_CALL.value, Phase.PLAY.value
_PACK = int(PACK)
# What a card set, the cards above a card, and a trump suit are; nothing for -1.
_CARDS = Lookup([*BIT[:52], 0], np.uint64)
_HIGHER = Lookup([*HIGHER, 0], np.uint64)
_TRUMPS = Lookup([*LANE[:4], 0], np.uint64)
# Turning a word of a part for each seat until the viewer's comes first.
_TRICK_TURN, _TRICK_BACK = Lookup([0, 8, 16, 24], np.uint32), Lookup([32, 24, 16, 8], np.uint32)
_VOID_TURN, _VOID_BACK = Lookup([0, 4, 8, 12], np.uint16), Lookup([16, 12, 8, 4], np.uint16)

_HAND, _LEGAL_CARDS, _FIRST_FIVE, _UNSEEN, _WINNERS, _MASTERS, _PLAYED = (
    SET_ROWS[name].start
    for name in ("hand", "legal_cards", "first_five", "unseen", "winners", "masters", "played")
)
_MY_CARD_SET, _SHOWN_SET, _TRICK_SETS = (
    SET_ROWS[name].start for name in ("my_face_down_set", "shown_set", "trick_sets")
)
_TRICK_SIZE, _LEGAL_CALLS, _LEGAL_OTHER, _VOIDS, _IS_DOWN, _POINTS, _NEW_CARDS_LEFT, _TARGET = (
    SMALL_ROWS[name].start
    for name in (
        "trick_size", "legal_calls", "legal_other", "voids", "is_down", "points",
        "new_cards_left", "target",
    )
)  # fmt: skip
_MY_CARD, _SHOWN, _TRICK = (SMALL_ROWS[name].start for name in ("my_face_down", "shown", "trick"))


def _placed(names: Sequence[str], **other: str) -> tuple[tuple[int, str], ...]:
    """Where the view keeps columns of the state, and their names there."""
    columns = {name: name for name in names} | other
    return tuple((SMALL_ROWS[name].start, column) for name, column in columns.items())


# Columns that all seats know, by how a view gives them.
_AS_THEY_ARE = _placed(
    (
        "phase", "led", "trump", "passed", "timed_out", "owner_knows", "must_trump",
        "waiting_ace", "pile", "pile_tens", "trick_number", "turned_up", "shown",
    )
)  # fmt: skip
_OF_SEATS = _placed(("dealer", "caller", "owner", "asker", "waiting"), holder="best")
_OF_TEAMS = _placed(("tricks", "tens", "kots", "streak"))


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
        self, names: Sequence[str] | None = None, out: np.ndarray | None = None
    ) -> np.ndarray:
        """The view as a matrix: (n, N_FEATURES) uint8, columns as in `FIELDS`.

        names: just these fields, side by side in their order. out: an array to write into, as a
        large fresh one costs more than its contents. ValueError for an unknown field, or an `out`
        that does not fit. The order of past actions is not part of it; `history` has that.
        """
        return dense(self.sets, self.smalls, names, out)

    def history_actions(self) -> np.ndarray:
        """The actions so far, in order: (n, h) uint8; LAID for another seat's card face down."""
        return self.history & 63

    def history_seats(self) -> np.ndarray:
        """Whose they were, relative to the viewer: (n, h) uint8; of no meaning beyond the last."""
        return ((self.history >> 6) - self.seat[:, None].astype(np.uint8)) & 3


def observe(tables: State, seats: Any = None) -> View:
    """What the seat to act may know at each table, or what the given seats may.

    seats: an int or (n,) ints, 0 to 3. By default the seat to act, and where the round is over
    the eldest hand. ValueError for other seats.
    """
    viewer = _viewers(tables, seats)
    legal = tables.legal_set * (tables.seat == viewer)
    sets, smalls = known(tables, viewer, legal)
    return View(tables.rules, viewer, legal, sets, smalls, _public_history(tables, viewer))


def known(table: State | Row, viewer: Values, legal: Values) -> tuple[Any, Any]:
    """A view's two blocks: card sets, (N_SETS, n) uint64, and small numbers, (N_SMALLS, n) int8.

    viewer: seats; legal: what is open to them now. For a Row, two lists of ints.
    """
    smalls = _small_numbers(table, viewer, legal)
    sets = table.blank(N_SETS, np.uint64)
    hand = table.of_seat("hands", viewer)
    first_five = table.of_seat("first_five", viewer)
    calling = table.phase <= _PARTNER_CALL
    if some(calling):
        hand = select(calling, first_five, hand)  # R1.3
    sets[_HAND] = hand
    sets[_LEGAL_CARDS] = legal & _PACK
    sets[_FIRST_FIVE] = first_five
    everyones = _played(table, viewer, sets)
    unseen = _PACK & ~(hand | everyones | _CARDS[smalls[_MY_CARD]])
    sets[_UNSEEN] = unseen
    sets[_WINNERS] = hand & _beating(table)
    sets[_MASTERS] = hand & ~not_higher_than(unseen)
    sets[_MY_CARD_SET] = _CARDS[smalls[_MY_CARD]]
    sets[_SHOWN_SET] = _CARDS[larger(smalls[_SHOWN], table.turned_up)]  # no game has both
    for turn in range(4):
        sets[_TRICK_SETS + turn] = _CARDS[smalls[_TRICK + turn]]
    return sets, smalls


def _played(table: State | Row, viewer: Values, sets: Any) -> Values:
    """Fill in what each seat has played, and return what all of them have."""
    everyones = 0
    for turn in range(4):
        seat = (viewer + turn) & 3
        played = table.of_seat("dealt", seat) & ~table.of_seat("hands", seat)
        if table.rules.trump == Trump.HIDDEN:  # a card lying face down is not played
            played = played & ~(_CARDS[table.face_down] * (table.owner == seat))
        sets[_PLAYED + turn] = played
        everyones = everyones | played
    return everyones


def _small_numbers(table: State | Row, viewer: Values, legal: Values) -> Any:
    smalls = table.blank(N_SMALLS, np.int8)
    for place, name in _AS_THEY_ARE:
        smalls[place] = getattr(table, name)
    for place, name in _OF_SEATS:
        seat = getattr(table, name)
        smalls[place] = (seat - viewer) & 3 | seat >> 7  # -1 stays -1
    for place, name in _OF_TEAMS:
        first, second = table.by_team(name)
        swap = (first ^ second) * (viewer & 1)
        smalls[place], smalls[place + 1] = first ^ swap, second ^ swap
    first, second = (smaller(points, POINTS_SHOWN) for points in table.by_team("points"))
    swap = (first ^ second) * (viewer & 1)
    smalls[_POINTS], smalls[_POINTS + 1] = first ^ swap, second ^ swap

    trick = table.trick_word
    trick = (trick >> _TRICK_TURN[viewer] | trick << _TRICK_BACK[viewer]) & 0xFFFFFFFF
    voids = table.void_word
    voids = (voids >> _VOID_TURN[viewer] | voids << _VOID_BACK[viewer]) & 0xFFFF
    for turn in range(4):
        smalls[_TRICK + turn] = (trick >> 8 * turn & 255) - 1
        smalls[_VOIDS + turn] = voids >> 4 * turn & 15
    smalls[_TRICK_SIZE] = bit_count(trick + 0x7F7F7F7F & 0x80808080)  # its bytes that are not 0
    smalls[_LEGAL_CALLS] = legal >> CALL & 15
    smalls[_LEGAL_OTHER] = legal >> PASS
    smalls[_TARGET] = table.rules.target

    smalls[_IS_DOWN], smalls[_MY_CARD] = 0, -1
    if table.rules.trump == Trump.HIDDEN:
        smalls[_IS_DOWN] = number(table.face_down >= 0)
        mine = (table.owner == viewer) & (table.owner_knows == 1)
        smalls[_MY_CARD] = mine * (table.face_down + 1) - 1  # R7.2
    for turn in range(4):
        smalls[_NEW_CARDS_LEFT + turn] = 0
        if any(table.rules.new_cards):
            smalls[_NEW_CARDS_LEFT + turn] = table.of_seat("new_cards_left", (viewer + turn) & 3)
    return smalls


def _beating(table: State | Row) -> Values:
    """The cards that would beat the trick if played now (R3.3, R8.2): sets, empty when leading."""
    card, suit = winning_card(table)
    beating = _HIGHER[card] | _TRUMPS[table.trump] * ((card >= 0) & (suit != table.trump))
    if table.rules.trump == Trump.CUT:
        cuts = (table.led >= 0) & (table.trump < 0)
        beating = beating | (_PACK & ~LANES[table.led]) * cuts
    return beating


def _public_history(tables: State, viewer: np.ndarray) -> np.ndarray:
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
    words[:, 3] = _CARDS[tables.face_down]
    return unpack(words.ravel(), 52).reshape(n, 208).view(np.uint8)


def _viewers(tables: State, seats: Any) -> np.ndarray:
    if seats is not None:
        return checked_column("seats", seats, len(tables), 0, 3).astype(np.int8)
    over = tables.seat < 0
    if not over.any():
        return tables.seat.copy()
    return np.where(over, (tables.dealer + 1) & 3, tables.seat)
