"""What a drawing is made of: boxes, lines of text, suits and cards, as plain data.

A drawing is a list of items, later ones on top of earlier ones; `svg.py` writes it, `screen.py`
paints it. Lengths are in pixels, x to the right and y down; colours are "#rrggbb".
"""

from dataclasses import dataclass
from functools import partial

WHITE, INK, MUTED, RED = "#fffdf8", "#1c1f23", "#5f6368", "#c1272d"
GOLD = "#f6bd3a"
FADED = 0.62
"""How much of a faded card is seen."""

_NARROW, _WIDE = frozenset("iljtfrI.,:;'|!()[]- "), frozenset("mwMW@%")


@dataclass(frozen=True)
class Box:
    """A rectangle with round corners; x and y are its upper left corner."""

    x: float
    y: float
    width: float
    height: float
    fill: str
    radius: float = 0
    line: str = ""  # colour of its outline, which lies inside; none if empty
    line_width: float = 0


@dataclass(frozen=True)
class Label:
    """A line of bold text; suit symbols in it are drawn, red ones in red."""

    x: float  # of its start, middle or end
    y: float  # of the line that the letters stand on
    text: str
    size: float
    color: str = INK
    anchor: str = "start"  # or "middle", "end"


@dataclass(frozen=True)
class SuitMark:
    """A suit, `size` high, around the point (x, y)."""

    x: float
    y: float
    size: float
    suit: int
    color: str


@dataclass(frozen=True)
class CardImage:
    """A card with its upper left corner at (x, y), `scale` times its natural size."""

    x: float
    y: float
    card: int | None  # None shows its back
    scale: float = 1.0
    faded: bool = False


Item = Box | Label | SuitMark | CardImage


def text_width(text: str, size: float) -> float:
    """About how wide a line of bold text is; rather too wide than too narrow."""
    return size * sum(map(_letter_width, text))


def _letter_width(letter: str) -> float:
    if letter in _NARROW:
        return 0.36
    if letter in _WIDE:
        return 0.95
    return 0.75 if letter.isupper() else 0.61


def shortened(text: str, size: float, width: float) -> str:
    """The text, cut and with an ellipsis where it is wider than that."""
    if text_width(text, size) <= width:
        return text
    while text and text_width(text + "…", size) > width:
        text = text[:-1]
    return text.rstrip() + "…"


def paragraph(
    x: float,
    y: float,
    text: str,
    size: float,
    width: float,
    color: str = INK,
    anchor: str = "start",
) -> list[Label]:
    """A text broken into lines that are no wider than that; y is where the first line stands."""
    line = partial(Label, size=size, color=color, anchor=anchor)
    return [
        line(x=x, y=y + 1.3 * size * i, text=part)
        for i, part in enumerate(broken(text, size, width))
    ]


def broken(text: str, size: float, width: float) -> list[str]:
    """A text as lines that are no wider than that, but for words that are."""
    lines, line = [], ""
    for word in text.split():
        longer = f"{line} {word}".strip()
        if line and text_width(longer, size) > width:
            lines.append(line)
            longer = word
        line = longer
    return [*lines, line] if line else lines
