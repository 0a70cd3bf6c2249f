"""Perfect-information Monte Carlo: every action tried in worlds that might be the true one.

For a decision, worlds are drawn from all deals that the view permits. Every action is carried out
in every world, and the round is played out: by a policy at all seats or, with few tricks left, by
exact play. The action that pays best on average over the worlds is chosen.

A few worlds tell little about a round that has barely begun, and the best of many doubtful means is
often just the luckiest. So what a good player would do without any search has the benefit of the
doubt: another action must pay more by some standard errors of the difference, world by world.
"""

import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from agents.base import Agent
from agents.candidates import candidates
from agents.chances import chances, check_has_chances, is_deterministic
from agents.endgame import solve
from agents.options import checked, described
from agents.payoffs import payoff_of
from agents.registry import make
from agents.rollouts import play_out
from agents.sampling import generator, keys
from agents.weighing import likely_worlds
from rungenv.actions import N_ACTIONS
from rungenv.belief import worlds_of_keys
from rungenv.bits import BIT, count, lowest, pack, unpack
from rungenv.kernel import step
from rungenv.state import Phase
from rungenv.tables import Tables
from rungenv.view import View

AT_ONCE = 1 << 14
"""Tables that are played out side by side: enough to be quick, and a few megabytes."""

_FIRST_WORLDS = 4
"""Tried before the clock is looked at, where there is one."""
_TO_CHOOSE_FROM = 4
"""Worlds drawn for each that is kept, where they are weighed."""
_TIE = 1e-9

Source = Callable[[np.ndarray, range], Tables]
"""From some rows of a view and numbers of worlds to those worlds, a row's side by side."""


