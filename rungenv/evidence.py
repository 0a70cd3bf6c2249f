"""What a view proves about the cards that its viewer has not seen.

Everything a seat did was legal when it did it, and that rules deals out:

- who fails to follow a suit holds none of it (R3.2), but for a card that lies face down (R7.2);
- who asks for the face-down card, or has it come up, could not follow either (R7.3, R9.3), and if
  the card played then is no trump, holds none of that suit;
- where it comes up by itself (R9.3) and has not, the seat that is to play can follow;
- a called suit is among the caller's first five cards (R2.3), and so is a card laid face down
  (R7.1), while a card turned up or down by the deal has its place in it (R2.4, R7.7, R9.2).

Passing, keeping and asking for new cards prove nothing, and neither does a choice that another seat
has yet to make. Seats are relative to the viewer.
"""

import numpy as np

from rungenv.actions import CALL, NEW_CARDS, REVEAL
from rungenv.bits import BIT, count
from rungenv.cards import CARD_SUIT
from rungenv.rules import Shown, Trump
from rungenv.state import Phase
from rungenv.view import LAID, NOTHING, View

_NO_CARDS = np.uint64(0)
_CARD = np.append(BIT[:52], _NO_CARDS)  # the set of a card, nothing for -1
_SUITS = np.arange(4)


