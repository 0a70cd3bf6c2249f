"""A run's agent on its own, and the card that says what it is."""

import contextlib
import dataclasses
import json
import shlex
import shutil
import time
from pathlib import Path

import numpy as np
import pytest
import torch

import agents
import rungenv
from agents import network, zoo
from train import config, export, train_command
from train.arena import versus
from train.card import training_command
from train.loop import train

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The folder that `run` gives a copy of."""
    folder = tmp_path_factory.mktemp("made")
    small = {"hidden": [8], "critic_hidden": [8]}
    settings = config.load(
        None,
        {
            "game": "hidden_rung",
            "network": small,
            "ppo": {"deals": 4},
            "budget": {"total_steps": 400},
            "report": {"pairs": 4},
            "threads": 1,
        },
    )
    train(settings, folder / "runs" / "mine")
    args = ["hidden_rung", "runs/mine", "random", "greedy", "--pairs", "8", "--deals", "test"]
    with contextlib.chdir(folder):
        versus.main([*args, "--processes", "1", "--json", "results.json"])
    return folder


@pytest.fixture
def run(made, tmp_path, monkeypatch):
    """A small run of hidden rung, measured against two agents."""
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_agent_stands_alone_with_its_card(run):
    export.main(["runs/mine", "out/mine", "--results", "results.json", "--note", "knows little"])
    trained, alone = agents.make("runs/mine"), agents.make("out/mine.safetensors")
    view = rungenv.observe(rungenv.deal(rungenv.variant("hidden_rung"), 20, seed=1))
    rng = np.random.default_rng(0)
    np.testing.assert_array_equal(trained.act(view, rng), alone.act(view, rng))
    tensors, _ = network.read("out/mine.safetensors")
    assert all(name.startswith("policy.") for name in tensors), "nothing of the training is left"

    card = json.loads((run / "out/mine.json").read_text("utf-8"))
    assert (card["name"], card["game"], card["licence"]) == (
        "out/mine",
        "hidden_rung",
        "Apache-2.0",
    )
    assert card["parameters"] == sum(value.numel() for value in tensors.values())
    assert card["bytes"] == (run / "out/mine.safetensors").stat().st_size
    assert card["layout_version"] == rungenv.LAYOUT_VERSION
    assert {row["against"]: row["pairs"] for row in card["results"]} == {"random": 8, "greedy": 8}
    assert all(row["low"] <= row["points"] <= row["high"] for row in card["results"])
    assert all(row["deals"] == "test" for row in card["results"])
    assert [call["agent"] for call in card["calls"]] == ["out/mine"]

    page = (run / "out/mine.md").read_text("utf-8")
    for text in ("# out/mine", card["training"]["command"], "| greedy |", "knows little"):
        assert text in page
    assert "(mine.png)" in page
    assert (run / "out/mine.png").read_bytes() == (run / "runs/mine/curve.png").read_bytes()

    (run / "runs/mine/curve.png").unlink()
    export.main(["runs/mine", "out/second", "--results", "results.json"])
    assert ".png" not in (run / "out/second.md").read_text("utf-8")
    assert not (run / "out/second.png").exists()


def test_an_ending_is_not_written_twice(run):
    for out in ("one/mine", "other/mine.safetensors"):
        export.main(["runs/mine", out])
    one, other = (sorted(path.name for path in (run / out).iterdir()) for out in ("one", "other"))
    assert one == other


def test_a_result_is_told_from_the_agent_s_own_side(run):
    found = json.loads((run / "results.json").read_text("utf-8"))
    for score in found["games"][0]["scores"]:
        for key in ("a", "b"):
            score[key] = {"runs/mine": "greedy", "greedy": "runs/mine"}.get(score[key], score[key])
    (run / "turned.json").write_text(json.dumps(found), "utf-8")
    for name in ("results", "turned"):
        export.main(["runs/mine", f"out/{name}", "--results", f"{name}.json"])
    rows = [
        next(row for row in json.loads((run / f"out/{name}.json").read_text("utf-8"))["results"]
             if row["against"] == "greedy")
        for name in ("results", "turned")
    ]  # fmt: skip
    assert rows[1]["points"] == -rows[0]["points"]
    assert (rows[1]["low"], rows[1]["high"]) == (-rows[0]["high"], -rows[0]["low"])


@pytest.mark.parametrize(
    "values",
    [
        {"game": "double_sar", "rules": {"no_late_pickup": True}, "seed": 3},
        {"game": "double_sar", "rules": {"collects": "trick", "new_cards": [1, 0, 0, 1]}},
        {"game": "mendikot_band", "rules": {"passing": True}, "network": {"hidden": [64, 32]}},
        {"game": "all", "rules": {"allow_timeout": False}, "shares": [1, 1, 1, 2, 1, 1]},
        {"league": {"share": 0.5, "agents": ["process:node 'my bot.mjs'", "greedy"]}},
    ],
)
def test_the_command_on_the_card_trains_the_same_again(values):
    settings = config.load(None, {**values, "budget": {"total_steps": 1000}})
    command = shlex.split(training_command(settings).removeprefix("rung train"))
    assert train_command.parse(command).settings == settings


def test_marks_are_on_the_card_under_the_agent_s_own_name(run):
    rows = [
        {"group": "partners", "game": "hidden_rung", "agent": "pair:runs/mine+greedy",
         "against": "expert", "points": 0.25, "low": 0.125, "high": 0.375, "win": None,
         "pairs": 1000, "deals": "test", "set": 0,
         "command": "rung arena hidden_rung pair:runs/mine+greedy expert"},
    ]  # fmt: skip
    marks = {"format": "rungenv marks 1", "rows": rows, "calls": []}
    (run / "marks.json").write_text(json.dumps(marks), "utf-8")
    export.main(["runs/mine", "out/mine", "--results", "results.json", "--marks", "marks.json"])
    card = json.loads((run / "out/mine.json").read_text("utf-8"))
    assert [row["against"] for row in card["results"]] == ["random", "greedy", "expert"]
    page = (run / "out/mine.md").read_text("utf-8")
    assert "| pair:out/mine+greedy | expert | +0.250 | +0.125 to +0.375 |  | 1,000 | 2 |" in page
    assert "1. `rung arena hidden_rung out/mine random greedy --pairs 8 --deals test`" in page
    assert "2. `rung arena hidden_rung pair:out/mine+greedy expert`" in page
    assert "runs/mine" not in page

    rows[0]["game"] = "mendikot"
    (run / "marks.json").write_text(json.dumps(marks), "utf-8")
    export.main(["runs/mine", "out/mine", "--results", "results.json", "--marks", "marks.json"])
    page = (run / "out/mine.md").read_text("utf-8")
    assert "| game | agent | against |" in page
    assert "| mendikot | pair:out/mine+greedy | expert | +0.250 |" in page
    assert "| hidden_rung | out/mine | greedy |" in page

    (run / "marks.json").write_text("[]", "utf-8")
    with pytest.raises(ValueError, match=r"marks\.json holds something else than a 'rungenv marks"):
        export.main(["runs/mine", "out/mine", "--marks", "marks.json"])


@pytest.mark.parametrize(
    ("contents", "message"),
    [
        (None, "cannot be read"),
        ("no json", "it is no JSON"),
        ("[1]", "holds no results of `rung arena`"),
        ('{"format": "rungenv results 1", "agents": ["greedy"]}', "has no agent runs/mine"),
    ],
)
def test_results_that_are_none_are_refused(run, contents, message):
    if contents is not None:
        (run / "wrong.json").write_text(contents, "utf-8")
    with pytest.raises(ValueError, match=message):
        export.main(["runs/mine", "out/mine", "--results", "wrong.json"])
    assert not (run / "out").exists()


@pytest.mark.parametrize("name", zoo.names())
def test_every_agent_of_the_zoo_is_sound(name):
    weights = zoo.weights(name)
    assert weights.stat().st_size <= 4 * 2**20
    card = json.loads(weights.with_suffix(".json").read_text("utf-8"))
    assert card["name"] == name
    assert card["layout_version"] == rungenv.LAYOUT_VERSION
    page = weights.with_suffix(".md").read_text("utf-8")
    assert page.startswith(f"# {name}\n")
    assert (f"({weights.stem}.png)" in page) == weights.with_suffix(".png").exists()
    agent = agents.make(name)
    started = time.process_time()
    agents.make(name)
    assert time.process_time() - started < 1
    assert agent.name == name
    rules = rungenv.variant(card["game"])
    view = rungenv.observe(rungenv.deal(rules, 50, seed=2))
    actions = agent.act(view, np.random.default_rng(0))
    assert (view.legal_mask()[np.arange(50), actions]).all()
    assert all(torch.isfinite(value).all() for value in network.read(weights)[0].values())


def figure(row):
    return f"{row['points']:+.3f} ± {(row['high'] - row['low']) / 2:.3f}"


@pytest.mark.parametrize("game", rungenv.VARIANTS)
def test_the_readme_has_the_figures_of_the_cards_and_configs_their_recipes(game):
    name = f"zoo/{game}"
    card = json.loads(zoo.weights(name).with_suffix(".json").read_text("utf-8"))
    found = {(row["agent"], row["against"]): figure(row) for row in card["results"]}
    ladder = [found[name, other] for other in ("random", "greedy", "expert")]
    beside = found[f"pair:{name}+greedy less pair:expert+greedy", "expert"]
    line = f"| [{name}](agents/{name}.md) | {' | '.join([*ladder, beside])} |"
    searching = agents.make(f"search:worlds=16,rollout={name},prior={name}").name
    duels = [found[searching, other] for other in (name, "search:worlds=16")]
    gain = next(value for (agent, _), value in found.items() if agent.startswith("what trained"))
    more = f"| zoo/{game} | {' | '.join([*duels, gain])} |"
    lines = (ROOT / "README.md").read_text("utf-8").splitlines()
    assert line in lines
    assert more in lines
    cautious = [value for (agent, _), value in found.items() if "caution=" in agent]
    assert all(value in " ".join(lines) for value in cautious)

    command = card["training"]["command"].removeprefix("rung train").split()
    trained = train_command.parse(command).settings
    recipe = config.load(ROOT / "configs" / f"{game}.yaml")
    assert trained.fields == recipe.fields
    told = {"fields": recipe.network.fields, "more_fields": recipe.network.more_fields}
    alike = dataclasses.replace(trained.network, **told)
    assert dataclasses.replace(trained, network=alike, report=recipe.report) == recipe


def test_the_zoo_names_what_it_has():
    with pytest.raises(ValueError, match="the zoo has no 'zoo/nothing'"):
        agents.make("zoo/nothing")
