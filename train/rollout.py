"""Self-play: rounds played to their end by the current policy, as material to learn from.

They are played in the vector environment that everybody has, in its form for self-play.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Self

import numpy as np
import torch
from gymnasium.vector import AutoresetMode

import rungenv
from agents.encoding import drawn_orders, hidden_by_slot
from agents.policy import PolicyNetwork, only_legal, sample
from rungenv.actions import N_ACTIONS
from rungenv.bits import count, lowest
from rungenv.players import Player
from rungenv.rules import Goal
from rungenv.tables import Tables
from rungenv.vector_env import RungVectorEnv
from train import matches
from train.device import arithmetic
from train.settings import Precision


@dataclass(frozen=True)
class Rollout:
    """The free decisions of some rounds, in the order in which they were made.

    A decision is free when more than one action was legal; forced ones teach nothing.
    """

    features: torch.Tensor
    """(m, width + 208) uint8: what the policy read, then what only the critic may."""
    legal: torch.Tensor
    """(m, 61) bool: the legal choices."""
    choice: torch.Tensor
    """(m,) int64: the one made."""
    log_probability: torch.Tensor
    """(m,) float32: of the choice, when it was made."""
    chances: torch.Tensor
    """(m, 61) float32: of all choices then; a teacher makes its own for certain."""
    player: np.ndarray
    """(m,) int64: whose decision it was, 4 * table + seat."""
    outcome: np.ndarray
    """(m,) float32: what that player's team was paid at the end, less what the others were; or by
    how much its chance to win the match has changed, see `train/matches.py`."""
    lead: np.ndarray
    """(m,) float32: its team's tricks, or where these count tens, less the others'; -1 to 1."""
    steps: int
    """Actions played, forced ones included."""

    def on(self, device: torch.device) -> Self:
        """The same with its tensors on a device."""
        tensors = {
            name: value.to(device)
            for name, value in vars(self).items()
            if isinstance(value, torch.Tensor)
        }
        return replace(self, **tensors)


POLICY = -1
"""Among the seats of a company: the policy's own."""


@dataclass(frozen=True)
class Company:
    """Others that play in a rollout; nothing is learnt from their decisions."""

    players: Sequence[Player]
    sits: np.ndarray
    """(deals, 4) int: the number of the player at each seat, POLICY for the policy."""
    rng: np.random.Generator
    """All that they leave to chance."""

    def at(self, tables: slice) -> Self:
        """The same at some of the tables."""
        return replace(self, sits=self.sits[tables])


