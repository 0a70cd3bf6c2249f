"""TorchRL: PettingZooWrapper collects rounds in which a network plays all four seats, masked.

    python notebooks/interop/torchrl_rollout.py --game mendikot

Each agent is a group of its own. In a rollout `(agent, "mask")` tells at which steps it was the
agent's turn, and `(agent, "action_mask")` what it could do then; what the others' actors chose
meanwhile is ignored. The network here is untrained: it stands where yours will.
"""

import pettingzoo
import torch
import tyro
from tensordict import TensorDict
from tensordict.nn import TensorDictModule, TensorDictSequential
from torch import nn
from torchrl.envs import PettingZooWrapper
from torchrl.modules import MaskedCategorical, ProbabilisticActor

import rungenv


def make_env(game: str, seed: int) -> PettingZooWrapper:
    """A game for TorchRL; where agents act in turn, `use_mask` is a must."""
    env = pettingzoo.make("aec", f"rungenv/{game}-v0")
    return PettingZooWrapper(env, use_mask=True, seed=seed)


class Logits(nn.Module):
    """A network from a seat's view to a number for each action."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(rungenv.N_FEATURES, 128), nn.ReLU(), nn.Linear(128, rungenv.N_ACTIONS)
        )

    def forward(self, view: torch.Tensor) -> torch.Tensor:
        return self.layers(view.float())


def make_policy(env: PettingZooWrapper) -> TensorDictSequential:
    """The same network for every agent, each with its own keys; none chooses an illegal action."""
    network = Logits()
    actors = [
        ProbabilisticActor(
            TensorDictModule(network, [(agent, "observation", "observation")], [(agent, "logits")]),
            in_keys={"logits": (agent, "logits"), "mask": (agent, "action_mask")},
            out_keys=[(agent, "action")],
            distribution_class=MaskedCategorical,
        )
        for agent in env.group_map
    ]
    return TensorDictSequential(*actors)


def main(game: str = "single_sar", steps: int = 200, seed: int = 0) -> TensorDict:
    """Collect so many steps of as many rounds as they take."""
    torch.manual_seed(seed)
    env = make_env(game, seed)
    rollout = env.rollout(steps, make_policy(env), break_when_any_done=False)
    rounds = int(rollout["next", "done"].sum())
    print(f"{game}: {len(rollout)} steps, {rounds} rounds")
    for agent in env.group_map:
        acted = int(rollout[agent, "mask"].sum())
        points = float(rollout["next", agent, "reward"].sum())
        print(f"  {agent} acted {acted} times and earned {points:+.0f} points")
    return rollout


if __name__ == "__main__":
    tyro.cli(main)
