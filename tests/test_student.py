"""Student's t: its quantiles, and that intervals hold what they promise."""

import numpy as np
import pytest

from train.arena.student import interval, quantile

TABLE = {
    1: 12.7062, 2: 4.3027, 3: 3.1824, 4: 2.7764, 5: 2.5706, 6: 2.4469, 7: 2.3646, 8: 2.3060,
    9: 2.2622, 10: 2.2281, 15: 2.1314, 20: 2.0860, 30: 2.0423, 60: 2.0003, 120: 1.9799,
}  # fmt: skip
"""The 97.5 % quantiles by degrees of freedom, as any book of tables has them."""


@pytest.mark.parametrize("degrees", TABLE)
def test_quantiles_are_those_of_the_tables(degrees):
    assert quantile(degrees) == pytest.approx(TABLE[degrees], rel=3e-3 if degrees == 3 else 1e-3)
    if degrees <= 2 or degrees >= 7:
        assert quantile(degrees) == pytest.approx(TABLE[degrees], abs=6e-5)


def test_of_many_values_it_is_the_normal_one():
    assert quantile(10**6) == pytest.approx(1.959964, abs=3e-6)
    quantiles = [quantile(degrees) for degrees in range(1, 200)]
    assert quantiles == sorted(quantiles, reverse=True)


@pytest.mark.parametrize("n", [2, 3, 4, 5, 10, 30])
def test_intervals_hold_the_mean_in_95_of_100_cases(n):
    drawn = np.random.default_rng(n).normal(3, 2, (5000, n))
    ends = np.array([interval(values) for values in drawn])
    held = (ends[:, 0] < 3) & (ends[:, 1] > 3)
    assert held.mean() == pytest.approx(0.95, abs=0.012)  # four standard errors


def test_an_interval_lies_about_the_mean():
    low, high = interval(np.array([1.0, 2.0, 4.5]))
    assert (low + high) / 2 == pytest.approx(2.5)
    assert interval(np.zeros(5)) == (0, 0)
