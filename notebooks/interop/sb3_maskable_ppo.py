"""Stable-Baselines3: MaskablePPO learns one seat of a game among random players, and is measured.

    python notebooks/interop/sb3_maskable_ppo.py --game hidden_rung --timesteps 200000

`SeatEnv` has the `action_masks()` that MaskablePPO asks for, so nothing needs to be wrapped. For
other company at the table add `partner` and `opponents` to the options, such as
`agents.make("greedy")`.
"""

from typing import NamedTuple

import gymnasium
import numpy as np
import tyro
from sb3_contrib import MaskablePPO
from stable_baselines3.common.env_util import make_vec_env
from stable_baselines3.common.vec_env import VecEnv

from rungenv.registration import gymnasium_id

FIELDS = (
    "hand", "legal_cards", "legal_calls", "winners", "masters", "trick_size", "holder", "led",
    "trump", "tricks", "tens",
)  # fmt: skip
"""A short run learns most from a few columns; without `fields` there are all of them."""
OPTIONS = {"observation": "float", "fields": FIELDS}


class Score(NamedTuple):
    """Points per deal for the trained seat, with a 95 % interval of mean ± margin."""

    mean: float
    margin: float


def learn(env: VecEnv, decisions: int, timesteps: int, seed: int) -> MaskablePPO:
    """A policy for any seat, updated after so many decisions at each table."""
    model = MaskablePPO(
        "MlpPolicy",
        env,
        n_steps=decisions,
        batch_size=512,
        n_epochs=4,
        learning_rate=1e-3,
        gamma=1.0,  # a round is paid once, at its end
        gae_lambda=0.9,
        ent_coef=0.003,
        policy_kwargs={"net_arch": [128, 128]},
        seed=seed,
    )
    return model.learn(timesteps)


def measure(model: MaskablePPO, game: str, deals: int, seed: int) -> Score:
    """What the model earns in seats drawn by chance, on deals that it has not seen; printed too."""
    env = gymnasium.make_vec(gymnasium_id(game), deals, **OPTIONS)
    observations, infos = env.reset(seed=seed)
    points, over = np.zeros(deals), np.zeros(deals, np.bool_)
    while not over.all():
        actions, _ = model.predict(observations, action_masks=infos["action_mask"])
        observations, rewards, ended, _, infos = env.step(actions)
        points += np.where(over, 0, rewards)  # a table that is over has begun its next round
        over |= ended
    score = Score(points.mean(), 1.96 * points.std(ddof=1) / np.sqrt(deals))
    print(f"{game}: {score.mean:+.3f} ± {score.margin:.3f} points a deal, {deals} new deals")
    return score


def main(
    game: str = "single_sar", timesteps: int = 80_000, deals: int = 20_000, seed: int = 0
) -> Score:
    """Train and measure."""
    env = make_vec_env(gymnasium_id(game), n_envs=16, seed=seed, env_kwargs=OPTIONS)
    model = learn(env, 256, timesteps, seed)
    return measure(model, game, deals, seed=seed + 1_000_000)


if __name__ == "__main__":
    tyro.cli(main)
