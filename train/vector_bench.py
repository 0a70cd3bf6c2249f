"""What `rung bench` times of the vector environment, and where its time goes.

What is counted are decisions of the caller; the actions of the others, and the steps in which an
environment merely resets, are work and no result.
"""

import cProfile
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from rungenv import kernel, packing, view
from rungenv.bits import choose
from rungenv.players import Player
from rungenv.tables import Tables
from rungenv.vector_env import RungVectorEnv
from train.profiling import Functions, seconds_by_part

STEPS = 20
"""Steps that a piece of work consists of."""


def prepare_vector_env(game: str, n: int, **options: Any) -> Callable[[], int]:
    """Steps of n environments, all decisions at random; each piece returns how many there were."""
    env, rng = RungVectorEnv(game, n, copy=False, **options), np.random.default_rng(0)
    env.reset(seed=1)

    def piece() -> int:
        decisions = 0
        for _ in range(STEPS):
            legal = env.legal()
            decisions += int(np.count_nonzero(legal))
            env.step(choose(legal, rng.random(n)))
        return decisions

    piece()  # by then the environments are out of step with one another
    piece()
    return piece


def share_of_allowed(
    env: Callable[[], int], tables: Callable[[], int], views: Callable[[], int], repeats: int
) -> float:
    """How fast the environment is, measured by what the kernel's own speed allows: 1 is all.

    The kernel allows a decision in the time of four actions, one with its dense view. The three are
    timed by turns, so that a machine that is busy at times is as busy with each.
    """
    rates = np.array([[_rate(piece) for piece in (env, tables, views)] for _ in range(repeats)])
    own, plain, seen = (statistics.median(column) for column in rates.T.tolist())
    return own * (3 / plain + 1 / seen)


def _rate(piece: Callable[[], int]) -> float:
    started = time.process_time()
    done = piece()
    return done / (time.process_time() - started)


_PARTS: dict[str, Functions] = {
    "kernel": (kernel.step,),
    "others' choices": (Player.answer,),
    "deals": (Tables.new_match,),
    "views": (view.observe,),
    "dense columns": (packing.dense,),
}


def shares(piece: Callable[[], int]) -> dict[str, float]:
    """What parts of the environment take of its time, from 0 to 1, as a profiler sees it."""
    profile = cProfile.Profile(time.process_time)
    profile.runcall(piece)
    seconds = seconds_by_part(profile, _PARTS)
    whole = sum(seconds.values())
    return {name: part / whole for name, part in seconds.items()}
