"""What is to be shown of one table, whoever draws it: what a seat may know, or all of it.

A scene is made from the view of one seat, and from what everybody at the table sees besides. So no
card is in it that the view does not hold, unless the hands are to be revealed. Seats count from the
one at the bottom of the picture, 0 to 3 in turn order, -1 nobody; teams: 0 is that seat's.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rungenv.actions import CALL
from rungenv.bits import members
from rungenv.checks import checked_column, whole
from rungenv.rules import Rules
from rungenv.state import Kind, Phase
from rungenv.table import Table
from rungenv.tables import Tables
from rungenv.view import NOTHING, View, observe

NAMES = ("player_0", "player_1", "player_2", "player_3")
"""What the seats are called, if nothing else is said."""

NAME_LENGTH = 14
"""Longer names are cut."""


@dataclass(frozen=True)
class Scene:
    """One table as it is shown; see this module's words on seats and teams. Cards: -1 is none."""

    rules: Rules
    names: tuple[str, ...]
    round: int  # of the match, from 1
    phase: Phase
    to_act: int
    dealer: int
    caller: int

    hands: tuple[tuple[int, ...] | None, ...]  # by seat; None where they are hidden
    held: tuple[int, ...]  # by seat: how many cards that is
    trick: tuple[int, ...]  # by seat: the card on the table
    last_trick: tuple[int, ...]  # by seat, when no card is on the table; before the first, none
    holder: int  # the seat that is winning the trick
    cards_played: int  # this round

    trump: int  # suit, -1 while not known to all
    turned_up: int
    is_down: bool
    face_down: int  # the card that lies face down, -1 for who may not know it
    shown: int  # the same once it is shown
    owner: int  # whose it is or was
    owner_knows: bool
    asker: int  # at whose turn it was shown

    pile: int  # tricks
    pile_tens: int
    waiting: int  # the seat that another win may let pick up
    waiting_ace: bool

    tricks: tuple[int, ...]  # by team, and so on
    tens: tuple[int, ...]
    points: tuple[int, ...]
    kots: tuple[int, ...]
    streak: tuple[int, ...]

    history: tuple[tuple[int, int], ...]  # (seat, action), in order
    winner: int  # team, -1
    kind: Kind
    match_is_won: bool

    def team(self, team: int) -> str:
        """The names of a team's players."""
        return f"{self.names[team]} and {self.names[team + 2]}"


def scene_of(
    tables: Tables | Table,
    row: int = 0,
    seat: int | None = None,
    *,
    reveal: bool = False,
    bottom: int | None = None,
    names: Sequence[str] = NAMES,
) -> Scene:
    """What one table shows.

    seat: whose knowledge is shown, by default that of the seat to act (the eldest hand's when the
    round is over). reveal: all hands, and a card that lies face down. bottom: the seat that sits at
    the bottom, by default the `seat` given, else 0. names: what to call the four seats, by seat.
    ValueError names the argument that is wrong.
    """
    if isinstance(tables, Table):
        tables = tables.tables
    rows = checked_column("row", row, 1, 0, len(tables) - 1)
    if not isinstance(names, Sequence) or isinstance(names, str) or len(names) != 4:
        raise ValueError(f"names must be four, one a seat, not {names!r}")
    table = tables.take(rows)
    seat = seat if seat is None else whole("seat", seat, 0, 3)
    view = observe(table, seat)
    bottom = seat or 0 if bottom is None else whole("bottom", bottom, 0, 3)
    seen = _Turned(view, bottom)
    to_act, winner = int(table.seat[0]), int(table.winner[0])
    hands, down, actions = _everything(table, bottom) if reveal else _known(seen)
    history = _history(seen, actions)
    trick = seen.of_seats("trick")
    return Scene(
        rules=table.rules,
        names=tuple(_shown(names, (bottom + i) % 4) for i in range(4)),
        round=int(table.match_round[0]) + 1,
        phase=Phase(table.phase[0]),
        to_act=(to_act - bottom) % 4 if to_act >= 0 else -1,
        dealer=seen.seat("dealer"),
        caller=seen.seat("caller"),
        hands=hands,
        held=_held(seen),
        trick=trick,
        last_trick=_last_trick(history) if max(trick) < 0 and seen.value("trick_number") else (),
        holder=seen.seat("holder"),
        cards_played=sum(word.bit_count() for word in seen.of_seats("played")),
        trump=seen.value("trump"),
        turned_up=seen.value("turned_up"),
        is_down=bool(seen.value("is_down")),
        face_down=down,
        shown=seen.value("shown"),
        owner=seen.seat("owner"),
        owner_knows=bool(seen.value("owner_knows")),
        asker=seen.seat("asker"),
        pile=seen.value("pile"),
        pile_tens=seen.value("pile_tens"),
        waiting=seen.seat("waiting"),
        waiting_ace=bool(seen.value("waiting_ace")),
        tricks=seen.of_teams("tricks"),
        tens=seen.of_teams("tens"),
        points=seen.of_teams("points"),
        kots=seen.of_teams("kots"),
        streak=seen.of_teams("streak"),
        history=history,
        winner=winner ^ (bottom & 1) if winner >= 0 else -1,
        kind=Kind(table.kind[0]),
        match_is_won=bool(table.match_winner[0] >= 0),
    )


