"""Whether a critic means what it says: what it expected against what came."""

from dataclasses import dataclass

import numpy as np

from rungenv import Rules
from rungenv.chance import sealed_generator
from train.learner import Learner
from train.returns import credit
from train.rollout import play_rounds
from train.studies.estimate import Estimate, estimate


@dataclass(frozen=True)
class Expectations:
    """One decision of each of n rounds: what the critic expected there and how the round ended.

    expected, outcome (n,) float32 points for the deciding side.
    """

    expected: np.ndarray
    outcome: np.ndarray


def expectations(learner: Learner, rules: Rules, n: int, seed: int) -> Expectations:
    """Play n rounds by the policy with its chances, and pick a free decision in each by chance.

    One a round, so that they hang on one another in nothing, as an interval has to assume.
    """
    rollout = play_rounds(learner.policy, rules, n, seed, 0, sealed_generator(seed, 0))
    found = credit(learner.judgements(rollout), rollout, trace=1.0, shaping=0.0)
    lot = sealed_generator(seed, 1).random(len(rollout.player))
    order = np.lexsort((lot, rollout.player // 4))
    _, first = np.unique(rollout.player[order] // 4, return_index=True)
    picked = order[first]
    return Expectations(found.expected[picked], rollout.outcome[picked])


def calibration(found: Expectations, bins: int) -> list[tuple[float, Estimate]]:
    """Equally many decisions in each bin, from the least expected up: what was expected, what came.

    A mean for each bin, and an estimate. The critic is calibrated where they agree.
    """
    order = np.argsort(found.expected, kind="stable")
    return [
        (float(found.expected[part].mean()), estimate(found.outcome[part]))
        for part in np.array_split(order, bins)
    ]
