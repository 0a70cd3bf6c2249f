"""The dense form of a view: its two blocks unpacked into the columns that `layout.py` names.

All bits of a view are first packed end to end into 64-bit words, which are then unpacked at once;
counts are copied. `dense` does it for N tables, `dense_row` for the lists of ints of one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from rungenv.layout import (
    FIELDS,
    N_FEATURES,
    PARTS,
    SET_ROWS,
    SMALL_ROWS,
    Field,
    Form,
    Part,
    layout_of,
)


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
        part = PARTS[name]
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


_ALL = tuple(FIELDS)

_CHUNK = 1024
"""Rows that are written at a time, so that what is on the way stays in the processor's cache."""


def dense(
    sets: np.ndarray,
    smalls: np.ndarray,
    names: tuple[str, ...] | None = None,
    out: np.ndarray | None = None,
) -> np.ndarray:
    """A view's blocks as a matrix: (n, N_FEATURES) uint8, or just the named fields.

    Written into `out` if given, else into a fresh array. ValueError for an `out` that does not fit.
    """
    plan = _plan(_ALL if names is None else names)
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


@cache
def highest(names: tuple[str, ...]) -> np.ndarray:
    """The highest value of every column of these fields: (F,) uint8, not to be written into."""
    fields = layout_of(names).values()
    high = np.array([field.high for field in fields for _ in range(field.width)], np.uint8)
    high.flags.writeable = False
    return high


def scaled(
    columns: np.ndarray, names: tuple[str, ...] | None = None, out: np.ndarray | None = None
) -> np.ndarray:
    """Dense columns of these fields, each divided by its highest value: float32 from 0 to 1.

    columns (..., F) uint8. Written into `out` if given; ValueError for one that does not fit.
    """
    high = highest(_ALL if names is None else names)
    if out is None:
        out = np.empty(columns.shape, np.float32)
    elif out.shape != columns.shape or out.dtype != np.float32:
        raise ValueError(f"out must be {columns.shape} float32, not {out.shape} {out.dtype}")
    out[...] = columns
    counts = np.flatnonzero(high > 1)
    out[..., counts] /= high[counts].astype(np.float32)
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
