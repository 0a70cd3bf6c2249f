"""Deals, as a pure function of (seed, table number, round number, redeal number) (R1.3).

There is no generator with a state: a counter-based hash gives every card of a pack a key, and
sorting the keys shuffles the pack. So a table's deals are the same alone and in any batch.
"""

import numpy as np

from rungenv.bits import union
from rungenv.cards import CARD_RANK
from rungenv.state import Span, State

GAMMA = np.uint64(0x9E3779B97F4A7C15)
_DEAL, _DRAW = 0, 1
"""What a shuffled pack is for: dealing, or the opening draw."""


def mix(x: np.ndarray) -> np.ndarray:
    """splitmix64's output function (Steele, Lea, Flood: Fast splittable PRNGs, 2014)."""
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


def start_streams(state: State, seed: np.ndarray, table: np.ndarray) -> None:
    """Give every table its own stream of deals, by seed and table number: (n,) int64 each."""
    state.seed[:] = seed
    state.table[:] = table
    by_seed = mix(seed.astype(np.uint64) + GAMMA)
    state.stream[:] = mix(by_seed + table.astype(np.uint64) * GAMMA).view(np.int64)


_CARD_STEPS = np.arange(1, 53, dtype=np.uint64) * GAMMA
_CARD_BITS = np.uint64(63)


def shuffled_packs(state: State, rows: np.ndarray, purpose: int = _DEAL) -> np.ndarray:
    """Shuffled packs for these tables' present round and redeal: (m, 52) int8, top card first."""
    counter = (state.round[rows] * 128 + state.redeal[rows]) * 2 + purpose
    base = mix(state.stream[rows].view(np.uint64) + counter.view(np.uint64) * GAMMA)
    keys = mix(base[:, None] + _CARD_STEPS)
    keys = (keys & ~_CARD_BITS) | np.arange(52, dtype=np.uint64)
    keys.sort(axis=1)
    return (keys & _CARD_BITS).astype(np.int8)


def _pack_places() -> np.ndarray:
    """(4, 4, 13) int64: by dealer and seat, where in the pack each of the 13 cards comes from."""
    places = np.empty((4, 4, 13), np.int64)
    for dealer in range(4):
        for turn in range(4):
            seat = (dealer + 1 + turn) % 4
            packets = [range(start + turn * size, start + turn * size + size) for start, size in
                       ((0, 5), (20, 4), (36, 4))]  # fmt: skip
            places[dealer, seat] = [place for packet in packets for place in packet]
    return places


_PACK_PLACES = _pack_places().reshape(4, 52)


def deal_packs(packs: np.ndarray, dealer: np.ndarray) -> np.ndarray:
    """Deal packs out, 5, 4 and 4 cards at a time from the eldest hand on (R1.3).

    packs (m, 52) card numbers, top card first; dealer (m,) int; returns (m, 4, 13) int8, each
    seat's cards in the order received.
    """
    places = _PACK_PLACES[dealer] + np.arange(len(packs))[:, None] * 52
    return packs.reshape(-1)[places].reshape(-1, 4, 13)


def draw_for_eldest(packs: np.ndarray) -> np.ndarray:
    """The seat that draws the highest rank from each pack, and so is eldest hand (R1.2).

    packs (m, 52) card numbers, top card first; returns (m,) int8. Seats draw in turn; those tied
    for the top draw again from what is left, the others are out.
    """
    rows = np.arange(len(packs))
    in_draw = np.ones((len(packs), 4), np.bool_)
    drawn = np.zeros((len(packs), 1), np.int64)
    while rows.size:
        drawing = in_draw[rows]
        places = drawn[rows] + drawing.cumsum(axis=1) - 1
        ranks = np.where(drawing, CARD_RANK[packs[rows[:, None], places]], -1)
        in_draw[rows] = ranks == ranks.max(axis=1, keepdims=True)
        drawn[rows] = places[:, 3:] + 1
        rows = rows[in_draw[rows].sum(axis=1) > 1]
    return in_draw.argmax(axis=1).astype(np.int8)


def draw_dealer(state: State, rows: np.ndarray) -> None:
    """Set the first dealer of a match: the seat just before the eldest hand (R1.2)."""
    packs = shuffled_packs(state, rows, _DRAW)
    state.dealer[rows] = (draw_for_eldest(packs) + 3) % 4


def deal_from_seed(state: State, rows: np.ndarray) -> None:
    """Deal these tables' present round (and redeal) from their seeds."""
    lay_out(state, rows, deal_packs(shuffled_packs(state, rows), state.dealer[rows]))


def deal_again(state: State, rows: np.ndarray) -> None:
    """Deal the whole pack afresh, the same dealer dealing (R10.2).

    The cards come from the caller's own next deals where there are any left, else from the seed.
    """
    state.redeal[rows] += 1
    from_caller = state.redeal[rows] <= state.given[rows]
    if state.redeals is not None and from_caller.any():
        own = rows[from_caller]
        lay_out(state, own, state.redeals[own, state.redeal[own] - 1])
    if not from_caller.all():
        deal_from_seed(state, rows[~from_caller])


def can_deal_again(state: State, rows: np.ndarray) -> np.ndarray:
    """Whether a next deal is known: (m,) bool. False only for tables dealt by hand, no seed."""
    return (state.seed[rows] >= 0) | (state.redeal[rows] < state.given[rows])


def lay_out(state: State, rows: np.ndarray, deal: np.ndarray) -> None:
    """Put a deal on tables, emptying all that belonged to the one before: deal (m, 4, 13)."""
    state.clear(rows, Span.DEAL)
    state.deal[rows] = deal
    first_five = union(deal[:, :, :5])
    state.first_five[rows] = first_five
    state.dealt[rows] = state.hands[rows] = first_five | union(deal[:, :, 5:])


def eldest(state: State, rows: np.ndarray) -> np.ndarray:
    """The eldest hand: the seat after the dealer: (m,) int8."""
    return (state.dealer[rows] + 1) & 3
