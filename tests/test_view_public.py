"""A view tells apart all that its viewer has seen."""

import random

import numpy as np
import pytest

import rungenv
from mirror import mirror
from reference import NEW_CARDS
from rungenv import bits
from rungenv.bits import choose
from rungenv.view import LAID, View
from write_golden import takes

TABLES = 80
GAMES = [(game, {}) for game in rungenv.VARIANTS] + [
    ("hidden_rung", {"change_trump": True, "new_cards": 1}),
    ("double_sar", {"change_trump": True, "scoring": "kots"}),
]
PLAIN = (
    *("phase", "led", "trump", "turned_up", "shown", "passed", "timed_out", "owner_knows"),
    *("must_trump", "waiting_ace", "pile", "pile_tens", "trick_number", "trick_size"),
)
OF_A_SEAT = ("dealer", "caller", "owner", "asker", "waiting", "holder")
BY_SEAT = ("played", "trick", "voids", "new_cards_left")
BY_TEAM = ("tricks", "tens", "points", "kots", "streak")
CHANGES = (  # columns that are not worked out from others, with two values that each can have
    *(("dealer", 0, 1), ("phase", 3, 4), ("caller", 0, 2), ("passed", 0, 1), ("timed_out", 0, 1)),
    *(("turned_up", -1, 7), ("owner", 1, 3), ("owner_knows", 0, 1), ("shown", -1, 20)),
    *(("asker", -1, 2), ("must_trump", 0, 1), ("trump", -1, 3), ("led", -1, 2)),
    *(("trick_number", 3, 4), ("pile", 0, 2), ("pile_tens", 0, 1), ("waiting", 0, 2)),
    *(("waiting_ace", 0, 1), ("tricks", 1, 2), ("tens", 0, 1), ("points", 3, 4), ("kots", 0, 1)),
    *(("streak", 0, 1), ("new_cards_left", 0, 1)),
)


def row_bytes(view):
    """Every row of a view as bytes: all its arrays, and its dense form."""
    arrays = [getattr(view, name) for name in View.__annotations__ if name != "rules"]
    arrays.append(view.dense())
    return [b"".join(array[row].tobytes() for array in arrays) for row in range(len(view))]


@pytest.mark.parametrize(("game", "options"), GAMES)
@pytest.mark.parametrize("viewer", range(4))
def test_different_public_histories_give_different_views(game, options, viewer):
    """Many games from one deal: as many different views as there are public histories."""
    rules = rungenv.variant(game, **options)
    deal = rungenv.deal(rules, 1, seed=3).deal[0]
    tables = rungenv.deal_hands(rules, [deal] * TABLES, 2, redeals=[[deal] * 4] * TABLES)
    rng = np.random.default_rng(3)
    views = {}
    past = [()] * TABLES
    for _ in range(56):
        for row, view in enumerate(row_bytes(rungenv.observe(tables, viewer))):
            seen = (*past[row], tables.shown[row])
            assert views.setdefault(view, seen) == seen
        actions = choose(tables.legal(), rng.random(TABLES))
        for row in np.flatnonzero(tables.seat >= 0):
            seat, action = int(tables.seat[row]), int(actions[row])
            lays = tables.phase[row] in (0, 1, 3) and action < 52 and seat != viewer
            past[row] += ((seat, "a card face down" if lays else action),)
        rungenv.step(tables, actions)
    assert len(set(views.values())) == len(views) > 20 * TABLES


