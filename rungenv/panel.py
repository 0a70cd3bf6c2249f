"""The panel beside the table: the game, how it stands, the trump, the pile, what happened last."""

from dataclasses import replace

from rungenv import sentences
from rungenv.card_faces import HEIGHT, SUIT_COLORS, WIDTH
from rungenv.cards import SUIT_SYMBOLS
from rungenv.drawing import (
    INK,
    MUTED,
    Box,
    CardImage,
    Item,
    Label,
    SuitMark,
    paragraph,
    shortened,
)
from rungenv.rules import Collects
from rungenv.scene import Scene

TEAM_COLORS = ("#2b6cb0", "#c05621")

_PAPER, _CARD, _RULE = "#f4f1e8", "#ffffff", "#ddd8ca"
_X, _WIDTH = 680, 308
_LEFT, _INNER = _X + 16, _WIDTH - 32
_COLUMNS = (_LEFT + 132, _LEFT + 226)
"""The middles of the teams' columns."""
_SCORE_Y, _ROW, _BOX_HEIGHT, _GAP, _BOTTOM = 84, 25, 92, 16, 612


def panel(scene: Scene) -> list[Item]:
    """The items of the panel, from the top down."""
    score, y = _score(scene, _SCORE_Y)
    items = [Box(_X, 12, _WIDTH, 616, _PAPER, 20), *_title(scene), *score, *_trump(scene, y)]
    y += _BOX_HEIGHT + _GAP
    if scene.rules.collects == Collects.PILE:
        items += _pile(scene, y)
        y += _BOX_HEIGHT + _GAP
    return items + _news(scene, y)


def _title(scene: Scene) -> list[Item]:
    name = sentences.game_name(scene.rules).capitalize()
    about = f"round {scene.round} of a match {sentences.target(scene.rules)}"
    return [Label(_LEFT, 46, name, 25), Label(_LEFT, 67, about, 13, MUTED)]


def _score(scene: Scene, y: float) -> tuple[list[Item], float]:
    """A table of what is counted, for each team; and where the next item may begin."""
    items: list[Item] = []
    for team, x in enumerate(_COLUMNS):
        items.append(Box(x - 44, y, 88, 5, TEAM_COLORS[team], 2.5))
        for i, seat in enumerate((team, team + 2)):
            name = shortened(scene.names[seat], 12.5, 92)
            items.append(Label(x, y + 21 + 15 * i, name, 12.5, INK, "middle"))
    y += 44
    for name, of_teams in sentences.counts(scene):
        items.append(Box(_LEFT, y, _INNER, 1, _RULE))
        items.append(Label(_LEFT, y + 18, name, 14, MUTED))
        items += [
            Label(x, y + 19, str(count), 17, INK, "middle")
            for x, count in zip(_COLUMNS, of_teams, strict=True)
        ]
        y += _ROW
    return items, y + _GAP


def _trump(scene: Scene, y: float) -> list[Item]:
    """The trump's suit, large, or the card that hides it."""
    x = _LEFT + 40
    if scene.trump >= 0:
        sign = SuitMark(x, y + 46, 52, scene.trump, SUIT_COLORS[scene.trump])
    elif scene.is_down:
        card = scene.face_down if scene.face_down >= 0 else None
        sign = CardImage(x - 24, y + 12, card, 0.8)
    else:
        sign = Label(x, y + 60, "?", 40, _RULE, "middle")
    return _box(sign, sentences.trump(scene), y)


def _pile(scene: Scene, y: float) -> list[Item]:
    """So many cards lying on one another as tricks lie on the pile."""
    scale = 0.6
    x, top = _LEFT + 34 - WIDTH * scale / 2, y + 58 - HEIGHT * scale / 2
    cards = [CardImage(x + i, top - 2.4 * i, None, scale) for i in range(scene.pile)]
    return [*_box(None, sentences.pile(scene), y), *cards]


def _box(sign: Item | None, text: str, y: float) -> list[Item]:
    """A white box with a sign on the left and a sentence beside it."""
    box = Box(_LEFT, y, _INNER, _BOX_HEIGHT, _CARD, 12)
    lines = paragraph(_LEFT + 80, y, spoken(text), 14, _INNER - 88)
    down = (_BOX_HEIGHT - 18.2 * len(lines)) / 2 + 14
    moved = [replace(line, y=line.y + down) for line in lines]
    return [box, *([sign] if sign else []), *moved]


def _news(scene: Scene, y: float) -> list[Item]:
    """Who is to act, or how the round has ended; then the actions, the latest first."""
    items: list[Item] = []
    y += 10
    for line in sentences.outlook(scene):
        lines = paragraph(_LEFT, y, f"{line}.", 15, _INNER)
        items += lines
        y += 19.5 * len(lines) + 4
    for line in reversed(sentences.actions(scene)):
        lines = paragraph(_LEFT, y, f"{spoken(line)}", 13, _INNER, MUTED)
        if lines[-1].y > _BOTTOM:
            break
        items += lines
        y += 17 * len(lines) + 3
    return items


def spoken(text: str) -> str:
    """A sentence with its tens as the cards show them."""
    for symbol in SUIT_SYMBOLS:
        text = text.replace(f"T{symbol}", f"10{symbol}")
    return text
