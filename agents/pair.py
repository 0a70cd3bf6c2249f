"""A team of two different agents: to see whether one plays well beside others than itself."""

from typing import Any

import numpy as np

from agents.base import Agent, AgentFailure, SeesAllHands
from agents.chances import is_deterministic
from rungenv.view import View

PREFIX = "pair:"


def split(name: str) -> tuple[str, str] | None:
    """The two agents of a name like "pair:greedy+expert"; None for the name of anything else.

    It is split at its first +, so an agent that has one in its own name comes second. ValueError
    where there are no two.

    >>> split("pair:greedy+search:worlds=16")
    ('greedy', 'search:worlds=16')
    """
    if not name.startswith(PREFIX):
        return None
    first, plus, second = name.removeprefix(PREFIX).partition("+")
    if not (first and plus and second):
        raise ValueError(f"a team of two is written {PREFIX}AGENT+AGENT, not {name!r}")
    return first, second


class Pair:
    """One agent plays seats 0 and 1, another seats 2 and 3: each team has one of both.

    As seats 0 and 1 are eldest hand as often as their partners are, both sit everywhere alike.
    """

    def __init__(self, first: Agent, second: Agent) -> None:
        for agent in (first, second):
            if isinstance(agent, SeesAllHands):
                raise ValueError(f"{agent.name} sees all hands, and has no place in a team of two")
        self.agents: tuple[Any, Any] = (first, second)
        self.name = f"{PREFIX}{first.name}+{second.name}"
        few = [agent.pairs_at_once for agent in self.agents if hasattr(agent, "pairs_at_once")]
        if few:
            self.pairs_at_once = min(few)

    @property
    def made_of(self) -> tuple[Agent, ...]:
        """The agents that it asks."""
        return self.agents

    @property
    def deterministic(self) -> bool:
        """Whether neither leaves anything to chance."""
        return all(map(is_deterministic, self.agents))

    def act(self, view: View, rng: np.random.Generator) -> np.ndarray:
        """(n,) int64 legal actions, each of the agent whose seat it is."""
        actions = np.zeros(len(view), np.int64)
        for half, agent in enumerate(self.agents):
            rows = np.flatnonzero(view.seat >> 1 == half)
            if rows.size:
                actions[rows] = self._asked(agent, view.take(rows), rng)
        return actions

    def _asked(self, agent: Agent, view: View, rng: np.random.Generator) -> np.ndarray:
        try:
            return agent.act(view, rng)
        except AgentFailure as failure:  # of a row that means nothing outside
            raise type(failure)(self.name, f"has {failure}") from failure
