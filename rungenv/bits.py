"""Sets of small numbers as 64-bit words: bit `i` of a word says whether `i` is in the set.

What takes a set apart, counts it or chooses from it is here; lanes of suits and the like are in
`cards.py`. The functions work on arrays of words, row by row, and never change their arguments.
"""

import numpy as np

BIT = np.uint64(1) << np.arange(64, dtype=np.uint64)
"""(64,) uint64: the set holding just `i`."""

EMPTY = np.uint64(0)
_ONE, _THREE, _EIGHT = np.uint64(1), np.uint64(3), np.uint64(8)

_EVERY_BYTE = np.uint64(0x0101010101010101)
_TOP_OF_BYTE = np.uint64(0x8080808080808080)
_BYTE = np.uint64(0xFF)


def members(word: int | np.uint64) -> list[int]:
    """The members of one set, ascending.

    >>> members(0b10010)
    [1, 4]
    """
    word = int(word)
    return [i for i in range(64) if word >> i & 1]


def union(numbers: np.ndarray) -> np.ndarray:
    """The set of the distinct numbers along the last axis: (..., k) int -> (...) uint64."""
    return (_ONE << numbers.astype(np.uint64)).sum(axis=-1)


def count(words: np.ndarray) -> np.ndarray:
    """How many members each set has: (n,) uint64 -> (n,) uint8."""
    return np.bitwise_count(words)


def unpack(words: np.ndarray, width: int) -> np.ndarray:
    """Membership as flags: (n,) uint64 -> (n, width) bool, column `i` for number `i`."""
    flags = np.unpackbits(np.ascontiguousarray(words, "<u8").view(np.uint8), bitorder="little")
    return flags.view(np.bool_).reshape(len(words), 64)[:, :width]


def pack(flags: np.ndarray) -> np.ndarray:
    """The sets of flags, what `unpack` undoes: (n, width) bool -> (n,) uint64."""
    return (flags * BIT[: flags.shape[1]]).sum(axis=1, dtype=np.uint64)


def lowest(words: np.ndarray) -> np.ndarray:
    """The smallest member of each set, 64 for an empty one: (n,) uint64 -> (n,) uint8."""
    return np.bitwise_count(~words & (words - np.uint64(1)))


def _byte_ranks() -> np.ndarray:
    """(256 * 8,) uint8: for each byte value and k, the position of the byte's k-th set bit."""
    table = np.zeros((256, 8), np.uint8)
    for value in range(256):
        places = members(value)
        table[value, : len(places)] = places
    return table.ravel()


_BYTE_RANKS = _byte_ranks()


def nth(words: np.ndarray, n: np.ndarray) -> np.ndarray:
    """The n-th smallest member of each set, counting from 0.

    words (m,) uint64; n (m,) int with 0 <= n < count(words); returns (m,) int64. Finds the byte
    by running counts of the eight bytes, all in one word, then the place in it by a table.

    >>> nth(np.array([0b10010], np.uint64), np.array([1])).tolist()
    [4]
    """
    n = n.astype(np.uint64)
    per_byte = np.bitwise_count(np.ascontiguousarray(words, "<u8").view(np.uint8)).view("<u8")
    running = per_byte * _EVERY_BYTE
    reached = ((running | _TOP_OF_BYTE) - (n + _ONE) * _EVERY_BYTE) & _TOP_OF_BYTE
    first_bit = (np.uint8(8) - np.bitwise_count(reached)) << np.uint8(3)
    shift = first_bit.astype(np.uint64)
    before = ((running << _EIGHT) >> shift) & _BYTE
    byte = (words >> shift) & _BYTE
    place = (byte << _THREE) + (n - before)
    return (_BYTE_RANKS.take(place.view(np.int64)) + first_bit).astype(np.int64)


def choose(words: np.ndarray, fractions: np.ndarray) -> np.ndarray:
    """A member of each set, uniform when the fractions are.

    words (n,) uint64; fractions (n,) float in [0, 1); returns (n,) int64, and 0 for empty sets.
    """
    size = np.bitwise_count(words)
    if not size.all():
        return choose(words + (size == 0), fractions)
    return nth(words, (fractions * size).astype(np.int64))
