"""Recorded games in a report: pictures of the deals, and the play trick by trick."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any
from xml.etree.ElementTree import Element

import numpy as np

from rungenv import deal_hands, variant
from rungenv.actions import CALL, action_name
from rungenv.cards import SUIT_NAMES, SUIT_SYMBOLS, SUITS
from rungenv.pictures import picture
from rungenv.record import Record, Round
from rungenv.record_text import by_trick
from rungenv.render import card_text
from rungenv.scene import NAMES
from rungenv.tables import Tables
from rungenv.trick import place
from train.arena.markup import svg_from, tag
from train.arena.report_marks import signed

MOST_ROUNDS = 60
"""Rounds that a report shows; all are in `games.jsonl`."""

Pair = list[tuple[dict[str, Any], Record]]
"""The games of one deal, with what `games_recorded` says of each."""


def pairs_to_show(index: Sequence[dict[str, Any]], records: Sequence[Record]) -> list[Pair]:
    """The pairs that a report has room for, in the order of their lines.

    First come the biggest swing of every two agents at every game, then their second ones and so
    on, and samples last.
    """
    pairs: dict[tuple[str, ...], list[Pair]] = {}
    lines = list(zip(index, records, strict=True))
    for (*meeting, _), games in groupby(lines, lambda line: _keys(line[0])):
        pairs.setdefault(tuple(meeting), []).append(list(games))
    queues = [sorted(of_two, key=_last_to_show) for of_two in pairs.values()]
    shown, room = [], MOST_ROUNDS
    for turn in range(max(map(len, queues), default=0)):
        for queue in queues:
            pair = queue[turn] if turn < len(queue) else []
            rounds = sum(len(record.rounds) for _, record in pair)
            if 0 < rounds <= room:
                room -= rounds
                shown.append(pair)
    return sorted(shown, key=lambda pair: pair[0][0]["line"])


def _keys(about: dict[str, Any]) -> tuple[str, str, str, str]:
    return about["game"], about["a"], about["b"], str(about["table"])


def _last_to_show(pair: Pair) -> tuple[bool, float, int]:
    about = pair[0][0]
    return about["why"] != "swing", -abs(about["points"]), about["line"]


def anchor(pair: Pair) -> str:
    """The place of a pair in the page."""
    return f"line-{pair[0][0]['line']}"


def pair_shown(pair: Pair) -> Element:
    """A deal as both teams played it, side by side; folded away until it is asked for."""
    about = pair[0][0]
    lines = " and ".join(str(game["line"]) for game, _ in pair)
    parts = [tag("div", [_game(*game) for game in pair], class_="pair")]
    note = tag("p", f"games.jsonl, line {lines}", class_="note")
    return tag("details", tag("summary", summary(about)), parts, note, id=anchor(pair))


def summary(about: dict[str, Any]) -> str:
    """What a pair is, in a line."""
    why = "a big swing" if about["why"] == "swing" else "sample"
    points = signed(about["points"], 1)
    return f"{about['a']} against {about['b']}, table {about['table']}: {points} a deal ({why})"


def _game(about: dict[str, Any], record: Record) -> Element:
    seats = " and ".join(map(str, about["a_sits"]))
    heading = tag("h4", f"{about['a']} in seats {seats}")
    positions = list(record.positions())
    starts = [
        i for i, tables in enumerate(positions) if tables.length[0] == 0 and not tables.redeal[0]
    ]
    ends = [*starts[1:], len(positions)]
    rounds = [
        _round(round, positions[start:end], record.agents, number, len(starts))
        for number, (round, start, end) in enumerate(
            zip(record.rounds, starts, ends, strict=True), 1
        )
    ]
    return tag("section", heading, rounds)


def _round(
    round: Round, positions: Sequence[Tables], names: Sequence[str], number: int, of: int
) -> Element:
    """One round: the table as the play begins, the calls, the tricks, the result."""
    begins = positions[min(round.play_from, len(positions) - 1)]
    title = [tag("h5", f"round {number} of {of}")] if of > 1 else []
    opening = "  ".join(
        _said(seat, action, round) for seat, action in round.moves[: round.play_from]
    )
    return tag(
        "div",
        title,
        table_shown(begins, names),
        tag("p", f"Before the play: {opening}.") if opening else None,
        _tricks(round, positions),
        tag("p", _result(round), class_="result"),
    )


def _tricks(round: Round, positions: Sequence[Tables]) -> Element:
    """A line for each trick, a column for each seat; who led, and who won."""
    rows = []
    ply = round.play_from
    for number, trick in enumerate(by_trick(round), 1):
        ply += len(trick)
        is_complete = sum(action < CALL for _, action in trick) == 4
        winner = _winner(positions[ply - 1], trick[-1][1]) if is_complete else -1
        rows.append(tag("tr", tag("td", str(number)), _cards(trick, winner)))
    heads = ["", *(f"seat {seat}" for seat in range(4))]
    return tag(
        "table",
        tag("thead", tag("tr", [tag("th", head) for head in heads])),
        tag("tbody", rows),
        class_="tricks",
    )


def _winner(before: Tables, card: int) -> int:
    """Whose trick it is once the last card of it is played."""
    table = before.copy()
    place(table, np.array([card]))
    return int(table.holder[0])


def _cards(trick: Sequence[tuple[int, int]], winner: int) -> Iterator[Element]:
    leader = trick[0][0]
    for seat in range(4):
        own = [action for mover, action in trick if mover == seat]
        parts = [_action(action) for action in own]
        words = ["won" if seat == winner else "", "led" if seat == leader else ""]
        yield tag("td", parts, class_=" ".join(filter(None, words)) or None)


def _action(action: int) -> Element:
    if action >= CALL:
        return tag("small", action_name(action).lower() + " ")
    suit = SUITS[action // 13]
    return tag("span", card_text(action), class_=f"card {suit}")


def _said(seat: int, action: int, round: Round) -> str:
    if CALL <= action < CALL + 4:
        suit = action - CALL
        return f"seat {seat} calls {SUIT_SYMBOLS[suit]} {SUIT_NAMES[suit]}"
    if action < CALL:
        return f"seat {seat} lays {card_text(action)}"
    return f"seat {seat} {action_name(action).lower().replace('_', ' ')}"


def _result(round: Round) -> str:
    if round.result is None:
        return "The round was not played to its end."
    winner = round.result["winner"]
    kind = round.result["kind"].lower().replace("_", " ")
    tricks = " to ".join(str(round.result["tricks"][team]) for team in (winner, 1 - winner))
    tens = round.result.get("tens")
    more = f", tens {' to '.join(str(tens[team]) for team in (winner, 1 - winner))}" if tens else ""
    return f"Seats {winner} and {winner + 2} win ({kind}): tricks {tricks}{more}."


def table_shown(tables: Tables, names: Sequence[str]) -> Element:
    """A picture of a table with all hands, the cards of which are in `card_definitions`.

    names: of the agents by seat, or none; of paths the last part has to do.
    """
    called = [name.rpartition("/")[2] for name in names] or NAMES
    drawing = svg_from(picture(tables, reveal=True, names=called).svg())
    for defined in drawing.findall("defs"):
        drawing.remove(defined)
    return tag("div", drawing, class_="table")


def card_definitions() -> Element:
    """The cards and suits that all pictures of a page use, drawn once and shown nowhere."""
    whole_pack = np.arange(52).reshape(1, 4, 13)
    tables = deal_hands(variant("be_ranga"), whole_pack, [3])
    drawing = svg_from(picture(tables, reveal=True).svg())
    return tag("svg", drawing.findall("defs"), width=0, height=0, class_="hidden")
