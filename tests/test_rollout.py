"""Self-play: what a rollout holds, and that it is what was played."""

import itertools

import numpy as np
import pytest
import torch

import rungenv
from rungenv.bits import count
from train import config
from train.critic import Critic
from train.learner import make_learner
from train.rollout import play_rounds


def policy_for(game, certain=False, **options):
    settings = config.load(None, {"game": game, "network.hidden": [16], "rules": options})
    policy = make_learner(settings).policy
    if certain:  # one choice gets all the chance, so that no random number matters
        with torch.no_grad():
            policy.layers[-1].weight.mul_(1e9)
    return policy, settings.rules


def rollout_of(game, deals=32, first_table=0, seed=0, certain=False, **options):
    policy, rules = policy_for(game, certain, **options)
    return policy, play_rounds(policy, rules, deals, 5, first_table, np.random.default_rng(seed))


GAMES = [(game, {}) for game in rungenv.VARIANTS] + [
    ("single_sar", {"new_cards": 1, "change_trump": True}),
    ("hidden_rung", {"new_cards": 1, "change_trump": True, "collects": "pile"}),
]


@pytest.mark.parametrize(("game", "options"), GAMES)
def test_a_rollout_is_what_its_parts_say(game, options):
    policy, rollout = rollout_of(game, **options)
    m = len(rollout.player)
    assert rollout.features.shape == (m, policy.encoding.width + 208)
    assert rollout.features.dtype == torch.uint8
    assert rollout.legal.shape == (m, 61)
    assert (rollout.legal.sum(dim=1) > 1).all(), "forced decisions are left out"
    assert rollout.legal[torch.arange(m), rollout.choice].all()
    assert rollout.steps > m
    with torch.inference_mode():
        logits = policy(rollout.features[:, : policy.encoding.width])
    chances = logits.masked_fill(~rollout.legal, -torch.inf).log_softmax(dim=1)
    again = chances.gather(1, rollout.choice[:, None]).squeeze(1)
    torch.testing.assert_close(rollout.log_probability, again, atol=1e-4, rtol=1e-4)


@pytest.mark.parametrize("game", rungenv.VARIANTS)
def test_partners_share_the_outcome_and_opponents_pay_it(game):
    _, rollout = rollout_of(game)
    to_team_0 = rollout.outcome * np.where(rollout.player % 2 == 0, 1, -1)
    by_table = [set(to_team_0[rollout.player // 4 == table].tolist()) for table in range(32)]
    assert all(len(found) == 1 for found in by_table)
    assert 0.0 not in set.union(*by_table)


@pytest.mark.parametrize("game", rungenv.VARIANTS)
def test_many_tables_play_as_each_does_alone(game):
    _, together = rollout_of(game, deals=12, first_table=40, certain=True)
    steps = 0
    for table in range(12):
        _, alone = rollout_of(game, deals=1, first_table=40 + table, certain=True)
        mine = together.player // 4 == table
        assert np.array_equal(together.player[mine] % 4, alone.player)
        assert np.array_equal(together.outcome[mine], alone.outcome)
        assert torch.equal(together.features[torch.from_numpy(mine)], alone.features)
        assert torch.equal(together.choice[torch.from_numpy(mine)], alone.choice)
        steps += alone.steps
    assert together.steps == steps


def test_the_outcome_is_what_the_kernel_pays():
    policy, rules = policy_for("single_sar", certain=True)
    rollout = play_rounds(policy, rules, 6, 5, 0, np.random.default_rng(0))
    tables = rungenv.deal(rules, 6, seed=5)
    encoding = policy.encoding
    paid = np.zeros(6)
    decided = 0
    while (tables.seat >= 0).any():
        view = rungenv.observe(tables)
        order = encoding.order(view)
        legal = torch.from_numpy(encoding.legal(view, order))
        with torch.inference_mode():
            logits = policy(torch.from_numpy(encoding.features(view, order)))
        choices = logits.masked_fill(~legal, -torch.inf).argmax(dim=1).numpy()
        decided += int((count(tables.legal_set) > 1).sum())
        events = rungenv.step(tables, encoding.actions(choices, order))
        paid += events.points[:, 0] - events.points[:, 1]
    assert decided == len(rollout.player)
    assert np.array_equal(rollout.outcome, paid[rollout.player // 4] * (1 - rollout.player % 2 * 2))


def test_shuffled_suits_keep_their_names_for_a_round():
    settings = config.load(None, {"network.hidden": [16], "network.suits": "shuffled"})
    policy = make_learner(settings).policy
    rollout = play_rounds(policy, settings.rules, 32, 5, 0, np.random.default_rng(0))
    hands = rollout.features.numpy()[:, policy.encoding.columns_of("hand")].reshape(-1, 4, 13)
    dealt = np.zeros((32, 4, 52), np.uint8)
    np.put_along_axis(dealt, rungenv.deal(settings.rules, 32, seed=5).deal, 1, axis=2)
    names = set()
    for table in range(32):
        mine = np.flatnonzero(rollout.player // 4 == table)
        held = dealt[table, rollout.player[mine] % 4].reshape(-1, 4, 13)
        fits = [
            order
            for order in itertools.permutations(range(4))
            if (hands[mine] <= held[:, list(order)]).all()
        ]
        assert len(fits) == 1, "all that was read in the round is of one naming"
        names.update(fits)
    assert len(names) > 10
    again = play_rounds(policy, settings.rules, 32, 5, 0, np.random.default_rng(0))
    assert torch.equal(rollout.features, again.features)


def test_a_seed_repeats_a_rollout_and_another_does_not():
    _, first = rollout_of("single_sar", seed=1)
    _, same = rollout_of("single_sar", seed=1)
    _, other = rollout_of("single_sar", seed=2)
    assert torch.equal(first.features, same.features)
    assert torch.equal(first.choice, same.choice)
    assert first.features.shape != other.features.shape or not torch.equal(
        first.features, other.features
    )


def test_the_critic_reads_the_other_hands():
    policy, rules = policy_for("single_sar")
    rollout = play_rounds(policy, rules, 4, 5, 0, np.random.default_rng(0))
    hidden = rollout.features[:, policy.encoding.width :]
    assert hidden.shape[1] == 208
    assert hidden[:4].sum(dim=1).tolist() == [39] * 4, "before the play, three hands of 13"


@pytest.mark.parametrize("all_hands", [True, False])
def test_a_critic_that_sees_the_view_alone_judges_alike_whatever_the_others_hold(all_hands):
    policy, rules = policy_for("mendikot_band")
    features = play_rounds(policy, rules, 4, 5, 0, np.random.default_rng(0)).features
    critic = Critic(policy.encoding, (16,), all_hands=all_hands)
    others = features.clone()
    others[:, policy.encoding.width :] = 1 - others[:, policy.encoding.width :]
    assert torch.equal(critic(features), critic(others)) == (not all_hands)
