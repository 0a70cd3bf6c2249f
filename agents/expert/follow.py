"""Judgements on a trick that others have led: beat it, leave it, ruff it, throw something away."""

import numpy as np

from agents.expert.lead import COURT, SPOTS
from agents.expert.sight import Sight, suits, where
from agents.hand import highest_of_suits, lowest_of_suits, lowest_ranked
from rungenv.bits import count
from rungenv.cards import LANE, not_higher_than

# Beating it


def win_cheaply(sight: Sight) -> np.ndarray:
    """The lowest card that beats the trick as it lies."""
    return lowest_of_suits(sight.winners)


def win_at_all(sight: Sight) -> np.ndarray:
    """Any card that beats the trick as it lies."""
    return sight.winners


def win_for_sure(sight: Sight) -> np.ndarray:
    """The lowest card that beats the trick and that nobody still to play can beat."""
    return lowest_of_suits(sight.sure)


def win_with_a_master(sight: Sight) -> np.ndarray:
    """The highest card left of its suit: it wins here, and is gone afterwards."""
    return sight.winners & sight.masters


def third_hand_high(sight: Sight) -> np.ndarray:
    """The highest card that beats the trick: what the last player has must be higher still."""
    return highest_of_suits(sight.winners)


def cover_an_honour(sight: Sight) -> np.ndarray:
    """Beat an honour: two high cards of the others' go for one."""
    return where(sight.best_on_table & COURT != 0, sight.winners)


def win_when_it_matters(sight: Sight) -> np.ndarray:
    """Beat the trick, when it can end the round."""
    return where(sight.matters, lowest_of_suits(sight.sure))


def win_to_spare_the_kot(sight: Sight) -> np.ndarray:
    """Beat the trick, when the own team has none yet."""
    return where(sight.we_have_none, sight.winners)


def win_to_press_the_kot(sight: Sight) -> np.ndarray:
    """Beat the trick, when the others have none yet."""
    return where(sight.they_have_none, sight.winners)


# Leaving it


def play_low(sight: Sight) -> np.ndarray:
    """The lowest card of its suit."""
    return sight.bottoms


def second_low(sight: Sight) -> np.ndarray:
    """Low, with a high card kept behind it: the partner plays after."""
    high = (sight.masters | sight.seconds) & sight.led
    return where(high != 0, sight.bottoms & ~high)


def leave_it_to_a_sure_partner(sight: Sight) -> np.ndarray:
    """Cards that do not beat the trick, which is the partner's for sure."""
    return where(sight.partner_is_safe, sight.losers)


def leave_it_to_the_partner(sight: Sight) -> np.ndarray:
    """Cards that do not beat the trick, while the partner is winning it."""
    return where(sight.partner_wins, sight.losers)


def keep_court_cards(sight: Sight) -> np.ndarray:
    """Aces, kings, queens and jacks that would not win the trick."""
    return sight.losers & COURT


# Ruffing it


def ruff_cheaply(sight: Sight) -> np.ndarray:
    """The lowest trump that wins."""
    return lowest_of_suits(sight.winners & sight.trumps)


def ruff_at_all(sight: Sight) -> np.ndarray:
    """Any trump that wins."""
    return sight.winners & sight.trumps


def ruff_before_a_ruff(sight: Sight) -> np.ndarray:
    """Trumps that win, where the next player may trump higher."""
    return where(sight.next_may_ruff, sight.winners & sight.trumps)


def ruff_over_a_sure_partner(sight: Sight) -> np.ndarray:
    """Trumps on a trick that is the partner's anyway: a trump for nothing."""
    return where(sight.partner_is_safe, sight.trumps & sight.cards)


def ruff_with_small_ones(sight: Sight) -> np.ndarray:
    """Trumps that would win no trick but by ruffing."""
    return sight.winners & sight.trumps & SPOTS


def keep_trump_control(sight: Sight) -> np.ndarray:
    """Masters in trumps: they win whenever they are played."""
    return sight.masters & sight.trumps & sight.cards


def under_ruff(sight: Sight) -> np.ndarray:
    """Trumps that do not win the trick, where other cards could be thrown."""
    return sight.losers & sight.trumps


# Throwing away


def throw_from_the_shortest(sight: Sight) -> np.ndarray:
    """The only card of a side suit: what is led of it later can be ruffed."""
    return sight.side & suits(sight.held == 1) & ~sight.winners


def throw_from_the_longest(sight: Sight) -> np.ndarray:
    """A card of a side suit of four or more, which can spare one."""
    return sight.side & suits(sight.held >= 4) & ~sight.winners


def throw_the_lowest(sight: Sight) -> np.ndarray:
    """The lowest card of any side suit."""
    return lowest_ranked(sight.losers & ~sight.trumps)


def throw_small_cards(sight: Sight) -> np.ndarray:
    """Cards of the ranks two to six."""
    return sight.losers & ~sight.trumps & SPOTS


def keep_masters(sight: Sight) -> np.ndarray:
    """The highest cards left of their suits, which win when led."""
    return sight.losers & sight.masters


def keep_a_guard(sight: Sight) -> np.ndarray:
    """The small card beside a second best one, which would fall alone under the best."""
    guarded = suits((sight.seconds & LANE[:4, None] != 0) & (sight.held == 2))
    return sight.side & guarded & ~sight.seconds & ~sight.winners


def keep_partners_suit(sight: Sight) -> np.ndarray:
    """Cards of a suit that the partner has led."""
    return sight.side & sight.partner_led & ~sight.winners


def keep_opponents_suit(sight: Sight) -> np.ndarray:
    """Cards of a suit that an opponent has led."""
    return sight.side & sight.opponents_led & ~sight.winners


def throw_dead_cards(sight: Sight) -> np.ndarray:
    """Cards that at least as many unseen ones of their suit beat as the hand has of it."""
    unseen = sight.view.unseen
    above = np.stack([unseen & lane for lane in LANE[:4]])
    dead = suits(count(above) > sight.held + sight.held)
    return sight.losers & dead & not_higher_than(unseen) & ~sight.trumps & ~sight.seconds
