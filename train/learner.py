"""The networks in training, and how they take a step: in threads, or in ranks."""

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol

import numpy as np
import torch
from torch import nn

from agents.policy import PolicyNetwork
from train.config import Config
from train.critic import Critic
from train.device import CPU, arithmetic, device_of, make_repeatable
from train.matches import attend_to_totals
from train.ranks import ALONE, Ranks
from train.rollout import Rollout
from train.settings import Ppo, Precision

MOST_THREADS = 4
"""Threads that a learner takes by itself; more make the shares of a minibatch small."""


class Aim(Protocol):
    """What a gradient step works towards, on some decisions out of all it has."""

    def __len__(self) -> int: ...

    def loss(
        self, policy: PolicyNetwork, critic: Critic, rows: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """The mean loss of the decisions in rows, (k,) int64: a scalar, and figures to report."""
        ...


def make_learner(settings: Config, ranks: Ranks = ALONE) -> "Learner":
    """Networks as they are before the first update; the run's seed decides their weights."""
    shape = settings.network
    with torch.random.fork_rng():
        torch.manual_seed(settings.seed)
        policy = PolicyNetwork(
            settings.fields,
            shape.hidden,
            shape.suits,
            shape.shape,
            guesses_cards=settings.ppo.cards_weight > 0,
            reads_rules=len(settings.games) > 1,
            attention=settings.attention,
        )
        critic = Critic(
            policy.encoding,
            shape.critic_hidden,
            "plain" if shape.shape == "transformer" else shape.shape,
            all_hands=shape.critic_sees == "all_hands",
            of_actions=settings.ppo.critic == "q",
        )
        if settings.payoff == "match":
            for network in (policy, critic):
                attend_to_totals(network, policy.encoding, settings.games)
    device = device_of(settings.device)
    threads = settings.threads or min(os.cpu_count() or 1, MOST_THREADS)
    threads = threads if ranks.size == 1 and device.type == "cpu" else 1
    return Learner(policy, critic, threads, ranks, device, settings.precision)


class Learner:
    """A policy, its critic, and their optimiser, working in some threads or ranks.

    Every thread takes a share of each minibatch and the gradients are added up in a fixed order, so
    that the result does not hang on which is done first. Torch's own threads meet many times in
    every operation instead, and stand still when a core is busy with something else.
    """

    def __init__(
        self,
        policy: PolicyNetwork,
        critic: Critic,
        threads: int = 1,
        ranks: Ranks = ALONE,
        device: torch.device = CPU,
        precision: Precision = "float32",
    ) -> None:
        make_repeatable(device)
        self.policy = policy.to(device)
        self.critic = critic.to(device)
        self.ranks = ranks
        self.device = device
        self.precision: Precision = precision
        self.parameters = [parameter for _, parameter in self.named_parameters()]
        self.optimiser = torch.optim.Adam(self.parameters, eps=1e-5, fused=True)
        self.threads = threads
        self._pool = ThreadPoolExecutor(threads, initializer=torch.set_num_threads, initargs=(1,))

    def named_parameters(self) -> Iterator[tuple[str, nn.Parameter]]:
        """What the optimiser moves: of the policy, then of the critic."""
        yield from self.policy.named_parameters(prefix="policy")
        yield from self.critic.named_parameters(prefix="critic")

    def tensor(self, values: np.ndarray) -> torch.Tensor:
        """The same numbers where the learner is."""
        return torch.from_numpy(values).to(self.device)

    def player(self) -> PolicyNetwork:
        """The policy as agents play by it: on the processor; itself, if that is where it is."""
        if self.device == CPU:
            return self.policy
        policy = PolicyNetwork(**self.policy.description())
        policy.load_state_dict(self.policy.state_dict())
        return policy

    def descend(
        self, aim: Aim, settings: Ppo, learning_rate: float, rng: np.random.Generator
    ) -> list[float]:
        """Go over an aim's decisions, in minibatches that rng shuffles.

        Returns the steps' mean report, the mean of all ranks.
        """
        for group in self.optimiser.param_groups:
            group["lr"] = learning_rate
        total = int(self.ranks.sums(np.array([len(aim)]))[0])
        steps = -(-total // settings.minibatch)
        minibatches = [
            rows
            for _ in range(settings.epochs)
            for rows in np.array_split(rng.permutation(len(aim)), steps)
        ]
        sizes = self.ranks.sums(np.array([len(rows) for rows in minibatches]))
        reports = [
            self._step(aim, self.tensor(rows), int(size), settings.max_gradient)
            for rows, size in zip(minibatches, sizes, strict=True)
        ]
        return self.ranks.means(torch.stack(reports).mean(dim=0).tolist())

    def judgements(self, rollout: Rollout) -> np.ndarray:
        """What the critic says: (m,) float32 of each position, or (m, 61) of its choices."""

        @torch.inference_mode()
        def judge(features: torch.Tensor) -> torch.Tensor:
            with arithmetic(self.device, self.precision):
                parts = [self.critic(part.to(self.device)) for part in features.split(8192)]
            return torch.cat(parts).cpu()

        parts = rollout.features.tensor_split(self.threads)
        return torch.cat(list(self._pool.map(judge, parts))).numpy()

    def _step(self, aim: Aim, rows: torch.Tensor, size: int, max_gradient: float) -> torch.Tensor:
        """One gradient step on some decisions; returns the aim's report of them.

        rows: this rank's part of the minibatch, which has `size` decisions in all.
        """

        def share(part: torch.Tensor) -> tuple[tuple[torch.Tensor, ...], torch.Tensor]:
            with arithmetic(self.device, self.precision):
                loss, report = aim.loss(self.policy, self.critic, part)
            weight = len(part) * self.ranks.size / size
            # An aim need not use every output, as imitation does not guess cards.
            gradients = torch.autograd.grad(
                loss * weight, self.parameters, allow_unused=True, materialize_grads=True
            )
            return gradients, report * weight

        parts = rows.tensor_split(min(self.threads, len(rows)))
        gradients, reports = zip(*self._pool.map(share, parts), strict=True)
        summed = [torch.stack(shares).sum(dim=0) for shares in zip(*gradients, strict=True)]
        self.ranks.average(summed)
        for parameter, gradient in zip(self.parameters, summed, strict=True):
            parameter.grad = gradient
        nn.utils.clip_grad_norm_(self.parameters, max_gradient)
        self.optimiser.step()
        return torch.stack(reports).sum(dim=0)
