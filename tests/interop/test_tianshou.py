"""Tianshou's PettingZooEnv plays every game, and partners learn by DQN against random players."""

import numpy as np
import pytest
import tianshou_dqn

import rungenv


@pytest.mark.parametrize("game", rungenv.VARIANTS)
def test_dqn_partners_and_random_opponents_play_whole_rounds(game):
    training, played = tianshou_dqn.main(game, steps=400, rounds=8)

    assert training.train_step >= 400
    losses = training.update_step
    assert losses > 0
    returns = played.returns
    assert returns.shape == (8, 4)
    assert (returns[:, 0] == returns[:, 2]).all(), "partners are paid alike"
    assert (returns[:, 1] == returns[:, 3]).all()
    assert (returns.sum(axis=1) == 0).all()
    assert (np.abs(returns) >= 1).all(), "every round was played to its end"


def test_a_mask_reaches_the_policies():
    env = tianshou_dqn.make_env("hidden_rung")
    observation, info = env.reset(seed=3)
    assert observation["agent_id"] == env.env.agent_selection
    assert (
        np.flatnonzero(observation["mask"]).tolist() == np.flatnonzero(info["action_mask"]).tolist()
    )
    assert 0 < sum(observation["mask"]) <= 13
