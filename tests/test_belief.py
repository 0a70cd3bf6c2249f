"""Worlds fit their views in every byte, and are ready to be played; the parts they are drawn by."""

from math import comb

import numpy as np
import pytest

import rungenv
from chances import assert_as_likely, random_actions
from rungenv.actions import NEW_CARDS
from rungenv.belief import worlds, worlds_of_keys
from rungenv.dealing import start_streams
from rungenv.draws import Draws
from rungenv.orders import draw_early, put_in_places, shuffled_hands
from rungenv.splits import BINOMIAL, cards, draw_cards, draw_split, lanes
from rungenv.state import COLUMNS
from rungenv.tables import Tables

CASES = [(game, {}) for game in rungenv.VARIANTS] + [
    ("single_sar", {"change_trump": True, "new_cards": 1}),
    ("single_sar", {"passing": False, "call_any_suit": True, "change_trump": True}),
    ("hidden_rung", {"change_trump": True, "new_cards": (1, 0, 1, 0)}),
    ("hidden_rung", {"change_trump": True, "passing": False}),
    ("hidden_rung", {"collects": "pile", "goal": "tens", "shown": "first_void"}),
    ("be_ranga", {"new_cards": (0, 2, 0, 0)}),
    ("mendikot_band", {"passing": True, "new_cards": (0, 0, 0, 1)}),
    ("mendikot_band", {"shown": "on_demand", "play_out": True}),
]
FREE = {"seed", "stream", "table", "round", "match_round", "given"}
"""Columns that say where a deal comes from, of which a view knows nothing."""


def played_anew(world, start):
    """The tables of worlds of one length and one number of deals, stepped from their deal on.

    start: how their matches stood before, columns by name.
    """
    actions = world.history & 63
    given_up = np.flatnonzero((actions == NEW_CARDS).any(axis=0))
    first = given_up.max() + 1 if given_up.size else 0
    tables = Tables(world.rules, len(world))
    start_streams(tables, world.seed, world.table)
    tables.next_dealer = world.dealer
    for column, before in start.items():
        setattr(tables, column, before)
    tables.new_cards_left = world.new_cards_left
    tables.next_round(hands=world.deal)
    for place in range(first, world.length[0]):
        assert np.array_equal(tables.seat, world.history[:, place] >> 6)
        rungenv.step(tables, actions[:, place])
    tables.history[:] = world.history
    tables.length = world.length
    tables.redeal = world.redeal
    tables.play_from += first * (tables.phase >= rungenv.Phase.PLAY)
    return tables


def same_opening(world):
    """The rows of worlds that can be stepped side by side."""
    given_up = (world.history & 63) == NEW_CARDS
    last = np.where(given_up.any(axis=1), 99 - given_up[:, ::-1].argmax(axis=1), -1)
    _, kind = np.unique(world.length * 1000 + last, return_inverse=True)
    return [np.flatnonzero(kind == i) for i in range(kind.max() + 1)]


