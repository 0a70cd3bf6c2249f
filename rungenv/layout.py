"""What a view is made of, and its dense form for networks: which column means what.

A view has two blocks: card sets, one uint64 word each, and small numbers, one int8 each. Both are
declared here, in order. `FIELDS` is the layout of the dense form: every field with its columns, its
highest value, its meaning, and the rule that makes it known. Seats count from the viewer: 0 itself,
1 the next in turn, 2 the partner, 3 the previous. Teams: 0 the viewer's own, 1 the others.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache

import numpy as np

from rungenv.rules import nearest
from rungenv.state import Phase

LAYOUT_VERSION = 1
"""Changes whenever the meaning of a column does; goes into checkpoints, records, model cards."""


class Form(Enum):
    """How a part of the view becomes columns."""

    SET = "52 columns, one a card"
    CHOICE = "one column a value, none set for -1"
    BITS = "one column a bit"
    COUNT = "the number itself"
    CARD = "no columns: a card set says the same"


@dataclass(frozen=True)
class Part:
    """One or more neighbouring rows of a block: `rows` seats or teams, `width` columns each."""

    name: str
    form: Form
    width: int
    meaning: str
    rule: str
    rows: int = 1
    high: int = 1


def _set(name: str, meaning: str, rule: str, rows: int = 1) -> Part:
    return Part(name, Form.SET, 52, meaning, rule, rows)


def _choice(name: str, meaning: str, rule: str, width: int = 4) -> Part:
    return Part(name, Form.CHOICE, width, meaning, rule)


def _bits(name: str, meaning: str, rule: str, width: int = 1, rows: int = 1) -> Part:
    return Part(name, Form.BITS, width, meaning, rule, rows)


def _count(name: str, meaning: str, rule: str, high: int, rows: int = 1) -> Part:
    return Part(name, Form.COUNT, 1, meaning, rule, rows, high)


SETS = (
    _set("hand", "cards in my hand; while calling, the first five", "R1.3"),
    _set("legal_cards", "cards I may play or lay now", "R3.2"),
    _set("first_five", "my first five cards", "R1.3"),
    _set("unseen", "cards not in my hand, not my known face-down card, not played", "R1.1"),
    _set("winners", "cards of my hand that would beat the trick; none when leading", "R3.3"),
    _set("masters", "cards of my hand that no unseen card of their suit beats", "R3.3"),
    _set("played", "by seat: cards played this round", "R3.1", 4),
    _set("my_face_down_set", "my own face-down card, if I know it", "R7.2"),
    _set("turned_up_set", "the card turned up for the trump", "R2.4"),
    _set("shown_set", "the face-down card once shown", "R7.3"),
    _set("trick_sets", "by seat: the card on the table", "R3.1", 4),
)

SMALLS = (
    _choice("phase", "the Phase", "R2.1", len(Phase)),
    _choice("led", "the led suit", "R3.2"),
    _choice("trump", "the trump suit, once known to all", "R3.3"),
    _choice("trick_size", "cards in the trick on the table: 0, 1, 2, 3", "R3.1"),
    _choice("holder", "the seat that is winning the trick", "R3.3"),
    _choice("dealer", "the dealer's seat", "R1.1"),
    _choice("caller", "the seat that called or laid the trump", "R2.1"),
    _choice("owner", "whose the face-down card is or was", "R7.2"),
    _choice("asker", "the seat at whose turn it was shown", "R7.3"),
    _choice("waiting", "the seat that another win may let pick up", "R6.2"),
    _bits("legal_calls", "suits I may call now", "R2.1", 4),
    _bits("legal_other", "PASS, TIMEOUT, REVEAL, KEEP, NEW_CARDS: legal now", "R2.1", 5),
    _bits("voids", "by seat: suits it has failed to follow", "R3.2", 4, 4),
    _bits("passed", "the eldest hand passed", "R2.1"),
    _bits("timed_out", "time ran out for the call", "R2.2"),
    _bits("is_down", "a card lies face down", "R7.1"),
    _bits("owner_knows", "its owner knows it", "R7.7"),
    _bits("must_trump", "the seat to act must play a trump if it can", "R7.3"),
    _bits("waiting_ace", "the waiting seat's win was an ace's", "R6.7"),
    _count("pile", "tricks lying on the pile", "R6.1", 13),
    _count("pile_tens", "tens among them", "R6.1", 4),
    _count("trick_number", "tricks completed", "R3.1", 13),
    _count("tricks", "by team: tricks collected", "R4.1", 13, 2),
    _count("tens", "by team: tens collected", "R9.1", 4, 2),
    _count("points", "by team: points in the match", "R5.5", 110, 2),
    _count("kots", "by team: kots in the match", "R5.5", 110, 2),
    _count("streak", "by team: rounds won in a row", "R5.2", 6, 2),
    _count("new_cards_left", "by seat: fresh deals it may still ask for", "R10.2", 9, 4),
    _count("target", "points or kots that win the match", "R5.5", 100),
    Part("my_face_down", Form.CARD, 0, "my own face-down card, if I know it, -1", "R7.2"),
    Part("turned_up", Form.CARD, 0, "the card turned up for the trump, -1", "R2.4"),
    Part("shown", Form.CARD, 0, "the face-down card once shown, -1", "R7.3"),
    Part("trick", Form.CARD, 0, "by seat: the card on the table, -1", "R3.1", 4),
)


def _row_places(parts: Sequence[Part]) -> dict[str, slice]:
    places, start = {}, 0
    for part in parts:
        places[part.name] = slice(start, start + part.rows)
        start += part.rows
    return places


SET_ROWS = _row_places(SETS)
"""Where each part is in a view's block of card sets."""
SMALL_ROWS = _row_places(SMALLS)
"""Where each part is in a view's block of small numbers."""
N_SETS = sum(part.rows for part in SETS)
N_SMALLS = sum(part.rows for part in SMALLS)


