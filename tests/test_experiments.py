"""Experiments: plan and files fit, what is done is kept and not done again, and the page."""

import json
import re
from pathlib import Path

import pytest
import yaml

from agents import network
from rungenv import VARIANTS
from train import checkpoint, config, experiments
from train.experiments_page import Noise, Places, draw, in_words, noise_of, page
from train.experiments_plan import differences, keep, read_plan, results_of
from train.files import read_lines, write_atomically

FOLDER = Path(__file__).parent.parent / "configs" / "experiments"
PROGRAMMES = sorted(path.parent for path in FOLDER.rglob("plan.yaml"))

BASE = {
    "network": {"hidden": [8], "critic_hidden": [8]},
    "ppo": {"deals": 8, "minibatch": 256},
    "budget": {"total_steps": 800},
    "report": {"pairs": 4},
    "threads": 1,
}


@pytest.fixture
def programme(tmp_path, monkeypatch):
    """A small programme in the current folder; a function that runs the command there."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(experiments, "CRITIC_DEALS", 8)
    (tmp_path / "configs").mkdir()
    plan = {
        "seeds": ["base", "other"],
        "questions": [{"question": "How much is noise?", "experiments": ["base", "other"]}],
    }
    for name, values in {
        "base": BASE,
        "other": {"extends": "base.yaml", "seed": 1},
        "plan": plan,
    }.items():
        (tmp_path / "configs" / f"{name}.yaml").write_text(yaml.safe_dump(values), "utf-8")
    places = ["--configs", "configs", "--runs", "runs", "--results", "r.jsonl", "--pairs", "4"]
    return lambda *args: experiments.main([*args, *places])


@pytest.mark.parametrize("folder", PROGRAMMES, ids=lambda folder: folder.name)
def test_every_experiment_of_the_repository_differs_from_the_base_and_answers_a_question(folder):
    plan, settings = read_plan(folder)
    base = settings[plan.seeds[0]]
    changed = {
        name: json.dumps(differences(each, base), sort_keys=True) for name, each in settings.items()
    }
    assert len(set(changed.values())) == len(changed), "no two are the same run"
    for name in plan.seeds[1:]:
        assert set(differences(settings[name], base)) == {"seed"}
    for path in folder.glob("*.yaml"):
        assert path.read_text("utf-8").startswith("# "), "a line says what it asks"


def test_those_that_begin_from_nothing_are_many_and_have_the_same_budget():
    plan, settings = read_plan(FOLDER)
    base = settings[plan.seeds[0]]
    assert len(settings) >= 20
    assert {each.budget.total_steps for each in settings.values()} == {base.budget.total_steps}


def test_the_results_of_the_repository_are_of_its_plan_and_of_enough_pairs():
    _, settings = read_plan(FOLDER)
    results = results_of(settings, FOLDER.parent.parent / "train" / "experiments.jsonl")
    for name, line in results.items():
        assert line["steps"] >= settings[name].budget.total_steps
        for score in line["scores"]:
            assert score["pairs"] >= 10_000
            assert score["low"] < score["points"] < score["high"]


def test_what_is_done_is_kept_and_only_done_again_when_its_configuration_changes(
    programme, tmp_path
):
    assert programme("base") == 0
    [first] = read_lines(tmp_path / "r.jsonl")
    assert [score["opponent"] for score in first["scores"][:2]] == list(experiments.OPPONENTS)
    assert first["explained_variance"] <= 1
    assert config.from_dict(first["config"]) == config.load(tmp_path / "configs" / "base.yaml")
    written = (tmp_path / "r.jsonl").stat().st_mtime_ns
    assert programme("base") == 0
    assert (tmp_path / "r.jsonl").stat().st_mtime_ns == written, "done already"

    (tmp_path / "configs" / "base.yaml").write_text(
        yaml.safe_dump(BASE | {"report": {"pairs": 6}}), "utf-8"
    )
    assert programme("base") == 0
    assert (tmp_path / "r.jsonl").stat().st_mtime_ns == written, "reports change nothing learned"

    (tmp_path / "configs" / "base.yaml").write_text(yaml.safe_dump(BASE | {"seed": 5}), "utf-8")
    assert programme("base") == 0
    [again] = read_lines(tmp_path / "r.jsonl")
    assert again["config"]["seed"] == 5
    assert sorted(path.name for path in (tmp_path / "runs").iterdir()) == ["base", "base-2"]


def test_a_run_that_was_stopped_is_gone_on_with(programme, tmp_path, monkeypatch):
    train = experiments.train

    def stopped(settings, folder, console):
        monkeypatch.setattr(experiments, "is_over", lambda settings, state: False)
        return train(settings, folder, console)

    monkeypatch.setattr(experiments, "train", stopped)
    assert programme("base") == 130
    assert not (tmp_path / "r.jsonl").exists()
    monkeypatch.undo()
    monkeypatch.chdir(tmp_path)
    assert programme("base") == 0
    _, _, state = checkpoint.load(tmp_path / "runs" / "base")
    [line] = read_lines(tmp_path / "r.jsonl")
    assert line["steps"] == state.steps
    assert [path.name for path in (tmp_path / "runs").iterdir()] == ["base"]


def test_the_best_on_the_way_is_measured_when_it_is_another(programme, tmp_path):
    assert programme("base") == 0
    [line] = read_lines(tmp_path / "r.jsonl")
    assert {score["policy"] for score in line["scores"]} == {"last"}
    best = tmp_path / "runs" / "base" / network.BEST
    tensors, header = network.read(best)
    write_atomically(best, network.to_bytes(tensors, header | {"steps": "0"}))
    (tmp_path / "r.jsonl").unlink()
    assert programme("base") == 0
    [line] = read_lines(tmp_path / "r.jsonl")
    assert [score["policy"] for score in line["scores"]] == ["last", "last", "best", "best"]


def test_a_plan_that_does_not_fit_its_files_is_refused(programme, tmp_path):
    with pytest.raises(ValueError, match="no experiment is called 'bas'; nearest: base"):
        programme("bas")
    (tmp_path / "configs" / "stray.yaml").write_text("extends: base.yaml", "utf-8")
    with pytest.raises(ValueError, match=r"plan\.yaml asks nothing of stray"):
        programme("base")
    (tmp_path / "configs" / "stray.yaml").unlink()
    (tmp_path / "configs" / "other.yaml").unlink()
    with pytest.raises(ValueError, match=r"other\.yaml cannot be read"):
        programme("base")
    assert not (tmp_path / "runs").exists()


def line_of(name, *points):
    scores = [
        {
            "policy": "last",
            "opponent": opponent,
            "points": each,
            "low": each - 0.01,
            "high": each + 0.01,
            "pairs": 10_000,
        }
        for opponent, each in zip(experiments.OPPONENTS, points, strict=True)
    ]
    return {
        "experiment": name,
        "scores": scores,
        "steps_per_cpu_second": 1234,
        "explained_variance": 0.5,
    }


def test_the_page_has_a_row_for_each_that_is_done_and_says_which_are_not(tmp_path):
    plan, settings = read_plan(FOLDER)
    results = {
        "base": line_of("base", 0.1, 0.0),
        "seed_1": line_of("seed_1", 0.12, 0.02),
        "trace_100": line_of("trace_100", 0.9, 0.9),
        "trace_80": line_of("trace_80", 0.1, 0.01),
    }
    text = page(plan, settings, results, Places(), Path("E.md"))
    assert re.search(
        r"\| ppo\.trace 1\.0 \| \+0\.900 ± 0\.010 \| \+0\.900 ± 0\.010 \| \+0\.900 \| better "
        r"\| 0\.50 \| 1,234 \| `python -m train\.experiments trace_100` \|",
        text,
    )
    assert re.search(r"\| ppo\.trace 0\.8 .* within noise ", text)
    assert "Not done yet: `trace_95`." in text
    for question in plan.questions:
        assert f"## {question.question}\n" in text
    draw(plan, results, tmp_path / "E.png")
    assert (tmp_path / "E.png").read_bytes().startswith(b"\x89PNG")


def test_a_run_of_several_games_has_a_row_for_each_and_commands_name_their_places():
    folder = FOLDER / "one_for_all"
    plan, settings = read_plan(folder)
    one, all_games = line_of("mendikot", 0.5, 0.25), line_of("all", 0, 0)
    all_games["scores"] = [
        {**score, "game": game, "points": points}
        for game, points in zip(VARIANTS, (0.1, 0.2, 0.3, 0.4, 0.5, 0.6), strict=True)
        for score in all_games["scores"]
    ]
    places = Places(folder, Path("r.jsonl"))
    text = page(plan, settings, {"mendikot": one, "all": all_games}, places, Path("here/E.md"))
    assert "| all | +0.350 ± 0.004 | +0.350 ± 0.004 | +0.350 |" in text
    assert "| its be_ranga | +0.400 ± 0.010 | +0.400 ± 0.010 | +0.400 |  |" in text
    assert f"`python -m train.experiments mendikot --configs {folder} --results r.jsonl`" in text
    assert "`--only-page --page here/E.md`" in text
    assert "](E.png)" in text


def test_noise_is_wide_for_few_seeds_and_unknown_for_one():
    plan, _ = read_plan(FOLDER)
    seeds = dict.fromkeys(plan.seeds)
    lines = {name: line_of(name, 0.1 + i / 50, 0.1) for i, name in enumerate(seeds)}
    assert noise_of(plan, {"base": lines["base"]}) is None
    two = noise_of(plan, {name: lines[name] for name in plan.seeds[:2]})
    all_of_them = noise_of(plan, lines)
    assert isinstance(two, Noise)
    assert isinstance(all_of_them, Noise)
    # By hand: means 0.10 and 0.11, deviation 0.01 / sqrt(2), Student's 12.706, times sqrt(1.5).
    assert two.low == pytest.approx(0.105 - 12.706 * 0.01 / 2**0.5 * 1.5**0.5, abs=1e-5)
    assert two.high - two.low > all_of_them.high - all_of_them.low


def test_what_differs_is_named_shortly():
    _, settings = read_plan(FOLDER)
    for name, words in {
        "base": "base",
        "no_masters": "without masters",
        "cards_played": "with played",
        "entropy_low": "ppo.entropy_start 0.02, ppo.entropy_end 0.005",
        "size_64": "network.hidden 64 64, network.critic_hidden 64 64",
    }.items():
        assert in_words(differences(settings[name], settings["base"])) == words


def test_a_line_takes_the_place_of_an_older_one_of_the_same_experiment(tmp_path):
    path = tmp_path / "r.jsonl"
    for name, number in (("a", 1), ("b", 2), ("a", 3)):
        keep(path, {"experiment": name, "number": number})
    assert [line["number"] for line in read_lines(path)] == [2, 3]
