"""What the end of a round is worth to team 0: what rollouts and solvers add up and compare."""

from collections.abc import Callable

import numpy as np

from agents.match_chances import match_chances
from rungenv.rules import nearest
from rungenv.tables import Tables

Payoff = Callable[[Tables], np.ndarray]
"""From tables whose round is over to what that is worth to team 0: (n,) float64.

To team 1 it is worth the opposite. A constant that is the same for all ends of one round does not
matter: what is compared are the actions of one position.
"""


def points(tables: Tables) -> np.ndarray:
    """Points of team 0 less those of team 1 (R5.1, R9.4), streak bonuses included (R5.2)."""
    ours, theirs = tables.points.T.astype(np.float64)
    return ours - theirs


PAYOFFS: dict[str, Payoff] = {"points": points, "match": match_chances}
"""By the name that an agent's option `payoff` takes."""


def payoff_of(name: str) -> Payoff:
    """The payoff of a name; ValueError, with the nearest names, for an unknown one."""
    if name not in PAYOFFS:
        raise ValueError(f"no payoff is called {name!r}{nearest(str(name), tuple(PAYOFFS))}")
    return PAYOFFS[name]
