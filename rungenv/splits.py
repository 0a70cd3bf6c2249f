"""Ways to share out unknown cards, counted and drawn suit by suit.

A set of cards is kept as its four lanes: (4, m) uint16, by suit. A split says how many cards of
each suit a hand gets, (4, m) int. Counts are exact up to the rounding of float64.
"""

from functools import cache
from math import comb

import numpy as np

BINOMIAL = np.array([[comb(n, k) for k in range(53)] for n in range(53)], np.float64)
"""(53, 53): the ways to choose k of n."""

_SMALL = BINOMIAL[:14, :14].astype(np.int64)
_LANE_SHIFT = np.array([[0], [13], [26], [39]], np.uint64)
_LANE = np.uint64(0x1FFF)


def _subsets() -> tuple[np.ndarray, np.ndarray]:
    """All subsets of 0 to 13 things by size, and where those of each size begin: (14, 14)."""
    flat: list[int] = []
    start = np.zeros((14, 14), np.int64)
    for things in range(14):
        for size in range(things + 1):
            start[things, size] = len(flat)
            flat += [word for word in range(1 << things) if word.bit_count() == size]
    return np.array(flat, np.uint16), start.ravel()


_SUBSETS, _SUBSETS_AT = _subsets()


def _deposits() -> np.ndarray:
    """(128 * 128,): the members of a 7-bit set that a 7-bit choice among them picks out."""
    table = np.zeros((128, 128), np.uint16)
    for word in range(128):
        members = [1 << i for i in range(7) if word >> i & 1]
        for choice in range(1 << len(members)):
            table[word, choice] = sum(m for i, m in enumerate(members) if choice >> i & 1)
    return table.ravel()


_DEPOSITS = _deposits()
_SEVEN = np.uint16(127)


def lanes(words: np.ndarray) -> np.ndarray:
    """Card sets as lanes: (m,) uint64 -> (4, m) uint16."""
    return (words >> _LANE_SHIFT & _LANE).astype(np.uint16)


def cards(lanes: np.ndarray) -> np.ndarray:
    """Lanes as card sets: (4, m) uint16 -> (m,) uint64."""
    return np.bitwise_or.reduce(lanes.astype(np.uint64) << _LANE_SHIFT)


def draw_cards(lanes: np.ndarray, split: np.ndarray, fractions: np.ndarray) -> np.ndarray:
    """So many cards of each suit, any as likely as another: (4, m) lanes of the cards drawn.

    fractions (4, m): even random numbers in [0, 1).
    """
    kind = np.bitwise_count(lanes).astype(np.int64) * 14 + split
    number = (fractions * _SMALL.ravel().take(kind)).astype(np.int64)
    choice = _SUBSETS.take(_SUBSETS_AT.take(kind) + number)
    low = lanes & _SEVEN
    in_low = np.bitwise_count(low)
    low_choice = choice & ((np.uint16(1) << in_low) - np.uint16(1))
    high_choice = (choice >> in_low).astype(np.int64)
    picked = _DEPOSITS.take(low.astype(np.int64) * 128 + low_choice)
    return picked | _DEPOSITS.take((lanes >> 7).astype(np.int64) * 128 + high_choice) << 7


def draw_split(sizes: np.ndarray, total: np.ndarray, fractions: np.ndarray) -> np.ndarray:
    """How many cards of each suit are among `total` of them, any as likely as another.

    sizes (4, m) int: the cards there are; total (m,) int; fractions (3, m): even random numbers in
    [0, 1); returns (4, m) int.
    """
    split = np.empty_like(sizes)
    left, wanted = sizes.sum(axis=0), total
    for suit in range(3):
        left = left - sizes[suit]
        split[suit] = draw_good(sizes[suit], left, wanted, fractions[suit])
        wanted = wanted - split[suit]
    split[3] = wanted
    return split


_OTHERS, _DRAWN = 53, 40  # so many values each can have below


