"""Worlds: complete deals drawn from all that a view permits, each as likely as any other.

A world is every card in its place in the order received, and the cards that others laid face down.
Given what `evidence.py` reads from the view, the number of worlds for each split of the suits among
the hands is known in closed form (`splits.py`); a split is drawn by these numbers, then the cards
suit by suit, then their order (`orders.py`). No world is drawn to be thrown away.
"""

import numpy as np

from rungenv.bits import BIT, choose, count, lowest, union
from rungenv.cards import LANE
from rungenv.dealing import start_streams
from rungenv.evidence import Evidence
from rungenv.from_view import public_tables
from rungenv.orders import EARLY, draw_early, put_in_places, shuffled_hands
from rungenv.rules import Trump
from rungenv.splits import (
    BINOMIAL,
    cards,
    count_splits,
    draw_cards,
    draw_index,
    draw_split,
    lanes,
    splits_of,
)
from rungenv.tables import Tables
from rungenv.view import View

_NONE = np.uint64(0)
_CARD = np.append(BIT[:52], _NONE)  # the set of a card, nothing for -1
_SEATS = np.arange(4)


def worlds(view: View, n: int, rng: np.random.Generator) -> Tables:
    """n worlds for each view of a seat that is to act, as Tables ready to be played on.

    Those of row i are rows i * n to i * n + n - 1. Stepped through the same public actions, each
    shows its viewer the same view, byte for byte. Later deals come from seeds that are drawn too,
    and a match that has more points than a view shows has no more. ValueError for a view whose seat
    is not to act, or that no deal fits.
    """
    if not isinstance(n, int | np.integer) or n < 0:
        raise ValueError(f"n must be a number of worlds, 0 or more, not {n!r}")
    if not view.legal.all():
        row = np.flatnonzero(view.legal == 0)[0]
        raise ValueError(f"view {row} is not of a seat to act; observe(tables) gives such views")
    evidence = Evidence(view)
    rows = np.repeat(np.arange(len(view)), n)
    dealt, down = _share_out(evidence, rows, int(n), rng)
    tables = public_tables(view, evidence).take(rows)
    tables.legal_set = view.legal[rows]
    _lay_out(tables, view, evidence, rows, dealt, down, rng)
    _name_laid_cards(tables, view, evidence, rows, rng)
    seeds = rng.integers(0, 2**63 - 1, len(rows))
    start_streams(tables, seeds, np.zeros_like(seeds))
    return tables


# Who was dealt what.


