"""Moments of a kind, out of games that are played: for pictures, for examples, for studies."""

from collections.abc import Callable

import numpy as np

import rungenv
from agents.base import Agent
from agents.rollouts import act_at
from rungenv import Rules, Tables
from rungenv.chance import sealed_generator
from rungenv.checks import checked_mask

Wanted = Callable[[Tables], np.ndarray]
"""From tables, all hands open, to which of them are at a moment that is wanted: (n,) bool."""


def find_moments(rules: Rules, agent: Agent, wanted: Wanted, n: int, *, seed: int) -> Tables:
    """Those of n tables that come to a wanted moment, each as it stands then for the first time.

    `agent` plays all seats of tables 0 to n - 1 of a seed, one round each; `wanted` is asked about
    every position in turn, from the deal to the end of the round. The tables come in the order of
    their numbers, ready to be played on. ValueError if none comes to such a moment.

    >>> import agents
    >>> rules, greedy = rungenv.variant("be_ranga"), agents.make("greedy")
    >>> cut = find_moments(rules, greedy, lambda tables: tables.trump >= 0, 10, seed=1)
    >>> cut.trick_number.tolist()  # tricks played before the trump was cut
    [3, 2, 2, 5, 6, 3, 4, 5, 3, 3]
    """
    tables = rungenv.deal(rules, n, seed)
    rng = sealed_generator(seed)
    while True:
        reached = checked_mask("wanted", wanted(tables), n)
        playing = ~reached & (tables.seat >= 0)
        if not playing.any():
            break
        act_at(tables, agent, playing, rng)
    if not reached.any():
        raise ValueError(f"no table of {n} comes to such a moment; play more of them")
    return tables.take(reached)
