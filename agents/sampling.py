"""Worlds for the decisions of a search, each decision's drawn by a generator of its own.

The generator is seeded by a hash of the view: of what the seat may know, and nothing else. So a
decision is a function of the view, the same for a table alone as in any batch, and two seats that
know the same draw the same worlds. That biases nothing, for among the deals that one view permits
the hash does not tell the true one from the others.
"""

from collections.abc import Sequence
from hashlib import blake2b

import numpy as np

from rungenv.belief import worlds
from rungenv.tables import Tables
from rungenv.view import View


def generators(view: View, seed: int) -> list[np.random.Generator]:
    """A generator for each row, by the row's contents and the seed."""
    sets, smalls = np.ascontiguousarray(view.sets.T), np.ascontiguousarray(view.smalls.T)
    return [
        np.random.default_rng(_hash(seed, *parts))
        for parts in zip(view.seat, sets, smalls, view.history, strict=True)
    ]


def _hash(seed: int, *parts: np.ndarray) -> int:
    digest = blake2b(digest_size=16, key=str(seed).encode())
    for part in parts:
        digest.update(part.tobytes())
    return int.from_bytes(digest.digest(), "little")


def draw(view: View, n: int, generators: Sequence[np.random.Generator]) -> Tables:
    """n worlds for each row by its own generator, as `rungenv.belief.worlds` gives them."""
    if len(view) == 1:
        return worlds(view, n, generators[0])
    drawn = Tables(view.rules, len(view) * n)
    for row, rng in enumerate(generators):
        drawn.put(slice(row * n, row * n + n), worlds(view.take(slice(row, row + 1)), n, rng))
    return drawn
