"""Tournaments: the same however they are played and interrupted; what they leave behind."""

import dataclasses
import io
import json
import multiprocessing
import os
import pickle
import signal
import time
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

import agents
import failing
import rungenv
from agents.greedy import Greedy
from rungenv.bits import lowest
from rungenv.record_file import read_records
from train import arena, cli, deals
from train.arena import duels, plan, progress, show, workers
from train.arena.duplicate import Stopped
from train.arena.findings import write_findings
from train.arena.plan import Settings
from train.arena.progress import Watch
from train.arena.results import read_results
from train.arena.tournament import PIECES, STOPPED, Tournament
from train.arena.workers import run_here, run_in_processes


class Lowest:
    """Takes the legal action of the lowest number: a third agent without chance."""

    name = "lowest"

    def act(self, view, rng):
        return lowest(view.legal).astype(np.int64)


class Peeks(Greedy):
    name = "peeks"

    def act_on_tables(self, tables, rng):
        return self.act(rungenv.observe(tables), rng)


KNOWN = {
    "greedy": Greedy(),
    "random": agents.make("random"),
    "lowest": Lowest(),
    "unlucky": failing.Crashes(failing.holding(51), "unlucky"),
}


KNOWN_BLOCKS = dict.fromkeys(KNOWN, arena.BLOCK)


def here(pieces):
    return run_here(pieces, KNOWN.__getitem__)


def settings(*names, games=("double_sar", "mendikot_band"), block=8, **changes):
    names = names or ("greedy", "random", "lowest")
    players = dict.fromkeys((*names, *changes.get("control", ())))
    values = {
        "games": tuple(rungenv.variant(game) for game in games),
        "agents": names,
        "blocks": dict.fromkeys(players, block),
        "pairs": 20,
        **changes,
    }
    return Settings(**values)


def played(folder, chosen, way=here, tell=None):
    plan.save(folder, chosen)
    tournament = Tournament(chosen, folder)
    tournament.play(way, *([tell] if tell else []))
    return write_findings(tournament)


