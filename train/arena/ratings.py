"""The ladder: agents rated by Bradley and Terry's model, with intervals by the bootstrap.

The model: agent i wins a round (or match) against j with the chance 1 / (1 + exp(r_j - r_i)).
Ratings are the most likely ones, with a win each way added between every two agents that met, so
that one who never loses has a rating too; they are told in Elo's points, 400 / ln 10 to a unit, and
their mean is 0. All pairs of agents meet on the same deals. So the bootstrap draws deals, and each
deal with all that was played on it: what is common to a deal's games stays common.

Bradley and Terry, Rank analysis of incomplete block designs, 1952; Efron, Bootstrap methods, 1979.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from train.arena.results import Rating

ELO = 400 / np.log(10)
REPLICATES = 1000
_STEPS = 100


@dataclass(frozen=True)
class Meeting:
    """Two agents, by number, and their pairs at tables 0, 1, 2 ...

    points, wins (pairs,): the first one's mean points, and its share of the two episodes.
    """

    first: int
    second: int
    points: np.ndarray
    wins: np.ndarray


def strengths(wins: np.ndarray) -> np.ndarray:
    """The most likely ratings: wins (..., k, k), of the row's agent over the column's -> (..., k).

    In natural units, their mean 0. Newton's method; the likelihood has a single summit.
    """
    k = wins.shape[-1]
    games = wins + np.swapaxes(wins, -1, -2)
    ratings = np.zeros(wins.shape[:-1])
    for _ in range(_STEPS):
        chance = 1 / (1 + np.exp(ratings[..., None, :] - ratings[..., :, None]))
        slope = (wins - games * chance).sum(axis=-1)
        bend = games * chance * (1 - chance)
        bend = np.eye(k) * bend.sum(axis=-1)[..., None] - bend
        step = np.linalg.solve(bend + 1 / k, slope[..., None])[..., 0]  # 1 / k holds the mean
        ratings = ratings + np.clip(step, -1, 1)
        if np.abs(step).max(initial=0) < 1e-9:
            break
    return ratings - ratings.mean(axis=-1, keepdims=True)


def ladder(
    names: Sequence[str],
    meetings: Sequence[Meeting],
    rng: np.random.Generator,
    cheats: Sequence[str] = (),
) -> tuple[Rating, ...]:
    """The agents, best first, by what came of their meetings."""
    tables = max(len(meeting.points) for meeting in meetings)
    ones = np.ones(tables)
    best = _figures(len(names), meetings, ones)
    drawn = [
        _figures(len(names), meetings, np.bincount(chosen, minlength=tables).astype(np.float64))
        for chosen in (rng.integers(0, tables, tables) for _ in range(REPLICATES))
    ]
    wins, points = (np.stack(parts) for parts in zip(*drawn, strict=True))
    ratings, spread = ELO * strengths(best[0]), ELO * strengths(wins)
    low, high = np.quantile(spread, [0.025, 0.975], axis=0)
    points_low, points_high = np.quantile(points, [0.025, 0.975], axis=0)
    shares = _shares_won(len(names), meetings)
    rows = [
        Rating(
            agent=name,
            rating=float(ratings[i]),
            low=float(low[i]),
            high=float(high[i]),
            points=float(best[1][i]),
            points_low=float(points_low[i]),
            points_high=float(points_high[i]),
            win=float(shares[i]),
            cheats=name in cheats,
        )
        for i, name in enumerate(names)
    ]
    return tuple(sorted(rows, key=lambda row: -row.rating))


def _figures(
    agents: int, meetings: Sequence[Meeting], weights: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Wins (k, k), one more each way, and mean points (k,) over the opponents, of weighted deals.

    A meeting none of whose deals was drawn counts as a draw.
    """
    wins, points = np.zeros((agents, agents)), np.zeros((agents, agents))
    for meeting in meetings:
        weight = weights[: len(meeting.points)]
        total = weight.sum()
        won = 2 * float(weight @ meeting.wins)
        wins[meeting.first, meeting.second] += won + 1
        wins[meeting.second, meeting.first] += 2 * total - won + 1
        mean = float(weight @ meeting.points) / total if total else 0.0
        points[meeting.first, meeting.second] = mean
        points[meeting.second, meeting.first] = -mean
    return wins, points.sum(axis=1) / max(1, agents - 1)


def _shares_won(agents: int, meetings: Sequence[Meeting]) -> np.ndarray:
    shares: list[list[float]] = [[] for _ in range(agents)]
    for meeting in meetings:
        won = float(meeting.wins.mean())
        shares[meeting.first].append(won)
        shares[meeting.second].append(1 - won)
    return np.array([np.mean(share) for share in shares])
