"""What a network reads: the suits' names must not matter, and choices must come back as actions."""

import itertools
import re

import numpy as np
import pytest

import rungenv
from agents.encoding import SUIT_ORDERS, Encoding, drawn_orders, hidden_by_slot
from rungenv.bits import choose
from train.settings import fields_for

PERMUTATIONS = list(itertools.permutations(range(4)))
GAMES = [(game, {}) for game in rungenv.VARIANTS] + [
    ("single_sar", {"new_cards": 1, "change_trump": True}),
    ("hidden_rung", {"change_trump": True, "collects": "pile"}),
]


def renamed(numbers, names):
    """Cards or actions with every suit called `names[suit]`."""
    numbers = np.asarray(numbers)
    suit = np.where(numbers < 52, numbers // 13, numbers - 52)
    names_suit = (numbers < 52) | (numbers < 56)
    to = np.array(names)[np.where(names_suit, suit, 0)]
    return np.where(numbers < 52, 13 * to + numbers % 13, np.where(names_suit, 52 + to, numbers))


def positions(rules, n, seed):
    """Pairs of tables: at random moments of random play, and the same with suits renamed."""
    rng = np.random.default_rng(seed)
    tables = rungenv.deal(rules, n, seed=seed)
    names = [PERMUTATIONS[i] for i in rng.integers(24, size=n)]
    hands = np.stack([renamed(tables.deal[i], names[i]) for i in range(n)])
    twins = rungenv.deal_hands(rules, hands, tables.dealer, seed=seed)
    while (tables.seat >= 0).any():
        live = np.flatnonzero(tables.seat >= 0)
        yield tables.take(live), twins.take(live), [names[i] for i in live]
        actions = choose(tables.legal_set & ~np.uint64(1 << 60), rng.random(n))
        rungenv.step(twins, np.array([renamed(actions[i], names[i]) for i in range(n)]))
        rungenv.step(tables, actions)


@pytest.mark.parametrize(("game", "options"), GAMES)
def test_renamed_suits_look_the_same_when_sorted(game, options):
    rules = rungenv.variant(game, **options)
    encoding = Encoding(fields_for(rules))
    seen = 0
    for tables, twins, names in positions(rules, 24, seed=1):
        view, twin = rungenv.observe(tables), rungenv.observe(twins)
        order, twin_order = encoding.order(view), encoding.order(twin)
        features = encoding.features(view, order)
        assert np.array_equal(features, encoding.features(twin, twin_order))
        legal = encoding.legal(view, order)
        assert np.array_equal(legal, encoding.legal(twin, twin_order))
        choices = legal.argmax(axis=1)
        actions = encoding.actions(choices, order)
        twin_actions = encoding.actions(choices, twin_order)
        dealt_suits = [
            len(set((tables.deal[i, tables.seat[i]] // 13).tolist())) for i in range(len(names))
        ]
        for i, name in enumerate(names):
            if tables.phase[i] == rungenv.Phase.PLAY and dealt_suits[i] >= 3:  # no tie of two voids
                assert twin_actions[i] == renamed(actions[i], name)
        seen += len(names)
    assert seen > 24 * 30


@pytest.mark.parametrize(("game", "options"), GAMES)
def test_suits_and_slots_renamed_together_look_the_same_and_mean_the_same(game, options):
    """What augmentation rests on: any order will do, and a name is worth nothing by itself."""
    rules = rungenv.variant(game, **options)
    encoding = Encoding(tuple(rungenv.FIELDS), "shuffled")
    rng = np.random.default_rng(4)
    seen = 0
    for tables, twins, names in positions(rules, 24, seed=3):
        view, twin = rungenv.observe(tables), rungenv.observe(twins)
        order = drawn_orders(len(view), rng)
        twin_order = np.take_along_axis(np.array(names), order, axis=1)
        features = encoding.features(view, order)
        assert np.array_equal(features, encoding.features(twin, twin_order))
        legal = encoding.legal(view, order)
        assert np.array_equal(legal, encoding.legal(twin, twin_order))
        hidden = hidden_by_slot(rungenv.hidden_hands(tables), order)
        twin_hidden = hidden_by_slot(rungenv.hidden_hands(twins), twin_order)
        assert np.array_equal(hidden, twin_hidden)
        choices = legal.argmax(axis=1)
        actions = encoding.actions(choices, order)
        twin_actions = encoding.actions(choices, twin_order)
        for row, name in enumerate(names):
            assert view.legal_mask()[row, actions[row]]
            assert twin_actions[row] == renamed(actions[row], name)
        seen += len(names)
    assert seen > 24 * 30


def test_drawn_orders_are_all_alike_likely():
    orders = drawn_orders(24_000, np.random.default_rng(0))
    assert (np.sort(orders, axis=1) == np.arange(4)).all()
    _, counts = np.unique(orders, axis=0, return_counts=True)
    assert len(counts) == 24
    assert abs(counts - 1000).max() < 5 * 1000**0.5


@pytest.mark.parametrize("suits", SUIT_ORDERS)
@pytest.mark.parametrize(("game", "options"), GAMES)
def test_choices_and_actions_are_one_to_one(game, options, suits):
    rules = rungenv.variant(game, **options)
    encoding = Encoding(fields_for(rules), suits)
    for tables, _, _ in positions(rules, 8, seed=2):
        view = rungenv.observe(tables)
        order = encoding.order(view)
        legal = encoding.legal(view, order)
        mask = view.legal_mask()
        for i in range(len(view)):
            choices = np.flatnonzero(legal[i])
            orders = np.tile(order[i], (len(choices), 1))
            actions = encoding.actions(choices, orders)
            assert encoding.choices(actions, orders).tolist() == choices.tolist()
            assert sorted(actions.tolist()) == np.flatnonzero(mask[i]).tolist()


def test_as_dealt_reads_the_dense_view_and_leaves_choices_alone():
    tables = rungenv.deal(rungenv.variant("single_sar"), 5, seed=3)
    view = rungenv.observe(tables)
    encoding = Encoding(("hand", "trick_number", "legal_calls"), "as_dealt")
    order = encoding.order(view)
    features = encoding.features(view, order)
    by_suit = features[:, : 4 * 14].reshape(5, 4, 14)
    dense = view.dense()
    hand = dense[:, rungenv.FIELDS["hand"].columns]
    assert np.array_equal(by_suit[:, :, :13].reshape(5, 52), hand)
    assert np.array_equal(encoding.legal(view, order), view.legal_mask())
    assert encoding.actions(np.arange(61), np.tile(np.arange(4), (61, 1))).tolist() == [*range(61)]


def test_the_trump_has_the_first_slot_then_the_longest_suit():
    rules = rungenv.variant("single_sar")
    hands = np.array([
        [0, 1, 2, 3, 4, 5, 13, 14, 15, 16, 26, 27, 39],
        [6, 7, 8, 9, 10, 11, 12, 17, 18, 19, 20, 21, 22],
        [23, 24, 25, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37],
        [38, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51],
    ])  # fmt: skip
    tables = rungenv.deal_hands(rules, hands[None], dealer=3)
    encoding = Encoding(("hand",))
    assert encoding.order(rungenv.observe(tables)).tolist() == [[0, 1, 2, 3]], "five clubs so far"
    rungenv.step(tables, np.array([52]))
    assert encoding.order(rungenv.observe(tables)).tolist() == [[0, 1, 2, 3]]
    hands_last = rungenv.observe(tables, seats=3)
    assert encoding.order(hands_last).tolist() == [[0, 3, 2, 1]], "clubs are trump, spades long"


def test_counts_are_scaled_to_at_most_1():
    encoding = Encoding(("tricks", "hand", "trick_number"))
    assert sorted(set(encoding.scale().tolist())) == [np.float32(1 / 13), 1.0]
    assert len(encoding.scale()) == encoding.width == 55


def test_hidden_hands_go_slot_by_slot():
    hidden = np.zeros((2, 208), np.uint8)
    hidden[0, 52 * 2 + 13 * 3 + 5] = 1  # plane 2, suit 3, rank 5
    found = hidden_by_slot(hidden, np.array([[0, 3, 1, 2], [0, 1, 2, 3]]))
    assert np.flatnonzero(found[0]).tolist() == [52 * 1 + 13 * 2 + 5], "slot 1, plane 2"
    assert not found[1].any()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((("hand", "trik_sets"),), "no field is called 'trik_sets'; nearest: trick_sets"),
        ((("hand",), "sort"), "no order of suits is called 'sort'; nearest: sorted"),
    ],
)
def test_unknown_names_bring_the_nearest(arguments, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        Encoding(*arguments)
