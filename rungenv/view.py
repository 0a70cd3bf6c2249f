"""What a seat may know, and nothing else: the one place that decides it.

`observe` gives a packed `View`, for agents; `View.dense()` gives it as a matrix for networks, whose
columns `FIELDS` names. Seats are relative to the viewer: 0 itself, 1 the next in turn, 2 the
partner, 3 the previous, -1 nobody. Teams: 0 the viewer's, 1 the others. A view is a snapshot; it
shares no memory with the tables.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from rungenv.actions import N_ACTIONS
from rungenv.bits import BIT, EMPTY, unpack
from rungenv.cards import CARD_SUIT, HIGHER, LANE, PACK, not_higher_than
from rungenv.layout import dense
from rungenv.rules import Rules, Trump
from rungenv.state import Phase, State, opening_length
from rungenv.tables import checked_column

LAID, NOTHING = 61, 63
"""In a view's history: a card laid face down by another seat; no action yet."""

# Tables to look up with an index that may be -1, for "none".
_CARD_OR_NONE = np.append(BIT[:52], EMPTY)
_HIGHER_OR_NONE = np.append(HIGHER, EMPTY)
_SUIT_OR_NONE = np.append(LANE[:4], EMPTY)

_SEATS = (np.arange(4)[:, None] + np.arange(4)) & 3
"""(relative seat, viewer) -> seat."""


@dataclass(frozen=True)
class View:
    """What the viewers know, a row for each table; see the module's words on seats and teams.

    Arrays are (n,) or, by seat or team, (n, 4) or (n, 2): uint64 card sets, int8 all else.
    """

    rules: Rules
    seat: np.ndarray  # the viewer's own seat at the table, 0 to 3
    legal: np.ndarray  # set of actions; empty when it is not the viewer's turn
    phase: np.ndarray  # a Phase

    hand: np.ndarray  # while calling, the first five only (R1.3)
    first_five: np.ndarray
    my_face_down: np.ndarray  # the viewer's own face-down card, if it knows it (R7.2), -1
    played: np.ndarray  # (n, 4) sets
    trick: np.ndarray  # (n, 4) the card of each seat on the table, -1
    voids: np.ndarray  # (n, 4) bit s: the seat has failed to follow suit s
    new_cards_left: np.ndarray  # (n, 4)

    unseen: np.ndarray  # cards not in the hand, not the known face-down card, not played
    winners: np.ndarray  # cards of the hand that would beat the trick; empty when leading
    masters: np.ndarray  # cards of the hand that no unseen card of their suit beats

    led: np.ndarray  # suit, -1
    trump: np.ndarray  # suit known to all, -1
    holder: np.ndarray  # the seat winning the trick, -1
    trick_size: np.ndarray
    trick_number: np.ndarray  # tricks completed

    dealer: np.ndarray
    eldest: np.ndarray
    caller: np.ndarray
    passed: np.ndarray  # flag: the eldest hand passed
    timed_out: np.ndarray  # flag: time ran out for the call
    turned_up: np.ndarray  # card (R2.4), -1
    is_down: np.ndarray  # flag: a card lies face down
    owner: np.ndarray  # whose it is or was, -1
    owner_knows: np.ndarray  # flag
    shown: np.ndarray  # that card once shown, -1
    asker: np.ndarray  # the seat at whose turn it was shown, -1
    must_trump: np.ndarray  # flag: the seat to act must play a trump if it can

    tricks: np.ndarray  # (n, 2) collected
    tens: np.ndarray  # (n, 2) collected
    pile: np.ndarray  # tricks lying on the pile
    pile_tens: np.ndarray  # tens among them
    waiting: np.ndarray  # the seat that another win may let pick up, -1
    waiting_ace: np.ndarray  # flag: its win was an ace's
    points: np.ndarray  # (n, 2) in the match
    kots: np.ndarray  # (n, 2)
    streak: np.ndarray  # (n, 2) rounds won in a row
    history: np.ndarray  # (n, h) uint8: action | seat << 6, in order (R1-R10)

    def __len__(self) -> int:
        return len(self.legal)

    def take(self, rows: np.ndarray | slice) -> "View":
        """The views of some rows: indices, a mask or a slice."""
        arrays = {f.name: getattr(self, f.name)[rows] for f in fields(self) if f.name != "rules"}
        return View(rules=self.rules, **arrays)

    def legal_mask(self) -> np.ndarray:
        """The legal actions as flags: (n, 61) bool."""
        return unpack(self.legal, N_ACTIONS)

    def dense(self, names: Sequence[str] | None = None) -> np.ndarray:
        """The view as a matrix: (n, N_FEATURES) uint8, columns as in `FIELDS`.

        names: just these fields, side by side in their order. ValueError for an unknown one. The
        order of past actions is not part of it; `history` has that.
        """
        return dense(self, names)


