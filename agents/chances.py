"""How likely an agent is to act in a way: of networks their own word, of others what they do."""

from typing import Any

import numpy as np

from agents.base import Agent
from rungenv.actions import N_ACTIONS
from rungenv.bits import count
from rungenv.view import View

SLACK = 0.2
"""What is left to all legal actions alike by an agent that would take one of them for certain.

Nobody plays just as an agent does; without slack, one action that it would not have taken would
rule a world out.
"""
_NO_CHANCE = np.random.default_rng(0)


def is_deterministic(agent: Agent) -> bool:
    """Whether an agent says that its choice is a function of the view, with no chance in it."""
    return bool(getattr(agent, "deterministic", False))


def check_has_chances(option: str, agent: Agent | None) -> None:
    """ValueError, naming the option, for an agent that `chances` cannot tell about."""
    if agent is None or hasattr(agent, "chances") or is_deterministic(agent):
        return
    raise ValueError(
        f"{option} must be a network, or an agent that leaves nothing to chance, not {agent.name}"
    )


def chances(agent: Any, view: View) -> np.ndarray:
    """How likely an agent takes each action: (n, 61), for views of seats that are to act.

    From `agent.chances(view)` where there is such a method, else by what it does and SLACK.
    """
    if hasattr(agent, "chances"):
        return agent.chances(view)
    does = np.eye(N_ACTIONS)[agent.act(view, _NO_CHANCE)]
    even = view.legal_mask() / count(view.legal)[:, None]
    return (1 - SLACK) * does + SLACK * even
