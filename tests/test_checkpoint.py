"""A run on disk: saved whole, read back exactly, refused in clear words when it is damaged."""

import json

import numpy as np
import pytest
import torch

from agents import network
from train import checkpoint, config, files, ppo
from train.checkpoint import State
from train.learner import make_learner
from train.rollout import play_rounds

SETTINGS = config.load(
    None,
    {
        "game": "double_sar",
        "rules": {"no_late_pickup": True},
        "network": {"hidden": [16], "critic_hidden": [8]},
        "ppo": {"deals": 4, "minibatch": 64},
    },
)


def learner_after(updates):
    learner = make_learner(SETTINGS)
    for update in range(updates):
        rng = np.random.default_rng(update)
        rollout = play_rounds(learner.policy, SETTINGS.rules, 4, 0, 4 * update, rng)
        ppo.update(learner, rollout, SETTINGS.ppo, 1e-3, 0.05, 0.0, rng)
    return learner


def everything(learner):
    found = {name: parameter.detach() for name, parameter in learner.named_parameters()}
    for name, parameter in learner.named_parameters():
        for average, value in learner.optimiser.state[parameter].items():
            found[f"{name}.{average}"] = value
    return found


@pytest.mark.parametrize("updates", [0, 2])
def test_a_run_comes_back_as_it_was(tmp_path, updates):
    learner = learner_after(updates)
    state = State(updates, 500, 12.5, [{"steps": 0, "points": -1.0, "game": SETTINGS.game}])
    checkpoint.save(tmp_path, SETTINGS, learner, state)
    settings, again, state_again = checkpoint.load(tmp_path)
    assert (settings, state_again) == (SETTINGS, state)
    before, after = everything(learner), everything(again)
    assert before.keys() == after.keys()
    assert all(torch.equal(before[name], after[name]) for name in before)
    assert len(before) == (len(learner.parameters) if updates == 0 else 4 * len(learner.parameters))


def test_learning_goes_on_from_a_checkpoint_as_without_one(tmp_path):
    straight = learner_after(2)
    checkpoint.save(tmp_path, SETTINGS, straight, State())
    _, resumed, _ = checkpoint.load(tmp_path)
    for learner in (straight, resumed):
        rng = np.random.default_rng(9)
        rollout = play_rounds(learner.policy, SETTINGS.rules, 4, 0, 99, rng)
        ppo.update(learner, rollout, SETTINGS.ppo, 1e-3, 0.05, 0.0, rng)
    expected, found = everything(straight), everything(resumed)
    assert all(torch.equal(expected[name], found[name]) for name in expected)


def test_a_checkpoint_is_an_agent(tmp_path):
    learner = learner_after(1)
    path = checkpoint.save(tmp_path, SETTINGS, learner, State())
    for place in (path, tmp_path):
        agent = network.load(place)
        assert agent.rules == SETTINGS.rules
        for name, value in agent.network.state_dict().items():
            assert torch.equal(value, learner.policy.state_dict()[name])


def test_its_header_tells_all_without_its_tensors(tmp_path):
    path = checkpoint.save(tmp_path, SETTINGS, learner_after(1), State(updates=7))
    data = path.read_bytes()
    header = json.loads(data[8 : 8 + int.from_bytes(data[:8], "little")])["__metadata__"]
    assert json.loads(header["rules"])["no_late_pickup"] is True
    assert json.loads(header["state"])["updates"] == 7
    assert config.from_dict(json.loads(header["config"])) == SETTINGS
    assert {"format", "layout_version", "network", "sha256"} <= header.keys()


def test_an_agent_without_its_training_cannot_be_gone_on_with(tmp_path):
    learner = learner_after(0)
    path = tmp_path / network.CHECKPOINT
    path.write_bytes(network.to_bytes(*network.pack(learner.policy, SETTINGS.rules)))
    with pytest.raises(ValueError, match="holds an agent, but no run to go on with"):
        checkpoint.load(tmp_path)


@pytest.mark.parametrize("fails", ["fsync", "replace"])
def test_a_write_that_fails_leaves_the_file_as_it_was(tmp_path, monkeypatch, fails):
    path = tmp_path / "file"
    files.write_atomically(path, b"before")

    def fail(*_):
        raise OSError("no space left on device")

    target = files.os if fails == "fsync" else type(path)
    monkeypatch.setattr(target, fails, fail)
    with pytest.raises(OSError, match="no space left"):
        files.write_atomically(path, b"after")
    assert path.read_bytes() == b"before"
    assert [found.name for found in tmp_path.iterdir()] == ["file"]
