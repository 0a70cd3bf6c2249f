"""A small transformer over a round's actions so far, as the way into a network.

Every past action is a token; what else the view tells is one more, which asks the others. Blocks
are normalised before and not after what they add (Xiong et al., On layer normalization in the
transformer architecture, 2020), and the last one is worked out for the asking token alone, as
nobody reads the others then.
"""

from collections.abc import Sequence

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from agents.layers import Block, InputLayer, multilayer
from agents.past import COLUMNS, OPENING
from rungenv.view import NOTHING

_ROWS = 256
"""Rows worked on at a time: those that have about as many actions, so that little is padding."""


class Attention(nn.Module):
    """Some tokens ask all of a row's tokens, then think about the answers by themselves."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.norm = nn.LayerNorm(width)
        self.questions = nn.Linear(width, width)
        self.answers = nn.Linear(width, 2 * width)
        self.joined = nn.Linear(width, width)
        self.after = Block(width)

    def forward(
        self, asking: torch.Tensor, tokens: torch.Tensor, is_there: torch.Tensor
    ) -> torch.Tensor:
        """(n, k, width), (n, m, width) float32, and which of the m are there, (n, m) bool, at least
        one in each row -> (n, k, width).
        """
        rows, wide = len(tokens), (self.heads, tokens.shape[2] // self.heads)
        questions = self.questions(self.norm(asking)).view(rows, -1, *wide).transpose(1, 2)
        answers = self.answers(self.norm(tokens)).view(rows, -1, 2, *wide)
        keys, values = answers.permute(2, 0, 3, 1, 4)
        found = functional.scaled_dot_product_attention(
            questions, keys, values, attn_mask=is_there[:, None, None, :]
        )
        return self.after(asking + self.joined(found.transpose(1, 2).flatten(2)))


class PastReader(nn.Module):
    """Columns of past actions and a view's other columns to the first hidden layer.

    It begins as the layer without a past: what is learnt of the past is added to it.
    """

    def __init__(
        self,
        plain: InputLayer,
        scale: np.ndarray,
        actions: int,
        width: int,
        layers: int,
        heads: int,
    ) -> None:
        super().__init__()
        self.columns = actions * COLUMNS
        self.plain = plain
        self.asks = InputLayer(scale, width)
        self.choice = nn.Embedding(NOTHING + 1, width)
        self.seat = nn.Embedding(4, width)
        self.trick = nn.Embedding(OPENING // 4 + 1, width)
        self.turn = nn.Embedding(4, width)
        self.blocks = nn.ModuleList(Attention(width, heads) for _ in range(layers))
        self.norm = nn.LayerNorm(width)
        self.known = nn.Linear(width, plain.out_features, bias=False)
        for embedding in (self.choice, self.seat, self.trick, self.turn):
            nn.init.normal_(embedding.weight, std=0.5)
        nn.init.zeros_(self.known.weight)

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        """(n, columns + others) uint8 -> (n, outputs) float32."""
        past = features[:, : self.columns].view(len(features), -1, COLUMNS)
        others = features[:, self.columns :]
        length = (past[:, :, 0] != NOTHING).sum(dim=1)
        by_length = length.argsort(stable=True)
        summaries = [
            self._summary(past[rows, : int(length[rows[-1]])], others[rows])
            for rows in by_length.split(_ROWS)
        ]
        summary = torch.cat(summaries)[by_length.argsort()]
        return self.plain(others) + self.known(self.norm(summary))

    def _summary(self, past: torch.Tensor, others: torch.Tensor) -> torch.Tensor:
        """What some rows' past comes to: (n, m, COLUMNS), (n, others) uint8 -> (n, width)."""
        choice, seat, place = past.int().unbind(dim=2)
        done = self.choice(choice) + self.seat(seat) + self.trick(place // 4) + self.turn(place % 4)
        tokens = torch.cat([self.asks(others)[:, None], done], dim=1)
        is_there = functional.pad(choice != NOTHING, (1, 0), value=True)
        *blocks, last = self.blocks
        for block in blocks:
            tokens = block(tokens, tokens, is_there)
        return last(tokens[:, :1], tokens, is_there).squeeze(1)


def transformer(
    scale: np.ndarray,
    sizes: Sequence[int],
    last_gain: float,
    *,
    actions: int,
    width: int,
    layers: int,
    heads: int,
) -> nn.Sequential:
    """Like `layers.multilayer`, but the first layer also hears of the past.

    It reads actions * COLUMNS columns before those that are scaled. width, layers, heads: of the
    transformer; ValueError for a width that the heads cannot share.
    """
    if width % heads:
        raise ValueError(f"a width of {width} cannot be shared by {heads} heads")
    plain, *rest = multilayer(scale, sizes, last_gain).children()
    assert isinstance(plain, InputLayer)
    return nn.Sequential(PastReader(plain, scale, actions, width, layers, heads), *rest)
