"""Positions handed to Bo Haglund's double-dummy solver, DDS, and what it answers.

Needs endplay, which is an optional extra ("dds"). Its structures are filled as arrays: to build
its own deals, card by card, would take longer than to solve them.
"""

import endplay._dds as dds
import numpy as np

from rungenv.cards import LANE
from rungenv.tables import Tables

_DEAL = 24
"""Ints of a deal of DDS: trump, who leads, the trick's suits and ranks, each hand's suits."""
_STARTS = np.arange(0, 52, 13, dtype=np.uint64)


def tricks_by_card(tables: Tables) -> np.ndarray:
    """How many tricks the team to act takes from here on with each card: (n, 52) int8.

    -1 for cards that do not follow the led suit, or are not there. The trick on the table counts.
    All see all cards and play for tricks. The tables must be in the play of the cards, and have a
    trump and no card face down.
    """
    tricks = np.full((len(tables), 52), -1, np.int8)
    for start in range(0, len(tables), dds.MAXNOOFBOARDS):
        rows = slice(start, start + dds.MAXNOOFBOARDS)
        _solve(tables.take(rows), tricks[rows])
    return tricks


def _solve(tables: Tables, tricks: np.ndarray) -> None:
    n = len(tables)
    boards, solved = dds.boards(), dds.solvedBoards()
    boards.noOfBoards = n
    deals = np.frombuffer(boards.deals, np.int32).reshape(-1, _DEAL)[:n]
    deals[:, 0] = 3 - tables.trump  # spades are 0
    deals[:, 1] = tables.leader
    trick = np.take_along_axis(
        tables.trick, (tables.leader[:, None] + np.arange(3)) & 3, axis=1
    ).astype(np.int32)
    deals[:, 2:5] = np.where(trick >= 0, 3 - trick // 13, 0)
    deals[:, 5:8] = np.where(trick >= 0, trick % 13 + 2, 0)  # a deuce is 2
    suits = (tables.hands[:, :, None] >> _STARTS & LANE[0]) << np.uint64(2)
    deals[:, 8:] = suits[:, :, ::-1].reshape(n, 16)
    for field, value in ((boards.target, 0), (boards.solutions, 3), (boards.mode, 1)):
        np.frombuffer(field, np.int32)[:n] = value
    dds.SolveAllBoardsBin(boards, solved)
    for row in range(n):
        _read(solved.solvedBoard[row], tricks[row])


def _read(board: dds.futureTricks, tricks: np.ndarray) -> None:
    """Each card that DDS names stands for itself and the lower ones that come to the same."""
    for i in range(board.cards):
        start = 13 * (3 - board.suit[i])
        holding = (1 << board.rank[i] | board.equals[i]) >> 2
        for rank in range(13):
            if holding >> rank & 1:
                tricks[start + rank] = board.score[i]