def _share_out(
    evidence: Evidence, rows: np.ndarray, n: int, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """The cards dealt to each seat of the view, and the face-down card if unknown.

    Returns sets, (4, m) and (m,), for worlds of these rows.
    """
    first, second = _hands_in_turn(evidence)
    hidden, for_first = _draw_splits(evidence, first, second, rows, n, rng)
    left = lanes(evidence.unknown)[:, rows]
    dealt = evidence.seen[:, rows]
    everyone = np.arange(len(rows))

    def take(split: np.ndarray) -> np.ndarray:
        nonlocal left
        drawn = draw_cards(left, split, rng)
        left = left ^ drawn
        return cards(drawn)

    own = evidence.needs[0, rows]
    if own.any():  # the viewer's own later cards, while calling
        dealt[0] |= take(draw_split(_sizes(left) * (own > 0), own, rng))
        calling = np.flatnonzero(own)
        wanted = evidence.needs[first, evidence.everyone][rows[calling]]
        for_first[:, calling] = draw_split(_sizes(left[:, calling]), wanted, rng)
    down = np.zeros(len(rows), np.uint64)
    if evidence.hidden.any():
        down = take(hidden)
    dealt[first[rows], everyone] |= take(for_first)
    void = evidence.void[second, :, evidence.everyone][rows].T
    void_third = evidence.void[6 - first - second, :, evidence.everyone][rows].T
    sizes = _sizes(left)
    forced = sizes * (void_third & ~void)
    free = sizes * ~(void_third | void)
    wanted = evidence.needs[second, evidence.everyone][rows] - forced.sum(axis=0)
    dealt[second[rows], everyone] |= take(forced + draw_split(free, wanted, rng))
    dealt[6 - first[rows] - second[rows], everyone] |= cards(left)
    owner = evidence.placed[rows]
    dealt[owner, everyone] |= down
    return dealt, down


def _hands_in_turn(evidence: Evidence) -> tuple[np.ndarray, np.ndarray]:
    """Whose cards are drawn first and second; first a caller's, whose number of a suit counts."""
    first = np.where(evidence.called >= 0, evidence.placed, 1)
    return first, first % 3 + 1


def _sizes(lanes: np.ndarray) -> np.ndarray:
    return np.bitwise_count(lanes).astype(np.int64)


def _draw_splits(
    evidence: Evidence,
    first: np.ndarray,
    second: np.ndarray,
    rows: np.ndarray,
    n: int,
    rng: np.random.Generator,
) -> tuple[np.ndarray, np.ndarray]:
    """The suit of the unknown face-down card, and the split of the first hand: (4, m) int each."""
    size = _sizes(lanes(evidence.unknown))
    hidden = np.zeros((4, len(rows)), np.int64)
    split = np.zeros((4, len(rows)), np.int64)
    bound = (evidence.called >= 0) | evidence.void[1:].any(axis=(0, 1))
    free = ~bound[rows]
    if free.any():
        sizes = size[:, rows[free]]
        hidden[:, free] = draw_split(sizes, evidence.hidden[rows[free]], rng)
        wanted = evidence.needs[first, evidence.everyone][rows[free]]
        split[:, free] = draw_split(sizes - hidden[:, free], wanted, rng)
    wanted = evidence.needs[first, evidence.everyone]
    kinds = wanted * 2 + evidence.hidden
    for kind in np.unique(kinds[bound]).tolist():
        group = np.flatnonzero(bound & (kinds == kind))
        places = (group[:, None] * n + np.arange(n)).ravel()
        suits, hands = _draw_bound_splits(evidence, first, second, group, size, n, rng)
        hidden[:, places], split[:, places] = suits, hands
    return hidden, split


def _draw_bound_splits(
    evidence: Evidence,
    first: np.ndarray,
    second: np.ndarray,
    group: np.ndarray,
    size: np.ndarray,
    n: int,
    rng: np.random.Generator,
) -> tuple[np.ndarray, np.ndarray]:
    """The same for rows where not all splits of the cards are possible, or alike."""
    first, second = first[group], second[group]
    splits = splits_of(int(evidence.needs[first[0], group[0]]))
    hands = (first, second, 6 - first - second)
    void = np.stack([evidence.void[hand, :, group].T for hand in hands])
    weight = _weights(evidence, group, first)
    suits = np.eye(4, dtype=np.int64) if evidence.hidden[group[0]] else np.zeros((1, 4), np.int64)
    ways = []
    for suit in suits:
        left = size[:, group] - suit[:, None]
        counted = count_splits(left, splits, void, evidence.needs[second, group], weight)
        ways.append(counted * (size[suit.argmax(), group][:, None] if suit.any() else 1))
    drawn = draw_index(np.concatenate(ways, axis=1), n, rng, group)
    number = splits.shape[1]
    return suits[drawn // number].T, splits[:, drawn % number]


def _weights(evidence: Evidence, group: np.ndarray, first: np.ndarray) -> np.ndarray:
    """In what share of its orders a caller has the called suit among its first five: (4, m, 14).

    By suit and how many more of it the caller is dealt; 1 for other suits.
    """
    weight = np.ones((4, len(group), 14))
    called = evidence.called[group]
    calls = np.flatnonzero(called >= 0)
    has = count(evidence.seen[first[calls], group[calls]] & LANE[called[calls]])
    total = np.minimum(has[:, None] + np.arange(14), 13)
    weight[called[calls], calls] = EARLY[total] / BINOMIAL[13, total]
    return weight


# In which order, and what lies face down.


def _lay_out(
    tables: Tables,
    view: View,
    evidence: Evidence,
    rows: np.ndarray,
    dealt: np.ndarray,
    down: np.ndarray,
    rng: np.random.Generator,
) -> None:
    """Put the cards on the tables: dealt (4, m) by seat of the view, down (m,)."""
    everyone = tables.everyone
    viewer = view.seat.astype(np.int64)[rows]
    seats = _SEATS[:, None] + viewer & 3  # at the table, for those of the view
    tables.dealt[everyone, seats] = dealt
    hands = dealt & ~view.played.T[:, rows]
    known_down = _CARD[view.my_face_down][rows]
    hands[view.owner[rows], everyone] &= ~(down | known_down)
    tables.hands[everyone, seats] = hands
    lying = lowest(down | known_down).astype(np.int8)
    tables.face_down = np.where(lying < 52, lying, -1)

    tables.deal = _ordered(view, evidence, rows, dealt, down, viewer, rng)
    tables.first_five = union(tables.deal[:, :, :5])


def _ordered(
    view: View,
    evidence: Evidence,
    rows: np.ndarray,
    dealt: np.ndarray,
    down: np.ndarray,
    viewer: np.ndarray,
    rng: np.random.Generator,
) -> np.ndarray:
    """The deal in the order received: (m, 4, 13) int8, by seat at the table."""
    everyone = np.arange(len(rows))
    own = view.first_five[rows]
    placed, called = evidence.placed[rows], evidence.called[rows]
    card = _CARD[evidence.card][rows] | down
    at = evidence.at[rows].astype(np.uint64)
    is_own = placed == 0

    # Other seats' known card, or a caller's cards of the called suit, go in front of their hands.
    front = card * ~is_own
    places = choose(at, rng.random(len(at)))
    places = np.where(at > 0, 1 << places, 0)
    calls = called >= 0
    if calls.any():
        suited = dealt[placed[calls], everyone[calls]] & LANE[called[calls]]
        front[calls] = suited
        places[calls] = draw_early(count(suited), rng)
    # The viewer's first five are known, and its placed card may be the first of them, the sixth,
    # or any but the first.
    late = is_own & (at == 1 << 5)
    inside = is_own & (at > 0) & (at < 31)
    places[is_own & ~inside] = 0
    front |= np.where(inside, card, own)
    middle = np.where(late, card, np.where(inside, own & ~card, _NONE))

    by_seat = np.empty((len(rows), 4), np.uint64)
    by_seat[everyone, _SEATS[:, None] + viewer & 3] = dealt
    deal = shuffled_hands(by_seat, front, middle, rng)
    put_in_places(deal, placed + viewer & 3, places)
    return deal


def _name_laid_cards(
    tables: Tables, view: View, evidence: Evidence, rows: np.ndarray, rng: np.random.Generator
) -> None:
    """Write into the histories which cards others laid face down; the view does not say.

    Of two lays of the present deal (R10.1) the last is the face-down card, the first any other of
    the owner's first five; of a deal that was given up nobody knows more than that it was a card.
    """
    if tables.rules.trump != Trump.HIDDEN:
        return
    row, place = np.nonzero(evidence.lays[rows])
    if not row.size:
        return
    named = rng.integers(0, 52, row.size)
    card = np.where(tables.face_down >= 0, tables.face_down, tables.shown).astype(np.int64)
    present = place >= evidence.deal_from[rows[row]]
    last = np.append((row[1:] != row[:-1]) | ~present[1:], True)
    final, first = present & last, present & ~last
    named[final] = card[row[final]]
    owner = tables.owner[row[first]]
    others = tables.first_five[row[first], owner] & ~BIT[card[row[first]]]
    named[first] = choose(others, rng.random(len(others)))
    tables.history[row, place] = tables.history[row, place] & 0xC0 | named