def _shown(names: Sequence[str], seat: int) -> str:
    """A seat's name in one line, without what neither fonts nor XML have a letter for."""
    letters = [letter for letter in str(names[seat]) if letter.isprintable()]
    return "".join(letters[:NAME_LENGTH]).strip() or NAMES[seat]


class _Turned:
    """A view of one row, with its seats and teams counted from the one at the bottom."""

    def __init__(self, view: View, bottom: int) -> None:
        self.view = view
        self.viewer = (int(view.seat[0]) - bottom) % 4

    def value(self, field: str) -> int:
        return int(getattr(self.view, field)[0])

    def seat(self, field: str) -> int:
        seat = self.value(field)
        return (seat + self.viewer) % 4 if seat >= 0 else -1

    def of_seats(self, field: str) -> tuple[int, ...]:
        values = getattr(self.view, field)[0].tolist()
        return tuple(values[(i - self.viewer) % 4] for i in range(4))

    def of_teams(self, field: str) -> tuple[int, ...]:
        values = getattr(self.view, field)[0].tolist()
        return tuple(values[i ^ (self.viewer & 1)] for i in range(2))


Hands = tuple[tuple[int, ...] | None, ...]


def _known(seen: _Turned) -> tuple[Hands, int, np.ndarray]:
    """Hands, face-down card and actions as the viewer knows them."""
    own = tuple(members(seen.view.hand[0]))
    hands = tuple(own if i == seen.viewer else None for i in range(4))
    return hands, seen.value("my_face_down"), seen.view.history_actions()[0]


def _everything(table: Tables, bottom: int) -> tuple[Hands, int, np.ndarray]:
    """The same as an onlooker knows them who sees all cards."""
    seats = (np.arange(4) + bottom) % 4
    hands = observe(table.take(np.zeros(4, np.int64)), seats).hand
    known = tuple(tuple(members(hand)) for hand in hands)
    return known, int(table.face_down[0]), table.history[0] & 63


def _history(seen: _Turned, actions: np.ndarray) -> tuple[tuple[int, int], ...]:
    seats = (seen.view.history_seats()[0] + seen.viewer) % 4
    entries = zip(seats.tolist(), actions.tolist(), strict=True)
    return tuple((seat, action) for seat, action in entries if action != NOTHING)


def _held(seen: _Turned) -> tuple[int, ...]:
    """How many cards each seat holds, which everybody can count."""
    if seen.value("phase") <= Phase.PARTNER_CALL:
        return (5,) * 4
    down = [seen.value("is_down") and i == seen.seat("owner") for i in range(4)]
    played = seen.of_seats("played")
    return tuple(13 - played[i].bit_count() - down[i] for i in range(4))


def _last_trick(history: tuple[tuple[int, int], ...]) -> tuple[int, ...]:
    last = dict([entry for entry in history if entry[1] < CALL][-4:])
    return tuple(last[i] for i in range(4))
