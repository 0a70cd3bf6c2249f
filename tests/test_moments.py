"""Moments found in played games: each the first of its kind at its table."""

import numpy as np
import pytest

import agents
import rungenv
from rungenv import VARIANTS, Kind, variant
from train.moments import find_moments

GREEDY = agents.make("greedy")


@pytest.mark.parametrize("game", VARIANTS)
def test_each_table_stands_at_its_first_such_moment(game):
    def two_tricks(tables):
        return tables.trick_number >= 2

    found = find_moments(variant(game), GREEDY, two_tricks, 20, seed=3)
    assert found.table.tolist() == list(range(20))
    for row in range(20):
        positions = list(rungenv.record_of(found, row).positions())
        assert not any(two_tricks(position).any() for position in positions[:-1])
        assert two_tricks(positions[-1]).all()
        assert positions[-1].hands.tolist() == [found.hands[row].tolist()]


def test_tables_without_such_a_moment_are_left_out_and_the_number_changes_nothing():
    def kot(tables):
        return tables.kind == Kind.KOT

    many = find_moments(variant("single_sar"), GREEDY, kot, 80, seed=3)
    assert 0 < len(many) < 80
    assert (many.kind == Kind.KOT).all()
    few = find_moments(variant("single_sar"), GREEDY, kot, int(many.table[2]) + 1, seed=3)
    assert few.save_state() == many.take(np.arange(3)).save_state()


def test_what_cannot_be_found_is_refused():
    with pytest.raises(ValueError, match="no table of 5 comes to such a moment"):
        find_moments(variant("mendikot"), GREEDY, lambda tables: tables.kots[:, 0] > 0, 5, seed=0)
    with pytest.raises(ValueError, match="wanted must"):
        find_moments(variant("mendikot"), GREEDY, lambda tables: [True], 5, seed=0)
