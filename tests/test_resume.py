"""A run that was broken off and gone on with ends with the weights of an unbroken one."""

import os
import re
import signal

import pytest
import torch

from agents import network
from train import checkpoint, config, start
from train.loop import train
from train.progress import Monitor


def settings_of(**overrides):
    small = {
        "network.hidden": [16],
        "network.critic_hidden": [16],
        "ppo.deals": 8,
        "ppo.minibatch": 64,
        "budget.total_steps": 2000,
        "report.pairs": 0,
        "threads": 1,
    }
    return config.load(None, small | overrides)


def break_off_after(monkeypatch, updates, number=signal.SIGINT):
    """Make a signal come, as Ctrl-C would send it, at the end of an update."""
    updated = Monitor.updated

    def and_then_stop(self, losses, seconds):
        updated(self, losses, seconds)
        if self.state.updates == updates:
            os.kill(os.getpid(), number)

    monkeypatch.setattr(Monitor, "updated", and_then_stop)


def tensors_of(folder):
    tensors, _ = network.read(folder)
    return tensors


@pytest.mark.parametrize("game", ["single_sar", "mendikot_band"])
def test_a_broken_run_ends_as_an_unbroken_one(tmp_path, monkeypatch, game):
    settings = settings_of(game=game, seed=3)
    straight = train(settings, tmp_path / "straight")
    with monkeypatch.context() as patch:
        break_off_after(patch, 2)
        stopped = train(settings, tmp_path / "broken")
    assert stopped.updates == 2
    assert stopped.share_of(settings.budget) < 1
    resumed = train(settings, tmp_path / "broken")
    assert (resumed.updates, resumed.steps) == (straight.updates, straight.steps)
    assert straight.updates >= 4
    expected, found = tensors_of(tmp_path / "straight"), tensors_of(tmp_path / "broken")
    assert expected.keys() == found.keys()
    assert all(torch.equal(expected[name], found[name]) for name in expected)


def test_a_request_to_terminate_saves_as_well(tmp_path, monkeypatch):
    break_off_after(monkeypatch, 1, signal.SIGTERM)
    train(settings_of(), tmp_path)
    assert checkpoint.load(tmp_path)[2].updates == 1


def test_another_seed_is_another_run(tmp_path):
    settings = settings_of(**{"budget.total_steps": 100})
    train(settings, tmp_path / "a")
    train(settings_of(seed=1, **{"budget.total_steps": 100}), tmp_path / "b")
    train(settings, tmp_path / "c")
    a, b, c = (tensors_of(tmp_path / name) for name in "abc")
    assert all(torch.equal(a[name], c[name]) for name in a)
    assert not torch.equal(a["policy.layers.0.weight"], b["policy.layers.0.weight"])


def test_only_budget_and_report_can_change_on_the_way(tmp_path):
    train(settings_of(**{"budget.total_steps": 100}), tmp_path)
    longer = train(settings_of(**{"budget.total_steps": 900}), tmp_path)
    assert longer.steps >= 900
    with pytest.raises(ValueError, match="keeps its configuration: ppo cannot be changed"):
        train(settings_of(**{"ppo.deals": 9}), tmp_path)


def test_the_command_line_goes_on_with_a_run(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    args = ["--network.hidden", "8", "--ppo.deals", "4", "--report.pairs", "0", "--threads", "1"]
    with monkeypatch.context() as patch:
        break_off_after(patch, 1)
        assert start.main([*args, "--budget.total-steps", "400"]) == 130
    assert "rung train --resume runs/single_sar" in " ".join(capsys.readouterr().out.split())
    assert start.main(["--resume", "runs/single_sar"]) == 0
    assert checkpoint.load(tmp_path / "runs/single_sar")[2].steps >= 400
    assert start.main(["--resume", "runs/single_sar"]) == 0, "nothing is left to do"

    for wrong, message in (
        (["--resume", "runs/other"], "there is no file runs/other"),
        (["--resume", "runs/single_sar", "--game", "mendikot"], "leave out --config and --game"),
        (["--resume", "runs/single_sar", "--ppo.epochs", "9"], "ppo cannot be changed"),
        (["--run", "runs/single_sar"], "runs/single_sar exists already"),
    ):
        with pytest.raises(ValueError, match=re.escape(message)):
            start.main(wrong)


def test_a_new_run_never_takes_the_folder_of_an_earlier_one(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for expected in ("runs/demo", "runs/demo-2", "runs/demo-3"):
        folder = start.new_folder("demo")
        assert str(folder) == expected
        folder.mkdir(parents=True)
