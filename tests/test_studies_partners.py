"""Teams of two different agents."""

import numpy as np
import pytest

import agents
import rungenv
from rungenv import VARIANTS, variant
from train import arena
from train.studies import agreement, habits, partners
from train.studies.estimate import estimate

GREEDY = agents.make("greedy")
EXPERT = agents.make("expert")
RANDOM = agents.make("random")


@pytest.mark.parametrize("game", VARIANTS)
def test_a_team_of_twins_is_what_a_duel_measures(game):
    rules = variant(game)
    found = partners.team_points(rules, (EXPERT, EXPERT), (GREEDY, GREEDY), 12, seed=3)
    score = arena.duel(rules, EXPERT, GREEDY, 12, seed=3)
    assert estimate(found).mean == pytest.approx(score.points)


def test_a_mixed_team_sits_in_all_four_ways():
    """Each deal once more, table by table, with an agent for every seat."""
    rules = variant("double_sar")
    found = partners.team_points(rules, (EXPERT, GREEDY), (GREEDY, EXPERT), 3, seed=3)
    for deal in range(3):
        points = []
        for sits, sign in (
            ((EXPERT, GREEDY, GREEDY, EXPERT), 1),
            ((GREEDY, EXPERT, EXPERT, GREEDY), -1),
            ((GREEDY, GREEDY, EXPERT, EXPERT), 1),
            ((GREEDY, GREEDY, EXPERT, EXPERT), -1),
        ):
            table = rungenv.deal(rules, 1, seed=3, first_table=deal)
            while table.seat[0] >= 0:
                player = sits[table.seat[0]]
                action = player.act(rungenv.observe(table), np.random.default_rng(0))
                rungenv.step(table, action)
            points.append(sign * int(table.points[0, 0] - table.points[0, 1]))
        assert found[deal] == np.mean(points)


def test_a_team_with_a_weak_member_is_between_the_teams_of_twins():
    found = partners.cross_play(
        variant("single_sar"), (GREEDY, RANDOM), (GREEDY, GREEDY), 300, seed=4
    )
    assert found.shape == (2, 2, 300)
    assert np.array_equal(found[0, 1], found[1, 0])
    strong, mixed, weak = (estimate(found[at]) for at in ((0, 0), (0, 1), (1, 1)))
    assert weak.high < mixed.low
    assert mixed.high < strong.low
    assert strong.mean == pytest.approx(0), "twins against their like, on duplicate deals"
    lost = partners.lost_to_strangers(found, 0, 1)
    assert lost.mean() == pytest.approx((strong.mean + weak.mean) / 2 - mixed.mean)


def test_blocks_change_nothing_but_the_time(monkeypatch):
    args = variant("mendikot"), (EXPERT, GREEDY), (GREEDY, GREEDY), 15
    whole = partners.team_points(*args, seed=5)
    monkeypatch.setattr(partners, "_BLOCK", 6)
    assert np.array_equal(partners.team_points(*args, seed=5), whole)


@pytest.mark.parametrize("game", ["hidden_rung", "be_ranga"])
def test_agreement_is_of_the_same_decisions(game):
    rules = variant(game)
    found = agreement.agreement(rules, (GREEDY, GREEDY, RANDOM), EXPERT, 40, seed=6)
    assert list(found) == list(agreement.KINDS)
    assert found["the trump"].shape[2] == (40 if rules.calls else 0)
    for same in found.values():
        assert same[0, 1].all()
        assert np.array_equal(same[0, 2], same[2, 0])
        assert same.shape[2] <= 40
    assert 0 < found["following suit"][0, 2].mean() < 1


@pytest.mark.parametrize("game", VARIANTS)
def test_every_decision_is_of_one_kind(game):
    found = habits.decisions(variant(game), GREEDY, 4, 6, lambda view: np.ones(len(view), np.bool_))
    kinds = np.stack([is_kind(found.view) for is_kind in agreement.KINDS.values()])
    assert (kinds.sum(axis=0) == 1).all()
