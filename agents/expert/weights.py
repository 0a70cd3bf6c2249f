"""What each judgement counts, by game and situation: read from `weights.json`, which a fit writes.

A weight is in thousandths of a point: how much more a round is worth, by it, for a card that the
judgement names. `train/fit_expert.py` finds the weights by self-play and writes the file.
"""

import json
from functools import cache
from pathlib import Path

from rungenv.rules import PRESETS, Collects, Goal, Rules, Shown, Trump

Weights = dict[str, dict[str, int]]
"""By situation, then by judgement."""

FILE = Path(__file__).with_name("weights.json")


def game_of(rules: Rules) -> str:
    """The axes of a game as one word, under which its weights are kept.

    >>> import rungenv
    >>> game_of(rungenv.variant("mendikot_band"))
    'hidden-first_void-trick-tens'
    """
    trump = f"{rules.trump}-{rules.shown}" if rules.trump == Trump.HIDDEN else str(rules.trump)
    return f"{trump}-{rules.collects}-{rules.goal}"


@cache
def all_weights() -> dict[str, Weights]:
    """The weights of every game, by the word of `game_of`."""
    return json.loads(FILE.read_text())


def every_game() -> list[Rules]:
    """A game for each way to combine the axes: the six games, and others by usual house rules."""
    ways = [(Trump.CALLED, Shown.ON_DEMAND), (Trump.CUT, Shown.ON_DEMAND)]
    ways += [(Trump.HIDDEN, shown) for shown in Shown]
    combined = [
        Rules(trump=trump, shown=shown, collects=collects, goal=goal)
        for trump, shown in ways
        for collects in Collects
        for goal in Goal
    ]
    named = {game_of(rules): rules for rules in PRESETS.values()}
    return [named.get(game_of(rules), rules) for rules in combined]
