"""What each of the expert's judgements is worth: what switching it off costs on duplicate deals.

The expert leaves nothing to chance. So a deal on which a judgement turns no decision of a team is
played the same without it, and need not be played again: the figures are those of playing all pairs
of full expert against expert without, in a fraction of the time.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

import rungenv
from agents.expert.agent import Expert, decisive, said
from agents.expert.situations import SITUATIONS, situation
from rungenv import Rules, Tables, View
from rungenv.actions import TIMEOUT
from rungenv.bits import BIT
from train.arena import student

BLOCK = 1024
"""Deals that are played side by side."""

Turns = dict[str, np.ndarray]
"""By judgement, the deals on which it turns a decision of each team: (2, n) bool."""


@dataclass(frozen=True)
class Worth:
    """Points a deal by which the expert beats the expert without `judgement`.

    `low` to `high`: 95 % interval from the pairs. `turned`: the share of deals with a decision that
    is another without it.
    """

    judgement: str
    points: float
    low: float
    high: float
    turned: float


def worths(rules: Rules, expert: Expert, pairs: int, seed: int) -> Iterator[Worth]:
    """What each judgement that a game asks is worth, on tables 0 to `pairs` - 1 of a seed."""
    paid: dict[str, list[tuple[int, np.ndarray]]] = {}
    turned: dict[str, int] = {}
    for first in range(0, pairs, BLOCK):
        dealt = rungenv.deal(rules, min(BLOCK, pairs - first), seed, first_table=first)
        baseline, turns = _self_play(dealt.copy(), expert)
        for name, payoff in _without_each(dealt, expert, baseline, turns).items():
            paid.setdefault(name, []).append((first, payoff))
            turned[name] = turned.get(name, 0) + int(np.count_nonzero(turns[name].any(axis=0)))
    for name, parts in paid.items():
        payoff = np.zeros(pairs)
        for first, part in parts:
            payoff[first : first + len(part)] = part
        low, high = student.interval(payoff)
        yield Worth(name, float(payoff.mean()), low, high, turned[name] / pairs)


def _self_play(tables: Tables, expert: Expert) -> tuple[np.ndarray, Turns]:
    """Play the rounds out: team 0's points less team 1's, (n,), and what turned on what."""
    turns: Turns = {}
    while (tables.seat >= 0).any():
        view = rungenv.observe(tables)
        for name, rows in _turning(view, expert):
            flags = turns.setdefault(name, np.zeros((2, len(tables)), np.bool_))
            flags[tables.seat[rows] & 1, rows] = True
        rungenv.step(tables, _moves(tables, view, expert))
    return _paid(tables), turns


def _turning(view: View, expert: Expert) -> Iterator[tuple[str, np.ndarray]]:
    """Judgements with the rows in which the expert would decide otherwise without them."""
    legal = view.legal & ~BIT[TIMEOUT]
    kinds = np.where(legal & (legal - np.uint64(1)) != 0, situation(view), -1)
    for kind in np.unique(kinds[kinds >= 0]):
        rows = np.flatnonzero(kinds == kind)
        asked, weights = expert.plan(view.rules, SITUATIONS[kind])
        changed = decisive(said(view.take(rows), asked), weights, legal[rows])
        for judge, turned in zip(asked, changed, strict=True):
            if turned.any():
                yield judge.__name__, rows[turned]


def _without_each(
    dealt: Tables, expert: Expert, baseline: np.ndarray, turns: Turns
) -> dict[str, np.ndarray]:
    """By judgement, what the expert won of the expert without it: (n,) means over both seatings.

    All the deals that are to be played again, for whatever judgement, are played side by side.
    """
    names = sorted(turns)
    number, team, deal = np.nonzero(np.stack([turns[name] for name in names]))
    tables = dealt.take(deal)
    judged = np.array(names)[number]
    while (tables.seat >= 0).any():
        lacking = np.where(tables.seat & 1 == team, judged, "")
        rungenv.step(tables, _moves(tables, rungenv.observe(tables), expert, lacking))
    payoff = np.tile(np.stack([-baseline, baseline]), (len(names), 1, 1))  # by who is without it
    payoff[number, team, deal] = np.where(team == 0, -1, 1) * _paid(tables)
    return dict(zip(names, payoff.mean(axis=1), strict=True))


def _moves(
    tables: Tables, view: View, expert: Expert, lacking: np.ndarray | None = None
) -> np.ndarray:
    """The expert's actions at all tables; any number where the round is over."""
    actions = np.zeros(len(tables), np.int64)
    live = np.flatnonzero(tables.seat >= 0)
    without = None if lacking is None else lacking[live]
    actions[live] = expert.choose(view.take(live), without)
    return actions


def _paid(tables: Tables) -> np.ndarray:
    points = tables.points.astype(np.int64)
    return points[:, 0] - points[:, 1]
