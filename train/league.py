"""Who else sits at the tables of a rollout: past policies of the run, and agents by name.

Self-play alone makes a policy that knows nobody but itself. In a share of the tables a past policy
(fictitious self-play: Heinrich, Lanctot and Silver, Fictitious self-play in extensive-form games,
2015) or an agent of the ladder plays the other team, or one seat among the policy's own. Of several
the one that the policy wins less against comes more often (Vinyals et al., Grandmaster level in
StarCraft II using multi-agent reinforcement learning, 2019).
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from agents import network
from agents.base import Agent
from agents.network import NetworkAgent
from rungenv.chance import sealed_generator
from rungenv.players import Player
from train.checkpoint import State
from train.config import Config
from train.files import write_atomically
from train.learner import Learner
from train.ranks import ALONE, Ranks
from train.rollout import POLICY, Company, Rollout
from train.several import agent_for

POOL = "pool"
"""The folder, in the run's, of its past policies."""

_MEMORY = 0.9
"""How much of a win rate is kept when the next one is known."""
_RAREST = 0.05
"""An opponent that always loses is met this much as often as one that always wins."""


class League:
    """The run's company; `company` says who sits where in an update, `note` how it went.

    A past policy is named by its update, so that a run that goes on meets the same ones again.
    """

    def __init__(self, settings: Config, folder: Path, ranks: Ranks = ALONE) -> None:
        self.settings = settings
        self.folder = folder
        self.ranks = ranks
        self._agents: dict[str, Agent] = {}
        for name in settings.league.agents:  # a wrong one is an error now, not when it is met
            self._agents[name] = agent_for(name, settings.games)

    def company(
        self, learner: Learner, state: State, tables: Sequence[int] | np.ndarray
    ) -> Company | None:
        """Who sits where in this update's rollout, at this rank's tables; None for nobody.

        tables: their numbers among all of the update's, in the order of the rollout.
        """
        league = self.settings.league
        if not league.past and not league.share:
            return None
        self._remember(learner, state)
        rng = np.random.default_rng((self.settings.seed, state.updates, _CHANCE))
        drawn = [
            (self._draw(names, state, rng), share)
            for names, share in (
                (list(league.agents), league.share),
                (self._past(state), league.past),
            )
            if names and share
        ]
        sits = np.full((self.settings.ppo.deals, 4), POLICY)
        places = rng.permutation(self.settings.ppo.deals)
        start = 0
        for number, (_, share) in enumerate(drawn):
            stop = start + round(share * len(places))
            self._seat(sits, places[start:stop], number, rng)
            start = stop
        chance = sealed_generator(self.settings.seed, state.updates, int(tables[0]))
        players = [Player(name, self._agent(name)) for name, _ in drawn]
        return Company(players, sits[np.asarray(tables)], chance)

    def note(self, state: State, company: Company, rollout: Rollout) -> None:
        """Keep how often the policy won at the tables of each."""
        for number, player in enumerate(company.players):
            theirs = (company.sits == number).any(axis=1)
            won = rollout.outcome[theirs[rollout.player // 4]] > 0
            wins, decisions = self.ranks.sums(np.array([won.sum(), won.size]))
            if decisions:
                before = state.wins.get(player.name, 0.5)
                state.wins[player.name] = _MEMORY * before + (1 - _MEMORY) * float(wins / decisions)

    def _seat(
        self, sits: np.ndarray, tables: np.ndarray, number: int, rng: np.random.Generator
    ) -> None:
        """The other team at most of these tables, one seat at the rest."""
        alone = rng.random(len(tables)) < self.settings.league.partners
        seat = rng.integers(4, size=len(tables))
        sits[tables, seat] = number
        sits[tables[~alone], seat[~alone] ^ 2] = number

    def _past(self, state: State) -> list[str]:
        """The past policies that there are by now, the newest of them; imitation keeps none."""
        league = self.settings.league
        updates = range(0, state.updates + 1, league.every)
        names = [f"{POOL}/{update}" for update in updates]
        kept = [name for name in names if name in self._agents or self._path(name).exists()]
        return kept[-league.keep :]

    def _remember(self, learner: Learner, state: State) -> None:
        """Keep the policy as it is now, if it is time for it."""
        league = self.settings.league
        if not league.past or state.updates % league.every:
            return
        policy = network.PolicyNetwork(**learner.policy.description())
        policy.load_state_dict(learner.policy.state_dict())
        name = f"{POOL}/{state.updates}"
        self._agents[name] = NetworkAgent(policy.eval(), self.settings.games, name, temperature=1.0)
        if self.ranks.is_first:
            self._path(name).parent.mkdir(exist_ok=True)
            data = network.to_bytes(*network.pack(policy, self.settings.games))
            write_atomically(self._path(name), data)

    def _path(self, name: str) -> Path:
        return self.folder / f"{name}.safetensors"

    def _agent(self, name: str) -> Agent:
        if name not in self._agents:  # a past policy of a run that goes on
            self._agents[name] = network.load(self._path(name), temperature=1.0)
        return self._agents[name]

    def _draw(self, names: list[str], state: State, rng: np.random.Generator) -> str:
        weights = np.array([1 - state.wins.get(name, 0.5) for name in names]) ** 2 + _RAREST
        return names[int(rng.choice(len(names), p=weights / weights.sum()))]


_CHANCE = 2
"""What the league draws random numbers for, beside `train.loop`'s PLAY and SHUFFLE."""
