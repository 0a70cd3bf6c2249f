"""Positions played out to the end of the round, all at once, by one policy at every seat."""

import numpy as np

from agents.base import Agent
from agents.payoffs import Payoff
from rungenv.kernel import Events, step
from rungenv.tables import Tables
from rungenv.view import observe


def play_out(tables: Tables, policy: Agent, payoff: Payoff, rng: np.random.Generator) -> np.ndarray:
    """What each round comes to when `policy` plays all seats to its end: (n,) float64.

    The tables may be anywhere in a round, or past its end. They are left where they are once the
    first of them is over, for those that are over leave the batch; give a copy to keep them.
    """
    values = np.zeros(len(tables))
    rows = tables.everyone
    while True:
        over = tables.seat < 0
        if over.any():
            values[rows[over]] = payoff(tables.take(over))
            if over.all():
                return values
            tables, rows = tables.take(~over), rows[~over]
        step(tables, policy.act(observe(tables), rng))


def act_at(tables: Tables, agent: Agent, where: np.ndarray, rng: np.random.Generator) -> Events:
    """One action of an agent at some of the tables, (n,) bool; the others wait."""
    actions = np.zeros(len(tables), np.int64)
    actions[where] = agent.act(observe(tables).take(where), rng)
    return step(tables, actions, where)
