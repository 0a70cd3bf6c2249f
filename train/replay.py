"""`rung replay`: a recorded game in the terminal, position after position.

It prints pictures and reads lines, so a pipe can step through a game too; where the lines end, so
does the replay, except that without any it prints the whole game.
"""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from rungenv.record import Record
from rungenv.record_file import read_records
from rungenv.render import NAMES, table_text
from rungenv.scene import NAME_LENGTH
from train.options import parse, short_names

HELP = "Enter: a move on   b: a move back   r: to the next round   end: to the end   q: leave"


@dataclass(frozen=True)
class Replay:
    """Step through a recorded game."""

    file: Annotated[tyro.conf.Positional[Path], tyro.conf.arg(metavar="FILE")]
    """A file of records, one game a line."""
    game: int = 1
    """Which of the games in the file, from 1; lines that are no record do not count."""


def main(args: Sequence[str]) -> int:
    """`rung replay`: the exit code is 0, or 1 if some lines of the file are no record."""
    settings = parse(Replay, args, "rung replay")
    if not settings.file.is_file():
        raise ValueError(f"there is no file {settings.file}")
    reading = read_records(settings.file)
    for fault in reading.faults:
        print(f"{settings.file}, {fault}", file=sys.stderr)
    games = len(reading.records)
    if not 1 <= settings.game <= games:
        raise ValueError(f"{settings.file} has {games} sound games; --game {settings.game} is none")
    print(f"game {settings.game} of {games}, line {reading.lines[settings.game - 1]}")
    step_through(reading.records[settings.game - 1])
    return 1 if reading.faults else 0


def step_through(record: Record) -> None:
    """Show the positions of a game as the lines of standard input ask for them."""
    positions = list(record.positions())
    starts = [i for i, tables in enumerate(positions) if tables.length[0] == 0]
    names = short_names(record.agents or NAMES, NAME_LENGTH)
    at, last, asked = 0, len(positions) - 1, False
    keys = f"{HELP}\n"
    while True:
        print(f"\n{table_text(positions[at], 0, names=names, reveal=True)}\n")
        try:
            answer = input(f"{keys}{at}/{last} > ").strip().lower()
        except EOFError:
            print()
            if asked or at == last:
                return
            at += 1  # nobody asks for anything: show it all
            continue
        finally:
            keys = ""
        asked = True
        if answer == "q":
            return
        at = _next(answer, at, last, starts)


def _next(answer: str, at: int, last: int, starts: list[int]) -> int:
    """The position that an answer asks for."""
    if answer == "":
        return min(at + 1, last)
    if answer == "b":
        return max(at - 1, 0)
    if answer == "r":
        return next((start for start in starts if start > at), last)
    if answer == "end":
        return last
    print(HELP)
    return at
