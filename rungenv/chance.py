"""Chance for players: generators that keep their seed to themselves.

A generator of numpy tells its seed to whoever holds it (`bit_generator.seed_seq.entropy`). Where
that is the seed of the deals, a player could deal itself all the hands. So what players are handed
is seeded with a hash, from which nothing leads back.
"""

import hashlib
import operator

import numpy as np


def sealed_generator(*numbers: int) -> np.random.Generator:
    """A generator that depends on these whole numbers and does not give them away.

    >>> sealed_generator(7, 0).random() == sealed_generator(7, 0).random()
    True
    """
    text = " ".join(str(operator.index(number)) for number in numbers)
    digest = hashlib.sha256(f"rungenv player {text}".encode()).digest()
    return np.random.default_rng(int.from_bytes(digest, "big"))
