"""A round's actions so far as columns for a network: what was done, by whom, and when.

They come from the view's own history, so nothing that the viewer does not know is among them: a
card that another seat laid face down has no name there (R7.2).
"""

import numpy as np

from agents.slots import choices_of
from rungenv.actions import CALL
from rungenv.bits import count
from rungenv.view import NOTHING, View

COLUMNS = 3
"""Of each action: the choice, numbered by slot as a network's own are (also LAID; NOTHING after the
last); the seat from the viewer's, 0 to 3; and how many cards had been played, or OPENING."""

OPENING = 52
"""When an action was done that came before the first card."""


def past_columns(view: View, order: np.ndarray, actions: int) -> np.ndarray:
    """The last `actions` actions, in order: (n, actions * COLUMNS) uint8, action by action.

    order (n, 4): the suit in each slot.
    """
    history = _last(view.history, actions)
    action = (history & 63).astype(np.int64)
    seat = ((history >> 6) - view.seat[:, None].astype(np.uint8)) & 3
    is_card = action < CALL
    # A card that is laid is no card played: the plays are the last so many cards of a history.
    cards_from_here = np.cumsum(is_card[:, ::-1], axis=1)[:, ::-1]
    before = count(view.played).sum(axis=1)[:, None].astype(np.int64) - cards_from_here
    is_opening = (before < 0) | ((before == 0) & ~is_card)
    columns = np.empty((*history.shape, COLUMNS), np.uint8)
    columns[..., 0] = choices_of(action, order)
    columns[..., 1] = seat
    columns[..., 2] = np.where(is_opening, OPENING, before)
    columns[..., 1:] *= (action != NOTHING)[..., None]
    return columns.reshape(len(history), -1)


def _last(history: np.ndarray, actions: int) -> np.ndarray:
    """The last so many actions of each row, then NOTHING: (n, h) -> (n, actions) uint8."""
    length = (history & 63 != NOTHING).sum(axis=1)
    at = np.maximum(length - actions, 0)[:, None] + np.arange(actions)
    padded = np.pad(history, ((0, 0), (0, actions)), constant_values=NOTHING)
    return np.take_along_axis(padded, at, axis=1)
