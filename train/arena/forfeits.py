"""What becomes of a round when an agent fails in it and the others would go on (`--forfeit`).

This is the arena's, no rule of the games. Out of time, R2 has the answer while the trump is called:
a pass, or TIMEOUT of the seat that may not pass. Any other failure loses the round, and at the
worst price there is: a kot or goon kot where tricks count, a whitewash where tens do. So no agent
gains by failing when it is about to lose.
"""

import numpy as np

from agents import AgentFailure, OutOfTime
from rungenv import Kind, Phase, Tables
from rungenv.actions import PASS, TIMEOUT
from rungenv.match import settle
from rungenv.rules import Goal

_CALLING = (Phase.CALL, Phase.PARTNER_CALL)


def excused(tables: Tables, row: int, failure: AgentFailure) -> int | None:
    """The action that stands for a call out of time (R2.1, R2.2, R7.7, R9.2); None for no excuse.

    >>> import rungenv
    >>> tables = rungenv.deal(rungenv.variant("single_sar"), 1)
    >>> excused(tables, 0, OutOfTime("slow", "took too long")) == PASS
    True
    """
    if not isinstance(failure, OutOfTime) or tables.phase[row] not in _CALLING:
        return None
    legal = int(tables.legal_set[row])
    return next((action for action in (PASS, TIMEOUT) if legal >> action & 1), None)


def lose(tables: Tables, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """End rounds as lost by the team of the seat to act; returns what the winners are paid.

    rows (m,) int: tables whose rounds are not over. Points and kots, (m,) int8 each, which the
    match is given too.
    """
    winner = (tables.seat[rows] & 1) ^ 1
    tables.winner[rows] = winner
    if tables.rules.goal == Goal.TENS:
        tables.kind[rows] = Kind.WHITEWASH
    else:
        others = winner == tables.dealer[rows] & 1
        tables.kind[rows] = np.where(others, Kind.GOON_KOT, Kind.KOT)
    tables.phase[rows] = Phase.OVER
    tables.seat[rows] = -1
    tables.legal_set[rows] = 0
    return settle(tables, rows)