@torch.inference_mode()
def play_rounds(
    policy: PolicyNetwork,
    rules: rungenv.Rules,
    deals: int,
    seed: int,
    first_table: int,
    rng: np.random.Generator,
    company: Company | None = None,
    teacher: Player | None = None,
    standings: Tables | None = None,
    precision: Precision = "float32",
) -> Rollout:
    """Play a round at each of `deals` tables, by the policy with its chances, but for its company.

    The deals are those of tables `first_table` and on under the seed. Tables go in lockstep, one
    action each at a time, whichever seat's it is; those that are over wait for the others. With a
    teacher it is the teacher that decides in the policy's place, for the policy to imitate. With
    standings (deals,) the rounds are the next ones of these matches, and played for the match.
    """
    env = RungVectorEnv(
        rules, deals, controls="all", fields=(), autoreset_mode=AutoresetMode.DISABLED
    )
    if standings is None:
        env.reset(seed=seed, options={"first_table": first_table})
    else:
        env.reset(seed=seed, options={"tables": matches.begin(standings, seed, first_table)})
    # One naming of the suits for a whole round: all that is learnt from it is of one piece.
    orders = drawn_orders(deals, rng) if policy.encoding.suits == "shuffled" else None
    over = np.zeros(deals, np.bool_)
    paid = np.zeros(deals, np.float32)  # to team 0, less what team 1 was paid
    parts: list[tuple[np.ndarray, ...]] = []
    steps = 0
    while not over.all():
        open_to_it = env.legal()
        actions = np.where(over, -1, lowest(open_to_it).astype(np.int64))
        free = np.flatnonzero(count(open_to_it) > 1)
        if company is not None:
            free = _let_others_decide(env, company, free, actions)
        if free.size:
            deciding = env.take(free)
            *kept, actions[free] = decide(
                policy,
                deciding,
                rng,
                teacher,
                None if orders is None else orders[free],
                precision,
            )
            parts.append((*kept, 4 * free + deciding.seat))
        steps += int(np.count_nonzero(~over))
        _, _, over, _, infos = env.step(actions)
        paid += infos["points"][:, 0] - infos["points"][:, 1]
    if standings is not None:
        paid = matches.gains(standings, env.tables)
    features, legal, choice, log_probability, chances, lead, player = map(
        np.concatenate, zip(*parts, strict=True)
    )
    return Rollout(
        features=torch.from_numpy(features),
        legal=torch.from_numpy(legal),
        choice=torch.from_numpy(choice),
        log_probability=torch.from_numpy(log_probability),
        chances=torch.from_numpy(chances),
        player=player,
        outcome=paid[player // 4] * np.where(player % 2 == 0, 1, -1).astype(np.float32),
        lead=lead,
        steps=steps,
    )


def _let_others_decide(
    env: RungVectorEnv, company: Company, free: np.ndarray, actions: np.ndarray
) -> np.ndarray:
    """Put the company's actions in their places; returns the tables that are left to the policy."""
    tables = env.take(free)
    whose = company.sits[free, tables.seat]
    for number, player in enumerate(company.players):
        own = np.flatnonzero(whose == number)
        if own.size:
            part = tables.take(own)
            actions[free[own]] = player.answer(
                part.legal_set, partial(rungenv.observe, part), company.rng
            )
    return free[whose == POLICY]


def decide(
    policy: PolicyNetwork,
    tables: Tables,
    rng: np.random.Generator,
    teacher: Player | None = None,
    order: np.ndarray | None = None,
    precision: Precision = "float32",
) -> tuple[np.ndarray, ...]:
    """The choice at each table, and all that `Rollout` keeps of it.

    It is the policy's, by its chances, or the teacher's, whose log_probability is then 0. order
    (n, 4): the suit in each slot, if not as in play. Returns
    features, legal, choice, log_probability, chances and lead as in `Rollout`, and the actions (n,)
    int64.
    """
    view = rungenv.observe(tables)
    encoding = policy.encoding
    order = encoding.order(view) if order is None else order
    features = encoding.features(view, order)
    legal = encoding.legal(view, order)
    if teacher is not None:
        choice = encoding.choices(teacher.answer(view.legal, lambda: view, rng), order)
        log_probability = np.zeros(len(view), np.float32)
        chances = np.eye(N_ACTIONS, dtype=np.float32)[choice]
    else:
        device = next(policy.parameters()).device
        with arithmetic(device, precision):
            logits = policy(torch.from_numpy(features).to(device))
        logits = only_legal(logits, torch.from_numpy(legal).to(device))
        chances = logits.softmax(dim=1).cpu().numpy()
        choice = sample(chances, rng.random(len(view)))
        log_probability = np.log(chances[np.arange(len(view)), choice])
    hidden = hidden_by_slot(rungenv.hidden_hands(tables), order)
    both = np.concatenate([features, hidden], axis=1)
    actions = encoding.actions(choice, order)
    return both, legal, choice, log_probability, chances, _lead(view), actions


def _lead(view: rungenv.View) -> np.ndarray:
    if view.rules.goal == Goal.TENS:
        return (view.tens[:, 0] - view.tens[:, 1]).astype(np.float32) / 4
    return (view.tricks[:, 0] - view.tricks[:, 1]).astype(np.float32) / 13
