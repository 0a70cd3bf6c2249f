"""The state of N tables: one array per column, one row per table.

Columns are declared once, in `State`, with dtype, empty value, meaning, width, and the span of play
that they belong to.
"""

from enum import IntEnum
from typing import Annotated, Self

import numpy as np

from rungenv.bits import BIT
from rungenv.rules import Rules
from rungenv.storage import Column, Columns, Span, Store


class Phase(IntEnum):
    """What a table is waiting for."""

    CALL = 0  # the eldest hand calls, lays or passes (R2.1, R7.1, R9.2)
    PARTNER_CALL = 1  # its partner calls or lays (R2.2)
    NEW_CARDS = 2  # seats may ask for a fresh deal (R10.2)
    CHANGE_TRUMP = 3  # the caller may change the trump (R10.1)
    PLAY = 4  # a card, or the showing of the face-down card
    OVER = 5  # the round is over


class Kind(IntEnum):
    """How a round was won (R4.2, R5.1, R6.6, R9.4)."""

    NONE = 0
    WIN = 1
    KOT = 2
    GOON_KOT = 3
    MENDI = 4
    MENDIKOT = 5
    WHITEWASH = 6
    TRICKS = 7


def _small(empty: int, meaning: str, width: int = 1, span: Span = Span.DEAL) -> Column:
    return Column(np.int8, empty, span, meaning, width)


def _cards(meaning: str, width: int = 1) -> Column:
    return Column(np.uint64, 0, Span.TABLE, meaning, width)  # every deal writes it anew


def _number(empty: int, span: Span, meaning: str) -> Column:
    return Column(np.int64, empty, span, meaning)


_NIBBLES = np.arange(0, 16, 4, dtype=np.uint16)


