"""What a PettingZoo environment is called with, checked: ValueError says what would be right."""

import operator
from typing import Any

from rungenv.actions import N_ACTIONS

AGENTS = tuple(f"player_{seat}" for seat in range(4))
"""The agents' names, by seat."""

OPTIONS = ("render_mode", "episode", "reward", "perspective", "reveal")
"""What an environment is told besides the rules."""


def known_agent(agent: str) -> str:
    """The agent; ValueError for anything that is not the name of one."""
    if agent not in AGENTS:
        raise ValueError(f"agent must be one of {', '.join(AGENTS)}, not {agent!r}")
    return agent


def action_number(action: Any) -> int:
    """An action as a plain int, of whatever size; ValueError for what is no whole number."""
    refuse_bool(action)
    try:
        return operator.index(action)
    except TypeError:
        raise _no_action(action) from None


def refuse_bool(action: Any) -> None:
    """ValueError for a bool, which Python would take for the number 0 or 1."""
    if type(action) is bool:
        raise _no_action(action)


def _no_action(action: Any) -> ValueError:
    return ValueError(f"action must be a whole number from 0 to {N_ACTIONS - 1}, not {action!r}")
