"""What a network may read beside the dense view: fields worked out from the order of the plays.

Who led a suit tells where its strength is, and who cut (R8.2) who is short and holds trumps.
Neither can be told from the cards that each seat has played. In be-ranga an expert that does not
look at them loses 0.2 points a deal to one that does, in Mendikot katte 0.1, elsewhere hardly any.
"""

from collections.abc import Sequence

import numpy as np

from agents.plays import cutter, led_by
from rungenv.bits import BIT
from rungenv.layout import PARTS, Field, field_names, layout_of
from rungenv.view import View

_TWOS = BIT[:52:13]
"""(4,): of each suit a card that stands for it."""


def _led_suits(view: View) -> np.ndarray:
    led = led_by(view).T[:, :, None] & _TWOS != 0
    return led.reshape(len(view), 16)


def _cutter(view: View) -> np.ndarray:
    return cutter(view)[:, None] == np.arange(4)


DERIVED = {"led_suits": _led_suits, "cutter": _cutter}
"""By name, from a view to the field's columns: (n, width) bool."""

_MEANT = {
    "led_suits": (16, "by seat: suits it has led to a trick", "R3.1"),
    "cutter": (4, "the seat that played the first card off the led suit", "R8.2"),
}


def layout_with(names: Sequence[str]) -> dict[str, Field]:
    """The fields of what `columns_with` gives, by name. ValueError if unknown, or there twice."""
    names = field_names(names, (*PARTS, *DERIVED))
    fields = layout_of([name for name in names if name not in DERIVED])
    start = sum(field.width for field in fields.values())
    for name in names:
        if name in DERIVED:
            width, meaning, rule = _MEANT[name]
            fields[name] = Field(name, start, width, 1, meaning, rule)
            start += width
    return fields


def columns_with(view: View, names: Sequence[str]) -> np.ndarray:
    """Fields of the dense view, and after them those derived: (n, width) uint8."""
    dense = view.dense([name for name in names if name not in DERIVED])
    derived = [DERIVED[name](view).astype(np.uint8) for name in names if name in DERIVED]
    return np.concatenate([dense, *derived], axis=1) if derived else dense
