"""Random numbers that a key decides: the same for one world alone as among thousands.

As with deals (`dealing.py`) there is no generator with a state. A number is a hash of the key of
the world that it is for, of its use, and of its place among the numbers of that use.
"""

from enum import IntEnum, auto

import numpy as np

from rungenv.dealing import GAMMA, mix


class Use(IntEnum):
    """What a number is for. Numbers of different uses have nothing to do with one another."""

    OWN_SPLIT = auto()
    OWN_CARDS = auto()
    DOWN_SPLIT = auto()
    DOWN_CARD = auto()
    FIRST_SPLIT = auto()
    FIRST_CARDS = auto()
    SECOND_SPLIT = auto()
    SECOND_CARDS = auto()
    PLACE = auto()
    EARLY_PLACES = auto()
    ORDER = auto()
    LAID = auto()
    LAID_FIRST = auto()
    SEED = auto()


_PLACES = 1 << 20
"""Numbers of one use."""


class Draws:
    """Random numbers for m worlds, by their keys: (m,) uint64."""

    def __init__(self, keys: np.ndarray) -> None:
        self.keys = keys

    def of(self, worlds: np.ndarray | slice) -> "Draws":
        """The same for some of the worlds: they get what they would get among all."""
        return Draws(self.keys[worlds])

    def words(self, use: Use, places: np.ndarray | int = 0) -> np.ndarray:
        """64 random bits each: uint64 of the shape of places, which must fit (m,), and the keys."""
        counter = np.asarray(use * _PLACES + places, np.uint64)
        return mix(mix(self.keys + GAMMA) + counter * GAMMA)

    def fractions(self, use: Use, places: np.ndarray | int = 0) -> np.ndarray:
        """Even numbers from 0 to below 1, float64, of the same shape as the words."""
        return (self.words(use, places) >> np.uint64(12)) * 2.0**-52
