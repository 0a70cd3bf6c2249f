"""The console command: what it answers, its exit codes, and that it is quick to answer."""

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

import agents
import rungenv
from agents import zoo
from train import bench, cli, files, options
from train.arena import versus


@pytest.fixture(autouse=True)
def elsewhere(monkeypatch, tmp_path):
    """Runs land in a folder of their own."""
    monkeypatch.chdir(tmp_path)


def run(capsys, *args):
    """Exit code, standard output and standard error of a command."""
    code = cli.main(args)
    printed = capsys.readouterr()
    return code, printed.out, printed.err


@pytest.mark.parametrize("args", [[], ["--help"], ["-h"], ["help"]])
def test_help_names_every_command(capsys, args):
    code, out, err = run(capsys, *args)
    assert (code, err) == (0, "")
    for name, (_, purpose) in cli.COMMANDS.items():
        assert f"  {name}" in out
        assert purpose in out


@pytest.mark.parametrize("name", cli.COMMANDS)
def test_every_command_has_help(capsys, name):
    with pytest.raises(SystemExit) as stopped:
        cli.main([name, "--help"])
    assert stopped.value.code == 0
    assert f"usage: rung {name}" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("areena", "rung: no command is called 'areena'; nearest: arena"),
        ("arena singlesar greedy random", "rung arena: no game is called 'singlesar'; nearest"),
        (
            "arena single_sar greedy randm",
            "rung arena: no agent is called 'randm'; nearest: random",
        ),
        ("arena single_sar greedy", "rung arena: name a game and at least two agents"),
        ("arena", "rung arena: name a game and at least two agents"),
        ("arena single_sar", "rung arena: name a game and at least two agents"),
        ("arena single_sar greedy random greedy", "greedy is there twice; name each agent once"),
        ("arena single_sar greedy random --until 0.02 --pairs 99", "a first stage of 100 pairs"),
        ("arena single_sar greedy random --until 0", "until must be more than 0, not 0"),
        ("arena single_sar greedy random --processes 0", "processes must be 1 or more, not 0"),
        ("arena --resume no/such", "no/such holds no tournament: there is no no/such/config.json"),
        ("arena --resume no/such --pairs 9", "leave out 'pairs'"),
        ("replay", "rung replay: FILE is missing\n"),
        ("arena single_sar greedy random --json /proc/x.json", "/proc/x.json cannot be written: "),
        ("arena single_sar greedy random --json /proc", "/proc cannot be written: it is a folder"),
        ("bench --json /proc/x.json", "rung bench: /proc/x.json cannot be written: "),
        ("arena single_sar greedy random --pairz 9", "no option --pairz; nearest: --pairs"),
        (
            "arena single_sar greedy random --pairs many",
            "--pairs must be a whole number, not",
        ),
        ("arena single_sar greedy random --pairs 1", "rung arena: an interval takes at least 2"),
        ("arena single_sar greedy random --deals best", "--deals must be one of validation, test"),
        ("arena single_sar greedy random --seed -1", "rung arena: a set of deals has a number"),
        ("arena single_sar greedy random --rules passing", "rules are written option=value"),
        ("arena single_sar greedy random --rules pasing=true", "no option 'pasing'; nearest: pas"),
        ("arena single_sar greedy random --rules trump=bought", "trump must be one of 'called'"),
        ("arena be_ranga greedy random --rules change_trump=true", "contradicts"),
        ("arena single_sar greedy no/such.safetensors", "there is no file no/such.safetensors"),
        ("play hidden_rng", "rung play: no game is called 'hidden_rng'; nearest: hidden_rung"),
        ("play single_sar --seed -1", "rung play: seed must be from 0"),
        ("games single_sar", "rung games: 'single_sar' is more than rung games takes\n"),
        ("play --zzz", "rung play: no option --zzz; rung play --help lists them\n"),
        ("play --seed", "rung play: --seed takes 1 value\n"),
        ("train --game chess", "rung train: no game is called 'chess'"),
        ("train --config no/such.yaml", "no/such.yaml cannot be read"),
        ("train --rules passing", "rung train: rules are written option=value"),
        ("train --rules pasing=true", "no option --rules.pasing; nearest: --rules.passing"),
        ("train --rules trump=bought", "--rules.trump must be one of called, hidden, cut"),
        ("replay no/such.jsonl", "rung replay: there is no file no/such.jsonl\n"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(capsys, line, message):
    code, out, err = run(capsys, *line.split())
    assert code == 2
    assert message in err
    assert err.count("\n") == 1
    assert "│" not in err
    assert "no option" not in out


@pytest.mark.parametrize(
    "line",
    [
        "arena mendikot {} greedy",
        "arena all greedy {}",
        "arena mendikot expert pair:{}+greedy",
        "arena mendikot expert search:rollout={}",
        "play mendikot --partner {}",
    ],
)
def test_an_agent_of_another_game_is_found_before_anything_is_written(capsys, tmp_path, line):
    code, out, err = run(capsys, *line.format("zoo/single_sar").split())
    other = "double_sar" if " all " in line else "mendikot"
    prog = " ".join(["rung", line.split()[0]])
    assert (code, out) == (2, "")
    assert err == f"{prog}: zoo/single_sar plays single_sar, not {other}\n"
    assert list(tmp_path.iterdir()) == []


def test_ctrl_c_leaves_without_a_traceback(capsys, monkeypatch):
    def interrupted(*args, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr(versus, "run_here", interrupted)
    code, out, err = run(capsys, "arena", "single_sar", "greedy", "random", "--pairs", "9")
    assert code == 130
    assert "go on with: rung arena --resume runs/arena" in out
    assert err.strip() == ""


@pytest.mark.parametrize("command", ["arena single_sar greedy random", "bench"])
def test_a_file_for_the_results_is_tried_before_the_work(capsys, monkeypatch, tmp_path, command):
    monkeypatch.setattr(versus, "run_here", None)
    monkeypatch.setattr(versus, "run_in_processes", None)
    monkeypatch.setattr(bench, "figures", None)
    (tmp_path / "file").touch()
    code, out, err = run(capsys, *command.split(), "--json", str(tmp_path / "file" / "x.json"))
    assert (code, out) == (2, "")
    assert "cannot be written: " in err


def test_results_replace_a_file_whole_or_not_at_all(tmp_path):
    path = tmp_path / "results.json"
    files.write_json(path, {"a": [1, 2.5]})
    with pytest.raises(TypeError):
        files.write_json(path, {"a": object()})
    assert json.loads(path.read_text("utf-8")) == {"a": [1, 2.5]}
    assert list(tmp_path.iterdir()) == [path]


def test_a_place_for_results_is_left_as_it_was(tmp_path):
    path = tmp_path / "new" / "results.json"
    files.refuse_unwritable(path)
    assert list(path.parent.iterdir()) == []
    path.write_text("before", "utf-8")
    files.refuse_unwritable(path)
    assert path.read_text("utf-8") == "before"


SHELL = "import sys; from train.cli import main; sys.exit(main(sys.argv[1:]))"


def rung(line, redirected):
    command = f'"{sys.executable}" -c "{SHELL}" {line} {redirected}'
    return subprocess.run(
        ["bash", "-c", f"set -o pipefail; {command}"], capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("redirected", ["<&-", "<&- >&-", "<&- >&- 2>&-"])
def test_closed_streams_are_as_empty_ones(redirected):
    result = rung("play --seed 1", redirected)
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.endswith("good-bye\n") == (redirected == "<&-")


@pytest.mark.parametrize(
    "line",
    ["--help", "games", "games --help", "play --seed 1", "arena be_ranga greedy random --pairs 4"],
)
def test_nobody_reading_the_output_is_no_error(line):
    result = rung(line, "</dev/null | true")
    assert (result.returncode, result.stderr) == (0, "")


def python(*args):
    return subprocess.run([sys.executable, *args], capture_output=True, text=True, check=False)


@pytest.mark.parametrize("line", ["--help", "games", "arena --help", "play --help", "bench --help"])
def test_torch_is_loaded_only_where_it_is_needed(line):
    code = (
        "import contextlib, sys; from train.cli import main\n"
        "with contextlib.suppress(SystemExit): main(sys.argv[1:])\n"
        "slow = {'torch', 'matplotlib', 'tensorboard', 'pettingzoo'} & set(sys.modules)\n"
        "sys.exit(f'loads {slow}' if slow else 0)"
    )
    result = python("-c", code, *line.split())
    assert (result.returncode, result.stderr) == (0, "")


def test_the_exit_code_reaches_the_shell():
    result = python("-c", "import sys; from train.cli import main; sys.exit(main(['chess']))")
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.startswith("rung: no command is called 'chess'")


def test_the_arena_prints_a_table_and_writes_the_results(capsys, tmp_path):
    path = tmp_path / "new" / "results.json"
    line = "arena double_sar greedy random --pairs 40 --deals test --rules new_cards=1"
    code, out, err = run(capsys, *line.split(), "--json", str(path))
    assert (code, err) == (0, "")
    assert "double_sar new_cards=(1, 1, 1, 1)" in out
    assert "test deals, set 0" in out
    assert "greedy is better than random (+" in out
    assert out.endswith("to step through: rung replay runs/arena/games.jsonl\n")
    results = json.loads(path.read_text("utf-8"))
    assert results == json.loads(Path("runs", "arena", "results.json").read_text("utf-8"))
    (score,) = results["games"][0]["scores"]
    assert (score["a"], score["b"], score["pairs"]) == ("greedy", "random", 40)
    assert f"{score['points']:+.3f}" in out


def test_the_arena_plays_all_six_games(capsys):
    code, out, _ = run(capsys, *["arena", "all", "greedy", "random", "--pairs", "4"])
    assert code == 0
    assert all(f" {game} " in out for game in rungenv.VARIANTS)


def test_the_lists_are_complete(capsys):
    code, out, _ = run(capsys, "games")
    assert code == 0
    for name in (*rungenv.VARIANTS, *agents.names(), *zoo.names(), "no_late_pickup", "pair:A+B"):
        assert name in out


@dataclass(frozen=True)
class Small:
    """A command's options."""

    pairs: int = 3
    """How many."""


def test_a_command_line_that_does_not_fit_is_a_value_error():
    assert options.parse(Small, ["--pairs", "4"], "small").pairs == 4
    with pytest.raises(ValueError, match=r"^no option --pair; nearest: --pairs"):
        options.parse(Small, ["--pair", "4"], "small")
