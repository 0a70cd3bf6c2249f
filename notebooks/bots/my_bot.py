"""A bot of one's own, to begin with: `rung arena single_sar notebooks/bots/my_bot.py:MyBot greedy`.

It plays as greedy does, but second to play it keeps its high cards: `my_bot.py:MyBot:patience=0`
is greedy again.
"""

import numpy as np

from agents.greedy import Greedy
from agents.hand import lowest_ranked
from agents.situation import thrown_away
from rungenv import Phase
from rungenv.bits import lowest


class MyBot:
    """Greedy, with patience: second to play, it does not spend a card that can be beaten."""

    def __init__(self, patience: int = 1) -> None:
        self.patience = patience
        self.greedy = Greedy()

    def act(self, view, rng):
        """One legal action for each row of the view: (n,) ints."""
        actions = self.greedy.act(view, rng)
        waits = (view.phase == Phase.PLAY) & (view.trick_size > 0) & (actions < 52)
        waits &= view.trick_size <= self.patience
        waits &= (view.winners & view.masters & view.legal) == 0
        low = lowest(lowest_ranked(thrown_away(view))).astype(np.int64)
        return np.where(waits, low, actions)
