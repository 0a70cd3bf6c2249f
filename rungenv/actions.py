"""The 61 actions, by number and name, the same in every game (RULES.md, "Actions").

0..51  a card, 13 * suit + rank: play it, or lay it face down
52..55 call clubs, diamonds, hearts, spades
56 PASS   57 TIMEOUT   58 REVEAL   59 KEEP   60 NEW_CARDS
"""

import difflib

import numpy as np

from rungenv.bits import BIT, members
from rungenv.cards import CARD_NAMES, SUITS, parse_card

CALL = 52
"""CALL + suit calls that suit the trump (R2.1)."""
PASS, TIMEOUT, REVEAL, KEEP, NEW_CARDS = 56, 57, 58, 59, 60
N_ACTIONS = 61

ACTION_NAMES = (
    *CARD_NAMES,
    *(f"CALL_{suit}" for suit in SUITS),
    "PASS",
    "TIMEOUT",
    "REVEAL",
    "KEEP",
    "NEW_CARDS",
)

CALLS = np.bitwise_or.reduce(BIT[CALL : CALL + 4])
"""The set of the four calls."""


def action_name(action: int) -> str:
    """The name of an action, and of a number that is none its digits.

    >>> action_name(51), action_name(55), action_name(58), action_name(99)
    ('AS', 'CALL_S', 'REVEAL', '99')
    """
    return ACTION_NAMES[action] if 0 <= action < N_ACTIONS else str(action)


def action_names(word: int | np.uint64) -> str:
    """The names of a set of actions, in order of their numbers."""
    return " ".join(ACTION_NAMES[action] for action in members(word))


def parse_action(text: str) -> int:
    """The action of a name ("AS", "CALL_S", "pass"); ValueError names the nearest.

    >>> parse_action("call_h")
    54
    """
    name = text.strip().upper().replace(" ", "_")
    if name in ACTION_NAMES[CALL:]:
        return ACTION_NAMES.index(name)
    try:
        return parse_card(name)
    except ValueError:
        near = difflib.get_close_matches(name, ACTION_NAMES, n=3, cutoff=0.5)
        hint = f" (nearest: {', '.join(near)})" if near else ""
        raise ValueError(f"no action is called {text!r}{hint}") from None
