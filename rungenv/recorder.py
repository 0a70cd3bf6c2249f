"""Records of tables while they are played: rounds, or whole matches with all their deals."""

import dataclasses
from collections.abc import Sequence

import numpy as np

from rungenv.record import Record, Round, four_names
from rungenv.recording import record_of, round_of, standing_before
from rungenv.tables import Tables

EPISODES = ("round", "match")


class Recorder:
    """Watches N tables and gives the record of each game that ends.

    Make it when the tables are dealt, and call `update` after every step and every dealing:

        recorder = Recorder(tables, episode="match")
        while playing:
            rungenv.step(tables, actions)
            games = recorder.update()
            tables.next_round()
            recorder.update()

    A game that a new deal cuts off before its end is dropped.
    """

    def __init__(
        self, tables: Tables, agents: Sequence[str] = (), *, episode: str = "round"
    ) -> None:
        """agents: four names by seat, or none. episode: what a record is, "round" or "match"."""
        if episode not in EPISODES:
            raise ValueError(f"episode must be 'round' or 'match', not {episode!r}")
        n = len(tables)
        self.tables = tables
        self.agents = four_names(agents)
        self.episode = episode
        self._games: list[Record | None] = [None] * n  # as they began, without later rounds
        self._rounds: list[list[Round]] = [[] for _ in range(n)]
        self._deals: list[list[np.ndarray]] = [[] for _ in range(n)]
        self._round = tables.round.copy()
        self._redeal = np.zeros(n, np.int64)
        self._over = tables.seat < 0
        for row in np.flatnonzero(~self._over).tolist():
            self._begin(row, new=True)

    def update(self) -> list[Record]:
        """Take note of what has happened; returns the games that have ended, by table.

        ValueError when more has happened at a table than one of these.
        """
        tables = self.tables
        for row in np.flatnonzero(tables.round != self._round).tolist():
            # A round pays its winners a point at least, so only a new match has none.
            new = not tables.points[row].any()
            if tables.round[row] != self._round[row] + 1 or not (new or self._over[row]):
                raise ValueError(f"table {row}: a round ended unseen; update after every step")
            self._begin(row, new or self.episode == "round")
        for row in np.flatnonzero(tables.redeal != self._redeal).tolist():
            self._redeal[row] += 1
            if tables.redeal[row] != self._redeal[row]:
                raise ValueError(f"table {row}: dealt twice unseen; update after every step")
            self._deals[row].append(tables.deal[row].copy())
        ended = (tables.seat < 0) & ~self._over
        self._over |= ended
        games = [self._end(row) for row in np.flatnonzero(ended).tolist()]
        return [game for game in games if game is not None]

    def _begin(self, row: int, new: bool) -> None:
        """A round was dealt at a table; new: it begins another game."""
        tables = self.tables
        if tables.redeal[row]:
            raise ValueError(f"table {row}: dealt twice unseen; update after every dealing")
        self._deals[row] = [tables.deal[row].copy()]
        self._round[row] = tables.round[row]
        self._redeal[row] = 0
        self._over[row] = False
        if new or self._games[row] is None:
            start = standing_before(tables, row)
            self._games[row] = record_of(tables, row, agents=self.agents, start=start)
            self._rounds[row] = []

    def _end(self, row: int) -> Record | None:
        """A round has ended; returns the game if it has ended too."""
        game = self._games[row]
        assert game is not None
        self._rounds[row].append(round_of(self.tables, row, self._deals[row]))
        if self.episode == "match" and self.tables.match_winner[row] < 0:
            return None
        self._games[row] = None
        return dataclasses.replace(game, rounds=tuple(self._rounds[row]))
