"""What an agent is: something that chooses actions from views, many tables at a time."""

from typing import Protocol, runtime_checkable

import numpy as np

from rungenv.tables import Tables
from rungenv.view import View


@runtime_checkable
class Agent(Protocol):
    """A player. It is given views, never tables, so it knows what a seat at the table knows.

    One decision is a batch of one. An agent keeps no memory between calls: the view holds all that
    a seat has seen, its rows may come from different tables, seats and rounds, and the next call
    may bring others. All chance comes from `rng`, so that a seed repeats a game. An agent that
    leaves nothing to chance may say so by an attribute `deterministic` that is true: a search then
    has it play out the worlds of many decisions at once. One that takes long may say by an
    attribute `pairs_at_once` how many pairs of deals an arena gives it at a time. One that plays
    some games only says by an attribute `trained_for` the rules of each, and one that asks other
    agents has them in `made_of` (`agents/axes.py`).
    """

    name: str
    """How tables of results call it, options included: what `agents.make` makes it again from."""

    def act(self, view: View, rng: np.random.Generator) -> np.ndarray:
        """A legal action for every row: (n,) int, for a view of n rows that all are to act."""
        ...


@runtime_checkable
class SeesAllHands(Protocol):
    """What cheats: it is shown the tables, every hand open. No player, but a mark to measure by.

    It is asked only where somebody allows that in so many words; `act` must refuse a view.
    """

    name: str

    def act_on_tables(self, tables: Tables, rng: np.random.Generator) -> np.ndarray:
        """A legal action for every table: (n,) int, for tables whose rounds are not over."""
        ...


class AgentFailure(RuntimeError):
    """An agent gave no action that counts: it broke, ended, or answered what is none.

    agent: its name. reason: what happened, in words; it may have several lines, the first of them
    enough by itself. row: the row of the view that it failed at, None if that is not known.
    answered: its legal actions for the rows before that one, (row,) int64, so that whoever goes on
    without the row need not ask for these again. Without them the row is not known either.
    """

    def __init__(
        self,
        agent: str,
        reason: str,
        row: int | None = None,
        answered: np.ndarray | None = None,
    ) -> None:
        answered = np.zeros(0, np.int64) if answered is None else answered
        if row is not None and len(answered) != row:  # those before it must be asked for again
            row, answered = None, answered[:0]
        super().__init__(agent, reason, row)
        self.agent = agent
        self.reason = reason
        self.row = row
        self.answered = answered

    def __str__(self) -> str:
        return f"{self.agent} {self.reason}"

    def __reduce__(self) -> tuple[type, tuple[str, str, int | None, np.ndarray]]:
        return type(self), (self.agent, self.reason, self.row, self.answered)


class NotStarted(AgentFailure):
    """An agent that has not even begun: to ask it again would take as long and bring as little."""


class OutOfTime(AgentFailure):
    """An agent took longer over a decision than it may; for a call R2 has an answer to that."""
