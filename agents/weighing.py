"""Worlds chosen by how well they explain what the other seats have done.

`belief.worlds` holds all deals that a view permits for equally likely. But players mean something
by what they do: who did not cover an honour will hardly hold the next one. So each world is played
over again from its deal, and weighed by the chances that an agent would have acted in it as the
others did.
"""

import numpy as np

from agents.base import Agent
from agents.chances import chances
from rungenv.actions import NEW_CARDS, TIMEOUT
from rungenv.dealing import start_streams
from rungenv.kernel import step
from rungenv.tables import Tables
from rungenv.view import View, observe

_LEAST = 1e-6
"""A network may hold for impossible what somebody did."""


def likely_worlds(view: View, drawn: Tables, agent: Agent, n: int) -> Tables:
    """n of each row's worlds, chosen by their weights: Tables of rows * n, a row's side by side.

    drawn: as many worlds for each row, of `belief.worlds`. They are chosen at even steps through
    their weights, so that no chance comes in; one of great weight is chosen more than once.
    """
    weight = np.exp(_log_chances(view, drawn, agent).reshape(len(view), -1))
    share = weight.cumsum(axis=1)
    steps = (np.arange(n) + 0.5) / n * share[:, -1:]
    chosen = (share[:, None, :] <= steps[:, :, None]).sum(axis=2)
    first = np.arange(len(view))[:, None] * share.shape[1]
    return drawn.take((first + chosen).ravel())


def _log_chances(view: View, drawn: Tables, agent: Agent) -> np.ndarray:
    """The logarithm of the chance of all that other seats did in each world: (m,).

    Up to a factor that is the same for all worlds of a row, and of the greatest it is 0.
    """
    copies = len(drawn) // len(view)
    viewer = np.repeat(view.seat, copies)
    actions, seats = drawn.history & 63, drawn.history >> 6
    begins = _first_of_the_deal(drawn)
    tables = _dealt_again(drawn)
    total = np.zeros(len(drawn))
    place = begins.copy()
    while (left := place < drawn.length).any():
        rows = drawn.everyone
        now = np.minimum(place, actions.shape[1] - 1)
        action = actions[rows, now].astype(np.int64)
        tells = left & (seats[rows, now] != viewer) & (action != TIMEOUT)
        judged = np.flatnonzero(tells)
        if judged.size:
            chance = chances(agent, observe(tables.take(judged)))[
                np.arange(judged.size), action[judged]
            ]
            total[judged] += np.log(np.maximum(chance, _LEAST))
        step(tables, action, acting=left)
        place += left
    by_row = total.reshape(len(view), copies)
    return (by_row - by_row.max(axis=1, keepdims=True)).ravel()


def _first_of_the_deal(drawn: Tables) -> np.ndarray:
    """Where in the history the present deal begins (R10.2): (m,)."""
    places = np.arange(1, drawn.history.shape[1] + 1)
    given_up = (drawn.history & 63 == NEW_CARDS) & (places <= drawn.length[:, None])
    return (given_up * places).max(axis=1)


def _dealt_again(drawn: Tables) -> Tables:
    """The worlds as they were when their present cards had been dealt."""
    tables = Tables(drawn.rules, len(drawn))
    start_streams(tables, drawn.seed, drawn.table)
    tables.next_dealer[:] = drawn.dealer
    for column in ("points", "kots", "streak", "new_cards_left"):
        getattr(tables, column)[:] = getattr(drawn, column)
    tables.next_round(hands=drawn.deal)
    return tables
