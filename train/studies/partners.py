"""Teams of two different agents: what becomes of a player whose partner is a stranger.

Every deal is played with the team in both directions of the table and with its members in both
seats, against the same opponents, so that neither cards nor seats speak for anybody. The unit of
statistics is the deal. Hu et al. ("Other-play" for zero-shot coordination, 2020) call the matrix of
all such teams cross-play; its diagonal is self-play.
"""

from collections.abc import Sequence

import numpy as np

import rungenv
from agents.base import Agent
from rungenv import Rules
from rungenv.chance import sealed_generator

_BLOCK = 1024
"""Deals that are played side by side."""


def team_points(
    rules: Rules, team: Sequence[Agent], opponents: Sequence[Agent], n: int, seed: int
) -> np.ndarray:
    """What a team wins less what it loses on tables 0 to n - 1 of a seed, a deal: (n,) float64.

    team, opponents: two agents each. Of the ways to seat the team, four or with twins two, each
    deal is played in all, and the mean is taken.
    """
    blocks = (range(start, min(start + _BLOCK, n)) for start in range(0, n, _BLOCK))
    return np.concatenate([_block(rules, (*team, *opponents), seed, block) for block in blocks])


def cross_play(
    rules: Rules, players: Sequence[Agent], opponents: Sequence[Agent], n: int, seed: int
) -> np.ndarray:
    """`team_points` of every two of k players beside each other: (k, k, n) float64, symmetric."""
    k = len(players)
    found = np.empty((k, k, n))
    for first in range(k):
        for second in range(first, k):
            team = players[first], players[second]
            found[first, second] = team_points(rules, team, opponents, n, seed)
            found[second, first] = found[first, second]
    return found


def lost_to_strangers(found: np.ndarray, first: int, second: int) -> np.ndarray:
    """By how much two players do worse beside each other than each beside itself: (n,) float64.

    found: as `cross_play` gives it. A plain difference in strength cancels, as far as a team is
    worth what its members are worth.
    """
    alike = (found[first, first] + found[second, second]) / 2
    return alike - found[first, second]


def _block(rules: Rules, players: Sequence[Agent], seed: int, block: range) -> np.ndarray:
    """players: the team, then the opponents."""
    n = len(block)
    first, second, *others = range(4)
    ways = [(first, others[0], second, others[1]), (others[0], first, others[1], second)]
    if players[0] is not players[1]:
        ways += [(second, others[0], first, others[1]), (others[0], second, others[1], first)]
    sits = np.repeat(np.array(ways), n, axis=0)
    dealt = rungenv.deal(rules, n, seed, first_table=block.start)
    tables = dealt.take(np.tile(np.arange(n), len(ways)))
    rngs = [sealed_generator(seed, block.start, number) for number in range(4)]
    while (playing := tables.seat >= 0).any():
        whose = np.where(playing, sits[tables.everyone, tables.seat], -1)
        actions = np.zeros(len(tables), np.int64)
        for number, player in enumerate(players):
            own = np.flatnonzero(whose == number)
            if own.size:
                actions[own] = player.act(rungenv.observe(tables.take(own)), rngs[number])
        rungenv.step(tables, actions, playing)
    lead = tables.points[:, 0].astype(np.float64) - tables.points[:, 1]
    ours = np.where(sits[:, 0] < 2, lead, -lead)
    return ours.reshape(len(ways), n).mean(axis=0)
