"""The deals that an agent did worst on, as both teams played them, and where the two games part.

Up to that point a deal's two games are the same, so that both agents once decided in the same seat,
knowing the same, and chose differently. There an agent's loss begins.
"""

from dataclasses import dataclass

import numpy as np

from rungenv import Rules, Tables
from rungenv.record import Record
from train.arena.duels import BLOCK
from train.arena.duplicate import Player, play, records
from train.arena.piece import Piece, blocks


@dataclass(frozen=True)
class Parting:
    """Where a deal's two games part: the position, the seat to act, and what each agent chose."""

    position: Tables
    seat: int
    chosen: tuple[int, int]
    """The action of the first agent and of the second."""


@dataclass(frozen=True)
class Swing:
    """A deal played twice: `points` of the first agent a deal, the mean of both games."""

    table: int
    points: float
    games: tuple[Record, Record]
    """The first agent in seats 0 and 2; and in seats 1 and 3."""

    def parting(self) -> Parting | None:
        """The first decision that the agents took differently; None if there is none."""
        both = [game.rounds[0].moves for game in self.games]
        for ply, (one, other) in enumerate(zip(*both, strict=False)):
            if one != other:
                seat = one[0]
                chosen = (one[1], other[1]) if seat % 2 == 0 else (other[1], one[1])
                return Parting(self.games[0].tables(ply, number=0), seat, chosen)
        return None


def worst_deals(
    rules: Rules,
    a: Player,
    b: Player,
    pairs: int,
    n: int = 3,
    *,
    seed: int,
    first_table: int = 0,
) -> list[Swing]:
    """The n deals that `a` did worst on in a duel of so many pairs, the worst first.

    The games are those of `arena.duel` with the same arguments. Of deals that are alike bad the
    earlier come first. Errors as `duplicate.play`.

    >>> import agents
    >>> from rungenv import variant
    >>> both = agents.make("greedy"), agents.make("expert")
    >>> [swing.points for swing in worst_deals(variant("single_sar"), *both, 50, 2, seed=0)]
    [-1.5, -1.5]
    """
    pieces = [
        Piece(rules, a.name, b.name, seed, tables.start, tables.stop)
        for tables in blocks(first_table, pairs, BLOCK)
    ]
    points = np.concatenate([play(piece, a, b).pairs for piece in pieces])
    worst = np.argsort(points, kind="stable")[:n] + first_table
    found: dict[int, tuple[Record, Record]] = {}
    for piece in pieces:
        wanted = worst[(worst >= piece.start) & (worst < piece.stop)].tolist()
        if wanted:
            found |= zip(wanted, records(piece, a, b, wanted), strict=True)
    return [
        Swing(table, float(points[table - first_table]), found[table]) for table in worst.tolist()
    ]
