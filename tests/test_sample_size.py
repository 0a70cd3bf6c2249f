"""How many pairs: power and the two-stage stop rule, by simulation on pairs of real games."""

import math

import numpy as np
import pytest

import agents
import rungenv
from train import deals
from train.arena.duplicate import play
from train.arena.piece import Piece
from train.arena.sample_size import (
    FIRST_STAGE,
    pairs_to_show,
    pairs_until,
    power_table,
    two_stage_interval,
)


@pytest.fixture(scope="module", params=["double_sar", "mendikot"])
def means(request):
    """Pairs' means of real games, to draw from: lumpy, skewed, and of a mean that is known."""
    rules = rungenv.variant(request.param)
    piece = Piece(rules, "greedy", "random", deals.seed("training", 4), 0, 4000)
    return play(piece, agents.make("greedy"), agents.make("random")).pairs


def test_the_power_is_what_was_asked_for(means):
    """A difference of so many points leaves zero out of the interval in 80 % of all runs."""
    rng = np.random.default_rng(0)
    centred = means - means.mean()
    difference = 0.2 * float(means.std())
    n = pairs_to_show(float(means.std()), difference)
    assert n == 197
    runs = rng.choice(centred, (4000, n)) + difference
    shown = runs.mean(axis=1) - 1.96 * runs.std(axis=1, ddof=1) / math.sqrt(n) > 0
    assert shown.mean() == pytest.approx(0.8, abs=0.03)


def test_known_sizes():
    """Of two-sided tests at 5 %: (1.959964 + 0.841621)^2 = 7.8489 variances over differences."""
    assert pairs_to_show(1.0, 1.0) == 8
    assert pairs_to_show(0.47, 0.02) == math.ceil(7.848879 * (0.47 / 0.02) ** 2)
    assert power_table([0.1, 0.47]) == {
        difference: pairs_to_show(0.47, difference) for difference in (0.01, 0.02, 0.05, 0.1)
    }


def test_two_stages_cover_the_truth_in_95_percent_of_runs(means):
    rng = np.random.default_rng(1)
    truth, half_width = means.mean(), 0.1 * float(means.std())
    held, sizes, widths = [], [], []
    for _ in range(1500):
        first = rng.choice(means, FIRST_STAGE)
        n = pairs_until(first, half_width)
        values = np.concatenate([first, rng.choice(means, n - FIRST_STAGE)])
        low, high = two_stage_interval(values, FIRST_STAGE)
        held.append(low <= truth <= high)
        sizes.append(n)
        widths.append((high - low) / 2)
    assert np.mean(sizes) > 3 * FIRST_STAGE  # so that there was something to decide
    assert max(widths) <= half_width + 1e-12
    # Three standard errors of the share are 1.7 %.
    assert 0.95 - 0.017 <= np.mean(held) <= 0.95 + 0.017


def test_looking_again_and_again_would_not():
    """The rule that this takes the place of: the test above is one that can fail."""
    rng = np.random.default_rng(2)
    held = []
    for _ in range(300):
        values = rng.normal(size=3000)
        mean = values.cumsum() / np.arange(1, 3001)
        reach = 1.96 / np.sqrt(np.arange(1, 3001))
        decided = np.flatnonzero(np.abs(mean)[50:] > reach[50:])
        at = 50 + decided[0] if decided.size else 2999
        held.append(abs(mean[at]) <= reach[at])
    assert np.mean(held) < 0.8


def test_the_second_stage_goes_by_the_first_stages_deviation_alone():
    first = np.tile([0.0, 1.0], FIRST_STAGE)
    assert pairs_until(first, 0.02) == pairs_until(first + 7, 0.02) == pairs_until(-first, 0.02)
    assert pairs_until(first, 0.02) == pytest.approx(4 * pairs_until(first, 0.04), rel=1e-3)
    assert pairs_until(first, 10.0) == len(first)
    with pytest.raises(ValueError, match="a first stage has 100 pairs at least, not 99"):
        pairs_until(first[:99], 0.02)
