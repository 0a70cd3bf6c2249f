"""Duplicate deals played: every deal twice with the teams exchanged, many tables at once.

What comes of a piece depends on the piece and its agents alone: not on the process, nor on what was
played before. Each agent has a generator of its own in every piece, seeded with a hash of the seed
of the deals, the piece's first table and the agent's place in it. So an agent that leaves nothing
to chance does the same in pieces of any size, and one that does repeats itself if the pieces do.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

import rungenv
from agents.base import Agent, AgentFailure, OutOfTime, SeesAllHands
from rungenv import Phase, Tables
from rungenv.chance import sealed_generator
from rungenv.record import Record
from rungenv.record_text import record_line
from rungenv.rules import Trump
from train.arena import forfeits
from train.arena.asking import NONE, Answers, ask
from train.arena.luck import pairs_luck
from train.arena.piece import Piece
from train.arena.played import NOBODY, Played, Rounds
from train.arena.recorded import game_line, replayed, worth_keeping

Player = Agent | SeesAllHands


class Stopped(ValueError):
    """An agent failed, and nobody said to go on; `fault` is the line of JSON that tells of it."""

    def __init__(self, message: str, fault: str) -> None:
        super().__init__(message, fault)
        self.fault = fault

    def __str__(self) -> str:
        return self.args[0]


def play(piece: Piece, a: Player, b: Player) -> Played:
    """Play a piece by the agents that it names; `Stopped` when one fails and may not forfeit."""
    game = _played_out(piece, a, b)
    played = game.played()
    if piece.keep_from is None:
        return played
    pairs = played.pairs
    kept = worth_keeping(pairs, piece.start, piece.keep_from)
    lines = (
        game_line(float(pairs[pair]), (half, half + 2), record)
        for pair in kept
        for half, record in enumerate(game.records(pair))
    )
    return Played(**{**vars(played), "games": tuple(lines)})


def records(
    piece: Piece, a: Player, b: Player, tables: Sequence[int]
) -> list[tuple[Record, Record]]:
    """The games of some of a piece's tables: the first agent as team 0, and as team 1."""
    game = _played_out(piece, a, b)
    return [game.records(table - piece.start) for table in tables]


def _played_out(piece: Piece, a: Player, b: Player) -> "_Game":
    n = piece.stop - piece.start
    dealt = rungenv.deal(piece.rules, n, piece.seed, first_table=piece.start)
    both = dealt.take(np.tile(np.arange(n), 2))
    team = np.repeat([0, 1], n)  # the team of the first agent
    rngs = [sealed_generator(piece.seed, piece.start, number) for number in range(2)]
    game = _Game(piece, both, (a, b), (np.arange(4) & 1) ^ team[:, None], rngs)
    game.play()
    return game


