"""What came of a piece of the arena's work: plain arrays, kept as a file of numpy's.

A piece is some pairs of deals, each played twice by two agents, "first" and "second", with the
teams exchanged. Row i of the tables is pair i % pairs, with the first agent as team 0 in the first
half of the rows and as team 1 in the second.
"""

import io
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

NOBODY = -1


@dataclass(frozen=True)
class Rounds:
    """All rounds of a piece, in the order of their rows and then as they were played: (r,) each.

    "Which agent" is 0 the first, 1 the second, NOBODY.
    """

    row: np.ndarray  # int32
    kind: np.ndarray  # int8, a Kind
    won_by: np.ndarray  # int8, which agent
    points: np.ndarray  # int8, of the first agent, won less lost
    forfeit: np.ndarray  # int8, which agent lost it by failing
    asked: np.ndarray  # int8, which agent was asked first for the trump
    caller: np.ndarray  # int8, which agent called or hid it
    called: np.ndarray  # int8, the suit called, or the card hidden; -1
    passed: np.ndarray  # int8, 1: the first to be asked left it to its partner
    timed_out: np.ndarray  # int8, 1: nobody called in time


@dataclass(frozen=True)
class Played:
    """payoff (2, pairs) int16: of the first agent, won less lost, as team 0 and as team 1.

    A round's points, or 1 for a match. decisions (2,) int64 and seconds (2,) float64: of each
    agent, inside its own code. games, faults: lines of JSON, of `recorded.py`. luck (pairs,)
    float64: of `luck.py`, where it was asked for.
    """

    payoff: np.ndarray
    rounds: Rounds
    decisions: np.ndarray
    seconds: np.ndarray
    games: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()
    luck: np.ndarray | None = None

    @property
    def pairs(self) -> np.ndarray:
        """The first agent's mean payoff in each pair, the unit of all statistics: (pairs,)."""
        return self.payoff.mean(axis=0)

    @property
    def wins(self) -> np.ndarray:
        """The share of each pair's two episodes that the first agent won: (pairs,)."""
        return (self.payoff > 0).mean(axis=0)

    def to_bytes(self) -> bytes:
        """The contents of a file, which `from_bytes` reads; no pickle."""
        arrays: dict[str, Any] = {
            "payoff": self.payoff,
            "decisions": self.decisions,
            "seconds": self.seconds,
            "games": _packed(self.games),
            "faults": _packed(self.faults),
        }
        arrays |= {f"rounds.{field.name}": getattr(self.rounds, field.name) for field in _COLUMNS}
        if self.luck is not None:
            arrays["luck"] = self.luck
        file = io.BytesIO()
        np.savez_compressed(file, **arrays)
        return file.getvalue()

    @classmethod
    def from_bytes(cls, data: bytes) -> "Played":
        """What `to_bytes` made; ValueError for anything else."""
        try:
            with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
                return cls(
                    payoff=arrays["payoff"],
                    rounds=Rounds(**{f.name: arrays[f"rounds.{f.name}"] for f in _COLUMNS}),
                    decisions=arrays["decisions"],
                    seconds=arrays["seconds"],
                    games=_unpacked(arrays["games"]),
                    faults=_unpacked(arrays["faults"]),
                    luck=arrays.get("luck"),
                )
        except Exception as error:  # zip, numpy and zlib each have their own
            raise ValueError(f"damaged, or no piece of an arena's work: {error}") from None


_COLUMNS = fields(Rounds)


def _packed(lines: tuple[str, ...]) -> np.ndarray:
    return np.frombuffer("\n".join(lines).encode(), np.uint8)


def _unpacked(packed: np.ndarray) -> tuple[str, ...]:
    return tuple(packed.tobytes().decode().splitlines())
