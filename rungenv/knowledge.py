"""What a seat may know of a table now: the two blocks of a view, as `layout.py` declares them.

This file and `view.py` alone decide what is known. Seats become relative to the viewer, 0 itself,
1 the next in turn, 2 the partner, 3 the previous, -1 nobody; teams 0 the viewer's, 1 the others.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from rungenv.actions import CALL, PASS
from rungenv.cards import HIGHER, LANE, LANES, PACK, not_higher_than
from rungenv.columns import Lookup, Values, bit_count, larger, number, select, smaller, some
from rungenv.layout import N_SETS, N_SMALLS, POINTS_SHOWN, SET_ROWS, SMALL_ROWS
from rungenv.rules import Trump
from rungenv.state import Phase
from rungenv.storage import Columns
from rungenv.trick import winning_card

_PARTNER_CALL = Phase.PARTNER_CALL.value
_PACK = int(PACK)
# The cards above a card, and those of a trump suit; nothing for -1.
_HIGHER = Lookup([*HIGHER, 0], np.uint64)
_TRUMPS = Lookup([*LANE[:4], 0], np.uint64)
# Turning a word of a part for each seat until the viewer's comes first.
_TRICK_TURN, _TRICK_BACK = Lookup([0, 8, 16, 24], np.uint32), Lookup([32, 24, 16, 8], np.uint32)
_VOID_TURN, _VOID_BACK = Lookup([0, 4, 8, 12], np.uint16), Lookup([16, 12, 8, 4], np.uint16)

_HAND, _LEGAL_CARDS, _FIRST_FIVE, _UNSEEN, _WINNERS, _MASTERS, _PLAYED = (
    SET_ROWS[name].start
    for name in ("hand", "legal_cards", "first_five", "unseen", "winners", "masters", "played")
)
_MY_CARD_SET, _SHOWN_SET, _TRICK_SETS = (
    SET_ROWS[name].start for name in ("my_face_down_set", "shown_set", "trick_sets")
)
_TRICK_SIZE, _LEGAL_CALLS, _LEGAL_OTHER, _VOIDS, _IS_DOWN, _POINTS, _NEW_CARDS_LEFT, _TARGET = (
    SMALL_ROWS[name].start
    for name in (
        "trick_size", "legal_calls", "legal_other", "voids", "is_down", "points",
        "new_cards_left", "target",
    )
)  # fmt: skip
_MY_CARD, _SHOWN, _TRICK = (SMALL_ROWS[name].start for name in ("my_face_down", "shown", "trick"))


def _placed(names: Sequence[str], **other: str) -> tuple[tuple[int, str], ...]:
    """Where the view keeps columns of the state, and their names there."""
    columns = {name: name for name in names} | other
    return tuple((SMALL_ROWS[name].start, column) for name, column in columns.items())


# Columns that all seats know, by how a view gives them.
_AS_THEY_ARE = _placed(
    (
        "phase", "led", "trump", "passed", "timed_out", "owner_knows", "must_trump",
        "waiting_ace", "pile", "pile_tens", "trick_number", "turned_up", "shown",
    )
)  # fmt: skip
_OF_SEATS = _placed(("dealer", "caller", "owner", "asker", "waiting"), holder="best", turn="seat")
_OF_TEAMS = _placed(("tricks", "tens", "kots", "streak"))


def card_or_none(card: Values) -> Values:
    """The set of one card, empty for -1."""
    if type(card) is int:
        return 1 << card if card >= 0 else 0
    return np.uint64(1) << card.astype(np.uint64)  # -1 becomes so huge a shift that nothing stays


def known(table: Columns, viewer: Values, legal: Values) -> tuple[Any, Any]:
    """A view's two blocks: card sets, (N_SETS, n) uint64, and small numbers, (N_SMALLS, n) int8.

    viewer: seats; legal: what is open to them now. For a Row, two lists of ints.
    """
    smalls = _small_numbers(table, viewer, legal)
    sets = table.blank(N_SETS, np.uint64)
    hand = table.of_seat("hands", viewer)
    first_five = table.of_seat("first_five", viewer)
    calling = table.phase <= _PARTNER_CALL
    if some(calling):
        hand = select(calling, first_five, hand)  # R1.3
    sets[_HAND] = hand
    sets[_LEGAL_CARDS] = legal & _PACK
    sets[_FIRST_FIVE] = first_five
    everyones = _played(table, viewer, sets)
    my_card = card_or_none(smalls[_MY_CARD])
    unseen = _PACK & ~(hand | everyones | my_card)
    sets[_UNSEEN] = unseen
    sets[_WINNERS] = hand & _beating(table)
    sets[_MASTERS] = hand & ~not_higher_than(unseen)
    sets[_MY_CARD_SET] = my_card
    sets[_SHOWN_SET] = card_or_none(larger(smalls[_SHOWN], table.turned_up))  # no game has both
    for turn in range(4):
        sets[_TRICK_SETS + turn] = card_or_none(smalls[_TRICK + turn])
    return sets, smalls


def _played(table: Columns, viewer: Values, sets: Any) -> Values:
    """Fill in what each seat has played, and return what all of them have."""
    everyones = 0
    for turn, played in enumerate(table.by_turn(table.out_of_hand(), viewer)):
        if table.rules.trump == Trump.HIDDEN:  # a card lying face down is not played
            is_owner = table.owner == (viewer + turn) & 3
            played = played & ~(card_or_none(table.face_down) * is_owner)
        sets[_PLAYED + turn] = played
        everyones = everyones | played
    return everyones


def _small_numbers(table: Columns, viewer: Values, legal: Values) -> Any:
    smalls = table.blank(N_SMALLS, np.int8)
    for place, name in _AS_THEY_ARE:
        smalls[place] = getattr(table, name)
    for place, name in _OF_SEATS:
        seat = getattr(table, name)
        smalls[place] = (seat - viewer) & 3 | seat >> 7  # -1 stays -1
    for place, name in _OF_TEAMS:
        first, second = table.by_team(name)
        swap = (first ^ second) * (viewer & 1)
        smalls[place], smalls[place + 1] = first ^ swap, second ^ swap
    first, second = table.by_team("points")
    first, second = smaller(first, POINTS_SHOWN), smaller(second, POINTS_SHOWN)
    swap = (first ^ second) * (viewer & 1)
    smalls[_POINTS], smalls[_POINTS + 1] = first ^ swap, second ^ swap

    trick = table.trick_word
    trick = (trick >> _TRICK_TURN[viewer] | trick << _TRICK_BACK[viewer]) & 0xFFFFFFFF
    voids = table.void_word
    voids = (voids >> _VOID_TURN[viewer] | voids << _VOID_BACK[viewer]) & 0xFFFF
    for turn in range(4):
        smalls[_TRICK + turn] = (trick >> 8 * turn & 255) - 1
        smalls[_VOIDS + turn] = voids >> 4 * turn & 15
    smalls[_TRICK_SIZE] = bit_count(trick + 0x7F7F7F7F & 0x80808080)  # its bytes that are not 0
    smalls[_LEGAL_CALLS] = legal >> CALL & 15
    smalls[_LEGAL_OTHER] = legal >> PASS
    smalls[_TARGET] = table.rules.target

    smalls[_IS_DOWN], smalls[_MY_CARD] = 0, -1
    if table.rules.trump == Trump.HIDDEN:
        smalls[_IS_DOWN] = number(table.face_down >= 0)
        mine = (table.owner == viewer) & (table.owner_knows == 1)
        smalls[_MY_CARD] = mine * (table.face_down + 1) - 1  # R7.2
    has_new_cards = any(table.rules.new_cards)
    for turn in range(4):
        left = table.of_seat("new_cards_left", (viewer + turn) & 3) if has_new_cards else 0
        smalls[_NEW_CARDS_LEFT + turn] = left
    return smalls


def _beating(table: Columns) -> Values:
    """The cards that would beat the trick if played now (R3.3, R8.2): sets, empty when leading."""
    card, suit = winning_card(table)
    beating = _HIGHER[card] | _TRUMPS[table.trump] * ((card >= 0) & (suit != table.trump))
    if table.rules.trump == Trump.CUT:
        cuts = (table.led >= 0) & (table.trump < 0)
        beating = beating | (_PACK & ~LANES[table.led]) * cuts
    return beating
