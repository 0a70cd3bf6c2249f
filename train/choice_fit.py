"""Weights for the parts of a linear score, from what came of choices between actions.

A choice is some actions tried in one position. Each has features, and a payoff that is mostly
the luck of the deal. First the differences between payoffs within a position are regressed on the
differences of features; then the weights are moved uphill in what the actions with the highest
scores paid, which is what they are for.
"""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Tried:
    """Choices, one after the other.

    features (m, k) float32; payoff (m,) float32; start (n,) int: where each position's actions
    begin, the first of them being the one that the player chose itself.
    """

    features: np.ndarray
    payoff: np.ndarray
    start: np.ndarray

    @property
    def position(self) -> np.ndarray:
        """The position of each action: (m,) int."""
        size = np.diff(np.append(self.start, len(self.payoff)))
        return np.repeat(np.arange(len(size)), size)

    def less_mean(self, values: np.ndarray) -> np.ndarray:
        """Values less their mean over the actions of the same position."""
        size = np.diff(np.append(self.start, len(values))).astype(np.float32)
        mean = (np.add.reduceat(values, self.start, axis=0).T / size).T
        return values - mean[self.position]


def regress(tried: Tried, prior: np.ndarray, ridge: float) -> np.ndarray:
    """Least squares on differences within positions: (k,) float64 weights, in points.

    prior (k,): weights to hold to; ridge: as if so many actions had spoken for each of them.
    """
    features = tried.less_mean(tried.features).astype(np.float64)
    payoff = tried.less_mean(tried.payoff)
    square = features.T @ features + ridge * np.eye(features.shape[1])
    return np.linalg.solve(square, features.T @ payoff + ridge * prior)


def climb(
    weights: np.ndarray,
    tried: Tried,
    temperature: float = 0.08,
    steps: int = 100,
    rate: float = 0.01,
    pull: float = 0.02,
) -> np.ndarray:
    """Weights with which a soft choice of the best action is paid more, found by Adam.

    temperature: of the softmax over scores, in points. pull: back to the weights at the beginning.
    """
    position, start = tried.position, tried.start
    payoff = tried.less_mean(tried.payoff).astype(np.float32)
    origin = weights.astype(np.float32)
    now, momentum, square = origin.copy(), np.zeros_like(origin), np.zeros_like(origin)
    for step in range(1, steps + 1):
        score = tried.features @ now / temperature
        share = np.exp(score - np.maximum.reduceat(score, start)[position])
        share /= np.add.reduceat(share, start)[position]
        mean = np.add.reduceat(share * payoff, start)[position]
        slope = tried.features.T @ (share * (payoff - mean)) / (temperature * len(start))
        slope -= pull * (now - origin)
        momentum = 0.9 * momentum + 0.1 * slope
        square = 0.99 * square + 0.01 * slope * slope
        size = np.sqrt(square / (1 - 0.99**step)) + 1e-8
        now = now + rate * momentum / (1 - 0.9**step) / size
    return now.astype(np.float64)


def gain(weights: np.ndarray, tried: Tried) -> float:
    """What the action with the highest score paid more than the player's own, on the mean."""
    score = tried.features @ weights.astype(np.float32)
    is_best = score >= np.maximum.reduceat(score, tried.start)[tried.position] - 1e-6
    paid = np.add.reduceat(is_best * tried.payoff, tried.start)
    return float((paid / np.add.reduceat(is_best, tried.start) - tried.payoff[tried.start]).mean())
