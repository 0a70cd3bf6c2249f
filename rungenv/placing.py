"""The cards of drawn worlds put on their tables: hands, the order received, what lies face down."""

import numpy as np

from rungenv.bits import BIT, choose, count, lowest, union
from rungenv.cards import LANE
from rungenv.draws import Draws, Use
from rungenv.evidence import Evidence
from rungenv.orders import draw_early, put_in_places, shuffled_hands
from rungenv.rules import Trump
from rungenv.tables import Tables
from rungenv.view import View

_NONE = np.uint64(0)
_CARD = np.append(BIT[:52], _NONE)  # the set of a card, nothing for -1
_SEATS = np.arange(4)


def place(
    tables: Tables,
    view: View,
    evidence: Evidence,
    rows: np.ndarray,
    dealt: np.ndarray,
    down: np.ndarray,
    draws: Draws,
) -> None:
    """Lay worlds out that are Tables of m: dealt (4, m) card sets by seat of the view, down (m,).

    rows (m,) says which of the views each world is of.
    """
    everyone = tables.everyone
    viewer = view.seat.astype(np.int64)[rows]
    seats = _SEATS[:, None] + viewer & 3  # at the table, for those of the view
    tables.dealt[everyone, seats] = dealt
    hands = dealt & ~view.played.T[:, rows]
    known_down = _CARD[view.my_face_down][rows]
    hands[view.owner[rows], everyone] &= ~(down | known_down)
    tables.hands[everyone, seats] = hands
    lying = lowest(down | known_down).astype(np.int8)
    tables.face_down = np.where(lying < 52, lying, -1)

    tables.deal = _ordered(view, evidence, rows, dealt, down, viewer, draws)
    tables.first_five = union(tables.deal[:, :, :5])
    _name_laid_cards(tables, evidence, rows, draws)


def _ordered(
    view: View,
    evidence: Evidence,
    rows: np.ndarray,
    dealt: np.ndarray,
    down: np.ndarray,
    viewer: np.ndarray,
    draws: Draws,
) -> np.ndarray:
    """The deal in the order received: (m, 4, 13) int8, by seat at the table."""
    everyone = np.arange(len(rows))
    own = view.first_five[rows]
    placed, called = evidence.placed[rows], evidence.called[rows]
    card = _CARD[evidence.card][rows] | down
    at = evidence.at[rows].astype(np.uint64)
    is_own = placed == 0

    # Other seats' known card, or a caller's cards of the called suit, go in front of their hands.
    front = card * ~is_own
    places = choose(at, draws.fractions(Use.PLACE))
    places = np.where(at > 0, 1 << places, 0)
    calls = called >= 0
    if calls.any():
        suited = dealt[placed[calls], everyone[calls]] & LANE[called[calls]]
        front[calls] = suited
        places[calls] = draw_early(count(suited), draws.of(calls).fractions(Use.EARLY_PLACES))
    # The viewer's first five are known, and its placed card may be the first of them, the sixth,
    # or any but the first.
    late = is_own & (at == 1 << 5)
    inside = is_own & (at > 0) & (at < 31)
    places[is_own & ~inside] = 0
    front |= np.where(inside, card, own)
    middle = np.where(late, card, np.where(inside, own & ~card, _NONE))

    by_seat = np.empty((len(rows), 4), np.uint64)
    by_seat[everyone, _SEATS[:, None] + viewer & 3] = dealt
    deal = shuffled_hands(by_seat, front, middle, draws)
    put_in_places(deal, placed + viewer & 3, places)
    return deal


def _name_laid_cards(tables: Tables, evidence: Evidence, rows: np.ndarray, draws: Draws) -> None:
    """Write into the histories which cards others laid face down; the view does not say.

    Of two lays of the present deal (R10.1) the last is the face-down card, the first any other of
    the owner's first five; of a deal that was given up nobody knows more than that it was a card.
    """
    if tables.rules.trump != Trump.HIDDEN:
        return
    row, place = np.nonzero(evidence.lays[rows])
    if not row.size:
        return
    named = (52 * draws.of(row).fractions(Use.LAID, place)).astype(np.int64)
    card = np.where(tables.face_down >= 0, tables.face_down, tables.shown).astype(np.int64)
    present = place >= evidence.deal_from[rows[row]]
    last = np.append((row[1:] != row[:-1]) | ~present[1:], True)
    final, first = present & last, present & ~last
    named[final] = card[row[final]]
    owner = tables.owner[row[first]]
    others = tables.first_five[row[first], owner] & ~BIT[card[row[first]]]
    named[first] = choose(others, draws.of(row[first]).fractions(Use.LAID_FIRST))
    tables.history[row, place] = tables.history[row, place] & 0xC0 | named
