"""A drawing as SVG text. Suits and cards are defined once and used where they lie."""

from collections.abc import Sequence
from html import escape

from rungenv.card_faces import SUIT_COLORS, face
from rungenv.cards import SUIT_SYMBOLS
from rungenv.drawing import FADED, Box, CardImage, Item, Label, SuitMark
from rungenv.suit_shapes import SHAPES, Outline

_FONT = "FreeSans, Helvetica, Arial, sans-serif"
_AS_TEXT = "\ufe0e"
"""Asks for a symbol in black and white, not as a picture of its own."""


def svg(items: Sequence[Item], size: tuple[int, int], title: str) -> str:
    """The items as an SVG picture of that width and height; the title is for those who hear it."""
    width, height = size
    cards = {item.card for item in items if isinstance(item, CardImage)}
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" style="max-width:100%;height:auto" font-family="{_FONT}" '
        'font-weight="bold">',
        f"<title>{escape(title)}</title>",
        "<defs>",
        *(_suit(suit) for suit in range(4)),
        *(_card(card) for card in sorted(cards, key=lambda card: -1 if card is None else card)),
        "</defs>",
        *map(_item, items),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _suit(suit: int) -> str:
    curves = "".join(_path(outline) for outline in SHAPES[suit])
    return f'<path id="rung-suit-{suit}" d="{curves}"/>'


def _path(outline: Outline) -> str:
    bends = "".join(f"C{' '.join(_point(point) for point in bend)}" for bend in outline.bends)
    return f"M{_point(outline.start)}{bends}Z"


def _point(point: tuple[float, float]) -> str:
    return f"{point[0]:.3g},{point[1]:.3g}"


def _card(card: int | None) -> str:
    return f'<g id="{_card_id(card)}">{"".join(map(_item, face(card)))}</g>'


def _card_id(card: int | None) -> str:
    return "rung-back" if card is None else f"rung-card-{card}"


def _item(item: Item) -> str:
    match item:
        case Box():
            return _box(item)
        case Label():
            return _label(item)
        case SuitMark(x, y, size, suit, color):
            move = f"translate({x:g} {y:g}) scale({size:g})"
            return f'<use href="#rung-suit-{suit}" transform="{move}" fill="{color}"/>'
        case CardImage(x, y, card, scale, faded):
            move = f"translate({x:g} {y:g})" + (f" scale({scale:g})" if scale != 1 else "")
            fade = f' opacity="{FADED}"' if faded else ""
            return f'<use href="#{_card_id(card)}" transform="{move}"{fade}/>'


def _box(box: Box) -> str:
    inset = box.line_width / 2  # SVG draws a line to both sides of the edge
    x, y, width, height = (
        box.x + inset,
        box.y + inset,
        box.width - 2 * inset,
        box.height - 2 * inset,
    )
    line = f' stroke="{box.line}" stroke-width="{box.line_width:g}"' if box.line else ""
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" '
        f'rx="{max(box.radius - inset, 0):g}" fill="{box.fill}"{line}/>'
    )


def _label(label: Label) -> str:
    text = escape(label.text)
    for suit, symbol in enumerate(SUIT_SYMBOLS):
        drawn = f'<tspan fill="{SUIT_COLORS[suit]}">{symbol}{_AS_TEXT}</tspan>'
        text = text.replace(symbol, drawn)
    anchor = f' text-anchor="{label.anchor}"' if label.anchor != "start" else ""
    return (
        f'<text x="{label.x:g}" y="{label.y:g}" font-size="{label.size:g}" '
        f'fill="{label.color}"{anchor}>{text}</text>'
    )
