"""A drawing as pixels, by pygame: no display is needed for that.

Each piece is drawn once, larger, made smaller smoothly, and kept; a picture is put together from
such pieces.
"""

import os
from collections.abc import Sequence
from dataclasses import replace
from functools import cache, lru_cache
from typing import Any

import numpy as np

from rungenv.card_faces import HEIGHT, SUIT_COLORS, WIDTH, face
from rungenv.cards import SUIT_SYMBOLS
from rungenv.drawing import FADED, Box, CardImage, Item, Label, SuitMark
from rungenv.suit_shapes import SHAPES

_FINER = 4
"""How much larger pieces are drawn."""
_FONT_UNIT = 0.6875
"""pygame's own font has letters of so much of the size that it is asked for."""
_PIECES_KEPT = 1024


@cache
def pygame() -> Any:
    """The package, imported when it is first needed; ImportError says how to get it."""
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    try:
        import pygame
        import pygame.font
    except ImportError:
        raise ImportError(
            "pictures as pixels need pygame: pip install 'rungenv[render]' (text and SVG do not)"
        ) from None
    return pygame


def pixels(items: Sequence[Item], size: tuple[int, int]) -> np.ndarray:
    """The items as a picture of that width and height: (height, width, 3) uint8, a fresh array."""
    surface = pygame().Surface(size, depth=32)
    paint(items, surface)
    painted = pygame().surfarray.pixels3d(surface).swapaxes(0, 1)
    picture = np.empty(painted.shape, np.uint8)
    for channel in range(3):  # one by one, which is five times as quick as all together
        picture[..., channel] = painted[..., channel]
    return picture


def paint(items: Sequence[Item], surface: Any) -> None:
    """Draw the items onto a surface of pygame's."""
    for item in items:
        piece, left, top = _piece(item)
        surface.blit(piece, (round(item.x - left), round(item.y - top)))


def _piece(item: Item) -> tuple[Any, float, float]:
    """An item as a surface, and how far its point lies from the surface's corner."""
    match item:
        case Box():
            return _box(replace(item, x=0, y=0)), 0, 0
        case Label(_, _, text, size, color, anchor):
            line, ascent = _line(text, size, color)
            share = {"start": 0.0, "middle": 0.5, "end": 1.0}[anchor]
            return line, share * line.get_width(), ascent
        case SuitMark(_, _, size, suit, color):
            return _suit(size, suit, color), size / 2, size / 2
        case CardImage(_, _, card, scale, faded):
            return _card(card, scale, faded), 0, 0


@lru_cache(_PIECES_KEPT)
def _box(box: Box) -> Any:
    width, height = round(box.width * _FINER), round(box.height * _FINER)
    surface = _blank(width, height, box.line or box.fill)
    radius, inset = round(box.radius * _FINER), round(box.line_width * _FINER)
    pg = pygame()
    if box.line:
        pg.draw.rect(surface, box.line, (0, 0, width, height), border_radius=radius)
    inside = (inset, inset, width - 2 * inset, height - 2 * inset)
    pg.draw.rect(surface, box.fill, inside, border_radius=max(radius - inset, 0))
    return _smaller(surface)


@lru_cache(_PIECES_KEPT)
def _suit(size: float, suit: int, color: str) -> Any:
    side = round(size) * _FINER
    surface = _blank(side, side, color)
    _fill_suit(surface, suit, side, color)
    return _smaller(surface)


def _fill_suit(surface: Any, suit: int, side: float, color: str, top: float = 0) -> None:
    for outline in SHAPES[suit]:
        points = [((x + 0.5) * side, (y + 0.5) * side + top) for x, y in outline.polygon()]
        pygame().draw.polygon(surface, color, points)


@lru_cache(_PIECES_KEPT)
def _line(text: str, size: float, color: str) -> tuple[Any, float]:
    """A line of text as a surface, and how high above the foot of the letters it begins."""
    pg = pygame()
    pg.font.init()  # and a new font each time: fonts do not outlive somebody's pygame.quit()
    font = pg.font.Font(None, round(size * _FINER / _FONT_UNIT))
    parts = [
        _symbol(part, font) if part in SUIT_SYMBOLS else font.render(part, True, color)
        for part in _split(text)
    ]
    line = _blank(sum(part.get_width() for part in parts), font.get_height(), color)
    x = 0
    for part in parts:
        line.blit(part, (x, 0))
        x += part.get_width()
    return _smaller(line), font.get_ascent() / _FINER


def _symbol(symbol: str, font: Any) -> Any:
    """A suit as a letter of that font: as high as a capital, standing on the line."""
    suit = SUIT_SYMBOLS.index(symbol)
    side = round(0.95 * font.get_ascent())
    surface = _blank(side, font.get_height(), SUIT_COLORS[suit])
    _fill_suit(surface, suit, side, SUIT_COLORS[suit], top=font.get_ascent() - side)
    return surface


def _split(text: str) -> list[str]:
    """A text in parts: its suit symbols, and what lies between them."""
    for symbol in SUIT_SYMBOLS:
        text = text.replace(symbol, f"\n{symbol}\n")
    return [part for part in text.split("\n") if part]


@lru_cache(_PIECES_KEPT)
def _card(card: int | None, scale: float, faded: bool) -> Any:
    surface = _blank(round(WIDTH * scale), round(HEIGHT * scale))
    paint([_scaled(item, scale) for item in face(card)], surface)
    if faded:
        surface.set_alpha(round(255 * FADED))
    return surface


def _scaled(item: Item, scale: float) -> Item:
    lengths = ("x", "y", "width", "height", "size", "radius", "line_width")
    return replace(
        item, **{name: getattr(item, name) * scale for name in lengths if hasattr(item, name)}
    )


def _blank(width: int, height: int, color: str = "#000000") -> Any:
    """A transparent surface; where it is drawn on, its edges shade off into that colour."""
    surface = pygame().Surface((max(width, 1), max(height, 1)), pygame().SRCALPHA, 32)
    surface.fill(_clear(color))
    return surface


def _clear(color: str) -> Any:
    clear = pygame().Color(color)
    clear.a = 0
    return clear


def _smaller(surface: Any) -> Any:
    """A surface in its final size."""
    width, height = surface.get_size()
    size = max(round(width / _FINER), 1), max(round(height / _FINER), 1)
    return pygame().transform.smoothscale(surface, size)
