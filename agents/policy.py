"""A policy network: from what is read of a view to a score of every choice."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from torch import nn

from agents.attention import transformer
from agents.encoding import Encoding
from agents.layers import SHAPES
from rungenv.actions import N_ACTIONS


class PolicyNetwork(nn.Module):
    """An encoded view to 61 logits, one for each choice; illegal ones among them.

    One that `guesses_cards` also says who holds which card, from what its last hidden layer knows:
    to learn that helps training; in play nobody asks. One that `reads_rules` is told which game it
    plays. `attention`, of a shape "transformer" alone: how many past actions it reads, and the
    width, layers and heads that it reads them with.
    """

    def __init__(
        self,
        fields: Sequence[str],
        hidden: Sequence[int],
        suits: str,
        shape: str = "plain",
        guesses_cards: bool = False,
        reads_rules: bool = False,
        attention: Mapping[str, int] | None = None,
    ) -> None:
        super().__init__()
        past = 0 if attention is None else attention["actions"]
        self.encoding = Encoding(fields, suits, reads_rules, past)
        self.hidden = tuple(hidden)
        self.shape = shape
        self.attention = None if attention is None else dict(attention)
        sizes = (*hidden, N_ACTIONS)
        if attention is None:
            self.layers = SHAPES[shape](self.encoding.scale(), sizes, last_gain=0.01)
        else:
            self.layers = transformer(self.encoding.scale(), sizes, last_gain=0.01, **attention)
        self.places = nn.Linear(hidden[-1], 3 * 52) if guesses_cards else None

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        """(n, width) uint8 -> (n, 61) float32."""
        return self.layers(features)

    def with_places(self, features: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor | None]:
        """The logits, and if it guesses cards (n, 3, 52) float32: for the next seat, the partner
        and the previous one a score of each card, numbered by slot.
        """
        if self.places is None:
            return self.layers(features), None
        known = self.layers[:-1](features)
        return self.layers[-1](known), self.places(known).view(-1, 3, 52)

    def description(self) -> dict[str, Any]:
        """What it takes to build this network again, weights aside: keyword arguments."""
        return {
            "fields": self.encoding.fields,
            "hidden": self.hidden,
            "suits": self.encoding.suits,
            "shape": self.shape,
            "guesses_cards": self.places is not None,
            "reads_rules": self.encoding.reads_rules,
            "attention": self.attention,
        }


def only_legal(logits: torch.Tensor, legal: torch.Tensor) -> torch.Tensor:
    """The logits, but where a choice is illegal a number that softmax turns into 0.

    logits (n, 61) of any precision; legal (n, 61) bool, at least one in each row; returns float32.
    """
    return logits.float().masked_fill(~legal, -1e9)


def sample(probabilities: np.ndarray, fractions: np.ndarray) -> np.ndarray:
    """A choice from each row, by its cumulative probabilities; never one of probability zero.

    probabilities (n, k) float, rows that sum to about 1; fractions (n,) float64 in [0, 1), one
    random number a row; returns (n,) int64.
    """
    cumulative = np.cumsum(probabilities, axis=1, dtype=np.float64)
    return (cumulative <= (fractions * cumulative[:, -1])[:, None]).sum(axis=1)
