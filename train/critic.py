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
from rungenv.actions import N_ACTIONS

HIDDEN_COLUMNS = 208
"""Columns of `rungenv.hidden_hands`."""


class Critic(nn.Module):
    """An encoded view and the hidden hands to the points that the seat's team will be paid.

    Of past actions, where a policy reads them, it is told nothing: with the hands in sight they
    say little more. Without `all_hands` it leaves the hidden hands unread: what they are worth is
    to be measured. A critic `of_actions` says so for each of the 61 choices, were it taken now and
    the policy followed from then on; illegal ones among them, which mean nothing.
    """

    def __init__(
        self,
        encoding: Encoding,
        hidden: Sequence[int],
        shape: str = "plain",
        all_hands: bool = True,
        of_actions: bool = False,
    ) -> None:
        super().__init__()
        self.of_actions = of_actions
        self.start = encoding.past_width
        self.stop = encoding.width + all_hands * HIDDEN_COLUMNS
        scale = np.concatenate([encoding.scale(), np.ones(HIDDEN_COLUMNS, np.float32)])
        scale = scale[: self.stop - self.start]
        # Of actions it says nothing at first: what it does not know yet would be noise in returns.
        outputs, gain = (N_ACTIONS, 0.01) if of_actions else (1, 1.0)
        self.layers = SHAPES[shape](scale, (*hidden, outputs), last_gain=gain)

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        """(n, width + 208) uint8 -> (n,) float32, points; of actions, (n, 61)."""
        judgements = self.layers(features[:, self.start : self.stop]).float()
        return judgements if self.of_actions else judgements.squeeze(1)

    def of(self, features: torch.Tensor, choice: torch.Tensor) -> torch.Tensor:
        """What decisions are judged to be worth: (n,) float32. choice (n,) int64: those made."""
        judgements = self(features)
        return judgements.gather(1, choice[:, None]).squeeze(1) if self.of_actions else judgements
