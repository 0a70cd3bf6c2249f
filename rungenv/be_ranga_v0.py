"""Be-ranga: the first card off the led suit sets the trump.

`rungenv.aec` says what options there are, what an agent observes and what it is paid.
"""

from typing import Any

from pettingzoo import AECEnv

from rungenv.aec import Observation, RungEnv
from rungenv.aec_wrappers import wrap


class raw_env(RungEnv):
    """The game as it is; an illegal action raises `rungenv.IllegalAction`."""

    game = "be_ranga"
    metadata = RungEnv.metadata | {"name": "be_ranga_v0"}


def env(**options: Any) -> AECEnv[str, Observation, Any]:
    """The game with PettingZoo's usual wrappers."""
    return wrap(raw_env(**options))
