"""What `rung bench` times, and pytest-benchmark in tests/bench: pieces of work to repeat.

What is counted are actions of single seats: a card, a call.
"""

import importlib
import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

import numpy as np

import agents
import rungenv
from rungenv import Tables
from rungenv.bits import choose
from rungenv.registration import GAMES
from train.search_bench import prepare_decision, prepare_rollouts
from train.vector_bench import prepare_vector_env

N = 4096
"""Tables side by side."""

WORLDS = 64
"""Worlds drawn for each view."""

PIECE = 20
"""Actions at each table, or rounds at a single one, that a piece consists of."""

WAITING = 16
"""Fresh deals are made when the round is over at 1 in so many tables."""

Piece = Callable[[], int]
"""Does some work and returns how much."""


@dataclass(frozen=True)
class Workload:
    """Something to time: `prepare()` sets it up and returns the piece to repeat."""

    name: str
    prepare: Callable[[], Piece]
    unit: str = "actions/s"
    target: float | None = None


# The machine itself


def prepare_yardstick() -> Piece:
    """What numpy does here at its plainest, to compare machines by: x - (x >> 1 & c)."""
    words = np.arange(64 * N, dtype=np.uint64).reshape(64, N)
    one, fives = np.uint64(1), np.uint64(0x5555555555555555)

    def piece() -> int:
        for row in words:
            np.subtract(row, row >> one & fives)
        return 3 * words.size

    return piece


# Many tables at once


def advance(tables: Tables, rng: np.random.Generator) -> int:
    """Legal sets, flags, a uniformly random legal action at every table, and fresh deals.

    A table whose round is over waits until 1 in WAITING is, so that they are dealt together.
    Returns how many tables acted.
    """
    actions = choose(tables.legal_set, rng.random(len(tables)))
    tables.legal_mask()
    acting = int(np.count_nonzero(tables.seat >= 0))
    rungenv.step(tables, actions)
    if np.count_nonzero(tables.seat < 0) * WAITING >= len(tables):
        tables.next_round()
    return acting


def tables_out_of_step(game: str, n: int, rng: np.random.Generator) -> Tables:
    """Tables that random play has brought to all places in their rounds."""
    tables = rungenv.deal(rungenv.variant(game), n, seed=1)
    for _ in range(60):
        advance(tables, rng)
    return tables


def prepare_tables(
    game: str, look: Callable[[Tables], Any] | None = None, n: int | None = None
) -> Piece:
    """All tables (by default N) go on, and before each action `look` at them."""
    n = n or N
    rng = np.random.default_rng(0)
    tables = tables_out_of_step(game, n, rng)

    def piece() -> int:
        actions = 0
        for _ in range(PIECE):
            if look is not None:
                look(tables)
            actions += advance(tables, rng)
        return actions

    return piece


def dense_view(tables: Tables) -> np.ndarray:
    """The acting seats' views as a matrix, written into an array that is used again."""
    return rungenv.observe(tables).dense(out=_matrix(len(tables)))


@cache
def _matrix(n: int) -> np.ndarray:
    return np.empty((n, rungenv.N_FEATURES), np.uint8)


def prepare_worlds(game: str) -> Piece:
    """Worlds drawn of N / 16 views in the midst of a round, WORLDS of each at a time."""
    rng = np.random.default_rng(0)
    tables = rungenv.deal(rungenv.variant(game), max(N // 16, 1), seed=1)
    for _ in range(28):
        rungenv.step(tables, choose(tables.legal_set, rng.random(len(tables))))
    view = rungenv.observe(tables)

    def piece() -> int:
        return len(rungenv.worlds(view, WORLDS, rng))

    return piece


def prepare_agent(game: str, name: str) -> Piece:
    """Decisions of an agent alone; the views are there already."""
    rng = np.random.default_rng(0)
    tables = tables_out_of_step(game, N, rng)
    agent = agents.make(name)
    views = []
    for _ in range(PIECE):
        advance(tables, rng)
        views.append(rungenv.observe(tables))

    def piece() -> int:
        for view in views:
            agent.act(view, rng)
        return PIECE * N

    return piece


def prepare_many(game: str, **options: Any) -> Piece:
    """N environments of Gymnasium's vector form, with random players in the other seats."""
    return prepare_vector_env(game, N, **options)


# One table in PettingZoo


def prepare_aec(game: str, wrapped: bool) -> Piece:
    """The usual loop: `last()`, a random action by the mask, `step()`; to the end of rounds."""
    module, options = GAMES[game]
    environment = importlib.import_module(f"rungenv.{module}")
    env = environment.env(**options) if wrapped else environment.raw_env(**options)
    chance = random.Random(0)
    env.reset(seed=1)

    def piece() -> int:
        actions = 0
        for _ in range(PIECE):
            env.reset()
            for _ in env.agent_iter():
                observation, _, terminated, truncated, _ = env.last()
                if terminated or truncated:
                    env.step(None)
                    continue
                env.step(chance.choice(observation["action_mask"].nonzero()[0]))
                actions += 1
        return actions

    return piece


def all_of_them() -> list[Workload]:
    """Everything that is timed in pieces, with the targets for one core."""
    found = [Workload("yardstick: numpy alone", prepare_yardstick, "words/s")]
    for game in rungenv.VARIANTS:
        target = 4e6 if game == "single_sar" else 2.5e6
        found.append(Workload(f"kernel: {game}", partial(prepare_tables, game), target=target))
    for what, look, target in (
        ("packed view", rungenv.observe, 2e6),
        ("dense view", dense_view, 1e6),
    ):
        for game in rungenv.VARIANTS:
            prepare = partial(prepare_tables, game, look=look)
            found.append(Workload(f"with {what}: {game}", prepare, target=target))
    for what, target, options in (
        ("vector env", 3e5, {}),
        ("vector env, SAME_STEP", 3e5, {"autoreset_mode": "SameStep"}),
        ("vector env, self-play", None, {"controls": "all"}),
    ):
        for game in rungenv.VARIANTS:
            prepare = partial(prepare_many, game, **options)
            found.append(Workload(f"{what}: {game}", prepare, "steps/s", target))
    for game in rungenv.VARIANTS:
        found.append(Workload(f"beliefs: {game}", partial(prepare_worlds, game), "worlds/s", 2e5))
    for game in rungenv.VARIANTS:
        for agent, target in (("greedy", 6e5), ("expert", 1e5)):
            prepare = partial(prepare_agent, game, agent)
            found.append(Workload(f"{agent}: {game}", prepare, "decisions/s", target))
    for game in rungenv.VARIANTS:
        rollouts = partial(prepare_rollouts, game, N)
        found.append(Workload(f"rollouts: {game}", rollouts, "rounds/s", 25e3))
    for game in rungenv.VARIANTS:  # 60 ms for each
        alone = partial(prepare_decision, game, f"search:worlds={WORLDS}")
        found.append(Workload(f"search, one by one: {game}", alone, "decisions/s", 1 / 0.06))
    for what, wrapped, target in (("AEC, wrapped", True, 12e3), ("AEC, raw", False, 20e3)):
        for game in rungenv.VARIANTS:
            prepare = partial(prepare_aec, game, wrapped)
            found.append(Workload(f"{what}: {game}", prepare, target=target))
    return found
