"""Many tables of a game as one Gymnasium vector environment, on one batch of the kernel. No rules.

    gymnasium.make_vec("rungenv/SingleSar-v0", num_envs=4096)

The module `rungenv.seating` says what the options for players, episodes, rewards and rules are, and
`rungenv.forms` how views are observed. Besides them:

- `controls`: whose decisions come to the caller. "seat" (the default), one seat at each table;
  "team", that seat's and its partner's; "all", every seat's: self-play;
- `autoreset_mode`: an `AutoresetMode` of Gymnasium, or its value. NEXT_STEP (the default) ignores
  the action for an environment whose episode is over, and resets it; SAME_STEP resets it at once,
  and puts its last observation and info under `final_obs` and `final_info`; DISABLED leaves that to
  `reset(options={"reset_mask": (n,) bool})`, which can reset some environments in any mode. Until
  then their action must be -1, and they wait: over, and without a reward;
- `copy`: True (the default) gives a new array of dense columns each time; False writes all into the
  same one, which saves time where they are used up before the next step;
- `render_mode`: None, "ansi" or "rgb_array", as `rungenv.rendering` describes them. `render()`
  gives a text or a picture for each table: what the observed seat may know, from the chair of the
  caller's own; `reveal`: True shows all hands.

A step is one decision of the caller at every table; all seats of the others act in batches until
the next ones are due. Observations are those of the seat to decide, `infos["seat"]`; when the
episode is over, of the seat that decided last. Rewards are for the seat that has just decided. An
info has what a one-seat info has, an array for each name: `action_mask` (n, 61) int8, the rest (n,)
or, by team, (n, 2). An illegal action ends the episode of its own environment only.

`reset(seed=s)` deals what `rungenv.deal(rules, n, seed=s)` deals, and a list of seeds what each of
them deals to a table alone, None in it the next match of that table; so do later episodes. Which
seats are drawn, and what players leave to chance, follows from `np_random`, which seeds for all
environments seed too.
"""

from collections.abc import Iterator, Sequence
from copy import deepcopy
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from rungenv import vector_arguments as given
from rungenv import vector_infos as infos
from rungenv.actions import N_ACTIONS
from rungenv.chance import sealed_generator
from rungenv.checks import MOST_TABLES, one_of, whole
from rungenv.forms import ObservationForm, row_of
from rungenv.kernel import step
from rungenv.pictures import Picture, picture
from rungenv.players import are_legal
from rungenv.rendering import RENDER_FPS, checked_mode
from rungenv.rules import Rules
from rungenv.seating import Seating, known_options, options_of
from rungenv.tables import Tables
from rungenv.vector_deals import HIGHEST_SEED, checked_seed, deal_episodes, is_seed_for_all
from rungenv.vector_infos import Infos
from rungenv.view import View, observe

_RENDER_MODES = ["ansi", "rgb_array"]


