"""Worlds for the decisions of a search, drawn by keys that are a hash of what the seat may know.

So a decision is a function of the view, the same for a table alone as in any batch, and no chance
is taken from anybody. Nothing leaks by this, as the hash is of the view and nothing else; and it
biases nothing, for among the deals that a view permits it does not favour the true one.
"""

from hashlib import blake2b

import numpy as np

from rungenv.view import View


def keys(view: View, worlds: range, seed: int) -> np.ndarray:
    """Keys of each row's worlds of these numbers: (rows, worlds) uint64.

    They depend on the row's contents, the seed and the world's number.
    """
    return _hashes(view, seed)[:, None] + np.arange(worlds.start, worlds.stop, dtype=np.uint64)


def generator(view: View, seed: int) -> np.random.Generator:
    """A generator for a view of one row, by its contents and the seed; of several, the first's."""
    return np.random.default_rng(int(_hashes(view.take(slice(0, 1)), seed)[0]))


def _hashes(view: View, seed: int) -> np.ndarray:
    salt = str(seed).encode()
    columns = (view.seat, *map(np.ascontiguousarray, (view.sets.T, view.smalls.T, view.history)))
    rows = zip(*columns, strict=True)
    digests = [blake2b(b"".join(map(bytes, row)), digest_size=8, key=salt).digest() for row in rows]
    return np.array([int.from_bytes(digest, "little") for digest in digests], np.uint64)
