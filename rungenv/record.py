"""A game as it was played: what is kept of it, and how it is played over again and checked.

A `Record` is one round, or the rounds of one match in a row, finished or not. As a round is a pure
function of rules, dealer, deals and actions, these are all that it needs; the results stand in it
to be checked. `recording.py` makes one of a table, `recorder.py` of tables while they are played;
`record_text.py` writes it as a line of text, `record_file.py` keeps many in a file.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from rungenv import legal
from rungenv.actions import action_name, action_names
from rungenv.checks import whole
from rungenv.dealing import start_streams
from rungenv.layout import LAYOUT_VERSION
from rungenv.rules import Goal, Rules
from rungenv.state import Kind, Phase
from rungenv.table import Table
from rungenv.tables import Tables

Deal = tuple[tuple[int, ...], ...]
"""The cards of each seat in the order received."""
Move = tuple[int, int]
"""A seat and its action."""

STANDING = ("points", "kots", "streak", "new_cards_left")
"""The columns of a match that a round begins with."""


@dataclass(frozen=True)
class Round:
    """One round: its deals, more than one after NEW_CARDS (R10.2), and all that was done."""

    dealer: int
    deals: tuple[Deal, ...]
    moves: tuple[Move, ...]
    play_from: int  # how many of the moves came before the play of the cards
    result: dict[str, Any] | None = None  # as `round_result` gives it; None while it goes on


@dataclass(frozen=True)
class Record:
    """One game: the rules, the rounds in their order, and where they come from.

    start: how the match stood before the first round, by the names of STANDING, where it was not
    the first of its match. seed, table, round: those of the first round's tables, None and 0
    where they were dealt by hand; the deals stand in the rounds all the same.
    """

    rules: Rules
    rounds: tuple[Round, ...]
    agents: tuple[str, ...] = ()  # four names by seat, or none
    start: dict[str, list[int]] = field(default_factory=dict)
    seed: int | None = None
    table: int = 0
    round: int = 0
    layout: int = LAYOUT_VERSION  # of the views that the agents were given; the moves have none

    def __post_init__(self) -> None:
        object.__setattr__(self, "agents", four_names(self.agents))

    def verify(self) -> None:
        """Play it over; ValueError says where it breaks the rules or its result is another."""
        for _ in _played(self):
            pass

    def positions(self) -> Iterator[Tables]:
        """Every position in turn, as Tables of one: each round as dealt, then after each move.

        Raises ValueError, as `verify` does, on reaching what is wrong.
        """
        for _, table in _played(self):
            yield table.tables

    def tables(self, ply: int | None = None, number: int = -1) -> Tables:
        """The game after `ply` moves of a round as Tables of one, ready to be played on.

        number: which of the rounds, from 0, by default the last; ply: by default all its moves.
        """
        rounds = len(self.rounds)
        number = whole("number", number, -rounds, rounds - 1) % rounds
        moves = len(self.rounds[number].moves)
        ply = moves if ply is None else whole("ply", ply, 0, moves)
        reached = (table for at, table in _played(self) if at == (number, ply))
        return next(reached).tables


def round_result(tables: Tables, row: int) -> dict[str, Any]:
    """How a round ended: winner, kind, tricks (tens too where they count), and the match now."""
    result = {
        "winner": int(tables.winner[row]),
        "kind": Kind(tables.kind[row]).name,
        "tricks": tables.tricks[row].tolist(),
        "tens": tables.tens[row].tolist(),
        "points": tables.points[row].tolist(),
        "kots": tables.kots[row].tolist(),
    }
    if tables.rules.goal != Goal.TENS:
        del result["tens"]
    if tables.match_winner[row] >= 0:
        result["match_winner"] = int(tables.match_winner[row])
    return result


def four_names(agents: Sequence[str]) -> tuple[str, ...]:
    """The agents' names by seat, or none; ValueError for what cannot be such in a file."""
    is_list = isinstance(agents, list | tuple) and len(agents) in (0, 4)
    if not is_list or not all(isinstance(agent, str) for agent in agents):
        raise ValueError(f"agents must be four names, not {agents!r}")
    if any("\ud800" <= letter <= "\udfff" for agent in agents for letter in agent):
        raise ValueError(f"agents have a letter that is none in UTF-8: {agents!a}")
    return tuple(agents)


