"""The chance to win the match from where a round leaves it, for searches that play for the match.

Between rounds a match is a small game of chance: the score, whose deal it is and the streaks are
all that counts. How often the callers or the others win, and how, is counted in rounds that the
greedy agent plays; what that brings about is the kernel's own reckoning (`match.settle`); and the
chances follow by going from each standing to all that may come next, until nothing changes.
"""

from functools import cache

import numpy as np

from agents.greedy import Greedy
from rungenv.kernel import step
from rungenv.match import STREAK, settle
from rungenv.rules import Rules, Scoring
from rungenv.state import Kind
from rungenv.tables import Tables, deal
from rungenv.view import observe

_ROUNDS = 4096
_CLOSE = 1e-10
_STREAKS = 2 * STREAK - 1
"""No streak, or one of 1 to 6 rounds of either team."""


def match_chances(tables: Tables) -> np.ndarray:
    """Team 0's chance to win the match, less one half, where a round has ended: (n,) float64."""
    chances = standings(tables.rules)
    won = np.where(tables.match_winner == 0, 1.0, 0.0)
    place = np.where(tables.match_winner < 0, _standing(tables, tables.next_dealer), 0)
    return np.where(tables.match_winner < 0, chances[place], won) - 0.5


@cache
def standings(rules: Rules) -> np.ndarray:
    """Team 0's chance to win the match from each standing, by number (see `_standing`)."""
    rates = round_results(rules)
    ways = []
    for others, kind in zip(*np.nonzero(rates), strict=True):
        after, winner = after_round(rules, int(others), int(kind))
        won = np.where(winner >= 0, 1.0 - winner, np.nan)
        ways.append((rates[others, kind], won, after))
    chances = np.full(standings_count(rules), 0.5)
    while True:
        parts = (r * np.where(np.isnan(w), chances[a], w) for r, w, a in ways)
        better = np.sum(list(parts), axis=0)
        if np.abs(better - chances).max() < _CLOSE:
            return better
        chances = better


@cache
def after_round(rules: Rules, others_won: int, kind: int) -> tuple[np.ndarray, np.ndarray]:
    """Where a round that ends so leads to, from each standing of a match.

    others_won: 0 for a win of the callers, 1 for one of the others; kind: a `Kind`. Returns the
    next standing by its number, (n,) int64, 0 where the match is over, and the team that has won
    the match, (n,) int8, -1 where it goes on.
    """
    ended = _all_standings(rules)
    ended.kind[:] = kind
    ended.winner[:] = ended.dealer & 1 ^ 1 ^ others_won
    settle(ended, ended.everyone)
    winner = ended.match_winner.copy()
    return np.where(winner >= 0, 0, _standing(ended, ended.next_dealer)), winner


def standings_count(rules: Rules) -> int:
    """How many standings a match has."""
    return rules.target**2 * 2 * _STREAKS


def standing_at_start(dealing_team: int) -> int:
    """The number of the standing that a match begins with, when this team deals."""
    return dealing_team * _STREAKS


@cache
def round_results(rules: Rules) -> np.ndarray:
    """How often rounds end in each way when greedy agents play: (2, kinds), callers' wins first."""
    tables = deal(rules, _ROUNDS, seed=0)
    greedy, rng = Greedy(), np.random.default_rng(0)
    while (tables.seat >= 0).any():
        acting = tables.seat >= 0
        step(tables, greedy.act(observe(tables), rng), acting=acting)
    counts = np.zeros((2, len(Kind)))
    np.add.at(counts, ((tables.winner == tables.dealer & 1).astype(np.int64), tables.kind), 1)
    return counts / _ROUNDS


def _all_standings(rules: Rules) -> Tables:
    """A table in each standing, by its number."""
    target = rules.target
    shape = (target, target, 2, _STREAKS)
    tables = Tables(rules, int(np.prod(shape)))
    ours, theirs, dealer, streak = np.indices(shape).reshape(4, -1)
    _totals(tables)[:] = np.column_stack([ours, theirs])
    tables.dealer[:] = dealer
    tables.streak[:, 0] = np.where(streak < STREAK, streak, 0)
    tables.streak[:, 1] = np.where(streak < STREAK, 0, streak - STREAK + 1)
    return tables


def _standing(tables: Tables, dealer: np.ndarray) -> np.ndarray:
    """The number of each table's standing: its score, the dealer's team, the streak: (n,) int64."""
    target = tables.rules.target
    ours, theirs = np.clip(_totals(tables).T.astype(np.int64), 0, target - 1)
    first, second = tables.streak.T.astype(np.int64)
    streak = np.where(second > 0, STREAK - 1 + second, first)
    return ((ours * target + theirs) * 2 + (dealer & 1)) * _STREAKS + streak


def _totals(tables: Tables) -> np.ndarray:
    """What the match counts: (n, 2)."""
    return tables.points if tables.rules.scoring == Scoring.POINTS else tables.kots
