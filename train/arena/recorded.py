"""Games of the arena that are kept: a sample, the biggest swings, and where an agent failed.

The arena keeps only who did what in each step; a game's record is made afterwards, by playing it
over, for the few games that anyone will look at. Each is a line of JSON that has the record
(`rungenv.record_text`) as text in it.
"""

import json
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

import rungenv
from rungenv import Rules, Table
from rungenv.actions import NEW_CARDS
from rungenv.record import Record, Round
from rungenv.record_text import record_line
from rungenv.recording import round_of

SAMPLE, SWINGS = 2, 3
"""Pairs that are kept of each two agents' games: the first ones, and those of the biggest swing."""


def replayed(
    rules: Rules, seed: int, table: int, moves: Sequence[int], names: Sequence[str]
) -> Record:
    """The record of a table's rounds, from its actions in order; the last round may go on.

    names: of the agents, by seat.
    """
    game = Table(rungenv.deal(rules, 1, seed, first_table=table))
    rounds: list[Round] = []
    deals = [game.tables.deal[0].copy()]
    for move in moves:
        if game.seat < 0:
            rounds.append(round_of(game.tables, 0, deals))
            game.next_round()
            deals = [game.tables.deal[0].copy()]
        game.step(move)
        if move == NEW_CARDS:
            deals.append(game.tables.deal[0].copy())
    rounds.append(round_of(game.tables, 0, deals))
    return Record(rules, tuple(rounds), tuple(names), seed=seed, table=table)


def worth_keeping(pairs: np.ndarray, first_table: int, tournament_from: int) -> list[int]:
    """Which pairs of a piece may be wanted: those of the sample, and its biggest swings.

    pairs (n,): their mean payoffs, of tables `first_table` and on. Of equal swings the earlier.
    """
    swings = np.argsort(-np.abs(pairs), kind="stable")[:SWINGS].tolist()
    begins = min(len(pairs), max(0, tournament_from + SAMPLE - first_table))
    return sorted({*range(begins), *(pair for pair in swings if pairs[pair] != 0)})


def game_line(points: float, a_sits: Sequence[int], record: Record) -> str:
    """A game as a line of JSON: its pair's mean points, the first agent's seats, and the record."""
    kept = {"table": record.table, "points": points, "a_sits": list(a_sits)}
    return json.dumps(kept | {"record": record_line(record)})


def selected(lines: Iterable[str], tournament_from: int) -> list[dict[str, Any]]:
    """Of all games kept of two agents, those to show, each with its `why`: "sample" or "swing"."""
    games = [json.loads(line) for line in lines]
    games.sort(key=lambda game: (-abs(game["points"]), game["table"], game["a_sits"]))
    swings = list(dict.fromkeys(game["table"] for game in games if game["points"]))[:SWINGS]
    for game in games:
        is_swing = game["table"] in swings
        game["why"] = "swing" if is_swing else "sample"
    sample = range(tournament_from, tournament_from + SAMPLE)
    return [game for game in games if game["why"] == "swing" or game["table"] in sample]
