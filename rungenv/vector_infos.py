"""What the infos of the vector environment hold: an array for each name, a row for each table.

`seat` and `action_mask` tell of the decision that is due. The others tell of the step: whether an
illegal action ended the episode, and how the round ended that is over, where one is.
"""

from typing import Any

import numpy as np

from rungenv.actions import N_ACTIONS
from rungenv.tables import Tables

Infos = dict[str, Any]


def nothing(n: int) -> Infos:
    """No illegal action, and no round that is over."""
    told: Infos = {
        name: np.zeros(n, np.bool_) for name in ("illegal_action", "round_over", "match_over")
    }
    told |= {"winner": np.full(n, -1, np.int8), "kind": np.zeros(n, np.int8)}
    return told | {"points": np.zeros((n, 2), np.int16), "kots": np.zeros((n, 2), np.int8)}


def note_ends(
    told: Infos, tables: Tables, rows: np.ndarray, points: np.ndarray, kots: np.ndarray
) -> None:
    """Write down how the rounds ended that are over at these tables.

    points, kots (n, 2): the totals of the match, at all tables, before the round was paid.
    """
    told["round_over"][rows] = True
    told["match_over"][rows] = tables.match_winner[rows] >= 0
    told["winner"][rows] = tables.winner[rows]
    told["kind"][rows] = tables.kind[rows]
    told["points"][rows] = tables.points[rows] - points[rows]
    told["kots"][rows] = tables.kots[rows] - kots[rows]


def set_aside(told: Infos, over: np.ndarray, last: np.ndarray, seat: np.ndarray) -> Infos:
    """Move what is told of episodes that made way for the next to infos of their own.

    over (n,) bool: which these are; last (n,) objects: their last observations; seat (n,): who saw
    them.
    """
    n = len(over)
    ends = nothing(n)
    for name, values in told.items():
        ends[name][over] = values[over]
        values[over] = -1 if name == "winner" else 0
    ends["seat"] = seat * over
    ends["action_mask"] = np.zeros((n, N_ACTIONS), np.int8)
    return {
        "final_obs": last,
        "_final_obs": over.copy(),
        "final_info": ends | {f"_{name}": over.copy() for name in ends},
        "_final_info": over.copy(),
    }
