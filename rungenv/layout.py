"""What a view is made of, and its dense form for networks: which column means what.

A view has two blocks: card sets, one uint64 word each, and small numbers, one int8 each. Both are
declared here, in order. `FIELDS` is the layout of the dense form: every field with its columns, its
highest value, its meaning, and the rule that makes it known. Seats count from the viewer: 0 itself,
1 the next in turn, 2 the partner, 3 the previous. Teams: 0 the viewer's own, 1 the others.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum

from rungenv.rules import nearest
from rungenv.state import Phase

LAYOUT_VERSION = 1
"""Changes whenever the meaning of a column does; goes into checkpoints, records, model cards."""

POINTS_SHOWN = 120
"""A view shows no more points than this; a match scored in kots has no bound on them."""


class Form(Enum):
    """How a part of the view becomes columns."""

    SET = "52 columns, one a card"
    CHOICE = "one column a value, none set for -1"
    BITS = "one column a bit"
    COUNT = "the number itself"
    CARD = "no columns: a card set says the same"
    SEAT = "no columns: the order of past actions says the same"


@dataclass(frozen=True)
class Part:
    """One or more neighbouring rows of a block: `rows` seats or teams, `width` columns each."""

    name: str
    form: Form
    width: int
    meaning: str
    rule: str
    rows: int = 1
    high: int = 1

    @property
    def bounds(self) -> tuple[int, int]:
        """The lowest and the highest value in the view's block of small numbers."""
        return {
            Form.CHOICE: (-1, self.width - 1),
            Form.BITS: (0, 2**self.width - 1),
            Form.COUNT: (0, self.high),
            Form.CARD: (-1, 51),
            Form.SEAT: (-1, 3),
        }[self.form]


def _set(name: str, meaning: str, rule: str, rows: int = 1) -> Part:
    return Part(name, Form.SET, 52, meaning, rule, rows)


def _choice(name: str, meaning: str, rule: str, width: int = 4) -> Part:
    return Part(name, Form.CHOICE, width, meaning, rule)


def _bits(name: str, meaning: str, rule: str, width: int = 1, rows: int = 1) -> Part:
    return Part(name, Form.BITS, width, meaning, rule, rows)


def _count(name: str, meaning: str, rule: str, high: int, rows: int = 1) -> Part:
    return Part(name, Form.COUNT, 1, meaning, rule, rows, high)


SETS = (
    _set("hand", "cards in my hand; while calling, the first five", "R1.3"),
    _set("legal_cards", "cards I may play or lay now", "R3.2"),
    _set("first_five", "my first five cards", "R1.3"),
    _set("unseen", "cards not in my hand, not my known face-down card, not played", "R1.1"),
    _set(
        "winners",
        "cards of my hand, playable or not, that beat the trick; none when leading",
        "R3.3",
    ),
    _set("masters", "cards of my hand that no unseen card of their suit beats", "R3.3"),
    _set("played", "by seat: cards played this round", "R3.1", 4),
    _set("my_face_down_set", "my own face-down card, if I know it", "R7.2"),
    _set("shown_set", "the card turned up for the trump, or the face-down card once shown", "R2.4"),
    _set("trick_sets", "by seat: the card on the table", "R3.1", 4),
)

