"""What agents ask of sets of cards, row by row: columns of uint64 words, bit = card.

All functions take and return whole columns: (n,) words, (n,) suits and cards with -1 for none.
"""

import numpy as np

from rungenv.bits import BIT, EMPTY, count
from rungenv.cards import CARD_SUIT, HIGHER, LANE, card_set, not_higher_than

_NO_CARD = EMPTY
_CARD = np.append(BIT[:52], _NO_CARD)
_SUIT = np.append(LANE[:4], _NO_CARD)
_HIGHER = np.append(HIGHER, _NO_CARD)
_SUIT_OF_CARD = np.append(CARD_SUIT, np.int8(-1))

_HONOURS = np.array([card_set(f"{rank}C {rank}D {rank}H {rank}S") for rank in "AKQJ"], np.uint64)
_HONOUR_POINTS = np.array([4, 3, 2, 1], np.int64)
_ONE_LANE = LANE[0]
_EVERY_LANE = card_set("2C 2D 2H 2S")
_LANE_STARTS = np.arange(0, 52, 13, dtype=np.uint64)
_JACK = np.uint64(9)


def as_set(card: np.ndarray) -> np.ndarray:
    """The set of one card, or of none for -1: (n,) int -> (n,) uint64."""
    return _CARD[card]


def of_suit(suit: np.ndarray) -> np.ndarray:
    """All cards of a suit, or none for -1: (n,) int -> (n,) uint64."""
    return _SUIT[suit]


def suit_of(card: np.ndarray) -> np.ndarray:
    """The suit of a card, -1 for -1: (n,) int -> (n,) int8."""
    return _SUIT_OF_CARD[card]


def higher_than(card: np.ndarray) -> np.ndarray:
    """The cards of the same suit above a card, none for -1: (n,) int -> (n,) uint64."""
    return _HIGHER[card]


def lengths(cards: np.ndarray) -> np.ndarray:
    """How many cards of each suit: (n,) uint64 -> (n, 4) uint8."""
    return count(cards[:, None] & LANE[:4])


LENGTH = 16
"""What a card of a suit adds to the suit's strength."""


def strengths(cards: np.ndarray) -> np.ndarray:
    """What each suit is worth as a trump: (n,) uint64 -> (n, 4) int64.

    Length comes first, and honours break ties: LENGTH for each card, and 8 4 2 1 for A K Q J.
    """
    lanes = (cards[:, None] >> _LANE_STARTS) & _ONE_LANE
    return count(lanes) * np.int64(LENGTH) + (lanes >> _JACK).astype(np.int64)


def honours(cards: np.ndarray) -> np.ndarray:
    """Points for honours, 4 3 2 1 for A K Q J, 40 in the pack: (n,) uint64 -> (n,) int64."""
    by_rank = count(cards[:, None] & _HONOURS)
    return by_rank @ _HONOUR_POINTS


def lowest_ranked(cards: np.ndarray) -> np.ndarray:
    """The cards of the lowest rank in each set, of whatever suit: (n,) uint64 -> (n,) uint64."""
    ranks = cards | cards >> np.uint64(26)
    ranks = (ranks | ranks >> np.uint64(13)) & _ONE_LANE
    lowest = ranks & (~ranks + np.uint64(1))
    return cards & lowest * _EVERY_LANE


def first_of(*choices: np.ndarray) -> np.ndarray:
    """In each row the first set that is not empty: (n,) uint64 each -> (n,) uint64."""
    chosen = choices[0]
    for choice in choices[1:]:
        chosen = np.where(chosen != 0, chosen, choice)
    return chosen


def only_if(condition: np.ndarray, cards: np.ndarray | np.uint64) -> np.ndarray:
    """The set where the condition holds, else none: (n,) bool, (n,) uint64 -> (n,) uint64."""
    return np.where(condition, cards, EMPTY)


_LANE_TOPS = card_set("AC AD AH AS")


def lowest_of_suits(cards: np.ndarray) -> np.ndarray:
    """The lowest card of each suit in the sets: (n,) uint64 -> (n,) uint64."""
    has_suit = not_higher_than(cards) & _EVERY_LANE
    return cards & ~(cards - has_suit)


def highest_of_suits(cards: np.ndarray) -> np.ndarray:
    """The highest card of each suit in the sets: (n,) uint64 -> (n,) uint64."""
    covered = not_higher_than(cards)
    return covered & ~(covered >> np.uint64(1) & ~_LANE_TOPS)
