"""Records of tables as they stand: the present round of one table."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from rungenv.actions import NEW_CARDS
from rungenv.record import STANDING, Record, Round, first_standing, four_names, round_result
from rungenv.rules import Rules
from rungenv.score import pay
from rungenv.state import Phase
from rungenv.tables import Tables


def record_of(
    tables: Tables,
    row: int,
    *,
    agents: Sequence[str] = (),
    deals: Sequence[Any] | None = None,
    start: dict[str, list[int]] | None = None,
) -> Record:
    """The present round of one table.

    Tables forget two things, which a `Recorder` keeps: the earlier deals of a round with new cards
    (`deals`, all of the round's), and how the match stood before a round that is over (`start`),
    unless it was the match's first. ValueError where one is needed and not given.
    """
    round = round_of(tables, row, deals)
    return Record(
        rules=tables.rules,
        rounds=(round,),
        agents=four_names(agents),
        start=_plain_start(tables.rules, standing_before(tables, row) if start is None else start),
        seed=int(tables.seed[row]) if tables.seed[row] >= 0 else None,
        table=int(tables.table[row]),
        round=int(tables.round[row]),
    )


def round_of(tables: Tables, row: int, deals: Sequence[Any] | None = None) -> Round:
    """The present round of one table by itself; deals as for `record_of`."""
    deals = [tables.deal[row]] if deals is None else deals
    needed = int(tables.redeal[row]) + 1
    if len(deals) != needed:
        raise ValueError(
            f"table {row}: its round had {needed} deals (R10.2), of which tables keep the last; "
            f"give all in `deals`, which has {len(deals)}, or keep a Recorder"
        )
    length = int(tables.length[row])
    entries = tables.history[row, :length].tolist()
    return Round(
        dealer=int(tables.dealer[row]),
        deals=tuple(tuple(map(tuple, np.asarray(deal).tolist())) for deal in deals),
        moves=tuple((entry >> 6, entry & 63) for entry in entries),
        play_from=int(tables.play_from[row]) if tables.phase[row] >= Phase.PLAY else length,
        result=round_result(tables, row) if tables.seat[row] < 0 else None,
    )


def standing_before(tables: Tables, row: int) -> dict[str, list[int]]:
    """How the match stood before the present round, by the names of STANDING.

    ValueError for a round that is over and was not the match's first.
    """
    start = {column: getattr(tables, column)[row].tolist() for column in STANDING}
    for entry in tables.history[row, : tables.length[row]].tolist():
        if entry & 63 == NEW_CARDS:
            start["new_cards_left"][entry >> 6] += 1
    if tables.seat[row] < 0:
        winner = int(tables.winner[row])
        for column, paid in zip(("points", "kots"), pay(tables, np.array([row])), strict=True):
            start[column][winner] -= int(paid[0])
        if any(start["points"]) or any(start["kots"]):
            raise ValueError(
                f"table {row}: its round is over, and how the match stood before is not kept; "
                "give `start`, or keep a Recorder"
            )
        start["streak"] = [0, 0]
    return start


def _plain_start(rules: Rules, start: dict[str, list[int]]) -> dict[str, list[int]]:
    """A start without what every match begins with."""
    return {key: value for key, value in start.items() if value != first_standing(rules)[key]}
