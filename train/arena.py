"""Two agents measured on duplicate deals.

Every deal is played twice with the teams exchanged, so that the luck of the cards falls on both
alike; such a pair is the unit of the statistics. An agent gets the views of all seats it plays, at
all tables at once.
"""

import dataclasses
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from rich import box
from rich.table import Table

import rungenv
from agents import Agent
from rungenv import Kind, Rules, Tables
from rungenv.chance import sealed_generator
from rungenv.rules import Goal
from train import student
from train.options import game_name

BLOCK = 2048
"""Pairs that are played side by side. Blocks end at fixed table numbers, and each has a generator
of its own for each agent, so that a duel is the same in one go and in parts that end with blocks:
whatever an agent leaves to chance, and however a network's sums are rounded in a batch."""


@dataclass(frozen=True)
class Score:
    """How agent `a` did against agent `b`.

    `points` is the mean of `a`'s points won less points lost, per deal, and `low` to `high` its
    95 % interval from the pairs. `won` and `lost` are the shares of all rounds that `a` won and
    lost by each kind of result.
    """

    a: str
    b: str
    rules: Rules
    pairs: int
    seed: int
    first_table: int
    points: float
    low: float
    high: float
    won: dict[str, float]
    lost: dict[str, float]
    decisions: int
    seconds: float = field(compare=False)

    @property
    def win(self) -> float:
        """The share of all rounds that `a` won."""
        return sum(self.won.values())

    @property
    def kot(self) -> float:
        """The share of all rounds that `a` won by a kot as callers."""
        return self.won.get(Kind.KOT.name, 0.0)

    @property
    def goon_kot(self) -> float:
        """The share of all rounds that `a` won by a goon kot."""
        return self.won.get(Kind.GOON_KOT.name, 0.0)

    @property
    def decisions_per_second(self) -> float:
        """Decisions of both agents, the play of the cards included in the time."""
        return self.decisions / self.seconds

    def as_dict(self) -> dict[str, Any]:
        """All of it as plain values, for JSON."""
        return {
            "game": game_name(self.rules),
            "a": self.a,
            "b": self.b,
            "rules": dataclasses.asdict(self.rules),
            "pairs": self.pairs,
            "seed": self.seed,
            "first_table": self.first_table,
            "points": self.points,
            "low": self.low,
            "high": self.high,
            "win": self.win,
            "won": self.won,
            "lost": self.lost,
            "decisions": self.decisions,
            "decisions_per_second": self.decisions_per_second,
        }


def duel(rules: Rules, a: Agent, b: Agent, pairs: int, *, seed: int, first_table: int = 0) -> Score:
    """Play `pairs` deals twice each: tables `first_table` and on of `seed`, one round each.

    The result is the same whenever rules, agents, seed and tables are; `train.deals` says which
    seeds are for what. ValueError for fewer than two pairs, which have no interval.
    """
    if pairs < 2:
        raise ValueError(f"an interval takes at least 2 pairs, not {pairs}")
    started = time.perf_counter()
    blocks = [_Block(rules, (a, b), seed, tables) for tables in _blocks(first_table, pairs)]
    seconds = time.perf_counter() - started

    payoff = np.concatenate([block.payoff.mean(axis=0) for block in blocks])
    low, high = student.interval(payoff)
    shares = np.sum([block.kinds for block in blocks], axis=0) / (2 * pairs)
    return Score(
        a=a.name,
        b=b.name,
        rules=rules,
        pairs=pairs,
        seed=seed,
        first_table=first_table,
        points=float(payoff.mean()),
        low=low,
        high=high,
        won=_by_name(rules, shares[0]),
        lost=_by_name(rules, shares[1]),
        decisions=sum(block.decisions for block in blocks),
        seconds=seconds,
    )


def play_rounds(
    tables: Tables,
    agents: Sequence[Agent],
    sits: np.ndarray,
    rngs: Sequence[np.random.Generator],
) -> int:
    """Play the round of every table to its end; returns how many decisions that took.

    sits (n, 4) int: the number of the agent at each seat of each table. rngs: one for each agent.
    """
    rows = np.arange(len(tables))
    decisions = 0
    while (tables.seat >= 0).any():
        view = rungenv.observe(tables)
        chooser = np.where(tables.seat >= 0, sits[rows, tables.seat], -1)
        actions = np.zeros(len(tables), np.int64)
        for number, (agent, rng) in enumerate(zip(agents, rngs, strict=True)):
            own = np.flatnonzero(chooser == number)
            if own.size:
                actions[own] = agent.act(view.take(own), rng)
                decisions += own.size
        rungenv.step(tables, actions)
    return decisions


