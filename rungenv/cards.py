"""Cards 0..51 = 13 * suit + rank, and sets of cards as bits of a uint64 (bit = card).

Suits 0..3 are C D H S; ranks 0..12 are 2 3 4 5 6 7 8 9 T J Q K A, the ace high. A suit's 13 bits
lie side by side; they are its *lane*.
"""

import difflib

import numpy as np

from rungenv.bits import BIT, members
from rungenv.columns import Lookup, Values

SUITS = "CDHS"
RANKS = "23456789TJQKA"
SUIT_NAMES = ("clubs", "diamonds", "hearts", "spades")
SUIT_SYMBOLS = "♣♦♥♠"
TEN, ACE = 8, 12
"""Ranks that rules mention by name."""

CARD_SUIT = np.repeat(np.arange(4, dtype=np.int8), 13)
"""(52,) int8: the suit of each card."""
CARD_RANK = np.tile(np.arange(13, dtype=np.int8), 4)
"""(52,) int8: the rank of each card."""

NO_CARD = 52
"""Stands for "no card is played" where a card is expected of every table."""

PACK = np.uint64((1 << 52) - 1)
"""The set of all 52 cards."""
LANE = np.array([0x1FFF << 13 * suit for suit in range(4)] + [int(PACK)], np.uint64)
"""(5,) uint64: the cards of each suit; LANE[-1], for "no suit yet", is the whole pack."""
LANES = Lookup(LANE, np.uint64)
TENS, ACES = (np.uint64(sum(1 << 13 * suit + rank for suit in range(4))) for rank in (TEN, ACE))

HIGHER = np.array(
    [int(LANE[c // 13]) & ~((1 << c + 1) - 1) for c in range(52)],
    np.uint64,
)
"""(52,) uint64: the cards of the same suit that are higher than this one."""

# Which places survive a shift by k towards lower ranks without leaving the lane.
_STAYS = {k: sum((0x1FFF >> k) << 13 * suit for suit in range(4)) for k in (1, 2, 4, 8)}


def not_higher_than(words: Values) -> Values:
    """All cards that are no higher than the highest of their suit in a card set.

    A suit that the set lacks gives nothing.
    """
    for k, stays in _STAYS.items():
        words = words | (words >> k & stays)
    return words


def suits_in(words: np.ndarray) -> np.ndarray:
    """Which suits the sets hold: (n,) uint64 card sets -> (n, 4) bool."""
    return (words[:, None] & LANE[:4]) != 0


def card_name(card: int) -> str:
    """A card's name, rank then suit; ValueError for a number that is no card.

    >>> card_name(51), card_name(0)
    ('AS', '2C')
    """
    if not 0 <= card < 52:
        raise ValueError(f"{card} is no card; cards are 0 to 51")
    return RANKS[card % 13] + SUITS[card // 13]


CARD_NAMES = tuple(card_name(card) for card in range(52))


def parse_card(text: str) -> int:
    """The card of a name like "AS" or "10h"; ValueError for anything else.

    >>> parse_card("TH"), parse_card("10h")
    (34, 34)
    """
    if not isinstance(text, str):
        raise ValueError(f"a card's name must be text, as AS or TH, not {text!r}")
    name = text.strip().upper().replace("10", "T")
    if name not in CARD_NAMES:
        near = difflib.get_close_matches(name, CARD_NAMES, n=2, cutoff=0.5)
        hint = f" (nearest: {', '.join(near)})" if near else ""
        raise ValueError(f"no card is called {text!r}{hint}; write rank then suit, as AS or TH")
    return CARD_NAMES.index(name)


def parse_cards(text: str) -> list[int]:
    """The cards of a text like "AS KH 2C", in order."""
    return [parse_card(word) for word in text.split()]


def card_set(text: str) -> np.uint64:
    """The set of the cards named in a text.

    >>> cards_text(card_set("2C AS KS"))
    'AS KS 2C'
    """
    return np.bitwise_or.reduce(BIT[parse_cards(text)], initial=np.uint64(0))


def cards_text(word: int | np.uint64) -> str:
    """The names of a set's cards: spades first, high cards first."""
    return " ".join(CARD_NAMES[card] for card in reversed(members(word)))
