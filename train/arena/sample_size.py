"""How many pairs of deals it takes: to show a difference, or for an interval of a width.

A width that is asked for must not bend the result. To look again and again and stop when the
interval happens to be short, or happens to leave zero out, makes intervals that are right less
often than they say. So `pairs_until` goes by Stein's two stages (Stein, A two-sample test for a
linear hypothesis whose power is independent of the variance, 1945): the deviation of a first stage
of pairs, never its mean, says how many pairs there will be; then all of them are played, and the
interval is their mean and the first stage's deviation. For values that are normally distributed
this covers the truth in exactly 95 % of all runs or more. Pairs' means are not, but 100 of them or
more serve as well; `tests/test_sample_size.py` tries it on those of real games.
"""

import math
from collections.abc import Sequence
from statistics import NormalDist

import numpy as np

from train.arena import student

DIFFERENCES = (0.01, 0.02, 0.05, 0.1)
"""Points a deal, for the table of pairs that it takes to show them."""

FIRST_STAGE = 100
"""The fewest pairs that a first stage may have."""


def pairs_to_show(deviation: float, difference: float, power: float = 0.8) -> int:
    """Pairs after which a 95 % interval leaves zero out with this chance, the power.

    deviation: of the pairs' means; difference: the true one, in the same unit.

    >>> pairs_to_show(0.5, 0.05)
    785
    """
    normal = NormalDist()
    reach = normal.inv_cdf(0.975) + normal.inv_cdf(power)
    return max(2, math.ceil((reach * deviation / difference) ** 2))


def power_table(deviations: Sequence[float]) -> dict[float, int]:
    """For each of DIFFERENCES, the pairs that show it, by the largest of the deviations."""
    largest = max(deviations)
    return {difference: pairs_to_show(largest, difference) for difference in DIFFERENCES}


def pairs_until(first_stage: np.ndarray, half_width: float) -> int:
    """All pairs to be played, the first stage's included, for an interval no wider than asked.

    first_stage (n,): pairs' means, FIRST_STAGE of them at least; else ValueError.
    """
    n = len(first_stage)
    if n < FIRST_STAGE:
        raise ValueError(f"a first stage has {FIRST_STAGE} pairs at least, not {n}")
    reach = student.quantile(n - 1) * float(first_stage.std(ddof=1))
    return max(n, math.ceil((reach / half_width) ** 2))


def two_stage_interval(values: np.ndarray, first_stage: int) -> tuple[float, float]:
    """The 95 % interval of the mean after both stages: all values (n,), the first stage first."""
    reach = student.quantile(first_stage - 1) * float(values[:first_stage].std(ddof=1))
    margin = reach / math.sqrt(len(values))
    mean = float(values.mean())
    return mean - margin, mean + margin
