"""What it is worth to choose the trump well, and what a passed call costs.

The eldest hand's first decision is tried out in several ways on the same deals, and the rounds are
played to their end from there. Hands are as they were dealt, so over many deals the mean is what
the decision is worth to a seat that sees its first five cards alone.
"""

from dataclasses import dataclass

import numpy as np

import rungenv
from agents.base import Agent
from agents.payoffs import points
from agents.rollouts import play_out
from rungenv import Phase, Rules, Tables, View
from rungenv.actions import PASS, TIMEOUT
from rungenv.bits import BIT, choose
from rungenv.chance import sealed_generator


@dataclass(frozen=True)
class FirstCalls:
    """The first decision on n deals, tried out; arrays are (n,).

    What a way is worth, float64: points that the callers were paid, less those of the others.
    """

    first_five: np.ndarray
    """uint64: the cards that the eldest hand saw."""
    passes: np.ndarray
    """bool: the agent, left alone, passes."""
    called: np.ndarray
    """Worth of the agent's call; where it passes, of the one that it makes if it may not."""
    at_random: np.ndarray
    """Worth of a legal call drawn by chance."""
    passed: np.ndarray | None
    """Worth of a pass; None under rules without one."""

    @property
    def own(self) -> np.ndarray:
        """Worth of what the agent does when left alone."""
        return (
            self.called if self.passed is None else np.where(self.passes, self.passed, self.called)
        )


def first_calls(rules: Rules, agent: Agent, n: int, seed: int) -> FirstCalls:
    """Try out the first decision at tables 0 to n - 1 of a seed; the agent plays the rest.

    ValueError for rules under which nobody chooses a trump, or under which new cards come first.
    """
    tables = rungenv.deal(rules, n, seed)
    if not (tables.phase == Phase.CALL).all():
        raise ValueError(f"under trump={str(rules.trump)!r} nobody calls")
    rng = sealed_generator(seed)
    view = rungenv.observe(tables)
    own = agent.act(view, rng)
    passes = own == PASS
    calls = np.where(passes, agent.act(without(view, PASS), rng), own)
    drawn = choose(view.legal & ~BIT[PASS] & ~BIT[TIMEOUT], rng.random(n))
    return FirstCalls(
        first_five=view.first_five.copy(),
        passes=passes,
        called=_worth(tables, calls, agent, rng),
        at_random=_worth(tables, drawn, agent, rng),
        passed=_worth(tables, np.full(n, PASS), agent, rng) if rules.passing else None,
    )


def without(view: View, action: int) -> View:
    """The same views, with one action not open to them."""
    return View(
        view.rules, view.seat, view.legal & ~BIT[action], view.sets, view.smalls, view.history
    )


def _worth(
    tables: Tables, actions: np.ndarray, agent: Agent, rng: np.random.Generator
) -> np.ndarray:
    """What the callers are paid, less the others, when the first decision is this."""
    callers = (tables.dealer + 1) & 1
    tried = tables.copy()
    rungenv.step(tried, actions)
    return play_out(tried, agent, points, rng) * np.where(callers == 0, 1, -1)
