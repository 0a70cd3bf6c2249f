"""The control variate: that it is without bias, that its interval is right, and what it gains."""

import numpy as np
import pytest

import agents
import rungenv
from agents.greedy import Greedy
from rungenv.bits import BIT, lowest
from train import deals
from train.arena.control import FOLDS, controlled, weight
from train.arena.duplicate import play
from train.arena.piece import Piece

BY = ("r", "s")


def drawn(rng, n, m):
    """Pairs' means as a control would have them: lumpy, skewed, related in no straight line."""
    deal = rng.exponential(size=n)
    values = np.round(deal + rng.normal(size=n) * 0.5) - 0.4
    control = np.round(np.sqrt(deal) + rng.normal(size=n) * 0.3)
    beside = np.round(np.sqrt(rng.exponential(size=m)) + rng.normal(size=m) * 0.3)
    return values, control, beside


def test_it_is_without_bias_and_its_interval_right():
    """Few pairs, where a weight fitted to the same pairs would show its bias most."""
    rng = np.random.default_rng(0)
    truth = np.mean([drawn(rng, 100_000, 2)[0].mean() for _ in range(40)])
    runs = [drawn(rng, 30, 300) for _ in range(3000)]
    found = [controlled(*run, BY) for run in runs]
    estimates = np.array([one.points for one in found])
    error = estimates.std() / np.sqrt(len(runs))
    assert abs(estimates.mean() - truth) < 3 * error + 0.002
    held = np.mean([one.low <= truth <= one.high for one in found])
    assert 0.925 <= held <= 0.965
    plain = np.array([run[0].mean() for run in runs])
    assert estimates.var() < 0.85 * plain.var()
    said = np.mean([one.variance for one in found])
    assert said == pytest.approx(estimates.var() / plain.var(), rel=0.1)


def test_the_same_pairs_for_the_weight_would_make_a_bias():
    """Why a pair's weight comes from other pairs: the test above is one that can fail."""
    rng = np.random.default_rng(1)
    truth = np.mean([drawn(rng, 100_000, 2)[0].mean() for _ in range(20)])
    biased = []
    for _ in range(4000):
        values, control, beside = drawn(rng, 12, 300)
        own = weight(values, control, 12, 300)
        biased.append(np.mean(values - own * control) + own * beside.mean())
    error = np.std(biased) / np.sqrt(len(biased))
    assert abs(np.mean(biased) - truth) > 3 * error


def test_a_control_that_never_differs_changes_nothing():
    rng = np.random.default_rng(2)
    values = rng.normal(size=50)
    found = controlled(values, np.zeros(50), np.zeros(9), BY)
    assert (found.points, found.weight, found.variance) == (pytest.approx(values.mean()), 0, 1)


def test_the_weight_is_the_best_there_is():
    rng = np.random.default_rng(3)
    n, m = 400, 1000
    control = rng.normal(size=n)
    values = 2 * control + rng.normal(size=n)
    found = weight(values, control, n, m)

    def variance(w):
        return (values - w * control).var(ddof=1) / n + w**2 * control.var(ddof=1) / m

    assert variance(found) <= min(variance(found * 0.99), variance(found * 1.01))


def test_too_few_pairs_are_refused():
    few = np.zeros(2 * FOLDS - 1)
    with pytest.raises(ValueError, match="a control takes 20 pairs at least"):
        controlled(few, few, few, BY)


class Lowest:
    """Takes the legal action of the lowest number: another agent without chance."""

    name = "lowest"

    def act(self, view, rng):
        return lowest(view.legal).astype(np.int64)


class Careless(Greedy):
    """Greedy that from the fourth trick on throws the ace of spades away as soon as it can."""

    name = "careless"

    def act(self, view, rng):
        throws = (view.legal & BIT[51] != 0) & (view.trick_number >= 3)
        return np.where(throws, 51, super().act(view, rng))


@pytest.mark.parametrize("game", ["double_sar", "mendikot"])
def test_on_real_games_agents_alike_make_a_good_control(game):
    """Careless by way of greedy, of which many more pairs are known. Less than half of the variance
    is left; where agents leave something to chance, deal and control have less in common."""
    rules, seed = rungenv.variant(game), deals.seed("training", 9)

    def pairs(agent, start, stop):
        piece = Piece(rules, agent.name, "lowest", seed, start, stop)
        return play(piece, agent, Lowest()).pairs

    careless, beside = pairs(Careless(), 0, 1000), pairs(Greedy(), 2**40, 2**40 + 6000)
    found = controlled(careless, pairs(Greedy(), 0, 1000), beside, BY)
    assert found.variance < 0.5
    others = pairs(Careless(), 2000, 8000)
    error = np.hypot(others.std() / np.sqrt(len(others)), (found.high - found.low) / 3.92)
    assert abs(found.points - others.mean()) < 4 * error
    assert found.high - found.low < 0.75 * 3.92 * careless.std() / np.sqrt(1000)


@pytest.mark.parametrize("game", rungenv.VARIANTS)
def test_a_value_of_the_deal_cancels_in_every_pair(game):
    """What `control.py` says of AIVAT's correction, by a value of the deal that is no fair one:
    in a pair's mean of the first agent's corrections nothing of it is left."""
    rules, seed = rungenv.variant(game), deals.seed("training", 9)
    greedy, random = agents.make("greedy"), agents.make("random")
    played = play(Piece(rules, "a", "b", seed, 0, 50), greedy, random)
    honours = rungenv.deal(rules, 50, seed).deal % 13 >= 9
    value = honours[:, ::2].sum(axis=(1, 2)) - honours[:, 1::2].sum(axis=(1, 2))  # to team 0
    corrected = played.payoff - 0.3 * np.stack([value, -value])
    assert corrected[0].var() != pytest.approx(played.payoff[0].var())
    np.testing.assert_allclose(corrected.mean(axis=0), played.pairs)
