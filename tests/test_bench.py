"""That everything that `rung bench` measures can be measured; not how fast it is."""

import json

import pytest

from train import bench, search_bench, workloads
from train.cli import main

QUICK = ["--repeats", "1", "--seconds", "0"]


@pytest.fixture(autouse=True)
def small(monkeypatch):
    monkeypatch.setattr(workloads, "N", 32)
    monkeypatch.setattr(bench, "SIZES", (16, 32))
    monkeypatch.setattr(workloads, "PIECE", 2)
    monkeypatch.setattr(search_bench, "DECISIONS", 2)


def test_every_workload_does_what_it_counts():
    names = [workload.name for workload in workloads.all_of_them()]
    assert len(set(names)) == len(names) == 79
    for workload in workloads.all_of_them():
        piece = workload.prepare()
        done = piece()
        assert done >= (2 if "one by one" in workload.name else 2 * 13), workload.name
        assert piece() > 0, workload.name


@pytest.mark.parametrize(
    ("only", "names"),
    [
        ("kernel: be_ranga", ["kernel: be_ranga"]),
        ("state", ["state of a table"]),
        ("one of many", ["action at one of 16 tables", "action at one of 32 tables"]),
    ],
)
def test_the_command_measures_what_is_asked_for(only, names, tmp_path, capsys):
    path = tmp_path / "new" / "bench.json"
    assert main(["bench", "--only", only, *QUICK, "--json", str(path)]) == 0
    printed = capsys.readouterr().out
    report = json.loads(path.read_text("utf-8"))
    measured = {figure["name"]: figure["value"] for figure in report["figures"]}
    for name in names:
        assert name in printed
        assert measured[name] > 0


def test_training_is_measured():
    figure = bench.training_speed(200, {"ppo.deals": 8})
    assert figure.value > 0


def test_the_parts_of_the_vector_environments_time_make_up_the_whole():
    share, *parts = bench.vector_costs(repeats=1)
    assert share.value > 0
    assert {part.name.removeprefix("vector env, time for ") for part in parts} >= {
        "kernel", "others' choices", "deals", "views", "dense columns", "all else"
    }  # fmt: skip
    assert all(part.value > 0 for part in parts)
    assert sum(part.value for part in parts) == pytest.approx(100)


def test_where_a_trainings_time_goes_is_measured():
    *parts, ratio = bench.training_costs(deals=4, minibatches=1)
    assert [part.name.removeprefix("training, time for ") for part in parts] == [
        *("playing, rules", "playing, views", "playing, features", "playing, choosing"),
        *("playing, all else", "learning, judging", "learning, forward", "learning, backward"),
        "learning, optimiser",
    ]
    assert all(part.value > 0 for part in parts)
    assert ratio.value > 0


def test_a_target_is_met_or_missed():
    assert bench.Figure("", 5, "", 4).is_met
    assert not bench.Figure("", 3, "", 4).is_met
    assert bench.Figure("", 3, "", 4, is_cost=True).is_met
    assert not bench.Figure("", 5, "", 4, is_cost=True).is_met
    assert bench.Figure("", 5, "").is_met


def test_nothing_of_that_name(capsys):
    assert main(["bench", "--only", "chess"]) == 2
    assert "'chess'" in capsys.readouterr().err


def test_a_tables_state_is_small():
    """History aside, a table takes at most 512 bytes."""
    assert bench.table_bytes().is_met
