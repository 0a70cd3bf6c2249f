"""Stable-Baselines3 on hundreds of tables at once: its `VecEnv` over rungenv's vector environment.

    python notebooks/interop/sb3_vector.py --game mendikot --timesteps 1000000

This plays in a fraction of the time that one environment after another takes.
"""

from typing import Any

import gymnasium
import numpy as np
import tyro
from gymnasium.vector import AutoresetMode
from sb3_maskable_ppo import OPTIONS, Score, learn, measure
from stable_baselines3.common.vec_env import VecEnv

from rungenv.registration import gymnasium_id


class TablesVecEnv(VecEnv):
    """A vector environment of Gymnasium, as Stable-Baselines3 has them."""

    render_mode = None

    def __init__(self, game: str, n: int, **options: Any) -> None:
        self.env = gymnasium.make_vec(
            gymnasium_id(game), n, autoreset_mode=AutoresetMode.SAME_STEP, **options
        )
        super().__init__(n, self.env.single_observation_space, self.env.single_action_space)

    def reset(self) -> np.ndarray:
        seed = self._seeds[0]  # the first is enough: it deals to every table something else
        self._reset_seeds()
        observations, infos = self.env.reset(seed=seed)
        self.masks = infos["action_mask"]
        return observations

    def step_async(self, actions: np.ndarray) -> None:
        self.actions = actions

    def step_wait(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        observations, rewards, over, _, infos = self.env.step(self.actions)
        self.masks = infos["action_mask"]
        told: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for table in np.flatnonzero(over):
            told[table]["terminal_observation"] = infos["final_obs"][table]
        return observations, rewards, over, told

    def action_masks(self) -> np.ndarray:
        return self.masks

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> list:
        return list(getattr(self, method_name)(*args, **kwargs))

    def get_attr(self, attr_name: str, indices: Any = None) -> list:
        return [getattr(self, attr_name)] * self.num_envs

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        setattr(self, attr_name, value)

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        return [False] * self.num_envs

    def close(self) -> None:
        self.env.close()


def main(
    game: str = "single_sar", timesteps: int = 200_000, deals: int = 20_000, seed: int = 0
) -> Score:
    """Train and measure."""
    env = TablesVecEnv(game, 256, **OPTIONS)
    env.seed(seed)
    model = learn(env, 16, timesteps, seed)
    return measure(model, game, deals, seed=seed + 1_000_000)


if __name__ == "__main__":
    tyro.cli(main)
