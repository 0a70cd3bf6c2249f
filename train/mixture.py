"""An update's tables: which of a run's games are played at them, and what comes of it as one.

Every game's tables are a batch, for all tables of a batch play by one set of rules.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch

from agents.policy import PolicyNetwork
from rungenv.players import Player
from rungenv.rules import Rules
from rungenv.tables import Tables
from train.config import Config
from train.matches import draw_standings
from train.ranks import ALONE, Ranks
from train.rollout import Company, Rollout, play_rounds
from train.settings import Precision


@dataclass(frozen=True)
class Portion:
    """The tables of an update at which one game is played, out of 0 to ppo.deals - 1."""

    rules: Rules
    every: range
    """All of them."""
    own: range
    """This rank's."""


def portions_of(settings: Config, ranks: Ranks = ALONE) -> tuple[Portion, ...]:
    """Who plays what: a portion for each of the run's games, in their order.

    ValueError where there are fewer tables for a game than ranks, or so small minibatches that a
    rank might have none of their decisions.
    """
    if settings.ppo.minibatch < 4 * (ranks.size - 1):
        raise ValueError(f"{ranks.size} ranks cannot share ppo.minibatch={settings.ppo.minibatch}")
    games, deals = settings.games, settings.ppo.deals
    shares = np.array(settings.shares or [1.0] * len(games))
    stops = np.rint(deals * shares.cumsum() / shares.sum()).astype(int).tolist()
    portions = []
    for rules, start, stop in zip(games, [0, *stops], stops, strict=False):
        if stop - start < ranks.size:
            among = f" among {len(games)} games" if len(games) > 1 else ""
            raise ValueError(f"{ranks.size} ranks cannot share ppo.deals={deals}{among}")
        part = ranks.share(stop - start)
        own = range(start + part.start, start + part.stop)
        portions.append(Portion(rules, range(start, stop), own))
    return tuple(portions)


def own_tables(portions: Sequence[Portion]) -> np.ndarray:
    """The numbers of this rank's tables, in the order in which `play` has them: (t,) int64."""
    return np.concatenate([np.array(portion.own) for portion in portions])


def standings_of(portions: Sequence[Portion], rng: np.random.Generator) -> list[Tables]:
    """Where this rank's tables stand in their matches; all ranks draw for all tables."""
    return [
        draw_standings(portion.rules, len(portion.every), rng).take(
            np.array(portion.own) - portion.every.start
        )
        for portion in portions
    ]


def play(
    policy: PolicyNetwork,
    portions: Sequence[Portion],
    *,
    seed: int,
    first_table: int,
    rng: np.random.Generator,
    company: Company | None = None,
    teacher: Player | None = None,
    standings: Sequence[Tables] | None = None,
    precision: Precision = "float32",
) -> Rollout:
    """Play a round at each of this rank's tables, as `play_rounds` does, one game after the other.

    company: at all these tables. In the rollout tables are numbered as `own_tables` has them.
    """
    rollouts, start = [], 0
    for number, portion in enumerate(portions):
        stop = start + len(portion.own)
        rollouts.append(
            play_rounds(
                policy,
                portion.rules,
                len(portion.own),
                seed=seed,
                first_table=first_table + portion.own.start,
                rng=rng,
                company=None if company is None else company.at(slice(start, stop)),
                teacher=teacher,
                standings=None if standings is None else standings[number],
                precision=precision,
            )
        )
        start = stop
    return joined(rollouts, [len(portion.own) for portion in portions])


def joined(rollouts: Sequence[Rollout], tables: Sequence[int]) -> Rollout:
    """Rollouts of so many tables each as one; a single one is itself."""
    if len(rollouts) == 1:
        return rollouts[0]
    before = np.cumsum([0, *tables[:-1]])
    return Rollout(
        features=torch.cat([each.features for each in rollouts]),
        legal=torch.cat([each.legal for each in rollouts]),
        choice=torch.cat([each.choice for each in rollouts]),
        log_probability=torch.cat([each.log_probability for each in rollouts]),
        chances=torch.cat([each.chances for each in rollouts]),
        player=np.concatenate(
            [each.player + 4 * start for each, start in zip(rollouts, before, strict=True)]
        ),
        outcome=np.concatenate([each.outcome for each in rollouts]),
        lead=np.concatenate([each.lead for each in rollouts]),
        steps=sum(each.steps for each in rollouts),
    )