class RungVectorEnv(VectorEnv[Any, Any, np.ndarray]):
    """N tables of a game; see this module's words on options, steps and infos.

    Wrong arguments raise ValueError and leave all tables as they were. If a player of the other
    seats fails in the middle of a step, the next call must be a `reset()` of all.
    """

    metadata: dict[str, Any] = {"render_modes": _RENDER_MODES, "render_fps": RENDER_FPS}

    def __init__(
        self,
        game: str | Rules,
        num_envs: int = 1,
        *,
        controls: str = "seat",
        seat: int | None = None,
        partner: Any = None,
        opponents: Any = None,
        episode: str = "round",
        reward: str = "points",
        observation: str = "dense",
        fields: Sequence[str] | None = None,
        flat: bool = True,
        copy: bool = True,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        render_mode: str | None = None,
        reveal: bool = False,
        **rules: Any,
    ) -> None:
        self.seating = Seating.of(
            game,
            rules,
            options_of(RungVectorEnv),
            seat=seat,
            partner=partner,
            opponents=opponents,
            episode=episode,
            reward=reward,
        )
        self._others = given.others(controls, self.seating)
        self.controls = controls
        self.num_envs = whole("num_envs", num_envs, 1, MOST_TABLES)
        self._form = ObservationForm.of(
            self.seating.rules, observation=observation, fields=fields, flat=flat
        )
        self.copy = one_of("copy", copy, (True, False))
        self.render_mode = checked_mode(render_mode, _RENDER_MODES)
        self.reveal = one_of("reveal", reveal, (False, True))
        self.autoreset_mode = given.autoreset_mode(autoreset_mode)
        self.metadata = self.metadata | {"autoreset_mode": self.autoreset_mode}

        self.single_observation_space = self._form.space
        self.single_action_space = spaces.Discrete(N_ACTIONS)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)

        self._tables: Tables | None = None
        self._is_broken = False  # a step was left half done
        self._chance: Any = None  # a Generator from the first reset on: of what the others do
        self._own = np.zeros(self.num_envs, np.int8)  # the caller's seat, or the first of them
        self._seat = self._own  # the seat that is observed
        self._over = np.zeros(self.num_envs, np.bool_)  # episodes that await their reset
        self._room: np.ndarray | None = None  # the last columns observed, to be written over

    @property
    def tables(self) -> Tables:
        """A copy of the tables, for onlookers and tests: they know what no player may."""
        return self._dealt().copy()

    def take(self, rows: np.ndarray) -> Tables:
        """A copy of some tables, for a trainer whose critic may know what no player does."""
        return self._dealt().take(rows)

    def legal(self) -> np.ndarray:
        """The action masks as sets: (n,) uint64, bit = action."""
        return self._dealt().legal_set * ~self._over

    @property
    def view(self) -> View:
        """The views that the last observations show, for those who work with views."""
        return observe(self._dealt(), self._seat)

    def _dealt(self) -> Tables:
        if self._tables is None or self._is_broken:
            raise ValueError("nothing is dealt yet, or a step was broken off: reset() first")
        return self._tables

    def reset(
        self, *, seed: Any = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, Infos]:
        """Deal the next episodes under the present seeds, or the first ones under new seeds.

        seed: None, an int, or a list with an int or None for every environment. options may have a
        `reset_mask` (n,) bool: which are reset, by default all; with a seed the number under it of
        the `first_table`, as `rungenv.deal` has it; or `tables`, Tables of (m,) for those that are
        reset, in play: a copy of them is gone on with, and the seed is for what is left to chance.
        The caller must have a decision to make in each before its round is over.
        """
        chosen = known_options(options, ("reset_mask", "first_table", "tables"))
        rows = given.rows_to_reset(chosen.get("reset_mask"), self.num_envs)
        if rows.size < self.num_envs:
            self._dealt()  # for what stays as it is
        rules, first_table = self.seating.rules, chosen.get("first_table")
        # On copies, so that a reset that is refused has changed nothing.
        rng, chance = deepcopy((self.np_random, self._chance))
        if "tables" in chosen:
            checked_seed(seed, rows, self.num_envs)
            dealt = given.tables_to_begin(chosen, rules, rows.size)
        else:
            dealt = deal_episodes(rules, self._tables, rows, self.num_envs, seed, first_table, rng)
        is_for_all = self._tables is None or rows.size == self.num_envs
        if is_for_all and is_seed_for_all(seed):
            rng = np.random.default_rng(np.array(seed).tolist())
        if is_for_all and (is_seed_for_all(seed) or self._tables is None):
            chance = sealed_generator(int(rng.integers(HIGHEST_SEED)))
        own = self._seats_for(rows.size, rng)
        self._others.open(dealt, own, chance)

        if is_for_all:
            self._tables, self._is_broken = dealt, False
        else:
            self._dealt().put(rows, dealt)
        self.np_random, self._chance = rng, chance
        self._own[rows], self._over[rows] = own, False
        return self._seen(infos.nothing(self.num_envs))

    def _seats_for(self, n: int, rng: np.random.Generator) -> np.ndarray:
        """The caller's seats, or the first of them, in n episodes that begin: (n,) int8."""
        fixed = self.seating.seat
        if fixed is None and self.controls != "all":
            return rng.integers(4, size=n).astype(np.int8)
        return np.full(n, fixed or 0, np.int8)

    def step(self, actions: Any) -> tuple[Any, np.ndarray, np.ndarray, np.ndarray, Infos]:
        """Carry out a decision of the caller at every table."""
        tables, waiting = self._dealt(), self._over
        actions = given.checked_actions(actions, waiting, self.autoreset_mode)
        illegal = ~waiting & ~are_legal(tables.legal_set, actions)
        told, rewards = infos.nothing(self.num_envs), np.zeros(self.num_envs)
        told["illegal_action"][illegal] = True
        rewards[illegal] = self.seating.illegal_reward
        self._over, self._last = waiting | illegal, np.full(self.num_envs, None, np.object_)
        before = tables.points.copy(), tables.kots.copy()

        step(tables, actions, ~self._over)
        if self.autoreset_mode == AutoresetMode.NEXT_STEP:
            self._begin(np.flatnonzero(waiting))
        over = self._over.copy()
        self._end(np.flatnonzero(illegal))
        for rows in self._rounds_ended():
            infos.note_ends(told, tables, rows, *before)
            rewards[rows] = self.seating.pay(told["points"][rows], self._seat[rows])
            goes_on = ~told["match_over"][rows] & (self.seating.episode == "match")
            if goes_on.any():
                tables.next_round(rows[goes_on])
            over[rows[~goes_on]] = True
            self._end(rows[~goes_on])

        final: Infos = {}
        if self.autoreset_mode == AutoresetMode.SAME_STEP and over.any():
            final = infos.set_aside(told, over, self._last, self._seat)
        observations, told = self._seen(told)
        return observations, rewards, over, np.zeros_like(over), told | final

    def _begin(self, rows: np.ndarray) -> None:
        """Deal the next episode at some tables."""
        if rows.size:
            self._dealt().new_match(rows)
            self._own[rows] = self._seats_for(rows.size, self.np_random)
            self._over[rows] = False

    def _end(self, rows: np.ndarray) -> None:
        """Episodes are over: SAME_STEP keeps their last observations and deals the next ones."""
        self._over[rows] = True
        if rows.size and self.autoreset_mode == AutoresetMode.SAME_STEP:
            nothing_legal = np.zeros((rows.size, N_ACTIONS), np.int8)
            last = self._form.show(self._dealt().take(rows), self._seat[rows], nothing_legal)
            for place, row in enumerate(rows.tolist()):
                self._last[row] = row_of(last, place)
            self._begin(rows)

    def _rounds_ended(self) -> Iterator[np.ndarray]:
        """Let the others act until the caller is to decide; give the rows whose round has ended.

        They are given some at a time, so that the tables dealt anew meanwhile go on together with
        those that are still being played.
        """
        tables, is_done = self._dealt(), False
        while not is_done:
            self._is_broken = True
            is_done = self._others.play(tables, self._own, self._chance)
            self._is_broken = False
            rows = np.flatnonzero((tables.seat < 0) & ~self._over)
            if rows.size:
                yield rows
                is_done = False

    def _seen(self, told: Infos) -> tuple[Any, Infos]:
        """The observations and infos of this moment."""
        tables = self._dealt()
        self._seat = np.where(tables.seat >= 0, tables.seat, self._seat)
        mask = tables.legal_mask().view(np.int8)
        mask[self._over] = 0
        if self.copy or self._room is None:
            self._room = self._form.room(self.num_envs)
        observations = self._form.show(tables, self._seat, mask, self._room)
        return observations, told | {"seat": self._seat.copy(), "action_mask": mask}

    def picture(self, row: int = 0) -> Picture:
        """One table as it is now, as the observed seat sees it; with `reveal`, all hands."""
        tables, row = self._dealt(), whole("row", row, 0, self.num_envs - 1)
        seat, bottom = int(self._seat[row]), int(self._own[row])
        return picture(tables, row, seat, reveal=self.reveal, bottom=bottom)

    def render(self) -> tuple[Any, ...] | None:
        """A text or a picture for each table; see `rungenv.rendering`. None without a mode."""
        if self.render_mode is None:
            return None
        pictures = map(self.picture, range(self.num_envs))
        return tuple(one.text() if self.render_mode == "ansi" else one.rgb() for one in pictures)