SMALLS = (
    _choice("phase", "the Phase", "R2.1", len(Phase)),
    _choice("led", "the led suit", "R3.2"),
    _choice("trump", "the trump suit, once known to all", "R3.3"),
    _choice("trick_size", "cards in the trick on the table: 0, 1, 2, 3", "R3.1"),
    _choice("holder", "the seat that is winning the trick", "R3.3"),
    _choice("dealer", "the dealer's seat", "R1.1"),
    _choice("caller", "the seat that called or laid the trump", "R2.1"),
    _choice("owner", "whose the face-down card is or was", "R7.2"),
    _choice("asker", "the seat at whose turn it was shown", "R7.3"),
    _choice("waiting", "the seat that another win may let pick up", "R6.2"),
    _bits("legal_calls", "suits I may call now", "R2.1", 4),
    _bits("legal_other", "PASS, TIMEOUT, REVEAL, KEEP, NEW_CARDS: legal now", "R2.1", 5),
    _bits("voids", "by seat: suits it has failed to follow", "R3.2", 4, 4),
    _bits("passed", "the eldest hand passed", "R2.1"),
    _bits("timed_out", "time ran out for the call", "R2.2"),
    _bits("is_down", "a card lies face down", "R7.1"),
    _bits("owner_knows", "its owner knows it", "R7.7"),
    _bits("must_trump", "the seat to act must play a trump if it can", "R7.3"),
    _bits("waiting_ace", "the waiting seat's win was an ace's", "R6.7"),
    _count("pile", "tricks lying on the pile", "R6.1", 13),
    _count("pile_tens", "tens among them", "R6.1", 4),
    _count("trick_number", "tricks completed", "R3.1", 13),
    _count("tricks", "by team: tricks collected", "R4.1", 13, 2),
    _count("tens", "by team: tens collected", "R9.1", 4, 2),
    _count("points", "by team: points in the match, at most 120", "R5.5", POINTS_SHOWN, 2),
    _count("kots", "by team: kots in the match", "R5.5", 110, 2),
    _count("streak", "by team: rounds won in a row", "R5.2", 6, 2),
    _count("new_cards_left", "by seat: fresh deals it may still ask for", "R10.2", 9, 4),
    _count("target", "points or kots that win the match", "R5.5", 100),
    Part("my_face_down", Form.CARD, 0, "my own face-down card, if I know it, -1", "R7.2"),
    Part("shown", Form.CARD, 0, "the face-down card once shown, -1", "R7.3"),
    Part("trick", Form.CARD, 0, "by seat: the card on the table, -1", "R3.1", 4),
    Part("turned_up", Form.CARD, 0, "the card turned up for the trump, -1", "R2.4"),
    Part("turn", Form.SEAT, 0, "the seat to act, -1 when the round is over", "R1.1"),
)


def _row_places(parts: Sequence[Part]) -> dict[str, slice]:
    places, start = {}, 0
    for part in parts:
        places[part.name] = slice(start, start + part.rows)
        start += part.rows
    return places


SET_ROWS = _row_places(SETS)
"""Where each part is in a view's block of card sets."""
SMALL_ROWS = _row_places(SMALLS)
"""Where each part is in a view's block of small numbers."""
N_SETS = sum(part.rows for part in SETS)
N_SMALLS = sum(part.rows for part in SMALLS)


@dataclass(frozen=True)
class Field:
    """Columns `start` to `start + width` of a dense view; values go from 0 to `high`."""

    name: str
    start: int
    width: int
    high: int
    meaning: str
    rule: str

    @property
    def columns(self) -> slice:
        """Where the field is: `dense[:, field.columns]`."""
        return slice(self.start, self.start + self.width)


def _fields(parts: Iterable[Part]) -> dict[str, Field]:
    fields, start = {}, 0
    for part in parts:
        width = part.width * part.rows
        fields[part.name] = Field(part.name, start, width, part.high, part.meaning, part.rule)
        start += width
    return fields


PARTS = {part.name: part for part in SETS + SMALLS if part.width}
"""The parts that have columns, by name."""
FIELDS = _fields(PARTS.values())
"""Every field of the dense view by name, in the order of its columns."""
N_FEATURES = sum(field.width for field in FIELDS.values())
"""Columns of a dense view."""


def layout_of(names: Iterable[str]) -> dict[str, Field]:
    """The fields of a dense view that has just these, in this order. ValueError as for them."""
    return _fields(PARTS[name] for name in field_names(names, PARTS))


def field_names(names: Iterable[str], known: Collection[str]) -> tuple[str, ...]:
    """Some of the known fields, in their order; ValueError for another, or one that is there twice.

    >>> field_names(["led", "hnd"], FIELDS)
    Traceback (most recent call last):
    ValueError: no field is called 'hnd'; nearest: hand
    """
    if isinstance(names, str) or not isinstance(names, Iterable):
        raise ValueError(f"names must be a sequence of fields, not {names!r}")
    names = tuple(names)
    for name in names:
        if not isinstance(name, str) or name not in known:
            raise ValueError(f"no field is called {name!r}{nearest(name, tuple(known))}")
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the field {twice!r} is there twice")
    return names
