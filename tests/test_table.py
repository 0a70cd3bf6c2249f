"""A table on plain ints plays as Tables of one do, and shows the same views."""

import copy
import pickle

import numpy as np
import pytest

import rungenv
from rungenv.bits import choose
from rungenv.state import COLUMNS
from rungenv.table import Table

GAMES = [(game, {}) for game in rungenv.VARIANTS] + [
    ("single_sar", {"change_trump": True, "new_cards": (1, 0, 2, 1), "scoring": "kots"}),
    ("double_sar", {"ace_over_ace": False, "trump_ace_cannot_seal": False}),
    ("double_sar", {"no_late_pickup": True, "goal": "tens"}),
    ("hidden_rung", {"change_trump": True, "new_cards": 1, "collects": "pile"}),
    ("be_ranga", {"collects": "pile", "points_target": 3}),
    ("mendikot", {"play_out": True, "collects": "pile"}),
    ("mendikot_band", {"passing": True, "collects": "pile", "allow_timeout": False}),
]


def contents(tables):
    names = [*COLUMNS, "deal", "history", "holder", "trick", "trick_size", "voids", "played"]
    return {name: getattr(tables, name).tobytes() for name in names}


@pytest.mark.parametrize(("game", "options"), GAMES)
def test_it_plays_as_tables_of_one(game, options):
    rules = rungenv.variant(game, **options)
    tables, table = rungenv.deal(rules, 1, seed=1), Table(rungenv.deal(rules, 1, seed=1))
    rng = np.random.default_rng(1)
    rounds = 0
    while rounds < 40:
        action = choose(tables.legal(), rng.random(1))
        expected = rungenv.step(tables, action)
        events = table.step(int(action[0]))
        for name, value in vars(expected).items():
            assert np.array_equal(getattr(events, name), value), name
        assert (table.seat, table.legal_set) == (tables.seat[0], tables.legal()[0])
        if rng.random() < 0.5 or expected.round_over[0]:
            assert contents(table.tables) == contents(tables)
        if expected.round_over[0]:
            rounds += 1
            tables.next_round()
            table.next_round()


@pytest.mark.parametrize(("game", "options"), GAMES)
def test_it_shows_the_same_views(game, options):
    rules = rungenv.variant(game, **options)
    table = Table(rungenv.deal(rules, 1, seed=2))
    rng = np.random.default_rng(2)
    for _ in range(150):
        for seat in range(4):
            expected, view = rungenv.observe(table.tables, seat), table.observe(seat)
            assert np.array_equal(table.dense(seat), expected.dense()[0])
            for name in ("seat", "legal", "sets", "smalls", "history"):
                assert np.array_equal(getattr(view, name), getattr(expected, name)), name
        if table.seat < 0:
            table.next_round()
        table.step(int(choose(np.array([table.legal_set], np.uint64), rng.random(1))[0]))


def test_it_is_copied_and_pickled_as_it_stands():
    table = Table(rungenv.deal(rungenv.variant("hidden_rung"), 1, seed=2))
    for _ in range(9):
        table.step(int(choose(np.array([table.legal_set], np.uint64), np.zeros(1))[0]))
    for copied in (copy.copy(table), copy.deepcopy(table), pickle.loads(pickle.dumps(table))):
        before = contents(table.tables)
        assert contents(copied.tables) == before
        copied.step(int(choose(np.array([copied.legal_set], np.uint64), np.zeros(1))[0]))
        assert contents(table.tables) == before


@pytest.mark.parametrize("seat", [4, -1, None, 1.0])
def test_it_has_four_seats(seat):
    table = Table(rungenv.deal(rungenv.variant("be_ranga"), 1, seed=3))
    for look in (table.dense, table.observe):
        with pytest.raises(ValueError, match="seat must be a whole number from 0 to 3"):
            look(seat)
    assert (table.dense(np.int64(2)) == table.dense(2)).all()


@pytest.mark.parametrize("action", [61, -1, 2.0, None, "AS"])
def test_it_refuses_what_is_no_action(action):
    table = Table(rungenv.deal(rungenv.variant("be_ranga"), 1, seed=3))
    before = contents(table.tables)
    with pytest.raises(ValueError):  # noqa: PT011
        table.step(action)
    assert contents(table.tables) == before


def test_it_refuses_an_illegal_card():
    table = Table(rungenv.deal(rungenv.variant("be_ranga"), 1, seed=3))
    for _ in range(20):
        before = contents(table.tables)
        illegal = [card for card in range(52) if not table.legal_set >> card & 1]
        with pytest.raises(rungenv.IllegalAction):
            table.step(illegal[0])
        assert contents(table.tables) == before
        table.step(next(card for card in range(52) if table.legal_set >> card & 1))


def test_it_says_in_short_what_it_is_and_shows_no_card():
    tables = rungenv.deal(rungenv.variant("double_sar", no_late_pickup=True), 1, seed=3)
    game = "double_sar no_late_pickup=True"
    assert repr(tables) == f"<Tables: 1 of {game}, the round over at 0>"
    assert repr(Table(tables)) == f"<Table: {game}, seat {tables.seat[0]} to act>"
    words = "rungenv.explain puts it in words"
    assert repr(rungenv.observe(tables, 2)) == f"<View: 1 row of seat 2, {game}; {words}>"
    three = rungenv.observe(rungenv.deal(rungenv.variant("mendikot"), 3))
    assert repr(three) == f"<View: 3 rows, mendikot; {words}>"
