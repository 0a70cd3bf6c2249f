"""Two agents measured on duplicate deals.

Every deal is played twice with the teams exchanged, so that the luck of the cards falls on both
alike; such a pair is the unit of the statistics. An agent gets the views of all seats it plays, at
all tables at once.
"""

import dataclasses
import time
from collections.abc import Iterable

from rich import box
from rich.table import Table

from agents.axes import refuse_other_game
from agents.base import Agent, SeesAllHands
from rungenv import Kind, Rules
from train.arena.duplicate import play
from train.arena.piece import Piece, blocks
from train.arena.results import Score
from train.arena.summary import score_of
from train.options import game_name, short_names

__all__ = ["BLOCK", "Score", "duel", "game_name", "table"]

BLOCK = 2048
"""Pairs that are played side by side. Blocks end at fixed table numbers, and each has a generator
of its own for each agent, so that a duel is the same in one go and in parts that end with blocks:
whatever an agent leaves to chance, and however a network's sums are rounded in a batch."""


def duel(
    rules: Rules,
    a: Agent | SeesAllHands,
    b: Agent | SeesAllHands,
    pairs: int,
    *,
    seed: int,
    first_table: int = 0,
    allow_cheats: bool = False,
) -> Score:
    """Play `pairs` deals twice each: tables `first_table` and on of `seed`, one round each.

    The result is the same whenever rules, agents, seed and tables are; `train.deals` says which
    seeds are for what. ValueError for fewer than two pairs, which have no interval, for an agent
    of another game or one that fails (`duplicate.Stopped`), and unless allowed for one that sees
    all hands.
    """
    for agent in (a, b):
        refuse_other_game(agent, rules)
        if isinstance(agent, SeesAllHands) and not allow_cheats:
            raise ValueError(f"{agent.name} sees all hands; allow_cheats=True admits it")
    if pairs < 2:
        raise ValueError(f"an interval takes at least 2 pairs, not {pairs}")
    started = time.perf_counter()
    parts = [
        play(Piece(rules, a.name, b.name, seed, tables.start, tables.stop), a, b)
        for tables in blocks(first_table, pairs, BLOCK)
    ]
    score = score_of(rules, (a.name, b.name), parts, seed=seed, first_table=first_table)
    return dataclasses.replace(score, seconds=time.perf_counter() - started)


NAME_LENGTH = 20
"""Longer names of agents are shortened in tables, where they are paths."""

_NOTABLE = (Kind.KOT, Kind.GOON_KOT, Kind.MENDIKOT, Kind.WHITEWASH)
"""Those that a table of scores has a column for."""


def table(scores: Iterable[Score], title: str | None = None) -> Table:
    """Scores as a table for people, one line each; by default its title is the game."""
    scores = list(scores)
    games = [game_name(score.rules) for score in scores]
    pairs = [f"{score.pairs:,}" for score in scores]
    names = short_names([name for score in scores for name in (score.a, score.b)], NAME_LENGTH)
    one_game, one_size = len(set(games)) == 1, len(set(pairs)) == 1
    notable = [kind.name for kind in _NOTABLE if any(kind.name in score.won for score in scores)]
    caption = _OF_MATCHES if scores[0].episode == "match" else _OF_ROUNDS
    shown = Table(
        title=title or (games[0] if one_game else None),
        caption=caption.format(pairs=f"{pairs[0]} pairs" if one_size else "pairs"),
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
    rows = zip(games, pairs, scores, names[::2], names[1::2], strict=True)
    for game, size, score, agent, against in rows:
        shown.add_row(
            *([] if one_game else [game]),
            agent,
            against,
            f"{score.points:+.3f} ± {(score.high - score.low) / 2:.3f}",
            _share_won(score),
            *(_won_and_lost(score, kind) for kind in notable),
            *([] if one_size else [size]),
        )
    return shown


_OF_ROUNDS = """\
points: won less lost, a deal; 95 % interval from {pairs} of deals
won: % of rounds; kots and the like: % of rounds, won/lost"""
_OF_MATCHES = """\
points: +1 for a match won, -1 for one lost; 95 % interval from {pairs} of matches
won: % of matches, the chance to win one, with its 95 % interval"""


def _share_won(score: Score) -> str:
    share = f"{100 * score.win:.1f}"
    if score.episode == "match":
        share += f" ± {50 * (score.high - score.low) / 2:.1f}"
    return share


def _won_and_lost(score: Score, kind: str) -> str:
    if kind not in score.won:
        return ""
    return f"{100 * score.won[kind]:.1f}/{100 * score.lost[kind]:.1f}"
