"""From a view to what a network reads, and from what a network chose back to an action.

A network reads chosen fields of the dense view (`rungenv.FIELDS`). The four suits differ in name
alone, so an `Encoding` may hand them over *sorted*: the trump first, then the others from the
longest to the shortest of those that the viewer was dealt. A network then learns once what it
would else learn for every naming of the suits. Or they may be *shuffled*: as they come in play, but
in training under names that are drawn anew for every round, so that the network has to learn what
holds for all. Suit `order[slot]` of the table stands in *slot*;
a network's cards and calls are numbered by slot where actions go by suit.
"""

from collections.abc import Sequence

import numpy as np

from agents.axes import N_AXIS_COLUMNS, axis_columns
from agents.derived import columns_with, layout_with
from agents.past import COLUMNS, past_columns
from agents.slots import actions_of, choices_of
from rungenv.actions import CALL, PASS
from rungenv.bits import BIT, unpack
from rungenv.layout import Field
from rungenv.rules import nearest
from rungenv.view import View

SUIT_ORDERS = ("sorted", "as_dealt", "shuffled")
"""How suits come to their slots: as said above, or each in its own."""

_CARD_OR_NONE = np.append(BIT[:52], np.uint64(0))

_SUIT_WEIGHT = np.float32(2**13) + np.float32(2) ** np.arange(13, dtype=np.float32)
"""(13,): a suit's sum over its ranks puts long suits first, then those with higher cards."""
_TRUMP_WEIGHT = np.float32(2**20)

_BY_SUIT = ("led", "trump", "legal_calls", "voids", "led_suits")
"""Fields of a column for each suit, of every seat in turn if they are of seats."""


class Encoding:
    """What a network reads: some `fields` of the dense view, with the suits in slots.

    Its columns are those of the last `past` actions (`agents/past.py`), if any; then the fields,
    slot by slot, then what belongs to no suit; then which game it is, if it `reads_rules`.
    ValueError, with the nearest names, for an unknown field or an unknown way to order the suits.
    """

    def __init__(
        self,
        fields: Sequence[str],
        suits: str = "sorted",
        reads_rules: bool = False,
        past: int = 0,
    ) -> None:
        fields = tuple(fields)
        layout = layout_with(fields)
        if suits not in SUIT_ORDERS:
            raise ValueError(f"no order of suits is called {suits!r}{nearest(suits, SUIT_ORDERS)}")
        self.fields = fields
        self.suits = suits
        self.reads_rules = reads_rules
        self.past = past
        parts = [_columns_by_suit(field) for field in layout.values()]
        self._by_suit = np.concatenate([by_suit for by_suit, _ in parts], axis=1)
        self._suitless = np.concatenate([suitless for _, suitless in parts])

    @property
    def width(self) -> int:
        """How many columns a network reads."""
        axes = N_AXIS_COLUMNS * self.reads_rules
        return self.past_width + self._by_suit.size + self._suitless.size + axes

    @property
    def past_width(self) -> int:
        """How many of them, the first ones, tell of past actions."""
        return self.past * COLUMNS

    def columns_of(self, name: str) -> np.ndarray:
        """Where a field is among the columns after those of past actions: (k,) int64."""
        field = layout_with(self.fields)[name]
        columns = np.concatenate([self._by_suit.ravel(), self._suitless])
        return np.flatnonzero((columns >= field.start) & (columns < field.start + field.width))

    def scale(self) -> np.ndarray:
        """What brings each column into the range from 0 to 1, as a factor; float32, one for each
        column after those of past actions.
        """
        layout = layout_with(self.fields).values()
        high = np.concatenate([np.full(field.width, field.high) for field in layout])
        columns = np.concatenate([self._by_suit.ravel(), self._suitless])
        axes = np.ones(N_AXIS_COLUMNS * self.reads_rules)
        return np.concatenate([1 / high[columns], axes]).astype(np.float32)

    def order(self, view: View) -> np.ndarray:
        """The suit in each slot, in play: (n, 4) int64. Training shuffles by `drawn_orders`.

        Sorted, it depends on the cards that were dealt and on the trump, so in the play of a hand
        it changes only when the trump becomes known.
        """
        if self.suits != "sorted":
            return np.tile(np.arange(4), (len(view), 1))
        dealt = view.hand | view.played[:, 0] | _CARD_OR_NONE[view.my_face_down]
        weight = unpack(dealt, 52).reshape(-1, 4, 13) @ _SUIT_WEIGHT
        weight += _TRUMP_WEIGHT * (view.trump[:, None] == np.arange(4))
        return np.argsort(-weight, axis=1, kind="stable")

    def features(self, view: View, order: np.ndarray) -> np.ndarray:
        """What a network reads: (n, width) uint8."""
        dense = columns_with(view, self.fields)
        by_slot = _to_slots(np.take(dense, self._by_suit, axis=1), order)
        parts = [by_slot.reshape(len(dense), self._by_suit.size), dense[:, self._suitless]]
        if self.past:
            parts.insert(0, past_columns(view, order, self.past))
        if self.reads_rules:
            parts.append(np.tile(axis_columns(view.rules), (len(dense), 1)))
        return np.concatenate(parts, axis=1)

    def legal(self, view: View, order: np.ndarray) -> np.ndarray:
        """Which of a network's 61 choices are legal: (n, 61) bool."""
        mask = view.legal_mask()
        mask[:, :CALL] = _to_slots(mask[:, :CALL].reshape(-1, 4, 13), order).reshape(-1, CALL)
        mask[:, CALL:PASS] = np.take_along_axis(mask[:, CALL:PASS], order, axis=1)
        return mask

    def actions(self, choices: np.ndarray, order: np.ndarray) -> np.ndarray:
        """The actions that a network's choices stand for: (n,) int64, 0..60 both."""
        return actions_of(choices[:, None], order)[:, 0]

    def choices(self, actions: np.ndarray, order: np.ndarray) -> np.ndarray:
        """A network's choices that stand for these actions, as `actions` turns them: (n,) int64."""
        return choices_of(actions[:, None], order)[:, 0]


def drawn_orders(n: int, rng: np.random.Generator) -> np.ndarray:
    """Suits in any order, each equally likely: (n, 4) int64, in place of `Encoding.order`."""
    return rng.permuted(np.tile(np.arange(4), (n, 1)), axis=1)


def hidden_by_slot(hidden: np.ndarray, order: np.ndarray) -> np.ndarray:
    """`rungenv.hidden_hands` with the suits in slots: (n, 208) uint8, slot by slot."""
    by_suit = hidden.reshape(-1, 4, 4, 13).swapaxes(1, 2)
    return _to_slots(by_suit, order).reshape(-1, 208)


def _to_slots(by_suit: np.ndarray, order: np.ndarray) -> np.ndarray:
    """Rows by suit, (n, 4, ...), to rows by slot: a copy of the same shape."""
    return by_suit[np.arange(len(order))[:, None], order]


def _columns_by_suit(field: Field) -> tuple[np.ndarray, np.ndarray]:
    """Where a field's columns are: (4, k) of each suit, and (m,) of those that belong to none."""
    columns = np.arange(field.start, field.start + field.width)
    if field.name == "trick_sets":  # the seat to act has no card on the table yet
        columns = columns[52:]
    if field.width % 52 == 0:  # card sets
        return columns.reshape(-1, 4, 13).swapaxes(0, 1).reshape(4, -1), columns[:0]
    if field.name in _BY_SUIT:  # by seat, if at all, then by suit
        return columns.reshape(-1, 4).T, columns[:0]
    return np.empty((4, 0), np.int64), columns
