"""The cheat: it sees all hands. No rating counts it; it shows how much the hidden cards are worth.

It is no `Agent`, for it is shown tables and not views: `agents.base.SeesAllHands`.
"""

import numpy as np

from agents.double_dummy import DoubleDummy
from agents.options import described
from rungenv.tables import Tables
from rungenv.view import View, observe


class Peek(DoubleDummy):
    """CHEATS: sees all hands. An upper mark for others, not a player; no rating counts it.

    Solves the true deal as `double_dummy` does its worlds; the options are as there.
    """

    def __init__(
        self, rollout: str = "greedy", payoff: str = "points", exact: int = 5, seed: int = 0
    ) -> None:
        super().__init__(1, rollout, payoff, exact, 0.0, caution=0.0, seed=seed)
        self.name = described("peek", Peek, locals())

    def act(self, view: View, rng: np.random.Generator) -> np.ndarray:
        """TypeError: what a seat may know is not what this agent plays by."""
        raise TypeError("peek sees all hands: act_on_tables(tables, rng) asks it, and no view does")

    def act_on_tables(self, tables: Tables, rng: np.random.Generator) -> np.ndarray:
        """(n,) int64 legal actions for the seats to act, by the tables themselves."""
        return self._answer(observe(tables), lambda rows, numbers: tables.take(rows))
