"""Players that are programs: what they are sent, how they play, and how they can fail."""

import copy
import json
import os
import pickle
import shutil
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import agents
import rungenv
from agents import protocol
from agents.process import Process
from tables import Game
from test_agents import mixed_view, play_out
from train import arena
from train.arena import asking

ROOT = Path(__file__).parent.parent
BOTS = ROOT / "notebooks" / "bots"

VIEW = rungenv.observe(rungenv.deal(rungenv.variant("be_ranga"), 40, seed=5))
"""Forty seats that are to lead, all of them with thirteen cards to choose from."""


def request(game: Game, seed: int = 7) -> dict:
    """What a program reads when the seat to act is asked."""
    (line,) = protocol.requests(rungenv.observe(game.tables), [seed])
    assert line.endswith(b"\n")
    return json.loads(line)


def generator() -> np.random.Generator:
    return np.random.default_rng(3)


# Programs that fail: each a few lines of Python, which read requests from `lines`.

START = """
import json, os, signal, sys, time
lines = iter(sys.stdin)
next(lines)
def say(*words):
    print(*words, flush=True)
def first(line):
    return json.loads(line)["legal"][0]
"""


@pytest.fixture
def program(tmp_path):
    """Makes the agent of a program's source; all are ended after the test."""
    made = []

    def make(source: str, options: str = "") -> agents.Agent:
        path = tmp_path / f"bot{len(made)}.py"
        path.write_text(START + source, "utf-8")
        made.append(agents.make(f"process:{options}{sys.executable} -S -E {path}"))
        return made[-1]

    yield make
    for agent in made:
        agent.close()


PLAYS = "say('rung 1')\nfor line in lines: say(first(line))"


def failure(agent: agents.Agent, *kinds: type) -> agents.AgentFailure:
    kinds = kinds or (agents.AgentFailure,)
    with pytest.raises(kinds) as caught:
        agent.act(VIEW, generator())
    assert type(caught.value) in kinds
    assert caught.value.agent == agent.name
    return caught.value


# What a program is sent.


def test_a_request_says_in_words_what_a_seat_may_know():
    hands = "2S AC KC C", "QC JC D", "3D H D", "TC S"
    said = request(Game("hidden_rung", *hands).play("2S KC QC"))
    assert said["seat"] == 2
    assert said["phase"] == "PLAY"
    assert said["hand"][-1] == "3D"
    assert said["trick"] == [None, None, "KC", "QC"]
    assert (said["led"], said["trump"], said["holder"]) == ("C", None, 2)
    assert (said["owner"], said["is_down"], said["my_face_down"]) == (2, True, None)
    assert said["history"] == [[2, "LAID"], [2, "KC"], [3, "QC"]]
    assert said["legal"][-1] == "REVEAL"
    assert "2S" in said["unseen"]
    assert said["rules"]["trump"] == "hidden"
    assert said["seed"] == 7
    own = request(Game("hidden_rung", *hands).play("2S KC QC 3D TC"))
    assert (own["my_face_down"], own["owner"]) == ("2S", 0)
    assert own["history"][0] == [0, "2S"]
    assert own["voids"] == [[], [], ["C"], []]


@pytest.mark.parametrize("game", rungenv.VARIANTS)
def test_a_request_has_all_that_a_view_has_and_nothing_else(game):
    view = mixed_view(rungenv.variant(game, new_cards=1))
    names = {part.name for part in protocol.PARTS}
    for row, line in enumerate(protocol.requests(view, range(len(view)), first=100)):
        said = json.loads(line)
        assert said.keys() == names | {"id", "seed", "seat", "legal", "history", "rules"}
        assert (said["id"], said["seed"]) == (100 + row, row)
        assert [rungenv.parse_action(name) for name in said["legal"]] == rungenv.bits.members(
            view.legal[row]
        )
        for name in ("hand", "unseen", "masters", "winners", "first_five"):
            cards = rungenv.cards.card_set(" ".join(said[name]))
            assert cards == getattr(view, name)[row]
        for name in ("tricks", "tens", "points", "kots", "streak", "new_cards_left", "pile"):
            assert said[name] == getattr(view, name)[row].tolist()
        for name in ("holder", "dealer", "caller", "owner", "asker", "waiting", "turn"):
            assert said[name] == (None if (seat := getattr(view, name)[row]) < 0 else seat)
        for name in ("passed", "timed_out", "is_down", "owner_knows", "must_trump", "waiting_ace"):
            assert said[name] is bool(getattr(view, name)[row])
        assert len(said["history"]) == (view.history_actions()[row] != 63).sum()


