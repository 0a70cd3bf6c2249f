"""One action at each of N tables: `step` is the contents page of the rules."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from rungenv import collect, extras, legal, match, score, trick, trump
from rungenv.actions import REVEAL, action_name, action_names
from rungenv.cards import NO_CARD
from rungenv.checks import as_array, checked_mask
from rungenv.rules import Trump
from rungenv.state import Phase
from rungenv.tables import Tables

_PLAY, _PARTNER_CALL = Phase.PLAY.value, Phase.PARTNER_CALL.value
_SEAT_PART = np.arange(4, dtype=np.uint8) << 6
_NOBODY = np.zeros(0, np.int64)


class IllegalAction(ValueError):
    """An action that the table's rules or its position do not permit."""


@dataclass(frozen=True)
class Events:
    """What one step brought about.

    round_over, match_over (n,) bool: just now; points, kots (n, 2) int8: what the round that
    just ended paid each team, streak bonus included (R5.1, R5.2, R9.4), zero elsewhere.
    """

    round_over: np.ndarray
    match_over: np.ndarray
    points: np.ndarray
    kots: np.ndarray


def step(tables: Tables, actions: Any, acting: Any = None) -> Events:
    """Carry out one action at each table, by the seat to act; never deals the next round.

    actions (n,) int, 0..60; acting (n,) bool: which tables act, by default all. The others wait:
    they stay as they are, and their actions are ignored, as are those of tables whose round is
    over. Raises IllegalAction naming table, seat, action and the legal ones, or ValueError for a
    wrong shape or dtype; then no table has changed.
    """
    active, actions = _accept(tables, actions, acting)
    _remember(tables, active, actions)

    cards = actions
    playing = active & (tables.phase == _PLAY)
    if not playing.all():
        opening = np.flatnonzero(~playing & active)
        _answer_opening(tables, opening, actions[opening])
        cards = np.where(playing, actions, NO_CARD)
    if tables.rules.trump == Trump.HIDDEN:
        cards = _show_face_down(tables, cards)

    full = trick.place(tables, cards)
    if full.any():
        collect.collect(tables, trick.take_trick(tables, full))
    trump.reveal_at_first_void(tables)
    return end_rounds(tables, full)


def end_rounds(tables: Tables, full: np.ndarray) -> Events:
    """End the rounds that a trick has decided, where `full` (n,) bool says that one was taken."""
    ended = score.judge(tables, full) if full.any() else _NOBODY
    legal.refresh(tables)
    return _report(tables, ended)


def _answer_opening(tables: Tables, rows: np.ndarray, actions: np.ndarray) -> None:
    """Before the first card: the calling, then the extras."""
    calling = tables.phase[rows] <= _PARTNER_CALL
    called = trump.answer_call(tables, rows[calling], actions[calling])
    extras.answer_extra(tables, rows[~calling], actions[~calling])
    extras.dealt_out(tables, called)


def _show_face_down(tables: Tables, cards: np.ndarray) -> np.ndarray:
    """Show the card where REVEAL is the action (R7.3, R7.4); return the cards of the others."""
    shows = cards == REVEAL
    if not shows.any():
        return cards
    trump.reveal(tables, np.flatnonzero(shows))
    return np.where(shows, NO_CARD, cards)


def _report(tables: Tables, ended: np.ndarray) -> Events:
    n = len(tables)
    events = Events(
        round_over=np.zeros(n, np.bool_),
        match_over=np.zeros(n, np.bool_),
        points=np.zeros((n, 2), np.int8),
        kots=np.zeros((n, 2), np.int8),
    )
    if ended.size:
        winner = tables.winner[ended]
        events.points[ended, winner], events.kots[ended, winner] = match.settle(tables, ended)
        events.round_over[ended] = True
        events.match_over[ended] = tables.match_winner[ended] >= 0
    return events


def _remember(tables: Tables, active: np.ndarray, actions: np.ndarray) -> None:
    entries = actions.astype(np.uint8) | _SEAT_PART.take(tables.seat)
    length = tables.length
    places = tables.everyone * tables.history.shape[1] + length
    written = tables.history.reshape(-1)
    if active.all():
        written[places] = entries
    else:
        written[places[active]] = entries[active]
    length += active


def _accept(tables: Tables, actions: Any, acting: Any) -> tuple[np.ndarray, np.ndarray]:
    """Which tables act, (n,) bool, and the actions, int64, once all of these are legal."""
    actions = as_array("actions", actions)
    if actions.shape != (len(tables),):
        raise ValueError(f"actions must have shape ({len(tables)},), not {actions.shape}")
    if actions.dtype.kind not in "iu" and actions.size:
        raise ValueError(f"actions must be ints from 0 to 60, not {actions.dtype}")
    # A negative number turns into a huge one, whose shift leaves nothing.
    is_legal = (tables.legal_set >> actions.astype(np.uint64)) & np.uint64(1) != 0
    active = is_legal
    if acting is not None:
        active = checked_mask("acting", acting, len(tables)) & (tables.seat >= 0)
    elif not is_legal.all():
        active = tables.seat >= 0
    _refuse_illegal(tables, actions, active & ~is_legal)
    return active, actions.astype(np.int64)


def _refuse_illegal(tables: Tables, actions: np.ndarray, illegal: np.ndarray) -> None:
    if illegal.any():
        table = int(np.flatnonzero(illegal)[0])
        raise IllegalAction(
            f"table {table}, seat {tables.seat[table]}: {action_name(int(actions[table]))} is not "
            f"legal; legal: {action_names(tables.legal_set[table])}"
        )
