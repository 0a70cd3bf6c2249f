"""The critic: what a position is worth to a seat, judged with all cards in sight.

It serves training alone, to make less of luck in what a decision is credited with. It reads what
the policy reads *and* the hidden hands: Baisero and Amato (Unbiased asymmetric reinforcement
learning under partial observability, 2022) show that a critic which sees the state in place of the
player's own view judges with a bias.
"""

from collections.abc import Sequence

import numpy as np
import torch
from torch import nn

from agents.encoding import Encoding
from agents.layers import SHAPES

HIDDEN_COLUMNS = 208
"""Columns of `rungenv.hidden_hands`."""


class Critic(nn.Module):
    """An encoded view and the hidden hands to the points that the seat's team will be paid."""

    def __init__(self, encoding: Encoding, hidden: Sequence[int], shape: str = "plain") -> None:
        super().__init__()
        scale = np.concatenate([encoding.scale(), np.ones(HIDDEN_COLUMNS, np.float32)])
        self.layers = SHAPES[shape](scale, (*hidden, 1), last_gain=1.0)

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        """(n, width + 208) uint8 -> (n,) float32, points."""
        return self.layers(features).squeeze(1)