def test_the_protocols_page_shows_true_lines():
    page = (ROOT / "agents" / "PROTOCOL.md").read_text("utf-8")
    game = Game("hidden_rung", "2S AC KC C", "QC JC D", "3D H D", "TC S").play("2S KC QC")
    (line,) = protocol.requests(rungenv.observe(game.tables), [1804289383], first=12)
    shown = page.partition("```json\n")[2].partition("```")[0]
    assert json.loads(shown) == json.loads(line)
    assert list(json.loads(shown)) == list(json.loads(line))
    assert protocol.hello(10.0, 2048).decode().strip() in page
    for name in json.loads(line):
        assert f"| `{name}` |" in page, name
    for name in json.loads(line)["rules"]:
        assert name in page or name in (ROOT / "rungenv" / "RULES.md").read_text("utf-8"), name


# How it plays.


@pytest.mark.parametrize("n", [1, 40, 700])
def test_every_row_gets_its_own_answer(program, n):
    agent = program("say('rung 1 tester')\nfor line in lines: say(json.loads(line)['legal'][-1])")
    rules = rungenv.variant("single_sar")
    view = mixed_view(rules, n) if n > 1 else VIEW.take(slice(0, 1))
    last = 60 - np.argmax(view.legal_mask()[:, ::-1], axis=1)
    for _ in range(2):
        answers = agent.act(view, generator())
        assert answers.dtype == np.int64
        assert answers.tolist() == last.tolist()


def test_numbers_are_actions_too_and_names_in_any_case(program):
    agent = program(
        "say('rung 1')\n"
        "for i, line in enumerate(lines):\n"
        "    name = first(line)\n"
        "    number = 13 * 'CDHS'.index(name[1]) + '23456789TJQKA'.index(name[0])\n"
        "    say(number if i % 2 else name.lower() + '\\r')"
    )
    assert (agent.act(VIEW, generator()) == rungenv.bits.lowest(VIEW.legal)).all()


def test_chance_comes_from_the_generator(program):
    agent = program(
        "import random\nsay('rung 1')\n"
        "for line in lines:\n"
        "    said = json.loads(line)\n"
        "    say(random.Random(said['seed']).choice(said['legal']))"
    )
    played = [agent.act(VIEW, generator()) for _ in range(2)]
    agent.close()
    played.append(agent.act(VIEW, generator()))
    assert (played[0] == played).all()
    assert (played[0] != agent.act(VIEW, np.random.default_rng(4))).any()


def test_a_name_makes_it_again_and_copies_have_a_program_of_their_own(program):
    agent = program(PLAYS, "seconds=3,megabytes=500:")
    assert agent.name.startswith("process:seconds=3,megabytes=500:")
    agent.act(VIEW, generator())
    for again in (agents.make(agent.name), copy.deepcopy(agent), pickle.loads(pickle.dumps(agent))):
        assert isinstance(again, agents.Agent)
        assert (again.name, again.seconds, again.megabytes) == (agent.name, 3, 500)
        assert (again.act(VIEW, generator()) == agent.act(VIEW, generator())).all()
        again.close()
    assert agents.make(Process("true").name).seconds == 10


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("process:", "a process is written process:COMMAND"),
        ("process:./no_bot --fast", "there is no program './no_bot' that can be run"),
        ("process:seconds=5:", "a process is written"),
        ("process:second=5:true", "no option 'second'; nearest: seconds"),
        ("process:seconds=0:true", "seconds must be a number above 0, not 0"),
        ("process:seconds=long:true", "process:true: seconds must be a number, not 'long'"),
        ("process:megabytes=-1:true", "megabytes must be a whole number"),
        ("process:megabytes=1.5:true", "megabytes must be a whole number"),
        ("process:'true", "cannot be read: No closing quotation"),
        ("proces:true", "no agent is called 'proces'"),
    ],
)
def test_what_is_wrong_with_a_command_is_said_before_it_is_run(text, message):
    with pytest.raises(ValueError, match=message):
        agents.make(text)


# How it can fail.


def test_a_program_that_dies_is_reported_with_its_last_words(program):
    agent = program(
        "say('rung 1')\n"
        "for i, line in enumerate(lines):\n"
        "    if i == 17:\n"
        "        for k in range(30): print('about to fail', k, file=sys.stderr)\n"
        "        sys.exit(3)\n"
        "    say(first(line))"
    )
    for _ in range(2):  # it is started afresh after it has failed
        told = failure(agent)
        assert told.row == 17
        assert (told.answered == rungenv.bits.lowest(VIEW.legal)[:17]).all()
        reason, *words = told.reason.splitlines()
        assert reason == "ended, with exit code 3; its last words:"
        assert words == [f"about to fail {k}" for k in range(20, 30)]


