"""Arguments once they are found to be what they should be, many as arrays; else ValueError."""

from typing import Any

import numpy as np

from rungenv.cards import CARD_NAMES
from rungenv.rules import Rules

MOST_TABLES = 2**31 - 1
"""In one batch."""


def whole(name: str, value: Any, low: int, high: int) -> int:
    """A whole number from `low` to `high`; ValueError for anything else."""
    if isinstance(value, np.ndarray) and value.shape == ():  # as some trainers' predict() gives
        value = value[()]
    is_whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
    if not is_whole or not low <= value <= high:
        raise ValueError(f"{name} must be a whole number from {low} to {high}, not {value!r}")
    return int(value)


def one_of(name: str, value: Any, choices: tuple[Any, ...]) -> Any:
    """One of some values; ValueError, which lists them, for any other."""
    if not any(type(value) is type(choice) and value == choice for choice in choices):
        raise ValueError(f"{name} must be one of {', '.join(map(repr, choices))}, not {value!r}")
    return value


def row_indices(rows: Any, n: int) -> np.ndarray:
    """Rows given as indices or as a mask, as distinct indices: (m,) int64; else ValueError."""
    rows = np.atleast_1d(np.asarray(rows))
    if rows.dtype == np.bool_ and rows.shape == (n,):
        return np.flatnonzero(rows)
    if rows.size == 0:
        return np.zeros(0, np.int64)
    if rows.ndim != 1 or not np.issubdtype(rows.dtype, np.integer):
        raise ValueError(f"rows must be indices or a mask of {n} tables, not {rows!r}")
    in_range = rows.min() >= 0 and rows.max() < n
    if not in_range or np.bincount(rows).max() > 1:
        raise ValueError(f"rows must be distinct and from 0 to {n - 1}, not {rows.tolist()}")
    return rows.astype(np.int64)


def as_array(name: str, value: Any) -> np.ndarray:
    """The value as an array; ValueError, naming it, for lists of uneven lengths."""
    try:
        return np.asarray(value)
    except ValueError:
        raise ValueError(f"{name} must be an array; its parts are of uneven lengths") from None


def checked_mask(name: str, value: Any, n: int) -> np.ndarray:
    """A flag for each table, (n,) bool; ValueError for anything else."""
    array = as_array(name, value)
    if array.shape != (n,) or array.dtype != np.bool_:
        raise ValueError(f"{name} must be ({n},) bool, not {array.dtype} of shape {array.shape}")
    return array


def checked_column(name: str, value: Any, n: int, low: int, high: int) -> np.ndarray:
    """One int for all tables, or one each, as (n,) int64; ValueError when out of range."""
    array = as_array(name, value)
    integral = array.dtype.kind in "iu" or all(type(v) is int for v in array.ravel().tolist())
    if not integral or array.shape not in ((), (n,)):
        raise ValueError(f"{name} must be an int or {n} of them, not {value!r}")
    wrong = np.asarray((array < low) | (array > high), np.bool_)
    if wrong.any():
        bad = np.atleast_1d(array)[np.atleast_1d(wrong)][0]
        raise ValueError(f"{name} must be from {low} to {high}, not {bad}")
    return np.broadcast_to(array, (n,)).astype(np.int64)


def checked_numbers(first_table: Any, n: int) -> np.ndarray:
    """Table numbers, given as the first or one by one: (n,) int64; else ValueError."""
    numbers = checked_column("first_table", first_table, n, 0, 2**62)
    return numbers + np.arange(n) if np.ndim(first_table) == 0 else numbers


def checked_hands(hands: Any, n: int | None = None, name: str = "hands") -> np.ndarray:
    """Explicit deals as (n, 4, 13) int8; ValueError names the table and the cards at fault."""
    array = as_array(name, hands)
    if array.ndim != 3 or array.shape[1:] != (4, 13) or (n is not None and len(array) != n):
        size = "n" if n is None else n
        raise ValueError(
            f"{name} must have shape ({size}, 4, 13), 13 cards for each seat, not {array.shape}"
        )
    if not np.issubdtype(array.dtype, np.integer):
        raise ValueError(f"{name} must be card numbers, ints from 0 to 51, not {array.dtype}")
    wrong = (array < 0) | (array > 51)
    if wrong.any():
        table = np.argwhere(wrong)[0][0]
        raise ValueError(f"{name}, table {table}: {array[wrong][0]} is no card; cards are 0 to 51")
    copies = np.stack([(array == card).sum(axis=(1, 2)) for card in range(52)], axis=1)
    if (copies != 1).any():
        table = int(np.argwhere(copies != 1)[0][0])
        twice = " ".join(CARD_NAMES[card] for card in np.flatnonzero(copies[table] > 1))
        missing = " ".join(CARD_NAMES[card] for card in np.flatnonzero(copies[table] == 0))
        raise ValueError(f"{name}, table {table}: more than once: {twice}; missing: {missing}")
    return array.astype(np.int8)


def checked_redeals(redeals: Any, n: int) -> np.ndarray:
    """The next deals of n tables as (n, k, 4, 13) int8; ValueError for what is wrong with one."""
    array = as_array("redeals", redeals)
    if array.ndim != 4 or array.shape[0] != n or not array.shape[1] or array.shape[2:] != (4, 13):
        raise ValueError(
            f"redeals must have shape ({n}, k, 4, 13), k at least 1, not {array.shape}"
        )
    return np.stack(
        [checked_hands(deals, n, f"redeals {i}") for i, deals in enumerate(array.swapaxes(0, 1))],
        axis=1,
    )


def checked_rules(rules: Rules) -> Rules:
    """The same Rules; ValueError for what are none."""
    if not isinstance(rules, Rules):
        raise ValueError(f"rules must be Rules, as rungenv.variant makes them, not {rules!r}")
    return rules
