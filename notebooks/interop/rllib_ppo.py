"""RLlib: PettingZooEnv runs a game; one PPO policy plays, and learns from, all four seats.

    python notebooks/interop/rllib_ppo.py --game be_ranga --iterations 20

RLlib's own networks know no legal actions, so `MaskedModule` takes them out of the observation. For
a policy to each seat list four names in `policies`, and map every agent to its own.
"""

from typing import Any

import pettingzoo
import ray
import torch
import tyro
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module import MultiRLModuleSpec, RLModuleSpec
from ray.rllib.core.rl_module.apis import ValueFunctionAPI
from ray.rllib.core.rl_module.torch import TorchRLModule
from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv
from ray.tune.registry import register_env
from torch import nn

import rungenv


class MaskedModule(TorchRLModule, ValueFunctionAPI):
    """Logits of the legal actions and a value, from a seat's view."""

    def setup(self) -> None:
        self.body = nn.Sequential(nn.Linear(rungenv.N_FEATURES, 256), nn.ReLU())
        self.logits = nn.Linear(256, rungenv.N_ACTIONS)
        self.value = nn.Linear(256, 1)

    def _forward(self, batch: dict[str, Any], **_: Any) -> dict[str, torch.Tensor]:
        seen = batch[Columns.OBS]
        logits = self.logits(self.body(seen["observation"].float()))
        barred = torch.finfo(logits.dtype).min
        return {Columns.ACTION_DIST_INPUTS: logits.masked_fill(seen["action_mask"] == 0, barred)}

    def compute_values(self, batch: dict[str, Any], embeddings: Any = None) -> torch.Tensor:
        return self.value(self.body(batch[Columns.OBS]["observation"].float())).squeeze(-1)


def make_config(game: str, seed: int) -> PPOConfig:
    """PPO over a game, all in this process."""
    register_env(game, lambda _: PettingZooEnv(pettingzoo.make("aec", f"rungenv/{game}-v0")))
    module = MultiRLModuleSpec(rl_module_specs={"shared": RLModuleSpec(MaskedModule)})
    return (
        PPOConfig()
        .environment(game, disable_env_checking=True)  # which acts without regard to masks
        .multi_agent(policies={"shared"}, policy_mapping_fn=lambda agent, episode, **_: "shared")
        .rl_module(rl_module_spec=module)
        .env_runners(num_env_runners=0)
        .training(train_batch_size_per_learner=1000, minibatch_size=250, num_epochs=4, gamma=1.0)
        .debugging(seed=seed)
    )


def main(game: str = "single_sar", iterations: int = 2, seed: int = 0) -> list[dict[str, Any]]:
    """Train; RLlib's results of each iteration."""
    ray.init(num_cpus=1, include_dashboard=False, ignore_reinit_error=True)
    algorithm = make_config(game, seed).build_algo()
    results = [algorithm.train() for _ in range(iterations)]
    for number, result in enumerate(results, 1):
        played, learnt = result["env_runners"], result["learners"]["shared"]
        print(
            f"{game}, iteration {number}: {played['num_episodes']} rounds of "
            f"{played['episode_len_mean']:.1f} steps, entropy {learnt['entropy']:.3f}"
        )
    algorithm.stop()
    return results


if __name__ == "__main__":
    tyro.cli(main)
