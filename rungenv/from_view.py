"""A view turned back into tables: what everybody knows of them, with the cards left out."""

import numpy as np

from rungenv.cards import CARD_RANK, CARD_SUIT, TEN
from rungenv.evidence import Evidence
from rungenv.match import conclude
from rungenv.score import judge
from rungenv.state import Phase
from rungenv.tables import Tables
from rungenv.view import View

_SAME = (
    *("phase", "led", "trump", "passed", "timed_out", "owner_knows", "must_trump"),
    *("waiting_ace", "pile", "pile_tens", "trick_number", "turned_up", "shown"),
)
_SEATS = ("dealer", "caller", "owner", "asker", "waiting")
_TEAMS = ("tricks", "tens", "points", "kots", "streak")
_PLAY, _OVER = Phase.PLAY.value, Phase.OVER.value


def public_tables(view: View, evidence: Evidence) -> Tables:
    """The public columns of tables at which seats have these views: Tables of n.

    Hands, deals and legal sets are left empty, as are the seeds.
    """
    tables = Tables(view.rules, len(view))
    viewer = view.seat.astype(np.int8)
    everyone = evidence.everyone
    for name in _SAME:
        setattr(tables, name, getattr(view, name))
    for name in _SEATS:
        setattr(tables, name, absolute(getattr(view, name), viewer))
    for name in _TEAMS:
        for team in (0, 1):
            tables.by_team(name)[team] = getattr(view, name)[everyone, viewer & 1 ^ team]
    seats = np.arange(4) - viewer[:, None] & 3  # of the view, for those at the table
    tables.new_cards_left = np.take_along_axis(view.new_cards_left, seats, axis=1)
    trick = np.take_along_axis(view.trick, seats, axis=1)
    tables.trick_word = ((trick + 1).astype(np.uint32) << np.arange(0, 32, 8)).sum(axis=1)
    voids = np.take_along_axis(view.voids, seats, axis=1).astype(np.uint16)
    tables.void_word = (voids << np.arange(0, 16, 4)).sum(axis=1)
    tables.trick_tens = ((trick >= 0) & (CARD_RANK[trick] == TEN)).sum(axis=1)

    tables.seat = absolute(view.turn, viewer)
    tables.leader = np.where(view.phase == _PLAY, tables.seat - view.trick_size & 3, -1)
    tables.best = _best(view, viewer)
    tables.length = evidence.length
    tables.play_from = np.where(view.phase >= _PLAY, evidence.opening_ends, 0)
    tables.redeal = evidence.redeal
    tables.history = view.history.copy()
    conclude(tables, judge(tables, view.phase == _OVER))
    return tables


def absolute(seat: np.ndarray, viewer: np.ndarray) -> np.ndarray:
    """Seats of a view as those at the table, -1 for nobody: (n,) int8."""
    return np.where(seat >= 0, seat + viewer & 3, -1)


def _best(view: View, viewer: np.ndarray) -> np.ndarray:
    """`State.best` of the trick on the table: a card off the led suit can win only as a trump."""
    card = view.trick[np.arange(len(view)), view.holder]
    standing = CARD_RANK[card] + 13 * (CARD_SUIT[card] != view.led)
    return np.where(view.holder >= 0, 4 * standing + absolute(view.holder, viewer), -1)
