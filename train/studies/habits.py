"""What an agent does: its decisions of a kind, collected from self-play, and counted in two ways.

A decision is what the agent saw and what it then did. Pictures come from sorting decisions by two
things that were to be seen and counting how often each thing was done.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

import rungenv
from agents.base import Agent
from agents.hand import lengths
from rungenv import Phase, Rules, View
from rungenv.actions import REVEAL
from rungenv.bits import BIT, count, unpack
from rungenv.cards import CARD_RANK, CARD_SUIT, LANE, PACK
from rungenv.chance import sealed_generator

Wanted = Callable[[View], np.ndarray]
"""From views of seats that are to act to which of their decisions are wanted: (n,) bool."""


@dataclass(frozen=True)
class Decisions:
    """m decisions, in the order in which they were made.

    view: what was seen, m rows. action (m,) int64: what was done. table (m,) int64: at which table.
    """

    view: View
    action: np.ndarray
    table: np.ndarray

    def __len__(self) -> int:
        return len(self.action)

    def take(self, rows: np.ndarray) -> "Decisions":
        """Some of the decisions: indices or a mask."""
        return Decisions(self.view.take(rows), self.action[rows], self.table[rows])


def decisions(rules: Rules, agent: Agent, n: int, seed: int, wanted: Wanted) -> Decisions:
    """The wanted decisions of one round at tables 0 to n - 1, the agent on all seats.

    Forced ones, with one legal action, are left out. ValueError if there is none.
    """
    tables = rungenv.deal(rules, n, seed)
    rng = sealed_generator(seed)
    views: list[View] = []
    actions: list[np.ndarray] = []
    numbers: list[np.ndarray] = []
    while (playing := np.flatnonzero(tables.seat >= 0)).size:
        tables = tables.take(playing)
        view = rungenv.observe(tables)
        chosen = np.asarray(agent.act(view, rng))
        rows = np.flatnonzero(wanted(view) & (count(view.legal) > 1))
        if rows.size:
            views.append(view.take(rows))
            actions.append(chosen[rows])
            numbers.append(tables.table[rows])
        rungenv.step(tables, chosen)
    if not views:
        raise ValueError(f"{n} rounds have no such decision; play more of them")
    return Decisions(joined(views), np.concatenate(actions), np.concatenate(numbers))


def first_calls(rules: Rules, agent: Agent, n: int, seed: int) -> Decisions:
    """What the eldest hand calls, lays or passes on five cards at tables 0 to n - 1 of a seed.

    Nothing else is played. ValueError for rules under which nobody calls.
    """
    if not rules.calls:
        raise ValueError(f"under trump={str(rules.trump)!r} nobody calls")
    tables = rungenv.deal(rules, n, seed)
    view = rungenv.observe(tables)
    return Decisions(view, np.asarray(agent.act(view, sealed_generator(seed))), tables.table.copy())


def joined(views: Sequence[View]) -> View:
    """The rows of some views of one game, one after another."""
    return View(
        views[0].rules,
        np.concatenate([view.seat for view in views]),
        np.concatenate([view.legal for view in views]),
        np.concatenate([view.sets for view in views], axis=1),
        np.concatenate([view.smalls for view in views], axis=1),
        np.concatenate([view.history for view in views]),
    )


def is_lead(view: View) -> np.ndarray:
    """Wanted: a seat leads to a trick."""
    return (view.phase == Phase.PLAY) & (view.led < 0)


def may_ask(view: View) -> np.ndarray:
    """Wanted: a seat that cannot follow may ask for the face-down card (R7.3)."""
    return (view.led >= 0) & (view.legal & BIT[REVEAL] != 0)


def longest_suit(cards: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The longest suit of each set, of equal ones that with the higher cards.

    (n,) uint64 -> its cards, (n,) uint64, and how many they are, (n,) uint8.
    """
    by_suit = cards[:, None] & LANE[:4]
    ranks = by_suit >> np.arange(0, 52, 13, dtype=np.uint64)
    suit = (lengths(cards).astype(np.uint64) << np.uint64(13) | ranks).argmax(axis=1)
    longest = by_suit[np.arange(len(cards)), suit]
    return longest, count(longest)


@dataclass(frozen=True)
class Grid:
    """How often something was done, by two things: shares (rows, columns), nan where it never
    could be, and times (rows, columns) int64 that it could.
    """

    share: np.ndarray
    times: np.ndarray

    @property
    def margin(self) -> np.ndarray:
        """Half the width of each share's 95 % interval (Agresti and Coull's), nan where none."""
        adjusted = (self.share * self.times + 2) / (self.times + 4)
        return 1.96 * np.sqrt(adjusted * (1 - adjusted) / (self.times + 4))


def grid(rows: np.ndarray, columns: np.ndarray, done: np.ndarray, shape: tuple[int, int]) -> Grid:
    """How often `done`, (m,) bool, is true, by rows and columns, (m,) ints within the shape."""
    cell = rows.astype(np.int64) * shape[1] + columns
    size = shape[0] * shape[1]
    times = np.bincount(cell, minlength=size)
    with np.errstate(invalid="ignore"):
        share = np.bincount(cell, done, minlength=size) / times
    return Grid(share.reshape(shape), times.reshape(shape))


def cards_chosen(found: Decisions, longest: int = 7) -> Grid:
    """How often a card that might have been played was, by its rank and the length of its suit.

    Returns 13 rows, one a rank, and a column for each length of its suit in the hand from 1 to
    `longest` (that, and more). Cards of the trump suit, once it is known, are left out.
    """
    hand = found.view.hand
    in_suit = lengths(hand)[:, CARD_SUIT]
    is_trump = found.view.trump[:, None] == CARD_SUIT
    open_to_it = unpack(found.view.legal & PACK, 52) & ~is_trump
    row, card = np.nonzero(open_to_it)
    length = np.minimum(in_suit[row, card], longest)
    return grid(CARD_RANK[card], length - 1, found.action[row] == card, (13, longest))


def ranks_laid(found: Decisions) -> Grid:
    """How often a card of the suit that was chosen is the one that was laid, by its rank: (13, 1).

    found: decisions in which a card was laid face down (R7.1).
    """
    of_suit = unpack(found.view.legal & LANE[found.action // 13], 52)
    row, card = np.nonzero(of_suit)
    return grid(CARD_RANK[card], np.zeros_like(card), found.action[row] == card, (13, 1))
