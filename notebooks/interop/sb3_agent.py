"""A model of Stable-Baselines3 as an agent of this suite, for the arena and whatever takes one.

    agent = Sb3Agent(model, FIELDS)

A model reads what the environment that it learned in shows, which is the dense form of a view.
"""

from collections.abc import Sequence

import numpy as np
from sb3_contrib import MaskablePPO

from rungenv import View


class Sb3Agent:
    """Plays by a MaskablePPO that learned from "float" observations of these fields."""

    deterministic = True

    def __init__(self, model: MaskablePPO, fields: Sequence[str], name: str = "sb3") -> None:
        self.model = model
        self.fields = tuple(fields)
        self.name = name

    def act(self, view: View, rng: np.random.Generator) -> np.ndarray:
        """The action that the model likes best, for every row."""
        observations = view.dense(self.fields, dtype=np.float32)
        actions, _ = self.model.predict(
            observations, action_masks=view.legal_mask(), deterministic=True
        )
        return actions
