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
from rungenv.rules import Trump
from rungenv.state import State
from rungenv.trump import cut

# By card, with what leaves a table as it is in the last place, for NO_CARD.
_SUIT = np.append(CARD_SUIT, np.int8(-1))
_BIT = np.append(BIT[:NO_CARD], np.uint64(0))
_BYTE = np.append(np.arange(1, NO_CARD + 1, dtype=np.uint32), np.uint32(0))
_IS_TEN = np.append(CARD_RANK == TEN, False).view(np.int8)
_BYTE_SHIFT = np.arange(0, 32, 8, dtype=np.uint32)
_VOID_BIT = np.uint16(1) << np.arange(16, dtype=np.uint16)

_TRUMP = np.int8(13)
# `State.best` keeps 4 * standing + seat, so that the better card is the greater number.
_RANK_PART = np.append(4 * CARD_RANK, np.int8(-100))
_OFF_SUIT = np.int8(60)
_TRUMP_OFF_SUIT = _OFF_SUIT + 4 * _TRUMP
_ONE, _FOUR = np.int8(1), np.int8(4)


@dataclass(frozen=True)
class Taken:
    """Tricks that are complete: a value for every table, of meaning where `full` is set."""

    full: np.ndarray
    seat: np.ndarray  # the winner
    standing: np.ndarray  # of the winning card
    led: np.ndarray  # the led suit
    tens: np.ndarray


def place(state: State, cards: np.ndarray) -> np.ndarray:
    """The seats to act play these cards, and the turn passes on.

    cards (n,) int64, NO_CARD where nothing is played; returns (n,) bool, whose trick is complete.
    """
    seat = state.seat
    suit = _SUIT.take(cards)
    plays = suit >= 0
    state.flat.hands[state.at(state.everyone, seat)] ^= _BIT[cards]
    state.trick_word |= _BYTE.take(cards) << _BYTE_SHIFT.take(seat)
    state.trick_tens += _IS_TEN.take(cards)

    led = state.led
    led += (led < 0) * (suit + _ONE)  # the first card leads: from -1 to its suit
    off = (suit != led) & plays
    state.void_word |= _VOID_BIT.take(seat * _FOUR + led) * off
    if state.rules.trump == Trump.CUT:
        cut(state, off, suit)
    trumps = off & (suit == state.trump)
    best = _RANK_PART.take(cards) + seat - off * _OFF_SUIT + trumps * _TRUMP_OFF_SUIT
    np.maximum(state.best, best, out=state.best)
    if state.rules.trump == Trump.HIDDEN:
        state.must_trump *= ~plays

    seat += plays * (_ONE - _FOUR * (seat == 3))
    return plays & (seat == state.leader)


def take_trick(state: State, full: np.ndarray) -> Taken:
    """Clear tables of four cards; the winner leads the next trick (R3.1, R3.3)."""
    taken = Taken(
        full=full,
        seat=state.best & 3,
        standing=state.best >> 2,
        led=state.led.copy(),
        tens=state.trick_tens * full,
    )
    state.trick_number += full
    state.seat += full * (taken.seat - state.seat)
    state.leader += full * (taken.seat - state.leader)
    state.led -= full * (state.led + _ONE)
    state.best -= full * (state.best + _ONE)
    state.trick_word *= ~full
    state.trick_tens -= taken.tens
    return taken


def winning_card(state: State) -> tuple[np.ndarray, np.ndarray]:
    """The best card on the table, -1 where none lies, and its suit: two (n,) int8."""
    standing = state.best >> 2
    is_trump = standing >= _TRUMP
    suit = state.led + is_trump * (state.trump - state.led)
    card = 13 * suit + standing - is_trump * _TRUMP
    return card | state.best >> 7, suit


def by_ace(taken: Taken) -> np.ndarray:
    """Whether an ace won the trick: (n,) bool."""
    return (taken.standing == ACE) | (taken.standing == ACE + _TRUMP)


def by_trump(state: State, taken: Taken) -> np.ndarray:
    """Whether a card of what is now the trump suit won the trick: (n,) bool."""
    return (taken.standing >= _TRUMP) | (taken.led == state.trump)