@pytest.mark.parametrize(
    ("source", "reason", "row"),
    [
        ("say('rung 1')\nos.kill(os.getpid(), 9)", "was ended by SIGKILL", 0),
        ("say('rung 1')\nos.close(1)\ntime.sleep(60)", "closed its standard output", 0),
        ("say('hello')", "began with 'hello', not with 'rung 1'", None),
        ("say('rung 2')", "began with 'rung 2', not with 'rung 1'", None),
        ("say('rung 10')", "began with 'rung 10', not with 'rung 1'", None),
        ("sys.exit()", "ended, with exit code 0", None),
        ("say('rung 1')\nfor line in lines: say('ZZ')", "answered 'ZZ': no action is called", 0),
        ("say('rung 1')\nfor line in lines: say('')", "answered '': no action is called", 0),
        ("say('rung 1')\nfor line in lines: say(99)", "answered '99': no action is called", 0),
        ("say('rung 1')\nfor line in lines: say('PASS')", "answered 'PASS': PASS is not legal", 0),
        (PLAYS + "; say('AS' if 'id\":39,' in line else '')", "answered '': no action", 1),
    ],
)
def test_every_failure_names_its_row_and_reason(program, source, reason, row):
    told = failure(program(source), agents.NotStarted if row is None else agents.AgentFailure)
    assert reason in told.reason
    assert told.row == row
    assert len(told.answered) == (row or 0)


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("say('rung 1')\nsay('debugging')\ntime.sleep(9)", "'debugging'"),
        ("say('rung 1')\nsay('x' * 999)\ntime.sleep(9)", "'" + "x" * 77 + "...'"),
        (
            "say('rung 1')\nprint('x' * 9999, end='', flush=True)\ntime.sleep(9)",
            "without an end of",
        ),
        ("say('rung 1\\nrung 1')\ntime.sleep(9)", "'rung 1'"),
    ],
)
def test_chatter_is_quoted(program, source, reason):
    """It may come in time to be taken for an answer, or not."""
    told = failure(program(source), agents.NotStarted, agents.AgentFailure)
    assert reason in told.reason
    assert told.row in (None, 0)


def test_a_line_too_many_is_refused(program):
    # In one write: a line that came later could not be told from the answer to a later question.
    source = "say('rung 1')\nfor line in lines:\n    more = '\\nAS' if 'id\":39,' in line else ''\n"
    agent = program(source + "    say(first(line) + more)")
    try:
        agent.act(VIEW, generator())
    except agents.AgentFailure as failed:
        told = failed
    else:  # it came when the last answer had been taken
        told = failure(agent)
    assert told.reason == "wrote a line that nobody asked for: 'AS'"
    assert told.row in (40, 0)


def test_a_program_that_hangs_is_out_of_time_and_is_killed(program, tmp_path):
    agent = program(
        "import subprocess\n"
        f"open({str(tmp_path / 'pids')!r}, 'w').write(\n"
        '    f\'{os.getpid()} {subprocess.Popen(["sleep", "60"]).pid}\')\n'
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "say('rung 1')\n"
        "for _ in range(3): say(first(next(lines)))\n"
        "print('thinking', file=sys.stderr, flush=True)\n"
        "while True: time.sleep(60)",
        "seconds=0.3:",
    )
    told = failure(agent, agents.OutOfTime)
    assert told.row == len(told.answered) == 3
    assert told.reason.splitlines() == ["took more than 0.3 s; its last words:", "thinking"]
    for pid in (tmp_path / "pids").read_text().split():
        assert not is_running(int(pid))


def is_running(pid: int) -> bool:
    """Whether a process still runs, after a moment to end in."""
    for _ in range(100):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return False
        status = Path(f"/proc/{pid}/stat")
        if status.exists() and status.read_text().rpartition(")")[2].split()[0] == "Z":
            return False
        time.sleep(0.05)
    return True


def test_the_arena_goes_on_without_what_took_too_long(program):
    """The clock is the arena's; started again, the program counts its requests from 0 again."""
    agent = program(
        "say('rung 1')\n"
        "for line in lines:\n"
        "    if '{\"id\":17,' in line: time.sleep(60)\n"
        "    say(first(line))"
    )
    tables = rungenv.deal(rungenv.variant("be_ranga"), 40, seed=5)
    answers = asking.ask(agent, tables, VIEW, np.arange(40), generator(), clock=0.3)
    assert {row: type(failure) for row, failure in answers.failures.items()} == {
        17: agents.OutOfTime,
        35: agents.OutOfTime,
    }
    expected = rungenv.bits.lowest(VIEW.legal).astype(np.int64)
    expected[[17, 35]] = asking.NONE
    assert answers.actions.tolist() == expected.tolist()
    assert str(answers.failures[17]).endswith("took more than 0.3 s")


