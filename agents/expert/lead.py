"""Judgements on what to lead: each names cards, and its weights say how well it is to lead them."""

import numpy as np

from agents.expert.sight import Sight, suits, where
from agents.hand import highest_of_suits
from rungenv.bits import count
from rungenv.cards import LANE, card_set, not_higher_than
from rungenv.view import ME, NEXT, PARTNER, PREVIOUS

SPOTS = np.bitwise_or.reduce([card_set(f"{rank}C {rank}D {rank}H {rank}S") for rank in "23456"])
COURT = np.bitwise_or.reduce([card_set(f"{rank}C {rank}D {rank}H {rank}S") for rank in "AKQJ"])


def cash_masters(sight: Sight) -> np.ndarray:
    """Side cards that nothing left in their suit beats: a trick, if nobody ruffs."""
    return sight.masters & sight.side


def cash_fresh_masters(sight: Sight) -> np.ndarray:
    """Masters of a suit hardly played yet: all others will be able to follow."""
    return sight.masters & sight.side & suits(sight.others >= 8)


def cash_late_masters(sight: Sight) -> np.ndarray:
    """Masters of a suit of which few cards are left outside: somebody may be out of it."""
    return sight.masters & sight.side & suits(sight.others <= 5)


def spare_ruffed_masters(sight: Sight) -> np.ndarray:
    """Masters of a suit that an opponent may trump: they would be lost."""
    return sight.masters & sight.opponents_ruff


def run_winners(sight: Sight) -> np.ndarray:
    """Masters when no opponent can trump any more: each is a trick for certain."""
    return where(sight.opponents_trumpless, sight.masters)


def draw_trumps(sight: Sight) -> np.ndarray:
    """The highest trump while others hold some: what it draws can ruff no more."""
    return sight.masters & where(sight.trumps_out != 0, sight.my_trumps & sight.cards)


def draw_when_long(sight: Sight) -> np.ndarray:
    """Trumps, when the hand has at least as many as the other three together."""
    long = count(sight.my_trumps) >= count(sight.trumps_out)
    return where(long & (sight.trumps_out != 0), sight.my_trumps & sight.cards)


def draw_own_trumps(sight: Sight) -> np.ndarray:
    """Trumps, having made them: the side that called is the longer one in them."""
    return where(sight.trump_maker == ME, sight.my_trumps & sight.cards)


def draw_for_partner(sight: Sight) -> np.ndarray:
    """Trumps, when the partner made them."""
    return where(sight.partner_called, sight.my_trumps & sight.cards)


def trumps_against_the_caller(sight: Sight) -> np.ndarray:
    """Trumps, when an opponent made them: it takes ruffs from whoever has few."""
    return where(sight.opponents_called, sight.my_trumps & sight.cards)


def keep_the_last_trump(sight: Sight) -> np.ndarray:
    """The only trump of the hand, which would be missed as a ruff."""
    return where(count(sight.my_trumps) == 1, sight.my_trumps & sight.cards)


def draw_two_for_one(sight: Sight) -> np.ndarray:
    """Trumps when an opponent is out of them: the lead draws the partner's as well."""
    dry = (sight.void(NEXT) | sight.void(PREVIOUS)) & sight.trumps != 0
    return where(dry & (sight.trumps_out != 0), sight.my_trumps & sight.cards)


def lead_trumps_at_all(sight: Sight) -> np.ndarray:
    """Any trump: against any other lead."""
    return sight.my_trumps & sight.cards


def lead_a_singleton(sight: Sight) -> np.ndarray:
    """The only card of a side suit: from the next lead of it on it can be ruffed."""
    return sight.side & suits(sight.held == 1)


def lead_a_doubleton(sight: Sight) -> np.ndarray:
    """One of two cards of a side suit, to be out of it soon."""
    return sight.side & suits(sight.held == 2)


def lead_short_with_trumps(sight: Sight) -> np.ndarray:
    """A singleton with small trumps in the hand, which ruffs make into tricks."""
    small = sight.my_trumps & ~sight.masters & ~sight.seconds
    return where(small != 0, lead_a_singleton(sight))


def lead_the_long_suit(sight: Sight) -> np.ndarray:
    """A side suit of four cards or more, whose small cards come to win once it is led out."""
    return sight.side & suits(sight.held >= 4)


def lead_very_long_suit(sight: Sight) -> np.ndarray:
    """A side suit of which the hand has as many cards as the other three together."""
    return sight.side & suits((sight.held >= sight.others) & (sight.others > 0))


def return_partners_suit(sight: Sight) -> np.ndarray:
    """A suit that the partner has led: there it has, or wants, something."""
    return sight.side & sight.partner_led


def avoid_opponents_suit(sight: Sight) -> np.ndarray:
    """A suit that an opponent has led."""
    return sight.side & sight.opponents_led


def give_a_ruff(sight: Sight) -> np.ndarray:
    """A suit that the partner may trump and no opponent is known to be out of."""
    return sight.side & sight.may_ruff(PARTNER) & ~sight.opponents_ruff


def lead_into_a_ruff(sight: Sight) -> np.ndarray:
    """A suit that the next player may trump, with the trick all before it."""
    return sight.side & sight.may_ruff(NEXT)


def lead_up_to_a_ruff(sight: Sight) -> np.ndarray:
    """A suit that the last player may trump."""
    return sight.side & sight.may_ruff(PREVIOUS)


def lead_away_from_a_king(sight: Sight) -> np.ndarray:
    """Low from a suit in which the hand has the second best card: the best may fall on it later."""
    guarded = suits((sight.seconds & LANE[:4, None]) != 0)
    return sight.side & guarded & ~sight.seconds & ~sight.masters


def lead_a_bare_king(sight: Sight) -> np.ndarray:
    """The second best card of a suit, which the best one takes, wherever it is."""
    return sight.side & sight.seconds


def lead_a_sequence(sight: Sight) -> np.ndarray:
    """The second best card with the third best behind it: one of the two wins, sooner or later."""
    unseen = sight.view.unseen
    rest = unseen & ~highest_of_suits(unseen)
    near = sight.view.hand & ~not_higher_than(rest) & ~sight.masters
    twice = suits(count(near & LANE[:4, None]) >= 2)
    return sight.side & near & twice


def lead_court_cards(sight: Sight) -> np.ndarray:
    """An ace, king, queen or jack that is not the highest left of its suit."""
    return sight.side & COURT & ~sight.masters


def lead_the_lowest(sight: Sight) -> np.ndarray:
    """The lowest card of its suit: what is not to win should cost nothing."""
    return sight.bottoms


def lead_the_highest(sight: Sight) -> np.ndarray:
    """The highest card of its suit."""
    return sight.tops


def lead_small_cards(sight: Sight) -> np.ndarray:
    """A card of the ranks two to six."""
    return sight.cards & SPOTS


def lead_masters_over(sight: Sight) -> np.ndarray:
    """A small card of a suit in which the hand keeps a master for later."""
    kept = suits((sight.masters & LANE[:4, None]) != 0)
    return sight.side & kept & ~sight.masters


def take_the_last_trick_needed(sight: Sight) -> np.ndarray:
    """A master, when the next trick can end the round: now is the time for it."""
    return where(sight.matters, sight.masters)


def press_for_the_kot(sight: Sight) -> np.ndarray:
    """A master, when the others have no trick yet: each may be the one that they never get."""
    return where(sight.they_have_none, sight.masters)
