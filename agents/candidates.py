"""The actions that a search has to try: of cards that come to the same, only one.

Two cards of a hand come to the same when they are neighbours in their suit but for cards that are
out of play, and the rules single out neither: a ten that counts (R9.1), or an ace where two aces
seal no pile (R6.7).
"""

import numpy as np

from agents.hand import as_set
from rungenv.actions import TIMEOUT
from rungenv.bits import BIT, EMPTY, pack, unpack
from rungenv.cards import ACES, PACK, TENS
from rungenv.rules import Collects, Goal, Rules
from rungenv.state import Phase
from rungenv.view import View


def candidates(view: View, preferred: np.ndarray) -> np.ndarray:
    """The legal actions less the cards that another stands for: (n,) uint64 sets, never empty.

    The lowest stands for its like, or the preferred action, (n,) int, if it is one of them. Nobody
    lets time run out on purpose.
    """
    tried = view.legal & ~BIT[TIMEOUT]
    rows = np.flatnonzero(view.phase == Phase.PLAY)
    own = view.legal[rows] & PACK
    in_play = view.unseen | as_set(view.my_face_down) | cards_of(view.trick)
    groups = alike(view.rules, own, in_play[rows])
    tried[rows] &= ~pack(_doubles(groups))

    number = np.flatnonzero(own & BIT[preferred[rows]] != 0)
    rows, card = rows[number], preferred[rows[number]]
    group = groups[number, card][:, None]
    tried[rows] &= ~pack((groups[number] == group) & (group >= 0))
    tried[rows] |= BIT[card]
    return tried


def cards_of(trick: np.ndarray) -> np.ndarray:
    """The cards of tricks as sets: (n, 4) int, -1 where none lies -> (n,) uint64."""
    return np.bitwise_or.reduce(as_set(trick), axis=1)


def one_of_each(rules: Rules, own: np.ndarray, in_play: np.ndarray) -> np.ndarray:
    """The cards of sets less those that a lower one stands for: (n,) uint64 sets.

    own (n,): cards of one hand; in_play (n,): all cards that are neither there nor done with.
    """
    return own & ~pack(_doubles(alike(rules, own, in_play)))


def alike(rules: Rules, own: np.ndarray, in_play: np.ndarray) -> np.ndarray:
    """Numbers by card, the same for cards that come to the same, -1 for those not there: (n, 52).

    own and in_play (n,) as for `one_of_each`.
    """
    singled_out = own & _singled_out(rules)
    breaks = unpack(in_play & ~own | singled_out, 52).cumsum(axis=1, dtype=np.int16)
    alone = unpack(singled_out, 52).view(np.int8)
    breaks += alone.cumsum(axis=1, dtype=np.int16) - alone
    return np.where(unpack(own, 52), breaks * 4 + _SUIT_BY_CARD, -1)


_SUIT_BY_CARD = np.repeat(np.arange(4, dtype=np.int16), 13)


def _singled_out(rules: Rules) -> np.uint64:
    """The cards that rules name by their rank."""
    counted = TENS if rules.goal == Goal.TENS else EMPTY
    ace_rules = rules.ace_over_ace or rules.trump_ace_cannot_seal
    return counted | (ACES if rules.collects == Collects.PILE and ace_rules else EMPTY)


def _doubles(groups: np.ndarray) -> np.ndarray:
    """The cards that are not the lowest of their group: (n, 52) bool."""
    below = np.maximum.accumulate(groups, axis=1)
    lower = np.full_like(groups, -1)
    lower[:, 1:] = below[:, :-1]
    return (groups >= 0) & (groups == lower)
