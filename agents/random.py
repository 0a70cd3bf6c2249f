"""The agent that plays any legal action, all being equally likely."""

import numpy as np

from rungenv.bits import choose
from rungenv.view import View


class Random:
    """A uniformly random legal action: TIMEOUT too, where it is one."""

    name = "random"

    def act(self, view: View, rng: np.random.Generator) -> np.ndarray:
        """(n,) int64 legal actions."""
        return choose(view.legal, rng.random(len(view)))
