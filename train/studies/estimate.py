"""A mean with its 95 % interval: the form in which the studies give their figures."""

from typing import NamedTuple

import numpy as np

from train.arena.student import interval


class Estimate(NamedTuple):
    """A mean and the ends of its 95 % interval.

    >>> estimate(np.array([0.0, 1.0, 1.0, 0.0, 1.0])).mean
    0.6
    >>> print(Estimate(0.6, 0.5, 0.7), f"{Estimate(0.6, 0.5, 0.7):.1%}", sep=", ")
    +0.600 ± 0.100, 60.0 ± 10.0 %
    """

    mean: float
    low: float
    high: float

    @property
    def margin(self) -> float:
        """Half the interval's width."""
        return (self.high - self.low) / 2

    def __str__(self) -> str:
        return format(self)

    def __format__(self, form: str) -> str:
        """Mean ± margin, each by the format of a float; with "%" the sign stands at the end."""
        form = form or "+.3f"
        if form.endswith("%"):
            digits = f"{form[:-1]}f"
            return f"{100 * self.mean:{digits}} ± {100 * self.margin:{digits.lstrip('+')}} %"
        return f"{self.mean:{form}} ± {self.margin:{form.lstrip('+')}}"


def estimate(values: np.ndarray) -> Estimate:
    """The mean of values, (n,) numbers or flags, n at least 2, by Student's t."""
    values = np.asarray(values, np.float64)
    return Estimate(float(values.mean()), *interval(values))
