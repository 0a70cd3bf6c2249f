"""Suits in slots: `order[slot]` is the suit in a slot, and a network's choices go by slot.

What names no suit, as PASS does, is the same in both.
"""

import numpy as np

from rungenv.actions import CALL, PASS
from rungenv.cards import CARD_SUIT

_REST = 64 - PASS
"""Actions after the calls, and what else a history has in their place (`rungenv.view`)."""

SUIT = np.concatenate([CARD_SUIT, np.arange(PASS - CALL), np.full(_REST, -1)]).astype(np.int64)
"""(64,): the suit that an action names, -1 for none."""
STRIDE = np.concatenate([np.full(CALL, 13), np.ones(PASS - CALL), np.zeros(_REST)]).astype(np.int64)
"""(64,): how far apart an action's like in the next suit is."""


def choices_of(actions: np.ndarray, order: np.ndarray) -> np.ndarray:
    """The choices that stand for some actions: (n, k) int64, (n, 4) -> (n, k) int64."""
    suit = SUIT[actions]
    slot = np.take_along_axis(np.argsort(order, axis=1), np.maximum(suit, 0), axis=1)
    return actions + STRIDE[actions] * (slot - suit)


def actions_of(choices: np.ndarray, order: np.ndarray) -> np.ndarray:
    """The actions that some choices stand for, the inverse of `choices_of`; shapes as there."""
    slot = SUIT[choices]
    suit = np.take_along_axis(order, np.maximum(slot, 0), axis=1)
    return choices + STRIDE[choices] * (suit - slot)
