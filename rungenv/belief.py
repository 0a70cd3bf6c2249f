"""Worlds: complete deals drawn from all that a view permits, each as likely as any other.

A world is every card in its place in the order received, and the cards that others laid face down.
Given what `evidence.py` reads from the view, the number of worlds for each split of the suits among
the hands is known in closed form (`splits.py`); a split is drawn by these numbers, then the cards
suit by suit, then their order (`placing.py`). No world is drawn to be thrown away.
"""

import numpy as np

from rungenv import legal
from rungenv.bits import count
from rungenv.cards import LANE
from rungenv.checks import MOST_TABLES, whole
from rungenv.dealing import start_streams
from rungenv.draws import Draws, Use
from rungenv.evidence import Evidence
from rungenv.from_view import public_tables
from rungenv.orders import EARLY
from rungenv.placing import place
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

_SUITS, _SPLIT = np.arange(4)[:, None], np.arange(3)[:, None]  # places of random numbers


def worlds(view: View, n: int, rng: np.random.Generator) -> Tables:
    """n worlds for each view, of any seat at any moment, as Tables ready to be played on.

    Those of row i are rows i * n to i * n + n - 1. Stepped through the same public actions, each
    shows its viewer the same view, byte for byte. Where another seat is to act, what is legal comes
    from the hand that it has in the world. Later deals come from seeds that are drawn too, and a
    match that has more points than a view shows has no more. ValueError for a view that no deal
    fits.
    """
    n = whole("n", n, 0, MOST_TABLES)
    return worlds_of_keys(view, rng.integers(0, 2**64, (len(view), n), np.uint64))


def worlds_of_keys(view: View, keys: np.ndarray) -> Tables:
    """The same by keys, (views, n) uint64: a world is a function of its view and its key alone.

    So it is the same in any batch, and even keys give worlds that all are equally likely.
    """
    n = keys.shape[1]
    draws = Draws(keys.ravel())
    evidence = Evidence(view)
    rows = np.repeat(np.arange(len(view)), n)
    dealt, down = _share_out(evidence, rows, n, draws)
    tables = public_tables(view, evidence).take(rows)
    place(tables, view, evidence, rows, dealt, down, draws)
    seeds = (draws.words(Use.SEED) >> np.uint64(1)).astype(np.int64)
    start_streams(tables, seeds, np.zeros_like(seeds))
    _open_actions(tables, view, rows)
    return tables


def _open_actions(tables: Tables, view: View, rows: np.ndarray) -> None:
    """What is legal: the view says it of its viewer, the rules say it of the other seats."""
    acts = view.turn[rows] == 0
    if not acts.all():
        legal.refresh(tables)
    tables.legal_set[acts] = view.legal[rows[acts]]


# Who was dealt what.


def _share_out(
    evidence: Evidence, rows: np.ndarray, n: int, draws: Draws
) -> tuple[np.ndarray, np.ndarray]:
    """The cards dealt to each seat of the view, and the face-down card if unknown.

    Returns sets, (4, m) and (m,), for worlds of these rows.
    """
    first, second = _hands_in_turn(evidence)
    hidden, for_first = _draw_splits(evidence, first, second, rows, n, draws)
    left = lanes(evidence.unknown)[:, rows]
    dealt = evidence.seen[:, rows]
    everyone = np.arange(len(rows))

    def take(split: np.ndarray, use: Use) -> np.ndarray:
        nonlocal left
        drawn = draw_cards(left, split, draws.fractions(use, _SUITS))
        left = left ^ drawn
        return cards(drawn)

    own = evidence.needs[0, rows]
    if own.any():  # the viewer's own later cards, while calling
        split = draw_split(_sizes(left) * (own > 0), own, draws.fractions(Use.OWN_SPLIT, _SPLIT))
        dealt[0] |= take(split, Use.OWN_CARDS)
        calling = np.flatnonzero(own)
        wanted = evidence.needs[first, evidence.everyone][rows[calling]]
        fractions = draws.of(calling).fractions(Use.FIRST_SPLIT, _SPLIT)
        for_first[:, calling] = draw_split(_sizes(left[:, calling]), wanted, fractions)
    down = np.zeros(len(rows), np.uint64)
    if evidence.hidden.any():
        down = take(hidden, Use.DOWN_CARD)
    dealt[first[rows], everyone] |= take(for_first, Use.FIRST_CARDS)
    void = evidence.void[second, :, evidence.everyone][rows].T
    void_third = evidence.void[6 - first - second, :, evidence.everyone][rows].T
    sizes = _sizes(left)
    forced = sizes * (void_third & ~void)
    free = sizes * ~(void_third | void)
    wanted = evidence.needs[second, evidence.everyone][rows] - forced.sum(axis=0)
    split = forced + draw_split(free, wanted, draws.fractions(Use.SECOND_SPLIT, _SPLIT))
    dealt[second[rows], everyone] |= take(split, Use.SECOND_CARDS)
    dealt[6 - first[rows] - second[rows], everyone] |= cards(left)
    owner = evidence.placed[rows]
    dealt[owner, everyone] |= down
    return dealt, down


