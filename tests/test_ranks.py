"""Training in several ranks: they agree, learn what one would learn, and outlive a lost one."""

import os
import re
import signal
import subprocess
import sys
import time
from dataclasses import replace

import numpy as np
import pytest
import torch
from torch import multiprocessing

from train import checkpoint, config, launch, ppo
from train.learner import make_learner
from train.loop import train
from train.ppo import normalised
from train.ranks import ALONE, Ranks, joined
from train.rollout import play_rounds

SETTINGS = config.load(
    None,
    {
        "game": "hidden_rung",
        "network": {"hidden": [16], "critic_hidden": [8]},
        "ppo": {"deals": 12, "minibatch": 10_000},
        "threads": 1,
    },
)


def test_shares_are_all_of_it_and_differ_by_one_at_most():
    for total, size in ((10, 3), (1024, 7), (5, 5)):
        shares = [Ranks(number, size).share(total) for number in range(size)]
        assert [number for share in shares for number in share] == list(range(total))
        assert max(map(len, shares)) - min(map(len, shares)) <= 1


def test_alone_nothing_is_changed():
    values = np.arange(3.0)
    assert ALONE.sums(values) is values
    assert ALONE.highest(2.5) == 2.5
    assert ALONE.told_by_first({"a": [1]}) == {"a": [1]}


def part_of(rollout, tables):
    """The decisions of some tables."""
    rows = np.flatnonzero(np.isin(rollout.player // 4, list(tables)))
    return replace(
        rollout,
        features=rollout.features[rows],
        legal=rollout.legal[rows],
        choice=rollout.choice[rows],
        log_probability=rollout.log_probability[rows],
        player=rollout.player[rows],
        outcome=rollout.outcome[rows],
        lead=rollout.lead[rows],
    )


def updated(ranks):
    """The weights after two updates of one gradient step each, every rank with its tables."""
    torch.set_num_threads(1)
    learner = make_learner(SETTINGS, ranks)
    for update in range(2):
        rollout = play_rounds(
            learner.policy, SETTINGS.rules, 12, 0, 12 * update, np.random.default_rng(update)
        )
        own = part_of(rollout, ranks.share(12))
        rng = np.random.default_rng(ranks.number)
        losses = ppo.update(learner, own, SETTINGS.ppo, 1e-3, 0.05, 0.0, rng)
    weights = torch.cat([parameter.detach().flatten() for parameter in learner.parameters])
    return weights.numpy(), vars(losses)


def in_a_rank(number, size, port, answers):
    os.environ |= {
        "RANK": str(number),
        "WORLD_SIZE": str(size),
        "MASTER_ADDR": "127.0.0.1",
        "MASTER_PORT": str(port),
    }
    with joined() as ranks:
        assert (ranks.number, ranks.size) == (number, size)
        summed = ranks.sums(np.array([number, 1])).tolist()
        highest = ranks.highest(float(number))
        told = ranks.told_by_first({"from": number, "text": "é" * (50 if number == 0 else 1)})
        parts = np.split(np.arange(10, dtype=np.float32), [3])
        answers.put(
            (number, summed, highest, told, normalised(parts[number], ranks), *updated(ranks))
        )


def test_two_ranks_agree_and_learn_what_one_learns():
    context = multiprocessing.get_context("spawn")
    answers = context.Queue()
    port = launch._free_port()
    ranks = [context.Process(target=in_a_rank, args=(n, 2, port, answers)) for n in range(2)]
    for rank in ranks:
        rank.start()
    found = sorted((answers.get(timeout=120) for _ in ranks), key=lambda answer: answer[0])
    for rank in ranks:
        rank.join()
        assert rank.exitcode == 0

    expected, losses = updated(ALONE)
    for number, summed, highest, told, _, weights, told_losses in found:
        assert number in (0, 1)
        assert summed == [1, 2]
        assert highest == 1.0
        assert told == {"from": 0, "text": "é" * 50}
        np.testing.assert_array_equal(weights, found[0][5], "ranks differ")
        np.testing.assert_allclose(weights, expected, atol=2e-5)
        assert told_losses["entropy"] == pytest.approx(losses["entropy"], rel=0.05)
    both = np.concatenate([answer[4] for answer in found])
    values = np.arange(10, dtype=np.float32)
    np.testing.assert_allclose(both, (values - values.mean()) / values.std(), atol=1e-6)


def run_in_ranks(folder, *options):
    command = [sys.executable, "-m", "train", "train", "--ranks", "2", "--run", str(folder)]
    command += ["--network.hidden", "8", "--network.critic-hidden", "8", "--ppo.deals", "8"]
    command += ["--report.pairs", "0", "--report.save-minutes", "0", *options]
    return subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def ranks_of(process):
    found = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(process.pid)], capture_output=True, text=True, check=True
    )
    return [int(pid) for pid in found.stdout.split()]


def wait_for_a_checkpoint(folder, process):
    while not (folder / "checkpoint.safetensors").exists():
        assert process.poll() is None
        time.sleep(0.02)


def test_when_a_rank_is_killed_all_go_on_from_the_last_checkpoint(tmp_path):
    folder = tmp_path / "run"
    process = run_in_ranks(folder, "--budget.total-steps", "7000")
    wait_for_a_checkpoint(folder, process)
    os.kill(ranks_of(process)[-1], signal.SIGKILL)
    told, errors = process.communicate(timeout=240)
    assert process.returncode == 0, errors
    assert "rank 1 by SIGKILL" in errors
    assert told.count("training single_sar in") == 2
    assert checkpoint.load(folder)[2].steps >= 7_000


def test_ctrl_c_saves_and_says_how_to_go_on(tmp_path):
    folder = tmp_path / "run"
    process = run_in_ranks(folder)
    wait_for_a_checkpoint(folder, process)
    process.send_signal(signal.SIGINT)
    told, errors = process.communicate(timeout=120)
    assert process.returncode == launch.STOPPED, errors
    assert "go on with: rung train --resume" in re.sub(r"\s+", " ", told)
    assert checkpoint.load(folder)[2].updates >= 1


def test_more_ranks_than_deals_are_refused(tmp_path):
    with pytest.raises(ValueError, match=r"13 ranks cannot share ppo\.deals=12"):
        train(SETTINGS, tmp_path / "run", ranks=Ranks(0, 13))
    small = replace(SETTINGS, ppo=replace(SETTINGS.ppo, minibatch=3))
    with pytest.raises(ValueError, match=r"2 ranks cannot share ppo\.minibatch=3"):
        train(small, tmp_path / "run", ranks=Ranks(0, 2))
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("codes", "is_stopped", "expected"),
    [
        ([0, 0], False, launch.DONE),
        ([130, 130], True, launch.STOPPED),
        ([130, 130], False, launch.STOPPED),  # one rank was told to, and all agreed
        ([2, 3], False, launch.ERROR),
        ([1, 3], False, launch.CRASHED),
        ([-9, 3], False, launch.LOST),
    ],
)
def test_what_comes_of_the_ranks_exit_codes(monkeypatch, codes, is_stopped, expected):
    runs = []
    monkeypatch.setattr(launch, "_run_once", lambda *_: runs.append(1) or (codes, is_stopped))
    assert launch.run_ranks(2, []) == expected
    assert len(runs) == (1 + launch.RESTARTS if expected == launch.LOST else 1)
