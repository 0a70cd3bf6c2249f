"""The forms in which an environment shows a view to its caller. No rules.

Options of `rungenv.seat_env.SeatEnv` and `rungenv.vector_env.RungVectorEnv` alike:

- `observation`: "dense" (the default), (F,) uint8 with columns as in `rungenv.FIELDS`; "float", the
  same as float32, each column divided by its highest value, so from 0 to 1; "packed",
  `{"sets": (N_SETS,) uint64, "smalls": (N_SMALLS,) int8}`, the view's own two blocks, whose rows
  `rungenv.layout` names; or "history", `{"dense": (F,) uint8, "history": (H, 2) uint8}`: besides
  the columns the round's actions in order, as `View.history_pairs` gives them;
- `fields`: the fields of the dense columns that are wanted, in their order; by default all. None of
  them, `fields=()`, takes no time: for those who read the views themselves;
- `flat`: True (the default) observes just that, False
  `{"observation": that, "action_mask": (61,) int8}`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from gymnasium import spaces

from rungenv.actions import N_ACTIONS
from rungenv.checks import one_of
from rungenv.layout import FIELDS, N_SETS, SMALLS, layout_of
from rungenv.packing import highest, scaled
from rungenv.rules import Rules
from rungenv.state import history_length
from rungenv.table import Table
from rungenv.tables import Tables
from rungenv.view import NOTHING, observe

_ALL = tuple(FIELDS)


@dataclass(frozen=True)
class ObservationForm:
    """How an environment shows views: a space for one, and what shows many of them."""

    name: str
    fields: tuple[str, ...]
    flat: bool
    space: spaces.Space[Any]

    @classmethod
    def of(cls, rules: Rules, *, observation: Any, fields: Any, flat: Any) -> "ObservationForm":
        """The form that an environment's arguments describe; ValueError for wrong ones."""
        name = one_of("observation", observation, tuple(_SPACES))
        if fields is not None and name == "packed":
            raise ValueError(f"a packed observation has no columns to choose, so fields={fields!r}")
        wanted = _ALL if fields is None else tuple(layout_of(fields))
        space = _SPACES[name](wanted, rules)
        if not one_of("flat", flat, (True, False)):
            space = with_mask(space)
        return cls(name, wanted, flat, space)

    @property
    def width(self) -> int:
        """How many dense columns there are."""
        return sum(FIELDS[name].width for name in self.fields)

    def show(
        self, tables: Tables, seats: np.ndarray, mask: np.ndarray, out: np.ndarray | None = None
    ) -> Any:
        """What these seats observe, a row for each table; mask (n, 61) int8 may go beside it.

        out: an array to write the dense columns into, `room(n)` once or a fresh one each time.
        """
        shown = self._shown(tables, seats, out)
        return shown if self.flat else {"observation": shown, "action_mask": mask.copy()}

    def room(self, n: int) -> np.ndarray | None:
        """An array for the dense columns of n views, where there are such."""
        if self.name == "packed":
            return None
        return np.empty((n, self.width), self._dtype)

    @property
    def _dtype(self) -> type[np.generic]:
        return np.float32 if self.name == "float" else np.uint8

    def _shown(self, tables: Tables, seats: np.ndarray, out: np.ndarray | None) -> Any:
        if not self.fields and self.name in ("dense", "float"):
            return np.empty((len(tables), 0), self._dtype)
        view = observe(tables, seats)
        if self.name == "packed":
            return {"sets": view.sets.T.copy(), "smalls": view.smalls.T.copy()}
        columns = view.dense(self.fields, out, self._dtype)
        if self.name == "history":
            return {"dense": columns, "history": view.history_pairs()}
        return columns

    def show_one(self, table: Table, seat: int, mask: np.ndarray) -> Any:
        """What a seat of a single table observes; mask (61,) int8."""
        if self.name in ("dense", "float") and self.fields == _ALL:  # much quicker than a view
            shown = table.dense(seat)
            if self.name == "float":
                shown = scaled(shown)
            return shown if self.flat else {"observation": shown, "action_mask": mask}
        return row_of(self.show(table.tables, np.array([seat]), mask[None]), 0)


def row_of(observations: Any, row: int) -> Any:
    """The observation of one environment out of those of many."""
    if isinstance(observations, dict):
        return {name: row_of(values, row) for name, values in observations.items()}
    return observations[row]


def dense_space(fields: tuple[str, ...] = _ALL) -> spaces.Box:
    """The space of one view's dense columns."""
    return spaces.Box(np.uint8(0), highest(fields), dtype=np.uint8)


def with_mask(space: spaces.Space[Any]) -> spaces.Space[Any]:
    """The space of what is observed with the action mask beside it."""
    mask = spaces.Box(0, 1, (N_ACTIONS,), np.int8)
    return spaces.Dict({"observation": space, "action_mask": mask})


def _float_space(fields: tuple[str, ...], rules: Rules) -> spaces.Space[Any]:
    return spaces.Box(0, 1, highest(fields).shape, np.float32)


def _packed_space(fields: tuple[str, ...], rules: Rules) -> spaces.Space[Any]:
    bounds = np.concatenate([np.tile(part.bounds, (part.rows, 1)) for part in SMALLS])
    low, high = bounds.T.astype(np.int8)
    sets = spaces.Box(np.uint64(0), np.uint64(2**52 - 1), (N_SETS,), np.uint64)
    return spaces.Dict({"sets": sets, "smalls": spaces.Box(low, high, dtype=np.int8)})


def _history_space(fields: tuple[str, ...], rules: Rules) -> spaces.Space[Any]:
    high = np.tile(np.array([NOTHING, 3], np.uint8), (history_length(rules), 1))
    history = spaces.Box(np.zeros_like(high), high, dtype=np.uint8)
    return spaces.Dict({"dense": dense_space(fields), "history": history})


_SPACES: dict[str, Callable[[tuple[str, ...], Rules], spaces.Space[Any]]] = {
    "dense": lambda fields, rules: dense_space(fields),
    "float": _float_space,
    "packed": _packed_space,
    "history": _history_space,
}
