"""A table as text, in 80 columns: what one seat may see, or all of it for an onlooker.

The seat at the bottom is the first, and play goes round to the right.
"""

from collections.abc import Sequence

from rungenv import sentences
from rungenv.cards import RANKS, SUIT_SYMBOLS
from rungenv.rules import Collects
from rungenv.scene import NAMES, Scene, scene_of
from rungenv.sentences import card_text
from rungenv.table import Table
from rungenv.tables import Tables

_WIDTH = 80
_LEFT, _MIDDLE, _RIGHT = 1, 28, 53
"""Columns where the three parts of the compass begin."""
_HAND_AT = ((10, _MIDDLE), (5, _RIGHT), (0, _MIDDLE), (5, _LEFT))
"""Line and column of each seat's five lines."""
_BOX = ("┌────────────────────┐", *["│                    │"] * 3, "└────────────────────┘")
_BOX_AT = (5, _MIDDLE)
_CARD_AT = ((8, _MIDDLE + 9), (7, _MIDDLE + 15), (6, _MIDDLE + 9), (7, _MIDDLE + 3))
"""Line and column of each seat's card on the table."""


def table_text(
    tables: Tables | Table,
    row: int = 0,
    seat: int | None = None,
    names: Sequence[str] = NAMES,
    *,
    reveal: bool = False,
    bottom: int | None = None,
) -> str:
    """One table as text, 80 columns wide; arguments and errors are those of `scene.scene_of`."""
    return scene_text(scene_of(tables, row, seat, reveal=reveal, bottom=bottom, names=names))


def scene_text(scene: Scene) -> str:
    """A scene as text, 80 columns wide."""
    parts = (_score(scene), _compass(scene), _news(scene))
    return "\n\n".join("\n".join(line.rstrip() for line in part) for part in parts)


def _score(scene: Scene) -> list[str]:
    """The upper part: what is played, how it stands, what the trump is."""
    title = f"{sentences.game_name(scene.rules)}, round {scene.round}"
    width = max(len(scene.team(0)), len(scene.team(1)))
    lines = [f"{title}{sentences.target(scene.rules):>{_WIDTH - len(title)}}"]
    for team in range(2):
        counts = [f"{name} {of_teams[team]}" for name, of_teams in sentences.counts(scene)]
        lines.append("   ".join([f"{scene.team(team):{width}}", *counts]))
    lines.append(sentences.trump(scene))
    if scene.rules.collects == Collects.PILE:
        lines.append(sentences.pile(scene))
    return lines


def _compass(scene: Scene) -> list[str]:
    """The middle: who sits where, the hands, the trick."""
    canvas = [[" "] * _WIDTH for _ in range(15)]

    def put(line: int, column: int, text: str) -> None:
        canvas[line][column : column + len(text)] = text

    for seat, (line, column) in enumerate(_HAND_AT):
        for i, text in enumerate(_hand(scene, seat)):
            put(line + i, column, text)
    for i, text in enumerate(_BOX):
        put(_BOX_AT[0] + i, _BOX_AT[1], text)
    for (line, column), text in zip(_CARD_AT, _trick(scene), strict=True):
        put(line, column, text)
    return ["".join(line)[:_WIDTH] for line in canvas]


def _hand(scene: Scene, seat: int) -> list[str]:
    """Five lines: the seat's name, and its cards by suit or their number."""
    title = f"{'>' if seat == scene.to_act else ' '} {scene.names[seat]}"
    if seat == scene.dealer:
        title += " (dealer)"
    cards = scene.hands[seat]
    if cards is None:
        return [title, f"  {scene.held[seat]} cards"]
    lanes = [[card for card in cards if card // 13 == suit] for suit in (3, 2, 1, 0)]
    ranks = [" ".join(RANKS[card % 13] for card in reversed(lane)) for lane in lanes]
    return [
        title,
        *(f"  {s} {held}" for s, held in zip(reversed(SUIT_SYMBOLS), ranks, strict=True)),
    ]


def _trick(scene: Scene) -> list[str]:
    """Each seat's card on the table; between tricks those of the last one, in brackets."""
    if scene.last_trick:
        return [f"({card_text(card)})" for card in scene.last_trick]
    cards = [f" {card_text(card)} " if card >= 0 else " ·" for card in scene.trick]
    if scene.holder >= 0:
        cards[scene.holder] = cards[scene.holder].rstrip() + "*"
    return cards


def _news(scene: Scene) -> list[str]:
    """The lower part: what happened last, and who is to act."""
    return [f"{line}." for line in (*sentences.actions(scene)[-1:], *sentences.outlook(scene))]