class Evidence:
    """Of n views; arrays are (n,), or (4, n) by seat, or as said.

    unknown: the cards of which the viewer does not know who was dealt them. needs (4, n): how many
    of them each seat was dealt, a face-down one aside; hidden: 1 where one of them lies face down.
    seen (4, n): the other cards that each seat was dealt. void (4, 4, n): by seat and suit, whether
    the seat can have none of the unknown ones, a face-down one aside. follows: a suit of which the
    seat to act, `turn`, has one at least where it is not the viewer, -1.

    placed: the seat whose order of cards is known in part. called: a suit that is among its first
    five, -1. at (n,) uint16: the places, bit 0 for the first, of which its face-down or turned-up
    card has one, 0 where nothing is known. card: that card, -1 if it is the unknown one or none.
    """

    def __init__(self, view: View) -> None:
        self.rules = view.rules
        self.everyone = np.arange(len(view))
        self.calling = view.phase <= Phase.PARTNER_CALL
        self.eldest = (view.dealer + 1) & 3
        self.turn = view.turn
        self.read_history(view)
        self.count_cards(view)
        self.find_places(view)
        self.void = (view.voids.T[:, None] >> _SUITS[:, None] & 1).astype(np.bool_)
        self.add_voids_of_the_turn(view)
        shown = np.flatnonzero(view.shown >= 0)
        if shown.size:
            self.add_voids_of_the_showing(view.take(shown), shown)

    def read_history(self, view: View) -> None:
        """Where in the history the present deal and the play begin."""
        self.actions = view.history_actions()
        self.places = np.arange(self.actions.shape[1])
        self.length = (self.actions != NOTHING).sum(axis=1)
        dealt_again = self.actions == NEW_CARDS
        self.redeal = dealt_again.sum(axis=1)
        self.deal_from = (dealt_again * (self.places + 1)).max(axis=1, initial=0)
        played = count(view.played).sum(axis=1, dtype=np.int64)
        self.opening_ends = self.length - played - (self.actions == REVEAL).sum(axis=1)
        opening = self.places < self.opening_ends[:, None]
        self.opening = opening & (self.places >= self.deal_from[:, None])  # of the present deal
        self.lays = opening & (self.actions == LAID)
        laid = (self.opening & ((self.actions < CALL) | (self.actions == LAID))).sum(axis=1)
        self.changed = laid + view.timed_out > 1  # R10.1

    def count_cards(self, view: View) -> None:
        """The unknown cards, and how many of them everyone needs."""
        down = view.is_down == 1
        self.hidden = (down & (view.my_face_down < 0)).astype(np.int64)
        seen = view.played.T.copy()
        seen[0] |= view.hand | _CARD[view.my_face_down]
        for seat, card in ((self.eldest, view.turned_up), (view.owner, view.shown)):
            seen[seat, self.everyone] |= _CARD[card]
        self.seen = seen
        self.needs = 13 - count(seen).astype(np.int64)
        self.needs[view.owner, self.everyone] -= self.hidden
        self.unknown = view.unseen & ~np.bitwise_or.reduce(seen)
        wrong = (self.needs < 0).any(axis=0)
        wrong |= self.needs.sum(axis=0) + self.hidden != count(self.unknown)
        if wrong.any():
            raise ValueError(f"view {np.flatnonzero(wrong)[0]} contradicts itself: cards are amiss")

    def find_places(self, view: View) -> None:
        """Whose order is known in part, and what of it."""
        n = len(view)
        late = view.timed_out == 1
        self.called = np.full(n, -1)
        self.at = np.zeros(n, np.uint16)
        self.card = np.full(n, -1)
        self.placed = view.caller.astype(np.int64)
        if self.rules.trump == Trump.CALLED:
            is_call = self.opening & (self.actions >= CALL) & (self.actions < CALL + 4)
            first = self.actions[self.everyone, is_call.argmax(axis=1)].astype(np.int64) - CALL
            if not self.rules.call_any_suit:
                self.called = np.where(is_call.any(axis=1) & ~late & (self.placed > 0), first, -1)
            self.at[late] = 1 << 5  # R2.4
            self.card = view.turned_up.astype(np.int64)
        elif self.rules.trump == Trump.HIDDEN:
            self.placed = view.owner.astype(np.int64)
            by_deal, others = (1 << 5, 31) if self.rules.passing else (1, 30)  # R7.7, R9.2
            self.at = np.where(late, np.where(self.changed, others, by_deal), 31).astype(np.uint16)
            self.at[view.owner < 0] = 0
            self.card = np.maximum(view.my_face_down, view.shown).astype(np.int64)

    def add_voids_of_the_turn(self, view: View) -> None:
        """What is proved of the seat to act before it plays; nothing of the viewer is new to it."""
        bound = np.flatnonzero((view.must_trump == 1) & (view.led >= 0))
        self.void[view.turn[bound], view.led[bound], bound] = True
        self.follows = np.full(len(view), -1)
        if self.rules.trump == Trump.HIDDEN and self.rules.shown == Shown.FIRST_VOID:
            in_doubt = (view.is_down == 1) & (view.turn > 0)
            self.follows[in_doubt] = view.led[in_doubt]

    def add_voids_of_the_showing(self, view: View, rows: np.ndarray) -> None:
        """What was proved before and at the showing of the face-down card.

        `View.voids` forgets that its owner could not follow its suit, as it can with that card.
        """
        cards, seats, index = self.play(view, rows)
        led = CARD_SUIT[cards[:, index - index % 4]]
        suit = CARD_SUIT[view.shown]
        off = (CARD_SUIT[cards] != led) & (cards >= 0)
        at = self.showing(view, rows, cards, seats, off)[:, None]
        owners = seats == view.owner[:, None]
        lacked = (owners & off & (led == suit[:, None]) & (index < at)).any(axis=1)
        at = np.minimum(at, 51)
        own_turn = (view.asker == view.owner) & (at[:, 0] % 4 > 0)
        lacked |= own_turn & (np.take_along_axis(led, at, axis=1)[:, 0] == suit)
        self.void[view.owner, suit, rows] |= lacked
        then = np.take_along_axis(cards, at, axis=1)[:, 0]
        self.void[view.asker, suit, rows] |= (then >= 0) & (CARD_SUIT[then] != suit)

    def play(self, view: View, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Cards played, in order, -1 beyond the last; whose; their numbers: (m, 52)."""
        actions = self.actions[rows].astype(np.int64)
        played = (self.places >= self.opening_ends[rows, None]) & (actions < CALL)
        row, place = np.nonzero(played)
        number = (played.cumsum(axis=1) - 1)[row, place]
        cards, seats = np.full((2, len(rows), 52), -1)
        cards[row, number] = actions[row, place]
        seats[row, number] = view.history_seats()[row, place]
        return cards, seats, np.arange(52)

    def showing(
        self,
        view: View,
        rows: np.ndarray,
        cards: np.ndarray,
        seats: np.ndarray,
        off: np.ndarray,
    ) -> np.ndarray:
        """How many cards had been played when the face-down card was shown: (m,)."""
        reveals = self.actions[rows] == REVEAL
        at = (cards >= 0).sum(axis=1)  # just now, or at the end of the round (R7.8)
        if self.rules.shown == Shown.FIRST_VOID:  # R9.3: no action tells
            own = (view.asker == view.owner)[:, None] & (cards == view.shown[:, None])
            there = (seats == view.asker[:, None]) & (np.arange(52) % 4 > 0) & (off | own)
            at = np.where(there.any(axis=1), there.argmax(axis=1), at)
        asked_at = reveals.argmax(axis=1) - self.opening_ends[rows]
        return np.where(reveals.any(axis=1), asked_at, at)
