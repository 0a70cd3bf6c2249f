"""The games as PettingZoo environments: whose turn it is, what it sees, what it earns. No rules.

Every module `rungenv/<game>_v0.py` has `env(**options)` and `raw_env(**options)`. Options:

- `episode`: "round", one deal (the default), or "match", rounds until a team has won it;
- `reward`: "points", what the round pays (the default), or "win", which makes it 1; the winners get
  it and the losers lose it;
- `render_mode`: None, "ansi", "rgb_array" or "human", as `rungenv.rendering` describes them;
- `perspective`: the agent whose view is pictured, from its chair. By default the table is seen from
  `player_0`'s, and shows what the agent to act may know, as if the four passed one screen round;
- `reveal`: True pictures all hands, and a card that lies face down, for an onlooker;
- every field of `rungenv.Rules`, starting from the game's own.

The agents are `player_0` to `player_3`; 0 and 2 are partners, and so are 1 and 3. An observation is
`{"observation": (N_FEATURES,) uint8, "action_mask": (61,) int8}`: a seat's dense view, with columns
as in `rungenv.FIELDS`, and the legal actions, none when it is not the seat's turn. The mask is in
`infos[agent]["action_mask"]` too.

All four agents are paid on the last action of a round. Until its own next action, each finds in its
infos how that round ended: `round_over`, `match_over`, `winner` (team 0 or 1), `kind` (a
`rungenv.Kind`), `points` and `kots` (what the round paid to each team).

`reset(seed=s)` deals what `rungenv.deal(rules, n, seed=s)` deals at its first table, and each later
`reset()` what it deals at the next one. `options` may name the `dealer` (0 to 3) or the `hands`
((4, 13) card numbers, in the order received). Without any seed the first reset draws one.
"""

import secrets
from typing import Any, ClassVar

import numpy as np
from gymnasium import logger, spaces
from pettingzoo import AECEnv

from rungenv import aec_saved
from rungenv.actions import N_ACTIONS
from rungenv.aec_arguments import AGENTS, OPTIONS, action_number, known_agent
from rungenv.aec_episodes import Episodes
from rungenv.checks import one_of, whole
from rungenv.forms import dense_space, with_mask
from rungenv.kernel import Events
from rungenv.pictures import Picture, picture
from rungenv.rendering import RENDER_FPS, RENDER_MODES, checked_mode, rendered
from rungenv.seating import rules_of
from rungenv.sentences import game_name
from rungenv.state import Kind
from rungenv.table import Table
from rungenv.tables import Tables
from rungenv.view import hidden_hands
from rungenv.window import Window

Observation = dict[str, np.ndarray]

_SEAT = {agent: seat for seat, agent in enumerate(AGENTS)}
_HIGH = dense_space().high
_HIDDEN = 4 * 52  # columns of hidden_hands
_HIGHEST_SEED = 2**63 - 1
_SAVED = (
    "episode", "reward", "_seed", "_number", "agents", "agent_selection", "_skip_agent_selection",
    "_pays", "rewards", "_cumulative_rewards", "terminations", "truncations",
)  # fmt: skip
"""The attributes that a saved state keeps, besides the table and the infos."""


