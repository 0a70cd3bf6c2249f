"""The arena on a local Ray cluster of two workers: the same figures; a killed one loses nothing."""

import json
import time

import numpy as np
import psutil
import pytest
import ray

import rungenv
from train import cli
from train.arena import plan
from train.arena.on_ray import run_on_ray
from train.arena.plan import Settings
from train.arena.results import read_results
from train.arena.tournament import PIECES, Tournament
from train.arena.workers import run_here


@pytest.fixture(scope="module", autouse=True)
def _two_workers():
    ray.init(num_cpus=2, log_to_driver=False, include_dashboard=False)
    yield
    ray.shutdown()


def settings(pairs):
    return Settings(
        games=(rungenv.variant("hidden_rung"), rungenv.variant("mendikot")),
        agents=("greedy", "random"),
        blocks={"greedy": 64, "random": 64},
        pairs=pairs,
    )


def pieces_of(folder):
    """What each piece holds, but for times."""
    found = {}
    for path in sorted((folder / PIECES).iterdir()):
        with np.load(path, allow_pickle=False) as arrays:
            found[path.name] = {k: arrays[k].tolist() for k in arrays if k != "seconds"}
    return found


def play(folder, chosen, way):
    plan.save(folder, chosen)
    Tournament(chosen, folder).play(way)
    return pieces_of(folder)


def workers_at_work():
    """The processes of Ray that are playing a piece just now."""
    own = psutil.Process().children(recursive=True)
    return [process for process in own if process.name().startswith("ray::work")]


def test_a_cluster_gives_the_same_figures_and_a_killed_worker_loses_nothing(tmp_path):
    chosen = settings(640)
    here = play(tmp_path / "here", chosen, run_here)
    killed, done = [], []

    def with_a_murder(pieces):
        for one in run_on_ray(pieces):
            done.append(one.piece)
            yield one
            deadline = time.monotonic() + 20
            while len(done) == 3 and not killed and time.monotonic() < deadline:
                for process in workers_at_work()[:1]:
                    process.kill()
                    killed.append(process.pid)

    there = play(tmp_path / "there", chosen, with_a_murder)
    assert killed
    assert len(done) == len(set(done)) == 20
    assert there == here


def test_the_command_plays_on_a_cluster(capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    line = ["arena", "be_ranga", "greedy", "random", "--pairs", "40"]
    assert cli.main([*line, "--run", "here", "--processes", "1"]) == 0
    assert cli.main([*line, "--run", "there", "--ray"]) == 0
    assert ray.is_initialized()
    games = []
    for name in ("here", "there"):
        results = read_results(tmp_path / name)
        (game,) = results["games"]
        for timed in (game["speeds"][0], game["speeds"][1], game["scores"][0]):
            for key in ("seconds", "per_second", "decisions_per_second"):
                timed.pop(key, None)
        games.append(json.dumps(game))
    assert games[0] == games[1]