@dataclass(frozen=True)
class Field:
    """Columns `start` to `start + width` of a dense view; values go from 0 to `high`."""

    name: str
    start: int
    width: int
    high: int
    meaning: str
    rule: str

    @property
    def columns(self) -> slice:
        """Where the field is: `dense[:, field.columns]`."""
        return slice(self.start, self.start + self.width)


def _fields(parts: Iterable[Part]) -> dict[str, Field]:
    fields, start = {}, 0
    for part in parts:
        width = part.width * part.rows
        fields[part.name] = Field(part.name, start, width, part.high, part.meaning, part.rule)
        start += width
    return fields


_PARTS = {part.name: part for part in SETS + SMALLS if part.form != Form.CARD}
FIELDS = _fields(_PARTS.values())
"""Every field of the dense view by name, in the order of its columns."""
N_FEATURES = sum(field.width for field in FIELDS.values())
"""Columns of a dense view."""


def layout_of(names: Sequence[str]) -> dict[str, Field]:
    """The fields of a dense view that has just these, in this order. ValueError if unknown."""
    for name in names:
        if name not in _PARTS:
            raise ValueError(f"no field is called {name!r}{nearest(name, tuple(_PARTS))}")
    return _fields(_PARTS[name] for name in names)


@dataclass(frozen=True)
class _Word:
    """Up to 64 columns of bits: the value v of row `rows[j]` sets the bits `table[base[j] + v]`."""

    rows: np.ndarray
    base: np.ndarray
    table: np.ndarray


@dataclass(frozen=True)
class _Run:
    """Neighbouring fields that are written together: their rows of one block, their columns."""

    rows: np.ndarray
    columns: slice
    is_sets: bool = False
    words: tuple[_Word, ...] = ()


_SORTS = {Form.SET: 0, Form.CHOICE: 1, Form.BITS: 1, Form.COUNT: 2}


@cache
def _plan(names: tuple[str, ...]) -> tuple[_Run, ...]:
    """How to write a dense view of these fields."""
    fields = layout_of(names)
    groups: list[list[Part]] = []
    for name in names:
        part = _PARTS[name]
        if groups and _SORTS[groups[-1][-1].form] == _SORTS[part.form]:
            groups[-1].append(part)
        else:
            groups.append([part])
    runs = []
    for parts in groups:
        columns = slice(fields[parts[0].name].start, fields[parts[-1].name].columns.stop)
        is_sets = parts[0].form == Form.SET
        places = SET_ROWS if is_sets else SMALL_ROWS
        rows = np.concatenate([np.arange(*places[p.name].indices(N_SMALLS)) for p in parts])
        if _SORTS[parts[0].form] == _SORTS[Form.BITS]:
            runs.append(_Run(rows, columns, words=_bit_words(parts, rows)))
        else:
            runs.append(_Run(rows, columns, is_sets))
    return tuple(runs)


_VALUES = 33
"""A small number that becomes bits is from -1 to 31."""


def _bit_words(parts: Sequence[Part], rows: np.ndarray) -> tuple[_Word, ...]:
    width = sum(part.rows * part.width for part in parts)
    bits = np.zeros((len(rows), _VALUES, -(-width // 64) * 64), np.uint8)
    row = column = 0
    for part in parts:
        for _ in range(part.rows):
            for value in range(_VALUES - 1):
                for k in range(part.width):
                    is_set = value == k if part.form == Form.CHOICE else value >> k & 1
                    bits[row, value + 1, column + k] = is_set
            row += 1
            column += part.width
    tables = np.packbits(bits, axis=-1, bitorder="little").view("<u8")
    words = []
    for table in np.moveaxis(tables, -1, 0):
        used = np.flatnonzero(table.any(axis=1))
        base = np.arange(len(used))[:, None] * _VALUES + 1
        words.append(_Word(rows[used], base, table[used].reshape(-1)))
    return tuple(words)


_CHUNK = 512
"""Rows that are written at a time, so that what is on the way stays in the processor's cache."""


def dense(sets: np.ndarray, smalls: np.ndarray, names: Sequence[str] | None = None) -> np.ndarray:
    """A view's blocks as a matrix: (n, N_FEATURES) uint8, or just the named fields; fresh."""
    plan = _plan(tuple(FIELDS if names is None else names))
    n = sets.shape[1]
    out = np.empty((n, plan[-1].columns.stop if plan else 0), np.uint8)
    for start in range(0, n, _CHUNK):
        rows = slice(start, start + _CHUNK)
        for run in plan:
            columns = out[rows, run.columns]
            if run.is_sets:
                flags = _unpacked(sets[run.rows, rows].T).reshape(len(columns), -1, 64)
                columns.reshape(len(columns), -1, 52)[...] = flags[:, :, :52]
            elif run.words:
                _write_bits(smalls[:, rows], run.words, columns)
            else:
                columns[...] = smalls[run.rows, rows].T
    return out


def _write_bits(smalls: np.ndarray, words: Sequence[_Word], columns: np.ndarray) -> None:
    for i, word in enumerate(words):
        bits = np.bitwise_or.reduce(word.table.take(smalls[word.rows] + word.base), axis=0)
        part = columns[:, 64 * i : 64 * i + 64]
        part[...] = _unpacked(bits[:, None])[:, : part.shape[1]]


def _unpacked(words: np.ndarray) -> np.ndarray:
    """(n, k) uint64 -> (n, 64 * k) uint8 flags."""
    as_bytes = np.ascontiguousarray(words, "<u8").view(np.uint8)
    return np.unpackbits(as_bytes.reshape(-1), bitorder="little").reshape(len(words), -1)
