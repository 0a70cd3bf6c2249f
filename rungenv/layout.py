"""The dense form of a view: which column means what.

`FIELDS` is the layout: every field with its columns, its highest value, its meaning and the rule
that makes it known. Card sets come first, 52 columns each, then flags, then counts.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from rungenv.bits import BIT, unpack
from rungenv.rules import nearest
from rungenv.state import Phase

LAYOUT_VERSION = 1
"""Changes whenever the meaning of a column does; goes into checkpoints, records, model cards."""


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


@dataclass(frozen=True)
class _Source:
    """A field before it has its place: how a View gives it."""

    name: str
    width: int
    get: Callable[[Any], np.ndarray]
    meaning: str
    rule: str
    high: int = 1


# One-hot words to look up with an index that may be -1, for "none".
_ONE_HOT = np.append(BIT[:52], np.uint64(0))


def _sets() -> list[_Source]:
    """Card sets: (n,) uint64 words, 52 columns each."""
    whose = ("mine", "next", "partner", "previous")
    one_card = _ONE_HOT.__getitem__
    sources = [
        ("hand", lambda v: v.hand, "cards in my hand; while calling, the first five", "R1.3"),
        ("legal_cards", lambda v: v.legal, "cards I may play or lay now", "R3.2"),
        ("first_five", lambda v: v.first_five, "my first five cards", "R1.3"),
        ("my_face_down", lambda v: one_card(v.my_face_down), "my face-down card, if known", "R7.2"),
        ("turned_up", lambda v: one_card(v.turned_up), "the card turned up for the trump", "R2.4"),
        ("shown", lambda v: one_card(v.shown), "the face-down card once shown", "R7.3"),
        ("unseen", lambda v: v.unseen, "cards that others may still hold", "R1.1"),
        ("winners", lambda v: v.winners, "cards of my hand that beat the trick now", "R3.3"),
        ("masters", lambda v: v.masters, "cards of my hand no unseen one of the suit beats", "R3.3"),
    ]
    for i, name in enumerate(whose):
        played = lambda v, i=i: v.played[:, i]  # noqa: E731
        sources.append((f"played_{name}", played, f"cards played this round: {name}", "R3.1"))
    for i, name in enumerate(whose):
        trick = lambda v, i=i: one_card(v.trick[:, i])  # noqa: E731
        sources.append((f"trick_{name}", trick, f"card on the table: {name}", "R3.1"))
    return [_Source(name, 52, get, meaning, rule) for name, get, meaning, rule in sources]


def _flags() -> list[_Source]:
    """One-hot choices and flags: words of `width` bits, as uint64 or a type that fits."""

    def one_of(column: str) -> Callable[[Any], np.ndarray]:
        return lambda v: _ONE_HOT[getattr(v, column)]

    def flag(column: str) -> Callable[[Any], np.ndarray]:
        return lambda v: getattr(v, column)

    voids = lambda v: v.voids.astype(np.uint64) @ (BIT[:16:4])  # noqa: E731
    return [
        _Source("legal_other", 9, lambda v: v.legal >> np.uint64(52), "actions 52 to 60", "R2.1"),
        _Source("phase", len(Phase), one_of("phase"), "the Phase", "R2.1"),
        _Source("led", 4, one_of("led"), "the led suit", "R3.2"),
        _Source("trump", 4, one_of("trump"), "the trump suit, once known to all", "R3.3"),
        _Source("voids", 16, voids, "by seat, mine first: suits not followed", "R3.2"),
        _Source("trick_size", 4, one_of("trick_size"), "cards in the trick: 0, 1, 2, 3", "R3.1"),
        _Source("holder", 4, one_of("holder"), "the seat winning the trick", "R3.3"),
        _Source("dealer", 4, one_of("dealer"), "the dealer's seat", "R1.1"),
        _Source("caller", 4, one_of("caller"), "the seat that called or laid", "R2.1"),
        _Source("owner", 4, one_of("owner"), "whose the face-down card is or was", "R7.2"),
        _Source("asker", 4, one_of("asker"), "the seat at whose turn it was shown", "R7.3"),
        _Source("waiting", 4, one_of("waiting"), "the seat that may pick up next", "R6.2"),
        _Source("passed", 1, flag("passed"), "the eldest hand passed", "R2.1"),
        _Source("timed_out", 1, flag("timed_out"), "time ran out for the call", "R2.2"),
        _Source("is_down", 1, flag("is_down"), "a card lies face down", "R7.1"),
        _Source("owner_knows", 1, flag("owner_knows"), "its owner knows it", "R7.7"),
        _Source("must_trump", 1, flag("must_trump"), "I must play a trump if I can", "R7.3"),
        _Source("waiting_ace", 1, flag("waiting_ace"), "that seat's win was an ace's", "R6.7"),
    ]


def _counts() -> list[_Source]:
    """Numbers: (n,) or (n, width) columns; by team, mine first; by seat, mine first."""
    target = lambda v: np.full(len(v.legal), v.rules.target)  # noqa: E731
    return [
        _Source("tricks", 2, lambda v: v.tricks, "tricks collected", "R4.1", 13),
        _Source("tens", 2, lambda v: v.tens, "tens collected", "R9.1", 4),
        _Source("pile", 1, lambda v: v.pile, "tricks on the pile", "R6.1", 13),
        _Source("pile_tens", 1, lambda v: v.pile_tens, "tens on the pile", "R6.1", 4),
        _Source("trick_number", 1, lambda v: v.trick_number, "tricks completed", "R3.1", 13),
        _Source("points", 2, lambda v: v.points, "points in the match", "R5.5", 100),
        _Source("kots", 2, lambda v: v.kots, "kots in the match", "R5.5", 100),
        _Source("streak", 2, lambda v: v.streak, "rounds won in a row", "R5.2", 6),
        _Source("target", 1, target, "points or kots that win the match", "R5.5", 100),
        _Source("new_cards_left", 4, lambda v: v.new_cards_left, "fresh deals left", "R10.2", 9),
    ]


_SETS, _FLAGS, _COUNTS = _sets(), _flags(), _counts()
_SOURCES = {source.name: source for source in _SETS + _FLAGS + _COUNTS}
_IS_SET = frozenset(source.name for source in _SETS)
_IS_FLAG = frozenset(source.name for source in _FLAGS)


def _place(sources: Iterable[_Source]) -> dict[str, Field]:
    placed = {}
    start = 0
    for s in sources:
        placed[s.name] = Field(s.name, start, s.width, s.high, s.meaning, s.rule)
        start += s.width
    return placed


FIELDS = _place(_SOURCES.values())
"""Every field of the dense view by name, in the order of its columns."""
N_FEATURES = sum(field.width for field in FIELDS.values())
"""Columns of a dense view."""


def layout_of(names: Sequence[str]) -> dict[str, Field]:
    """The fields of a dense view that has just these, in this order. ValueError if unknown."""
    for name in names:
        if name not in _SOURCES:
            raise ValueError(f"no field is called {name!r}{nearest(name, tuple(_SOURCES))}")
    return _place(_SOURCES[name] for name in names)


@dataclass(frozen=True)
class _Run:
    """Neighbouring fields that are unpacked together: from one word each, or all from one word."""

    sources: tuple[_Source, ...]
    start: int
    width: int


@cache
def _runs(names: tuple[str, ...]) -> tuple[tuple[_Run, ...], int]:
    """The runs that make up a dense view of these fields, and its width."""
    runs: list[list[_Source]] = []
    for name in names:
        source = _SOURCES[name]
        last = runs[-1] if runs else []
        same_sort = last and (
            (name in _IS_SET and last[-1].name in _IS_SET)
            or (name in _IS_FLAG and last[-1].name in _IS_FLAG)
        )
        if same_sort and (name in _IS_SET or sum(s.width for s in last) + source.width <= 64):
            last.append(source)
        else:
            runs.append([source])
    placed, start = [], 0
    for sources in runs:
        width = sum(source.width for source in sources)
        placed.append(_Run(tuple(sources), start, width))
        start += width
    return tuple(placed), start


def dense(view: Any, names: Sequence[str] | None = None) -> np.ndarray:
    """A View as a matrix: (n, N_FEATURES) uint8, or just the named fields; a fresh array."""
    if names is None:
        names = tuple(FIELDS)
    else:
        layout_of(names)
    runs, width = _runs(tuple(names))
    out = np.empty((len(view.legal), width), np.uint8)
    for run in runs:
        columns = out[:, run.start : run.start + run.width]
        if run.sources[0].name in _IS_SET:
            _write_sets(view, run.sources, columns)
        elif run.sources[0].name in _IS_FLAG:
            _write_flags(view, run.sources, columns)
        else:
            columns[...] = run.sources[0].get(view).reshape(columns.shape)
    return out


def _write_sets(view: Any, sources: Sequence[_Source], columns: np.ndarray) -> None:
    words = np.empty((len(columns), len(sources)), np.uint64)
    for i, source in enumerate(sources):
        words[:, i] = source.get(view)
    parted = columns.reshape(len(columns), len(sources), 52)
    parted[...] = unpack(words.ravel(), 52).reshape(parted.shape)


def _write_flags(view: Any, sources: Sequence[_Source], columns: np.ndarray) -> None:
    word = np.zeros(len(columns), np.uint64)
    shift = 0
    for source in sources:
        word |= source.get(view).astype(np.uint64) << np.uint64(shift)
        shift += source.width
    columns[...] = unpack(word, shift)
