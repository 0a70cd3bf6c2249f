"""What an expert works out at the table before it judges any card: who holds what, who led what.

A `Sight` belongs to one view. Judgements share it, so each thing is worked out once, and only if
some judgement asks. Card sets are (n,) uint64, counts by suit (4, n) uint8.
"""

from functools import cached_property

import numpy as np

from agents.hand import as_set, highest_of_suits, lowest_of_suits, of_suit, suit_of
from agents.plays import cutter, led_by
from rungenv.actions import REVEAL
from rungenv.bits import BIT, EMPTY, count
from rungenv.cards import ACES, LANE, PACK, TENS, not_higher_than
from rungenv.rules import Collects, Goal, Trump
from rungenv.view import ME, NEXT, PARTNER, PREVIOUS, View

_SUITS = np.array(
    [np.bitwise_or.reduce(LANE[:4][[bits >> suit & 1 == 1 for suit in range(4)]], initial=EMPTY)
     for bits in range(16)]
)  # fmt: skip


def suits(which: np.ndarray) -> np.ndarray:
    """All cards of the suits for which a flag is set: (4, n) bool -> (n,) uint64."""
    return np.bitwise_or.reduce(np.where(which, LANE[:4, None], EMPTY), axis=0)


def by_suit(cards: np.ndarray) -> np.ndarray:
    """How many cards of each suit: (n,) uint64 -> (4, n) uint8."""
    return count(cards & LANE[:4, None])


def where(condition: np.ndarray, cards: np.ndarray | np.uint64) -> np.ndarray:
    """The cards in the rows where the condition holds: (n,) bool, (n,) uint64 -> (n,) uint64."""
    return np.where(condition, cards, EMPTY)


