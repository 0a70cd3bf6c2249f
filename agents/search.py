"""Perfect-information Monte Carlo: every action tried in worlds that might be the true one.

For a decision, worlds are drawn from all deals that the view permits. Every action is carried out
in every world, and the round is played out: by a policy at all seats or, with few tricks left, by
exact play. The action that pays best on average over the worlds is chosen.
"""

import time
from collections.abc import Callable, Iterator

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
from rungenv.bits import BIT, count, lowest, unpack
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

    worlds: how many for each decision. rollout: the agent that plays the rounds out, which also
    decides between actions that pay alike. payoff: what a round is worth, "points" or "match"
    (the chance to win the match). exact: with so many tricks left or fewer, worlds are solved and
    not played out. seconds: for each decision, where fewer worlds will then do; 0 sets no limit.
    prior: an agent whose chances decide between actions that pay alike, and that leaves out those
    to which it gives less than `prune`. weights: an agent; worlds are chosen the more likely, the
    more likely it would have acted there as the others did. seed: of the worlds.
    """

    def __init__(
        self,
        worlds: int = 64,
        rollout: str = "greedy",
        payoff: str = "points",
        exact: int = 4,
        seconds: float = 0.0,
        prior: str = "",
        prune: float = 0.02,
        weights: str = "",
        seed: int = 0,
    ) -> None:
        self.worlds = checked("worlds", worlds, 1, 1_000_000)
        self.exact = checked("exact", exact, 0, 13)
        self.seconds = checked("seconds", seconds, 0.0, 1e6)
        self.prune = checked("prune", prune, 0.0, 0.5)
        self.seed = checked("seed", seed, 0, 2**63 - 1)
        self.payoff = payoff_of(payoff)
        self.policy: Agent = make(rollout)
        self.prior = make(prior) if prior else None
        self.weights = make(weights) if weights else None
        for option, agent in (("prior", self.prior), ("weights", self.weights)):
            check_has_chances(option, agent)
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
        liked = self._liked(view.take(rows))
        liking = np.zeros((len(view), N_ACTIONS))
        liking[rows] = liked
        tried = np.zeros(len(view), np.uint64)
        tried[rows] = self._to_try(view.take(rows), liked)
        actions[rows] = lowest(tried[rows])
        rows = rows[count(tried[rows]) > 1]
        done = 0
        for batch in self._batches(rows, count(tried[rows])):
            done += len(batch)
            deadline = started + self.seconds * done
            value = self._values(view, source, batch, tried[batch], deadline)
            best = value >= value.max(axis=1, keepdims=True) - _TIE
            actions[batch] = np.where(best, liking[batch], -1).argmax(axis=1)
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

    def _to_try(self, view: View, liked: np.ndarray) -> np.ndarray:
        """The actions to try: (n,) uint64 sets."""
        favourite = np.where(view.legal_mask(), liked, -1).argmax(axis=1)
        tried = candidates(view, favourite)
        if self.prior is None:
            return tried
        pruned = tried & (BIT[:N_ACTIONS] * (liked >= self.prune)).sum(axis=1, dtype=np.uint64)
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

    def _values(
        self, view: View, source: Source, rows: np.ndarray, tried: np.ndarray, deadline: float
    ) -> np.ndarray:
        """What each action pays in all worlds together: (rows, 61), -inf where it is not tried."""
        row, action = np.nonzero(unpack(tried, N_ACTIONS))
        view = view.take(rows)
        total = np.zeros(len(row))
        for numbers in self._slices(len(row), deadline):
            total += self._try(view, source(rows, numbers), row, action)
        value = np.full((len(rows), N_ACTIONS), -np.inf)
        value[row, action] = total
        return value

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

    def _try(self, view: View, drawn: Tables, row: np.ndarray, action: np.ndarray) -> np.ndarray:
        """What actions of rows pay the seat to act, summed over the row's worlds: (pairs,)."""
        n = len(drawn) // len(view)
        world = (row[:, None] * n + np.arange(n)).ravel()
        tables = drawn.take(world)
        step(tables, np.repeat(action, n))
        ending = (view.phase == Phase.PLAY) & (view.trick_number >= 13 - self.exact)
        solved = np.repeat(ending[row], n)
        paid = np.empty(len(tables))
        if solved.any():
            paid[solved] = solve(tables.take(solved), self.payoff, world[solved])
        if not solved.all():
            rng = generator(view, self.seed)
            paid[~solved] = play_out(tables.take(~solved), self.policy, self.payoff, rng)
        return paid.reshape(-1, n).sum(axis=1) * np.where(view.seat[row] & 1, -1, 1)
