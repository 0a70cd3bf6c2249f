"""The agent that takes what it can: a sound player with neither memory nor plan.

Every judgement on the play is a function from the view to the set of cards that it would play, row
by row. `JUDGEMENTS` lists them, and the first that wants any card has its way; of several cards it
plays the lowest.
"""

import numpy as np

from agents.hand import (
    LENGTH,
    as_set,
    first_of,
    honours,
    lengths,
    lowest_ranked,
    of_suit,
    only_if,
    strengths,
)
from agents.situation import (
    is_last,
    is_leading,
    known_trumps,
    no_trumps,
    partner_is_safe,
    partner_wins,
    playable,
    thrown_away,
    without_tens,
)
from rungenv.actions import CALL, KEEP, NEW_CARDS, PASS, REVEAL
from rungenv.bits import BIT, lowest
from rungenv.cards import ACES, TENS
from rungenv.rules import Collects, Goal, Trump
from rungenv.state import Phase
from rungenv.view import ME, View


class Greedy:
    """Calls its longest suit, leads what is sure to win, wins cheaply, stays low under partner."""

    name = "greedy"
    deterministic = True

    def act(self, view: View, rng: np.random.Generator) -> np.ndarray:
        """(n,) int64 legal actions. Chance plays no part in them."""
        actions = np.zeros(len(view), np.int64)
        for phase, answer in ANSWERS.items():
            rows = np.flatnonzero(view.phase == phase)
            if rows.size == len(view):
                return answer(view)
            if rows.size:
                actions[rows] = answer(view.take(rows))
        return actions


# Before the play


def call(view: View) -> np.ndarray:
    """Call the longest suit, honours breaking ties, or lay its lowest card: (n,) int64 actions.

    Without three cards of a suit pass, if that is allowed: the partner may well have them.
    """
    strength = strengths(view.hand)
    short = strength.max(axis=1) < 3 * LENGTH
    may_pass = view.legal & BIT[PASS] != 0
    return np.where(short & may_pass, PASS, _make_trump(view, strength))


def new_cards(view: View) -> np.ndarray:
    """Ask for a fresh deal with a hand clearly below the average: (n,) int64 actions.

    The average is 10 points in honours and three trumps, at 2 points each, which are counted also
    where the trump is not known. Fresh deals are few: a hand that is only just below it will do.
    """
    trumps = known_trumps(view)
    held = np.where(trumps != 0, lengths(view.hand & trumps).max(axis=1), 3)
    return np.where(honours(view.hand) + 2 * held < 14, NEW_CARDS, KEEP)


def change_trump(view: View) -> np.ndarray:
    """Having seen all 13, change to the suit that is now the strongest: (n,) int64 actions."""
    strength = strengths(view.hand | as_set(view.my_face_down))
    if view.rules.trump == Trump.HIDDEN:  # the card to lay must be one of the first five
        strength = np.where(lengths(view.first_five) > 0, strength, 0)
    is_trump = of_suit(strength.argmax(axis=1)) == known_trumps(view)
    return np.where(is_trump, KEEP, _make_trump(view, strength))


def _make_trump(view: View, strength: np.ndarray) -> np.ndarray:
    """The action that makes the strongest suit the trump: its call, or its lowest card laid."""
    suit = strength.argmax(axis=1)
    if view.rules.trump == Trump.HIDDEN:
        return lowest(view.legal & of_suit(suit)).astype(np.int64)
    return CALL + suit


# The play of a card: judgements


def seal_the_pile(view: View) -> np.ndarray:
    """Having won the last trick, lead a card that is sure to pick the pile up.

    Where there is a pile this is the only lead of such a card: a trick won by itself picks nothing
    up, and the card is missed later.
    """
    rules = view.rules
    if rules.collects != Collects.PILE:
        return _nothing(view)
    sealing = only_if(is_leading(view) & (view.waiting == ME), view.masters)
    if rules.ace_over_ace:
        sealing = sealing & ~only_if(view.waiting_ace != 0, ACES)
    if rules.trump_ace_cannot_seal:
        sealing = sealing & ~(ACES & of_suit(view.trump))
    return sealing


