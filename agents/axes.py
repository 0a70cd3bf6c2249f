"""Which game it is: the axes of the rules, as trained agents tell games apart.

A network for several games reads them as columns beside a view, where the game is not said.
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any

import numpy as np

from rungenv.rules import PRESETS, Collects, Goal, Rules, Shown, Trump

_VALUES: Mapping[str, tuple[StrEnum | bool, ...]] = {
    "trump": tuple(Trump),
    "collects": tuple(Collects),
    "goal": tuple(Goal),
    "passing": (False, True),
    "shown": tuple(Shown),
}
N_AXIS_COLUMNS = sum(map(len, _VALUES.values()))
"""Columns that say which game it is."""


def axes_of(rules: Rules) -> dict[str, StrEnum | bool]:
    """What makes a game of its own, house rules aside; only the axes that the game reads.

    >>> [*axes_of(PRESETS["be_ranga"]).values()] == ["cut", "trick", "seven_tricks"]
    True
    """
    unread = set() if rules.trump == Trump.HIDDEN else {"shown"}
    unread |= {"passing"} if rules.trump == Trump.CUT else set()
    return {axis: getattr(rules, axis) for axis in _VALUES if axis not in unread}


def axis_columns(rules: Rules) -> np.ndarray:
    """The axes as columns, one for each value: (N_AXIS_COLUMNS,) uint8; zeros where unread."""
    axes = axes_of(rules)
    flags = [axes.get(axis) == value for axis, values in _VALUES.items() for value in values]
    return np.array(flags, np.uint8)


def game_of(rules: Rules) -> str:
    """What a game is called: one of the six, or where it is none its axes.

    >>> game_of(Rules(trump=Trump.CUT, no_late_pickup=True, collects=Collects.PILE))
    'trump=cut collects=pile goal=seven_tricks'
    """
    axes = axes_of(rules)
    for name, preset in PRESETS.items():
        if axes_of(preset) == axes:
            return name
    return " ".join(f"{axis}={value!s}" for axis, value in axes.items())


def refuse_other_game(agent: Any, played: Rules) -> None:
    """ValueError for an agent that was trained for other games, or is made of one that was.

    A trained agent says by an attribute `trained_for` which rules it knows: it plays what differs
    from them in house rules, and in no axis. One that asks others has them in `made_of`. All else
    plays every game.
    """
    for other in getattr(agent, "made_of", ()):
        refuse_other_game(other, played)
    trained: Sequence[Rules] | None = getattr(agent, "trained_for", None)
    axes = axes_of(played)
    if trained is not None and all(axes_of(each) != axes for each in trained):
        games = ", ".join(map(game_of, trained))
        raise ValueError(f"{agent.name} plays {games}, not {game_of(played)}")
