"""What the cards look like: a face for each, and their back, drawn by this project itself."""

from functools import cache

from rungenv.cards import RANKS
from rungenv.drawing import INK, RED, WHITE, Box, Item, Label, SuitMark

WIDTH, HEIGHT = 60, 84
"""The natural size of a card."""
SUIT_COLORS = (INK, RED, RED, INK)

_EDGE, _BACK, _PATTERN = "#8b8f96", "#2c4a7c", "#46659b"
_CORNER = 6.5


@cache
def face(card: int | None) -> tuple[Item, ...]:
    """The items that make up a card, its upper left corner at (0, 0); None for its back."""
    return _back() if card is None else _front(card % 13, card // 13)


def _front(rank: int, suit: int) -> tuple[Item, ...]:
    """Rank and suit along the top, so that overlapped cards show both, and a large suit."""
    color = SUIT_COLORS[suit]
    name = "10" if RANKS[rank] == "T" else RANKS[rank]
    beside = 38.0 if name == "10" else 31.0
    return (
        _paper(),
        Label(5.5, 22, name, 21, color),
        SuitMark(beside, 14.5, 14, suit, color),
        SuitMark(WIDTH / 2, 54, 38, suit, color),
    )


def _back() -> tuple[Item, ...]:
    marks = [
        SuitMark(x, y, 11, 1, _PATTERN)
        for x in (15.0, 30.0, 45.0)
        for y in (15.0, 33.0, 51.0, 69.0)
    ]
    return (_paper(), Box(4.5, 4.5, WIDTH - 9, HEIGHT - 9, _BACK, 4), *marks)


def _paper() -> Box:
    return Box(0, 0, WIDTH, HEIGHT, WHITE, _CORNER, _EDGE, 1)
