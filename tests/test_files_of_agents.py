"""What an agent's name stands for on disk, and that figures of what has changed are not kept."""

import json
from pathlib import Path

import pytest

import agents
from agents.files import digest_of, files_of
from train import cli, marks
from train.arena.workers import _made

BOT = """
from agents.greedy import Greedy
from agents.random import Random

class MyBot:
    def act(self, view, rng):
        return {}().act(view, rng)
"""


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write("Random")


def write(kind):
    Path("bot.py").write_text(BOT.format(kind), "utf-8")


@pytest.mark.parametrize(
    ("name", "files"),
    [
        ("greedy", []),
        ("bot.py:MyBot:depth=3", ["bot.py"]),
        ("pair:zoo/mendikot+bot.py:MyBot", ["mendikot.safetensors", "bot.py"]),
        ("search:prior=runs/mine,rollout=greedy,weights=mine", ["best.safetensors", "mine.saf"]),
        ("process:seconds=3:node bot.py", ["bot.py"]),
        ("x" * 5000, []),
        ("runs/other", ["checkpoint.safetensors"]),
    ],
)
def test_the_files_are_those_that_parts_of_the_name_stand_for(name, files):
    for path in ("runs/mine/best", "runs/mine/checkpoint", "runs/other/checkpoint", "mine"):
        file = Path(f"{path}.safetensors")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(path.encode())
    found = files_of(name)
    assert len(found) == len(files)
    assert all(path.name.startswith(file) for path, file in zip(found, files, strict=True))
    assert bool(digest_of(name)) == bool(files)


def test_a_tournament_does_not_go_on_with_an_agent_that_has_changed(capsys):
    options = "--pairs 4 --processes 1 --run here"
    assert cli.main(["arena", "be_ranga", "bot.py:MyBot", "random", *options.split()]) == 0
    digest = digest_of("bot.py:MyBot")
    assert json.loads(Path("here/results.json").read_text())["settings"]["files"] == {
        "bot.py:MyBot": digest
    }
    assert digest in Path("here/report.html").read_text("utf-8")
    assert cli.main(["arena", "--resume", "here", "--processes", "1"]) == 0
    write("Greedy")
    before = Path("here/results.json").read_bytes()
    assert cli.main(["arena", "--resume", "here"]) == 2
    assert "bot.py:MyBot is no longer what played here" in capsys.readouterr().err
    assert Path("here/results.json").read_bytes() == before


def test_marks_are_not_those_of_what_was_there_before():
    args = ("search", "be_ranga", "bot.py:MyBot", "random", 6, Path("marks"))
    first = marks.meeting_of(*args)
    write("Greedy")
    with pytest.raises(ValueError, match="measure into a new folder"):
        marks.meeting_of(*args)
    again = marks.meeting_of(*args[:-1], Path("others"))
    assert again.values.mean() > first.values.mean()
    assert _made("bot.py:MyBot") is _made("bot.py:MyBot")
    assert agents.make("bot.py:MyBot").name == "bot.py:MyBot"
