"""The mathematics of training, against plain loops and cases worked out by hand."""

import math
from dataclasses import replace

import numpy as np
import torch

from agents.network import only_legal
from train import config, ppo
from train.learner import make_learner
from train.rollout import play_rounds


def test_the_surrogate_stops_gaining_outside_the_clip():
    ratio = torch.tensor([1.5, 1.5, 0.5, 0.5, 1.1], requires_grad=True)
    advantage = torch.tensor([1.0, -1.0, 1.0, -1.0, 1.0])
    loss = ppo.policy_loss(ratio, advantage, clip=0.2)
    torch.testing.assert_close(loss, -torch.tensor([1.2, -1.5, 0.5, -0.8, 1.1]).mean())
    loss.backward()
    assert ratio.grad is not None
    assert (ratio.grad != 0).tolist() == [False, True, True, False, True]


def test_illegal_choices_have_no_chance_and_no_entropy():
    legal = torch.zeros(2, 61, dtype=torch.bool)
    legal[0, [3, 50, 60]] = True
    legal[1, 7] = True
    logits = only_legal(torch.zeros(2, 61), legal)
    assert logits.softmax(dim=1)[~legal].eq(0).all()
    torch.testing.assert_close(ppo.entropies(logits), torch.tensor([math.log(3), 0.0]))


def test_divergence_is_zero_for_no_change_and_near_the_true_one_for_a_small_one():
    assert ppo.divergence(torch.zeros(5)) == 0
    old = torch.tensor([0.5, 0.3, 0.2])
    new = torch.tensor([0.4, 0.35, 0.25])
    drawn = torch.from_numpy(np.random.default_rng(0).choice(3, size=200_000, p=old.numpy()))
    estimate = ppo.divergence((new / old).log()[drawn])
    exact = (old * (old / new).log()).sum()
    torch.testing.assert_close(estimate, exact, atol=5e-4, rtol=0)


def test_explained_variance():
    actual = np.array([1.0, -1.0, 2.0, -2.0])
    assert ppo.explained_variance(actual, actual) == 1
    assert ppo.explained_variance(np.zeros(4), actual) == 0
    assert ppo.explained_variance(-actual, actual) < 0
    assert ppo.explained_variance(np.zeros(2), np.ones(2)) == 0


def test_threads_share_the_work_and_repeat_each_other():
    settings = config.load(None, {"network.hidden": [16], "ppo.deals": 8, "ppo.minibatch": 100})
    ends = []
    for threads in (1, 3, 3):
        learner = make_learner(replace(settings, threads=threads))
        for update in range(2):
            rng = np.random.default_rng(update)
            rollout = play_rounds(learner.policy, settings.rules, 8, 0, 8 * update, rng)
            ppo.update(learner, rollout, settings.ppo, 1e-3, 0.05, 0.0, rng)
        ends.append(torch.cat([parameter.detach().ravel() for parameter in learner.parameters]))
    torch.testing.assert_close(ends[0], ends[1], atol=1e-4, rtol=1e-3)
    assert torch.equal(ends[1], ends[2])


def test_guessing_who_holds_a_card_is_right_only_for_cards_that_others_hold():
    hidden = torch.zeros(1, 4, 4, 13, dtype=torch.uint8)  # slot, hand, rank
    hidden[0, 2, 1, 5] = 1  # the partner has a card of slot 2
    hidden[0, 3, 3, 0] = 1  # a card face down counts for nobody
    places = torch.zeros(1, 3, 52)
    loss = ppo.cards_loss(places, hidden.view(1, 208))
    torch.testing.assert_close(loss, torch.tensor(math.log(3)))
    places[0, 1, 2 * 13 + 5] = 20.0
    assert ppo.cards_loss(places, hidden.view(1, 208)) < 1e-6
    assert ppo.cards_loss(places, torch.zeros(1, 208, dtype=torch.uint8)) == 0


def test_a_policy_learns_to_guess_the_cards():
    settings = config.load(
        None,
        {
            "network.hidden": [64],
            "ppo": {"deals": 64, "minibatch": 512, "cards_weight": 1.0, "epochs": 30},
            "threads": 1,
        },
    )
    learner = make_learner(settings)
    rollout = play_rounds(learner.policy, settings.rules, 64, 0, 0, np.random.default_rng(0))
    read, hidden = rollout.features.tensor_split([learner.policy.encoding.width], dim=1)
    losses = []
    for _ in range(2):
        with torch.inference_mode():
            _, places = learner.policy.with_places(read)
            assert places is not None
            losses.append(float(ppo.cards_loss(places, hidden)))
        ppo.update(learner, rollout, settings.ppo, 3e-3, 0.05, 1.0, np.random.default_rng(0))
    assert losses[0] > 1.05, "at first it knows nothing: log 3 is 1.10"
    assert losses[1] < 0.9
    assert abs(rollout.lead).max() <= 1
