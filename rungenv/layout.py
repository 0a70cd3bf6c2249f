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

POINTS_SHOWN = 120
"""A view shows no more points than this; a match scored in kots has no bound on them."""


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
    _set(
        "winners",
        "cards of my hand, playable or not, that beat the trick; none when leading",
        "R3.3",
    ),
    _set("masters", "cards of my hand that no unseen card of their suit beats", "R3.3"),
    _set("played", "by seat: cards played this round", "R3.1", 4),
    _set("my_face_down_set", "my own face-down card, if I know it", "R7.2"),
    _set("shown_set", "the card turned up for the trump, or the face-down card once shown", "R2.4"),
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
    _count("points", "by team: points in the match, at most 120", "R5.5", POINTS_SHOWN, 2),
    _count("kots", "by team: kots in the match", "R5.5", 110, 2),
    _count("streak", "by team: rounds won in a row", "R5.2", 6, 2),
    _count("new_cards_left", "by seat: fresh deals it may still ask for", "R10.2", 9, 4),
    _count("target", "points or kots that win the match", "R5.5", 100),
    Part("my_face_down", Form.CARD, 0, "my own face-down card, if I know it, -1", "R7.2"),
    Part("shown", Form.CARD, 0, "the face-down card once shown, -1", "R7.3"),
    Part("trick", Form.CARD, 0, "by seat: the card on the table, -1", "R3.1", 4),
    Part("turned_up", Form.CARD, 0, "the card turned up for the trump, -1", "R2.4"),
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
    if isinstance(names, str):
        raise ValueError(f"names must be a sequence of fields, not the text {names!r}")
    for name in names:
        if name not in _PARTS:
            raise ValueError(f"no field is called {name!r}{nearest(name, tuple(_PARTS))}")
    return _fields(_PARTS[name] for name in names)


@dataclass(frozen=True)
class _Run:
    """Neighbouring fields that are written together: their rows of one block, their columns.

    The arrays below tell how the rows' bits are packed into 64-bit words, end to end.
    """

    form: Form
    rows: np.ndarray
    columns: slice
    begins: np.ndarray  # (k,) by row: the column it begins at, of the run's
    words: slice  # among all packed words of the view
    shift: np.ndarray  # (k, 1) by row: where in its first word it begins
    first: tuple[np.ndarray, np.ndarray]  # rows that begin a word, and that word
    second: tuple[np.ndarray, np.ndarray]  # rows that begin behind another one in a word
    cross: tuple[np.ndarray, np.ndarray]  # rows that go on in the next word, and that word


@cache
def _plan(names: tuple[str, ...]) -> tuple[_Run, ...]:
    """How to write a dense view of these fields; bits and choices in runs of up to 64 columns."""
    fields = layout_of(names)
    groups: list[list[Part]] = []
    width = 0
    for name in names:
        part = _PARTS[name]
        more = part.rows * part.width
        same = bool(groups) and groups[-1][-1].form == part.form
        if same and (part.form in (Form.SET, Form.COUNT) or width + more <= 64):
            groups[-1].append(part)
            width += more
        else:
            groups.append([part])
            width = more
    runs, start = [], 0
    for parts in groups:
        runs.append(_run(parts, fields, start))
        start = runs[-1].words.stop
    return tuple(runs)