class Sight:
    """A view as an expert sees it; all attributes are worked out from the view alone."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.rules = view.rules
        self.tens_count = view.rules.goal == Goal.TENS
        self.has_pile = view.rules.collects == Collects.PILE

    @cached_property
    def cards(self) -> np.ndarray:
        """The cards that may be played or laid now."""
        return self.view.legal & PACK

    @cached_property
    def trumps(self) -> np.ndarray:
        """All cards of the trump suit, if known: to all, or as one's own face-down card's."""
        return of_suit(
            np.where(self.view.trump >= 0, self.view.trump, suit_of(self.view.my_face_down))
        )

    @cached_property
    def my_trumps(self) -> np.ndarray:
        """The trumps in the hand."""
        return self.view.hand & self.trumps

    @cached_property
    def trumps_out(self) -> np.ndarray:
        """The trumps that the other three hold."""
        return self.view.unseen & self.trumps

    @cached_property
    def side(self) -> np.ndarray:
        """The playable cards that are no trumps, as far as this seat knows."""
        return self.cards & ~self.trumps

    @cached_property
    def led(self) -> np.ndarray:
        """All cards of the led suit."""
        return of_suit(self.view.led)

    @cached_property
    def winners(self) -> np.ndarray:
        """The playable cards that beat the trick as it lies."""
        return self.view.winners & self.cards

    @cached_property
    def losers(self) -> np.ndarray:
        """The playable cards that do not."""
        return self.cards & ~self.view.winners

    @cached_property
    def masters(self) -> np.ndarray:
        """The cards of the hand that nothing unseen in their suit beats."""
        return self.view.masters

    @cached_property
    def seconds(self) -> np.ndarray:
        """The cards of the hand that just one unseen card of their suit beats: a king, say."""
        unseen = self.view.unseen
        rest = unseen & ~highest_of_suits(unseen)
        return self.view.hand & ~not_higher_than(rest) & ~self.view.masters

    @cached_property
    def bottoms(self) -> np.ndarray:
        """The lowest playable card of each suit."""
        return lowest_of_suits(self.cards)

    @cached_property
    def tops(self) -> np.ndarray:
        """The highest playable card of each suit."""
        return highest_of_suits(self.cards)

    @cached_property
    def held(self) -> np.ndarray:
        """How many cards of each suit are in the hand."""
        return by_suit(self.view.hand)

    @cached_property
    def others(self) -> np.ndarray:
        """How many cards of each suit the other three hold."""
        return by_suit(self.view.unseen)

    @cached_property
    def length(self) -> np.ndarray:
        """How many cards the hand has."""
        return count(self.view.hand)

    def void(self, seat: int) -> np.ndarray:
        """All cards of the suits that a seat is known to be out of."""
        return _SUITS[self.view.voids[:, seat]]

    def may_ruff(self, seat: int) -> np.ndarray:
        """All cards of the suits that a seat is out of, and could trump as far as can be told.

        Where the trump is not known yet, each such suit is one in which it may ask for it.
        """
        may_hold = (self.trumps == 0) | (self.trumps_out & ~self.void(seat) != 0)
        return where(may_hold, self.void(seat) & ~self.trumps)

    @cached_property
    def opponents_ruff(self) -> np.ndarray:
        """All cards of the suits that an opponent could trump."""
        return self.may_ruff(NEXT) | self.may_ruff(PREVIOUS)

    @cached_property
    def opponents_trumpless(self) -> np.ndarray:
        """Whether both opponents are known to hold no trump (n,) bool; not where it is unknown."""
        dry = self.void(NEXT) & self.void(PREVIOUS) & self.trumps != 0
        return dry | ((self.trumps != 0) & (self.trumps_out == 0))

    @cached_property
    def partner_wins(self) -> np.ndarray:
        """Whether the partner is winning the trick."""
        return self.view.holder == PARTNER

    @cached_property
    def is_last(self) -> np.ndarray:
        """Whether the seat plays the fourth card."""
        return self.view.trick_size == 3

    @cached_property
    def next_may_ruff(self) -> np.ndarray:
        """Whether the one opponent still to play may trump the led suit (n,) bool."""
        return ~self.is_last & (self.may_ruff(NEXT) & self.led != 0)

    @cached_property
    def sure(self) -> np.ndarray:
        """The playable cards that win the trick for sure, as far as can be told.

        The fourth card that beats the rest; before that a card that nothing unseen of its suit
        beats, and no opponent still to play may trump.
        """
        topmost = self.winners & (self.masters | where(self.is_last, PACK))
        ruffed = self.next_may_ruff & (self.trumps & ~self.led != 0)
        return np.where(ruffed, topmost & self.trumps, topmost)

    @cached_property
    def best_on_table(self) -> np.ndarray:
        """The card that is winning the trick, as a set."""
        rows = np.arange(len(self.view))
        return where(self.view.holder >= 0, as_set(self.view.trick[rows, self.view.holder]))

    @cached_property
    def partner_is_safe(self) -> np.ndarray:
        """Whether the partner will win the trick if left to, as far as can be told (n,) bool."""
        lower = not_higher_than(self.view.unseen)
        beatable = self.best_on_table & lower != 0
        ruffed = self.next_may_ruff & (self.best_on_table & self.led != 0)
        return self.partner_wins & (self.is_last | ~(beatable | ruffed))

    @cached_property
    def partner_led(self) -> np.ndarray:
        """All cards of the suits that the partner has led to a trick."""
        return self._led_by[PARTNER]

    @cached_property
    def opponents_led(self) -> np.ndarray:
        """All cards of the suits that an opponent has led to a trick."""
        return self._led_by[NEXT] | self._led_by[PREVIOUS]

    @cached_property
    def owner_led(self) -> np.ndarray:
        """All cards of the suits that the owner of the face-down card has led to a trick."""
        rows = np.arange(len(self.view))
        return where(self.view.owner >= 0, self._led_by[self.view.owner, rows])

    @cached_property
    def _led_by(self) -> np.ndarray:
        return led_by(self.view)

    @cached_property
    def trump_maker(self) -> np.ndarray:
        """The seat that called, laid or cut the trump (n,), -1 for nobody."""
        return cutter(self.view) if self.rules.trump == Trump.CUT else self.view.caller

    # How the round stands

    @cached_property
    def matters(self) -> np.ndarray:
        """Whether this trick can end the round (n,) bool: a team is one trick from winning it."""
        return self.view.tricks.max(axis=1) >= 6

    @cached_property
    def we_have_none(self) -> np.ndarray:
        """Whether the own team has no trick yet, late enough to fear a kot (n,) bool."""
        return (self.view.tricks[:, 0] == 0) & (self.view.tricks[:, 1] >= 4)

    @cached_property
    def they_have_none(self) -> np.ndarray:
        """Whether the others have no trick yet, late enough to hope for a kot (n,) bool."""
        return (self.view.tricks[:, 1] == 0) & (self.view.tricks[:, 0] >= 4)

    @cached_property
    def partner_called(self) -> np.ndarray:
        """Whether the partner made the trump."""
        return self.trump_maker == PARTNER

    @cached_property
    def opponents_called(self) -> np.ndarray:
        """Whether an opponent made the trump."""
        return (self.trump_maker == NEXT) | (self.trump_maker == PREVIOUS)

    # The pile (R6)

    @cached_property
    def may_seal(self) -> np.ndarray:
        """The cards whose win would pick the pile up now (R6.2, R6.4, R6.7)."""
        last = self.view.trick_number == 12
        return where(self.view.waiting == ME, self._sealing) | where(last, PACK)

    @cached_property
    def _sealing(self) -> np.ndarray:
        """The cards that seal for a seat that won the last trick."""
        rules, view = self.rules, self.view
        sealing = np.full(len(view), PACK)
        if rules.ace_over_ace:
            sealing = sealing & ~where(view.waiting_ace != 0, ACES)
        if rules.trump_ace_cannot_seal:
            sealing = sealing & ~(ACES & self.trumps)
        if rules.no_late_pickup:
            sealing = where(view.trick_number < 10, sealing)
        return sealing

    @cached_property
    def holder_seals(self) -> np.ndarray:
        """Whether the seat that is winning the trick would pick the pile up (n,) bool."""
        last = self.view.trick_number == 12
        waits = (self.view.waiting == self.view.holder) & (self.view.holder >= 0)
        return last | (waits & (self.best_on_table & self._sealing != 0))

    @cached_property
    def is_asking(self) -> np.ndarray:
        """Whether the face-down card may be asked for or shown (n,) bool."""
        return self.view.legal & BIT[REVEAL] != 0

    @cached_property
    def tens_on_table(self) -> np.ndarray:
        """Tens in the trick: (n,) uint8."""
        on_table = np.bitwise_or.reduce(as_set(self.view.trick), axis=1)
        return count(on_table & TENS)
