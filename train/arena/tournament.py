"""A tournament: a round robin on duplicate deals, kept in a folder piece by piece.

The folder has `config.json` (what is played, `plan.py`), `pieces/` with a file for each piece of
work that is done, and in the end `results.json` and `games.jsonl` (`findings.py`). A piece is
written whole or not at all, under a name that says what it is; so a tournament that is stopped, by
Ctrl-C or otherwise, goes on with what is missing, and no piece is counted twice.
"""

import json
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from pathlib import Path

import numpy as np

from rungenv.record_file import write_records
from rungenv.record_text import parse_record
from train.arena.piece import Piece
from train.arena.plan import BESIDE, BESIDE_TIMES, Settings
from train.arena.played import Played
from train.arena.sample_size import pairs_until
from train.arena.workers import Done
from train.files import write_atomically
from train.options import game_name

PIECES, STOPPED = "pieces", "stopped.jsonl"

Way = Callable[[Sequence[Piece]], Generator[Done, None, None]]
"""How work is done: `workers.run_here` and its like."""
Tell = Callable[[Sequence[Piece], Piece | None, float], None]
"""Told of the pieces ahead (with None), and of each that is done with its seconds."""


class Tournament:
    """A tournament in its folder; `play` plays what is missing."""

    def __init__(self, settings: Settings, folder: Path) -> None:
        self.settings = settings
        self.folder = folder
        self.done: dict[Piece, Played] = {}
        self.planned: dict[tuple[int, tuple[str, str]], int] = {}

    def play(self, way: Way, tell: Tell = lambda ahead, piece, seconds: None) -> None:
        """Play all that is not yet played.

        ValueError when an agent fails and may not forfeit: the record is then in `stopped.jsonl`.
        """
        settings = self.settings
        (self.folder / PIECES).mkdir(exist_ok=True)
        self._play(way, tell, self._first_stage())
        for game in range(len(settings.games)):
            for meeting in settings.meetings():
                self.planned[game, meeting] = self._pairs_of(game, meeting)
        self._play(way, tell, self._second_stage())

    # Playing

    def _first_stage(self) -> list[Piece]:
        settings = self.settings
        return [
            piece
            for game in range(len(settings.games))
            for meeting in settings.meetings()
            for piece in settings.pieces(game, meeting, 0, settings.first_pairs(meeting))
        ]

    def _second_stage(self) -> list[Piece]:
        """What `until` asks for beyond the first stage, and the games of the control."""
        settings = self.settings
        control = settings.control_meeting()
        pieces: dict[Piece, None] = {}
        for (game, meeting), pairs in self.planned.items():
            first = settings.first_pairs(meeting)
            pieces |= dict.fromkeys(settings.pieces(game, meeting, first, pairs - first))
        if control is not None:
            for game in range(len(settings.games)):
                beside = self._pieces(game, control, self.most_pairs(game)) + self._beside(game)
                pieces |= dict.fromkeys(beside)
        return list(pieces)

    def _pieces(self, game: int, meeting: tuple[str, str], pairs: int) -> list[Piece]:
        """All pieces of two agents: those of the first stage end where it ends."""
        first = min(pairs, self.settings.first_pairs(meeting))
        stages = ((0, first), (first, pairs - first))
        return [piece for stage in stages for piece in self.settings.pieces(game, meeting, *stage)]

    def _pairs_of(self, game: int, meeting: tuple[str, str]) -> int:
        """Pairs of two agents, once the first stage is played."""
        settings = self.settings
        first = settings.first_pairs(meeting)
        if settings.until is None:
            return first
        return pairs_until(self.values(game, meeting, first), settings.until)

    def _play(self, way: Way, tell: Tell, pieces: list[Piece]) -> None:
        """Have pieces played, but for those that are on disk; slow ones first."""
        for piece in pieces:
            if piece not in self.done and (played := self._read(piece)) is not None:
                self.done[piece] = played
        ahead = [piece for piece in pieces if piece not in self.done]
        ahead.sort(key=lambda piece: piece.stop - piece.start)
        tell(ahead, None, 0.0)
        with closing(way(ahead)) as working:  # at once, should anything go wrong
            for done in working:
                if done.played is None:
                    self._stop(done)
                elif done.piece not in self.done:
                    write_atomically(self._path(done.piece), done.played.to_bytes())
                    self.done[done.piece] = done.played
                    tell(ahead, done.piece, done.seconds)

    def _stop(self, done: Done) -> None:
        assert done.stopped is not None
        path = self.folder / STOPPED
        write_records(path, [parse_record(json.loads(done.stopped.fault)["record"])])
        name = game_name(done.piece.rules)
        raise ValueError(
            f"{name}: {done.stopped}; {path} has the game so far (--forfeit goes on without it)"
        )

    def _path(self, piece: Piece) -> Path:
        game = self.settings.games.index(piece.rules)
        first, second = (self.settings.players.index(name) for name in (piece.a, piece.b))
        return self.folder / PIECES / f"{game}-{first}-{second}-{piece.start}-{piece.stop}.npz"

    def _read(self, piece: Piece) -> Played | None:
        """A piece's result from disk; None where there is none that can be read."""
        try:
            return Played.from_bytes(self._path(piece).read_bytes())
        except (FileNotFoundError, ValueError):
            return None

    # What was played

    def played(self, game: int, meeting: tuple[str, str]) -> list[Played]:
        """All that two agents played of a game, in the order of tables."""
        pairs = self.planned[game, meeting]
        return [self.done[piece] for piece in self._pieces(game, meeting, pairs)]

    def values(self, game: int, meeting: tuple[str, str], pairs: int) -> np.ndarray:
        """The mean payoffs of two agents' pairs at tables 0, 1, 2 ...: (pairs,) float64."""
        pieces = self._pieces(game, meeting, pairs)
        return np.concatenate([self.done[piece].pairs for piece in pieces])

    def values_beside(self, game: int) -> np.ndarray:
        """The same of the control's agents, at the tables that only they play."""
        return np.concatenate([self.done[piece].pairs for piece in self._beside(game)])

    def most_pairs(self, game: int) -> int:
        """The most pairs that any two agents played of a game."""
        return max(self.planned[game, meeting] for meeting in self.settings.meetings())

    def _beside(self, game: int) -> list[Piece]:
        control = self.settings.control_meeting()
        assert control is not None
        pairs = BESIDE_TIMES * self.most_pairs(game)
        return self.settings.pieces(game, control, BESIDE, pairs)
