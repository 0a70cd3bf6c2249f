"""Tianshou: PettingZooEnv runs a game; two partners learn by DQN against two random players.

    python notebooks/interop/tianshou_dqn.py --game double_sar --epochs 10

Tianshou takes the view of whoever acts next for an agent's own next one, which in a game of four
would be another player's. Returns over the whole round (`ROUND` steps reach its end from anywhere)
make that view count for nothing: a round is paid at its end, and nothing is estimated before.
"""

import pettingzoo
import torch
import tyro
from tianshou.algorithm import DQN
from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
from tianshou.algorithm.multiagent.marl import MultiAgentOffPolicyAlgorithm
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.algorithm.random import MARLRandomDiscreteMaskedOffPolicyAlgorithm
from tianshou.data import Collector, CollectStats, InfoStats, VectorReplayBuffer
from tianshou.env import DummyVectorEnv, PettingZooEnv
from tianshou.trainer import OffPolicyTrainerParams
from tianshou.utils.net.common import Net

import rungenv

ROUND = 100
"""More steps than any round has."""


def make_env(game: str) -> PettingZooEnv:
    """A game for Tianshou, which finds the mask in the observation by itself."""
    return PettingZooEnv(pettingzoo.make("aec", f"rungenv/{game}-v0"))


def make_dqn(env: PettingZooEnv) -> DQN:
    """One learner, with a network of its own."""
    network = Net(
        state_shape=rungenv.N_FEATURES, action_shape=rungenv.N_ACTIONS, hidden_sizes=[128]
    )
    policy = DiscreteQLearningPolicy(model=network, action_space=env.action_space, eps_training=0.1)
    optimizer = AdamOptimizerFactory(lr=1e-3)
    return DQN(policy=policy, optim=optimizer, gamma=1.0, n_step_return_horizon=ROUND)


def main(
    game: str = "single_sar", epochs: int = 1, steps: int = 2000, rounds: int = 100, seed: int = 0
) -> tuple[InfoStats, CollectStats]:
    """Train for epochs of so many steps, then play rounds; what Tianshou says of both."""
    torch.manual_seed(seed)
    env = make_env(game)
    random = MARLRandomDiscreteMaskedOffPolicyAlgorithm(env.action_space)
    players = [make_dqn(env), random, make_dqn(env), random]
    algorithm = MultiAgentOffPolicyAlgorithm(algorithms=players, env=env)

    tables = DummyVectorEnv([lambda: make_env(game)] * 4)
    tables.seed(seed)
    collector = Collector(algorithm, tables, VectorReplayBuffer(20_000, 4), exploration_noise=True)
    collector.reset()
    training = algorithm.run_training(
        OffPolicyTrainerParams(
            training_collector=collector,
            max_epochs=epochs,
            epoch_num_steps=steps,
            collection_step_num_env_steps=200,
            update_step_num_gradient_steps_per_sample=0.1,
            multi_agent_return_reduction=lambda returns: returns[:, 0],
        )
    )
    played = Collector(algorithm, tables).collect(n_episode=rounds, reset_before_collect=True)
    print(f"{game}: {played.returns.mean(axis=0)} points a round for each seat")
    return training, played


if __name__ == "__main__":
    tyro.cli(main)