class RungEnv(AECEnv[str, Observation, Any]):
    """One table of a game; see this module's words on options, observations and rewards.

    A subclass names the game. Wrong options, actions and saved states raise ValueError and leave
    the environment as it was; an action that the rules forbid raises `rungenv.IllegalAction`.
    """

    _table: Table  # since the first reset()

    game: ClassVar[str]
    """A name in `rungenv.VARIANTS`; options may turn it into another."""
    metadata: dict[str, Any] = {
        "render_modes": RENDER_MODES,
        "is_parallelizable": False,
        "render_fps": RENDER_FPS,
    }

    def __init__(
        self,
        render_mode: str | None = None,
        episode: str = "round",
        reward: str = "points",
        perspective: str | None = None,
        reveal: bool = False,
        **rules: Any,
    ) -> None:
        super().__init__()
        self.rules = rules_of(self.game, rules, OPTIONS)
        self.render_mode = checked_mode(render_mode, RENDER_MODES)
        self.episode = one_of("episode", episode, ("round", "match"))
        self.reward = one_of("reward", reward, ("points", "win"))
        self.perspective = one_of("perspective", perspective, (None, *AGENTS))
        self.reveal = one_of("reveal", reveal, (False, True))

        self.possible_agents = list(AGENTS)
        self.observation_spaces = {agent: with_mask(dense_space()) for agent in AGENTS}
        self.action_spaces = {agent: spaces.Discrete(N_ACTIONS) for agent in AGENTS}
        self.state_space = spaces.Box(
            np.uint8(0), np.append(_HIGH, np.ones(_HIDDEN, np.uint8)), dtype=np.uint8
        )
        self._window = Window(game_name(self.rules), self.metadata["render_fps"])
        self._episodes = Episodes(self.rules)
        self._seed = -1  # that of the deals; the episodes under it are numbered
        self._number = -1
        self._observed: dict[str, Observation] = {}  # since the last action

    @property
    def tables(self) -> Tables:
        """A copy of the table, for onlookers and tests: it knows what no agent may."""
        return self._dealt().tables

    def _dealt(self) -> Table:
        if not hasattr(self, "_table"):
            raise ValueError("nothing is dealt yet: reset() first")
        return self._table

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[known_agent(agent)]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[known_agent(agent)]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal the next episode under the present seed, or the first under a new one."""
        if seed is not None:
            seed, number = whole("seed", seed, 0, _HIGHEST_SEED), 0
        elif self._seed < 0:
            seed, number = secrets.randbits(63), 0
        else:
            seed, number = self._seed, self._number + 1
        self._table = Table(self._episodes.deal(seed, number, options))
        self._seed, self._number = seed, number

        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos = {agent: {"action_mask": _no_actions()} for agent in AGENTS}
        self._pays = False
        self._skip_agent_selection = None
        self._pass_turn()

    def agent_iter(self, max_iter: int = 2**63) -> Any:
        self._dealt()
        return super().agent_iter(max_iter)

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Observation, reward, terminated, truncated and info of the agent that is to act."""
        if not getattr(self, "agents", None):
            raise ValueError(_NOBODY)
        agent = self.agent_selection
        return (
            self.observe(agent) if observe else None,
            self._cumulative_rewards[agent],
            self.terminations[agent],
            self.truncations[agent],
            self.infos[agent],
        )

    def step(self, action: Any) -> None:
        """Carry out the action of `agent_selection`; None for an agent whose episode is over."""
        if not getattr(self, "agents", None):
            raise ValueError(_NOBODY)
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        events = self._table.step(action_number(action))
        self.infos[agent] = {"action_mask": _no_actions()}
        self._cumulative_rewards[agent] = 0.0
        if self._pays:
            self._clear_rewards()
        self._pays = bool(events.round_over[0])
        if self._pays:
            self._end_round(events)
        self._pass_turn()

    def observe(self, agent: str) -> Observation:
        """What the agent's seat may know; the same arrays until the next action."""
        if agent not in AGENTS or agent not in self._observed:
            dense = self._dealt().dense(_SEAT[known_agent(agent)])
            mask = self._mask if agent == self._actor else _no_actions()
            self._observed[agent] = {"observation": dense, "action_mask": mask}
        return self._observed[agent]

    def state(self) -> np.ndarray:
        """All that is to know, for a critic in training: player_0's view and all hidden cards."""
        return np.append(self._dealt().dense(0), hidden_hands(self.tables, 0)[0])

    def picture(self) -> Picture:
        """The table as it is now, as `perspective` and `reveal` say."""
        seat = None if self.perspective is None else _SEAT[self.perspective]
        return picture(self._dealt(), seat=seat, reveal=self.reveal)

    def render(self) -> str | np.ndarray | None:
        """The table as text, as pixels, or in the window; see `rungenv.rendering`."""
        if self.render_mode is None:
            logger.warn(f"render() shows nothing without a render_mode: {', '.join(RENDER_MODES)}")
            return None
        return rendered(self.picture(), self.render_mode, self._window)

    def close(self) -> None:
        """Close the window, if there is one."""
        self._window.close()

    def _end_round(self, events: Events) -> None:
        """Pay all four agents and tell them; then deal the next round, or end the episode."""
        winner = self._table.winner
        points = tuple(events.points[0].tolist())
        paid = points[winner] if self.reward == "points" else 1
        match_over = bool(events.match_over[0])
        for seat, agent in enumerate(AGENTS):
            self.rewards[agent] = float(paid if seat % 2 == winner else -paid)
            self.infos[agent] |= {
                "round_over": True,
                "match_over": match_over,
                "winner": winner,
                "kind": Kind(self._table.kind),
                "points": points,
                "kots": tuple(events.kots[0].tolist()),
            }
        self._accumulate_rewards()
        if self.episode == "match" and not match_over:
            if self.render_mode == "human":
                self.render()  # before the cards are gone
            self._table.next_round()
        else:
            self.terminations = dict.fromkeys(AGENTS, True)

    def _pass_turn(self) -> None:
        """Select the next agent to act, or the first to be told that the episode is over."""
        self._look_around()
        self.agent_selection = self._actor or AGENTS[0]
        if self.render_mode == "human":
            self.render()

    def _look_around(self) -> None:
        """See whose turn it is and what is open to it, after the table has changed."""
        table = self._table
        self._observed.clear()
        self._actor = AGENTS[table.seat] if table.seat >= 0 else None
        self._mask = _mask(table.legal_set)
        if self._actor in self.infos:  # who has ended the episode by an illegal action may be gone
            self.infos[self._actor]["action_mask"] = self._mask.copy()

    def save_state(self) -> bytes:
        """The episode as it stands, as bytes; `load_state` of the same game restores it."""
        tables = self._dealt().tables
        parts = {name: getattr(self, name) for name in _SAVED}
        return aec_saved.to_bytes(tables, parts, self.infos)

    def load_state(self, data: bytes) -> None:
        """Go on from bytes of `save_state`, in an environment with the same rules and options.

        A wrapped environment must have been reset, and its next call be `last()`, as its wrappers
        keep notes of their own.
        """
        tables, parts, infos = aec_saved.from_bytes(data, _SAVED)
        options = parts.pop("episode"), parts.pop("reward")
        if tables.rules != self.rules or options != (self.episode, self.reward):
            raise ValueError("this state was saved under other rules, or another episode or reward")
        self._table = Table(tables)
        for name, value in parts.items():
            setattr(self, name, value)
        self.infos = {
            agent: {"action_mask": _no_actions(), **info} for agent, info in infos.items()
        }
        self._look_around()


_NOBODY = "there is nobody to act: reset() first"


def _no_actions() -> np.ndarray:
    """The mask of a seat whose turn it is not; its own, as trainers write into what they get."""
    return np.zeros(N_ACTIONS, np.int8)


def _mask(legal_set: int) -> np.ndarray:
    """A set of actions as a mask: (61,) int8."""
    word = np.frombuffer(legal_set.to_bytes(8, "little"), np.uint8)
    return np.unpackbits(word, count=N_ACTIONS, bitorder="little").view(np.int8)
