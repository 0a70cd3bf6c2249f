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
from rungenv.bits import BIT, EMPTY, unpack
from rungenv.cards import HIGHER, LANE, PACK, not_higher_than
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
from rungenv.state import Phase, State, opening_length, small_rows
from rungenv.tables import checked_column
from rungenv.trick import winning_card

LAID, NOTHING = 61, 63
"""In a view's history: a card laid face down by another seat; no action yet."""


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
    mine = tables.at(tables.everyone, viewer)
    legal = tables.legal_set * (tables.seat == viewer)
    smalls = _small_numbers(tables, viewer, legal)
    sets = np.empty((N_SETS, len(tables)), np.uint64)

    first_five = tables.flat.first_five[mine]
    calling = tables.phase <= _PARTNER_CALL
    hand = tables.flat.hands[mine]
    sets[_HAND] = np.where(calling, first_five, hand) if calling.any() else hand
    sets[_LEGAL_CARDS] = legal & PACK
    sets[_FIRST_FIVE] = first_five
    played = sets[SET_ROWS["played"]]
    _by_relative_seat(tables.played, mine, out=played)
    cards = smalls[_CARDS]
    cards[1] = np.maximum(cards[1], tables.turned_up)  # R2.4 or R7.3: no game has both
    sets[_CARD_SETS] = np.uint64(1) << cards.astype(np.uint64)  # -1 shifts all out
    everyones = played[0] | played[1] | played[2] | played[3]
    unseen = PACK & ~(sets[_HAND] | everyones | sets[_MY_FACE_DOWN])
    sets[_UNSEEN] = unseen
    sets[_WINNERS] = sets[_HAND] & _beating(tables)
    sets[_MASTERS] = sets[_HAND] & ~not_higher_than(unseen)
    return View(tables.rules, viewer, legal, sets, smalls, _public_history(tables, viewer))


def hidden_hands(tables: State, seats: Any = None) -> np.ndarray:
    """What the view hides, for a training-time critic only; no agent receives it.

    Returns (n, 208) uint8: the hands of relative seats 1, 2, 3 and the face-down card, 52 columns
    each. seats as for `observe`.
    """
    n = len(tables)
    others = _SEATS[1:].take(_viewers(tables, seats), axis=1)
    words = np.empty((n, 4), np.uint64)
    words[:, :3] = tables.flat.hands[others * np.int64(n) + tables.everyone].T
    words[:, 3] = _CARD_OR_NONE[tables.face_down]
    return unpack(words.ravel(), 52).reshape(n, 208).view(np.uint8)


_PARTNER_CALL, _PLAY = Phase.PARTNER_CALL.value, Phase.PLAY.value
_SEATS = (np.arange(4)[:, None] + np.arange(4)) & 3
"""(relative seat, viewer) -> seat."""
# Tables to look up with an index that may be -1, for "none".
_CARD_OR_NONE = np.append(BIT[:52], EMPTY)
_HIGHER_OR_NONE = np.append(HIGHER, EMPTY)
_SUIT_OR_NONE = np.append(LANE[:4], EMPTY)

_HAND, _LEGAL_CARDS, _FIRST_FIVE, _UNSEEN, _WINNERS, _MASTERS, _MY_FACE_DOWN = (
    SET_ROWS[name].start
    for name in (
        "hand", "legal_cards", "first_five", "unseen", "winners", "masters", "my_face_down_set",
    )
)  # fmt: skip
_CARD_SETS = slice(_MY_FACE_DOWN, N_SETS)
_CARDS = np.arange(SMALL_ROWS["my_face_down"].start, SMALL_ROWS["trick"].stop)
"""The cards that are card sets too, in the same order."""

# Columns that all seats know, by how a view gives them.
_AS_THEY_ARE = (
    "phase", "led", "trump", "passed", "timed_out", "owner_knows", "must_trump", "waiting_ace",
    "pile", "pile_tens", "trick_number", "turned_up", "shown",
)  # fmt: skip
_OF_SEATS = {name: name for name in ("dealer", "caller", "owner", "asker", "waiting")}
_OF_SEATS["holder"] = "best"  # which is 4 * standing + seat
_OF_TEAMS = ("tricks", "tens", "kots", "streak")


def _viewers(tables: State, seats: Any) -> np.ndarray:
    if seats is not None:
        return checked_column("seats", seats, len(tables), 0, 3).astype(np.int8)
    over = tables.seat < 0
    if not over.any():
        return tables.seat.copy()
    return np.where(over, (tables.dealer + 1) & 3, tables.seat)


