"""One seat of a game as a Gymnasium environment; the other three are played for you. No rules.

    gymnasium.make("rungenv/SingleSar-v0", seat=0, partner=agents.make("greedy"))

and so DoubleSar, HiddenRung, BeRanga, Mendikot and MendikotBand, after `import rungenv`. The module
`rungenv.seating` says what the options for players, episodes, rewards and rules are, and
`rungenv.forms` how a view is observed. Besides them:

- `render_mode`: None, "ansi", "rgb_array" or "human", as `rungenv.rendering` describes them, from
  this seat's chair. A window shows the actions of the others too; `reveal`: True shows all hands.

A step is one decision of the seat, and it ends when the next one is due or the episode is over.
What an info holds: `action_mask` (61,) int8, the legal actions, none when the episode is over;
`seat`; `illegal_action`, whether that ended the episode; and on the round that has ended since the
last decision, if one has, `round_over`, `match_over`, `winner` (team 0 or 1, else -1), `kind` (a
`rungenv.Kind`), `points` and `kots` (what it paid to each team).

`reset(seed=s)` deals what `rungenv.deal(rules, 1, seed=s)` deals, and each later `reset()` the next
match of that table. `options` may name the `dealer` (0 to 3) or the `hands` ((4, 13) card numbers,
in the order received).
"""

from collections.abc import Sequence
from copy import deepcopy
from typing import Any

import gymnasium
import numpy as np
from gymnasium import logger, spaces

from rungenv.actions import N_ACTIONS
from rungenv.bits import unpack
from rungenv.chance import sealed_generator
from rungenv.checks import one_of, whole
from rungenv.forms import ObservationForm
from rungenv.kernel import Events
from rungenv.pictures import Picture, picture
from rungenv.rendering import RENDER_FPS, RENDER_MODES, checked_mode, rendered
from rungenv.rules import Rules
from rungenv.seating import Seating, deal_one, known_options, options_of
from rungenv.sentences import game_name
from rungenv.state import Kind
from rungenv.table import Table
from rungenv.tables import Tables
from rungenv.view import observe
from rungenv.window import Window

_HIGHEST_SEED = 2**63 - 1


