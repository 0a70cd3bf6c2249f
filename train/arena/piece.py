"""A piece of the arena's work: which deals two agents are to play, and how.

It is plain enough to be sent to another process or machine. `duplicate.play` plays it.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from rungenv import Rules


@dataclass(frozen=True)
class Piece:
    """Pairs of deals for two agents, by name: tables `start` to `stop` - 1 of the seed."""

    rules: Rules
    a: str
    b: str
    seed: int
    start: int
    stop: int
    episode: str = "round"
    """What is played at a table: "round", or "match"."""
    clock: float | None = None
    """Seconds that an agent may take for a decision."""
    forfeit: bool = False
    """Go on when an agent fails, with the round lost; else that raises `Stopped`."""
    keep_from: int | None = None
    """The tournament's first table, if games are to be kept."""
    dealt_anew: int = 0
    """How often the cards after the call are dealt anew, to reckon with their luck."""


def blocks(first_table: int, pairs: int, size: int) -> Iterator[range]:
    """The tables from the first on, cut at every multiple of a block's size.

    So the pieces of a longer run of tables begin where those of a shorter one did.
    """
    start, end = first_table, first_table + pairs
    while start < end:
        stop = min(end, (start // size + 1) * size)
        yield range(start, stop)
        start = stop
