"""What holds at every table at all times, in every game, whatever is played."""

import numpy as np
import pytest

import rungenv
from rungenv import Kind, Phase
from rungenv.bits import BIT, choose, count
from rungenv.cards import PACK
from rungenv.state import COLUMNS

GAMES = [(game, {}) for game in rungenv.VARIANTS] + [
    ("single_sar", {"change_trump": True, "new_cards": (1, 0, 2, 1), "scoring": "kots"}),
    ("hidden_rung", {"change_trump": True, "new_cards": 1, "collects": "pile"}),
    ("mendikot_band", {"passing": True, "new_cards": 1, "collects": "pile"}),
    ("mendikot", {"play_out": True}),
]
IDS = ["-".join((game, *options)) for game, options in GAMES]


@pytest.fixture(params=GAMES, ids=IDS, scope="module")
def rules(request):
    game, options = request.param
    return rungenv.variant(game, **options)


def random_play(tables, steps, seed=0):
    """Random legal actions, dealing the next round where one is over; yields after every step."""
    rng = np.random.default_rng(seed)
    for _ in range(steps):
        actions = choose(tables.legal(), rng.random(len(tables)))
        before = tables.copy()
        yield before, actions, rungenv.step(tables, actions)
        tables.next_round()


def contents(tables):
    """Every byte of some tables, by column."""
    names = [*COLUMNS, "deal", "history"]
    return {name: getattr(tables, name).tobytes() for name in names}


def test_every_card_is_in_one_place(rules):
    tables = rungenv.deal(rules, 64, seed=1)
    for _ in random_play(tables, 200):
        down = np.where(tables.face_down >= 0, BIT[tables.face_down], 0).astype(np.uint64)
        places = np.column_stack([tables.hands, tables.played, down])
        assert (np.bitwise_or.reduce(places, axis=1) == PACK).all()
        assert (count(places).sum(axis=1) == 52).all()


def test_there_is_a_legal_action_until_the_round_is_over(rules):
    tables = rungenv.deal(rules, 64, seed=2)
    for before, _, events in random_play(tables, 200):
        assert (before.legal() != 0).all()
        assert before.legal_mask().any(axis=1).all()
        assert (events.round_over <= (before.phase == Phase.PLAY)).all()


def test_tricks_and_tens_add_up(rules):
    tables = rungenv.deal(rules, 64, seed=3)
    for _ in random_play(tables, 200):
        assert (tables.tricks.sum(axis=1) + tables.pile == tables.trick_number).all()
        assert tables.trick_number.max() <= 13
        assert (tables.tens.sum(axis=1) + tables.pile_tens).max() <= 4
        on_table = (tables.trick >= 0).sum(axis=1)
        assert (count(tables.played).sum(axis=1) == 4 * tables.trick_number + on_table).all()


def test_only_winners_are_paid_and_only_at_the_end(rules):
    tables = rungenv.deal(rules, 64, seed=4)
    rng = np.random.default_rng(4)
    rounds = 0
    while rounds < 200:
        before = tables.copy()
        events = rungenv.step(tables, choose(tables.legal(), rng.random(64)))
        over = events.round_over
        rounds += over.sum()
        assert (over == (tables.phase == Phase.OVER)).all()
        assert ((tables.winner >= 0) == over).all()
        assert ((tables.kind != Kind.NONE) == over).all()
        assert (events.points[~over] == 0).all()
        assert (events.kots[~over] == 0).all()
        winner = tables.winner[over]
        assert (events.points[over, winner] > 0).all()
        assert (events.points[over, 1 - winner] == 0).all()
        assert (events.kots[over, 1 - winner] == 0).all()
        assert (tables.points - before.points == events.points).all()
        assert (tables.kots - before.kots == events.kots).all()
        assert (events.match_over == (over & (tables.match_winner >= 0))).all()
        tables.next_round()


def test_a_refused_action_changes_nothing(rules):
    tables = rungenv.deal(rules, 64, seed=5)
    rng = np.random.default_rng(5)
    for _ in random_play(tables, 60, seed=5):
        tables.next_round()
        row = int(rng.integers(64))
        actions = choose(tables.legal(), rng.random(64))
        actions[row] = rng.choice(np.flatnonzero(~tables.legal_mask()[row]))
        before = contents(tables)
        with pytest.raises(rungenv.IllegalAction, match=f"table {row}, seat {tables.seat[row]}"):
            rungenv.step(tables, actions)
        assert contents(tables) == before


def test_a_table_in_a_batch_is_the_table_alone(rules):
    """64 tables, out of step with one another as each sits out some turns, and each by itself."""
    batch = rungenv.deal(rules, 64, seed=6)
    rng = np.random.default_rng(6)
    turns = list(zip(rng.random((60, 64)), rng.random((60, 64)) < 0.8, strict=True))
    for fractions, moves in turns:
        part = batch.take(moves)
        rungenv.step(part, choose(part.legal(), fractions[moves]))
        part.next_round()
        batch.put(moves, part)
    assert len(set(batch.trick_number.tolist())) > 3
    for row in range(64):
        alone = rungenv.deal(rules, 1, seed=6, first_table=row)
        for fractions, moves in turns:
            if moves[row]:
                rungenv.step(alone, choose(alone.legal(), fractions[row : row + 1]))
                alone.next_round()
        assert contents(alone) == contents(batch.take([row]))


def test_part_of_a_batch_plays_on_as_the_whole_does(rules):
    rng = np.random.default_rng(7)
    tables = rungenv.deal(rules, 64, seed=7)
    for _ in random_play(tables, 70, seed=7):
        pass
    rows = rng.permutation(64)[:20]
    part = tables.take(rows)
    for _ in range(30):
        actions = choose(tables.legal(), rng.random(64))
        rungenv.step(tables, actions)
        rungenv.step(part, actions[rows])
        assert contents(part) == contents(tables.take(rows))


def test_rows_that_are_over_ignore_their_action(rules):
    tables = rungenv.deal(rules, 16, seed=8)
    rng = np.random.default_rng(8)
    while not (tables.phase == Phase.OVER).all():
        over = np.flatnonzero(tables.phase == Phase.OVER)
        before = contents(tables.take(over))
        actions = choose(tables.legal(), rng.random(16))
        actions[over] = rng.integers(0, 61, len(over))
        rungenv.step(tables, actions)
        assert contents(tables.take(over)) == before
