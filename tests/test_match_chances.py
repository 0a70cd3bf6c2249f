"""The chance to win a match from where a round leaves it."""

import numpy as np
import pytest

import agents
import rungenv
from agents.match_chances import match_chances, round_results, standings

RNG = np.random.default_rng(0)


def finished(rules, **columns):
    """Rounds that have ended, with match columns written over."""
    tables = rungenv.deal(rules, 1, seed=1)
    while (tables.seat >= 0).any():
        rungenv.step(tables, agents.make("greedy").act(rungenv.observe(tables), RNG))
    for name, value in columns.items():
        getattr(tables, name)[0] = value
    return tables


@pytest.mark.parametrize(
    ("game", "options"),
    [("single_sar", {}), ("double_sar", {"scoring": "kots"}), ("mendikot", {"points_target": 3})],
)
def test_chances_are_fair_and_grow_with_the_score(game, options):
    rules = rungenv.variant(game, **options)
    target = rules.target
    by_score = standings(rules).reshape(target, target, 2, 13)[..., 0]
    turned = by_score.swapaxes(0, 1)[:, :, ::-1]  # the teams exchanged, and who deals
    assert np.allclose(by_score + turned, 1, atol=1e-6)
    assert (np.diff(by_score, axis=0) > -1e-9).all()  # the last point may be worth nothing
    assert (np.diff(by_score, axis=1) < 1e-9).all()
    assert (by_score[-1] > by_score[0]).all()


def test_a_match_that_is_won_is_worth_all():
    rules = rungenv.variant("single_sar")
    assert match_chances(finished(rules, match_winner=0)) == 0.5
    assert match_chances(finished(rules, match_winner=1)) == -0.5


def test_one_point_short_of_a_target_of_one_round_decides():
    """With a target of 1 every round decides: the chance is that of winning a round."""
    rules = rungenv.variant("single_sar", points_target=1)
    callers, others = round_results(rules).sum(axis=1)
    assert callers + others == pytest.approx(1)
    chances = standings(rules).reshape(2, 13)[:, 0]
    assert chances == pytest.approx([others, callers])  # team 0 deals, or calls


def test_a_search_plays_for_the_match():
    """Nine points to nine: any win will do, so that no risk is taken for a kot."""
    rules = rungenv.variant("single_sar")
    tables = rungenv.deal(rules, 2, seed=3)
    tables.points[:] = 9
    searches = agents.make("search:payoff=match,worlds=2")
    ended = tables.copy()
    while (ended.seat >= 0).any():
        acting = ended.seat >= 0
        part = ended.take(acting)
        rungenv.step(part, searches.act(rungenv.observe(part), RNG))
        ended.put(acting, part)
    assert (np.abs(searches.payoff(ended)) == 0.5).all()
