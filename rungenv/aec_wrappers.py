"""PettingZoo's wrappers round a game: an illegal action ends the episode. No rules."""

from typing import Any

from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from rungenv.aec import Observation, RungEnv
from rungenv.aec_arguments import refuse_bool


def wrap(raw: RungEnv) -> AECEnv[str, Observation, Any]:
    """Add PettingZoo's usual wrappers: an illegal action ends the episode and costs its agent 1."""
    env = wrappers.TerminateIllegalWrapper(raw, illegal_reward=-1)
    env = wrappers.AssertOutOfBoundsWrapper(env)
    return _OrderEnforcing(env, raw)


def _read(name: str) -> Any:
    return property(lambda self: getattr(self.raw, name))


class _OrderEnforcing(wrappers.OrderEnforcingWrapper[str, Observation, Any]):
    """PettingZoo's wrapper, but it reads what is to be read from the game itself.

    PettingZoo's asks each wrapper in turn for every attribute, which takes longer than the game.
    Before the first reset the game has none of these, and PettingZoo's says so.
    """

    agents, agent_selection = _read("agents"), _read("agent_selection")
    rewards, _cumulative_rewards = _read("rewards"), _read("_cumulative_rewards")
    terminations, truncations = _read("terminations"), _read("truncations")
    infos = _read("infos")

    def __init__(self, env: AECEnv[str, Observation, Any], raw: RungEnv) -> None:
        self.raw = raw
        super().__init__(env)

    def __str__(self) -> str:
        return str(self.env)

    def step(self, action: Any) -> None:
        refuse_bool(action)  # it would be taken for card 0 or 1
        super().step(action)
