"""Solvers: by brute force on `Table`, by the kernel, by alpha-beta, and by DDS the same values."""

import copy

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rungenv
from agents import alpha_beta, endgame
from agents.dds import tricks_by_card
from agents.endgame import round_ends, solve, solve_by_kernel
from agents.payoffs import points
from endings import called_endings, endings
from rungenv.bits import members
from test_agents import any_rules


def brute_force(table):
    """What a `Table` pays team 0 with best play: every action tried, one after another."""
    if table.seat < 0:
        return points(table.tables)[0]
    values = []
    for action in members(table.legal_set):
        after = copy.copy(table)
        after.step(action)
        values.append(brute_force(after))
    return max(values) if table.seat % 2 == 0 else min(values)


@pytest.mark.parametrize("game", rungenv.VARIANTS)
def test_the_kernel_solves_as_brute_force_does(game):
    tables = endings(rungenv.variant(game), 40, 2, seed=5).take(slice(0, 8))
    forced = [brute_force(rungenv.Table(tables.take([i]))) for i in range(len(tables))]
    assert solve_by_kernel(tables, points).tolist() == forced
    assert len(set(forced)) > 1


@settings(max_examples=25)
@given(rules=any_rules(), left=st.integers(1, 3), seed=st.integers(0, 2**32))
def test_alpha_beta_solves_as_the_kernel_does(rules, left, seed):
    tables = endings(rules, 24, left, seed)
    quick = alpha_beta.solve(tables, round_ends(tables, points), tables.everyone)
    assert quick.tolist() == solve_by_kernel(tables, points).tolist()


@pytest.mark.parametrize("game", rungenv.VARIANTS)
def test_alpha_beta_solves_as_the_kernel_does_from_four_tricks(game):
    tables = endings(rungenv.variant(game), 60, 4, seed=2).take(slice(0, 12))
    quick = alpha_beta.solve(tables, round_ends(tables, points), tables.everyone)
    assert quick.tolist() == solve_by_kernel(tables, points).tolist()


def test_work_that_worlds_share_changes_nothing():
    tables = endings(rungenv.variant("double_sar"), 30, 3, seed=1)
    parent, action = np.nonzero(tables.legal_mask())
    after = tables.take(parent)
    rungenv.step(after, action)
    assert solve(after, points, parent).tolist() == solve(after, points).tolist()


def test_without_numba_the_values_are_the_same(monkeypatch):
    tables = endings(rungenv.variant("hidden_rung"), 20, 2, seed=3)
    quick = solve(tables, points)
    monkeypatch.setattr(endgame, "find_spec", lambda name: None)
    monkeypatch.setattr(alpha_beta, "solve", None)
    assert solve(tables, points).tolist() == quick.tolist()


def test_what_is_over_is_worth_what_it_paid():
    tables = endings(rungenv.variant("single_sar"), 30, 1, seed=3)
    while (tables.seat >= 0).any():
        rungenv.step(tables, rungenv.bits.lowest(tables.legal()).astype(np.int64))
    for solver in (solve, solve_by_kernel):
        assert solver(tables, points).tolist() == points(tables).tolist()


def tricks_by_outcomes(tables, cards):
    """How many of the last tricks team 0 takes, read from which rounds it wins."""
    taken = np.zeros(len(tables), np.int64)
    for wanted in range(1, cards + 1):  # team 0 wins the round if it takes so many
        tables.tricks = [7 - wanted, 13 - cards - (7 - wanted)]
        taken += solve(tables, points) > 0
    return taken


def test_outcomes_are_those_of_the_double_dummy_solver():
    tables = called_endings(2000, 5, seed=9)
    most = tricks_by_card(tables).max(axis=1)
    expected = np.where(tables.seat % 2 == 0, most, 5 - most)
    assert tricks_by_outcomes(tables, 5).tolist() == expected.tolist()
    assert set(expected) == set(range(6))
