"""The fit of the expert's weights: what is tried, what it paid, and what is made of that."""

import json

import numpy as np
import pytest

import agents
import rungenv
from agents.expert.situations import SITUATIONS
from rungenv.bits import BIT
from train import fit_expert
from train.choice_fit import Tried, climb, gain, regress
from train.what_if import MOST, choices


@pytest.mark.parametrize("game", rungenv.VARIANTS)
def test_every_action_tried_is_paid_for_its_round(game):
    greedy = agents.make("greedy")
    everything = dict.fromkeys(SITUATIONS, 1.0)
    rng = np.random.default_rng(0)
    found = list(choices(rungenv.variant(game), greedy, 3, range(48), everything, rng))
    assert {name for name, _ in found} >= {"second", "last", "void_last"}
    for _, part in found:
        assert (part.payoff != 0).all()  # no round is drawn, also one that the action itself ends
        assert (part.view.legal[part.row] & BIT[part.action] != 0).all()
        tried = np.bincount(part.row)
        assert tried.min() >= 2
        assert tried.max() <= MOST
        first = np.cumsum(tried) - tried
        assert (part.action[first] == greedy.act(part.view, rng)).all()


def made_up(n, worth, noise, seed=0):
    """Choices between four actions, whose features are worth so much."""
    rng = np.random.default_rng(seed)
    features = (rng.random((4 * n, len(worth))) < 0.4).astype(np.float32)
    luck = np.repeat(rng.normal(size=n), 4) + noise * rng.normal(size=4 * n)
    payoff = (features @ worth + luck).astype(np.float32)
    return Tried(features, payoff, np.arange(0, 4 * n, 4))


def test_a_regression_finds_what_features_are_worth():
    worth = np.array([0.3, -0.2, 0.0, 0.1])
    found = regress(made_up(20_000, worth, noise=0.5), np.zeros(4), 30.0)
    assert found == pytest.approx(worth, abs=0.02)


def test_without_anything_seen_it_keeps_to_the_prior():
    worth = np.array([0.3, -0.2])
    tried = made_up(50, worth, noise=0.5)
    assert regress(tried, worth, 1e9) == pytest.approx(worth, abs=1e-3)


def test_climbing_makes_the_choices_better_where_sums_do_not_tell_all():
    worth = np.array([0.3, -0.2, 0.1, 0.1])
    tried = made_up(5000, worth, noise=0.3)
    payoff = tried.payoff + 0.4 * tried.features[:, 0] * tried.features[:, 2]
    tried = Tried(tried.features, payoff.astype(np.float32), tried.start)
    poor = np.array([0.0, 0.0, 0.3, 0.3])
    assert gain(climb(poor, tried, steps=200), tried) > gain(poor, tried) + 0.1


def test_the_command_writes_weights_and_leaves_other_games_alone(tmp_path):
    file = tmp_path / "weights.json"
    file.write_text('{"another": {}}')
    arguments = ["be_ranga", "--rounds", "64", "--afresh", "--file", str(file)]
    assert fit_expert.main(arguments) == 0
    weights = json.loads(file.read_text())
    assert set(weights) == {"another", "cut-trick-seven_tricks"}
    assert weights["cut-trick-seven_tricks"]["cut"]["cut_into_five"] != 0
    assert fit_expert.main(arguments) == 0
    assert json.loads(file.read_text()) == weights