def untimed(folder):
    """A folder's results without the figures that are times."""

    def without(value):
        if isinstance(value, dict):
            times = ("decisions_per_second", "per_second", "seconds")
            return {key: without(part) for key, part in value.items() if key not in times}
        return [without(part) for part in value] if isinstance(value, list) else value

    return without(read_results(folder))


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A tournament in one go in one process, its folder."""
    folder = tmp_path_factory.mktemp("whole")
    played(folder, settings("greedy", "random"))
    return folder


def test_processes_have_no_part_in_the_result(whole, tmp_path):
    chosen = settings("greedy", "random")
    played(tmp_path, chosen, lambda pieces: run_in_processes(pieces, 2))
    assert untimed(tmp_path) == untimed(whole)
    assert (tmp_path / "games.jsonl").read_bytes() == (whole / "games.jsonl").read_bytes()


def test_interruptions_have_no_part_in_the_result(whole, tmp_path):
    chosen = plan.load(whole)
    assert chosen == settings("greedy", "random")
    plan.save(tmp_path, chosen)
    asked = []

    def a_few(pieces):
        for number, done in enumerate(here(pieces)):
            if number == 2:
                raise KeyboardInterrupt
            asked.append(done.piece)
            yield done

    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            Tournament(chosen, tmp_path).play(a_few)
    kept = sorted((tmp_path / PIECES).iterdir())
    assert len(kept) == len(set(asked)) == 4
    kept[1].write_bytes(kept[1].read_bytes()[:100])  # as a full disk leaves it

    def rest(pieces):
        asked.extend(pieces)
        return here(reversed(pieces))

    played(tmp_path, chosen, rest)
    assert len(asked) == 6 + 1  # the damaged one twice
    assert untimed(tmp_path) == untimed(whole)
    assert not list(tmp_path.rglob(".*"))


def test_pieces_may_come_twice_and_count_once(whole, tmp_path):
    def twice(pieces):
        for done in here(pieces):
            yield done
            yield done

    played(tmp_path, settings("greedy", "random"), twice)
    assert untimed(tmp_path) == untimed(whole)


def test_a_worker_that_is_killed_loses_nothing(whole, tmp_path, monkeypatch):
    """The process that plays a piece is killed in its midst, once; the piece is played again."""
    mark = tmp_path / "killed"
    monkeypatch.setenv("KILLED_ONCE", str(mark))
    monkeypatch.setattr(workers, "work", _killed_once)
    folder = tmp_path / "run"
    played(folder, settings("greedy", "random"), lambda pieces: run_in_processes(pieces, 2))
    assert mark.exists()
    assert untimed(folder) == untimed(whole)


def _killed_once(piece, make=None):
    mark = Path(os.environ["KILLED_ONCE"])
    if piece.start == 16 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return workers.work(piece, make)


def test_workers_that_always_die_are_given_up(monkeypatch):
    pieces = settings("greedy", "random").pieces(0, ("greedy", "random"), 0, 2)
    monkeypatch.setattr(workers, "work", _always_killed)
    monkeypatch.setattr(workers, "DEATHS", 2)
    with pytest.raises(ValueError, match="died 2 times in a row; is memory short"):
        list(run_in_processes(pieces, 1))


def _always_killed(piece, make=None):
    os.kill(os.getpid(), signal.SIGKILL)


def test_figures_are_those_of_duels(tmp_path, monkeypatch):
    monkeypatch.setattr(duels, "BLOCK", 8)
    results = played(tmp_path, settings(games=("mendikot_band",)))
    for game in results.games:
        assert len(game.scores) == 3
        for score in game.scores:
            duel = arena.duel(
                game.rules, KNOWN[score.a], KNOWN[score.b], 20, seed=deals.seed("validation")
            )
            same = dataclasses.replace(score, seconds=duel.seconds)
            assert same == duel
        by_name = {rating.agent: rating for rating in game.ladder}
        own = [score.points for score in game.scores if score.a == "greedy"]
        assert by_name["greedy"].points == pytest.approx(np.mean(own))
        assert by_name["greedy"] is game.ladder[0]
        speeds = {speed.agent: speed for speed in game.speeds}
        assert sum(speed.decisions for speed in speeds.values()) == sum(
            score.decisions for score in game.scores
        )


def test_without_chance_blocks_have_no_part_in_the_result(tmp_path):
    small, large = (
        played(tmp_path / str(block), settings("greedy", "lowest", block=block)).games
        for block in (7, 20)
    )
    for one, other in zip(small, large, strict=True):
        assert one.ladder == other.ladder
        assert one.scores == other.scores
        assert one.calls == other.calls
    games = [(tmp_path / block / "games.jsonl").read_bytes() for block in ("7", "20")]
    assert games[0] == games[1]


@pytest.mark.parametrize("game", ["single_sar", "hidden_rung", "mendikot_band", "be_ranga"])
def test_calls_are_counted_as_they_were_made(tmp_path, game):
    results = played(tmp_path, settings("greedy", "lowest", games=(game,)))
    calls = {one.agent: one for one in results.games[0].calls}
    if game == "be_ranga":
        assert calls == {}
        return
    rules = rungenv.variant(game)
    tables = rungenv.deal(rules, 20, deals.seed("validation"))
    first = KNOWN["greedy"].act(rungenv.observe(tables), None)
    greedy, low = calls["greedy"], calls["lowest"]
    assert greedy.asked == low.asked == 20
    if rules.passing:
        assert greedy.passed == pytest.approx((first == rungenv.actions.PASS).mean())
        assert low.passed == 0  # a card or suit has a lower number
    else:
        assert greedy.passed is low.passed is None
    assert low.made == 20
    assert sum(greedy.suits.values()) == pytest.approx(1)
    if game == "single_sar":
        suits = {suit: low.suits[suit] for suit in "CDHS"}
        least = np.array([min(hand[:5] // 13) for hand in _eldest_hands(tables)])
        assert suits == {s: pytest.approx((least == i).mean()) for i, s in enumerate("CDHS")}
        assert low.ranks == {}
    else:
        cards = np.array([min(hand[:5]) for hand in _eldest_hands(tables)])
        expected = {r: pytest.approx((cards % 13 == i).mean()) for i, r in enumerate(low.ranks)}
        assert low.ranks == expected


def _eldest_hands(tables):
    return tables.deal[np.arange(len(tables)), (tables.dealer + 1) & 3]


def test_games_are_kept_that_can_be_replayed(whole):
    reading = read_records(whole / "games.jsonl")
    assert not reading.faults
    index = read_results(whole)["games_recorded"]
    assert [entry["line"] for entry in index] == reading.lines
    for entry, record in zip(index, reading.records, strict=True):
        assert record.table == entry["table"]
        assert record.agents[entry["a_sits"][0]] == entry["a"]
        assert {entry["game"]} <= set(rungenv.VARIANTS)
    assert {entry["why"] for entry in index} == {"sample", "swing"}


def test_an_agent_that_fails_stops_the_tournament_and_the_position_is_kept(tmp_path):
    chosen = settings("greedy", "unlucky", games=("single_sar",))
    where = r"single_sar: unlucky broke: KeyError.*; table \d+, seat \d.*stopped.jsonl has the game"
    with pytest.raises(ValueError, match=where):
        played(tmp_path, chosen)
    (record,) = read_records(tmp_path / STOPPED).records
    tables = record.tables()
    assert record.agents[tables.seat[0]] == "unlucky"
    assert 51 in np.flatnonzero(
        tables.hands[0, tables.seat[0]] >> np.arange(52, dtype=np.uint64) & 1
    )


def test_with_forfeits_it_goes_on_and_tells_of_each(tmp_path):
    chosen = settings("greedy", "unlucky", games=("single_sar",), forfeit=True)
    results = played(tmp_path, chosen)
    (score,) = results.games[0].scores
    assert score.forfeits[0] == 0
    assert score.forfeits[1] == len(results.faults) > 5
    assert score.won["FORFEIT"] == score.forfeits[1] / 40
    assert score.win == pytest.approx(sum(score.won.values()))
    assert results.faults[0]["agent"] == "unlucky"
    assert "KeyError" in results.faults[0]["reason"]


def test_until_plays_as_many_pairs_as_the_first_stage_says(tmp_path):
    chosen = settings("greedy", "random", pairs=100, until=0.15, block=256)
    results = played(tmp_path, chosen)
    planned = [score.planned for game in results.games for score in game.scores]
    assert min(planned) >= 100
    assert max(planned) > 200
    for game in results.games:
        for score in game.scores:
            assert score.pairs == score.planned
            assert (score.high - score.low) / 2 <= 0.15
            assert score.low < score.points < score.high
    again = Tournament(chosen, tmp_path)
    again.play(lambda pieces: here(pieces) if not pieces else pytest.fail("all is played"))
    assert again.planned == {
        (number, (score.a, score.b)): score.pairs
        for number, game in enumerate(results.games)
        for score in game.scores
    }


def test_a_control_makes_figures_steadier(tmp_path):
    by = ("greedy", "random")
    chosen = settings("greedy", "lowest", games=("single_sar",), control=by, pairs=100, block=500)
    results = played(tmp_path, chosen)
    (score,) = results.games[0].scores
    steady = score.controlled
    assert steady.by == ("greedy", "random")
    assert steady.variance < 1.1
    assert abs(steady.points - score.points) < score.high - score.low
    assert results.agents == ("greedy", "lowest")
    assert [rating.agent for rating in results.games[0].ladder] == ["greedy", "lowest"]


def test_luck_is_taken_out_where_there_is_a_call(tmp_path):
    chosen = settings("greedy", "random", games=("hidden_rung", "be_ranga"), luck=4, block=20)
    hidden, cut = played(tmp_path, chosen).games
    assert cut.scores[0].controlled is None
    (score,) = hidden.scores
    plain = played(tmp_path / "plain", dataclasses.replace(chosen, luck=0)).games[0].scores[0]
    assert dataclasses.replace(score, controlled=None) == plain
    assert score.controlled.by == ("luck",)
    assert "the luck of the cards dealt after the call" in printed(show.control_table(hidden))


def test_matches_give_the_chance_to_win_one(tmp_path):
    results = played(tmp_path, settings("greedy", "random", episode="match", pairs=6, block=64))
    for game in results.games:
        (score,) = game.scores
        assert score.episode == "match"
        assert score.win == pytest.approx((1 + score.points) / 2)
        assert 0 <= score.win_low <= score.win <= score.win_high <= 1
        assert score.win > 0.9
        assert score.won == score.lost == {}
        text = printed(arena.table(game.scores))
        assert f"{100 * score.win:.1f} ± {25 * (score.high - score.low):.1f}" in text
        assert "the chance to win one" in text
    assert read_results(tmp_path)["episode"] == "match"


def test_a_worker_at_work_is_stopped_when_the_tournament_is():
    """By an agent that fails, or Ctrl-C: nobody waits for a piece that takes long."""
    chosen = settings("greedy", "random", games=("single_sar",), block=8, pairs=4000)
    pieces = chosen.pieces(0, ("greedy", "random"), 0, 4000)
    before = set(multiprocessing.active_children())
    with closing(run_in_processes(pieces, 2)) as working:
        next(working)
        own = set(multiprocessing.active_children()) - before
        assert own
    deadline = time.monotonic() + 30
    while any(child.is_alive() for child in own) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(child.is_alive() for child in own)


def test_slow_agents_have_smaller_blocks():
    class Slow(Greedy):
        pairs_at_once = 5

    assert plan.block_of(Slow()) == 5
    assert plan.block_of(Greedy()) == arena.BLOCK
    chosen = settings("greedy", "slow", blocks={"greedy": 2048, "slow": 16})
    assert [len(range(p.start, p.stop)) for p in chosen.pieces(0, ("greedy", "slow"), 0, 40)] == [
        16,
        16,
        8,
    ]
    fewer = dataclasses.replace(chosen, slow_pairs=12)
    assert fewer.first_pairs(("greedy", "slow")) == 12
    quick = dataclasses.replace(fewer, agents=("greedy", "lowest"), blocks=KNOWN_BLOCKS)
    assert quick.first_pairs(("greedy", "lowest")) == 20
    match = dataclasses.replace(chosen, episode="match")
    assert match.pieces(0, ("greedy", "slow"), 0, 40)[0].stop == 2


def test_the_time_left_goes_by_what_was_slow(tmp_path):
    chosen = settings(games=("single_sar",))
    pieces = [p for meeting in chosen.meetings() for p in chosen.pieces(0, meeting, 0, 32)]
    watch = Watch(arena_console(), processes=2)
    watch.tell(pieces, None, 0.0)
    slow = [piece for piece in pieces if "lowest" in (piece.a, piece.b) and piece.a == "greedy"]
    fast = [piece for piece in pieces if piece.b == "random"]
    watch.tell(pieces, slow[0], 8.0)
    watch.tell(pieces, fast[0], 0.08)
    # 24 pairs of the slow at 1 s, 24 of the fast at 0.01 s, 32 unknown at the mean, by two.
    expected = (24 * 1.0 + 24 * 0.01 + 32 * (8.08 / 16)) / 2
    assert watch.seconds_left() == pytest.approx(expected)


def test_off_a_terminal_there_is_a_line_for_each_tenth(capsys, monkeypatch):
    monkeypatch.setattr(progress, "SECONDS", 0.0)
    pieces = settings(games=("single_sar",)).pieces(0, ("greedy", "random"), 0, 160)
    assert len(pieces) == 20
    watch = Watch(arena_console(), processes=2)
    watch.tell(pieces, None, 0.0)
    for piece in pieces:
        watch.tell(pieces, piece, 8.0)
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "10% of 160 pairs, about 0:01:12 left"
    assert [line.split("%")[0] for line in lines] == [str(10 * tenth) for tenth in range(1, 10)]
    monkeypatch.setattr(progress, "SECONDS", 1e9)
    watch.tell(pieces, None, 0.0)
    watch.tell(pieces, pieces[0], 8.0)
    assert capsys.readouterr().err == ""


def arena_console():
    return Console(file=io.StringIO(), width=110)


def printed(table):
    console = arena_console()
    console.print(table)
    return console.file.getvalue()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"agents": ("greedy",)}, "a tournament takes two agents at least, not 1"),
        ({"pairs": 1}, "an interval takes at least 2 pairs, not 1"),
        ({"slow_pairs": 0}, "an interval takes at least 2 pairs, not 0"),
        ({"clock": -1.0}, "clock must be more than 0, not -1"),
        ({"set": -1}, "a set of deals has a number from 0"),
        ({"control": ("greedy", "random"), "pairs": 19}, "a control takes 20 pairs at least"),
        ({"luck": 8, "pairs": 19}, "luck takes 20 pairs at least"),
        ({"luck": -1}, "luck must be 0 or more, not -1"),
        ({"luck": 8, "episode": "match"}, "luck is reckoned in single rounds without"),
        (
            {"luck": 8, "games": (rungenv.variant("single_sar", new_cards=1),)},
            "without control, new",
        ),
    ],
)
def test_what_cannot_be_a_tournament_is_refused(changes, message):
    with pytest.raises(ValueError, match=message):
        dataclasses.replace(settings(), **changes)


def test_agents_that_are_slow_can_play_fewer_pairs_on_the_same_ladder(tmp_path):
    blocks = {"greedy": arena.BLOCK, "random": arena.BLOCK, "lowest": 8}
    chosen = settings(games=("single_sar",), blocks=blocks, pairs=60, slow_pairs=12)
    results = played(tmp_path, chosen)
    pairs = {(score.a, score.b): score.pairs for score in results.games[0].scores}
    assert pairs == {
        ("greedy", "random"): 60,
        ("greedy", "lowest"): 12,
        ("random", "lowest"): 12,
    }
    assert len(results.games[0].ladder) == 3


def test_settings_are_told_as_a_command():
    chosen = settings(games=rungenv.VARIANTS, pairs=500, slow_pairs=100, deals="test", until=0.1)
    assert chosen.command() == (
        "rung arena all greedy random lowest --pairs 500 --slow-pairs 100 --deals test --until 0.1"
    )
    spaced = settings("process:node my_bot.js", "greedy", games=("be_ranga",), clock=2.0)
    assert spaced.command() == (
        "rung arena be_ranga 'process:node my_bot.js' greedy"
        " --pairs 20 --deals validation --clock 2"
    )


def test_settings_are_the_same_from_their_file(tmp_path):
    chosen = settings(until=0.5, pairs=100, control=("greedy", "lowest"), clock=2.5, forfeit=True)
    plan.save(tmp_path, chosen)
    assert plan.load(tmp_path) == chosen
    (tmp_path / plan.CONFIG).write_text('{"games": 3}', "utf-8")
    with pytest.raises(ValueError, match="does not tell of a tournament"):
        plan.load(tmp_path)


def test_a_cheat_is_refused_and_where_it_is_allowed_labelled(capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(agents.registry, "_factories", dict(agents.registry._factories))
    agents.register("peeks", Peeks)
    line = ["arena", "single_sar", "greedy", "random", "peeks", "--pairs", "10", "--processes", "1"]
    assert cli.main(line) == 2
    assert "peeks sees all hands, and is no fair measure of play; --allow-cheats" in (
        capsys.readouterr().err
    )
    assert not Path("runs").exists()
    assert cli.main([*line, "--allow-cheats"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "peeks: sees all hands, and is no fair measure" in out
    results = read_results(Path("runs", "arena"))
    assert results["cheats"] == ["peeks"]
    ladder = {rating["agent"]: rating["cheats"] for rating in results["games"][0]["ladder"]}
    assert ladder == {"greedy": False, "random": False, "peeks": True}


def test_the_command_goes_on_where_it_was(capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    chosen = settings("greedy", "random", games=("be_ranga",))
    plan.save(tmp_path / "run", chosen)

    def stops(pieces):
        yield next(iter(here(pieces)))
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Tournament(chosen, tmp_path / "run").play(stops)
    assert cli.main(["arena", "--resume", "run", "--processes", "1"]) == 0
    assert "be_ranga" in capsys.readouterr().out
    assert len(list(Path("run", PIECES).iterdir())) == 3
    assert cli.main(["arena", "be_ranga", "greedy", "random", "--run", "run"]) == 2
    assert "run holds a tournament; go on with it by --resume run" in capsys.readouterr().err


def test_agents_that_join_play_what_they_would_have_from_the_first(capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    line = ["--processes", "1", "--no-report"]
    begin = ["arena", "be_ranga", "greedy", "random", "--pairs", "20", "--run"]
    assert cli.main([*begin, "ladder", *line]) == 0
    assert (
        cli.main(["arena", "be_ranga", "greedy", "random", "expert", *begin[4:], "all", *line]) == 0
    )
    before = {path.name: path.read_bytes() for path in Path("ladder", PIECES).iterdir()}
    assert cli.main(["arena", "--resume", "ladder", "--add", "expert", *line]) == 0
    assert untimed(Path("ladder")) == untimed(Path("all"))
    after = {path.name: path.read_bytes() for path in Path("ladder", PIECES).iterdir()}
    assert len(after) == 3
    assert before.items() <= after.items()
    capsys.readouterr()
    for wrong, message in (
        (["--resume", "ladder", "--add", "greedy"], "greedy is in the tournament already"),
        (["--resume", "ladder", "--add", "nobody"], "nobody"),
        (["be_ranga", "greedy", "random", "--add", "expert"], "--add is for a tournament that is"),
    ):
        assert cli.main(["arena", *wrong]) == 2
        assert message in capsys.readouterr().err
    assert plan.load(Path("ladder")).agents == ("greedy", "random", "expert")


def test_nobody_joins_where_the_control_would_change_its_number():
    chosen = settings("greedy", "random", control=("greedy", "lowest"))
    with pytest.raises(ValueError, match="nobody can join: lowest, of the control"):
        chosen.joined_by(("expert",))


def test_the_page_of_ladders_has_the_figures_and_the_command(whole, tmp_path, capsys):
    path = tmp_path / "LADDER.md"
    assert cli.main(["ladder", str(whole), "--page", str(path)]) == 0
    text = path.read_text("utf-8")
    assert f"    {plan.load(whole).command()}\n" in text
    for game in read_results(whole)["games"]:
        assert f"\n## {game['game']}\n" in text
        (score,) = game["scores"]
        assert f"| greedy | random | {score['points']:+.3f} ± " in text
        for rating in game["ladder"]:
            assert f"| {rating['agent']} | {rating['rating']:+.0f} (" in text
    assert cli.main(["ladder", str(tmp_path), "--page", str(path)]) == 2
    assert "there is no file" in capsys.readouterr().err
    assert cli.main(["ladder"]) == 2
    assert path.read_text("utf-8") == text


def test_stopped_says_what_it_says_after_a_journey():
    error = pickle.loads(pickle.dumps(Stopped("why", "{}")))
    assert (str(error), error.fault) == ("why", "{}")
    assert json.loads(error.fault) == {}
