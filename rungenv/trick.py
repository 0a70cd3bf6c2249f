"""A card is placed on the table, and the trick goes to somebody (R3).

A card's *standing* in its trick is its rank, 13 more as a trump that was not led, and less than
nothing off the led suit. Standing is fixed as the card is played, so a trump that is shown later
in the trick does not reach back to it, and no history is needed (R7.5). When the led suit is itself
the trump, the trick goes to its highest card whenever played, so that card needs no bonus.
"""

from dataclasses import dataclass

import numpy as np

from rungenv.bits import BIT
from rungenv.cards import ACE, CARD_RANK, CARD_SUIT, NO_CARD, TEN
from rungenv.columns import Lookup, Values, larger, number, unless
from rungenv.rules import Trump
from rungenv.storage import Columns
from rungenv.trump import cut

# By card, with what leaves a table as it is in the last place, for NO_CARD.
_SUIT = Lookup([*CARD_SUIT, -1], np.int8)
_BIT = Lookup([*BIT[:NO_CARD], 0], np.uint64)
_BYTE = Lookup([*range(1, NO_CARD + 1), 0], np.uint32)
_IS_TEN = Lookup([*(CARD_RANK == TEN), 0], np.int8)
_BYTE_SHIFT = Lookup([0, 8, 16, 24], np.uint32)
_VOID_BIT = Lookup([1 << bit for bit in range(16)], np.uint16)

_TRUMP = 13
# `State.best` keeps 4 * standing + seat, so that the better card is the greater number.
_RANK_PART = Lookup([*4 * CARD_RANK, -100], np.int8)
_OFF_SUIT, _TRUMP_OFF_SUIT = -60, 60 + 4 * _TRUMP


@dataclass(frozen=True)
class Taken:
    """Tricks that are complete: a value for every table, of meaning where `full` is set."""

    full: Values
    seat: Values  # the winner
    standing: Values  # of the winning card
    led: Values  # the led suit
    tens: Values


def place(state: Columns, cards: Values) -> Values:
    """The seats to act play these cards, and the turn passes on.

    cards: int64, NO_CARD where nothing is played; returns flags, whose trick is complete.
    """
    seat = state.seat
    suit = _SUIT[cards]
    plays = suit >= 0
    state.take_from_hand(seat, _BIT[cards])
    state.trick_word = state.trick_word | _BYTE[cards] << _BYTE_SHIFT[seat]
    state.trick_tens = state.trick_tens + _IS_TEN[cards]

    led = state.led + (state.led < 0) * (suit + 1)  # the first card leads: from -1 to its suit
    state.led = led
    off = (suit != led) & plays
    state.void_word = state.void_word | _VOID_BIT[seat * 4 + led] * off
    if state.rules.trump == Trump.CUT:
        cut(state, off, suit)
    trumps = off & (suit == state.trump)
    best = _RANK_PART[cards] + seat
    best = best + number(off) * _OFF_SUIT + number(trumps) * _TRUMP_OFF_SUIT
    state.best = larger(state.best, best)
    if state.rules.trump == Trump.HIDDEN:
        state.must_trump = state.must_trump * unless(plays)

    state.seat = seat + number(plays) - 4 * number(plays & (seat == 3))
    return plays & (state.seat == state.leader)


def take_trick(state: Columns, full: Values) -> Taken:
    """Clear tables of four cards; the winner leads the next trick (R3.1, R3.3)."""
    winner, standing = state.best & 3, state.best >> 2
    taken = Taken(full, winner, standing, led=state.led + 0, tens=state.trick_tens * full)
    state.trick_number = state.trick_number + number(full)
    state.seat = state.seat + full * (winner - state.seat)
    state.leader = state.leader + full * (winner - state.leader)
    state.led = state.led - full * (state.led + 1)
    state.best = state.best - full * (state.best + 1)
    state.trick_word = state.trick_word * unless(full)
    state.trick_tens = state.trick_tens - taken.tens
    return taken


def winning_card(state: Columns) -> tuple[Values, Values]:
    """The best card on the table, -1 where none lies, and its suit: two int8."""
    standing = state.best >> 2
    is_trump = standing >= _TRUMP
    suit = state.led + is_trump * (state.trump - state.led)
    card = 13 * suit + standing - _TRUMP * number(is_trump)
    return card | state.best >> 7, suit


def by_ace(taken: Taken) -> Values:
    """Whether an ace won the trick: flags."""
    return (taken.standing == ACE) | (taken.standing == ACE + _TRUMP)


def by_trump(state: Columns, taken: Taken) -> Values:
    """Whether a card of what is now the trump suit won the trick: flags."""
    return (taken.standing >= _TRUMP) | (taken.led == state.trump)