class State(Store):
    """N tables. Columns are numpy arrays to read, and for the kernel's modules to write into.

    Besides the columns: `rules`; `deal` (n, 4, 13) int8, the cards of each seat in the order
    received; `redeals` (n, k, 4, 13) int8 or None, the caller's own next deals (R10.2), for the
    round that `deal_hands` dealt; `history`
    (n, h) uint8, the round's actions in order, action | seat << 6, 255 for "nothing yet".
    """

    hands: Annotated[np.ndarray, _cards("cards a seat holds; a face-down card is not (R7.2)", 4)]
    first_five: Annotated[np.ndarray, _cards("the first five cards a seat received (R1.3)", 4)]
    dealt: Annotated[np.ndarray, _cards("all 13 cards that a seat received", 4)]
    legal_set: Annotated[np.ndarray, _cards("actions open to the seat to act, bit = action")]

    phase: Annotated[np.ndarray, _small(Phase.CALL, "a Phase")]
    seat: Annotated[np.ndarray, _small(-1, "the seat to act, -1 when the round is over")]
    caller: Annotated[np.ndarray, _small(-1, "who called or laid the trump; -1 nobody (R2, R7.1)")]
    passed: Annotated[np.ndarray, _small(0, "1: the eldest hand passed (R2.1)")]
    timed_out: Annotated[np.ndarray, _small(0, "1: time ran out for the call (R2.2, R7.7, R9.2)")]
    turned_up: Annotated[np.ndarray, _small(-1, "the card turned up for the trump (R2.4), -1")]
    face_down: Annotated[np.ndarray, _small(-1, "the card lying face down (R7.1), -1")]
    owner: Annotated[np.ndarray, _small(-1, "whose card lies or lay face down, -1")]
    owner_knows: Annotated[np.ndarray, _small(0, "1: the owner knows that card (R7.2, R7.7)")]
    shown: Annotated[np.ndarray, _small(-1, "the face-down card once shown (R7.3, R7.8), -1")]
    asker: Annotated[np.ndarray, _small(-1, "seat whose turn it was shown at (R7.3, R9.3), -1")]
    must_trump: Annotated[np.ndarray, _small(0, "1: the seat to act must trump if it can (R7.3)")]
    trump: Annotated[np.ndarray, _small(-1, "the trump suit known to all, -1 none or unknown")]
    led: Annotated[np.ndarray, _small(-1, "the led suit, -1 between tricks")]
    leader: Annotated[np.ndarray, _small(-1, "the seat that leads or led the trick, -1")]
    best: Annotated[np.ndarray, _small(-1, "best card so far: 4 * standing (trick.py) + seat, -1")]
    trick_number: Annotated[np.ndarray, _small(0, "tricks completed, 0 to 13")]
    trick_tens: Annotated[np.ndarray, _small(0, "tens in the trick on the table")]
    tricks: Annotated[np.ndarray, _small(0, "tricks a team has collected (R4.1, R6.1)", 2)]
    tens: Annotated[np.ndarray, _small(0, "tens a team has collected (R9.1)", 2)]
    pile: Annotated[np.ndarray, _small(0, "won tricks that nobody has picked up yet (R6.1)")]
    pile_tens: Annotated[np.ndarray, _small(0, "tens among them")]
    waiting: Annotated[np.ndarray, _small(-1, "seat that another win may let pick up (R6.2), -1")]
    waiting_ace: Annotated[np.ndarray, _small(0, "1: its win was an ace's (R6.7)")]
    winner: Annotated[np.ndarray, _small(-1, "the team that won the round, -1")]
    kind: Annotated[np.ndarray, _small(Kind.NONE, "a Kind")]
    next_dealer: Annotated[np.ndarray, _small(-1, "who deals the next round (R5.4, R9.6), -1")]

    points: Annotated[
        np.ndarray, Column(np.int16, 0, Span.MATCH, "points of a team in the match", 2)
    ]
    kots: Annotated[np.ndarray, _small(0, "kots of a team in the match", 2, Span.MATCH)]
    streak: Annotated[np.ndarray, _small(0, "rounds won in a row (R5.2)", 2, Span.MATCH)]
    new_cards_left: Annotated[np.ndarray, _small(0, "fresh deals left (R10.2)", 4, Span.MATCH)]
    match_winner: Annotated[
        np.ndarray, _small(-1, "the team that won the match, -1", 1, Span.MATCH)
    ]
    match_round: Annotated[np.ndarray, _number(0, Span.MATCH, "round number in the match")]
    dealer: Annotated[np.ndarray, _small(0, "the seat that dealt this round", 1, Span.TABLE)]

    trick_word: Annotated[np.ndarray, Column(np.uint32, 0, Span.DEAL, "byte s: seat s's card + 1")]
    void_word: Annotated[np.ndarray, Column(np.uint16, 0, Span.DEAL, "bit 4 * seat + suit: void")]

    length: Annotated[np.ndarray, _number(0, Span.ROUND, "actions in the history")]
    play_from: Annotated[np.ndarray, _number(0, Span.ROUND, "actions before the play began")]
    redeal: Annotated[np.ndarray, _number(0, Span.ROUND, "fresh deals asked for (R10.2)")]
    given: Annotated[np.ndarray, _number(0, Span.ROUND, "of these, how many `redeals` holds")]
    seed: Annotated[np.ndarray, _number(-1, Span.TABLE, "seed of the deals, -1 none")]
    stream: Annotated[np.ndarray, _number(0, Span.TABLE, "hash of seed and table number")]
    table: Annotated[np.ndarray, _number(0, Span.TABLE, "table number under that seed")]
    round: Annotated[np.ndarray, _number(0, Span.TABLE, "round number at that table")]

    def __init__(self, rules: Rules, n: int) -> None:
        super().__init__(n)
        self.rules = rules
        self.deal = np.full((n, 4, 13), -1, np.int8)
        self.redeals: np.ndarray | None = None
        self.history = np.full((n, history_length(rules)), 255, np.uint8)

    @property
    def holder(self) -> np.ndarray:
        """The seat that is winning the trick on the table, -1: (n,) int8."""
        return np.where(self.best >= 0, self.best & 3, np.int8(-1))

    @property
    def trick(self) -> np.ndarray:
        """The card of each seat in the trick on the table, -1: (n, 4) int8."""
        return self.trick_word.astype("<u4").view(np.int8).reshape(-1, 4) - np.int8(1)

    @property
    def trick_size(self) -> np.ndarray:
        """Cards in the trick on the table, 0 to 3: (n,) int8."""
        return (self.trick >= 0).sum(axis=1, dtype=np.int8)

    @property
    def voids(self) -> np.ndarray:
        """The suits that each seat has failed to follow, bit s for suit s: (n, 4) int8."""
        return (self.void_word[:, None] >> _NIBBLES & np.uint16(15)).astype(np.int8)

    @property
    def played(self) -> np.ndarray:
        """The cards that each seat has played this round: (n, 4) uint64 sets."""
        played = self.dealt & ~self.hands
        down = np.flatnonzero(self.face_down >= 0)
        played[down, self.owner[down]] &= ~BIT[self.face_down[down]]
        return played

    def take(self, rows: np.ndarray | slice) -> Self:
        """A copy of some tables, in the order of `rows` (indices, a mask or a slice)."""
        taken = self.picked(rows)
        taken.rules = self.rules
        taken.deal = np.array(self.deal[rows])
        taken.redeals = None if self.redeals is None else np.array(self.redeals[rows])
        taken.history = np.array(self.history[rows])
        return taken

    def copy(self) -> Self:
        """A copy of all tables."""
        return self.take(slice(None))

    def __deepcopy__(self, memo: dict[int, object]) -> Self:
        return self.copy()

    def put(self, rows: np.ndarray | slice, other: "State") -> None:
        """Overwrite some tables with those of another State, of the same rules.

        ValueError, before anything is written, when they differ in these, or in number.
        """
        if other.rules != self.rules:
            raise ValueError("the tables to put in play by other rules")
        n = len(self.everyone[rows])
        if len(other) != n:
            raise ValueError(f"there are {len(other)} tables to put in, and {n} places for them")
        self.overwrite(rows, other)
        self.deal[rows] = other.deal
        self.history[rows] = other.history
        if other.redeals is not None:
            theirs = other.redeals.shape[1]
            self._make_room_for_redeals(theirs)
            assert self.redeals is not None
            self.redeals[rows, :theirs] = other.redeals

    def _make_room_for_redeals(self, k: int) -> None:
        """Let every table keep k of its own next deals; `given` says how many it has."""
        had = 0 if self.redeals is None else self.redeals.shape[1]
        if had < k:
            room = np.zeros((len(self), k, 4, 13), np.int8)
            if self.redeals is not None:
                room[:, :had] = self.redeals
            self.redeals = room

    def row(self, i: int) -> Columns:
        """One table's columns as plain ints, and its rules; a copy."""
        row = super().row(i)
        row.rules = self.rules
        return row


def history_length(rules: Rules) -> int:
    """The most actions that a round can have: the opening, 52 cards and a REVEAL."""
    return opening_length(rules) + 53


def opening_length(rules: Rules) -> int:
    """The most actions before the first card.

    A deal has at most two calls and four answers on new cards, and there is one deal more than can
    be asked for; at the end the trump may be changed.
    """
    return 6 * (1 + sum(rules.new_cards)) + 1


COLUMNS = State.columns
"""Every column by name, in the order declared."""
