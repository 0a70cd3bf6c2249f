"""One table, played one action at a time: the quick way to step a single game.

The same rules as for N tables. While cards are played they run on plain ints (`state.Row`), which
for one table are ten times as quick as arrays; all else goes through `kernel.step`.
"""

from typing import Any

import numpy as np

from rungenv import collect, kernel, legal, score, trick, trump
from rungenv.actions import CALL
from rungenv.checks import whole
from rungenv.kernel import Events
from rungenv.knowledge import known
from rungenv.packing import dense_row
from rungenv.rules import in_short
from rungenv.state import Phase
from rungenv.tables import Tables
from rungenv.view import View, public_history

_PLAY = Phase.PLAY.value
_NO_FLAG, _NO_PAY = np.zeros(1, np.bool_), np.zeros((1, 2), np.int8)
_NO_FLAG.flags.writeable = _NO_PAY.flags.writeable = False
_NOTHING = Events(_NO_FLAG, _NO_FLAG, _NO_PAY, _NO_PAY)
_FULL = np.ones(1, np.bool_)


class Table:
    """A single table, begun from a copy of Tables of one: `Table(rungenv.deal(rules, 1, seed=0))`.

    >>> from rungenv import deal, variant
    >>> table = Table(deal(variant("be_ranga"), 1, seed=0))
    >>> table.seat == int(table.tables.seat[0])
    True
    """

    def __init__(self, tables: Tables) -> None:
        if len(tables) != 1:
            raise ValueError(f"a Table is made from Tables of one table, not of {len(tables)}")
        self._tables = tables.copy()
        self._read()

    def _read(self) -> None:
        self._row = self._tables.row(0)
        self._ahead = False  # of `_tables`

    @property
    def tables(self) -> Tables:
        """The table as Tables of one, brought up to date; a copy of what will be played on."""
        return self._synced().copy()

    def _synced(self) -> Tables:
        if self._ahead:
            self._tables.write_row(0, self._row)
            self._ahead = False
        return self._tables

    def __repr__(self) -> str:
        turn = f"seat {self.seat} to act" if self.seat >= 0 else "the round over"
        return f"<Table: {in_short(self._row.rules)}, {turn}>"

    def __copy__(self) -> "Table":
        return Table(self._synced())

    def __deepcopy__(self, memo: dict[int, object]) -> "Table":
        return Table(self._synced())

    def __reduce__(self) -> tuple[Any, ...]:
        return Table, (self._synced(),)

    @property
    def seat(self) -> int:
        """The seat to act, -1 when the round is over."""
        return self._row.seat

    @property
    def legal_set(self) -> int:
        """The legal actions, bit = action; 0 when the round is over."""
        return self._row.legal_set

    @property
    def winner(self) -> int:
        """The team that won the round, -1 while it is on."""
        return self._row.winner

    @property
    def kind(self) -> int:
        """How it was won, a `Kind`."""
        return self._row.kind

    def step(self, action: int) -> Events:
        """Carry out one action, as `rungenv.step` does: Events of one table.

        Raises IllegalAction, or ValueError for what is no int, and then nothing has changed.
        """
        row = self._row
        plays_card = row.phase == _PLAY and type(action) is int and 0 <= action < CALL
        if not plays_card or not row.legal_set >> action & 1:
            return self._step_as_tables(np.array([action]))
        self._tables.history[0, row.length] = action | row.seat << 6
        row.length += 1
        self._ahead = True
        full = trick.place(row, action)
        if full:
            collect.collect(row, trick.take_trick(row, full))
            if score.decided(row, full):
                return self._end_round()
        if trump.first_void(row):
            return self._show_at_first_void()
        row.legal_set = legal.play(row)
        return _NOTHING

    def next_round(self) -> None:
        """Deal the next round, as `Tables.next_round` does."""
        self._synced().next_round()
        self._read()

    def dense(self, seat: int) -> np.ndarray:
        """The dense view of a seat, 0 to 3, as `observe(tables, seat).dense()[0]`: fresh."""
        seat = whole("seat", seat, 0, 3)
        return dense_row(*known(self._row, seat, self._open_to(seat)))

    def observe(self, seat: int) -> View:
        """The view of a seat, 0 to 3, as `observe(tables, seat)`: one row."""
        seat = whole("seat", seat, 0, 3)
        legal = self._open_to(seat)
        sets, smalls = known(self._row, seat, legal)
        viewer = np.array([seat], np.int8)
        return View(
            self._row.rules,
            viewer,
            np.array([legal], np.uint64),
            np.array([sets], np.uint64).T,
            np.array([smalls], np.int8).T,
            public_history(self._synced(), viewer),
        )

    def _open_to(self, seat: int) -> int:
        return self._row.legal_set if seat == self._row.seat else 0

    def _step_as_tables(self, actions: Any) -> Events:
        events = kernel.step(self._synced(), actions)
        self._read()
        return events

    def _end_round(self) -> Events:
        events = kernel.end_rounds(self._synced(), _FULL)
        self._read()
        return events

    def _show_at_first_void(self) -> Events:
        trump.reveal_at_first_void(self._synced())
        legal.refresh(self._tables)
        self._read()
        return _NOTHING
