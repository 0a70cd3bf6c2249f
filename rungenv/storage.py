"""Columns of N tables: how they are declared, and how they are kept.

Storage is field-major: all columns of a dtype share one (fields, N) block, so that copying or
picking tables is a few array operations, and every column stays contiguous.
"""

from dataclasses import dataclass
from enum import IntEnum
from types import SimpleNamespace
from typing import Any, ClassVar, Self, get_type_hints

import numpy as np

Columns = Any
"""A Store, for N tables, or the Row of one: what the play and the view are written for."""


class Span(IntEnum):
    """What a column belongs to: a new one of these empties it."""

    DEAL = 0
    ROUND = 1
    MATCH = 2
    TABLE = 3


@dataclass(frozen=True)
class Column:
    """One column: (n,) when `width` is 1, else (n, width) by seat (4) or team (2)."""

    dtype: type[np.generic]
    empty: int
    span: Span
    meaning: str
    width: int = 1


class Block:
    """Where the columns of one dtype lie in their block, those of a span side by side."""

    def __init__(self, dtype: type[np.generic], all_columns: dict[str, Column]) -> None:
        columns = {name: column for name, column in all_columns.items() if column.dtype is dtype}
        self.places: dict[str, tuple[int, int]] = {}
        self.spans: dict[Span, tuple[int, int]] = {}
        empty: list[int] = []
        for span in Span:
            start = len(empty)
            for name, column in columns.items():
                if column.span == span:
                    self.places[name] = (len(empty), len(empty) + column.width)
                    empty += [column.empty] * column.width
            self.spans[span] = (start, len(empty))
        self.empty = np.array(empty, dtype)


class Store:
    """N tables of columns. A subclass declares them: `name: Annotated[np.ndarray, Column(...)]`.

    Columns are arrays to read and to write into; assigning to one writes into it. `flat.<name>` is
    a column of several seats or teams as one array, in which `at` finds places.
    """

    columns: ClassVar[dict[str, Column]] = {}
    """Every column by name, in the order declared."""
    layout: ClassVar[tuple[Block, ...]] = ()

    def __init_subclass__(cls) -> None:
        hints = get_type_hints(cls, include_extras=True)
        cls.columns = {
            name: hint.__metadata__[0]
            for name, hint in hints.items()
            if isinstance(getattr(hint, "__metadata__", [None])[0], Column)
        }
        dtypes = dict.fromkeys(column.dtype for column in cls.columns.values())
        cls.layout = tuple(Block(dtype, cls.columns) for dtype in dtypes)

    def __init__(self, n: int) -> None:
        self._adopt([np.repeat(block.empty[:, None], n, axis=1) for block in self.layout])

    def __len__(self) -> int:
        return self.blocks[0].shape[1]

    def _adopt(self, blocks: list[np.ndarray]) -> None:
        """Take these blocks as storage and point every column at its place in them."""
        self.blocks = blocks
        self.everyone = np.arange(len(self))
        self.flat = SimpleNamespace()
        for block, layout in zip(blocks, self.layout, strict=True):
            for name, (start, stop) in layout.places.items():
                fields = block[start:stop]
                self.__dict__[name] = fields[0] if stop == start + 1 else fields.T
                setattr(self.flat, name, fields.reshape(-1))

    def __setattr__(self, name: str, value: object) -> None:
        """Write into a column, which stays where it is in its block."""
        if name in self.columns:
            self.__dict__[name][...] = value
        else:
            object.__setattr__(self, name, value)

    def picked(self, rows: np.ndarray | slice) -> Self:
        """A copy of some rows' columns, and nothing else."""
        copy = object.__new__(type(self))
        if isinstance(rows, slice):
            copy._adopt([np.array(block[:, rows], order="C") for block in self.blocks])
        else:
            places = self.everyone[rows]
            copy._adopt([block.take(places, axis=1) for block in self.blocks])
        return copy

    def overwrite(self, rows: np.ndarray | slice, other: "Store") -> None:
        """Put all of another's columns in place of these rows'."""
        for block, theirs in zip(self.blocks, other.blocks, strict=True):
            block[:, rows] = theirs

    def at(self, rows: np.ndarray, which: np.ndarray) -> np.ndarray:
        """Where `self.flat.<column>` keeps these rows' values of a seat or team: (m,) int64."""
        return which * np.int64(len(self)) + rows

    def of_seat(self, name: str, seat: np.ndarray) -> np.ndarray:
        """The values that a column has for one seat at each table: seat (n,) int."""
        return getattr(self.flat, name)[self.at(self.everyone, seat)]

    def by_team(self, name: str) -> np.ndarray:
        """A column's two teams, to read and to write into: (2, n)."""
        return getattr(self, name).T

    def by_turn(self, values: np.ndarray, seat: np.ndarray) -> list[np.ndarray]:
        """Values by seat, (4 n,) as in `flat`, of this seat, the next, and so on: four of (n,)."""
        n = len(self)
        around = np.concatenate([values, values[: 3 * n]])
        places = self.at(self.everyone, seat)
        return [around[turn * n :][places] for turn in range(4)]

    def out_of_hand(self) -> np.ndarray:
        """The cards dealt to each seat that it holds no more: (4 n,) sets, as in `flat`."""
        return self.flat.dealt & ~self.flat.hands

    def take_from_hand(self, seat: np.ndarray, cards: np.ndarray) -> None:
        """Remove card sets from the seats' hands, which hold them: (n,) int, (n,) uint64."""
        self.flat.hands[self.at(self.everyone, seat)] ^= cards

    def blank(self, k: int, dtype: type[np.generic]) -> np.ndarray:
        """k columns to write into: (k, n)."""
        return np.empty((k, len(self)), dtype)

    def row(self, i: int) -> Columns:
        """One table's columns as plain ints: a Row, a copy."""
        row = Row()
        for block, layout in zip(self.blocks, self.layout, strict=True):
            values = block[:, i].tolist()
            for name, (start, stop) in layout.places.items():
                row.__dict__[name] = values[start] if stop == start + 1 else values[start:stop]
        return row

    def write_row(self, i: int, row: "Row") -> None:
        """Put a table's columns back."""
        for block, layout in zip(self.blocks, self.layout, strict=True):
            for name, (start, stop) in layout.places.items():
                block[start:stop, i] = row.__dict__[name]

    def clear(self, rows: np.ndarray, span: Span) -> None:
        """Empty the columns of a span."""
        for block, layout in zip(self.blocks, self.layout, strict=True):
            start, stop = layout.spans[span]
            if start < stop:
                block[start:stop, rows] = layout.empty[start:stop, None]


class Row:
    """One table: the columns of a Store, each an int, or a list of them by seat or team."""

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"a table has no column {name!r}")

    def of_seat(self, name: str, seat: int) -> int:
        """The value that a column has for one seat."""
        return self.__dict__[name][seat]

    def by_team(self, name: str) -> list[int]:
        """A column's two teams, to read and to write into."""
        return self.__dict__[name]

    def by_turn(self, values: list[int], seat: int) -> list[int]:
        """Values by seat, of this seat, the next, and so on."""
        return values[seat:] + values[:seat]

    def out_of_hand(self) -> list[int]:
        """The cards dealt to each seat that it holds no more: sets."""
        columns = self.__dict__
        return [d & ~h for d, h in zip(columns["dealt"], columns["hands"], strict=True)]

    def take_from_hand(self, seat: int, cards: int) -> None:
        """Remove a card set from a seat's hand, which holds it."""
        self.__dict__["hands"][seat] ^= cards

    def blank(self, k: int, dtype: type[np.generic]) -> list[int]:
        """k columns to write into."""
        return [0] * k
