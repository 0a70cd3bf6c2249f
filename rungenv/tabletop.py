"""The drawing of a scene: the table with its four seats, and beside it the panel."""

from rungenv import card_faces, sentences
from rungenv.drawing import (
    GOLD,
    INK,
    WHITE,
    Box,
    CardImage,
    Item,
    Label,
    broken,
    text_width,
)
from rungenv.panel import TEAM_COLORS, panel
from rungenv.scene import Scene

SIZE = (1000, 640)
"""Width and height of every drawing."""

_SURROUND, _FELT, _FELT_EDGE, _PLATE, _PALE = "#14352a", "#1e6b4b", "#2f8560", "#123c2d", "#cfe3d8"
_SMALL = 0.8
"""Size of the cards of the three others, and of a card that lies face down."""
_CARD_WIDTH, _CARD_HEIGHT = card_faces.WIDTH, card_faces.HEIGHT
_SMALL_WIDTH, _SMALL_HEIGHT = _CARD_WIDTH * _SMALL, _CARD_HEIGHT * _SMALL

_LEFT, _CENTER, _RIGHT = 28, 340, 652
"""Where the left hand begins, the middle of the table, and where the right hand ends."""
_OWN_HAND_Y, _TOP_HAND_Y, _SIDE_HANDS_Y = 532, 24, 170
_OWN_STEP, _TOP_STEP, _SIDE_STEP = 46, 36, 24
"""From card to card, so that rank and suit of each are seen."""
_PLATES = ((_CENTER, 494, 0.5), (_RIGHT, 134, 1.0), (_CENTER, 100, 0.5), (_LEFT, 134, 0.0))
"""By seat: a point on the upper edge of its plate, and what share of the plate lies left of it."""
_TRICK = ((310, 318), (389, 268), (310, 218), (231, 268))
_FACE_DOWN = ((500, 440), (540, 190), (150, 190), (92, 400))
_BANNER_Y = 448


def drawing(scene: Scene) -> list[Item]:
    """The whole picture of a scene, `SIZE` large."""
    width, height = SIZE
    items: list[Item] = [
        Box(0, 0, width, height, _SURROUND),
        Box(12, 12, 656, 616, _FELT, 28, _FELT_EDGE, 3),
    ]
    for seat in range(4):
        items += _hand(scene, seat)
        items += _plate(scene, seat)
    items += _face_down(scene)
    items += _trick(scene)
    items += _middle(scene)
    return items + panel(scene)


def _hand(scene: Scene, seat: int) -> list[Item]:
    """A seat's cards, spades first and high cards first, or so many backs and their number."""
    held = scene.hands[seat]
    cards = [None] * scene.held[seat] if held is None else _by_suit(held)
    scale = 1.0 if seat == 0 else _SMALL
    places = _places(seat, len(cards))
    items: list[Item] = [
        CardImage(x, y, card, scale) for card, (x, y) in zip(cards, places, strict=True)
    ]
    if held is None and cards:
        x, y = places[-1]
        middle = x + scale * _CARD_WIDTH / 2, y + scale * _CARD_HEIGHT / 2
        items += [
            Box(middle[0] - 13, middle[1] - 12, 26, 24, WHITE, 7),
            Label(middle[0], middle[1] + 6, str(len(cards)), 17, INK, "middle"),
        ]
    return items