class SeatEnv(gymnasium.Env[Any, Any]):
    """One seat among other players; see this module's words on options, steps and infos.

    Wrong arguments raise ValueError and leave the environment as it was. If a player of the other
    seats fails in the middle of a step, the next call must be `reset()`.
    """

    metadata: dict[str, Any] = {"render_modes": RENDER_MODES, "render_fps": RENDER_FPS}

    def __init__(
        self,
        game: str | Rules,
        *,
        seat: int | None = None,
        partner: Any = None,
        opponents: Any = None,
        episode: str = "round",
        reward: str = "points",
        observation: str = "dense",
        fields: Sequence[str] | None = None,
        flat: bool = True,
        render_mode: str | None = None,
        reveal: bool = False,
        **rules: Any,
    ) -> None:
        self.seating = Seating.of(
            game,
            rules,
            options_of(SeatEnv),
            seat=seat,
            partner=partner,
            opponents=opponents,
            episode=episode,
            reward=reward,
        )
        self._form = ObservationForm.of(
            self.seating.rules, observation=observation, fields=fields, flat=flat
        )
        self.render_mode = checked_mode(render_mode, RENDER_MODES)
        self.reveal = one_of("reveal", reveal, (False, True))
        self._window = Window(game_name(self.seating.rules), self.metadata["render_fps"])
        self.observation_space = self._form.space
        self.action_space = spaces.Discrete(N_ACTIONS)
        self.seat = -1  # the caller's in this episode
        self._table: Table | None = None
        self._over = True  # or broken off

    @property
    def tables(self) -> Tables:
        """A copy of the table, for onlookers and tests: it knows what no player may."""
        return self._dealt().tables

    def _dealt(self) -> Table:
        if self._table is None:
            raise ValueError("nothing is dealt yet: reset() first")
        return self._table

    def action_masks(self) -> np.ndarray:
        """The legal actions as flags, none when the episode is over: (61,) bool, as sb3 asks."""
        legal = 0 if self._over else self._dealt().legal_set
        return unpack(np.array([legal], np.uint64), N_ACTIONS)[0]

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Deal the next episode under the present seed, or the first under a new one."""
        chosen = known_options(options, ("dealer", "hands"))
        if seed is not None:
            seed = whole("seed", seed, 0, _HIGHEST_SEED)
        tables = self._deal(seed, **chosen)
        super().reset(seed=seed)
        if seed is not None or self._table is None:
            self._chance = sealed_generator(int(self.np_random.integers(_HIGHEST_SEED)))
        self._table = Table(tables)
        fixed = self.seating.seat
        self.seat = int(self.np_random.integers(4)) if fixed is None else fixed
        self._over = True  # until it is the seat's turn
        self._show()
        self._play_others(self._table)
        self._over = False
        return self._seen()

    def _deal(self, seed: int | None, dealer: Any = None, hands: Any = None) -> Tables:
        if seed is None and self._table is not None and dealer is None and hands is None:
            tables = self._table.tables
            tables.new_match()
            return tables
        if seed is not None:
            return deal_one(self.seating.rules, seed, dealer=dealer, hands=hands)
        rng = deepcopy(self.np_random)  # so that a reset that is refused has drawn nothing
        seed = int(rng.integers(_HIGHEST_SEED))
        tables = deal_one(self.seating.rules, seed, dealer=dealer, hands=hands)
        self.np_random = rng
        return tables

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Carry out a decision of the seat; an illegal one ends the episode."""
        if self._over:
            raise ValueError("the episode is over, or was broken off: reset() first")
        table = self._dealt()
        action = whole("action", action, 0, N_ACTIONS - 1)
        if not self.action_masks()[action]:
            self._over = True
            obs, info = self._seen(illegal_action=True)
            return obs, self.seating.illegal_reward, True, False, info
        self._over = True  # until the players have done their part
        reward, ended = 0.0, {}
        events = self._act(table, action)
        if events.round_over[0] or (events := self._play_others(table)) is not None:
            reward = float(self.seating.pay(events.points, np.array([self.seat]))[0])
            ended = _result(table, events)
            if self.seating.episode == "match" and not events.match_over[0]:
                table.next_round()
                self._show()
                self._play_others(table)
        self._over = table.seat != self.seat
        obs, info = self._seen(**ended)
        return obs, reward, self._over, False, info

    def _play_others(self, table: Table) -> Events | None:
        """The other seats act, until it is this one's turn or the round is over: then its end."""
        while table.seat != self.seat:
            seating = self.seating
            player = seating.partner if table.seat == self.seat ^ 2 else seating.opponents
            legal = np.array([table.legal_set], np.uint64)
            action = player.answer(legal, lambda: observe(table.tables), self._chance)
            events = self._act(table, int(action[0]))
            if events.round_over[0]:
                return events
        return None

    def _act(self, table: Table, action: int) -> Events:
        events = table.step(action)
        self._show()
        return events

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()

    def _seen(self, **told: Any) -> tuple[Any, dict[str, Any]]:
        """The observation and info of this moment."""
        info = _NOTHING | {"seat": self.seat, "action_mask": self._mask()} | told
        return self._form.show_one(self._dealt(), self.seat, self._mask()), info

    def _mask(self) -> np.ndarray:
        return self.action_masks().astype(np.int8)

    def picture(self) -> Picture:
        """The table as the seat sees it now; with `reveal`, all hands."""
        return picture(self._dealt(), seat=self.seat, reveal=self.reveal)

    def render(self) -> Any:
        """The table as text, as pixels, or in the window; see `rungenv.rendering`."""
        if self.render_mode is None:
            logger.warn(f"render() shows nothing without a render_mode: {', '.join(RENDER_MODES)}")
            return None
        return rendered(self.picture(), self.render_mode, self._window)

    def close(self) -> None:
        """Close the window, if there is one."""
        self._window.close()


_NOTHING = {
    "illegal_action": False,
    "round_over": False,
    "match_over": False,
    "winner": -1,
    "kind": Kind.NONE,
    "points": (0, 0),
    "kots": (0, 0),
}


def _result(table: Table, events: Events) -> dict[str, Any]:
    return {
        "round_over": True,
        "match_over": bool(events.match_over[0]),
        "winner": table.winner,
        "kind": Kind(table.kind),
        "points": tuple(events.points[0].tolist()),
        "kots": tuple(events.kots[0].tolist()),
    }