@pytest.mark.parametrize(("game", "options"), CASES)
def test_a_world_stepped_through_the_same_actions_shows_the_same_view(game, options):
    rng = np.random.default_rng(7)
    tables = rungenv.deal(rungenv.variant(game, **options), 24, seed=7)
    tables.points = rng.integers(0, tables.rules.target, (24, 2))
    tables.streak = rng.integers(0, 7, (24, 2))
    start = {column: getattr(tables, column).copy() for column in ("points", "kots", "streak")}
    copies, turns, places = 2, set(), np.arange(24)
    while places.size:
        live = places[tables.seat[places] >= 0]
        places = np.append(places, live)  # of all that were live: another seat, and that to act
        seats = (tables.seat[places] + rng.integers(1, 4, len(places))) & 3
        seats[len(places) - len(live) :] = tables.seat[live]
        view = rungenv.observe(tables.take(places), seats)
        turns.update(view.turn.tolist())
        drawn = worlds(view, copies, rng)
        for rows in same_opening(drawn):
            world, of = drawn.take(rows), view.take(rows // copies)
            before = places[rows // copies]
            tested = played_anew(world, {name: start[name][before] for name in start})
            for column in set(COLUMNS) - FREE:
                assert np.array_equal(getattr(world, column), getattr(tested, column)), column
            again = rungenv.observe(tested, of.seat)
            assert np.array_equal(of.sets, again.sets)
            assert np.array_equal(of.smalls, again.smalls)
            assert np.array_equal(of.history, again.history)
            assert np.array_equal(of.legal, again.legal)
        rungenv.step(tables, random_actions(tables, rng))
        places = live
    assert turns == {-1, 0, 1, 2, 3}


# The parts.


def test_orders_are_as_likely_as_one_another():
    rng = np.random.default_rng(2)
    n = 100_000
    dealt = np.array([[(1 << 13) - 1 << 13 * seat for seat in range(4)]], np.uint64)
    front, middle = np.full(n, 0b11111, np.uint64), np.full(n, 1 << 7 | 1 << 20, np.uint64)
    hands = shuffled_hands(
        dealt.repeat(n, axis=0), front, middle, Draws(rng.integers(0, 2**63, n, np.uint64))
    )
    assert (np.sort(hands, axis=2).reshape(n, 52) == np.arange(52)).all()
    assert (hands[:, 0, :5] < 5).all()
    assert (hands[:, 0, 5] == 7).all()
    assert (hands[:, 1, 0] == 20).all()
    for seat, place, values in ((0, 2, 5), (0, 9, 7), (1, 6, 12), (2, 0, 13), (3, 12, 13)):
        seen = np.unique(hands[:, seat, place], return_counts=True)[1]
        assert len(seen) == values
        assert_as_likely(seen, np.ones(values))
    pairs = hands[:, 2, 3].astype(int) * 52 + hands[:, 2, 8]
    assert_as_likely(np.unique(pairs, return_counts=True)[1], np.ones(13 * 12))


@pytest.mark.parametrize("k", [1, 2, 5, 9, 13])
def test_places_have_one_among_the_first_five(k):
    places = draw_early(np.full(60_000, k), np.random.default_rng(k).random(60_000))
    words, seen = np.unique(places, return_counts=True)
    assert len(words) == comb(13, k) - comb(8, k)
    assert all(int(word).bit_count() == k and word & 31 for word in words)
    assert_as_likely(seen, np.ones(len(words)))


def test_cards_are_put_in_their_places():
    hands = np.arange(52, dtype=np.int8).reshape(1, 4, 13).repeat(2, axis=0)
    put_in_places(hands, np.array([1, 2]), np.array([0b100010, 0]))
    assert hands[0, 1].tolist() == [15, 13, 16, 17, 18, 14, *range(19, 26)]
    assert (hands[1].ravel() == np.arange(52)).all()


def test_draws_of_cards_are_as_likely_as_one_another():
    rng = np.random.default_rng(4)
    n = 50_000
    word = np.uint64(0b1010000001101 | 0b11 << 13 | 1 << 45)
    held = np.repeat(lanes(np.array([word])), n, axis=1)
    assert (cards(held) == word).all()
    split = draw_split(np.bitwise_count(held).astype(np.int64), np.full(n, 4), rng.random((3, n)))
    assert (split.sum(axis=0) == 4).all()
    words, seen = np.unique(cards(draw_cards(held, split, rng.random((4, n)))), return_counts=True)
    assert len(words) == BINOMIAL[8, 4]
    assert all(int(drawn) & ~int(word) == 0 for drawn in words)
    assert_as_likely(seen, np.ones(len(words)))


# How it is asked for.


def test_worlds_of_a_row_are_side_by_side_and_ready_to_be_played():
    rng = np.random.default_rng(0)
    tables = rungenv.deal(rungenv.variant("single_sar", new_cards=1), 5, seed=1)
    for _ in range(4):
        rungenv.step(tables, random_actions(tables, rng))
    view = rungenv.observe(tables)
    drawn = worlds(view, 3, rng)
    assert len(drawn) == 15
    assert np.array_equal(drawn.seat, np.repeat(tables.seat, 3))
    assert np.array_equal(drawn.legal(), np.repeat(tables.legal(), 3))
    while (drawn.seat >= 0).any():
        rungenv.step(drawn, random_actions(drawn, rng))
    drawn.next_round()
    assert len(np.unique(drawn.deal, axis=0)) == 15  # deals of their own
    assert len(worlds(view, 0, rng)) == 0
    assert len(worlds(view.take(slice(0)), 3, rng)) == 0


def test_the_same_numbers_give_the_same_worlds():
    view = rungenv.observe(rungenv.deal(rungenv.variant("hidden_rung"), 9, seed=1))
    one, two = (worlds(view, 4, np.random.default_rng(6)) for _ in range(2))
    assert one.save_state() == two.save_state()


@pytest.mark.parametrize(("game", "options"), CASES)
def test_a_world_depends_on_its_view_and_its_key_alone(game, options):
    rng = np.random.default_rng(8)
    tables = rungenv.deal(rungenv.variant(game, **options), 30, seed=8)
    for step in range(50):
        moving = (tables.seat >= 0) & (tables.everyone + 20 > step)  # to all parts of a round
        rungenv.step(tables, random_actions(tables, rng), acting=moving)
    view = rungenv.observe(tables.take(tables.seat >= 0))
    keys = rng.integers(0, 2**64, (len(view), 3), np.uint64)
    together = worlds_of_keys(view, keys)
    for row in range(len(view)):
        place = slice(row, row + 1)
        alone = [worlds_of_keys(view.take(place), keys[place, i : i + 1]) for i in range(3)]
        for i, world in enumerate(alone):
            assert world.save_state() == together.take([3 * row + i]).save_state()


def test_what_cannot_be_is_refused():
    rng = np.random.default_rng(0)
    tables = rungenv.deal(rungenv.variant("single_sar"), 3, seed=1)
    with pytest.raises(ValueError, match=r"n must be a whole number from 0 to .*, not -1"):
        worlds(rungenv.observe(tables), -1, rng)
    for _ in range(8):
        rungenv.step(tables, random_actions(tables, rng))
    view = rungenv.observe(tables)
    view.voids[1, 1:] = 15
    with pytest.raises(ValueError, match="no deal fits view 1"):
        worlds(view, 1, rng)
    view.played[0] = 0
    with pytest.raises(ValueError, match="view 0 contradicts itself"):
        worlds(view, 1, rng)
