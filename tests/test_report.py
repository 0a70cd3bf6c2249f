"""The arena's report: a page with all that was found, which needs nothing else; and a picture."""

import copy
import re
import shlex
from collections import Counter
from functools import partial
from html.parser import HTMLParser

import numpy as np
import pytest

import agents
from rungenv import variant
from rungenv.record_file import read_records
from train.arena import plan, report_games, versus
from train.arena.cross_table import cross_table_png
from train.arena.findings import GAMES, write_findings
from train.arena.report import write_report
from train.arena.report_games import pairs_to_show
from train.arena.report_marks import scale_of, shade, signed
from train.arena.results import read_results
from train.arena.tournament import Tournament
from train.arena.workers import run_here
from train.cli import main
from train.options import parse

ODD = "a<b>&$x$'.py:MyBot:depth=2"
"""The name of an agent that would break a page, or a picture's text, that did not escape it."""

BOT = """
from agents.greedy import Greedy

class MyBot(Greedy):
    def __init__(self, depth=1):
        self.depth = depth

class Never:
    def act(self, view, rng):
        raise RuntimeError("Not today")

class Sulky:
    def act(self, view, rng):
        if ((view.trick_number == 5) & (view.points[:, 0] > 3)).any():
            raise RuntimeError("I <do> not like this & that")
        return Greedy().act(view, rng)
"""

VOID = {"meta", "wbr", "br", "col", "hr", "img", "input", "link"}


