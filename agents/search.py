"""Perfect-information Monte Carlo: every action tried in worlds that might be the true one.

For a decision, worlds are drawn from all deals that the view permits. Every action is carried out
in every world, and the round is played out: by a policy at all seats or, with few tricks left, by
exact play. The action that pays best on average over the worlds is chosen.
"""

import time
from collections.abc import Iterator

import numpy as np

from agents.base import Agent
from agents.candidates import candidates
from agents.endgame import solve
from agents.options import checked, described
from agents.payoffs import payoff_of
from agents.registry import make
from agents.rollouts import play_out
from agents.sampling import generator, keys
from rungenv.actions import N_ACTIONS
from rungenv.belief import worlds_of_keys
from rungenv.bits import count, lowest, unpack
from rungenv.kernel import step
from rungenv.state import Phase
from rungenv.tables import Tables
from rungenv.view import View

AT_ONCE = 1 << 14
"""Tables that are played out side by side: enough to be quick, and a few megabytes."""

_FIRST_WORLDS = 4
"""Tried before the clock is looked at, where there is one."""
_TIE = 1e-9


class Search:
    """Tries every action in worlds it may be in, and plays what pays best on average.

    worlds: how many for each decision. rollout: the agent that plays the rounds out, which also
    decides between actions that pay alike. payoff: what a round is worth, "points" or "match".
    exact: with so many tricks left or fewer, worlds are solved and not played out. seconds: for
    each decision, where fewer worlds will then do; 0 sets no limit. seed: of the worlds.
    """

    def __init__(
        self,
        worlds: int = 64,
        rollout: str = "greedy",
        payoff: str = "points",
        exact: int = 4,
        seconds: float = 0.0,
        seed: int = 0,
    ) -> None:
        self.worlds = checked("worlds", worlds, 1, 1_000_000)
        self.exact = checked("exact", exact, 0, 13)
        self.seconds = checked("seconds", seconds, 0, 1e6)
        self.seed = checked("seed", seed, 0, 2**63 - 1)
        self.payoff = payoff_of(payoff)
        self.policy: Agent = make(rollout)
        self.name = described("search", Search, locals())

    @property
    def deterministic(self) -> bool:
        """Whether a decision is a function of the view: the clock is not."""
        return self.seconds == 0

    @property
    def pairs_at_once(self) -> int:
        """Pairs of deals that an arena gives it at a time: some ten thousand worlds a decision."""
        return max(4, 2048 // self.worlds)

    def act(self, view: View, rng: np.random.Generator) -> np.ndarray:
        """(n,) int64 legal actions. Chance is drawn by the views' contents, never from `rng`."""
        started = time.monotonic()
        actions = lowest(view.legal).astype(np.int64)
        open_rows = np.flatnonzero(count(view.legal) > 1)
        if open_rows.size:
            actions[open_rows] = self._decide(view.take(open_rows), started)
        return actions

    def _decide(self, view: View, started: float) -> np.ndarray:
        preferred = self._preferred(view)
        tried = candidates(view, preferred)
        actions = lowest(tried).astype(np.int64)
        left = np.flatnonzero(count(tried) > 1)
        for rows in self._batches(left, count(tried[left])):
            deadline = started + self.seconds * (rows[-1] + 1)
            actions[rows] = self._choose(view.take(rows), tried[rows], preferred[rows], deadline)
        return actions

    def _preferred(self, view: View) -> np.ndarray:
        """What the rollout policy itself would do: (n,) int64."""
        rows = [slice(0, len(view))]
        if not is_deterministic(self.policy):
            rows = [slice(row, row + 1) for row in range(len(view))]
        asked = [(part, generator(part, self.seed)) for part in map(view.take, rows)]
        return np.concatenate([self.policy.act(*question) for question in asked])

    def _batches(self, rows: np.ndarray, actions: np.ndarray) -> Iterator[np.ndarray]:
        """Rows whose worlds fit into AT_ONCE tables, one row at least.

        A policy that leaves something to chance is given a generator of each row's own: one by one.
        """
        if not is_deterministic(self.policy):
            yield from rows[:, None]
            return
        ends = np.cumsum(actions.astype(np.int64) * self.worlds)
        start = 0
        while start < len(rows):
            before = ends[start - 1] if start else 0
            stop = max(int(np.searchsorted(ends, before + AT_ONCE, side="right")), start + 1)
            yield rows[start:stop]
            start = stop

    def _choose(
        self, view: View, tried: np.ndarray, preferred: np.ndarray, deadline: float
    ) -> np.ndarray:
        """What pays best of the actions to try, and of several such the preferred: (n,) int64."""
        row, action = np.nonzero(unpack(tried, N_ACTIONS))
        total = np.zeros(len(row))
        for worlds in self._slices(len(row), deadline):
            total += self._try(view, row, action, worlds)
        value = np.full((len(view), N_ACTIONS), -np.inf)
        value[row, action] = total
        best = value >= value.max(axis=1, keepdims=True) - _TIE
        return np.where(best[np.arange(len(view)), preferred], preferred, best.argmax(axis=1))

    def _slices(self, pairs: int, deadline: float) -> Iterator[range]:
        """The numbers of the worlds to try next, until all are tried or the time would be up."""
        most = max(AT_ONCE // pairs, 1)
        started, done = time.monotonic(), 0
        n = min(self.worlds, most, _FIRST_WORLDS if self.seconds else most)
        while n > 0:
            yield range(done, done + n)
            done += n
            n = min(self.worlds - done, most)
            if self.seconds:
                now = time.monotonic()
                affordable = (deadline - now) * done / (now - started)
                n = min(n, int(affordable / 2))

    def _try(self, view: View, row: np.ndarray, action: np.ndarray, worlds: range) -> np.ndarray:
        """What each action of a row pays the seat to act, summed over worlds: (pairs,)."""
        n = len(worlds)
        drawn = worlds_of_keys(view, keys(view, worlds, self.seed))
        world = (row[:, None] * n + np.arange(n)).ravel()
        tables = drawn.take(world)
        step(tables, np.repeat(action, n))
        ending = (view.phase == Phase.PLAY) & (view.trick_number >= 13 - self.exact)
        values = self._values(tables, world, np.repeat(ending[row], n), generator(view, self.seed))
        return values.reshape(-1, n).sum(axis=1) * np.where(view.seat[row] & 1, -1, 1)

    def _values(
        self, tables: Tables, world: np.ndarray, ending: np.ndarray, rng: np.random.Generator
    ) -> np.ndarray:
        """What the rounds come to for team 0: (n,).

        world (n,): the numbers of the worlds they are in; ending (n,): which of them to solve.
        """
        values = np.empty(len(tables))
        if ending.any():
            values[ending] = solve(tables.take(ending), self.payoff, world[ending])
        if not ending.all():
            values[~ending] = play_out(tables.take(~ending), self.policy, self.payoff, rng)
        return values


def is_deterministic(agent: Agent) -> bool:
    """Whether an agent says that its choice is a function of the view, with no chance in it."""
    return getattr(agent, "deterministic", False)
