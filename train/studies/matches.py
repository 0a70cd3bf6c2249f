"""How long a match is, and how much the first deal decides, from how its rounds end.

Agents that do not look at the score play every round alike, so a match is a chain: where it stands
and who deals say how likely each next standing is. A few thousand rounds then tell of all lengths
of match, with less chance in it than the matches have that were played.
"""

from dataclasses import dataclass

import numpy as np

import rungenv
from agents.base import Agent
from agents.match_chances import after_round, standing_at_start, standings_count
from agents.rollouts import act_at
from rungenv import Kind, Rules
from rungenv.chance import sealed_generator
from train.studies.rounds import Rounds

_OPEN = 1e-6
"""Matches are followed until so few of them are still open."""


@dataclass(frozen=True)
class Matches:
    """What becomes of matches by the same rules."""

    lengths: np.ndarray
    """(k,) float64: how likely a match has 0, 1, 2 ... rounds."""
    first_callers_win: float
    """The chance of the team that calls in the first round to win the match."""

    @property
    def mean_length(self) -> float:
        """Rounds in a match, on average."""
        return float(np.arange(len(self.lengths)) @ self.lengths / self.lengths.sum())

    def longest(self, share: float) -> int:
        """The rounds within which this share of the matches is over."""
        return int(np.searchsorted(np.cumsum(self.lengths), share))


def round_rates(rounds: Rounds) -> np.ndarray:
    """How often rounds end in each way: (2, kinds) float64, the callers' wins first."""
    counts = np.zeros((2, len(Kind)))
    np.add.at(counts, ((~rounds.callers_won).astype(np.int64), rounds.kind), 1)
    return counts / len(rounds)


def matches(rules: Rules, rates: np.ndarray) -> Matches:
    """Matches by rules whose rounds end at these rates, as `round_rates` gives them."""
    ways = [
        (rates[others, kind], *after_round(rules, int(others), int(kind)))
        for others, kind in zip(*np.nonzero(rates), strict=True)
    ]
    count = standings_count(rules)
    at = np.zeros(count)
    at[standing_at_start(dealing_team=1)] = 1.0
    lengths, won = [0.0], 0.0
    while at.sum() > _OPEN:
        following = np.zeros(count)
        ending = 0.0
        for rate, after, winner in ways:
            flow = rate * at
            is_open = winner < 0
            following += np.bincount(after[is_open], flow[is_open], minlength=count)
            won += float(flow[winner == 0].sum())
            ending += float(flow[~is_open].sum())
        lengths.append(ending)
        at = following
    return Matches(np.array(lengths), won / sum(lengths))


def resampled(rates: np.ndarray, rounds: int, times: int, seed: int) -> np.ndarray:
    """Rates as they might have come out of so many rounds: (times, 2, kinds), a bootstrap."""
    drawn = np.random.default_rng(seed).multinomial(rounds, rates.ravel(), size=times)
    return (drawn / rounds).reshape(times, *rates.shape)


def play_matches(rules: Rules, agent: Agent, n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Whole matches at tables 0 to n - 1, to hold `matches` against what is played.

    Returns the rounds of each, (n,) int64, and whether the first callers won it, (n,) bool.
    """
    rng = sealed_generator(seed)
    tables = rungenv.deal(rules, n, seed)
    first_callers = (tables.dealer + 1) & 1
    rounds = np.zeros(n, np.int64)
    while (playing := tables.seat >= 0).any():
        events = act_at(tables, agent, playing, rng)
        rounds += events.round_over
        tables.next_round(events.round_over & ~events.match_over)
    return rounds, tables.match_winner == first_callers