def test_what_goes_on_talking_after_its_end_is_not_listened_to_for_ever(program):
    agent = program(
        "import subprocess\n"
        "talk = 'import time\\nfor _ in range(100): print(1, flush=True); time.sleep(0.05)'\n"
        "subprocess.Popen([sys.executable, '-c', talk], start_new_session=True,\n"
        "                 stdin=subprocess.DEVNULL, stdout=sys.stderr)\n"
        "say('rung 1')\nnext(lines)\nsay('nonsense')\nnext(lines)"
    )
    started = time.monotonic()
    failure(agent)
    assert time.monotonic() - started < 4, "it talks for five seconds and more"


def test_slow_but_steady_is_in_time(program):
    agent = program(
        "say('rung 1')\nfor line in lines:\n    time.sleep(0.02)\n    say(first(line))",
        "seconds=0.4:",
    )
    agent.act(VIEW, generator())  # 0.8 s in all


def test_output_that_is_not_flushed_is_guessed(program, monkeypatch):
    monkeypatch.setattr("agents.process.START_SECONDS", 0.3)
    agent = program("print('rung 1')\nnext(lines)", "seconds=0.2:")
    told = failure(agent, agents.NotStarted)
    assert told.reason.startswith("did not begin with 'rung 1' (is its output flushed after every")


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux counts memory so")
def test_memory_has_a_limit(program):
    source = (
        "say('rung 1')\nfor line in lines:\n    x = bytearray(300_000_000)\n    say(first(line))"
    )
    assert "MemoryError" in failure(program(source, "megabytes=200:")).reason
    program(source, "megabytes=400:").act(VIEW.take(slice(0, 1)), generator())
    program(source, "megabytes=0:").act(VIEW.take(slice(0, 1)), generator())


def test_it_ends_with_its_agent(program, tmp_path):
    written = PID.format(str(tmp_path / "pid"))
    agent = program(
        f"{written}\n{PLAYS}\nopen('left', 'w')".replace("'left'", repr(str(tmp_path / "left")))
    )
    agent.act(VIEW, generator())
    pid = int((tmp_path / "pid").read_text())
    os.kill(pid, 0)
    agent.close()
    assert not is_running(pid)
    assert (tmp_path / "left").exists()  # it could leave by itself


PID = "open({!r}, 'w').write(str(os.getpid()))"


@pytest.mark.parametrize("end", ["", "os.kill(os.getpid(), 9)"], ids=["returns", "is killed"])
def test_it_ends_with_the_process_that_asked_it(tmp_path, end):
    """Though it never reads again."""
    bot = tmp_path / "bot.py"
    bot.write_text(
        START
        + PID.format(str(tmp_path / "pid"))
        + "\nsay('rung 1')\nsay(first(next(lines)))\nwhile True: time.sleep(60)",
        "utf-8",
    )
    code = (
        "import os, sys, numpy, agents, rungenv\n"
        "view = rungenv.observe(rungenv.deal(rungenv.variant('be_ranga'), 1, 0))\n"
        "agents.make(sys.argv[1]).act(view, numpy.random.default_rng(0))\n" + end
    )
    name = f"process:{sys.executable} -S -E {bot}"
    subprocess.run([sys.executable, "-c", code, name], check=not end)
    assert not is_running(int((tmp_path / "pid").read_text()))


# The examples.


@pytest.fixture(scope="module")
def example(tmp_path_factory):
    """The name of an example as an agent; skipped where its language is not at hand."""

    def name(language: str) -> str:
        if language == "JavaScript":
            if not shutil.which("node"):
                pytest.skip("no node to run JavaScript with")
            return f"process:node {BOTS / 'plain_bot.mjs'}"
        compiler = shutil.which("cc")
        if compiler is None:
            pytest.skip("no C compiler")
        program = tmp_path_factory.mktemp("c") / "plain_bot"
        flags = ["-std=c99", "-O1", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-o"]
        subprocess.run([compiler, *flags, program, BOTS / "plain_bot.c"], check=True)
        return f"process:{program}"

    return name


@pytest.mark.parametrize("language", ["C", "JavaScript"])
def test_the_example_plays_every_game_and_beats_random(example, language):
    agent = agents.make(example(language))
    for game in rungenv.VARIANTS:
        score = arena.duel(rungenv.variant(game), agent, agents.make("random"), 30, seed=1)
        assert score.low > 0, game
    for options in ({"new_cards": 1, "change_trump": True}, {"passing": False}):
        for game in ("single_sar", "hidden_rung"):
            tables = play_out(rungenv.variant(game, **options), agent, 12, seed=2)
            assert (tables.winner >= 0).all()
    agent.close()


@pytest.mark.parametrize("language", ["C", "JavaScript"])
def test_the_example_refuses_another_version(example, language):
    command = example(language).removeprefix("process:").split()
    result = subprocess.run(
        command, input='{"protocol":2}\n', capture_output=True, text=True, timeout=60, check=False
    )
    assert result.returncode == 1
    assert result.stderr.startswith("this program speaks protocol 1, and was told: ")
