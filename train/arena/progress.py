"""A tournament in sight: a bar, or off a terminal lines, and about how long it will take."""

import sys
import time
from collections.abc import Sequence

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from train.arena.piece import Piece
from train.options import game_name

SECONDS = 5.0
"""Between two lines, at least; what is played sooner is not spoken of."""
TENTHS = 10
"""Parts of all that is to be played, with a line after each but the last."""


class Watch:
    """Shows pieces as they are done; a context manager.

    On a terminal it has a bar, elsewhere it writes lines to standard error. Time left goes by what
    a pair took of the same two agents at the same game, or, where they have not finished any, of
    those that have; `processes` share the work.
    """

    def __init__(self, console: Console, processes: int) -> None:
        self.processes = processes
        self.progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.completed:,.0f} of {task.total:,.0f} pairs"),
            TimeElapsedColumn(),
            TextColumn("{task.fields[left]}"),
            console=console,
            transient=True,
            disable=not console.is_terminal,
        )
        self.has_lines = not console.is_terminal
        self._total, self._tenths, self._spoken = 0, 0, time.monotonic()
        self.task = self.progress.add_task("dealing", total=0, left="")
        self._left: dict[tuple[str, str, str], int] = {}
        self._pairs: dict[tuple[str, str, str], int] = {}
        self._seconds: dict[tuple[str, str, str], float] = {}

    def __enter__(self) -> "Watch":
        self.progress.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self.progress.stop()

    def tell(self, ahead: Sequence[Piece], piece: Piece | None, seconds: float) -> None:
        """As `tournament.Tell`."""
        if piece is None:
            self._left = {}
            for one in ahead:
                self._left[_key(one)] = self._left.get(_key(one), 0) + _pairs(one)
            self._total, self._tenths = sum(self._left.values()), 0
            self.progress.update(self.task, total=self._total, completed=0)
            return
        key = _key(piece)
        self._left[key] -= _pairs(piece)
        self._pairs[key] = self._pairs.get(key, 0) + _pairs(piece)
        self._seconds[key] = self._seconds.get(key, 0.0) + seconds
        self.progress.update(
            self.task,
            advance=_pairs(piece),
            description=f"{game_name(piece.rules)}: {piece.a} against {piece.b}",
            left=f"about {_clock(self.seconds_left())} left",
        )
        if self.has_lines:
            self._speak()

    def _speak(self) -> None:
        """A line, when a tenth more is done and the last one was some time ago."""
        done, now = self._total - sum(self._left.values()), time.monotonic()
        tenths = done * TENTHS // self._total
        if self._tenths < tenths < TENTHS and now - self._spoken >= SECONDS:
            self._tenths, self._spoken = tenths, now
            share, clock = f"{done / self._total:.0%}", _clock(self.seconds_left())
            print(f"{share} of {self._total:,} pairs, about {clock} left", file=sys.stderr)

    def seconds_left(self) -> float:
        """Seconds until all is played, as far as can be told."""
        anyone = sum(self._seconds.values()) / max(1, sum(self._pairs.values()))
        work = 0.0
        for key, pairs in self._left.items():
            known = self._pairs.get(key)
            work += pairs * (self._seconds[key] / known if known else anyone)
        return work / self.processes


def _key(piece: Piece) -> tuple[str, str, str]:
    return game_name(piece.rules), piece.a, piece.b


def _pairs(piece: Piece) -> int:
    return piece.stop - piece.start


def _clock(seconds: float) -> str:
    minutes = round(seconds) // 60
    return f"{minutes // 60}:{minutes % 60:02}:{round(seconds) % 60:02}"
