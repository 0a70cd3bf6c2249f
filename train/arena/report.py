"""The report of a tournament: one HTML page with all that it found, and a picture of the scores.

The page needs nothing but itself: no network, no file beside it. It is made from `results.json` and
`games.jsonl` in the tournament's folder, and the same files make the same page.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element

from rungenv.record import Record
from rungenv.record_file import read_records
from rungenv.record_text import parse_record
from train.arena import report_tables as tables
from train.arena.cross_table import cross_table_png
from train.arena.findings import GAMES
from train.arena.markup import Part, note, page, section, tag
from train.arena.report_games import (
    Pair,
    anchor,
    card_definitions,
    pair_shown,
    pairs_to_show,
    summary,
    table_shown,
)
from train.arena.report_how import how_made
from train.arena.results import read_results
from train.files import write_atomically

REPORT, CROSS_TABLE = "report.html", "cross_table.png"

_HERE = Path(__file__).parent
_FAULTS_SHOWN = 20

Values = dict[str, Any]


def write_report(folder: Path) -> None:
    """Write `report.html` and `cross_table.png` into a tournament's folder.

    ValueError if the folder has no results, or if the records beside them cannot be read.
    """
    values = read_results(folder)
    reading = read_records(folder / GAMES, verify=False)
    if reading.faults or len(reading.records) != len(values["games_recorded"]):
        raise ValueError(f"{folder / GAMES} does not hold the games of {folder / 'results.json'}")
    write_atomically(folder / REPORT, report(values, reading.records).encode())
    write_atomically(folder / CROSS_TABLE, cross_table_png(values))


def report(values: Values, records: Sequence[Record]) -> str:
    """The page of a tournament's results, with its recorded games."""
    shown = pairs_to_show(values["games_recorded"], records)
    title = f"{_title(values)}, {len(values['agents'])} agents"
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("title", title),
        tag("style", (_HERE / "report.css").read_text("utf-8")),
    )
    body = tag(
        "body",
        _header(values),
        tag(
            "main",
            _glance(values),
            [_game(values, i, shown) for i in range(len(values["games"]))],
            _recorded(values, shown, len(records)),
            _faults(values),
            how_made(values),
        ),
        card_definitions() if shown or values["faults"] else None,
        tag("script", (_HERE / "report.js").read_text("utf-8")),
    )
    return "<!DOCTYPE html>\n" + page(tag("html", head, body, lang="en")) + "\n"


def _header(values: Values) -> Element:
    is_match = values["episode"] == "match"
    unit, score = ("match", "matches") if is_match else ("deal", "points")
    games = _games(values)
    links = [tag("a", game, href=f"#game-{i}") for i, game in enumerate(games)]
    links += [
        tag("a", "recorded games", href="#recorded"),
        tag("a", "how it was made", href="#how"),
    ]
    return tag(
        "header",
        tag("h1", _title(values)),
        tag(
            "p",
            f"{len(values['agents'])} agents, every two of them on {_pairs(values)} pairs of "
            f"{values['deals']} deals. Every {unit} is played twice, with the teams exchanged, so "
            f"that the luck of the cards falls on both alike. Figures are {score} won less {score} "
            "lost; intervals are of 95\u00a0%.",
        ),
        tag("nav", links),
    )


def _title(values: Values) -> str:
    games = _games(values)
    return f"Court Piece: {games[0] if len(games) == 1 else f'{len(games)} games'}"


def _games(values: Values) -> list[str]:
    return [game["game"] for game in values["games"]]


def _pairs(values: Values) -> str:
    """How many pairs two agents played: one number, or from the fewest to the most."""
    pairs = sorted({score["pairs"] for game in values["games"] for score in game["scores"]})
    return f"{pairs[0]:,}" if len(pairs) == 1 else f"{pairs[0]:,} to {pairs[-1]:,}"


def _glance(values: Values) -> Element | None:
    if len(values["games"]) == 1:
        return None
    return section(
        "All games",
        "all",
        "Mean over an agent's opponents, and its place. Blue is won and orange lost.",
        tables.glance(values["games"]),
        tag("h3", "Pairs needed"),
        note("To show a difference of these agents that is there, with a chance of 80\u00a0%."),
        tables.pairs_needed(values["games"]),
    )


def _game(values: Values, number: int, shown: Sequence[Pair]) -> Element:
    game = values["games"][number]
    unit = "a match" if values["episode"] == "match" else "a deal"
    calls = []
    if game["calls"]:
        calls = [tag("h3", "Calls"), tables.calls(game)]
    games = [pair for pair in shown if pair[0][0]["game"] == game["game"]]
    swings = [tag("li", tag("a", summary(pair[0][0]), href=f"#{anchor(pair)}")) for pair in games]
    needed = []
    if len(values["games"]) == 1:
        needed = [
            tag("h3", "Pairs needed"),
            note("To show a difference that is there, with a chance of 80\u00a0%."),
            tables.pairs_needed([game]),
        ]
    return section(
        game["game"],
        f"game-{number}",
        f"Ratings are Elo's points, by what was won, and their mean is 0. Points are those {unit}, "
        "the mean over all opponents.",
        tables.ladder(game),
        tag("h3", "Everybody against everybody"),
        note(f"Points {unit} of the agent on the left; in bold where the interval leaves out 0."),
        tables.cross(game),
        tag("h3", "All figures"),
        note("Kinds of result are shares of all rounds, won / lost."),
        tables.figures(game),
        *calls,
        *needed,
        *([tag("h3", "Games to look at"), tag("ul", swings)] if swings else []),
    )


def _recorded(values: Values, shown: Sequence[Pair], records: int) -> Element:
    here = sum(len(pair) for pair in shown)
    words = f"{GAMES} has {records} games" + (
        f", of which {here} are here" if here < records else ""
    )
    parts: list[Part] = []
    for game in _games(values):
        pairs = [pair for pair in shown if pair[0][0]["game"] == game]
        if pairs:
            parts += [tag("h3", game), *map(pair_shown, pairs)]
    return section(
        "Recorded games",
        "recorded",
        [
            f"{words}: the first deals of every two agents, and their biggest swings. The card led "
            "is underlined, the one that won is framed. To step through one of them: ",
            tag("code", f"rung replay {GAMES} --game 1"),
        ],
        *parts,
    )


def _faults(values: Values) -> Element | None:
    faults = values["faults"]
    if not faults:
        return None
    parts = []
    for fault in faults[:_FAULTS_SHOWN]:
        where = f"{fault['game']}, table {fault['table']}, seat {fault['seat']}"
        record = parse_record(fault["record"])
        table = table_shown(record.tables(), record.agents)
        reason = tag("pre", fault["reason"])
        line = tag(
            "summary", f"{fault['agent']}: {fault['what']} ({where}, after {fault['ply']} actions)"
        )
        parts.append(tag("details", line, reason, table))
    more = len(faults) - len(parts)
    words = (
        "Each lost the round in which it failed, but where it was late with a call: that is a "
        "pass, or has a card turned up (R2)."
    ) + (f" {more} more are in results.json." if more else "")
    return section("Failures", "faults", words, *parts)