@dataclass
class _Game:
    """The tables of a piece in play. sits (rows, 4): which agent, 0 or 1, is at each seat."""

    piece: Piece
    tables: Tables
    agents: Sequence[Player]
    sits: np.ndarray
    rngs: Sequence[np.random.Generator]
    moves: list[np.ndarray] = field(default_factory=list)  # each (rows,) int8, NONE without one
    ended: list[list[np.ndarray]] = field(default_factory=list)  # columns of Rounds
    faults: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        rows = len(self.tables)
        self.rows = np.arange(rows)
        self.decisions = np.zeros(2, np.int64)
        self.seconds = np.zeros(2)
        self.payoff = np.zeros(rows, np.int16)
        self.moves_kept = np.full(rows, -1)  # how many steps can be played over; -1: all of them
        self.begun: Tables | None = self.tables.copy() if self.piece.dealt_anew else None

    def play(self) -> None:
        """Until every episode is over."""
        tables = self.tables
        while (tables.seat >= 0).any():
            actions = self._choose()
            lost = np.flatnonzero((actions == NONE) & (tables.seat >= 0))
            if lost.size:
                self._forfeit(lost)
            self.moves.append(np.where(tables.seat >= 0, actions, NONE).astype(np.int8))
            events = rungenv.step(tables, np.where(tables.seat >= 0, actions, 0))
            if self.begun is not None:
                opens = np.flatnonzero(
                    (tables.phase == Phase.PLAY) & (self.begun.phase < Phase.PLAY)
                )
                self.begun.put(opens, tables.take(opens))
            over = np.flatnonzero(events.round_over)
            if over.size:
                paid = events.points[over].astype(np.int16)
                sign = np.where(self.sits[over, 0] == 0, 1, -1)  # paid is by team
                won = sign * (paid[:, 0] - paid[:, 1])
                self._end_rounds(over, won, np.full(over.size, NOBODY))
            if self.piece.episode == "match":
                tables.next_round((tables.seat < 0) & (tables.match_winner < 0))

    def _choose(self) -> np.ndarray:
        """An action for every table, NONE where the round is over or is to be lost."""
        tables = self.tables
        view = rungenv.observe(tables)
        chooser = np.where(tables.seat >= 0, self.sits[self.rows, tables.seat], NOBODY)
        actions = np.full(len(tables), NONE)
        for number, agent in enumerate(self.agents):
            own = np.flatnonzero(chooser == number)
            if own.size:
                rng, clock, goes_on = self.rngs[number], self.piece.clock, self.piece.forfeit
                answers = ask(agent, tables, view, own, rng, clock, to_the_end=goes_on)
                self.decisions[number] += own.size
                self.seconds[number] += answers.seconds
                actions[own] = answers.actions
                self._excuse(own, actions, answers)
        return actions

    def _excuse(self, own: np.ndarray, actions: np.ndarray, answers: Answers) -> None:
        """Report failures; give those an action that R2 has one for. `Stopped` by default."""
        for at, failure in sorted(answers.failures.items()):
            row = int(own[at])
            fault = self._fault(row, failure)
            if not self.piece.forfeit:
                raise Stopped(self._where(row, failure), fault)
            self.faults.append(fault)
            action = forfeits.excused(self.tables, row, failure)
            if action is not None:
                actions[row] = action

    def _forfeit(self, lost: np.ndarray) -> None:
        """End rounds that were lost by failing."""
        tables = self.tables
        loser = self.sits[lost, tables.seat[lost]]
        first = self.moves_kept[lost] < 0
        self.moves_kept[lost[first]] = len(self.moves)
        points, _ = forfeits.lose(tables, lost)
        sign = np.where(loser == 0, -1, 1)
        self._end_rounds(lost, sign * points.astype(np.int16), loser)

    def _end_rounds(self, rows: np.ndarray, points: np.ndarray, forfeit: np.ndarray) -> None:
        """Take note of rounds that ended: points (m,) that the first agent won, or lost."""
        tables, sits = self.tables, self.sits
        hidden = tables.rules.trump == Trump.HIDDEN
        eldest = (tables.dealer[rows] + 1) & 3
        caller = tables.caller[rows]
        decided = (caller >= 0) & (tables.timed_out[rows] == 0) & tables.rules.calls
        what = tables.shown[rows] if hidden else tables.trump[rows]
        columns = {
            "row": rows,
            "kind": tables.kind[rows],
            "won_by": sits[rows, tables.winner[rows]],
            "points": points,
            "forfeit": forfeit,
            "asked": np.where(tables.rules.calls, sits[rows, eldest], NOBODY),
            "caller": np.where(decided, sits[rows, caller], NOBODY),
            "called": np.where(decided, what, -1),
            "passed": tables.passed[rows],
            "timed_out": tables.timed_out[rows],
        }
        self.ended.append(list(columns.values()))
        if self.piece.episode == "round":
            self.payoff[rows] = points
        else:
            won = tables.match_winner[rows]
            self.payoff[rows] = np.where(won < 0, 0, np.where(sits[rows, won] == 0, 1, -1))

    def played(self) -> Played:
        """All that came of it, but the games."""
        columns = [np.concatenate(column) for column in zip(*self.ended, strict=True)]
        order = np.argsort(columns[0], kind="stable")
        row, *others = (column[order] for column in columns)
        return Played(
            payoff=self.payoff.reshape(2, -1),
            rounds=Rounds(row.astype(np.int32), *(column.astype(np.int8) for column in others)),
            decisions=self.decisions,
            seconds=self.seconds,
            faults=tuple(self.faults),
            luck=self._luck(),
        )

    def _luck(self) -> np.ndarray | None:
        """The luck of the cards after the call; none in a pair of which a call was forfeited."""
        if self.begun is None:
            return None
        n = len(self.tables) // 2
        opened = (self.begun.phase == Phase.PLAY).reshape(2, n).all(axis=0)
        both = np.flatnonzero(opened)
        luck = np.zeros(n)
        luck[both] = pairs_luck(
            self.begun.take(np.concatenate([both, both + n])), self.piece.dealt_anew
        )
        return luck

    def names(self, row: int) -> list[str]:
        """The names of the agents at a table, by seat."""
        return [self.agents[number].name for number in self.sits[row]]

    def records(self, pair: int) -> tuple[Record, Record]:
        """Both games of a pair: the first agent as team 0, and as team 1."""
        return self.record(pair), self.record(pair + len(self.tables) // 2)

    def record(self, row: int) -> Record:
        """The rounds of a table so far, up to the first that was lost by failing."""
        kept = self.moves_kept[row]
        column = (step[row] for step in (self.moves if kept < 0 else self.moves[:kept]))
        moves = [int(move) for move in column if move != NONE]
        tables = self.tables
        seed, table = int(tables.seed[row]), int(tables.table[row])
        return replayed(tables.rules, seed, table, moves, self.names(row))

    def _where(self, row: int, failure: AgentFailure) -> str:
        table, seat = int(self.tables.table[row]), int(self.tables.seat[row])
        ply = int(self.tables.length[row])
        return f"{failure}; table {table}, seat {seat}, after {ply} actions of the round"

    def _fault(self, row: int, failure: AgentFailure) -> str:
        tables = self.tables
        return json.dumps(
            {
                "agent": failure.agent,
                "what": "out of time" if isinstance(failure, OutOfTime) else "failed",
                "reason": failure.reason,
                "table": int(tables.table[row]),
                "round": int(tables.round[row]),
                "seat": int(tables.seat[row]),
                "ply": int(tables.length[row]),
                "record": record_line(self.record(row)),
            }
        )
