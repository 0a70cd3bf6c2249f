"""Double sar: two tricks in a row pick up the pile, seven of them win.

`rungenv.aec` says what options there are, what an agent observes and what it is paid.
"""

from typing import Any

from pettingzoo import AECEnv

from rungenv.aec import Observation, RungEnv
from rungenv.aec_wrappers import wrap


class raw_env(RungEnv):
    """The game as it is; an illegal action raises `rungenv.IllegalAction`."""

    game = "double_sar"
    metadata = RungEnv.metadata | {"name": "double_sar_v0"}


def env(**options: Any) -> AECEnv[str, Observation, Any]:
    """The game with PettingZoo's usual wrappers."""
    return wrap(raw_env(**options))
