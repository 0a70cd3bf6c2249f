"""How a run is judged on its way: what counts as the best, and when to stop."""

import pytest
import torch

from agents import network
from agents.network import BEST
from train import checkpoint, config
from train.checkpoint import State
from train.learner import make_learner
from train.loop import is_over, train
from train.settings import BEST_BEFORE
from train.validation import has_stalled, is_best, means, measure, opponents_of


def curve_of(*means, width=0.04, opponents=("greedy", "random"), game="be_ranga", start=0):
    """A curve with these means, each spread over two opponents."""
    return [
        {
            "game": game,
            "steps": start + number,
            "opponent": opponent,
            "points": mean + apart,
            "low": mean + apart - width / 2,
            "high": mean + apart + width / 2,
        }
        for number, mean in enumerate(means)
        for opponent, apart in zip(opponents, (-0.3, 0.3), strict=True)
    ]


def test_a_measurement_is_the_mean_over_its_fixed_opponents():
    best = {
        "game": "be_ranga",
        "steps": 1,
        "opponent": BEST_BEFORE,
        "points": 9.0,
        "low": 8.0,
        "high": 10.0,
    }
    assert means([*curve_of(0.1, 0.2), best]) == pytest.approx([0.1, 0.2])


@pytest.mark.parametrize("other", [{"opponents": ("expert", "greedy")}, {"game": "mendikot"}])
def test_measurements_against_others_are_not_compared(other):
    """A run that is gone on with may be measured against stronger opponents."""
    now = curve_of(-0.2, -0.1, start=3, **other)
    curve = [*curve_of(0.7, 0.8, 0.9), *now]
    assert means(curve) == pytest.approx([-0.2, -0.1])
    assert is_best(curve)
    assert not has_stalled(curve, 2)
    assert means([*curve, *curve_of(1.0, start=5)]) == pytest.approx([0.7, 0.8, 0.9, 1.0])


@pytest.mark.parametrize(
    ("points", "expected"),
    [
        ([0.1], True),
        ([0.1, 0.2], True),
        ([0.2, 0.19], True),  # no worse, as far as can be told
        ([0.2, 0.1], False),
        ([0.2, 0.19, 0.181, 0.172], False),  # slowly down: judged by the highest of all
    ],
)
def test_the_newest_is_the_best_unless_chance_cannot_explain_that_it_is_worse(points, expected):
    assert is_best(curve_of(*points)) is expected


def test_patience_counts_measurements_without_a_new_highest():
    assert not has_stalled(curve_of(0.1, 0.1, 0.1), None)
    assert not has_stalled(curve_of(0.1, 0.3), 2)
    assert not has_stalled(curve_of(0.1, 0.2, 0.3), 2)
    assert has_stalled(curve_of(0.3, 0.2, 0.25), 2)


SMALL = {
    "network.hidden": [8],
    "network.critic_hidden": [8],
    "ppo.deals": 4,
    "report.pairs": 4,
    "report.every_minutes": 0,
    "threads": 1,
}


def test_the_run_s_agent_is_its_best_and_not_its_last(tmp_path):
    settings = config.load(None, SMALL)
    good, bad = make_learner(settings), make_learner(settings)
    bad.policy.load_state_dict({k: v + 1.0 for k, v in bad.policy.state_dict().items()})
    state = State()
    state.curve += measure(settings, good, state, opponents_of(settings), tmp_path)
    state.curve[-1]["points"] = 99.0
    state.steps = 1
    state.curve += measure(settings, bad, state, opponents_of(settings), tmp_path)
    checkpoint.save(tmp_path, settings, bad, state)
    found = network.load(tmp_path).network.state_dict()
    assert all(torch.equal(found[name], value) for name, value in good.policy.state_dict().items())


def test_a_run_is_measured_against_all_its_opponents_and_its_best_before(tmp_path):
    opponents = ["random", "greedy", "best"]
    settings = config.load(None, SMALL | {"report.opponents": opponents, "budget.total_steps": 600})
    state = train(settings, tmp_path)
    first = [point["opponent"] for point in state.curve if point["steps"] == 0]
    last = [point["opponent"] for point in state.curve if point["steps"] == state.steps]
    assert first == ["random", "greedy"]
    assert last == opponents
    assert (tmp_path / BEST).exists()


def test_patience_ends_a_run(tmp_path, monkeypatch):
    monkeypatch.setattr("train.loop.has_stalled", lambda curve, patience: len(curve) > 2)
    settings = config.load(None, SMALL | {"budget.patience": 2})
    state = train(settings, tmp_path)
    assert len(state.curve) == 3
    assert state.share_of(settings.budget) < 1
    assert is_over(settings, state)


def test_a_run_needs_something_fixed_to_be_measured_against():
    with pytest.raises(ValueError, match="besides the run's own best"):
        config.load(None, {"report.opponents": ["best"]})
    with pytest.raises(ValueError, match="no agent is called 'gredy'"):
        opponents_of(config.load(None, {"report.opponents": ["gredy"]}))
    others = {"game": "mendikot", "report.opponents": ["zoo/single_sar"]}
    with pytest.raises(ValueError, match="zoo/single_sar plays single_sar, not mendikot"):
        opponents_of(config.load(None, others))
