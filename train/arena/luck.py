"""The luck of the cards that come after the call: a correction by AIVAT, for pairs of deals.

Whoever calls or hides a trump has seen five cards of 13 (R1.3); the other 32 are dealt afterwards.
That is a chance event of its own, and unlike the deal as a whole (`control.py`) it does not
cancel in a pair when the two agents call differently. Let t be a table once the trump is decided,
and v(t) what its round pays the first agent's team when a fixed agent, greedy, plays all four seats
from there on. With the 32 cards dealt anew, each way as likely as any other, to tables t_1 ... t_k,

    luck(t) = v(t) - mean(v(t_1), ..., v(t_k))

has the mean 0, exactly and for any k: given the first five cards of all seats and what was said, t
and every t_i are alike in distribution. So a payoff less its luck, or less any share of it, has the
payoff's mean, and where greedy's play tells good cards from bad, a smaller variance (Burch et al.,
AIVAT: a new variance reduction technique for agent evaluation in imperfect information games,
2018). The two tables of a pair are dealt the same 32 cards anew. So where both were called alike
the luck cancels to nothing; and where TIMEOUT let the cards themselves decide, none is counted.

What it gains depends on how often two agents call differently: `rung arena hidden_rung
search:worlds=4 greedy --luck 16 --pairs 300 --deals training --seed 5` left 78 % of the variance.
"""

import numpy as np

import rungenv
from agents.greedy import Greedy
from agents.payoffs import points
from agents.rollouts import play_out
from rungenv import Phase, Tables
from rungenv.chance import sealed_generator

_SEEN = 5
"""Cards that a seat has seen before the call."""
_STREAM = 2
"""Of a table's generators; 0 and 1 are the agents'."""


def pairs_luck(begun: Tables, dealt_anew: int) -> np.ndarray:
    """The mean luck of the first agent in each pair: (n,) float64 points.

    begun: 2 * n tables whose play is to begin: the pairs with the first agent as team 0, then the
    same deals with it as team 1. dealt_anew: k above. It depends on each pair's tables alone.
    """
    n = len(begun) // 2
    said, other = begun.history[:n], begun.history[n:]
    unlike = (said != other).any(axis=1)
    late = (begun.timed_out[:n] | begun.timed_out[n:]) != 0
    pairs = np.flatnonzero(unlike & ~late)
    result = np.zeros(n)
    if pairs.size:
        tables = begun.take(np.concatenate([pairs, pairs + n]))
        hands = _dealt_anew(tables, dealt_anew)
        others = np.mean([_worth(_again(tables, hands[:, i])) for i in range(dealt_anew)], axis=0)
        result[pairs] = (_worth(tables) - others).mean(axis=0)
    return result


def _worth(tables: Tables) -> np.ndarray:
    """v above, of both halves, for tables at which nothing has been won yet: (2, pairs) float64."""
    paid = play_out(tables.copy(), Greedy(), points, np.random.default_rng(0))
    return paid.reshape(2, -1) * [[1], [-1]]


def _dealt_anew(tables: Tables, times: int) -> np.ndarray:
    """Deals that agree in all first fives, alike in both halves: (rows, times, 4, 13) int8."""
    n = len(tables) // 2
    hands = np.repeat(tables.deal[:n, None], times, axis=1)
    for row in range(n):
        rng = sealed_generator(int(tables.seed[row]), int(tables.table[row]), _STREAM)
        rest = hands[row, :, :, _SEEN:].reshape(times, -1)
        hands[row, :, :, _SEEN:] = rng.permuted(rest, axis=1).reshape(times, 4, -1)
    return np.concatenate([hands, hands])


def _again(tables: Tables, hands: np.ndarray) -> Tables:
    """Tables with other hands, at which all is said again that was said before the play."""
    again = rungenv.deal_hands(tables.rules, hands, tables.dealer)
    for ply in range(int(tables.play_from.max())):
        acts = again.phase < Phase.PLAY
        rungenv.step(again, np.where(acts, tables.history[:, ply] & 63, 0), acting=acts)
    return again