class Page(HTMLParser):
    """A page as read by a browser: raises where elements do not nest."""

    def __init__(self, text):
        super().__init__()
        self.open, self.ids, self.links, self.attributes, self.tags = [], [], [], [], Counter()
        self.words, self.styles = [], []
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag, attrs):
        self.tags[tag] += 1
        self.attributes += attrs
        given = dict(attrs)
        if "id" in given:
            self.ids.append(given["id"])
        if "href" in given:
            self.links.append(given["href"])
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        (self.styles if self.open[-1:] in (["style"], ["script"]) else self.words).append(data)

    @property
    def text(self):
        return "".join(self.words)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Two tournaments: of three agents at two sorts of game, and one of matches with failures."""
    home = tmp_path_factory.mktemp("report")
    (home / ODD.partition(":")[0]).write_text(BOT, "utf-8")
    with pytest.MonkeyPatch.context() as patched:
        patched.chdir(home)
        games = (variant("double_sar", new_cards=1), variant("mendikot_band"))
        players = ("greedy", ODD, "random")
        settings = plan.Settings(games, players, dict.fromkeys(players, 8), pairs=4, deals="test")
        plan.save(home / "two", settings)
        tournament = Tournament(settings, home / "two")
        tournament.play(partial(run_here, make=agents.make))
        write_findings(tournament)
        write_report(home / "two")

        sulky = ODD.replace("MyBot:depth=2", "Sulky")
        options = "--pairs 2 --forfeit --match --processes 1 --run match --clock 9"
        assert main(["arena", "hidden_rung", sulky, "random", *options.split()]) == 0
        options = "--pairs 2 --forfeit --processes 1 --run lost --allow-cheats"
        never = ODD.replace("MyBot:depth=2", "Never")
        for order in (("peek", never), (never, "greedy", "random")):
            named = f"lost{len(order)}"
            line = ["arena", "be_ranga", *order, *options.replace("lost", named).split()]
            assert main(line) == 0
        yield home


def loaded(folder):
    return read_results(folder), read_records(folder / GAMES).records


@pytest.mark.parametrize("name", ["two", "match"])
def test_the_page_is_sound_and_needs_nothing_but_itself(folder, name):
    text = (folder / name / "report.html").read_text("utf-8")
    page = Page(text)
    assert text.startswith("<!DOCTYPE html>")
    assert len(page.ids) == len(set(page.ids))
    assert all(link.startswith("#") and link[1:] in page.ids for link in page.links)
    assert not {name for name, _ in page.attributes} & {"src", "srcset", "onclick", "action"}
    assert not page.tags.keys() & {"img", "link", "iframe", "object", "base", "form"}
    assert not re.search(r"https?:|//\w|url\(|@import|fetch\(|import\(", text)
    assert page.tags["script"] == page.tags["style"] == page.tags["h1"] == 1


@pytest.mark.parametrize(("name", "shares"), [("lost2", "100.0 / 0.0"), ("lost3", "0.0 / 100.0")])
def test_rounds_lost_by_failing_are_told_wherever_the_agent_stands(folder, name, shares):
    page = Page((folder / name / "report.html").read_text("utf-8"))
    assert "forfeit, %" in page.text
    assert shares in page.text
    assert ("--allow-cheats" in page.text) == (name == "lost2"), "or the command is refused"


def test_names_are_told_as_they_are(folder):
    page = Page((folder / "two" / "report.html").read_text("utf-8"))
    assert page.text.count(ODD) > 10
    assert page.tags["b>"] == page.tags["b>&$x$'.py:mybot:depth=2"] == 0
    page = Page((folder / "match" / "report.html").read_text("utf-8"))
    assert "broke: RuntimeError: I <do> not like this & that" in page.text
    assert not page.tags["do"]


def test_every_figure_is_on_the_page(folder):
    values = read_results(folder / "two")
    text = Page((folder / "two" / "report.html").read_text("utf-8")).text
    for game in values["games"]:
        assert game["game"] in text
        for score in game["scores"]:
            for figure in (signed(score["points"]), signed(-score["points"])):
                assert figure in text
            assert f"{signed(score['low'])} to {signed(score['high'])}" in text
            assert f"± {(score['high'] - score['low']) / 2:.3f}" in text
            for share in (score["win"], score["win_low"], score["win_high"]):
                assert f"{100 * share:.1f}" in text
            for kind, share in score["won"].items():
                if share:
                    assert f"{100 * share:.1f} / {100 * score['lost'][kind]:.1f}" in text
            assert f"{score['decisions']:,}" in text
        for rating in game["ladder"]:
            assert f"{signed(rating['rating'], 0)} ({signed(rating['low'], 0)} to " in text
            assert f"({signed(rating['points_low'])} to {signed(rating['points_high'])})" in text
        for calls in game["calls"]:
            assert f"{calls['made']:,}" in text
            assert f"{100 * calls['success']:.1f}" in text
        for pairs in game["power"].values():
            assert f"{pairs:,}" in text


def test_the_same_files_make_the_same_page_and_picture(folder):
    place = folder / "two"
    before = [(place / name).read_bytes() for name in ("report.html", "cross_table.png")]
    write_report(place)
    assert before == [(place / name).read_bytes() for name in ("report.html", "cross_table.png")]


def test_the_command_on_the_page_plays_the_same_tournament(folder):
    line = plan.load(folder / "match").command()
    assert line in Page((folder / "match" / "report.html").read_text("utf-8")).text
    assert settings_of(line) == plan.load(folder / "match")


def settings_of(line):
    """What a command line plays, without playing it."""
    program, what, *args = shlex.split(line)
    assert (program, what) == ("rung", "arena")
    return versus._begun(parse(versus.Versus, args, "rung arena"))


@pytest.mark.parametrize(
    "line",
    [
        "all greedy random --pairs 300 --until 0.05 --seed 3",
        "all greedy random --rules new_cards=(1,0,0,1) allow_timeout=False",
        "all greedy random --rules collects=pile",
        "mendikot random greedy search:worlds=4 --control greedy random --deals test",
        "single_sar greedy random --rules scoring=kots change_trump=true --match --clock 0.5",
        "double_sar greedy expert --rules call_any_suit=true no_late_pickup=true --luck 16",
        "mendikot_band random greedy expert --rules play_out=true --slow-pairs 30 --forfeit",
        "hidden_rung 'process:node my bot.mjs' greedy --rules collects=pile",
    ],
)
def test_a_command_is_told_again_by_what_it_is_kept_as(line):
    settings = settings_of(f"rung arena {line}")
    assert settings_of(settings.command()) == settings


def test_changed_rules_stand_out(folder):
    text = (folder / "two" / "report.html").read_text("utf-8")
    assert text.count("<b>[1, 1, 1, 1]</b>") == 1
    assert "<b>called</b>" not in text


# Recorded games.


def test_tricks_are_led_and_won_by_whom_they_were(folder):
    """In a game that gives a trick to its winner, those framed are those that its team has."""
    values, records = loaded(folder / "two")
    seen = 0
    for about, record in zip(values["games_recorded"], records, strict=True):
        if record.rules.collects == "pile":
            continue
        game = report_games._game(about, record)
        rows = game.findall(".//table[@class='tricks']/tbody/tr")
        won, led = (
            [
                next(seat for seat, cell in enumerate(row[1:]) if word in cell.get("class", ""))
                for row in rows
            ]
            for word in ("won", "led")
        )
        teams = Counter(seat % 2 for seat in won)
        assert [teams[0], teams[1]] == record.rounds[0].result["tricks"]
        assert led[1:] == won[:-1]
        assert led[0] == (record.rounds[0].dealer + 1) % 4
        cards = ["".join(cell.itertext()) for row in rows for cell in row[1:]]
        assert len(cards) == 4 * len(rows)
        seen += 1
    assert seen >= 12


def test_where_there_is_no_room_the_biggest_swings_come_first(folder, monkeypatch):
    values, records = loaded(folder / "two")
    everything = pairs_to_show(values["games_recorded"], records)
    assert sum(len(pair) for pair in everything) <= report_games.MOST_ROUNDS
    monkeypatch.setattr(report_games, "MOST_ROUNDS", 15)
    pairs = pairs_to_show(values["games_recorded"], records)
    assert len(pairs) == 7
    meetings = {
        (a["game"], a["a"], a["b"]) for a in values["games_recorded"] if a["why"] == "swing"
    }
    shown = [pair[0][0] for pair in pairs]
    assert {(a["game"], a["a"], a["b"]) for a in shown} >= meetings
    for about in shown:
        own = [
            abs(other["points"])
            for other in values["games_recorded"]
            if (other["game"], other["a"], other["b"]) == (about["game"], about["a"], about["b"])
        ]
        assert abs(about["points"]) == max(own)
    assert [about["line"] for about in shown] == sorted(about["line"] for about in shown)
    monkeypatch.setattr(report_games, "MOST_ROUNDS", 10**6)
    pairs = pairs_to_show(values["games_recorded"], records)
    assert sum(len(pair) for pair in pairs) == len(records)
    assert all({game["table"] for game, _ in pair} == {pair[0][0]["table"]} for pair in pairs)


def test_a_match_is_shown_round_by_round(folder):
    _, records = loaded(folder / "match")
    text = Page((folder / "match" / "report.html").read_text("utf-8")).text
    rounds = max(len(record.rounds) for record in records)
    assert rounds > 1
    assert f"round {rounds} of {rounds}" in text
    assert text.count("lost the round in which it failed") == 1
    assert "forfeits" in text


def test_a_report_is_refused_where_its_files_are_not(folder, tmp_path):
    with pytest.raises(ValueError, match=r"there is no file .*results\.json"):
        write_report(tmp_path)
    for name in ("results.json", GAMES):
        (tmp_path / name).write_bytes((folder / "two" / name).read_bytes())
    (tmp_path / GAMES).write_text("{}\n", "utf-8")
    with pytest.raises(ValueError, match=r"does not hold the games of"):
        write_report(tmp_path)
    assert not list(tmp_path.glob("*.html"))


# The picture, and marks.


def test_the_picture_has_a_panel_for_every_game(folder):
    values, _ = loaded(folder / "two")
    two = cross_table_png(values)
    one = copy.deepcopy(values)
    one["games"] = one["games"][:1]
    png = cross_table_png(one)
    assert png[:8] == two[:8] == b"\x89PNG\r\n\x1a\n"
    (width, height), (all_width, all_height) = (
        np.frombuffer(data[16:24], ">u4") for data in (png, two)
    )
    assert (all_width, all_height) == (2 * width, height)


def test_a_picture_of_many_agents_can_be_read(folder):
    values, _ = loaded(folder / "match")
    (game,) = values["games"]
    names = [f"agent {i}" for i in range(13)]
    values["agents"] = names
    score, rating = game["scores"][0], game["ladder"][0]
    pairs = [(a, b) for i, a in enumerate(names) for b in names[i + 1 :]]
    game["scores"] = [score | {"a": a, "b": b} for a, b in pairs]
    game["ladder"] = [rating | {"agent": name} for name in names]
    width, _ = np.frombuffer(cross_table_png(values)[16:24], ">u4")
    assert width > 1200


@pytest.mark.parametrize(
    ("low", "high"), [(-0.31, 1.2), (0.001, 0.002), (-400, -350), (0, 0), (-1e-9, 1e-9)]
)
def test_a_scale_holds_what_is_put_on_it(low, high):
    scale = scale_of([low], [high])
    assert scale.low <= min(low, 0) <= max(high, 0) <= scale.high
    assert 2 <= len(scale.ticks()) <= 7
    assert 0 < scale.place(low) <= scale.place(high) < 220


def test_shades_tell_won_from_lost_without_green_and_red():
    assert shade(1, 1) == "background-color: rgba(31, 108, 180, 0.60)"
    assert shade(-1, 1) == "background-color: rgba(214, 99, 14, 0.60)"
    assert shade(0, 0).endswith("0.00)")
