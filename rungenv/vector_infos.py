"""What the infos of the vector environment hold: an array for each name, a row for each table.

`seat` and `action_mask` tell of the decision that is due. The others tell of the step: whether an
illegal action ended the episode, and how the round ended that is over, where one is.
"""

from typing import Any

import numpy as np

from rungenv.tables import Tables

Infos = dict[str, Any]


def results(tables: Tables, illegal: np.ndarray, points: np.ndarray, kots: np.ndarray) -> Infos:
    """What a step brought about.

    illegal (n,) bool; points, kots (n, 2): the totals of the match before the step.
    """
    over = tables.seat < 0
    told = {
        "round_over": over,
        "match_over": tables.match_winner >= 0,
        "winner": tables.winner,
        "kind": tables.kind,
        "points": tables.points - points,
        "kots": tables.kots - kots,
    }
    return blanked(told, ~over) | {"illegal_action": illegal}


def nothing(n: int) -> Infos:
    """The same when no step was taken."""
    told: Infos = dict.fromkeys(
        ("illegal_action", "round_over", "match_over"), np.ones(n, np.bool_)
    )
    told |= {"winner": np.ones(n, np.int8), "kind": np.ones(n, np.int8)}
    told |= {"points": np.ones((n, 2), np.int16), "kots": np.ones((n, 2), np.int8)}
    return blanked(told, np.ones(n, np.bool_))


def blanked(told: Infos, where: np.ndarray) -> Infos:
    """The same, as arrays of its own, but with nothing told of some environments."""
    copies = {name: values.copy() for name, values in told.items()}
    for name, values in copies.items():
        values[where] = -1 if name == "winner" else 0
    return copies


def final(over: np.ndarray, last: list[Any], told: Infos) -> Infos:
    """The last observations and infos of episodes that made way for their successors."""
    final_obs = np.full(len(over), None, np.object_)
    for row, observation in zip(np.flatnonzero(over), last, strict=True):
        final_obs[row] = observation
    told = blanked(told, ~over)
    return {
        "final_obs": final_obs,
        "_final_obs": over.copy(),
        "final_info": told | {f"_{name}": over.copy() for name in told},
        "_final_info": over.copy(),
    }
