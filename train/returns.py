"""What every decision of a rollout is credited with: the mathematics, for both kinds of critic.

Sources, cited where used:
[GAE]  Schulman et al., High-dimensional continuous control using generalized advantage
       estimation, 2016.
[ES]   van Seijen et al., A theoretical and empirical analysis of expected Sarsa, 2009.
[VRPO] Fan and Farina, GAE falls short in imperfect-information self-play reinforcement learning,
       2026 (arXiv 2605.19235).
[NHR]  Ng, Harada and Russell, Policy invariance under reward transformations, 1999.
[COMA] Foerster et al., Counterfactual multi-agent policy gradients, 2018.
[AIV]  Burch et al., AIVAT: a new variance reduction technique for agent evaluation in imperfect
       information games, 2018.
"""

from dataclasses import dataclass

import numpy as np

from train.rollout import Rollout


def corrections(
    judged: np.ndarray, expected: np.ndarray, chain: np.ndarray, outcome: np.ndarray, trace: float
) -> np.ndarray:
    """What to add to each judgement, so that it becomes the lambda-return of its decision.

    A step of a chain goes from what a decision was judged to be worth to what was expected at the
    next decision of the chain, and after the last to the outcome. The correction is the sum of the
    steps from a decision on, each counting `trace` times as much as the one before it. No discount;
    nothing is paid before the end.

    judged, expected, outcome (m,) float32, chain (m,) int: to which each belongs, in order of time;
    trace: lambda, 0 to 1; returns (m,) float32.
    """
    by_chain = np.argsort(chain, kind="stable")
    _, start, length = np.unique(chain[by_chain], return_index=True, return_counts=True)
    result = np.empty_like(judged)
    expected_after = outcome[by_chain[start]]
    correction_after = np.zeros_like(expected_after)
    for back in range(1, length.max(initial=0) + 1):  # the last decision of every chain, and so on
        has_one = length >= back
        at = by_chain[(start + length - back)[has_one]]
        change = expected_after[has_one] - judged[at]
        correction_after[has_one] = change + trace * correction_after[has_one]
        expected_after[has_one] = expected[at]
        result[at] = correction_after[has_one]
    return result


def advantages(
    values: np.ndarray, player: np.ndarray, outcome: np.ndarray, trace: float
) -> np.ndarray:
    """How much better each decision turned out than the critic had expected [GAE, eq. 16].

    Every player's decisions are a chain of their own: the value that one leads to is the value of
    the same player's next. Arguments and result as for `corrections`.
    """
    return corrections(values, values, player, outcome, trace)


def expected_values(judgements: np.ndarray, chances: np.ndarray) -> np.ndarray:
    """What positions are worth by a critic of actions: its judgement of each, times the chance that
    the policy takes it. (m, 61), (m, 61) float32 -> (m,) float32.
    """
    return np.einsum("ij,ij->i", judgements, chances)


def expected_sarsa(
    judged: np.ndarray, expected: np.ndarray, player: np.ndarray, outcome: np.ndarray, trace: float
) -> np.ndarray:
    """The return of each decision by expected Sarsa(lambda), to the team that made it [ES, VRPO].

    All seats' decisions at a table are one chain, for what is worth something to one team costs the
    other as much: from a judged action to what the policy was expected to get at the next free
    decision, whoever's it was. A forced decision is no step of a chain: judgement and expectation
    would be the same there, but the trace would fade. So are those of others at the table, of whom
    no chances are known; what they do counts as the table's own chance.

    With a trace of 1 this is the outcome, less what every later decision of the policy, judged by
    the critic, was better than expected. Such luck is 0 on average however wrong the critic is, so
    the return is unbiased, and it no longer hangs on the later choices that happened to be drawn,
    one's own, the partner's or the others' [AIV]. GAE's does, even with a perfect critic. What an
    imperfect one is wrong by adds up over the decisions that follow, so that a trace below 1, which
    fades it, can still be the better.

    judged, expected (m,) float32: of the action taken, and of the position; player (m,) int, four
    to a table, seat by seat; outcome (m,) float32; trace: lambda, 0 to 1; returns (m,) float32.
    """
    to_team_0 = np.where(player % 2 == 0, 1, -1).astype(np.float32)
    return judged + to_team_0 * corrections(
        to_team_0 * judged, to_team_0 * expected, player // 4, to_team_0 * outcome, trace
    )


@dataclass(frozen=True)
class Credit:
    """What the decisions of a rollout are credited with; (m,) float32 each."""

    expected: np.ndarray
    """By the critic, and the potential: what each position is worth to the seat's team."""
    advantage: np.ndarray
    """How much better the decision was than what was expected."""
    target: np.ndarray
    """What the critic should have said, of the position or of the action taken, less the potential.
    """


def credit(judgements: np.ndarray, rollout: Rollout, trace: float, shaping: float) -> Credit:
    """Credit for each decision by a critic's judgements: (m,) of positions, or (m, 61) of actions.

    shaping: points that a whole lead is taken for until the outcome is known: a potential [NHR].

    By a critic of actions the advantage is the return less the expectation, and not the critic's
    own difference between the action taken and the expectation [COMA]: that one's variance is lower
    still, but it is as wrong as the critic is, and so would be a gradient over all actions. The
    return is right on average with a trace of 1, and nearly so close to it.
    """
    potential = np.float32(shaping) * rollout.lead
    if judgements.ndim == 1:
        advantage = advantages(judgements + potential, rollout.player, rollout.outcome, trace)
        return Credit(judgements + potential, advantage, judgements + advantage)
    expected = expected_values(judgements, rollout.chances.numpy())
    judged = judgements[np.arange(len(judgements)), rollout.choice.numpy()]
    returned = expected_sarsa(
        judged + potential, expected + potential, rollout.player, rollout.outcome, trace
    )
    target = returned - potential
    return Credit(expected + potential, target - expected, target)
