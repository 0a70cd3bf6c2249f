"""The tables of a report, from the plain values of `results.json` (`results.py`)."""

import re
from collections.abc import Iterable, Sequence
from typing import Any
from xml.etree.ElementTree import Element

from train.arena.markup import Part, tag
from train.arena.report_marks import (
    axis,
    interval_mark,
    margin,
    percent,
    scale_of,
    shade,
    signed,
)

Values = dict[str, Any]

CHEATS = "sees all hands: no fair measure"

_KINDS = {"WIN": "plain win", "TRICKS": "by tricks"}
"""What kinds of result are called in a head, where it is not by their names."""

_RANKS = ("2345", "6789", "T", "JQKA")
"""Ranks of hidden cards that the table of calls takes together."""


def glance(games: Sequence[Values]) -> Element:
    """All games on one page: each agent's mean points over its opponents."""
    totals: dict[str, float] = {}
    for game in games:
        for rating in game["ladder"]:
            totals[rating["agent"]] = totals.get(rating["agent"], 0.0) + rating["rating"]
    order = sorted(totals, key=lambda name: -totals[name])
    most = max(abs(rating["points"]) for game in games for rating in game["ladder"])
    rows = []
    for name in order:
        places = [(_place(game, name), len(game["ladder"])) for game in games]
        cells = [
            tag(
                "td",
                _points(rating["points"], rating["points_low"], rating["points_high"]),
                tag("small", f"{place} of {of}"),
                style=shade(rating["points"], most),
                data_value=rating["points"],
            )
            for game, (place, of) in zip(games, places, strict=True)
            for rating in [game["ladder"][place - 1]]
        ]
        rows.append([_name(name), *cells])
    heads = ["agent", *(tag("a", game["game"], href=f"#game-{i}") for i, game in enumerate(games))]
    return table(heads, rows, "heat")


def ladder(game: Values) -> Element:
    """The agents, best first: ratings and points with their intervals, drawn side by side."""
    speeds = {speed["agent"]: speed["per_second"] for speed in game["speeds"]}
    ratings = scale_of(*([one[end] for one in game["ladder"]] for end in ("low", "high")))
    points = scale_of(
        *([one[end] for one in game["ladder"]] for end in ("points_low", "points_high"))
    )
    rows = []
    for place, one in enumerate(game["ladder"], 1):
        rating = f"{signed(one['rating'], 0)} ({_range(one['low'], one['high'], 0)})"
        worth = f"{signed(one['points'])} ({_range(one['points_low'], one['points_high'], 3)})"
        words = f"{one['agent']}: "
        middle = (one["rating"], one["points"])
        rows.append(
            [
                _number(place, str(place)),
                _name(one["agent"], tag("small", CHEATS) if one["cheats"] else None),
                _number(one["rating"], rating),
                tag(
                    "td", interval_mark(ratings, one["low"], middle[0], one["high"], words + rating)
                ),
                _number(one["points"], worth),
                tag(
                    "td",
                    interval_mark(
                        points, one["points_low"], middle[1], one["points_high"], words + worth
                    ),
                ),
                _number(one["win"], percent(one["win"])),
                _number(speeds[one["agent"]], f"{speeds[one['agent']]:,.0f}"),
            ]
        )
    heads = ["", "agent", "rating", "", "points", "", "won, %", "decisions/s"]
    foot = ["", "", "", axis(ratings), "", axis(points), "", ""]
    return table(heads, rows, "ladder", foot)


def cross(game: Values) -> Element:
    """Everybody against everybody, best first, as numbers and as colours."""
    order = [one["agent"] for one in game["ladder"]]
    met = {}
    for score in game["scores"]:
        met[score["a"], score["b"]] = score["points"], score["low"], score["high"]
        met[score["b"], score["a"]] = -score["points"], -score["high"], -score["low"]
    most = max(abs(points) for points, _, _ in met.values())
    rows = []
    for place, name in enumerate(order, 1):
        cells = []
        for other in order:
            if (name, other) not in met or name == other:
                cells.append(tag("td", class_="self"))
                continue
            value = met[name, other]
            cells.append(
                tag(
                    "td",
                    _points(*value),
                    style=shade(value[0], most),
                    title=f"{name} against {other}",
                )
            )
        rows.append([tag("td", str(place), class_="number"), _name(name), *cells])
    numbers = [tag("span", str(i), title=name) for i, name in enumerate(order, 1)]
    return table(["", "agent", *numbers], rows, "heat", sortable=False)


