"""Worlds solved by Bo Haglund's double-dummy solver, DDS (`dds.py`; endplay is an optional extra).

DDS counts the tricks that a side takes with best play of all four hands. That is what matters where
a won trick is its winner's, seven of them win the round, and the trump is known to all; elsewhere
this agent rolls its worlds out as `search` does.
"""

from importlib.util import find_spec

import numpy as np

from agents.endgame import round_ends
from agents.options import described
from agents.search import Search
from rungenv.rules import Collects, Goal
from rungenv.state import Kind, Phase
from rungenv.tables import Tables
from rungenv.view import View


class DoubleDummy(Search):
    """Solves its worlds by DDS where tricks are the goal and the trump is known; else `search`.

    The options are as those of `search`.
    """

    def __init__(
        self,
        worlds: int = 16,
        rollout: str = "greedy",
        payoff: str = "points",
        exact: int = 4,
        seconds: float = 0.0,
        prior: str | None = "expert",
        caution: float = 2.0,
        seed: int = 0,
    ) -> None:
        if find_spec("endplay") is None:
            raise ValueError('double_dummy needs endplay: pip install "rungenv[dds]"')
        super().__init__(worlds, rollout, payoff, exact, seconds, prior, caution, seed=seed)
        self.name = described("double_dummy", DoubleDummy, locals())

    @property
    def pairs_at_once(self) -> int:
        """As `search`'s, but that to solve a world takes as long as to play out a hundred."""
        return max(4, 128 // self.worlds)

    def _try(self, view: View, drawn: Tables, row: np.ndarray, action: np.ndarray) -> np.ndarray:
        paid = np.empty((len(row), len(drawn) // len(view)))
        solves = by_tricks(view)
        for part, tried in ((solves, self._try_by_tricks), (~solves, super()._try)):
            pairs = part[row]
            if pairs.any():
                rows = np.cumsum(part)[row[pairs]] - 1
                worlds = drawn.take(np.repeat(part, len(drawn) // len(view)))
                paid[pairs] = tried(view.take(part), worlds, rows, action[pairs])
        return paid

    def _try_by_tricks(
        self, view: View, drawn: Tables, row: np.ndarray, action: np.ndarray
    ) -> np.ndarray:
        from agents.dds import tricks_by_card  # needs endplay

        n = len(drawn) // len(view)
        worth = payoffs_by_tricks(drawn, round_ends(drawn, self.payoff)).reshape(-1, n, 14)
        tricks = tricks_by_card(drawn).reshape(-1, n, 52)[row, :, action].astype(np.int64)
        return worth[row[:, None], np.arange(n), tricks]


def by_tricks(view: View) -> np.ndarray:
    """Where tricks are what counts, and the trump is known: (n,) bool."""
    rules = view.rules
    of_tricks = rules.collects == Collects.TRICK and rules.goal == Goal.SEVEN_TRICKS
    return (view.phase == Phase.PLAY) & (view.trump >= 0) & (view.is_down == 0) & of_tricks


def payoffs_by_tricks(tables: Tables, ends: np.ndarray) -> np.ndarray:
    """What it is worth to the team to act to take so many of the tricks left: (n, 14) float64.

    ends: of `round_ends`. DDS does not say who takes which trick, so that a kot (R4.2) counts where
    it is certain: the losers take none of the tricks left, and have none.
    """
    rows, team = tables.everyone, tables.seat & 1
    ours, theirs = tables.tricks[rows, team][:, None], tables.tricks[rows, 1 - team][:, None]
    left = 13 - tables.trick_number[:, None]
    taken = np.arange(14)
    wins = ours + taken >= 7
    none = np.where(wins, theirs + left - taken, ours + taken) <= 0
    winner = np.where(wins, team[:, None], 1 - team[:, None])
    callers = winner != tables.dealer[:, None] & 1
    kind = np.where(none, np.where(callers, Kind.KOT, Kind.GOON_KOT), Kind.WIN)
    return ends[rows[:, None], winner, kind] * np.where(team, -1, 1)[:, None]
