"""N tables in play: dealing them, asking what is legal, going on to the next round."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from rungenv import legal, snapshot
from rungenv.actions import N_ACTIONS
from rungenv.bits import unpack
from rungenv.checks import (
    MOST_TABLES,
    checked_column,
    checked_hands,
    checked_numbers,
    checked_redeals,
    checked_rules,
    row_indices,
    whole,
)
from rungenv.dealing import deal_from_seed, draw_dealer, lay_out, start_streams
from rungenv.extras import dealt_out
from rungenv.rules import Rules, in_short
from rungenv.state import Span, State
from rungenv.trump import open_calling


@dataclass(frozen=True)
class Result:
    """How each table's round ended: winner (n,) int8 team or -1; kind (n,) int8, a `Kind`."""

    winner: np.ndarray
    kind: np.ndarray


class Tables(State):
    """N tables of one game. `rungenv.deal` and `rungenv.deal_hands` make them.

    The columns are listed in `rungenv.state.State`; read them freely, and change them by
    `rungenv.step` and the methods here.
    """

    def __repr__(self) -> str:
        over = int((self.seat < 0).sum())
        return f"<Tables: {len(self)} of {in_short(self.rules)}, the round over at {over}>"

    def legal(self) -> np.ndarray:
        """The legal actions as sets: (n,) uint64, bit = action; empty where the round is over."""
        return self.legal_set.copy()

    def legal_mask(self) -> np.ndarray:
        """The legal actions as flags: (n, 61) bool."""
        return unpack(self.legal_set, N_ACTIONS)

    @property
    def result(self) -> Result:
        """Winner and kind of each table's round."""
        return Result(self.winner.copy(), self.kind.copy())

    def next_round(self, rows: Any = None, hands: Any = None) -> None:
        """Deal the next round of the match (R5.4), or the first of a new one if it is won.

        rows: indices or a mask of tables whose round is over, by default all of these; hands
        (m, 4, 13): explicit deals for them, by default from their seeds. ValueError for a table
        whose round is not over, or that has neither a seed nor a deal given.
        """
        over = self.seat < 0
        rows = np.flatnonzero(over) if rows is None else row_indices(rows, len(self))
        if not over[rows].all():
            table = rows[~over[rows]][0]
            raise ValueError(f"table {table}: its round is not over, so no next round is dealt")
        deals = self._deals_for(rows, hands)
        won = self.match_winner[rows] >= 0
        self.round[rows] += 1
        self.match_round[rows] += 1
        self.dealer[rows] = self.next_dealer[rows]
        _begin_match(self, rows[won])
        _begin_round(self, rows, deals)

    def new_match(self, rows: Any = None, hands: Any = None) -> None:
        """Deal the first round of a new match (R1.2), whatever state the tables are in.

        rows, hands and errors as for `next_round`; rows are by default all tables.
        """
        rows = np.arange(len(self)) if rows is None else row_indices(rows, len(self))
        deals = self._deals_for(rows, hands)
        self.round[rows] += 1
        _begin_match(self, rows)
        _begin_round(self, rows, deals)

    def _deals_for(self, rows: np.ndarray, hands: Any) -> np.ndarray | None:
        if hands is not None:
            return checked_hands(hands, len(rows))
        if (self.seed[rows] < 0).any():
            table = rows[self.seed[rows] < 0][0]
            raise ValueError(
                f"table {table} was dealt by hand, without a seed: give its next hands"
            )
        return None

    def __reduce__(self) -> tuple[Any, ...]:
        return Tables.load_state, (self.save_state(),)

    def save_state(self) -> bytes:
        """All tables as bytes; `Tables.load_state` restores them."""
        return snapshot.to_bytes(self)

    @classmethod
    def load_state(cls, data: bytes) -> "Tables":
        """Tables from bytes of `save_state`; ValueError for bytes that are damaged or foreign."""
        return snapshot.from_bytes(cls, data)


def deal(
    rules: Rules, n: int, seed: Any = 0, *, dealer: Any = None, first_table: Any = 0
) -> Tables:
    """Deal n tables: the first round of a match at each, ready for the first seat to act.

    seed: an int, or (n,) of them, from 0 to 2**63 - 1. first_table: tables are numbered from it
    on, or it is the numbers, (n,) of them. A table's packs depend on seed and number alone; who is
    given which of their cards, on the dealer too. dealer: a seat, or (n,) of them; by default each
    table draws for it (R1.2). ValueError for anything out of range.

    >>> tables = deal(Rules(), 2, seed=7)
    >>> tables.legal_mask().shape
    (2, 61)
    """
    n = whole("n", n, 0, MOST_TABLES)
    tables, rows = Tables(checked_rules(rules), n), np.arange(n)
    numbers = checked_numbers(first_table, n)
    start_streams(tables, checked_column("seed", seed, n, 0, 2**63 - 1), numbers)
    _begin_match(tables, rows)
    if dealer is not None:
        tables.dealer[:] = checked_column("dealer", dealer, n, 0, 3)
    _begin_round(tables, rows, None)
    return tables


def deal_hands(
    rules: Rules,
    hands: Any,
    dealer: Any,
    *,
    seed: Any = None,
    redeals: Any = None,
    first_table: Any = 0,
) -> Tables:
    """Deal explicit hands: the first round of a match at each of n tables.

    hands (n, 4, 13) int: each seat's cards in the order received; dealer: a seat or (n,) of them.
    Later deals come from `redeals` (n, k, 4, 13), the next deals of this round in their order
    (R10.2), then from `seed` and `first_table`, as in `deal`; rules with new_cards need one of the
    two, and where neither has a next deal, NEW_CARDS is not legal. ValueError names the table and
    the cards that are missing or there twice.
    """
    hands = checked_hands(hands)
    n = len(hands)
    if any(checked_rules(rules).new_cards) and seed is None and redeals is None:
        raise ValueError("rules with new_cards need the next deals (redeals=) or a seed for them")
    tables = Tables(rules, n)
    rows, numbers = np.arange(n), checked_numbers(first_table, n)
    if seed is not None:
        start_streams(tables, checked_column("seed", seed, n, 0, 2**63 - 1), numbers)
    if redeals is not None:
        tables.redeals = checked_redeals(redeals, n)
    tables.new_cards_left[:] = rules.new_cards
    tables.dealer[:] = checked_column("dealer", dealer, n, 0, 3)
    _begin_round(tables, rows, hands)
    if tables.redeals is not None:
        tables.given[:] = tables.redeals.shape[1]
        legal.refresh(tables, rows)  # NEW_CARDS may be open to the first seat already
    return tables


def _begin_match(tables: Tables, rows: np.ndarray) -> None:
    """Empty the totals and draw for eldest hand."""
    tables.clear(rows, Span.MATCH)
    tables.clear(rows, Span.ROUND)  # so that the draw does not depend on the round before
    tables.new_cards_left[rows] = tables.rules.new_cards
    drawing = rows[tables.seed[rows] >= 0]
    if drawing.size:
        draw_dealer(tables, drawing)


def _begin_round(tables: Tables, rows: np.ndarray, deals: np.ndarray | None) -> None:
    tables.clear(rows, Span.ROUND)
    tables.history[rows] = 255
    if deals is None:
        deal_from_seed(tables, rows)
    else:
        lay_out(tables, rows, deals)
    dealt_out(tables, open_calling(tables, rows))
    legal.refresh(tables, rows)
