"""The marks of a report: numbers as people read them, colours of cells, intervals as pictures."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from train.arena.markup import tag

MINUS = "\u2212"
BLUE, ORANGE = "31, 108, 180", "214, 99, 14"
"""For what is won and what is lost: told apart by those who cannot tell red from green."""

_WIDTH, _HEIGHT, _MARGIN = 220, 22, 16


def signed(value: float, digits: int = 3) -> str:
    """A number with its sign, a true minus; no sign for what is rounded to nothing.

    >>> signed(0.25), signed(-1.5, 1), signed(-0.0001)
    ('+0.250', '−1.5', '0.000')
    """
    text = f"{value:+.{digits}f}"
    if not text.strip("+-0."):
        return text[1:]
    return text.replace("-", MINUS)


def margin(low: float, high: float, digits: int = 3) -> str:
    """Half the width of an interval, as it follows a number."""
    return f"± {(high - low) / 2:.{digits}f}"


def percent(share: float) -> str:
    """A share in per cent, the sign left to the head of the column."""
    return f"{100 * share:.1f}"


def depth(value: float, most: float) -> float:
    """How full a colour is, from 0 to 1: by the square root, so that small values show too."""
    return math.sqrt(min(1.0, abs(value) / most)) if most else 0.0


def shade(value: float, most: float) -> str:
    """The style of a cell: blue for more than nothing, orange for less, fuller towards `most`."""
    color = BLUE if value > 0 else ORANGE
    return f"background-color: rgba({color}, {0.6 * depth(value, most):.2f})"


@dataclass(frozen=True)
class Scale:
    """A line of numbers on which several intervals are drawn one below the other."""

    low: float
    high: float
    step: float

    def place(self, value: float) -> float:
        """How far to the right a value is."""
        share = (value - self.low) / (self.high - self.low)
        return round(_MARGIN + share * (_WIDTH - 2 * _MARGIN), 1)

    def ticks(self) -> list[float]:
        """The numbers that are written below the line."""
        first, last = math.ceil(self.low / self.step), math.floor(self.high / self.step)
        return [self.step * tick for tick in range(first, last + 1)]


def scale_of(lows: Sequence[float], highs: Sequence[float]) -> Scale:
    """A scale that all intervals fit on, 0 too, with a handful of round numbers.

    >>> scale_of([-0.92, 0.3], [-0.88, 0.45]).ticks()
    [-1.0, -0.5, 0.0, 0.5]
    """
    low, high = min(0.0, *lows), max(0.0, *highs)
    span = (high - low) or 1.0
    step = next(
        size * 10.0**power
        for power in range(math.floor(math.log10(span)) - 1, 99)
        for size in (1, 2, 5)
        if span / (size * 10.0**power) <= 4
    )
    return Scale(step * math.floor(low / step), step * math.ceil(high / step) or step, step)


def interval_mark(scale: Scale, low: float, middle: float, high: float, title: str) -> Element:
    """An interval as a line, with a dot for its middle; title: what it says, in words."""
    centre = _HEIGHT / 2
    lines = [
        _upright(scale.place(tick), "zero" if abs(tick) < 1e-9 else "grid")
        for tick in scale.ticks()
    ]
    left, right = scale.place(low), scale.place(high)
    return _drawing(
        _HEIGHT,
        tag("title", title),
        lines,
        tag("line", class_="interval", x1=left, x2=right, y1=centre, y2=centre),
        [_upright(end, "interval", 6) for end in (left, right)],
        tag("circle", class_="middle", cx=scale.place(middle), cy=centre, r=4),
    )


def axis(scale: Scale) -> Element:
    """The numbers of a scale, to stand below the intervals."""
    digits = max(0, -math.floor(math.log10(scale.step)))
    texts = [
        tag("text", signed(tick, digits), x=scale.place(tick), y=12, text_anchor="middle")
        for tick in scale.ticks()
    ]
    return _drawing(16, texts)


def _drawing(height: int, *parts) -> Element:
    return tag(
        "svg", *parts, class_="mark", viewBox=f"0 0 {_WIDTH} {height}", width=_WIDTH, height=height
    )


def _upright(x: float, kind: str, inset: int = 0) -> Element:
    return tag("line", class_=kind, x1=x, x2=x, y1=inset, y2=_HEIGHT - inset)
