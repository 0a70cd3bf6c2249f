"""Deals are a pure function of seed, table, round and redeal."""

import numpy as np
import pytest

import rungenv
from rungenv.actions import NEW_CARDS
from rungenv.bits import BIT, choose

RULES = rungenv.variant("be_ranga", new_cards=1)


def finish_round(tables):
    rng = np.random.default_rng(0)
    while (tables.seat >= 0).any():
        rungenv.step(tables, choose(tables.legal() & ~BIT[NEW_CARDS], rng.random(len(tables))))
    return tables


def test_every_deal_is_the_whole_pack():
    deals = rungenv.deal(RULES, 500, seed=1).deal.reshape(500, 52)
    assert (np.sort(deals, axis=1) == np.arange(52)).all()
    assert len(np.unique(deals, axis=0)) == 500


def test_a_table_has_the_same_deals_alone_and_in_any_batch():
    batch = rungenv.deal(RULES, 64, seed=2)
    for size in (1, 7):
        for first in (0, 20, 57):
            few = rungenv.deal(RULES, size, seed=2, first_table=first)
            assert (few.deal == batch.deal[first : first + size]).all()
            assert (few.dealer == batch.dealer[first : first + size]).all()


def test_tables_can_be_numbered_one_by_one():
    batch = rungenv.deal(RULES, 64, seed=2)
    numbers = [40, 3, 3, 63]
    some = rungenv.deal(RULES, 4, seed=2, first_table=numbers)
    assert some.save_state() == batch.take(numbers).save_state()
    with pytest.raises(ValueError, match="first_table must be an int or 4 of them"):
        rungenv.deal(RULES, 4, first_table=[1, 2])
    with pytest.raises(ValueError, match="first_table must be from 0"):
        rungenv.deal(RULES, 2, first_table=[1, -2])


def test_seeds_can_be_given_by_table():
    tables = rungenv.deal(RULES, 3, seed=[5, 6, 5])
    assert (
        tables.deal[:2] == [rungenv.deal(RULES, 2, seed=s).deal[i] for i, s in ((0, 5), (1, 6))]
    ).all()


@pytest.mark.parametrize("game", rungenv.VARIANTS)
def test_deals_do_not_depend_on_the_game(game):
    tables, ours = rungenv.deal(rungenv.variant(game), 8, seed=3), rungenv.deal(RULES, 8, seed=3)
    assert (tables.deal == ours.deal).all()
    assert (tables.dealer == ours.dealer).all()


def test_later_rounds_and_redeals_are_fixed_too():
    together = finish_round(rungenv.deal(RULES, 4, seed=4))
    alone = together.take([2])
    together.next_round()
    alone.next_round()
    assert (alone.deal[0] == together.deal[2]).all()
    rungenv.step(together, [NEW_CARDS] * 4)
    rungenv.step(alone, [NEW_CARDS])
    assert (alone.deal[0] == together.deal[2]).all()


def test_all_deals_of_a_table_differ():
    tables = rungenv.deal(RULES, 4, seed=5)
    seen = [tables.deal.copy()]
    for _ in range(3):
        finish_round(tables).next_round()
        seen.append(tables.deal.copy())
    rungenv.step(tables, [NEW_CARDS] * 4)
    seen.append(tables.deal.copy())
    assert len(np.unique(np.concatenate(seen).reshape(-1, 52), axis=0)) == 20
    assert not (rungenv.deal(RULES, 4, seed=6).deal == seen[0]).all(axis=(1, 2)).any()


def test_every_card_goes_to_every_place_alike():
    deals = rungenv.deal(RULES, 20_000, seed=7).deal.reshape(-1, 52)
    tally = np.stack([np.bincount(place, minlength=52) for place in deals.T])
    expected = 20_000 / 52
    chi_square = ((tally - expected) ** 2 / expected).sum()
    freedom = 51 * 51
    assert abs(chi_square - freedom) < 5 * np.sqrt(2 * freedom)