class _Block:
    """Some pairs played out between two agents, at consecutive tables.

    payoff (2, pairs) int: points that agent 0 won less those it lost, as team 0 in the first row
    and as team 1 in the second. kinds (2, len(Kind)) int: rounds that each agent won, by `Kind`.
    """

    def __init__(self, rules: Rules, agents: tuple[Agent, Agent], seed: int, tables: range) -> None:
        dealt = rungenv.deal(rules, len(tables), seed, first_table=tables.start)
        both = dealt.take(np.tile(np.arange(len(tables)), 2))
        team = np.repeat([0, 1], len(tables))  # the team of agent 0
        sits = (np.arange(4) & 1) ^ team[:, None]
        self.decisions = play_rounds(both, agents, sits, _generators(seed, tables.start))

        won_by = both.winner ^ team
        sign = np.where(team == 0, 1, -1)
        paid = both.points.astype(np.int64)
        self.payoff = (sign * (paid[:, 0] - paid[:, 1])).reshape(2, -1)
        self.kinds = np.zeros((2, len(Kind)), np.int64)
        np.add.at(self.kinds, (won_by, both.kind), 1)


def _blocks(first_table: int, pairs: int) -> Iterator[range]:
    """The tables from the first on, cut at every multiple of BLOCK."""
    start, end = first_table, first_table + pairs
    while start < end:
        stop = min(end, (start // BLOCK + 1) * BLOCK)
        yield range(start, stop)
        start = stop


def _generators(seed: int, table: int) -> list[np.random.Generator]:
    """A generator for each of two agents, for the block that begins at a table.

    They are sealed: the seed of the deals would let an agent deal itself all hands.
    """
    return [sealed_generator(seed, table, number) for number in range(2)]


_KINDS = {
    Goal.SEVEN_TRICKS: (Kind.WIN, Kind.KOT, Kind.GOON_KOT),
    Goal.TENS: (Kind.TRICKS, Kind.MENDI, Kind.MENDIKOT, Kind.WHITEWASH),
}
"""The kinds of result that a goal allows."""

_NOTABLE = (Kind.KOT, Kind.GOON_KOT, Kind.MENDIKOT, Kind.WHITEWASH)
"""Those that a table of scores has a column for."""


def _by_name(rules: Rules, shares: np.ndarray) -> dict[str, float]:
    return {kind.name: float(shares[kind]) for kind in _KINDS[rules.goal]}


def table(scores: Iterable[Score], title: str | None = None) -> Table:
    """Scores as a table for people, one line each; by default its title is the game."""
    scores = list(scores)
    games = [game_name(score.rules) for score in scores]
    pairs = [f"{score.pairs:,}" for score in scores]
    one_game, one_size = len(set(games)) == 1, len(set(pairs)) == 1
    notable = [kind.name for kind in _NOTABLE if any(kind.name in score.won for score in scores)]
    shown = Table(
        title=title or (games[0] if one_game else None),
        caption=_CAPTION.format(
            pairs=f"{pairs[0]} pairs of deals" if one_size else "pairs of deals"
        ),
        caption_justify="left",
        box=box.SIMPLE_HEAD,
        padding=(0, 1, 0, 0),
    )
    if not one_game:
        shown.add_column("game", no_wrap=True)
    shown.add_column("agent", overflow="fold", min_width=7)
    shown.add_column("against", overflow="fold", min_width=7)
    for header in ("points", "won", *notable, *([] if one_size else ["pairs"])):
        shown.add_column(header.lower().replace("_", " "), justify="right", no_wrap=True)
    for game, size, score in zip(games, pairs, scores, strict=True):
        shown.add_row(
            *([] if one_game else [game]),
            score.a,
            score.b,
            f"{score.points:+.3f} ± {(score.high - score.low) / 2:.3f}",
            f"{100 * score.win:.1f}",
            *(_won_and_lost(score, kind) for kind in notable),
            *([] if one_size else [size]),
        )
    return shown


_CAPTION = """\
points: won less lost, a deal; 95 % interval from {pairs}
won: % of rounds; kots and the like: % of rounds, won/lost"""


def _won_and_lost(score: Score, kind: str) -> str:
    if kind not in score.won:
        return ""
    return f"{100 * score.won[kind]:.1f}/{100 * score.lost[kind]:.1f}"
