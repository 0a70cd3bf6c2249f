"""TorchRL's PettingZooWrapper collects rounds, and its masks are ours."""

import pytest
import torch
import torchrl_rollout
from torchrl.envs.utils import check_env_specs

import rungenv


@pytest.mark.parametrize("game", rungenv.VARIANTS)
def test_a_rollout_respects_the_masks(game):
    rollout = torchrl_rollout.main(game, steps=150)
    agents = [f"player_{seat}" for seat in range(4)]

    turns = torch.stack([rollout[agent, "mask"].squeeze(-1) for agent in agents])
    assert (turns.sum(0) == 1).all(), "one agent acts at a time"
    assert (turns.sum(1) > 10).all(), "and every agent does"
    for agent, acted in zip(agents, turns, strict=True):
        legal = rollout[agent, "action_mask"].squeeze(1)[acted]
        chosen = rollout[agent, "action"].squeeze(1)[acted]
        assert legal.gather(1, chosen[:, None]).all()
        assert legal.sum(1).max() <= 14, "thirteen cards and REVEAL, and never just ones"


def test_the_rewards_of_a_rollout_are_those_of_the_teams():
    rollout = torchrl_rollout.main("double_sar", steps=300)
    over = rollout["next", "done"].squeeze(-1)
    paid = torch.stack([rollout["next", f"player_{seat}", "reward"].flatten() for seat in range(4)])
    assert over.sum() >= 4
    assert (paid[:, ~over] == 0).all()
    assert (paid[:, over] != 0).all()
    assert (paid[0] == paid[2]).all()
    assert (paid[1] == paid[3]).all()
    assert (paid.sum(0) == 0).all()


def test_the_same_seed_gives_the_same_rollout():
    first, second = (torchrl_rollout.main("mendikot_band", steps=80, seed=7) for _ in range(2))
    assert (first == second).all()


@pytest.mark.parametrize("game", ["hidden_rung", "be_ranga"])
def test_torchrl_finds_no_fault_with_the_specs(game):
    check_env_specs(torchrl_rollout.make_env(game, seed=1))