def _run(parts: Sequence[Part], fields: dict[str, Field], start: int) -> _Run:
    form = parts[0].form
    places = SET_ROWS if form == Form.SET else SMALL_ROWS
    rows = np.concatenate([np.arange(places[p.name].start, places[p.name].stop) for p in parts])
    widths = np.repeat([part.width for part in parts], [part.rows for part in parts])
    begins = widths.cumsum() - widths
    word, shift = begins // 64, begins % 64
    is_first = np.diff(word, prepend=-1) > 0
    first, second = np.flatnonzero(is_first), np.flatnonzero(~is_first)
    cross = np.flatnonzero(shift + widths > 64)
    n_words = 0 if form == Form.COUNT else -(-int(widths.sum()) // 64)
    return _Run(
        form=form,
        rows=rows,
        columns=slice(fields[parts[0].name].start, fields[parts[-1].name].columns.stop),
        begins=begins,
        words=slice(start, start + n_words),
        shift=shift[:, None].astype(np.uint64 if form == Form.SET else np.int8),
        first=(first, word[first]),
        second=(second, word[second]),
        cross=(cross, word[cross] + 1),
    )


_CHUNK = 1024
"""Rows that are written at a time, so that what is on the way stays in the processor's cache."""


def dense(
    sets: np.ndarray,
    smalls: np.ndarray,
    names: Sequence[str] | None = None,
    out: np.ndarray | None = None,
) -> np.ndarray:
    """A view's blocks as a matrix: (n, N_FEATURES) uint8, or just the named fields.

    Written into `out` if given, else into a fresh array. ValueError for an `out` that does not fit.
    """
    plan = _plan(tuple(FIELDS) if names is None else tuple(layout_of(names)))
    shape = (sets.shape[1], plan[-1].columns.stop if plan else 0)
    if out is None:
        out = np.empty(shape, np.uint8)
    elif out.shape != shape or out.dtype != np.uint8:
        raise ValueError(f"out must be {shape} uint8, not {out.shape} {out.dtype}")
    n_words = plan[-1].words.stop if plan else 0
    for start in range(0, len(out), _CHUNK):
        chunk = slice(start, start + _CHUNK)
        part = out[chunk]
        packed = np.empty((n_words, len(part)), np.uint64)
        for run in plan:
            block = sets if run.form == Form.SET else smalls
            values = block[run.rows, chunk]
            if run.form == Form.COUNT:
                part[:, run.columns] = values.T
            else:
                _PACKERS[run.form](values, run, packed[run.words])
        flags = _unpacked(packed)
        for run in plan:
            if run.form != Form.COUNT:
                columns = part[:, run.columns]
                at = 64 * run.words.start
                columns[...] = flags[:, at : at + columns.shape[1]]
    return out


def _pack_sets(words: np.ndarray, run: _Run, out: np.ndarray) -> None:
    """Card sets end to end, 52 bits each: (k, m) uint64 -> (ceil(52 k / 64), m)."""
    low = words << run.shift
    out[-1] = 0  # where it may be that no set begins
    out[run.first[1]] = low[run.first[0]]
    out[run.second[1]] |= low[run.second[0]]
    rows, into = run.cross
    out[into] |= words[rows] >> (np.uint64(64) - run.shift[rows])


def _pack_choices(values: np.ndarray, run: _Run, out: np.ndarray) -> None:
    """One bit a row, by its value: (k, m) int8 -> (1, m) uint64; a value of -1 gives none."""
    places = values + run.shift | (values >> 7 & 64)  # a shift by 64 or more leaves nothing
    bits = np.uint64(1) << places.astype(np.uint64)
    np.bitwise_or.reduce(bits, axis=0, keepdims=True, out=out)


def _pack_bits(values: np.ndarray, run: _Run, out: np.ndarray) -> None:
    """The rows' own bits side by side: (k, m) int8 -> (1, m) uint64."""
    bits = values.astype(np.uint64) << run.shift.astype(np.uint64)
    np.bitwise_or.reduce(bits, axis=0, keepdims=True, out=out)


_PACKERS = {Form.SET: _pack_sets, Form.CHOICE: _pack_choices, Form.BITS: _pack_bits}


def _unpacked(words: np.ndarray) -> np.ndarray:
    """(k, m) uint64 -> (m, 64 k) uint8 flags, the words of a column one after the other."""
    as_bytes = np.ascontiguousarray(words.T, "<u8").view(np.uint8)
    flags = np.unpackbits(as_bytes.reshape(-1), bitorder="little")
    return flags.reshape(words.shape[1], -1)


def dense_row(sets: Sequence[int], smalls: Sequence[int]) -> np.ndarray:
    """The same for one table, whose blocks are lists of ints: (N_FEATURES,) uint8, fresh."""
    flags = 0
    for row, column in _CHOICE_COLUMNS:
        if smalls[row] >= 0:
            flags |= 1 << column + smalls[row]
    for row, column in _BIT_COLUMNS:
        flags |= smalls[row] << column
    bits = flags << _FLAGS_START
    for row, column in _SET_COLUMNS:
        bits |= sets[row] << column
    as_bytes = np.frombuffer(bits.to_bytes(-(-N_FEATURES // 8), "little"), np.uint8)
    out = np.unpackbits(as_bytes, count=N_FEATURES, bitorder="little")
    out[_COUNTS_START:] = [smalls[row] for row in _COUNT_ROWS]
    return out


def _row_columns(form: Form, start: int = 0) -> tuple[tuple[int, int], ...]:
    """The rows of a form, each with the column where it begins, counted from `start`."""
    runs = [run for run in _plan(tuple(FIELDS)) if run.form == form]
    return tuple(
        (int(row), run.columns.start + int(begin) - start)
        for run in runs
        for row, begin in zip(run.rows, run.begins, strict=True)
    )


_SET_COLUMNS = _row_columns(Form.SET)
_FLAGS_START = 52 * len(_SET_COLUMNS)  # flags are gathered in a small int first
_CHOICE_COLUMNS = _row_columns(Form.CHOICE, _FLAGS_START)
_BIT_COLUMNS = _row_columns(Form.BITS, _FLAGS_START)
_COUNT_ROWS, _COUNT_COLUMNS = zip(*_row_columns(Form.COUNT), strict=True)
_COUNTS_START = _COUNT_COLUMNS[0]
