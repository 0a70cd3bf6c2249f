"""Expert iteration: when it comes, at which tables, and that the policy learns what it plays."""

import os
import signal

import numpy as np
import pytest
import torch

import rungenv
from agents.network import NetworkAgent
from agents.search import Search
from train import checkpoint, config, iteration, loop
from train.imitation import imitate
from train.learner import make_learner
from train.mixture import play, portions_of
from train.settings import Iteration

SMALL = {
    "threads": 1,
    "network": {"hidden": [32], "critic_hidden": [16]},
    "ppo": {"deals": 8, "epochs": 40, "minibatch": 512},
    "iteration": {"every": 3, "share": 0.5, "worlds": 2},
    "report": {"pairs": 0},
}


def test_it_is_the_last_of_every_few_updates():
    due = [update for update in range(9) if iteration.is_due(Iteration(every=3), update)]
    assert due == [2, 5, 8]
    assert not any(iteration.is_due(Iteration(), update) for update in range(9))


@pytest.mark.parametrize("game", rungenv.VARIANTS)
def test_the_policy_learns_what_the_search_by_it_plays(game):
    settings = config.from_dict({"game": game, **SMALL})
    learner = make_learner(settings)
    policy = NetworkAgent(learner.player(), settings.rules, "policy")
    tables = iteration.some_of(portions_of(settings), settings.iteration.share)
    assert [portion.own for portion in tables] == [range(4)]
    rollout = play(
        learner.policy,
        tables,
        seed=5,
        first_table=0,
        rng=np.random.default_rng(0),
        teacher=iteration.searcher(learner, settings),
    )
    view = rungenv.observe(rungenv.deal(settings.rules, 4, 5))
    rng = np.random.default_rng(0)
    ours = Search.by(policy, worlds=2).act(view, rng)
    order = learner.policy.encoding.order(view)
    first = [int(np.flatnonzero(rollout.player // 4 == table)[0]) for table in range(4)]
    free = view.legal & (view.legal - np.uint64(1)) != 0
    choices = learner.policy.encoding.choices(ours, order)
    for table in np.flatnonzero(free):
        assert int(rollout.choice[first[table]]) == choices[table]

    before = imitate(learner, rollout, settings.ppo, 2e-3, np.random.default_rng(0))
    after = imitate(learner, rollout, settings.ppo, 2e-3, np.random.default_rng(1))
    assert after.policy < before.policy
    assert after.clipped < 0.2, "it would choose nearly all of this by itself now"


def test_a_run_with_it_goes_on_as_if_it_had_not_been_stopped(tmp_path, monkeypatch):
    often = {"iteration": {"every": 2, "share": 0.25, "worlds": 2}, "budget": {"total_steps": 1100}}
    settings = config.from_dict({"game": "single_sar", **SMALL, **often})
    searched = []
    make = iteration.searcher

    def counted(learner, told):
        searched.append(told)
        if len(searched) == 1:
            os.kill(os.getpid(), signal.SIGINT)
        return make(learner, told)

    monkeypatch.setattr(iteration, "searcher", counted)
    stopped = loop.train(settings, tmp_path / "parts")
    assert (stopped.updates, len(searched)) == (2, 1), "stopped after the update with the search"
    parts = loop.train(settings, tmp_path / "parts")
    assert len(searched) == parts.updates // 2 > 1
    whole = loop.train(settings, tmp_path / "whole")
    assert (whole.updates, whole.steps) == (parts.updates, parts.steps)
    weights = [
        dict(checkpoint.load(tmp_path / name)[1].named_parameters()) for name in ("whole", "parts")
    ]
    assert all(torch.equal(weights[0][name], weights[1][name]) for name in weights[0])


@pytest.mark.parametrize(
    ("told", "message"),
    [
        ({"share": 0}, r"iteration\.share must be more than 0, not 0"),
        ({"share": 1.5}, r"iteration\.share must be at most 1, not 1\.5"),
        ({"worlds": 0}, r"iteration\.worlds must be more than 0, not 0"),
        ({"evry": 3}, r"evry.*every"),
    ],
)
def test_what_cannot_be_is_refused(told, message):
    with pytest.raises(ValueError, match=message):
        config.from_dict({"iteration": told})