def figures(game: Values) -> Element:
    """Every figure of every two agents that met."""
    scores = game["scores"]
    both = [score[side] for score in scores for side in ("won", "lost")]
    kinds = [kind for kind in _all_kinds(both) if any(shares.get(kind) for shares in both)]
    heads: list[Part] = ["agent", "against", "points", "95 % interval", "pairs", "deviation"]
    heads += ["won, %", "95 % interval"]
    heads += [f"{_KINDS.get(kind, kind.lower().replace('_', ' '))}, %" for kind in kinds]
    forfeits = any(any(score["forfeits"]) for score in scores)
    controls = any(score["controlled"] for score in scores)
    heads += ["forfeits"] if forfeits else []
    heads += ["with control", "variance left, %"] if controls else []
    heads += ["decisions", "decisions/s"]
    rows = []
    for score in scores:
        won = f"{percent(score['win_low'])} to {percent(score['win_high'])}"
        row = [
            _name(score["a"]),
            _name(score["b"]),
            _number(score["points"], signed(score["points"])),
            _number(score["low"], _range(score["low"], score["high"], 3)),
            _number(score["pairs"], f"{score['pairs']:,}"),
            _number(score["deviation"], f"{score['deviation']:.3f}"),
            _number(score["win"], percent(score["win"])),
            _number(score["win_low"], won),
        ]
        for kind in kinds:
            won, lost = (score[side].get(kind, 0.0) for side in ("won", "lost"))
            row.append(_number(won, f"{percent(won)} / {percent(lost)}"))
        if forfeits:
            row.append(_number(sum(score["forfeits"]), " / ".join(map(str, score["forfeits"]))))
        if controls:
            row += _controlled(score["controlled"])
        speed = score["decisions_per_second"]
        row += [
            _number(score["decisions"], f"{score['decisions']:,}"),
            _number(speed, f"{speed:,.0f}"),
        ]
        rows.append(row)
    return table(heads, rows, "figures")


def calls(game: Values) -> Element:
    """What each agent called or hid, and what came of it."""
    hidden = any(one["ranks"] for one in game["calls"])
    heads = ["agent", "asked first", "passed, %", "hid" if hidden else "called", "of these won, %"]
    heads += [f"{suit}, %" for suit in "♣♦♥♠"]
    heads += ["2 to 5, %", "6 to 9, %", "tens, %", "J to A, %"] if hidden else []
    rows = []
    for one in game["calls"]:
        row = [
            _name(one["agent"]),
            _number(one["asked"], f"{one['asked']:,}"),
            tag("td") if one["pass"] is None else _number(one["pass"], percent(one["pass"])),
            _number(one["made"], f"{one['made']:,}"),
            _number(one["success"], percent(one["success"])),
            *(_number(share, percent(share)) for share in one["suits"].values()),
        ]
        if hidden:
            shares = [sum(one["ranks"].get(rank, 0.0) for rank in group) for group in _RANKS]
            row += [_number(share, percent(share)) for share in shares]
        rows.append(row)
    return table(heads, rows)


def pairs_needed(games: Sequence[Values]) -> Element:
    """How many pairs it takes to show a difference, game by game."""
    differences = list(games[0]["power"])
    rows = [
        [
            _name(game["game"]),
            *(_number(game["power"][d], f"{game['power'][d]:,}") for d in differences),
        ]
        for game in games
    ]
    return table(["game", *(f"{difference} a deal" for difference in differences)], rows)


def table(
    heads: Sequence[Part],
    rows: Sequence[Sequence[Element]],
    kind: str | None = None,
    foot: Sequence[Part] = (),
    sortable: bool = True,
) -> Element:
    """A table that scrolls by itself where it is too wide; sortable by a click on a head."""
    kinds = [cell.get("class") for cell in rows[0]]
    head = tag(
        "tr",
        [
            tag("th", part, class_=kind, scope="col")
            for part, kind in zip(heads, kinds, strict=True)
        ],
    )
    parts = [tag("thead", head), tag("tbody", [tag("tr", row) for row in rows])]
    if foot:
        parts.append(tag("tfoot", tag("tr", [tag("td", part) for part in foot])))
    classes = " ".join(
        word for word in (kind, "sortable" if sortable and len(rows) > 1 else None) if word
    )
    return tag("div", tag("table", parts, class_=classes or None), class_="wide")


def _name(name: str, *more: Part) -> Element:
    return tag("td", breakable(name), *more, class_="name")


def breakable(name: str) -> list[Part]:
    """A name that may go on in another line after the marks that paths and options have."""
    parts = re.split(r"(?<=[/:,=])(?=.)", name)
    return [part for one in parts for part in (one, tag("wbr"))][:-1]


def _number(value: float, text: str) -> Element:
    """A cell that sorts by its value."""
    return tag("td", text, class_="number", data_value=value)


def _points(points: float, low: float, high: float) -> list[Part]:
    """A figure with its margin; in bold type where the interval leaves nothing out."""
    figure = tag("b" if low > 0 or high < 0 else "span", signed(points))
    return [figure, tag("small", margin(low, high))]


def _range(low: float, high: float, digits: int) -> str:
    return f"{signed(low, digits)} to {signed(high, digits)}"


def _controlled(controlled: Values | None) -> list[Element]:
    if controlled is None:
        return [tag("td", class_="number"), tag("td", class_="number")]
    points, low, high = (controlled[key] for key in ("points", "low", "high"))
    words = f"{signed(points)} {margin(low, high)}"
    return [
        _number(points, words),
        _number(controlled["variance"], percent(controlled["variance"])),
    ]


def _all_kinds(shares: Iterable[Values]) -> list[str]:
    """The kinds of result that some shares by kind tell of, in their order: forfeits, where there
    are any, last.
    """
    return list(dict.fromkeys(kind for one in shares for kind in one))


def _place(game: Values, name: str) -> int:
    return 1 + [one["agent"] for one in game["ladder"]].index(name)
