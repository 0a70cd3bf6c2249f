"""What an agent is: something that chooses actions from views, many tables at a time."""

from typing import Protocol, runtime_checkable

import numpy as np

from rungenv.view import View


@runtime_checkable
class Agent(Protocol):
    """A player. It is given views, never tables, so it knows what a seat at the table knows.

    One decision is a batch of one. An agent keeps no memory between calls: the view holds all that
    a seat has seen, its rows may come from different tables, seats and rounds, and the next call
    may bring others. All chance comes from `rng`, so that a seed repeats a game.
    """

    name: str
    """How tables of results call it, options included: what `agents.make` makes it again from."""

    def act(self, view: View, rng: np.random.Generator) -> np.ndarray:
        """A legal action for every row: (n,) int, for a view of n rows that all are to act."""
        ...
