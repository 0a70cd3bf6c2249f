"""What the vector environment is given with each call, once it is found to be what it should be.

ValueError names the argument that was wrong, its value, and what would be right.
"""

from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode

from rungenv.actions import N_ACTIONS
from rungenv.checks import as_array, checked_mask, one_of
from rungenv.players import Others
from rungenv.rules import Rules
from rungenv.seating import Seating
from rungenv.tables import Tables

_SITS = {"seat": (0, 2, 1, 2), "team": (0, 2, 0, 2), "all": (0, 0, 0, 0)}
"""By `controls`, whose seat each is, counted from the caller's: 0 the caller's, 1 the partner's,
2 the opponents'."""


def others(controls: Any, seating: Seating) -> Others:
    """Who plays the seats whose decisions do not come to the caller."""
    sits = _SITS[one_of("controls", controls, tuple(_SITS))]
    players = (seating.partner, seating.opponents)
    for number, player in enumerate(players, 1):
        if player.act is not None and number not in sits:
            raise ValueError(f"{player.name} has no seat to play with controls={controls!r}")
    return Others(sits, players)


def autoreset_mode(mode: Any) -> AutoresetMode:
    """An `AutoresetMode`, given as such or by its value."""
    for known in AutoresetMode:
        if mode in (known, known.value):
            return known
    modes = ", ".join(repr(known.value) for known in AutoresetMode)
    raise ValueError(f"autoreset_mode must be one of {modes}, not {mode!r}")


def rows_to_reset(reset_mask: Any, n: int) -> np.ndarray:
    """The environments to reset, by default all: (m,) int64, at least one."""
    if reset_mask is None:
        return np.arange(n)
    rows = np.flatnonzero(checked_mask("reset_mask", reset_mask, n))
    if not rows.size:
        raise ValueError(f"reset_mask must be ({n},) bool, some of it True, not {reset_mask!r}")
    return rows


def tables_to_begin(chosen: dict[str, Any], rules: Rules, n: int) -> Tables:
    """A copy of the `tables` among a reset's options: n of them, in play, by these rules."""
    tables = chosen["tables"]
    if "first_table" in chosen:
        raise ValueError("tables are dealt already: give first_table or tables, not both")
    if not isinstance(tables, Tables) or len(tables) != n or tables.rules != rules:
        what = f"{len(tables)} Tables" if isinstance(tables, Tables) else repr(tables)
        raise ValueError(f"tables must be {n} Tables by the environment's rules, not {what}")
    if (tables.seat < 0).any():
        row = int(np.flatnonzero(tables.seat < 0)[0])
        raise ValueError(f"tables must be in play; the round of table {row} is over")
    if (tables.seed < 0).any():
        row = int(np.flatnonzero(tables.seed < 0)[0])
        raise ValueError(
            f"tables must have a seed, which later episodes are dealt from; table {row} was dealt "
            "by hand without one"
        )
    return tables.copy()


def checked_actions(actions: Any, over: np.ndarray, mode: AutoresetMode) -> np.ndarray:
    """The actions as ints: (n,) int64.

    over (n,) bool: the environments that await their reset. They may have anything, but must have
    -1 where autoreset is disabled, so that nobody plays on by mistake with what is over.
    """
    actions = as_array("actions", actions)
    if actions.shape != over.shape or actions.dtype.kind not in "iu":
        raise ValueError(
            f"actions must be ({len(over)},) ints from 0 to {N_ACTIONS - 1}, not {actions.dtype} "
            f"of shape {actions.shape}"
        )
    # A negative number turns into a huge one.
    wrong = np.flatnonzero((actions.astype(np.uint64) >= N_ACTIONS) & ~over)
    if wrong.size:
        raise ValueError(
            f"actions must be from 0 to {N_ACTIONS - 1}, not {actions[wrong[0]]} as the one of "
            f"environment {wrong[0]}"
        )
    actions = actions.astype(np.int64)
    if mode == AutoresetMode.DISABLED and (over & (actions != -1)).any():
        rows = np.flatnonzero(over & (actions != -1)).tolist()
        raise ValueError(
            f"episodes {rows} are over: reset() with a reset_mask first, or let them wait by the "
            "action -1"
        )
    return actions
