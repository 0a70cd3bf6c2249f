"""Endings solved exactly: what a round pays when all four seats see all cards and play their best.

A level holds all positions that can be reached in so many actions, each once, of all tables side by
side; the rules that lead from one level to the next are the kernel's own. The values then go back
from level to level: the seat to act takes what is best for its team.
"""

from importlib.util import find_spec

import numpy as np

from agents.candidates import cards_of, one_of_each
from agents.hand import as_set
from agents.payoffs import Payoff
from rungenv.actions import N_ACTIONS
from rungenv.bits import unpack
from rungenv.cards import PACK
from rungenv.kernel import step
from rungenv.match import settle
from rungenv.state import Kind
from rungenv.tables import Tables


def solve(tables: Tables, payoff: Payoff, group: np.ndarray | None = None) -> np.ndarray:
    """What each round pays team 0 with best play from here on: (n,) float64.

    The tables must be in the play of the cards, or over. group (n,) int: tables of one number have
    their deal, calls and payoff in common. By the quick solver where numba is installed, which
    knows it, and else by the kernel; the values are the same.
    """
    if find_spec("numba") is None:
        return solve_by_kernel(tables, payoff)
    from agents import alpha_beta

    group = tables.everyone if group is None else group
    values = np.empty(len(tables))
    over = tables.seat < 0
    values[over] = payoff(tables.take(over))
    tables = tables.take(~over)
    values[~over] = alpha_beta.solve(tables, round_ends(tables, payoff), group[~over])
    return values


def round_ends(tables: Tables, payoff: Payoff) -> np.ndarray:
    """What the end of each round, which is still on, would be worth to team 0: float64.

    (n, 2, kinds), by the team that wins it and how (a `Kind`).
    """
    facts = np.column_stack([tables.dealer, tables.points, tables.kots, tables.streak])
    _, first, same = np.unique(facts, axis=0, return_index=True, return_inverse=True)
    ends = tables.take(np.repeat(first, 2 * len(Kind)))
    results = np.indices((len(first), 2, len(Kind))).reshape(3, -1)
    ends.winner[:], ends.kind[:] = results[1:]
    settle(ends, ends.everyone)
    return payoff(ends).reshape(-1, 2, len(Kind))[same]


def solve_by_kernel(tables: Tables, payoff: Payoff) -> np.ndarray:
    """The same, by the kernel's own rules.

    Time and memory grow about tenfold with each trick that is left; three or four are quick.
    """
    tables = _without_past(tables)
    first, same = _distinct(tables)
    return _solve(tables.take(first), payoff)[same]


def _solve(tables: Tables, payoff: Payoff) -> np.ndarray:
    """The same for tables that all are different."""
    values = np.empty(len(tables))
    over = tables.seat < 0
    if over.any():
        values[over] = payoff(tables.take(over))
        tables = tables.take(~over)
    if len(tables):
        parent, action = np.nonzero(unpack(_choices(tables), N_ACTIONS))
        after = tables.take(parent)
        step(after, action)
        after.length[:] = 0
        first, same = _distinct(after)
        paid = _solve(after.take(first), payoff)[same]
        sign = np.where(tables.seat & 1, -1, 1)
        children = np.searchsorted(parent, tables.everyone)
        values[~over] = sign * np.maximum.reduceat(sign[parent] * paid, children)
    return values


def _without_past(tables: Tables) -> Tables:
    """A copy that has no memory of what was dealt and done, to be quick to copy."""
    tables = tables.copy()
    tables.deal = tables.deal[:, :, :0]
    tables.history = tables.history[:, :1]
    tables.length[:] = 0
    return tables


def _choices(tables: Tables) -> np.ndarray:
    """What the seats to act have to try: (n,) uint64 sets."""
    in_play = np.bitwise_or.reduce(tables.hands, axis=1) | as_set(tables.face_down)
    in_play |= cards_of(tables.trick)
    cards = tables.legal_set & PACK
    return tables.legal_set & ~cards | one_of_each(tables.rules, cards, in_play)


def _distinct(tables: Tables) -> tuple[np.ndarray, np.ndarray]:
    """Which tables are the first of their kind, (m,), and for each its place among them, (n,).

    Two tables are of a kind when all is the same that the rest of the round and its payoff can
    depend on. They are found by a hash and then compared, so that nothing is left to luck.
    """
    words = _position(tables)
    first, same = _alike(_hash(words))
    if (words[:, first[same]] != words).any():  # two positions share a hash
        first, same = _alike(words)
    return first, same


def _alike(words: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    _, first, same = np.unique(words, axis=-1, return_index=True, return_inverse=True)
    return first, same


def _position(tables: Tables) -> np.ndarray:
    """Hands, points and all small numbers as words: (k, n) uint64."""
    small = next(block for block in tables.blocks if block.dtype == np.int8)
    padded = np.zeros((len(tables), -(-len(small) // 8) * 8), np.int8)
    padded[:, : len(small)] = small.T
    points = tables.points.T.astype(np.uint64)
    return np.concatenate([tables.hands.T, points, padded.view(np.uint64).T])


_FACTORS = np.random.default_rng(0).integers(0, 2**63, 64, np.uint64) * np.uint64(2) + np.uint64(1)


def _hash(words: np.ndarray) -> np.ndarray:
    """(k, n) uint64 -> (n,) uint64."""
    mixed = (words ^ words >> np.uint64(31)) * _FACTORS[: len(words), None]
    return np.bitwise_xor.reduce(mixed ^ mixed >> np.uint64(29), axis=0)
