"""What a PettingZoo environment is called with, checked: ValueError says what would be right."""

import operator
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from rungenv.actions import N_ACTIONS
from rungenv.rules import Rules, nearest, variant

AGENTS = tuple(f"player_{seat}" for seat in range(4))
"""The agents' names, by seat."""

_OPTIONS = ("render_mode", "episode", "reward", "perspective")


def rules_of(game: str, options: Mapping[str, Any]) -> Rules:
    """The rules of a game with options; those of the environment itself it has taken already."""
    known = (*_OPTIONS, *(field.name for field in fields(Rules)))
    for option in options:
        if option not in known:
            raise ValueError(f"{game} has no option {option!r}{nearest(option, known)}")
    return variant(game, **options)


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
