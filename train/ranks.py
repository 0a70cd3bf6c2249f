"""Training in several processes, on one machine or on many: who they are and how they agree.

Each process is a *rank* with one core. It plays its share of an update's deals and takes its share
of each minibatch; gradients are averaged, so that all ranks hold the same weights all the time.
`torchrun` starts the ranks and tells them of one another; a process that was started alone is rank
0 of 1, and everything here costs it nothing.
"""

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import numpy as np
import torch
from torch import distributed

PATIENCE = timedelta(minutes=30)
"""How long ranks wait for one another, as while rank 0 measures, before they give up."""


@dataclass(frozen=True)
class Ranks:
    """This process's number among those that train together, and how many they are."""

    number: int = 0
    size: int = 1

    @property
    def is_first(self) -> bool:
        """Whether this is the rank that measures, reports and saves."""
        return self.number == 0

    def share(self, total: int) -> range:
        """This rank's part of numbers 0 to total - 1; parts differ by one at most."""
        return range(total * self.number // self.size, total * (self.number + 1) // self.size)

    def sums(self, values: np.ndarray) -> np.ndarray:
        """Each value summed over the ranks: (k,) float64 or int64 -> the same."""
        if self.size == 1:
            return values
        summed = torch.from_numpy(values.copy())
        with _together():
            distributed.all_reduce(summed)
        return summed.numpy()

    def means(self, values: Sequence[float]) -> list[float]:
        """Each value's mean over the ranks."""
        return (self.sums(np.array(values, np.float64)) / self.size).tolist()

    def highest(self, value: float) -> float:
        """The highest of the ranks' values, the same for all."""
        if self.size == 1:
            return value
        found = torch.tensor([value], dtype=torch.float64)
        with _together():
            distributed.all_reduce(found, distributed.ReduceOp.MAX)
        return found.item()

    def told_by_first(self, value: Any) -> Any:
        """What the first rank has, plain values as JSON knows them, for all ranks."""
        if self.size == 1:
            return value
        data = torch.frombuffer(bytearray(json.dumps(value).encode()), dtype=torch.uint8)
        length = torch.tensor([len(data)])
        with _together():
            distributed.broadcast(length, src=0)
            told = data if self.is_first else torch.empty(int(length), dtype=torch.uint8)
            distributed.broadcast(told, src=0)
        return json.loads(told.numpy().tobytes())

    def average(self, tensors: Sequence[torch.Tensor]) -> None:
        """Put each tensor's mean over the ranks in its place, all of them in one message."""
        if self.size == 1:
            return
        flat = torch.cat([tensor.flatten() for tensor in tensors])
        with _together():
            distributed.all_reduce(flat)
        flat /= self.size
        parts = flat.split([tensor.numel() for tensor in tensors])
        for tensor, part in zip(tensors, parts, strict=True):
            tensor.copy_(part.view_as(tensor))


ALONE = Ranks()
"""One process that trains by itself."""


@contextmanager
def joined() -> Iterator[Ranks]:
    """The ranks that `torchrun` or `train.launch` started, joined while the context lasts.

    They talk by gloo, over sockets; GPUs about what is on them by NCCL. ConnectionError, here and
    in everything that ranks do together, when one of them is lost.
    """
    if int(os.environ.get("WORLD_SIZE", "1")) == 1:
        yield ALONE
        return
    with _together():
        by = "cpu:gloo,cuda:nccl" if torch.cuda.is_available() else "gloo"
        distributed.init_process_group(by, timeout=PATIENCE)
    try:
        yield Ranks(distributed.get_rank(), distributed.get_world_size())
    finally:
        distributed.destroy_process_group()


@contextmanager
def _together() -> Iterator[None]:
    try:
        yield
    except RuntimeError as error:  # what torch makes of any trouble between ranks
        reason = str(error).rpartition("] ")[2].partition(". ")[0]  # without its place in torch
        raise ConnectionError(f"a rank of this training was lost: {reason}") from None
