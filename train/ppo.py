"""Proximal policy optimisation: the mathematics, then one update.

Sources, cited where used:
[PPO]  Schulman et al., Proximal policy optimization algorithms, 2017.
[GAE]  Schulman et al., High-dimensional continuous control using generalized advantage
       estimation, 2016.
[KL]   Schulman, Approximating KL divergence, 2020 (the estimator that its text calls k3).
"""

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import torch
from torch import nn

from agents.network import PolicyNetwork, only_legal
from train.config import Config, Ppo
from train.critic import Critic
from train.ranks import ALONE, Ranks
from train.rollout import Rollout

MOST_THREADS = 4
"""Threads that a learner takes by itself; more make the shares of a minibatch small."""


def advantages(
    values: np.ndarray, player: np.ndarray, outcome: np.ndarray, trace: float
) -> np.ndarray:
    """How much better each decision turned out than the critic had expected [GAE, eq. 16].

    Every player's decisions are a chain of their own: the value that one leads to is the value of
    the same player's next, and after the last comes the outcome. No discount; nothing is paid
    before the end.

    values, outcome (m,) float32, player (m,) int, in order of time; trace: lambda, 0 to 1; returns
    (m,) float32.
    """
    by_player = np.argsort(player, kind="stable")
    _, start, length = np.unique(player[by_player], return_index=True, return_counts=True)
    result = np.empty_like(values)
    value_after = outcome[by_player[start]]
    advantage_after = np.zeros_like(value_after)
    for back in range(1, length.max(initial=0) + 1):  # the last decision of every player, and so on
        has_one = length >= back
        at = by_player[(start + length - back)[has_one]]
        change = value_after[has_one] - values[at]
        advantage_after[has_one] = change + trace * advantage_after[has_one]
        value_after[has_one] = values[at]
        result[at] = advantage_after[has_one]
    return result


def policy_loss(ratio: torch.Tensor, advantage: torch.Tensor, clip: float) -> torch.Tensor:
    """The clipped surrogate objective, negated [PPO, eq. 7]: (n,), (n,) float32 -> scalar.

    ratio: how much likelier the choice is now than when it was made.
    """
    clipped = ratio.clamp(1 - clip, 1 + clip)
    return -torch.minimum(ratio * advantage, clipped * advantage).mean()


def entropies(logits: torch.Tensor) -> torch.Tensor:
    """Entropy of each row's softmax, in nats: (n, 61) float32 -> (n,) float32."""
    return -(logits.softmax(dim=1) * logits.log_softmax(dim=1)).sum(dim=1)


def divergence(log_ratio: torch.Tensor) -> torch.Tensor:
    """Estimate of the KL divergence from the old policy to the new [KL]: (n,) -> scalar."""
    return (log_ratio.exp() - 1 - log_ratio).mean()


def explained_variance(predicted: np.ndarray, actual: np.ndarray) -> float:
    """The share of the variance of `actual` that `predicted` accounts for; 1 is all, 0 none."""
    variance = actual.var()
    return float(1 - (actual - predicted).var() / variance) if variance > 0 else 0.0


@dataclass(frozen=True)
class Losses:
    """What an update reports, averaged over its gradient steps."""

    policy: float
    critic: float
    entropy: float
    divergence: float
    clipped: float
    """Share of decisions whose probability ratio was out of the clip's range."""
    explained_variance: float
    """Of the outcomes, by the critic, before the update."""


def normalised(advantage: np.ndarray, ranks: Ranks) -> np.ndarray:
    """Less the mean of all ranks' advantages, over their standard deviation: (m,) float32."""
    wide = advantage.astype(np.float64)
    count, total, squares = ranks.sums(np.array([len(wide), wide.sum(), np.square(wide).sum()]))
    mean = total / count
    deviation = max(squares / count - mean**2, 0.0) ** 0.5
    return ((wide - mean) / (deviation + 1e-8)).astype(np.float32)


def make_learner(settings: Config, ranks: Ranks = ALONE) -> "Learner":
    """Networks as they are before the first update; the run's seed decides their weights."""
    shape = settings.network
    with torch.random.fork_rng():
        torch.manual_seed(settings.seed)
        policy = PolicyNetwork(settings.fields, shape.hidden, shape.suits)
        critic = Critic(policy.encoding, shape.critic_hidden)
    threads = settings.threads or min(os.cpu_count() or 1, MOST_THREADS)
    return Learner(policy, critic, threads if ranks.size == 1 else 1, ranks)


