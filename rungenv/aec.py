"""The games as PettingZoo environments: whose turn it is, what it sees, what it earns. No rules.

Every module `rungenv/<game>_v0.py` has `env(**options)` and `raw_env(**options)`. Options:

- `episode`: "round", one deal (the default), or "match", rounds until a team has won it;
- `reward`: "points", what the round pays (the default), or "win", which makes it 1; the winners get
  it and the losers lose it;
- `render_mode`: None, "ansi" (`render()` gives text) or "human" (the table is printed after every
  action); `perspective`: an agent whose view is pictured, by default all hands;
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

import difflib
import hashlib
import json
import operator
import secrets
from base64 import b64decode, b64encode
from dataclasses import fields
from typing import Any, ClassVar

import numpy as np
from gymnasium import logger, spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from rungenv.actions import N_ACTIONS
from rungenv.kernel import Events
from rungenv.layout import FIELDS
from rungenv.render import table_text
from rungenv.rules import Rules, nearest, variant
from rungenv.state import Kind
from rungenv.table import Table
from rungenv.tables import Tables, deal, deal_hands
from rungenv.view import hidden_hands

AGENTS = tuple(f"player_{seat}" for seat in range(4))
"""The agents' names, by seat."""

Observation = dict[str, np.ndarray]

_SEAT = {agent: seat for seat, agent in enumerate(AGENTS)}
_RESET_OPTIONS = ("dealer", "hands")
_NO_ACTIONS = np.zeros(N_ACTIONS, np.int8)
_NO_ACTIONS.flags.writeable = False
_HIGH = np.repeat(
    np.array([field.high for field in FIELDS.values()], np.uint8),
    [field.width for field in FIELDS.values()],
)
_HIDDEN = 4 * 52  # columns of hidden_hands


