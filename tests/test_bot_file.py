"""A person's own bot: a class in a Python file, wherever an agent's name is taken."""

import copy
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import agents
import rungenv
from tables import Game
from train import cli

EXAMPLE = Path(__file__).parent.parent / "notebooks" / "bots" / "my_bot.py"

BOT = """
from dataclasses import dataclass

from helper import first
from agents import Agent
from agents.greedy import Greedy

@dataclass
class MyBot:
    depth: int = 2
    style: str = "plain"

    def act(self, view, rng):
        return first(view)

class Shy:
    pass

class Fixed:
    __slots__ = ()
    name = "fixed"
    act = MyBot.act

class Broken(MyBot):
    def __init__(self):
        open("no/such/file")

def unit():
    return MyBot()
"""

HELPER = """
from rungenv.bits import lowest

def first(view):
    return lowest(view.legal).astype(int)
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my_bot.py").write_text(BOT, "utf-8")
    (tmp_path / "helper.py").write_text(HELPER, "utf-8")
    yield tmp_path
    sys.modules.pop("helper", None)


@pytest.mark.usefixtures("folder")
def test_a_class_in_a_file_is_an_agent_that_its_name_makes_again():
    agent = agents.make("my_bot.py:MyBot:depth=3,style=wild")
    assert isinstance(agent, agents.Agent)
    assert (agent.depth, agent.style) == (3, "wild")
    assert agent.name == "my_bot.py:MyBot:depth=3,style=wild"
    assert agents.make("my_bot.py:MyBot:style=7").style == "7"
    again = agents.make(agent.name)
    assert (again.name, again.depth) == (agent.name, 3)
    assert type(again) is type(agent)
    assert agents.make("my_bot.py:MyBot").name == "my_bot.py:MyBot"


def test_a_search_plays_its_rounds_out_by_it():
    agent = agents.make(f"search:worlds=2,exact=0,prior=None,rollout={EXAMPLE}:MyBot:patience=2")
    view = rungenv.observe(rungenv.deal(rungenv.variant("be_ranga"), 2, seed=1))
    actions = agent.act(view, np.random.default_rng(0))
    assert view.legal_mask()[[0, 1], actions].all()


def test_a_file_that_has_changed_is_run_again(folder, monkeypatch):
    """Within the second, at the same length, and where Python keeps what it has compiled."""
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    before = agents.make("my_bot.py:MyBot")
    (folder / "my_bot.py").write_text(BOT.replace("depth: int = 2", "depth: int = 7"), "utf-8")
    assert (before.depth, agents.make("my_bot.py:MyBot").depth) == (2, 7)


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("no_bot.py:MyBot", "there is no file no_bot.py"),
        ("no/my_bot.py", "there is no file no/my_bot.py"),
        ("my_bot.py", "say which class of my_bot.py: my_bot.py:MyBot, my_bot.py:Fixed"),
        ("my_bot.py:Mybot", "my_bot.py has no class 'Mybot'; nearest: MyBot"),
        ("my_bot.py:Shy", r"Shy in my_bot.py is no class with a method act\(view, rng\)"),
        ("my_bot.py:Agent", r"Agent in my_bot.py is no class with"),
        ("my_bot.py:unit", r"unit in my_bot.py is no class with"),
        ("my_bot.py:Broken", "cannot be made: FileNotFoundError: "),
        ("my_bot.py:Fixed", "'my_bot.py:Fixed' cannot be made: AttributeError: "),
        ("my_bot.py:MyBot:dept=3", "'my_bot.py:MyBot' has no option 'dept'; nearest: depth"),
        ("my_bot.py:MyBot:depth=x", "my_bot.py:MyBot: depth must be a whole number, not 'x'"),
        ("my_bot.py:MyBot:depth=true", "depth must be a whole number, not True"),
        ("my_bot.py:MyBot:", "options are written"),
        ("my_bot.py:MyBot:3", "options are written"),
    ],
)
def test_a_wrong_bot_is_answered_with_what_is_right(text, message):
    with pytest.raises(ValueError, match=message):
        agents.make(text)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("x = 1\nimport nothing_like_it", "ModuleNotFoundError in line 2: No module named 'not"),
        ("\n\nclass MyBot:\n    def act(self view)", "SyntaxError in line 4: "),
        ("def f():\n    return 1 / 0\n\nf()", "ZeroDivisionError in line 2: division by zero"),
        ("import sys\nsys.exit('use me otherwise')", "SystemExit in line 2: use me otherwise"),
        ("x = 1", r"bot.py has no class with a method act\(view, rng\)"),
        ("from agents import Agent", "bot.py has no class with"),
    ],
)
def test_a_file_that_cannot_be_run_is_a_short_error(folder, source, message):
    (folder / "bot.py").write_text(source, "utf-8")
    with pytest.raises(ValueError, match=message) as caught:
        agents.make("bot.py:MyBot")
    assert "\n" not in str(caught.value)
    is_kept = str((folder / "bot.py").resolve()) in sys.modules
    assert is_kept == ("has no class" in message)


@pytest.mark.parametrize(
    "line",
    [
        "arena single_sar my_bot.py:MyBot my_bot.py:MyBot:depth=3 --pairs 3",
        "play be_ranga --opponents my_bot.py:MyBot --partner my_bot.py:MyBot:depth=3 --seed 1",
    ],
)
def test_every_command_takes_it(folder, capsys, monkeypatch, line):
    monkeypatch.setattr("builtins.input", lambda _: "quit")
    assert cli.main(line.split()) == 0
    assert capsys.readouterr().err == ""


def test_a_fresh_process_makes_it_by_name(folder):
    code = "import agents, sys; print(agents.make(sys.argv[1]).depth)"
    command = [sys.executable, "-c", code, "my_bot.py:MyBot:depth=5"]
    paths = {"PYTHONPATH": str(EXAMPLE.parent.parent.parent)}
    printed = subprocess.run(command, cwd=folder, env=paths, capture_output=True, check=True)
    assert printed.stdout.split() == [b"5"]


@pytest.mark.usefixtures("folder")
def test_it_can_be_copied():
    agent = agents.make("my_bot.py:MyBot:depth=3")
    assert copy.deepcopy(agent).depth == 3


def test_the_example_has_patience():
    game = Game("single_sar", "2C 4C S", "3C QC AD D", "AC", "5C").play("CALL_S 4C")
    view = rungenv.observe(game.tables)
    rng = np.random.default_rng(0)
    texts = (f"{EXAMPLE}:MyBot", f"{EXAMPLE}:MyBot:patience=0")
    played = [rungenv.action_name(int(agents.make(text).act(view, rng)[0])) for text in texts]
    assert played == ["3C", "QC"]