def _hands_in_turn(evidence: Evidence) -> tuple[np.ndarray, np.ndarray]:
    """Whose cards are drawn first and second; first those of a seat whose number of a suit counts.

    That is a caller's, or those of a seat to act that can follow; no game has both.
    """
    first = np.where(evidence.called >= 0, evidence.placed, 1)
    first = np.where(evidence.follows >= 0, evidence.turn, first)
    return first, first % 3 + 1


def _sizes(lanes: np.ndarray) -> np.ndarray:
    return np.bitwise_count(lanes).astype(np.int64)


def _draw_splits(
    evidence: Evidence,
    first: np.ndarray,
    second: np.ndarray,
    rows: np.ndarray,
    n: int,
    draws: Draws,
) -> tuple[np.ndarray, np.ndarray]:
    """The suit of the unknown face-down card, and the split of the first hand: (4, m) int each."""
    size = _sizes(lanes(evidence.unknown))
    hidden = np.zeros((4, len(rows)), np.int64)
    split = np.zeros((4, len(rows)), np.int64)
    bound = (evidence.called >= 0) | (evidence.follows >= 0) | evidence.void[1:].any(axis=(0, 1))
    free = ~bound[rows]
    if free.any():
        sizes = size[:, rows[free]]
        some = draws.of(free)
        fractions = some.fractions(Use.DOWN_SPLIT, _SPLIT)
        hidden[:, free] = draw_split(sizes, evidence.hidden[rows[free]], fractions)
        wanted = evidence.needs[first, evidence.everyone][rows[free]]
        fractions = some.fractions(Use.FIRST_SPLIT, _SPLIT)
        split[:, free] = draw_split(sizes - hidden[:, free], wanted, fractions)
    wanted = evidence.needs[first, evidence.everyone]
    kinds = wanted * 2 + evidence.hidden
    for kind in np.unique(kinds[bound]).tolist():
        group = np.flatnonzero(bound & (kinds == kind))
        places = (group[:, None] * n + np.arange(n)).ravel()
        fractions = draws.of(places).fractions(Use.FIRST_SPLIT)
        suits, hands = _draw_bound_splits(evidence, first, second, group, size, fractions)
        hidden[:, places], split[:, places] = suits, hands
    return hidden, split


def _draw_bound_splits(
    evidence: Evidence,
    first: np.ndarray,
    second: np.ndarray,
    group: np.ndarray,
    size: np.ndarray,
    fractions: np.ndarray,
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
    drawn = draw_index(np.concatenate(ways, axis=1), fractions, group)
    number = splits.shape[1]
    return suits[drawn // number].T, splits[:, drawn % number]


def _weights(evidence: Evidence, group: np.ndarray, first: np.ndarray) -> np.ndarray:
    """In what share of its orders the first hand could do what it did: (4, m, 14).

    By suit, and how many of its unknown cards the hand is dealt: the called suit is among a
    caller's first five, and of a suit that a seat can follow it has one; 1 for other suits.
    """
    weight = np.ones((4, len(group), 14))
    called = evidence.called[group]
    calls = np.flatnonzero(called >= 0)
    has = count(evidence.seen[first[calls], group[calls]] & LANE[called[calls]])
    total = np.minimum(has[:, None] + np.arange(14), 13)
    weight[called[calls], calls] = EARLY[total] / BINOMIAL[13, total]
    follows = evidence.follows[group]
    able = np.flatnonzero(follows >= 0)
    weight[follows[able], able, 0] = 0
    return weight
