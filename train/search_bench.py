"""What `rung bench` times of the agents that search: rollouts in a batch, and single decisions.

Both begin where six tricks have been played and the seat to act leads the next, about 28 cards to
go. What is played up to there, and the rollouts, is greedy.
"""

from collections.abc import Callable

import numpy as np

import agents
import rungenv
from agents.payoffs import points
from agents.rollouts import play_out
from rungenv import Tables
from rungenv.bits import count
from train.moments import find_moments

TRICKS_PLAYED = 6

DECISIONS = 24
"""Single decisions that a piece consists of."""


def mid_round(game: str, n: int) -> Tables:
    """n tables at which so many tricks have been played and the seat to act has a choice."""

    def is_there(tables: Tables) -> np.ndarray:
        return (tables.trick_number == TRICKS_PLAYED) & (count(tables.legal_set) > 1)

    rules = rungenv.variant(game)
    # Twice as many: not every round lasts so long.
    return find_moments(rules, agents.make("greedy"), is_there, 2 * n, seed=1).take(np.arange(n))


def prepare_rollouts(game: str, n: int) -> Callable[[], int]:
    """Rounds played out from n tables at once, `greedy` at all seats."""
    tables, greedy, rng = mid_round(game, n), agents.make("greedy"), np.random.default_rng(0)

    def piece() -> int:
        return len(play_out(tables.copy(), greedy, points, rng))

    return piece


def prepare_decision(game: str, name: str) -> Callable[[], int]:
    """Decisions of an agent that is asked about one table at a time."""
    tables, agent, rng = mid_round(game, DECISIONS), agents.make(name), np.random.default_rng(0)
    views = [rungenv.observe(tables.take(np.array([row]))) for row in range(len(tables))]

    def piece() -> int:
        for view in views:
            agent.act(view, rng)
        return len(views)

    return piece