@pytest.mark.parametrize(("game", "options"), GAMES)
def test_public_columns_are_seen_from_the_viewers_seat(game, options):
    tables = rungenv.deal(rungenv.variant(game, **options), 40, seed=6)
    rng = np.random.default_rng(6)
    tables.points[:] = rng.integers(0, 5, (40, 2))
    tables.streak[:] = rng.integers(0, 7, (40, 2))
    for _ in range(56):
        for viewer in range(4):
            view = rungenv.observe(tables, viewer)
            seats = (viewer + np.arange(4)) % 4
            for name in PLAIN:
                assert (getattr(view, name) == getattr(tables, name)).all(), name
            for name in OF_A_SEAT:
                seat = getattr(tables, name)
                relative = np.where(seat < 0, -1, (seat - viewer) % 4)
                assert (getattr(view, name) == relative).all(), name
            for name in BY_SEAT:
                assert (getattr(view, name) == getattr(tables, name)[:, seats]).all(), name
            for name in BY_TEAM:
                assert (getattr(view, name) == getattr(tables, name)[:, seats[:2] % 2]).all(), name
            turn = np.where(tables.seat < 0, -1, (tables.seat - viewer) % 4)
            assert (view.turn == turn).all()
            assert (view.is_down == (tables.face_down >= 0)).all()
            assert (view.legal == np.where(tables.seat == viewer, tables.legal(), 0)).all()
        rungenv.step(tables, choose(tables.legal(), rng.random(40)))


@pytest.mark.parametrize(("column", "one", "other"), CHANGES)
def test_public_columns_are_in_the_dense_form(column, one, other):
    rules = rungenv.variant("hidden_rung", new_cards=1)
    tables = rungenv.deal(rules, 1, seed=1, dealer=0).take([0, 0])
    values = getattr(tables, column)
    places = [(slice(None), place) for place in range(values[0].size)]
    for place in places if values.ndim == 2 else [slice(None)]:
        before = values.copy()
        values[place] = [one, other]
        first, second = rungenv.observe(tables, 0).dense()
        assert (first != second).any(), (column, place)
        values[...] = before


def test_a_history_reads_relative_to_the_viewer_with_lays_of_others_unnamed():
    rules = rungenv.variant("hidden_rung")
    tables = rungenv.deal(rules, 1, seed=1, dealer=0)
    rng = random.Random(1)
    actions = []
    while tables.seat[0] >= 0:
        action = rng.choice(np.flatnonzero(tables.legal_mask()[0]).tolist())
        actions.append((int(tables.seat[0]), action, int(tables.phase[0])))
        rungenv.step(tables, [action])
    for viewer in range(4):
        view = rungenv.observe(tables, viewer)
        told = [
            ((seat - viewer) % 4, LAID if phase < 2 and action < 52 and seat != viewer else action)
            for seat, action, phase in actions
        ]
        seats, names = view.history_seats()[0].tolist(), view.history_actions()[0].tolist()
        assert list(zip(seats, names, strict=True))[: len(told)] == told


@pytest.mark.parametrize("game", rungenv.VARIANTS)
def test_a_caller_is_shown_five_cards(game):
    tables = rungenv.deal(rungenv.variant(game, new_cards=1), 50, seed=2)
    for seat in range(4):
        view = rungenv.observe(tables, seat)
        size = 5 if tables.rules.calls else 13
        assert [bin(hand).count("1") for hand in view.hand.tolist()] == [size] * 50
        assert [bin(cards).count("1") for cards in view.unseen.tolist()] == [52 - size] * 50


@pytest.mark.parametrize(("game", "options"), GAMES)
def test_winners_and_masters(game, options):
    """Cards that would take the trick now, and cards that nothing unseen of their suit beats."""
    rules = rungenv.variant(game, **options)
    tables = rungenv.deal(rules, 12, seed=9)
    games = [mirror(tables, row) for row in range(12)]
    rng = random.Random(9)
    for _ in range(56):
        view = rungenv.observe(tables)
        for row, table in enumerate(games):
            if table.phase == "PLAY":
                cards = {action for action in table.legal() if action < 52}
                winners = {card for card in cards if table.led is not None and takes(table, card)}
                assert members(view.winners[row]) & cards == winners
                hand, unseen = members(view.hand[row]), members(view.unseen[row])
                assert hand == table.hands[table.seat]
                assert members(view.masters[row]) == {
                    card for card in hand if not unseen & set(range(card, card // 13 * 13 + 13))
                }
        actions = [rng.choice(table.legal() or [0]) for table in games]
        rungenv.step(tables, actions)
        for row, table in enumerate(games):
            if table.phase != "OVER":
                if actions[row] == NEW_CARDS:
                    table.deals.append(tables.deal[row].tolist())
                table.act(actions[row])


def members(word):
    return set(bits.members(word))