def observe(tables: State, seats: Any = None) -> View:
    """What the seat to act may know at each table, or what the given seats may.

    seats: an int or (n,) ints, 0 to 3. By default the seat to act, and where the round is over
    the eldest hand. ValueError for other seats.
    """
    n = len(tables)
    eldest = (tables.dealer + 1) & 3
    if seats is None:
        viewer = np.where(tables.seat >= 0, tables.seat, eldest)
    else:
        viewer = checked_column("seats", seats, n, 0, 3).astype(np.int8)
    by_seat = _SEATS[:, viewer] * n + np.arange(n)  # (relative seat, row) -> place in a flat column
    my_place = by_seat[0]
    flat = tables.flat

    first_five = flat.first_five[my_place]
    calling = tables.phase <= Phase.PARTNER_CALL
    hand = np.where(calling, first_five, flat.hands[my_place])
    played = tables.played.T.reshape(-1)[by_seat]
    is_down = tables.face_down >= 0
    knows = is_down & (tables.owner == viewer) & (tables.owner_knows != 0)
    my_face_down = np.where(knows, tables.face_down, np.int8(-1))
    all_played = np.bitwise_or.reduce(played, axis=0)
    unseen = PACK & ~(hand | all_played | _CARD_OR_NONE[my_face_down])

    def relative(column: np.ndarray) -> np.ndarray:
        return np.where(column >= 0, (column - viewer) & 3, np.int8(-1))

    def by_team(column: np.ndarray) -> np.ndarray:
        return np.where((viewer & 1).astype(np.bool_)[:, None], column[:, ::-1], column)

    return View(
        rules=tables.rules,
        seat=viewer,
        legal=np.where(tables.seat == viewer, tables.legal_set, EMPTY),
        phase=tables.phase.copy(),
        hand=hand,
        first_five=first_five,
        my_face_down=my_face_down,
        played=played.T,
        trick=tables.trick.T.reshape(-1)[by_seat].T,
        voids=tables.voids.T.reshape(-1)[by_seat].T,
        new_cards_left=flat.new_cards_left[by_seat].T,
        unseen=unseen,
        winners=hand & _beating(tables),
        masters=hand & ~not_higher_than(unseen),
        led=tables.led.copy(),
        trump=tables.trump.copy(),
        holder=relative(tables.holder),
        trick_size=tables.trick_size.copy(),
        trick_number=tables.trick_number.copy(),
        dealer=(tables.dealer - viewer) & 3,
        eldest=(eldest - viewer) & 3,
        caller=relative(tables.caller),
        passed=tables.passed.copy(),
        timed_out=tables.timed_out.copy(),
        turned_up=tables.turned_up.copy(),
        is_down=is_down.astype(np.int8),
        owner=relative(tables.owner),
        owner_knows=tables.owner_knows.copy(),
        shown=tables.shown.copy(),
        asker=relative(tables.asker),
        must_trump=tables.must_trump.copy(),
        tricks=by_team(tables.tricks),
        tens=by_team(tables.tens),
        pile=tables.pile.copy(),
        pile_tens=tables.pile_tens.copy(),
        waiting=relative(tables.waiting),
        waiting_ace=tables.waiting_ace.copy(),
        points=by_team(tables.points),
        kots=by_team(tables.kots),
        streak=by_team(tables.streak),
        history=_public_history(tables, viewer),
    )


def _beating(tables: State) -> np.ndarray:
    """The cards that would beat the trick if played now (R3.3, R8.2): (n,) sets, empty if led."""
    n = len(tables)
    # Where nobody holds the trick, this looks at seat 3, which has no card on the table either.
    best = tables.trick[tables.everyone, tables.holder]
    higher = _HIGHER_OR_NONE[best]
    overtrumps = (tables.led >= 0) & (CARD_SUIT[best] != tables.trump)
    beating = higher | np.where(overtrumps, _SUIT_OR_NONE[tables.trump], EMPTY)
    if tables.rules.trump == Trump.CUT:
        cuts = (tables.led >= 0) & (tables.trump < 0)
        beating |= np.where(cuts, PACK & ~LANE[tables.led], EMPTY)
    return beating


def _public_history(tables: State, viewer: np.ndarray) -> np.ndarray:
    """The actions so far, by relative seat; a card that another seat laid is not named (R7.2)."""
    history = tables.history - (viewer.astype(np.uint8) << 6)[:, None]
    if tables.rules.trump == Trump.HIDDEN:
        opening = history[:, : opening_length(tables.rules)]
        ends = np.where(tables.phase >= Phase.PLAY, tables.play_from, tables.length)
        is_lay = (opening & 63 < 52) & (np.arange(opening.shape[1]) < ends[:, None])
        opening[...] = np.where(is_lay & (opening >= 64), opening & 0xC0 | LAID, opening)
    return history


def hidden_hands(tables: State, seats: Any = None) -> np.ndarray:
    """What the view hides, for a training-time critic only; no agent receives it.

    Returns (n, 208) uint8: the hands of relative seats 1, 2, 3 and the face-down card, 52 columns
    each. seats as for `observe`.
    """
    n = len(tables)
    if seats is None:
        viewer = np.where(tables.seat >= 0, tables.seat, (tables.dealer + 1) & 3)
    else:
        viewer = checked_column("seats", seats, n, 0, 3).astype(np.int8)
    words = np.empty((n, 4), np.uint64)
    words[:, :3] = tables.flat.hands[_SEATS[1:, viewer] * n + np.arange(n)].T
    words[:, 3] = _CARD_OR_NONE[tables.face_down]
    return unpack(words.ravel(), 52).reshape(n, 208).view(np.uint8)