class Learner:
    """A policy, its critic, and their optimiser, working in some threads or ranks.

    Every thread takes a share of each minibatch and the gradients are added up in a fixed order, so
    that the result does not hang on which is done first. Torch's own threads meet many times in
    every operation instead, and stand still when a core is busy with something else.
    """

    def __init__(
        self, policy: PolicyNetwork, critic: Critic, threads: int = 1, ranks: Ranks = ALONE
    ) -> None:
        self.policy = policy
        self.critic = critic
        self.ranks = ranks
        self.parameters = [parameter for _, parameter in self.named_parameters()]
        self.optimiser = torch.optim.Adam(self.parameters, eps=1e-5, fused=True)
        self.threads = threads
        self._pool = ThreadPoolExecutor(threads, initializer=torch.set_num_threads, initargs=(1,))

    def named_parameters(self) -> Iterator[tuple[str, nn.Parameter]]:
        """What the optimiser moves: of the policy, then of the critic."""
        yield from self.policy.named_parameters(prefix="policy")
        yield from self.critic.named_parameters(prefix="critic")

    def update(
        self,
        rollout: Rollout,
        settings: Ppo,
        learning_rate: float,
        entropy_weight: float,
        rng: np.random.Generator,
    ) -> Losses:
        """Learn from a rollout, all of it once in each epoch, in an order that rng shuffles.

        The rollout is this rank's part, and all ranks learn at once: each takes as many gradient
        steps as the others, with its part of every minibatch.
        """
        for group in self.optimiser.param_groups:
            group["lr"] = learning_rate
        values = self.values(rollout)
        advantage = advantages(values, rollout.player, rollout.outcome, settings.trace)
        aim = Aim(
            rollout,
            advantage=torch.from_numpy(normalised(advantage, self.ranks)),
            value=torch.from_numpy(values + advantage),
            clip=settings.clip,
            entropy_weight=entropy_weight,
            critic_weight=settings.critic_weight,
        )
        total = int(self.ranks.sums(np.array([len(values)]))[0])
        steps = -(-total // settings.minibatch)
        minibatches = [
            rows
            for _ in range(settings.epochs)
            for rows in np.array_split(rng.permutation(len(values)), steps)
        ]
        sizes = self.ranks.sums(np.array([len(rows) for rows in minibatches]))
        reports = [
            self._step(aim, torch.from_numpy(rows), int(size), settings.max_gradient)
            for rows, size in zip(minibatches, sizes, strict=True)
        ]
        explained = explained_variance(values, rollout.outcome)
        report = torch.cat([torch.stack(reports).mean(dim=0), torch.tensor([explained])])
        self.ranks.average([report])
        return Losses(*report.tolist())

    def values(self, rollout: Rollout) -> np.ndarray:
        """The critic's value of each decision: (m,) float32."""

        @torch.inference_mode()
        def judge(features: torch.Tensor) -> torch.Tensor:
            return torch.cat([self.critic(part) for part in features.split(8192)])

        parts = rollout.features.tensor_split(self.threads)
        return torch.cat(list(self._pool.map(judge, parts))).numpy()

    def _step(self, aim: "Aim", rows: torch.Tensor, size: int, max_gradient: float) -> torch.Tensor:
        """One gradient step on some decisions: (5,) float32, the first five of `Losses`.

        rows: this rank's part of the minibatch, which has `size` decisions in all.
        """

        def share(part: torch.Tensor) -> tuple[tuple[torch.Tensor, ...], torch.Tensor]:
            loss, report = aim.loss(self.policy, self.critic, part)
            weight = len(part) * self.ranks.size / size
            return torch.autograd.grad(loss * weight, self.parameters), report * weight

        parts = rows.tensor_split(min(self.threads, len(rows)))
        gradients, reports = zip(*self._pool.map(share, parts), strict=True)
        summed = [torch.stack(shares).sum(dim=0) for shares in zip(*gradients, strict=True)]
        self.ranks.average(summed)
        for parameter, gradient in zip(self.parameters, summed, strict=True):
            parameter.grad = gradient
        nn.utils.clip_grad_norm_(self.parameters, max_gradient)
        self.optimiser.step()
        return torch.stack(reports).sum(dim=0)


@dataclass(frozen=True)
class Aim:
    """What an update works towards: a rollout, and what was found out about its decisions."""

    rollout: Rollout
    advantage: torch.Tensor
    """(m,) float32: normalised over the rollout."""
    value: torch.Tensor
    """(m,) float32: what the critic should have said."""
    clip: float
    entropy_weight: float
    critic_weight: float

    def loss(
        self, policy: PolicyNetwork, critic: Critic, rows: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """The mean loss of some decisions, and its report: the first five of `Losses`."""
        rollout = self.rollout
        features = rollout.features.index_select(0, rows)
        logits = policy(features[:, : policy.encoding.width])
        logits = only_legal(logits, rollout.legal.index_select(0, rows))
        chosen = logits.log_softmax(dim=1).gather(1, rollout.choice[rows][:, None]).squeeze(1)
        log_ratio = chosen - rollout.log_probability[rows]
        ratio = log_ratio.exp()
        entropy = entropies(logits).mean()
        of_policy = policy_loss(ratio, self.advantage[rows], self.clip)
        of_critic = (critic(features) - self.value[rows]).square().mean()
        loss = of_policy - self.entropy_weight * entropy + self.critic_weight * of_critic
        with torch.no_grad():
            clipped = ((ratio - 1).abs() > self.clip).float().mean()
            report = torch.stack([of_policy, of_critic, entropy, divergence(log_ratio), clipped])
        return loss, report