class RungEnv(AECEnv[str, Observation, Any]):
    """One table of a game; see this module's words on options, observations and rewards.

    A subclass names the game. Wrong options, actions and saved states raise ValueError and leave
    the environment as it was; an action that the rules forbid raises `rungenv.IllegalAction`.
    """

    _table: Table  # since the first reset()

    game: ClassVar[str]
    """A name in `rungenv.VARIANTS`; options may turn it into another."""
    metadata: dict[str, Any] = {
        "render_modes": ["human", "ansi"],
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(
        self,
        render_mode: str | None = None,
        episode: str = "round",
        reward: str = "points",
        perspective: str | None = None,
        **rules: Any,
    ) -> None:
        super().__init__()
        self.rules = _checked_rules(self.game, rules)
        self.render_mode = _one_of("render_mode", render_mode, (None, "human", "ansi"))
        self.episode = _one_of("episode", episode, ("round", "match"))
        self.reward = _one_of("reward", reward, ("points", "win"))
        self.perspective = _one_of("perspective", perspective, (None, *AGENTS))

        self.possible_agents = list(AGENTS)
        self.observation_spaces = {agent: _observation_space() for agent in AGENTS}
        self.action_spaces = {agent: spaces.Discrete(N_ACTIONS) for agent in AGENTS}
        self.state_space = spaces.Box(
            np.uint8(0), np.append(_HIGH, np.ones(_HIDDEN, np.uint8)), dtype=np.uint8
        )
        self._seed = -1  # that of the deals; the episodes under it are numbered
        self._episode = -1
        self._ahead: Tables | None = None  # the next episodes' tables
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
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal the next episode under the present seed, or the first under a new one."""
        if seed is None and self._seed < 0:
            seed = secrets.randbits(63)
        number, episode = (self._seed, self._episode + 1) if seed is None else (seed, 0)
        self._table = Table(self._deal(number, episode, options or {}))
        self._seed, self._episode = int(number), episode

        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos = {agent: {"action_mask": _NO_ACTIONS} for agent in AGENTS}
        self._pays = False
        self._skip_agent_selection = None
        self._pass_turn()

    def step(self, action: Any) -> None:
        """Carry out the action of `agent_selection`; None for an agent whose episode is over."""
        if not getattr(self, "agents", None):
            raise ValueError("there is nobody to act: reset() first")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        events = self._table.step(_number(action))
        self.infos[agent] = {"action_mask": _NO_ACTIONS}
        self._cumulative_rewards[agent] = 0.0
        if self._pays:
            self._clear_rewards()
        self._pays = bool(events.round_over[0])
        if self._pays:
            self._end_round(events)
        self._pass_turn()

    def observe(self, agent: str) -> Observation:
        """What the agent's seat may know; the same arrays until the next action."""
        if agent not in self._observed:
            if agent not in _SEAT:
                raise ValueError(f"agent must be one of {', '.join(AGENTS)}, not {agent!r}")
            dense = self._dealt().dense(_SEAT[agent])
            mask = self._mask if agent == self._actor else np.zeros(N_ACTIONS, np.int8)
            self._observed[agent] = {"observation": dense, "action_mask": mask}
        return self._observed[agent]

    def state(self) -> np.ndarray:
        """All that is to know, for a critic in training: player_0's view and all hidden cards."""
        return np.append(self._dealt().dense(0), hidden_hands(self.tables, 0)[0])

    def render(self) -> str | None:
        """The table as text ("ansi"), or printed ("human")."""
        if self.render_mode is None:
            logger.warn("render() shows nothing without a render_mode, 'human' or 'ansi'")
            return None
        seat = None if self.perspective is None else _SEAT[self.perspective]
        text = table_text(self.tables, 0, seat)
        if self.render_mode == "ansi":
            return text
        print(text)
        return None

    def close(self) -> None:
        """Nothing is held that needs closing."""

    def _deal(self, seed: Any, episode: int, options: dict[str, Any]) -> Tables:
        """A table with the first deal of an episode."""
        if not isinstance(options, dict):
            raise ValueError(f"options must be a dict, not {options!r}")
        for name in options:
            near = difflib.get_close_matches(str(name), _RESET_OPTIONS)
            if near and name not in _RESET_OPTIONS:
                raise ValueError(f"reset has no option {name!r}; nearest: {near[0]}")
        dealer, hands = options.get("dealer"), options.get("hands")
        if dealer is None and hands is None and episode > 0:
            return self._dealt_ahead(seed, episode)
        tables = deal(self.rules, 1, seed, dealer=dealer, first_table=episode)
        if hands is None:
            return tables
        if np.shape(hands) != (4, 13):
            raise ValueError(f"hands must have shape (4, 13), not {np.shape(hands)}")
        hands = np.asarray(hands)[None]
        return deal_hands(self.rules, hands, tables.dealer, seed=seed, first_table=episode)

    def _dealt_ahead(self, seed: int, episode: int) -> Tables:
        """The same without options: sixteen tables are dealt in little more time than one."""
        if not self._ahead or self._ahead.seed[0] != seed or episode not in self._ahead.table:
            self._ahead = deal(self.rules, 16, seed, first_table=episode)
        return self._ahead.take(self._ahead.table == episode)

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
        if self._actor:
            self.infos[self._actor]["action_mask"] = self._mask

    def save_state(self) -> bytes:
        """The episode as it stands, as bytes; `load_state` of the same game restores it."""
        infos = {agent: _without_mask(info) for agent, info in self.infos.items()}
        state = {
            "tables": b64encode(self.tables.save_state()).decode(),
            "options": [self.episode, self.reward],
            "seed": [self._seed, self._episode],
            "agents": [self.agents, self.agent_selection, self._skip_agent_selection],
            "rewards": [self._pays, self.rewards, self._cumulative_rewards],
            "ends": [self.terminations, self.truncations],
            "infos": infos,
        }
        body = json.dumps(state).encode()
        return _MAGIC + hashlib.sha256(body).digest() + body

    def load_state(self, data: bytes) -> None:
        """Go on from bytes of `save_state`, in an environment with the same rules and options.

        A wrapped environment must have been reset, and its next call be `last()`, as its wrappers
        keep notes of their own.
        """
        state = _unpacked(data)
        tables = Tables.load_state(b64decode(state["tables"]))
        if tables.rules != self.rules or state["options"] != [self.episode, self.reward]:
            raise ValueError("this state was saved under other rules, or another episode or reward")
        self._table = Table(tables)
        self._seed, self._episode = state["seed"]
        self.agents, self.agent_selection, self._skip_agent_selection = state["agents"]
        self._pays, self.rewards, self._cumulative_rewards = state["rewards"]
        self.terminations, self.truncations = state["ends"]
        self.infos = {agent: _with_mask(info) for agent, info in state["infos"].items()}
        self._look_around()


def wrap(raw: RungEnv) -> AECEnv[str, Observation, Any]:
    """Add PettingZoo's usual wrappers: an illegal action ends the episode and costs its agent 1."""
    env = wrappers.TerminateIllegalWrapper(raw, illegal_reward=-1)
    env = wrappers.AssertOutOfBoundsWrapper(env)
    return _OrderEnforcing(env, raw)


def _read(name: str) -> Any:
    return property(lambda self: getattr(self.raw, name))


class _OrderEnforcing(wrappers.OrderEnforcingWrapper[str, Observation, Any]):
    """PettingZoo's wrapper, but it reads what is to be read from the game itself.

    PettingZoo's asks each wrapper in turn for every attribute, which takes longer than the game.
    Before the first reset the game has none of these, and PettingZoo's says so.
    """

    agents, agent_selection = _read("agents"), _read("agent_selection")
    rewards, _cumulative_rewards = _read("rewards"), _read("_cumulative_rewards")
    terminations, truncations = _read("terminations"), _read("truncations")
    infos = _read("infos")

    def __init__(self, env: AECEnv[str, Observation, Any], raw: RungEnv) -> None:
        self.raw = raw
        super().__init__(env)

    def __str__(self) -> str:
        return str(self.env)


def _observation_space() -> Any:
    return spaces.Dict(
        {
            "observation": spaces.Box(np.uint8(0), _HIGH, dtype=np.uint8),
            "action_mask": spaces.Box(0, 1, (N_ACTIONS,), np.int8),
        }
    )


_MAGIC = b"rungenv aec 1\n"
_DIGEST = hashlib.sha256().digest_size


def _unpacked(data: bytes) -> dict[str, Any]:
    if not data.startswith(_MAGIC):
        raise ValueError("these bytes are no saved environment: they do not begin as one")
    digest, body = data[len(_MAGIC) :][:_DIGEST], data[len(_MAGIC) + _DIGEST :]
    if hashlib.sha256(body).digest() != digest:
        raise ValueError("the saved environment is damaged or cut short: its checksum is wrong")
    return json.loads(body)


def _without_mask(info: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in info.items() if name != "action_mask"}


def _with_mask(info: dict[str, Any]) -> dict[str, Any]:
    """An info as it was before JSON knew no tuples and enums; the mask is filled in later."""
    if info:
        info |= {"kind": Kind(info["kind"])}
        info |= {name: tuple(info[name]) for name in ("points", "kots")}
    return {"action_mask": _NO_ACTIONS, **info}


def _checked_rules(game: str, options: dict[str, Any]) -> Rules:
    known = ("render_mode", "episode", "reward", "perspective", *(f.name for f in fields(Rules)))
    for option in options:
        if option not in known:
            raise ValueError(f"{game} has no option {option!r}{nearest(option, known)}")
    return variant(game, **options)


def _one_of(name: str, value: Any, choices: tuple[Any, ...]) -> Any:
    if value not in choices:
        raise ValueError(f"{name} must be one of {', '.join(map(repr, choices))}, not {value!r}")
    return value


def _mask(legal_set: int) -> np.ndarray:
    """A set of actions as a mask: (61,) int8."""
    word = np.frombuffer(legal_set.to_bytes(8, "little"), np.uint8)
    return np.unpackbits(word, count=N_ACTIONS, bitorder="little").view(np.int8)


def _number(action: Any) -> int:
    try:
        return operator.index(action)
    except TypeError:
        raise ValueError(f"action must be a whole number from 0 to 60, not {action!r}") from None
