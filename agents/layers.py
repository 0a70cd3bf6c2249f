"""What networks are made of: columns of uint8 through linear layers, plain or with short cuts."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import torch
from torch import nn
from torch.nn import functional


class InputLayer(nn.Linear):
    """A linear layer on columns of uint8, each scaled by a factor.

    The factors go to the weights, which are fewer than the numbers that would else be scaled.
    """

    scale: torch.Tensor

    def __init__(self, scale: np.ndarray, outputs: int) -> None:
        super().__init__(len(scale), outputs)
        self.register_buffer("scale", torch.from_numpy(scale), persistent=False)

    def forward(self, input: torch.Tensor) -> torch.Tensor:
        """(n, columns) uint8 -> (n, outputs) float32."""
        return functional.linear(input.float(), self.weight * self.scale, self.bias)


def multilayer(scale: np.ndarray, sizes: Sequence[int], last_gain: float) -> nn.Sequential:
    """Columns of uint8, scaled, through linear layers of these sizes with ReLU between them.

    Orthogonal initialisation with gains sqrt(2) and, for the last layer, `last_gain`; biases zero:
    what made most difference among the initialisations compared by Andrychowicz et al., What
    matters for on-policy deep actor-critic methods? (2021).
    """
    hidden = [nn.Linear(inputs, outputs) for inputs, outputs in pairwise(sizes)]
    linears = [InputLayer(scale, sizes[0]), *hidden]
    for linear in linears:
        nn.init.orthogonal_(linear.weight, last_gain if linear is linears[-1] else 2**0.5)
        nn.init.zeros_(linear.bias)
    layers = [layer for linear in linears for layer in (linear, nn.ReLU(inplace=True))]
    return nn.Sequential(*layers[:-1])


class Block(nn.Module):
    """A residual block: x + linear(relu(linear(normalised x))), beginning as the identity.

    He et al., Identity mappings in deep residual networks (2016): what is added is normalised
    before and not after, so that a way from end to end stays free.
    """

    def __init__(self, width: int) -> None:
        super().__init__()
        first, second = nn.Linear(width, width), nn.Linear(width, width)
        nn.init.orthogonal_(first.weight, 2**0.5)
        nn.init.zeros_(first.bias)
        nn.init.zeros_(second.weight)
        nn.init.zeros_(second.bias)
        self.layers = nn.Sequential(nn.LayerNorm(width), first, nn.ReLU(inplace=True), second)

    def forward(self, input: torch.Tensor) -> torch.Tensor:
        """(n, width) float32 -> the same."""
        return input + self.layers(input)


def residual(scale: np.ndarray, sizes: Sequence[int], last_gain: float) -> nn.Sequential:
    """Like `multilayer`, but every hidden layer after the first is a residual block.

    ValueError unless all hidden layers are of one size.
    """
    *hidden, outputs = sizes
    if len(set(hidden)) != 1:
        raise ValueError(f"a residual network has hidden layers of one size, not {tuple(hidden)}")
    first, *last = multilayer(scale, (hidden[0], outputs), last_gain).children()
    return nn.Sequential(first, *(Block(width) for width in hidden[1:]), *last)


SHAPES = {"plain": multilayer, "residual": residual}
"""How the layers of a network follow one another, by name."""