def _by_suit(cards: tuple[int, ...]) -> list[int]:
    """Black and red in turn: spades, hearts, clubs, diamonds."""
    order = (1, 0, 2, 3)
    return sorted(cards, key=lambda card: (order[card // 13], card % 13), reverse=True)


def _places(seat: int, n: int) -> list[tuple[float, float]]:
    """The upper left corners of a hand's cards, in the order in which they overlap."""
    if seat % 2:
        x = _LEFT if seat == 3 else _RIGHT - _SMALL_WIDTH
        return [(x, _SIDE_HANDS_Y + _SIDE_STEP * i) for i in range(n)]
    width, step, y = (
        (_CARD_WIDTH, _OWN_STEP, _OWN_HAND_Y)
        if seat == 0
        else (_SMALL_WIDTH, _TOP_STEP, _TOP_HAND_Y)
    )
    start = _CENTER - ((n - 1) * step + width) / 2
    return [(start + step * i, y) for i in range(n)]


def _plate(scene: Scene, seat: int) -> list[Item]:
    """The seat's name with its team's colour, and what it is besides; golden when it is to act."""
    roles = [("dealer", scene.dealer), ("caller", scene.caller)]
    tags = [tag for tag, holder in roles if holder == seat]
    is_to_act = seat == scene.to_act
    name_width = text_width(scene.names[seat], 15)
    tag_widths = [text_width(tag, 11) + 14 for tag in tags]
    width = 32 + name_width + sum(tag_widths) + 6 * len(tags) + 10
    at, y, share = _PLATES[seat]
    x = at - share * width
    paper, ink = (GOLD, INK) if is_to_act else (_PLATE, WHITE)
    items: list[Item] = [
        Box(x, y, width, 28, paper, 14),
        Box(x + 9, y + 8, 12, 12, TEAM_COLORS[seat % 2], 6, WHITE, 1.5),
        Label(x + 28, y + 19, scene.names[seat], 15, ink),
    ]
    x += 32 + name_width
    for tag, tag_width in zip(tags, tag_widths, strict=True):
        items += [
            Box(x, y + 6, tag_width, 16, WHITE if is_to_act else _FELT_EDGE, 8),
            Label(x + tag_width / 2, y + 18, tag, 11, INK if is_to_act else WHITE, "middle"),
        ]
        x += tag_width + 6
    return items


def _face_down(scene: Scene) -> list[Item]:
    """The card that lies face down, beside its owner; its face for who may know it."""
    if not scene.is_down:
        return []
    x, y = _FACE_DOWN[scene.owner]
    known = scene.face_down >= 0
    return [
        CardImage(x, y, scene.face_down if known else None, _SMALL),
        Label(x + _SMALL_WIDTH / 2, y + _SMALL_HEIGHT + 14, "face down", 11, _PALE, "middle"),
    ]


def _trick(scene: Scene) -> list[Item]:
    """The cards on the table, the best one framed; between tricks the last one, faded."""
    cards = scene.last_trick or scene.trick
    items: list[Item] = []
    for seat, (card, (x, y)) in enumerate(zip(cards, _TRICK, strict=True)):
        if card < 0:
            continue
        if seat == scene.holder:
            items.append(Box(x - 4, y - 4, _CARD_WIDTH + 8, _CARD_HEIGHT + 8, GOLD, 10))
        items.append(CardImage(x, y, card, faded=bool(scene.last_trick)))
    if scene.last_trick:
        items.append(Label(_CENTER, 314, "last trick", 12, _PALE, "middle"))
    return items


def _middle(scene: Scene) -> list[Item]:
    """Before the first card what is awaited, and at the end the result."""
    if scene.to_act < 0:
        return _banner([f"{line}." for line in sentences.outlook(scene)])
    if scene.last_trick or max(scene.trick) >= 0:
        return []
    return [
        Label(_CENTER, 305, f"{line}", 17, _PALE, "middle") for line in sentences.outlook(scene)
    ]


def _banner(sentences_: list[str]) -> list[Item]:
    lines = [line for text in sentences_ for line in broken(text, 17, 480)]
    width = max(text_width(line, 17) for line in lines) + 32
    height = 22 * len(lines) + 16
    top = _BANNER_Y - height / 2
    return [
        Box(_CENTER - width / 2, top, width, height, GOLD, 12),
        *(
            Label(_CENTER, top + 25 + 22 * i, line, 17, INK, "middle")
            for i, line in enumerate(lines)
        ),
    ]
