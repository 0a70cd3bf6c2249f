"""A run that was broken off and gone on with ends with the weights of an unbroken one."""

import errno
import io
import os
import random
import re
import signal
import subprocess
import sys
import time

import pytest
import torch
import yaml
from rich.console import Console

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


@pytest.mark.parametrize(
    "options",
    [
        {"game": "single_sar"},
        {"game": "mendikot_band"},
        {"ppo.critic": "q", "payoff": "match"},
        {"precision": "bfloat16"},
    ],
    ids=lambda options: "-".join(options.values()),
)
def test_a_broken_run_ends_as_an_unbroken_one(tmp_path, monkeypatch, options):
    settings = settings_of(seed=3, **options)
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


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (["--report.pairs", "2", "--report.opponents", "gredy"], "'gredy'; nearest: greedy"),
        (["--clone.agent", "gredy"], "'gredy'; nearest: greedy"),
        (["--league.share", "0.5", "--league.agents", "gredy"], "'gredy'; nearest: greedy"),
        (["--clone.weights", "runs/none"], "there is no file runs/none"),
        (["--clone.agent", "zoo/mendikot"], "mendikot"),
        (["--device", "cuda"], "cuda"),
    ],
)
def test_what_is_wrong_is_found_before_anything_is_written(tmp_path, monkeypatch, wrong, message):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match=re.escape(message)):
        start.main(["--report.pairs", "0", "--threads", "1", *wrong])
    assert list(tmp_path.rglob("*")) == []


def test_a_run_that_was_stopped_before_its_first_checkpoint_begins_again(tmp_path, monkeypatch):
    settings = settings_of(**{"budget.total_steps": 300})
    train(settings, tmp_path / "straight")
    folder = tmp_path / "run"
    folder.mkdir()
    (folder / config.FILE).write_bytes((tmp_path / "straight" / config.FILE).read_bytes())
    assert start.main(["--resume", str(folder)]) == 0
    expected, found = tensors_of(tmp_path / "straight"), tensors_of(folder)
    assert all(torch.equal(expected[name], found[name]) for name in expected)


def test_a_new_run_never_takes_the_folder_of_an_earlier_one(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for expected in ("runs/demo", "runs/demo-2", "runs/demo-3"):
        folder = start.new_folder("demo")
        assert str(folder) == expected
        folder.mkdir(parents=True)


def test_a_damaged_checkpoint_falls_back_to_the_one_before_and_says_so(tmp_path, monkeypatch):
    settings = settings_of(**{"report.save_minutes": 0})
    straight = train(settings, tmp_path / "straight")
    broken = tmp_path / "broken"
    with monkeypatch.context() as patch:
        break_off_after(patch, 3)
        train(settings, broken)
    newest = broken / network.CHECKPOINT
    newest.write_bytes(newest.read_bytes()[:-100])
    told = io.StringIO()
    resumed = train(settings, broken, Console(file=told, width=200))
    assert "damaged: going on from checkpoint-before.safetensors" in told.getvalue()
    assert resumed.updates == straight.updates
    expected, found = tensors_of(tmp_path / "straight"), tensors_of(broken)
    assert all(torch.equal(expected[name], found[name]) for name in expected)


def test_with_both_checkpoints_damaged_the_run_is_refused_and_left_as_it_is(tmp_path):
    settings = settings_of(**{"report.save_minutes": 0, "budget.total_steps": 900})
    train(settings, tmp_path)
    for name in (network.CHECKPOINT, checkpoint.BEFORE):
        (tmp_path / name).write_bytes(b"nothing of use")
    with pytest.raises(ValueError, match="is damaged"):
        train(settings, tmp_path)
    assert (tmp_path / checkpoint.BEFORE).read_bytes() == b"nothing of use"


def test_a_full_disk_on_the_way_is_told_and_trained_through(tmp_path, monkeypatch):
    settings = settings_of(**{"report.save_minutes": 0})
    write, calls = checkpoint.write_atomically, []

    def fail_twice(path, data):
        calls.append(path)
        if len(calls) <= 2:
            raise OSError(errno.ENOSPC, "No space left on device")
        write(path, data)

    monkeypatch.setattr(checkpoint, "write_atomically", fail_twice)
    told = io.StringIO()
    train(settings, tmp_path, Console(file=told, width=200))
    assert told.getvalue().count("not saved, the checkpoint before stands: No space left") == 2
    assert checkpoint.load(tmp_path)[2].steps >= 2000


RUN = """
import sys
from pathlib import Path
from train import config, loop
loop.train(config.load(sys.argv[1]), Path(sys.argv[2]))
"""


def test_a_run_killed_at_any_moment_ends_as_an_unbroken_one(tmp_path):
    settings = settings_of(**{"report.save_minutes": 0, "budget.total_steps": 9_000})
    told = tmp_path / "run.yaml"
    told.write_text(yaml.safe_dump(config.to_dict(settings)), "utf-8")
    train(settings, tmp_path / "straight")
    command = [sys.executable, "-c", RUN, str(told), str(tmp_path / "killed")]
    waits = random.Random(5)
    for _ in range(3):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        newest = tmp_path / "killed" / network.CHECKPOINT
        before = newest.stat().st_mtime_ns if newest.exists() else 0
        while process.poll() is None and (
            not newest.exists() or newest.stat().st_mtime_ns == before
        ):
            time.sleep(0.01)
        time.sleep(waits.uniform(0, 0.1))
        process.kill()
        process.wait()
    updates = checkpoint.load(tmp_path / "killed")[2].updates
    resumed = train(settings, tmp_path / "killed")
    assert 0 < updates < resumed.updates
    expected, found = tensors_of(tmp_path / "straight"), tensors_of(tmp_path / "killed")
    assert all(torch.equal(expected[name], found[name]) for name in expected)
