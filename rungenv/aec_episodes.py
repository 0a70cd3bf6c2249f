"""Which deal the next episode of an environment begins with. No rules."""

from typing import Any

import numpy as np

from rungenv.rules import Rules
from rungenv.seating import deal_one, known_options
from rungenv.tables import Tables, deal

_OPTIONS = ("dealer", "hands")
_MEANS_NOTHING = "options"
"""The name of an option that PettingZoo's API test gives: it is accepted, and ignored."""


class Episodes:
    """Deals the episodes under a seed, the n-th as table n of it, some of them ahead."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self._ahead: Tables | None = None

    def deal(self, seed: int, episode: int, options: Any) -> Tables:
        """One table with the first deal of an episode; ValueError for options that are wrong."""
        given = known_options(options, (*_OPTIONS, _MEANS_NOTHING))
        dealer, hands = given.get("dealer"), given.get("hands")
        if dealer is None and hands is None and episode > 0:
            return self._dealt_ahead(seed, episode)
        return deal_one(self.rules, seed, dealer=dealer, hands=hands, number=episode)

    def _dealt_ahead(self, seed: int, episode: int) -> Tables:
        """The same without options: sixteen tables are dealt in little more time than one."""
        if not self._ahead or self._ahead.seed[0] != seed or episode not in self._ahead.table:
            self._ahead = deal(self.rules, 16, seed, first_table=episode)
        return self._ahead.take(np.flatnonzero(self._ahead.table == episode))