class Search:
    """Tries every action in worlds it may be in, and plays what pays best on average.

    worlds: how many for each decision. rollout: the agent that plays the rounds out. payoff: what a
    round is worth, "points" or "match" (the chance to win the match). exact: with so many tricks
    left or fewer, worlds are solved and not played out. seconds: for each decision, where fewer
    worlds will then do; 0 sets no limit. prior: an agent, or None for the one that plays the rounds
    out; what it likes best is done unless something else pays more by `caution` standard errors,
    and a network's least likely actions, below `prune`, are not tried. weights: an agent; worlds
    are chosen the more likely, the more likely it would have acted there as the others did. seed:
    of the worlds.
    """

    def __init__(
        self,
        worlds: int = 64,
        rollout: str = "greedy",
        payoff: str = "points",
        exact: int = 4,
        seconds: float = 0.0,
        prior: str | None = "expert",
        caution: float = 2.0,
        prune: float = 0.02,
        weights: str | None = None,
        seed: int = 0,
    ) -> None:
        self.worlds = checked("worlds", worlds, 1, 1_000_000)
        self.exact = checked("exact", exact, 0, 13)
        self.seconds = checked("seconds", seconds, 0.0, 1e6)
        self.caution = checked("caution", caution, 0.0, 10.0)
        self.prune = checked("prune", prune, 0.0, 0.5)
        self.seed = checked("seed", seed, 0, 2**63 - 1)
        self.payoff = payoff_of(payoff)
        self.policy: Agent = make(rollout)
        self.prior = None if prior is None else make(prior)
        self.weights = None if weights is None else make(weights)
        for option, agent in (("prior", self.prior), ("weights", self.weights)):
            check_has_chances(option, agent)
        self.name = described("search", Search, locals())

    @classmethod
    def by(cls, policy: Agent, **options: Any) -> "Search":
        """One that has an agent, which need not have a name of its own, for prior and rollouts."""
        check_has_chances("prior", policy)
        search = cls(**options, prior=None)
        search.policy = search.prior = policy
        search.name = f"{search.name} by {policy.name}"
        return search

    @property
    def made_of(self) -> tuple[Agent, ...]:
        """The agents that it asks."""
        asked = (self.policy, self.prior, self.weights)
        return tuple(agent for agent in asked if agent is not None)

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

        def source(rows: np.ndarray, numbers: range) -> Tables:
            part = view.take(rows)
            if self.weights is None:
                return worlds_of_keys(part, keys(part, numbers, self.seed))
            start, stop = numbers.start * _TO_CHOOSE_FROM, numbers.stop * _TO_CHOOSE_FROM
            drawn = worlds_of_keys(part, keys(part, range(start, stop), self.seed))
            return likely_worlds(part, drawn, self.weights, len(numbers))

        return self._answer(view, source)

    def _answer(self, view: View, source: Source) -> np.ndarray:
        started = time.monotonic()
        actions = lowest(view.legal).astype(np.int64)
        rows = np.flatnonzero(count(view.legal) > 1)
        if not rows.size:
            return actions
        choosing = view.take(rows)
        liked = self._liked(choosing)
        favourite = np.zeros(len(view), np.int64)
        favourite[rows] = np.where(choosing.legal_mask(), liked, -1).argmax(axis=1)
        tried = np.zeros(len(view), np.uint64)
        tried[rows] = self._to_try(choosing, liked, favourite[rows])
        actions[rows] = lowest(tried[rows])
        rows = rows[count(tried[rows]) > 1]
        done = 0
        for batch in self._batches(rows, count(tried[rows])):
            done += len(batch)
            deadline = started + self.seconds * done
            worth = self._worth(view, source, batch, tried[batch], favourite[batch], deadline)
            worth[np.arange(len(batch)), favourite[batch]] += _TIE
            actions[batch] = worth.argmax(axis=1)
        return actions

    def _liked(self, view: View) -> np.ndarray:
        """How much each action is liked before all search, 0 to 1: (n, 61)."""
        if self.prior is not None:
            return chances(self.prior, view)
        rows = [slice(0, len(view))]
        if not is_deterministic(self.policy):
            rows = [slice(row, row + 1) for row in range(len(view))]
        asked = [(part, generator(part, self.seed)) for part in map(view.take, rows)]
        actions = np.concatenate([self.policy.act(*question) for question in asked])
        return np.eye(N_ACTIONS)[actions]

    def _to_try(self, view: View, liked: np.ndarray, favourite: np.ndarray) -> np.ndarray:
        """The actions to try: (n,) uint64 sets."""
        tried = candidates(view, favourite) | BIT[favourite]
        if not hasattr(self.prior, "chances"):
            return tried  # what it does not do it may like almost as much
        pruned = tried & pack(liked >= self.prune)
        return pruned | BIT[favourite]

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

    def _worth(
        self,
        view: View,
        source: Source,
        rows: np.ndarray,
        tried: np.ndarray,
        favourite: np.ndarray,
        deadline: float,
    ) -> np.ndarray:
        """By how much each action surely pays more than the favourite: (rows, 61), -inf untried.

        That is the mean difference over the worlds, less `caution` times its standard error. Where
        worlds are solved, and none speaks against an action, there is nothing to doubt.
        """
        row, action = np.nonzero(unpack(tried, N_ACTIONS))
        favoured = np.flatnonzero(action == favourite[row])  # one in each row, in order
        view = view.take(rows)
        total, squares, least = np.zeros((3, len(row)))
        worlds = 0
        for numbers in self._slices(len(row), deadline):
            paid = self._try(view, source(rows, numbers), row, action)
            more = paid - paid[favoured][row]
            total += more.sum(axis=1)
            squares += (more**2).sum(axis=1)
            least = np.minimum(least, more.min(axis=1))
            worlds += len(numbers)
        mean = total / worlds
        error = np.sqrt(np.maximum(squares / worlds - mean**2, 0) / worlds)
        doubtful = ~self._solves(view)[row] | (least < 0)
        worth = np.full((len(rows), N_ACTIONS), -np.inf)
        worth[row, action] = mean - self.caution * error * doubtful
        return worth

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

    def _solves(self, view: View) -> np.ndarray:
        """Which rows are endings to be solved: (n,) bool."""
        return (view.phase == Phase.PLAY) & (view.trick_number >= 13 - self.exact)

    def _try(self, view: View, drawn: Tables, row: np.ndarray, action: np.ndarray) -> np.ndarray:
        """What actions of rows pay the seat to act in each of the row's worlds: (pairs, worlds)."""
        n = len(drawn) // len(view)
        world = (row[:, None] * n + np.arange(n)).ravel()
        tables = drawn.take(world)
        step(tables, np.repeat(action, n))
        solved = np.repeat(self._solves(view)[row], n)
        paid = np.empty(len(tables))
        if solved.any():
            paid[solved] = solve(tables.take(solved), self.payoff, world[solved])
        if not solved.all():
            rng = generator(view, self.seed)
            paid[~solved] = play_out(tables.take(~solved), self.policy, self.payoff, rng)
        return paid.reshape(-1, n) * np.where(view.seat[row] & 1, -1, 1)[:, None]
