"""sb3-contrib's MaskablePPO learns a seat of a game, one table or many at a time."""

import numpy as np
import pytest
import sb3_maskable_ppo
import sb3_vector
import torch
from sb3_agent import Sb3Agent
from stable_baselines3.common.env_checker import check_env
from stable_baselines3.common.env_util import make_vec_env

import agents
import rungenv
from rungenv.registration import gymnasium_id
from rungenv.seat_env import SeatEnv
from train import arena


def test_a_short_run_on_single_environments_beats_random():
    score = sb3_maskable_ppo.main("mendikot", timesteps=80_000)
    assert score.mean > score.margin


def test_a_short_run_on_many_tables_beats_random():
    score = sb3_vector.main("single_sar", timesteps=200_000)
    assert score.mean > score.margin


def test_an_untrained_policy_is_no_better_than_random():
    """The measure itself favours nobody."""
    env = make_vec_env(gymnasium_id("single_sar"), env_kwargs=sb3_maskable_ppo.OPTIONS)
    model = sb3_maskable_ppo.learn(env, 16, timesteps=0, seed=0)
    score = sb3_maskable_ppo.measure(model, "single_sar", 20_000, seed=5)
    assert abs(score.mean) < 2 * score.margin


@pytest.mark.parametrize("game", rungenv.VARIANTS)
def test_a_few_updates_run_in_every_game(game):
    env = make_vec_env(gymnasium_id(game), 4, seed=1, env_kwargs=sb3_maskable_ppo.OPTIONS)
    model = sb3_maskable_ppo.learn(env, 64, timesteps=512, seed=1)
    assert model.num_timesteps >= 512
    assert torch.isfinite(model.get_parameters()["policy"]["action_net.bias"]).all()


@pytest.mark.parametrize("options", [{}, {"observation": "float"}, {"flat": False}])
def test_stable_baselines_finds_no_fault_with_an_environment(options):
    check_env(SeatEnv("hidden_rung", **options))


def test_many_tables_say_what_single_environments_say():
    """The masks are those of the observations shown, and an episode's last one is handed on."""
    env = sb3_vector.TablesVecEnv("double_sar", 32, fields=("legal_cards",))
    env.seed(3)
    cards, rng = env.reset(), np.random.default_rng(0)
    ended = 0
    for _ in range(40):
        masks = np.array(env.env_method("action_masks"))
        assert np.array_equal(masks[:, :52], cards), "columns 0 to 51 are the cards"
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in masks])
        cards, rewards, over, infos = env.step(actions)
        assert (rewards[~over] == 0).all()
        assert (rewards[over] != 0).all()
        assert all(
            ("terminal_observation" in info) == done for info, done in zip(infos, over, strict=True)
        )
        ended += over.sum()
    assert ended >= 32


def test_a_model_is_an_agent_that_reads_what_its_environment_showed():
    rules = rungenv.variant("single_sar")
    env = make_vec_env(gymnasium_id("single_sar"), env_kwargs=sb3_maskable_ppo.OPTIONS)
    model = sb3_maskable_ppo.learn(env, 16, timesteps=0, seed=0)
    agent = Sb3Agent(model, sb3_maskable_ppo.FIELDS)
    seat = SeatEnv("single_sar", **sb3_maskable_ppo.OPTIONS)
    for seed in range(20):
        observation, info = seat.reset(seed=seed)
        view = rungenv.observe(seat.tables)
        expected, _ = model.predict(
            observation, action_masks=info["action_mask"], deterministic=True
        )
        assert agent.act(view, np.random.default_rng(0)).tolist() == [int(expected)]
    score = arena.duel(rules, agent, agents.make("random"), 50, seed=0)
    assert score.pairs == 50
