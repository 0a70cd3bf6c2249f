"""A control variate: a mean made steadier by what two other agents did on the same deals.

Why not a value of the deal, as AIVAT (Burch et al., AIVAT: a new variance reduction technique for
agent evaluation in imperfect information games, 2018) corrects for the luck of a chance event? Let
v(d) be what any function that was frozen beforehand, a network's critic say, takes deal d to be
worth to team 0. Agent `a` plays d once as team 0 and once as team 1, and its correction is v(d) in
the first game and -v(d) in the second. In a pair's mean they cancel, whatever v is: pairing is all
of that correction. What is left is how far a deal tells `a` and `b` apart, and it takes two agents
to say what that is worth. (The cards that come after the call are another matter: `luck.py`.)

So let z(d) be the mean of a pair in which a frozen pair of agents r and s plays d, as y(d) is that
of `a` and `b`. Where the deal gives the better player a chance, z is large, and so y tends to be.
With z's mean known, y - w * (z - E z) has the mean of y, for any weight w that does not depend on
the deal. E z is not known, but r and s are quick: their mean over many more deals, of other tables,
stands for it. That is

    estimate = mean over i of (y_i - w_i * z_i) + mean(w) * mean(z at the other tables)

where w_i comes from the other nine tenths of the pairs only. As w_i is independent of y_i and z_i,
and all w are independent of the other tables, E estimate = E y - E w * E z + E w * E z = E y:
unbiased, exactly, for any number of pairs. Its variance is that of y_i - w_i * z_i over the pairs,
and w^2 times that of z over the other tables. The w that makes the sum smallest is
cov(y, z) / var(z) * m / (n + m), for n pairs and m others.

It pays where `a` or `b` is slow, a search say, and r and s play much like them; two agents that are
quick themselves had better play more pairs. Between agents that differ in a habit or two, 20 to
40 % of the variance is left; but `rung arena single_sar search:worlds=16 expert --control expert
greedy --pairs 200 --deals training --seed 5` left 96 %. `tests/test_control.py` tests that it is
without bias.
"""

import math

import numpy as np

from train.arena import student
from train.arena.results import Controlled

FOLDS = 10
KNOWN = 1_000_000
"""Values of 0 that stand for a mean of 0 which is known, not measured."""


def controlled(
    values: np.ndarray, control: np.ndarray, beside: np.ndarray | None, by: tuple[str, ...]
) -> Controlled:
    """The mean of some pairs by way of a control, and its 95 % interval.

    values, control (n,): pairs' means of the agents and of the control's, on the same deals;
    beside (m,): of the control's on other deals, or None for a control whose mean is 0, as that of
    `luck.py`. ValueError for fewer than 2 * FOLDS pairs.
    """
    if beside is None:
        beside = np.zeros(KNOWN)
    n, m = len(values), len(beside)
    if n < 2 * FOLDS or len(control) != n or m < 2:
        raise ValueError(
            f"a control takes {2 * FOLDS} pairs at least, as many games of its own, and more beside"
            f" them, not {n}, {len(control)} and {m}"
        )
    fold = np.arange(n) % FOLDS
    weights = np.array([weight(values[fold != k], control[fold != k], n, m) for k in range(FOLDS)])
    rest = values - weights[fold] * control
    mean_weight = float(weights[fold].mean())
    mean = float(rest.mean()) + mean_weight * float(beside.mean())
    variance = rest.var(ddof=1) / n + mean_weight**2 * beside.var(ddof=1) / m
    plain = values.var(ddof=1) / n
    margin = student.quantile(n - 1) * math.sqrt(variance)
    return Controlled(
        points=mean,
        low=mean - margin,
        high=mean + margin,
        weight=mean_weight,
        variance=float(variance / plain) if plain > 0 else 1.0,
        by=by,
    )


def weight(values: np.ndarray, control: np.ndarray, n: int, m: int) -> float:
    """The best weight of a control, from pairs (k,); 0 of one that is always the same."""
    apart = control - control.mean()
    variance = apart @ apart
    return float(apart @ values / variance * m / (n + m)) if variance > 0 else 0.0
