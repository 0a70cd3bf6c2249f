"""Learning from an agent's play: the policy to choose as it does, the critic how its rounds end.

A run can begin so (`clone` in its configuration): what an agent knows already need not be found out
by chance. Anything that `agents.make` knows can be the teacher, a search with the run's own network
among them.
"""

from dataclasses import dataclass

import numpy as np
import torch
from torch.nn import functional

from agents.policy import PolicyNetwork, only_legal
from rungenv.players import Player
from train.config import Config
from train.critic import Critic
from train.learner import Learner
from train.ppo import Losses, entropies, explained_variance
from train.returns import credit
from train.rollout import Rollout
from train.settings import Ppo
from train.several import agent_for


def teacher_of(settings: Config) -> Player | None:
    """The agent that a run begins by imitating, if by any.

    ValueError for one that is unknown, or plays another game.
    """
    name = settings.clone.agent
    return None if name is None else Player(name, agent_for(name, settings.games))


@dataclass(frozen=True)
class Imitation:
    """The aim of choosing as in a rollout that a teacher played."""

    rollout: Rollout
    outcome: torch.Tensor
    """(m,) float32."""
    critic_weight: float

    def __len__(self) -> int:
        return len(self.outcome)

    def loss(
        self, policy: PolicyNetwork, critic: Critic, rows: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """The mean loss of some decisions; the report: of policy and critic, entropy, agreement."""
        rollout = self.rollout
        features = rollout.features.index_select(0, rows)
        choice = rollout.choice[rows]
        logits = policy(features[:, : policy.encoding.width])
        logits = only_legal(logits, rollout.legal.index_select(0, rows))
        of_policy = functional.cross_entropy(logits, choice)
        of_critic = (critic.of(features, choice) - self.outcome[rows]).square().mean()
        with torch.no_grad():
            agreement = (logits.argmax(dim=1) == choice).float().mean()
            report = torch.stack([of_policy, of_critic, entropies(logits).mean(), agreement])
        return of_policy + self.critic_weight * of_critic, report


def imitate(
    learner: Learner,
    rollout: Rollout,
    settings: Ppo,
    learning_rate: float,
    rng: np.random.Generator,
) -> Losses:
    """Learn to choose as in a rollout, all of it once in each epoch, in an order that rng shuffles.

    What is reported as clipped is the share of choices that the policy would have made otherwise.
    """
    outcome = learner.tensor(rollout.outcome)
    aim = Imitation(rollout.on(learner.device), outcome, settings.critic_weight)
    found = credit(learner.judgements(rollout), rollout, trace=1.0, shaping=0.0)
    explained = explained_variance(found.expected, rollout.outcome)
    [explained] = learner.ranks.means([explained])
    of_policy, of_critic, entropy, agreement = learner.descend(aim, settings, learning_rate, rng)
    return Losses(of_policy, of_critic, entropy, 0.0, 1 - agreement, explained)
