"""Training as a whole: every game trains, and training helps."""

import json
import math

import pytest
from rich.console import Console

import agents
import rungenv
from agents.network import NetworkAgent
from train import arena, checkpoint, config, deals, demo
from train.learner import make_learner
from train.loop import train
from train.progress import Monitor, read_curves

SMALL = {
    "network.hidden": [32],
    "network.critic_hidden": [32],
    "ppo.deals": 16,
    "ppo.minibatch": 256,
    "report.pairs": 20,
    "report.every_minutes": 0,
    "threads": 1,
}
GAMES = [(game, {}) for game in rungenv.VARIANTS] + [
    ("single_sar", {"change_trump": True, "new_cards": 1}),
    ("hidden_rung", {"change_trump": True, "collects": "pile"}),
]


@pytest.fixture
def reported(monkeypatch):
    """The losses of every update."""
    losses = []
    updated = Monitor.updated

    def note(self, found, seconds):
        losses.append(found)
        updated(self, found, seconds)

    monkeypatch.setattr(Monitor, "updated", note)
    return losses


@pytest.mark.parametrize(("game", "options"), GAMES)
def test_every_game_trains(tmp_path, reported, game, options):
    settings = config.load(
        None, SMALL | {"game": game, "rules": options, "budget.total_steps": 2000}
    )
    state = train(settings, tmp_path)
    assert state.updates == len(reported) >= 2
    for losses in reported:
        assert all(math.isfinite(value) for value in vars(losses).values())
        assert 0 < losses.entropy < math.log(13)
        assert 0 <= losses.clipped <= 1
    assert [point["steps"] for point in state.curve][:: len(state.curve) - 1] == [0, state.steps]
    for name in ("checkpoint.safetensors", "config.yaml", "curve.png", "tensorboard"):
        assert (tmp_path / name).exists(), name
    assert config.load(tmp_path / "config.yaml") == settings
    _, entropies = read_curves(tmp_path)["learning/entropy"]
    assert entropies == pytest.approx([losses.entropy for losses in reported])
    agent = agents.make(str(tmp_path))
    score = arena.duel(settings.rules, agent, agents.make("random"), 2, seed=0)
    assert score.decisions > 0


def test_a_short_run_gets_better_than_random(tmp_path):
    settings = config.load(
        None,
        SMALL
        | {
            "network.hidden": [64],
            "network.critic_hidden": [64],
            "ppo.deals": 128,
            "ppo.minibatch": 512,
            "ppo.learning_rate_start": 4e-3,
            "ppo.learning_rate_end": 1e-3,
            "budget.total_steps": 120_000,
            "report.pairs": 0,
        },
    )
    rival, held_out = agents.make("random"), deals.seed("validation", 1)
    fresh = NetworkAgent(make_learner(settings).policy, settings.rules, "fresh")
    before = arena.duel(settings.rules, fresh, rival, 400, seed=held_out)
    train(settings, tmp_path)
    after = arena.duel(settings.rules, agents.make(str(tmp_path)), rival, 400, seed=held_out)
    assert after.low > max(0.2, before.high)


def test_a_loss_that_is_no_number_stops_the_run_and_keeps_the_last_checkpoint(
    tmp_path, monkeypatch
):
    settings = config.load(None, SMALL | {"budget.total_steps": 700, "report.pairs": 0})
    train(settings, tmp_path)
    saved = (tmp_path / "checkpoint.safetensors").read_bytes()
    further = config.load(None, SMALL | {"budget.total_steps": 2000, "report.pairs": 0})
    monkeypatch.setattr("train.loop.blend", lambda *_: math.nan)
    with pytest.raises(ValueError, match="the loss is no longer a number"):
        train(further, tmp_path)
    assert (tmp_path / "checkpoint.safetensors").read_bytes() == saved


def test_the_demo_from_end_to_end(tmp_path, monkeypatch):
    small = config.load(None, SMALL | {"budget.max_minutes": 0.02})
    monkeypatch.setattr(demo, "settings_of", lambda _: small)
    told = Console(record=True, width=100, quiet=True)
    scores = demo.run(demo.Demo(minutes=0.02, pairs=10), tmp_path, told)
    assert [score.b for score in scores] == ["random", "greedy"]
    results = json.loads((tmp_path / "results.json").read_text("utf-8"))
    assert len(results["scores"]) == 2
    assert results["curve"][-1]["steps"] == results["steps"]
    assert checkpoint.load(tmp_path)[2].steps == results["steps"]
    assert all(deals.purpose_of(score.seed) == "test" for score in scores)


def test_the_demo_is_a_sound_run_of_five_minutes_at_most():
    settings = demo.settings_of(demo.Demo())
    assert settings.game == "single_sar"
    assert settings.budget.max_minutes is not None
    assert settings.budget.max_minutes <= 5
