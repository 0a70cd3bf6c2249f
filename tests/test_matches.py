"""Training for the match: rounds begin where matches come to, and pay what they change there."""

import numpy as np
import pytest
import torch

import rungenv
from agents.match_chances import match_chances
from rungenv.bits import count
from train import config, matches, ppo
from train.learner import make_learner
from train.rollout import play_rounds

GAMES = [(game, {}) for game in rungenv.VARIANTS] + [
    ("single_sar", {"scoring": "kots", "change_trump": True, "new_cards": 2}),
    ("hidden_rung", {"points_target": 3, "collects": "pile"}),
]


def settings_for(game, **rules):
    small = {"network.hidden": [16], "network.critic_hidden": [16], "ppo.deals": 16, "threads": 1}
    return config.load(None, small | {"game": game, "rules": rules, "payoff": "match"})


@pytest.mark.parametrize(("game", "options"), GAMES)
def test_standings_are_those_that_matches_come_to(game, options):
    rules = rungenv.variant(game, **options)
    met = matches.standings_met(rules)
    total = getattr(met, matches.totals_for(rules)[0])
    assert (met.match_winner < 0).all()
    assert total.min() == 0
    assert total.max() == rules.target - 1
    assert (met.streak.min(axis=1) == 0).all(), "only one team has won the last round"
    assert met.streak.max() == (0 if rules.goal == "tens" else min(6, met.points.max()))
    assert (met.points >= met.streak).all(), "each of these rounds has paid a point"
    assert sorted(set(met.next_dealer.tolist())) == [0, 1, 2, 3]
    left = sorted(set(met.new_cards_left.ravel().tolist()))
    assert left == list(range(rules.new_cards[0] + 1))


@pytest.mark.parametrize(("game", "options"), GAMES)
def test_rounds_begin_where_their_matches_stand(game, options):
    rules = rungenv.variant(game, **options)
    standings = matches.draw_standings(rules, 40, np.random.default_rng(1))
    tables = matches.begin(standings, seed=5, first_table=100)
    for column in ("points", "kots", "streak", "new_cards_left"):
        assert np.array_equal(getattr(tables, column), getattr(standings, column))
    assert np.array_equal(tables.dealer, standings.next_dealer)
    assert (tables.seat >= 0).all()
    assert (standings.seat < 0).all(), "they stay as they were"
    alone = matches.begin(standings.take([7]), seed=5, first_table=107)
    assert np.array_equal(alone.deal[0], tables.deal[7])
    assert len({deal.tobytes() for deal in tables.deal}) == 40


@pytest.mark.parametrize(("game", "options"), GAMES)
def test_the_outcome_is_the_change_of_the_chance_to_win_the_match(game, options):
    settings = settings_for(game, **options)
    rules, learner = settings.rules, make_learner(settings)
    standings = matches.draw_standings(rules, 24, np.random.default_rng(2))
    rollout = play_rounds(
        learner.policy, rules, 24, 5, 8, np.random.default_rng(0), standings=standings
    )
    tables = matches.begin(standings, 5, 8)  # and once more, by what was chosen
    encoding, decided = learner.policy.encoding, 0
    while (tables.seat >= 0).any():
        acting = tables.seat >= 0
        actions = tables.legal_mask().argmax(axis=1)
        free = np.flatnonzero(count(tables.legal_set) > 1)
        view = rungenv.observe(tables.take(free))
        order, now = encoding.order(view), slice(decided, decided + len(free))
        read = rollout.features[now, : encoding.width].numpy()
        assert np.array_equal(read, encoding.features(view, order))
        actions[free] = encoding.actions(rollout.choice[now].numpy(), order)
        rungenv.step(tables, actions, acting)
        decided += len(free)
    assert decided == len(rollout.player)
    gained = rules.target * (match_chances(tables) - match_chances(standings))
    assert np.abs(gained).max() > 0.05
    sign = 1 - 2 * (rollout.player % 2)
    np.testing.assert_allclose(rollout.outcome, sign * gained[rollout.player // 4], atol=1e-6)


@pytest.mark.parametrize(("game", "options"), GAMES)
def test_the_policy_reads_its_own_and_the_others_totals(game, options):
    settings = settings_for(game, **options)
    learner, rules = make_learner(settings), settings.rules
    field = matches.totals_for(rules)[0]
    standings = matches.draw_standings(rules, 24, np.random.default_rng(2))
    rollout = play_rounds(
        learner.policy, rules, 24, 5, 0, np.random.default_rng(0), standings=standings
    )
    read = rollout.features[:, learner.policy.encoding.columns_of(field)].numpy()
    table, team = rollout.player // 4, rollout.player % 2
    both = getattr(standings, field)
    assert np.array_equal(read[:, 0], both[table, team])
    assert np.array_equal(read[:, 1], both[table, 1 - team])
    elsewhere = rollout.features.clone()
    elsewhere[:, learner.policy.encoding.columns_of(field)] = 0
    with torch.inference_mode():
        moved = learner.critic(rollout.features) - learner.critic(elsewhere)
    has_score = torch.from_numpy(read.any(axis=1))
    assert moved[has_score].abs().min() > 0, "and what it reads makes a difference"
    assert moved[~has_score].eq(0).all()


def test_for_points_nothing_of_the_match_is_read():
    fields = config.load(None, {"game": "single_sar"}).fields
    assert {"points", "kots", "streak"}.isdisjoint(fields)


def test_what_a_round_is_worth_depends_on_the_score():
    """At nine to nine a round decides the match; at nothing to nothing it decides little."""
    rules = rungenv.variant("single_sar")
    standings = matches.draw_standings(rules, 2, np.random.default_rng(0))
    standings.points[:] = [[9, 9], [0, 0]]
    standings.streak[:] = 0
    ended = matches.begin(standings, 3, 0)
    while (ended.seat >= 0).any():
        rungenv.step(ended, ended.legal_mask().argmax(axis=1), ended.seat >= 0)
    at_nine, at_nothing = abs(matches.gains(standings, ended))
    assert at_nine > 2.5
    assert at_nothing < 2


@pytest.mark.parametrize("critic", ["value", "q"])
def test_a_policy_learns_for_the_match(critic):
    small = {"network": {"hidden": [8], "critic_hidden": [32]}, "threads": 1}
    several = {"ppo": {"epochs": 8, "minibatch": 256, "critic": critic}}
    settings = config.load(None, small | several | {"game": "mendikot", "payoff": "match"})
    learner = make_learner(settings)
    standings = matches.draw_standings(settings.rules, 64, np.random.default_rng(0))
    rollout = play_rounds(
        learner.policy, settings.rules, 64, 5, 0, np.random.default_rng(0), standings=standings
    )
    losses = [
        ppo.update(learner, rollout, settings.ppo, 5e-3, 0.05, 0.0, np.random.default_rng(0))
        for _ in range(2)
    ]
    assert losses[1].explained_variance > max(0.1, losses[0].explained_variance)