def _small_numbers(tables: State, viewer: np.ndarray, legal: np.ndarray) -> np.ndarray:
    """The block of small numbers, (N_SMALLS, n) int8, as these viewers know them."""
    smalls = np.empty((N_SMALLS, len(tables)), np.int8)
    smalls[_TO_AS_THEY_ARE] = tables.smalls[_FROM_AS_THEY_ARE]
    seats = tables.smalls[_FROM_SEATS]
    smalls[_TO_SEATS] = (seats - viewer) & 3 | seats >> 7  # a negative one stays -1
    first, second = tables.smalls[_FROM_TEAMS[0]], tables.smalls[_FROM_TEAMS[1]]
    swaps = (first ^ second) * (viewer & 1)
    smalls[_TO_TEAMS[0]] = first ^ swaps
    smalls[_TO_TEAMS[1]] = second ^ swaps

    points = np.minimum(tables.points, POINTS_SHOWN).T.astype(np.int8)
    smalls[SMALL_ROWS["points"]] = points ^ (points[0] ^ points[1]) * (viewer & 1)

    trick = _turned(tables.trick_word, viewer.astype(np.uint32) << 3, 32)
    smalls[SMALL_ROWS["trick"]] = trick.view(np.int8).reshape(-1, 4).T - np.int8(1)
    smalls[_TRICK_SIZE] = np.bitwise_count((trick + _LOW_BITS) & _HIGH_BITS)
    voids = _turned(tables.void_word, viewer.astype(np.uint16) << 2, 16)
    smalls[SMALL_ROWS["voids"]] = voids >> _NIBBLES & 15
    smalls[_LEGAL_CALLS] = legal >> np.uint64(CALL) & np.uint64(15)
    smalls[_LEGAL_OTHER] = legal >> np.uint64(PASS)

    smalls[_TARGET] = tables.rules.target
    smalls[_IS_DOWN] = 0
    smalls[_MY_CARD] = -1
    if tables.rules.trump == Trump.HIDDEN:
        smalls[_IS_DOWN] = tables.face_down >= 0
        mine = (tables.owner == viewer) & (tables.owner_knows != 0)
        smalls[_MY_CARD] += mine * (tables.face_down + np.int8(1))  # R7.2
    places = SMALL_ROWS["new_cards_left"]
    smalls[places] = 0
    if any(tables.rules.new_cards):
        seats = _SEATS.take(viewer, axis=1)
        smalls[places] = np.take_along_axis(tables.new_cards_left.T, seats, axis=0)
    return smalls


def _by_relative_seat(column: np.ndarray, mine: np.ndarray, out: np.ndarray) -> None:
    """A (n, 4) column by relative seat, into (4, n): `mine` is where the viewer's own part is."""
    n = len(mine)
    around = np.concatenate([column.T, column.T[:3]]).reshape(-1)
    for turn in range(4):
        out[turn] = around[turn * n :][mine]


def _turned(words: np.ndarray, places: np.ndarray, width: int) -> np.ndarray:
    """Words turned right, so that the viewer's part comes first."""
    return words >> places | words << (words.dtype.type(width) - places)


def _beating(tables: State) -> np.ndarray:
    """The cards that would beat the trick if played now (R3.3, R8.2): (n,) sets, empty if led."""
    card, suit = winning_card(tables)
    other_trump = tables.trump | -(suit == tables.trump).view(np.int8)  # -1 when it is the suit
    beating = _HIGHER_OR_NONE.take(card) | _SUIT_OR_NONE.take(other_trump) * (card >= 0)
    if tables.rules.trump == Trump.CUT:
        cuts = (tables.led >= 0) & (tables.trump < 0)
        beating |= (PACK & ~LANE.take(tables.led)) * cuts
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


def _rows(names: Sequence[str], of_team: int = 0) -> np.ndarray:
    return np.array([SMALL_ROWS[name].start + of_team for name in names])


_TRICK_SIZE, _LEGAL_CALLS, _LEGAL_OTHER, _TARGET, _IS_DOWN, _MY_CARD = _rows(
    ("trick_size", "legal_calls", "legal_other", "target", "is_down", "my_face_down")
)
_TO_AS_THEY_ARE, _FROM_AS_THEY_ARE = _rows(_AS_THEY_ARE), small_rows(_AS_THEY_ARE)
_TO_SEATS, _FROM_SEATS = _rows(tuple(_OF_SEATS)), small_rows(tuple(_OF_SEATS.values()))
_TO_TEAMS = [_rows(_OF_TEAMS, team) for team in (0, 1)]
_FROM_TEAMS = [small_rows(_OF_TEAMS, team) for team in (0, 1)]
_NIBBLES = np.arange(0, 16, 4, dtype=np.uint16)[:, None]
_LOW_BITS, _HIGH_BITS = np.uint32(0x7F7F7F7F), np.uint32(0x80808080)
