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
from rungenv import Rules, Tables
from rungenv.actions import TIMEOUT
from rungenv.bits import BIT
from train import student

BLOCK = 4096
"""Deals that are played side by side."""


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
    blocks = [range(at, min(at + BLOCK, pairs)) for at in range(0, pairs, BLOCK)]
    played = [_self_play(rules, expert, seed, tables) for tables in blocks]
    for name in sorted({name for _, turns in played for name in turns}):
        parts = []
        turned = 0
        for tables, (baseline, turns) in zip(blocks, played, strict=True):
            flags = turns.get(name, np.zeros((2, len(tables)), np.bool_))
            parts.append(_pairs(rules, expert, name, seed, tables, baseline, flags))
            turned += np.count_nonzero(flags.any(axis=0))
        payoff = np.concatenate(parts)
        low, high = student.interval(payoff)
        yield Worth(name, float(payoff.mean()), low, high, turned / pairs)


def _self_play(
    rules: Rules, expert: Expert, seed: int, tables: range
) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Team 0's points less team 1's, (n,), and by judgement the deals it turns, (2, n) by team."""
    dealt = rungenv.deal(rules, len(tables), seed, first_table=tables.start)
    turns: dict[str, np.ndarray] = {}
    while (dealt.seat >= 0).any():
        view = rungenv.observe(dealt)
        kinds = np.where(dealt.seat >= 0, situation(view), -1)
        for kind in np.unique(kinds[kinds >= 0]):
            rows = np.flatnonzero(kinds == kind)
            part = view.take(rows)
            asked, weights = expert.plan(rules, SITUATIONS[kind])
            changed = decisive(said(part, asked), weights, part.legal & ~BIT[TIMEOUT])
            for judge, rows_changed in zip(asked, changed, strict=True):
                if rows_changed.any():
                    flags = turns.setdefault(judge.__name__, np.zeros((2, len(tables)), np.bool_))
                    at = rows[rows_changed]
                    flags[dealt.seat[at] & 1, at] = True
        actions = np.zeros(len(dealt), np.int64)
        live = np.flatnonzero(dealt.seat >= 0)
        actions[live] = expert.act(view.take(live), _NO_CHANCE)
        rungenv.step(dealt, actions)
    return _paid(dealt), turns


def _pairs(
    rules: Rules,
    expert: Expert,
    name: str,
    seed: int,
    tables: range,
    baseline: np.ndarray,
    turns: np.ndarray,
) -> np.ndarray:
    """What the expert won of the expert without a judgement: (n,) means over both seatings."""
    without = expert.less(name)
    payoff = np.stack([-baseline, baseline]).astype(np.float64)  # by the team that is without it
    team, at = np.nonzero(turns)
    if at.size:
        dealt = rungenv.deal(rules, len(tables), seed, first_table=tables.start).take(at)
        while (dealt.seat >= 0).any():
            view = rungenv.observe(dealt)
            actions = np.zeros(len(dealt), np.int64)
            lacks = dealt.seat & 1 == team
            for player, rows in ((without, lacks), (expert, ~lacks)):
                own = np.flatnonzero(rows & (dealt.seat >= 0))
                if own.size:
                    actions[own] = player.act(view.take(own), _NO_CHANCE)
            rungenv.step(dealt, actions)
        payoff[team, at] = np.where(team == 0, -1, 1) * _paid(dealt)
    return payoff.mean(axis=0)


def _paid(tables: Tables) -> np.ndarray:
    points = tables.points.astype(np.int64)
    return points[:, 0] - points[:, 1]


_NO_CHANCE = np.random.default_rng(0)