@cache
def _chances() -> np.ndarray:
    """By good cards, other cards and cards drawn: the chances of at most 0 to 13 good ones.

    (14, 53, 40) times 16, in one row; of what cannot be drawn, and in the last two places, ones.
    """
    ways = np.pad(BINOMIAL, ((0, 0), (0, 14)))  # so that -1 to -13 find no way
    good, number = np.ogrid[:14, :14]
    drawn = np.arange(_DRAWN)[:, None] - number
    running = (ways[good, number][:, None, None] * ways[:_OTHERS, drawn]).cumsum(axis=-1)
    total = running[..., -1:]
    chances = np.ones((14, _OTHERS, _DRAWN, 16))
    np.divide(running, total, out=chances[..., :14], where=total > 0)
    return chances.ravel()


def draw_good(
    good: np.ndarray, others: np.ndarray, drawn: np.ndarray, fractions: np.ndarray
) -> np.ndarray:
    """How many of the cards drawn are good ones, any cards as likely as others: (m,) int64.

    good (m,), at most 13; others (m,), at most 52; drawn (m,), at most 39; fractions (m,): even
    random numbers in [0, 1). Found by halving, among the 16 chances of a row.
    """
    chances = _chances()
    start = ((good * _OTHERS + others) * _DRAWN + drawn) * 16
    place = start.copy()
    for step in (8, 4, 2, 1):
        place += step * (chances.take(place + (step - 1)) <= fractions)
    return place - start


@cache
def splits_of(total: int) -> np.ndarray:
    """Every split of so many cards, 13 of a suit at most: (4, p) int64."""
    splits = [
        (c, d, h, total - c - d - h)
        for c in range(min(total, 13) + 1)
        for d in range(min(total - c, 13) + 1)
        for h in range(min(total - c - d, 13) + 1)
    ]
    return np.array([split for split in splits if split[3] <= 13], np.int64).T


def count_splits(
    sizes: np.ndarray,
    splits: np.ndarray,
    void: np.ndarray,
    second: np.ndarray,
    weight: np.ndarray,
) -> np.ndarray:
    """In how many ways cards can be shared out among three hands, for each split of the first.

    sizes (4, m): the cards there are; splits (4, p): of the first hand; void (3, 4, m): suits of
    which a hand can have none; second (m,): what the second hand needs, the third takes the rest;
    weight (4, m, 14): by suit and number, a factor for the first hand. Returns (m, p) float64.
    """
    ways = np.ones((sizes.shape[1], splits.shape[1]))
    free, needed = np.zeros((2, *ways.shape), np.int64)
    needed += second[:, None]
    for suit in range(4):
        size, there = splits[suit][None], sizes[suit][:, None]
        ways *= np.where(void[0, suit][:, None] & (size > 0), 0, weight[suit][:, size[0]])
        ways *= BINOMIAL[np.maximum(there, 0), size] * (there >= 0)
        left = np.maximum(there - size, 0)
        neither, not_third = void[1, suit] & void[2, suit], void[2, suit] & ~void[1, suit]
        ways *= ~(neither[:, None] & (left > 0))
        free += left * ~(void[1, suit] | void[2, suit])[:, None]
        needed -= left * not_third[:, None]
    return ways * BINOMIAL[free, np.clip(needed, 0, 52)] * (needed >= 0)


def draw_index(ways: np.ndarray, fractions: np.ndarray, views: np.ndarray) -> np.ndarray:
    """n columns for each row, each as likely as it has ways: (m, p) float64 -> (m * n,) int64.

    fractions (m * n,): even random numbers in [0, 1). ValueError for a row without any ways, by the
    number of its view: views (m,).
    """
    total = ways.sum(axis=1)
    if not total.all():
        raise ValueError(f"no deal fits view {views[total == 0][0]}")
    row, column = np.nonzero(ways)
    ends = np.cumsum(np.bincount(row, minlength=len(ways)))
    share = ways[row, column] / total[row]
    running = np.concatenate([np.cumsum(part) for part in np.split(share, ends[:-1])])
    spot = np.repeat(np.arange(len(ways)), len(fractions) // len(ways))
    found = np.searchsorted(running + row, fractions + spot, side="right")
    first = np.concatenate([[0], ends[:-1]])
    return column[np.clip(found, first[spot], ends[spot] - 1)]
