"""Arithmetic that means the same for a column of N tables and for the plain int of one.

The play of the cards and the view are written once, in these terms and in common operators. On
arrays they run for N tables at a time; on ints, for one table, they are ten times quicker than on
arrays of one element. Flags are bool arrays, or bools; numbers are integer arrays, or ints.
"""

from typing import Any

import numpy as np

Values = Any
"""An (n,) array, or the int or bool of one table."""


class Lookup:
    """A table to look up values in; -1 finds the last entry, as ever in Python."""

    def __init__(self, values: Any, dtype: type[np.generic]) -> None:
        self.array = np.asarray(values).astype(dtype)
        self.ints = tuple(self.array.tolist())

    def __getitem__(self, index: Values) -> Values:
        if type(index) is int:
            return self.ints[index]
        return self.array[index] if self.array.itemsize == 8 else self.array.take(index)


def select(condition: Values, yes: Values, no: Values) -> Values:
    """One or the other, table by table."""
    if type(condition) is bool:
        return yes if condition else no
    return np.where(condition, yes, no)


def larger(a: Values, b: Values) -> Values:
    """The larger of two numbers."""
    return max(a, b) if type(a) is int else np.maximum(a, b)


def smaller(a: Values, b: Values) -> Values:
    """The smaller of two numbers."""
    return min(a, b) if type(a) is int else np.minimum(a, b)


def bit_count(words: Values) -> Values:
    """How many bits are set."""
    return words.bit_count() if type(words) is int else np.bitwise_count(words)


def some(flags: Values) -> bool:
    """Whether a flag is set at any table."""
    return flags if type(flags) is bool else bool(flags.any())


def unless(flags: Values) -> Values:
    """The opposite flags."""
    return not flags if type(flags) is bool else ~flags


def number(flags: Values) -> Values:
    """Flags as numbers: 1 where set, else 0."""
    return int(flags) if type(flags) is bool else flags.view(np.int8)
