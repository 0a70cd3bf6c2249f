"""Proximal policy optimisation: the mathematics, then one update.

What decisions are credited with is in `train/returns.py`.

Sources, cited where used:
[PPO]  Schulman et al., Proximal policy optimization algorithms, 2017.
[KL]   Schulman, Approximating KL divergence, 2020 (the estimator that its text calls k3).
"""

from dataclasses import dataclass

import numpy as np
import torch

from agents.policy import PolicyNetwork, only_legal
from train.critic import Critic
from train.learner import Learner
from train.ranks import Ranks
from train.returns import Credit, credit
from train.rollout import Rollout
from train.settings import Ppo


def policy_loss(ratio: torch.Tensor, advantage: torch.Tensor, clip: float) -> torch.Tensor:
    """The clipped surrogate objective, negated [PPO, eq. 7]: (n,), (n,) float32 -> scalar.

    ratio: how much likelier the choice is now than when it was made.
    """
    clipped = ratio.clamp(1 - clip, 1 + clip)
    return -torch.minimum(ratio * advantage, clipped * advantage).mean()


def entropies(logits: torch.Tensor) -> torch.Tensor:
    """Entropy of each row's softmax, in nats: (n, 61) float32 -> (n,) float32."""
    return -(logits.softmax(dim=1) * logits.log_softmax(dim=1)).sum(dim=1)


def cards_loss(places: torch.Tensor, hidden: torch.Tensor) -> torch.Tensor:
    """How wrong a guess is at who holds each card that another seat holds: a scalar, in nats.

    places (n, 3, 52) float32: scores of the next seat, the partner and the previous; hidden
    (n, 208) uint8: the hidden hands, as `agents.encoding.hidden_by_slot` gives them.
    """
    by_slot = hidden.view(-1, 4, 4, 13)[:, :, :3]
    held = by_slot.permute(0, 2, 1, 3).reshape(-1, 3, 52).float()
    return -(places.log_softmax(dim=1) * held).sum() / held.sum().clamp(min=1)


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


def update(
    learner: Learner,
    rollout: Rollout,
    settings: Ppo,
    learning_rate: float,
    entropy_weight: float,
    shaping: float,
    rng: np.random.Generator,
) -> Losses:
    """Learn from a rollout, all of it once in each epoch, in an order that rng shuffles.

    shaping: points that a whole lead in tricks (or tens) is taken for until the outcome is known:
    it may make learning quicker and cannot change what is best to do.

    The rollout is this rank's part, and all ranks learn at once: each takes as many gradient
    steps as the others, with its part of every minibatch.
    """
    found = credit(learner.judgements(rollout), rollout, settings.trace, shaping)
    aim = aim_at(learner, rollout, found, settings, entropy_weight)
    explained = learner.ranks.means([explained_variance(found.expected, rollout.outcome)])
    return Losses(*learner.descend(aim, settings, learning_rate, rng), *explained)


def aim_at(
    learner: Learner, rollout: Rollout, found: Credit, settings: Ppo, entropy_weight: float
) -> "Surrogate":
    """What a learner's gradient steps work towards, once the decisions are credited."""
    return Surrogate(
        rollout.on(learner.device),
        advantage=learner.tensor(normalised(found.advantage, learner.ranks)),
        value=learner.tensor(found.target),
        clip=settings.clip,
        entropy_weight=entropy_weight,
        critic_weight=settings.critic_weight,
        cards_weight=settings.cards_weight,
    )


@dataclass(frozen=True)
class Surrogate:
    """PPO's aim: a rollout, and what was found out about its decisions."""

    rollout: Rollout
    advantage: torch.Tensor
    """(m,) float32: normalised over the rollout."""
    value: torch.Tensor
    """(m,) float32: what the critic should have said."""
    clip: float
    entropy_weight: float
    critic_weight: float
    cards_weight: float

    def __len__(self) -> int:
        return len(self.advantage)

    def loss(
        self, policy: PolicyNetwork, critic: Critic, rows: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """The mean loss of some decisions, and its report: the first five of `Losses`."""
        rollout = self.rollout
        features = rollout.features.index_select(0, rows)
        read, hidden = features.tensor_split([policy.encoding.width], dim=1)
        logits, places = policy.with_places(read)
        logits = only_legal(logits, rollout.legal.index_select(0, rows))
        choice = rollout.choice[rows]
        chosen = logits.log_softmax(dim=1).gather(1, choice[:, None]).squeeze(1)
        log_ratio = chosen - rollout.log_probability[rows]
        ratio = log_ratio.exp()
        entropy = entropies(logits).mean()
        of_policy = policy_loss(ratio, self.advantage[rows], self.clip)
        of_critic = (critic.of(features, choice) - self.value[rows]).square().mean()
        loss = of_policy - self.entropy_weight * entropy + self.critic_weight * of_critic
        if places is not None:
            loss = loss + self.cards_weight * cards_loss(places.float(), hidden)
        with torch.no_grad():
            clipped = ((ratio - 1).abs() > self.clip).float().mean()
            report = torch.stack([of_policy, of_critic, entropy, divergence(log_ratio), clipped])
        return loss, report