def first_standing(rules: Rules) -> dict[str, list[int]]:
    """How a match stands before its first round."""
    zeros = {key: [0, 0] for key in STANDING}
    return zeros | {"new_cards_left": list(rules.new_cards)}


def _played(record: Record) -> Iterator[tuple[tuple[int, int], Table]]:
    """Play a record: the number of round and ply, and the table there, which goes on changing."""
    tables = _before(record)
    for number, round in enumerate(record.rounds):
        _deal_next(tables, round, f"round {number + 1}")
        table = Table(tables)
        yield (number, 0), table
        for ply, move in enumerate(round.moves):
            _check_move(table, move, f"round {number + 1}, move {ply + 1}")
            table.step(move[1])
            yield (number, ply + 1), table
        tables = table.tables
        _check_end(tables, round, f"round {number + 1}")


def _before(record: Record) -> Tables:
    """A table of one at which the record's first round is still to be dealt."""
    tables = Tables(record.rules, 1)
    if record.seed is not None:
        start_streams(tables, np.array([record.seed]), np.array([record.table]))
    tables.table[:] = record.table
    tables.round[:] = record.round - 1
    # Of a match that had begun before it is not known when that was: with its table, at the latest.
    tables.match_round[:] = record.round - 1 if record.start else -1
    for column, value in (first_standing(record.rules) | record.start).items():
        getattr(tables, column)[0] = value
    tables.next_dealer[:] = record.rounds[0].dealer
    return tables


def _deal_next(tables: Tables, round: Round, where: str) -> None:
    if tables.seat[0] >= 0:
        raise ValueError(f"{where}: the round before it has not ended")
    if tables.match_winner[0] >= 0:
        raise ValueError(f"{where}: the match was won before it")
    if tables.next_dealer[0] != round.dealer:
        raise ValueError(f"{where}: dealt by {round.dealer}, but it is {tables.next_dealer[0]}'s")
    tables.next_round(hands=[round.deals[0]])
    tables.redeals = np.array([round.deals[1:]], np.int8) if round.deals[1:] else None
    tables.given[:] = len(round.deals) - 1
    legal.refresh(tables)  # NEW_CARDS may be open to the first seat already


def _check_move(table: Table, move: Move, where: str) -> None:
    seat, action = move
    if table.seat < 0:
        raise ValueError(f"{where}: {action_name(action)}, but the round is over")
    if table.seat != seat:
        raise ValueError(f"{where}: seat {seat} acts, but it is seat {table.seat}'s turn")
    if not table.legal_set >> action & 1:
        raise ValueError(
            f"{where}: {action_name(action)} by seat {seat} is not legal; "
            f"legal: {action_names(table.legal_set)}"
        )


def _check_end(tables: Tables, round: Round, where: str) -> None:
    if tables.redeal[0] != len(round.deals) - 1:
        used = tables.redeal[0] + 1
        raise ValueError(f"{where}: it has {len(round.deals)} deals, but {used} were used")
    play_from = tables.play_from[0] if tables.phase[0] >= Phase.PLAY else tables.length[0]
    if play_from != round.play_from:
        raise ValueError(f"{where}: the play begins after {play_from} moves of the opening")
    result = round_result(tables, 0) if tables.seat[0] < 0 else None
    if result != round.result:
        said = _words(round.result)
        raise ValueError(f"{where}: the record says {said}, but it is {_words(result)}")


def _words(result: dict[str, Any] | None) -> str:
    return "that it goes on" if result is None else str(result)
