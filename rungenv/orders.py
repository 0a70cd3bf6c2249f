"""Hands put into the order in which they were received, at random within what is known of it."""

import numpy as np

from rungenv.bits import unpack
from rungenv.draws import Draws, Use

# Words of 13 bits, by size: the sets of places in a hand that have one among the first five.
_WITH_EARLY = [
    [word for word in range(1 << 13) if word.bit_count() == k and word & 31] for k in range(14)
]
_PLACES = np.array([word for words in _WITH_EARLY for word in words], np.int64)
EARLY = np.array([len(words) for words in _WITH_EARLY])
"""(14,): in how many sets of places k cards can have one among the first five."""
_PLACES_AT = np.cumsum(EARLY) - EARLY

_PACK = np.arange(52, dtype=np.uint32)
_PAIRS = np.arange(26)
_AT_ONCE = 1024
"""Packs shuffled at once: few enough to stay in the processor's cache."""


def _gathers() -> np.ndarray:
    """(8192, 13): for a set of places, which card of a hand goes where: its first ones there."""
    is_place = np.arange(1 << 13)[:, None] >> np.arange(13) & 1
    first = is_place.cumsum(axis=1) - 1
    others = (1 - is_place).cumsum(axis=1) - 1 + is_place.sum(axis=1, keepdims=True)
    return np.where(is_place, first, others)


_GATHERS = _gathers()


def draw_early(k: np.ndarray, fractions: np.ndarray) -> np.ndarray:
    """A set of k places, one of them among the first five, any such as likely: (m,) -> (m,).

    fractions (m,): even random numbers in [0, 1).
    """
    return _PLACES[_PLACES_AT[k] + (fractions * EARLY[k]).astype(np.int64)]


def shuffled_hands(
    dealt: np.ndarray, front: np.ndarray, middle: np.ndarray, draws: Draws, attempt: int = 0
) -> np.ndarray:
    """Four hands of 13 in random order, cards of `front` first and those of `middle` then.

    dealt (m, 4), front and middle (m,): card sets; returns (m, 4, 13) int8.
    """
    hands = np.empty((len(dealt), 4, 13), np.int8)
    for start in range(0, len(dealt), _AT_ONCE):
        rows = slice(start, start + _AT_ONCE)
        _shuffle(hands[rows], dealt[rows], front[rows], middle[rows], draws.of(rows), attempt)
    return hands


def _shuffle(
    hands: np.ndarray,
    dealt: np.ndarray,
    front: np.ndarray,
    middle: np.ndarray,
    draws: Draws,
    attempt: int,
) -> None:
    """Sort packs by seat, group, and 22 random bits; those in which two cards tie once more."""
    m = len(dealt)
    words = Draws(draws.keys[:, None]).words(Use.ORDER, 26 * attempt + _PAIRS)
    keys = words.astype("<u8", copy=False).view("<u4")  # two of a word
    seat = _flags(dealt[:, 1] | dealt[:, 3]) + 2 * _flags(dealt[:, 2] | dealt[:, 3])
    group = 2 - _flags(middle) - 2 * _flags(front)
    of_bytes = keys.view(np.uint8).reshape(m, 52, 4)
    of_bytes[:, :, 3] = of_bytes[:, :, 3] & 15 | (seat << 6 | group << 4)
    keys &= ~np.uint32(63)
    keys |= _PACK
    keys.sort(axis=1)
    hands.reshape(m, 52)[:] = of_bytes[:, :, 0] & 63
    keys >>= np.uint32(6)
    tied = np.flatnonzero((keys[:, 1:] == keys[:, :-1]).any(axis=1))
    if tied.size:
        again = (dealt[tied], front[tied], middle[tied], draws.of(tied))
        hands[tied] = shuffled_hands(*again, attempt + 1)


def _flags(words: np.ndarray) -> np.ndarray:
    return unpack(words, 52).view(np.uint8)


def put_in_places(hands: np.ndarray, seat: np.ndarray, places: np.ndarray) -> None:
    """Move the first cards of one seat's hand to these places, the others keep their order.

    hands (m, 4, 13) is changed; seat (m,); places (m,) sets of 13 bits, 0 to leave a hand as it is.
    """
    rows = np.flatnonzero(places)
    hand = hands[rows, seat[rows]]
    hands[rows, seat[rows]] = np.take_along_axis(hand, _GATHERS[places[rows]], axis=1)
