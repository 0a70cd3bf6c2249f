"""What would have come of each choice: positions of self-play, actions tried, rounds played out.

The hands are those that were really dealt, not drawn to fit a view: the seat that chooses does not
see them, but over many deals each view meets the hands that come with it, and the mean of what an
action led to is its worth.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

import rungenv
from agents import Agent
from agents.expert.situations import SITUATIONS, situation
from rungenv import Rules, Tables, View
from rungenv.actions import TIMEOUT
from rungenv.bits import BIT, choose, count, unpack

MOST = 5
"""Actions that are tried in a position, at most."""

STRAY = 0.03
"""How often the rounds go on by a random action, to see what lies beside the beaten track."""


@dataclass(frozen=True)
class Choices:
    """Positions of one situation, and what came of the actions tried in them.

    view: a row for each position. row (m,) int: the position of each action tried, ascending;
    first of each is the player's own. action (m,) int. payoff (m,) float: points won less points
    lost by the side that chose.
    """

    view: View
    row: np.ndarray
    action: np.ndarray
    payoff: np.ndarray


def choices(
    rules: Rules,
    player: Agent,
    seed: int,
    tables: range,
    shares: dict[str, float],
    rng: np.random.Generator,
) -> Iterator[tuple[str, Choices]]:
    """Play these tables of a seed by `player` on all seats, and try out some of its decisions.

    shares: the share of the decisions in each situation that are looked at. Yields a situation's
    name with choices in it, each many times. TIMEOUT and decisions on new cards are left out.
    """
    table = rungenv.deal(rules, len(tables), seed, first_table=tables.start)
    share = np.array([shares[name] for name in SITUATIONS] + [0.0])
    while (table.seat >= 0).any():
        table = table.take(table.seat >= 0)
        view = rungenv.observe(table)
        legal = view.legal & ~BIT[TIMEOUT]
        actions = player.act(view, rng)
        kind = situation(view)
        looked = np.flatnonzero((count(legal) > 1) & (rng.random(len(table)) < share[kind]))
        if looked.size:
            looked = looked[np.argsort(kind[looked], kind="stable")]
            found = _try_out(table, view, looked, actions, player, rng)
            yield from _by_situation(found, kind[looked])
        strays = rng.random(len(table)) < STRAY
        actions = np.where(strays, choose(legal, rng.random(len(table))), actions)
        rungenv.step(table, actions)


def _try_out(
    table: Tables,
    view: View,
    rows: np.ndarray,
    actions: np.ndarray,
    player: Agent,
    rng: np.random.Generator,
) -> Choices:
    """Try actions at some tables: the player's own first, and others at random."""
    legal = unpack(view.legal[rows] & ~BIT[TIMEOUT], rungenv.N_ACTIONS)
    order = np.where(legal, rng.random(legal.shape), 2.0)
    order[np.arange(len(rows)), actions[rows]] = -1.0
    tried = np.argsort(order, axis=1)[:, :MOST]
    is_legal = np.take_along_axis(legal, tried, 1)
    row = np.repeat(np.arange(len(rows)), is_legal.sum(axis=1))
    action = tried[is_legal]
    worlds = table.take(rows[row])
    sign = 1 - 2 * (worlds.seat & 1)
    before = _lead(worlds)
    rungenv.step(worlds, action)
    payoff = (play_out(worlds, player, rng) - before) * sign
    return Choices(view.take(rows), row, action, payoff)


def _by_situation(found: Choices, kinds: np.ndarray) -> Iterator[tuple[str, Choices]]:
    """Choices, whose positions are in the order of their situations, situation by situation."""
    for number in np.unique(kinds):
        first, last = np.searchsorted(kinds, [number, number + 1])
        tried = slice(*np.searchsorted(found.row, [first, last]))
        part = found.view.take(slice(first, last))
        row = found.row[tried] - first
        yield SITUATIONS[number], Choices(part, row, found.action[tried], found.payoff[tried])


def play_out(tables: Tables, player: Agent, rng: np.random.Generator) -> np.ndarray:
    """Play the rounds to their ends; returns how far team 0 is then ahead in the match: (n,)."""
    ahead = np.zeros(len(tables), np.int64)
    index = np.arange(len(tables))
    while index.size:
        over = tables.seat < 0
        if 8 * np.count_nonzero(over) > len(
            over
        ):  # rid of them now and then, as copying takes time
            ahead[index[over]] = _lead(tables.take(over))
            index = index[~over]
            tables = tables.take(~over)
            continue
        actions = np.zeros(len(tables), np.int64)
        actions[~over] = player.act(rungenv.observe(tables).take(~over), rng)
        rungenv.step(tables, actions)
    return ahead


def _lead(tables: Tables) -> np.ndarray:
    """Team 0's points in the match less team 1's."""
    points = tables.points.astype(np.int64)
    return points[:, 0] - points[:, 1]