def run_short(view: View) -> np.ndarray:
    """With the trump still to be cut, run out of a suit first of all, to be who cuts."""
    if view.rules.trump != Trump.CUT:
        return _nothing(view)
    return only_if(view.trump < 0, lead_low(view))


def draw_trumps(view: View) -> np.ndarray:
    """Lead the highest trump while others may hold any: what it draws can ruff no more."""
    trumps = known_trumps(view)
    others_may_ruff = view.unseen & trumps != 0
    return only_if(others_may_ruff, lead_a_master(view) & trumps)


def lead_a_master(view: View) -> np.ndarray:
    """Lead a card that nothing left in its suit can beat; for a pile, see above."""
    if view.rules.collects == Collects.PILE:
        return _nothing(view)
    return only_if(is_leading(view), view.masters)


def lead_low(view: View) -> np.ndarray:
    """Lead low from the shortest suit but trumps, to ruff when it is gone.

    Better than from the longest suit, where small cards may come to win.
    """
    cards = thrown_away(view)
    length = lengths(cards)
    shortest = of_suit(np.where(length > 0, length, 14).argmin(axis=1))
    return only_if(is_leading(view), cards & shortest)


def choose_the_trump(view: View) -> np.ndarray:
    """The first card off the led suit makes its suit trump: let it be the longest one."""
    if view.rules.trump != Trump.CUT:
        return _nothing(view)
    hand = playable(view)
    cuts = ~is_leading(view) & (view.trump < 0) & (hand & of_suit(view.led) == 0)
    longest = of_suit(strengths(hand).argmax(axis=1))
    return only_if(cuts, without_tens(view, hand & longest))


def give_partner_a_ten(view: View) -> np.ndarray:
    """Lay a ten in a trick that is the partner's for sure."""
    if view.rules.goal != Goal.TENS:
        return _nothing(view)
    return only_if(partner_is_safe(view), no_trumps(view) & TENS)


def stay_low_under_partner(view: View) -> np.ndarray:
    """Leave the trick to a partner who is winning it."""
    return only_if(partner_wins(view), thrown_away(view))


def win_cheaply(view: View) -> np.ndarray:
    """Win with the lowest card that does; with a ten that counts if, and only if, last."""
    winners = view.winners & view.legal
    if view.rules.goal != Goal.TENS:
        return winners
    return np.where(is_last(view), first_of(winners & TENS, winners), without_tens(view, winners))


JUDGEMENTS = (
    seal_the_pile,
    run_short,
    draw_trumps,
    lead_a_master,
    lead_low,
    choose_the_trump,
    give_partner_a_ten,
    stay_low_under_partner,
    win_cheaply,
    thrown_away,
)
"""In the order in which they are asked, for the play of a card."""


def ask_for_trump(view: View) -> np.ndarray:
    """Whether to have the face-down card shown: (n,) bool.

    A seat that cannot follow asks unless the partner is winning, for it may hold a trump.
    To show one's own on leading earns nothing, and is done when no other card is left.
    """
    wants = ~is_leading(view) & ~partner_wins(view) | (playable(view) == 0)
    return wants & (view.legal & BIT[REVEAL] != 0)


def play(view: View) -> np.ndarray:
    """A card, or the showing of the face-down one: (n,) int64 actions."""
    may_play = playable(view)
    card = lowest(lowest_ranked(first_of(*(may_play & judge(view) for judge in JUDGEMENTS))))
    return np.where(ask_for_trump(view), REVEAL, card.astype(np.int64))


def _nothing(view: View) -> np.ndarray:
    return np.zeros(len(view), np.uint64)


ANSWERS = {
    Phase.CALL: call,
    Phase.PARTNER_CALL: call,
    Phase.NEW_CARDS: new_cards,
    Phase.CHANGE_TRUMP: change_trump,
    Phase.PLAY: play,
}
