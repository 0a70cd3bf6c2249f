"""What a tournament is told, and the pieces of work that follow from it.

Every two agents meet on the same deals: tables 0, 1, 2 ... of one seed. Their tables are cut into
blocks, which end at fixed table numbers and are the pieces of work. A block has `BLOCK` pairs, or
as many as the slower of the two agents says (`pairs_at_once`), fewer when matches are played: so
that quick agents get full batches, and slow ones let something be finished every minute. Blocks are
settled when a tournament begins, and are part of its settings: so the processes, the machines and
the interruptions of a tournament have no part in its result.
"""

import dataclasses
import json
import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any

from agents import Agent, make
from agents.files import digest_of
from rungenv import Rules
from train import deals
from train.arena.control import FOLDS
from train.arena.duels import BLOCK
from train.arena.piece import Piece, blocks
from train.arena.sample_size import FIRST_STAGE
from train.files import write_json
from train.options import on_a_command_line

CONFIG = "config.json"
"""The settings' file in a tournament's folder."""

ROUNDS_IN_A_MATCH = 8
"""About as many: a block has that many times fewer pairs of matches."""

BESIDE = 2**40
"""The first table of the deals that only the control's agents play (`control.py`)."""

BESIDE_TIMES = 10
"""As many times more of these than pairs of the others."""


@dataclass(frozen=True)
class Settings:
    """A tournament, but for how its work is done."""

    games: tuple[Rules, ...]
    agents: tuple[str, ...]
    blocks: dict[str, int]
    """Pairs in a block, for each agent, those of the control too."""
    pairs: int = 10_000
    """Pairs of deals for every two agents; with `until` those of the first stage."""
    slow_pairs: int | None = None
    """The same where one of the two is slow: where it is given fewer than BLOCK at a time."""
    deals: str = "validation"
    set: int = 0
    episode: str = "round"
    until: float | None = None
    """Half of the width that an interval is to have (`sample_size.py`)."""
    control: tuple[str, str] | None = None
    """The agents whose games are the control variate (`control.py`)."""
    luck: int = 0
    """How often the cards after the call are dealt anew, to reckon with their luck; 0: not."""
    clock: float | None = None
    forfeit: bool = False
    files: dict[str, str] = field(default_factory=dict)
    """A digest of what is in each agent's files, of those that have any."""

    def __post_init__(self) -> None:
        if len(self.agents) < 2:
            raise ValueError(f"a tournament takes two agents at least, not {len(self.agents)}")
        if len(self.agents) > 2 and len(set(self.agents)) < len(self.agents):
            twice = next(name for name in self.agents if self.agents.count(name) > 1)
            raise ValueError(f"{twice} is there twice; name each agent once")
        fewest = self.pairs if self.slow_pairs is None else min(self.pairs, self.slow_pairs)
        if fewest < 2:
            raise ValueError(f"an interval takes at least 2 pairs, not {fewest}")
        for name in ("until", "clock"):
            value = getattr(self, name)
            if value is not None and not value > 0:
                raise ValueError(f"{name} must be more than 0, not {value:g}")
        if self.until is not None and fewest < FIRST_STAGE:
            raise ValueError(f"until takes a first stage of {FIRST_STAGE} pairs, not {fewest}")
        if self.control is not None and fewest < 2 * FOLDS:
            raise ValueError(f"a control takes {2 * FOLDS} pairs at least, not {fewest}")
        if self.luck:
            self._check_luck(fewest)
        deals.seed(self.deals, self.set)

    def _check_luck(self, fewest: int) -> None:
        extras = [rules for rules in self.games if any(rules.new_cards) or rules.change_trump]
        if self.luck < 0:
            raise ValueError(f"luck must be 0 or more, not {self.luck}")
        if fewest < 2 * FOLDS:
            raise ValueError(f"luck takes {2 * FOLDS} pairs at least, not {fewest}")
        if self.episode == "match" or self.control or extras:
            raise ValueError(
                "luck is reckoned in single rounds without control, new_cards and change_trump"
            )

    def joined_by(self, names: Sequence[str]) -> "Settings":
        """The same with more agents; all pieces that there were stay what they were.

        ValueError for an agent that is there already, and where the control's agents, which come
        after the others, would change their numbers.
        """
        if names and len(self.players) > len(self.agents):
            raise ValueError(
                f"nobody can join: {self.players[-1]}, of the control, is not among the agents"
            )
        for name in names:
            if name in self.agents:
                raise ValueError(f"{name} is in the tournament already")
        agents = (*self.agents, *names)
        return dataclasses.replace(
            self,
            agents=agents,
            blocks=self.blocks | blocks_of(names),
            files=self.files | digests_of(names),
        )

    def refuse_others(self) -> None:
        """ValueError where an agent is not what it was when the tournament began."""
        for name, before in self.files.items():
            if digest_of(name) != before:
                raise ValueError(
                    f"{name} is no longer what played here: its files have changed; measure into a "
                    "new folder"
                )

    @property
    def players(self) -> tuple[str, ...]:
        """The agents, and those of the control that are none of them."""
        return (*self.agents, *(name for name in self.control or () if name not in self.agents))

    @property
    def seed(self) -> int:
        """The seed of all deals."""
        return deals.seed(self.deals, self.set)

    def first_pairs(self, meeting: tuple[str, str]) -> int:
        """Pairs of two agents; with `until` those of their first stage."""
        is_slow = min(self.blocks[name] for name in meeting) < BLOCK
        return self.slow_pairs if is_slow and self.slow_pairs is not None else self.pairs

    def meetings(self) -> list[tuple[str, str]]:
        """Every two of the agents."""
        return list(combinations(self.agents, 2))

    def control_meeting(self) -> tuple[str, str] | None:
        """The two agents of the control, in the order in which they meet if they meet anyway."""
        if self.control is None:
            return None
        one, other = self.control
        return (other, one) if (other, one) in self.meetings() else (one, other)

    def pieces(self, game: int, meeting: tuple[str, str], first: int, pairs: int) -> list[Piece]:
        """The work of two agents at some tables of a game."""
        size = min(self.blocks[name] for name in meeting)
        if self.episode == "match":
            size = max(1, size // ROUNDS_IN_A_MATCH)
        return [
            Piece(
                rules=self.games[game],
                a=meeting[0],
                b=meeting[1],
                seed=self.seed,
                start=tables.start,
                stop=tables.stop,
                episode=self.episode,
                clock=self.clock,
                forfeit=self.forfeit,
                keep_from=0 if first < BESIDE else None,
                dealt_anew=self.luck if self.games[game].calls else 0,
            )
            for tables in blocks(first, pairs, size)
        ]

    def as_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return dataclasses.asdict(self)

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> "Settings":
        """The settings that `as_dict` gave, by way of JSON."""
        games = tuple(Rules(**rules) for rules in values["games"])
        control = values["control"] and tuple(values["control"])
        agents = tuple(values["agents"])
        return cls(**{**values, "games": games, "agents": agents, "control": control})

    def command(self) -> str:
        """The command line that plays this, as far as a line can say it."""
        game, house_rules = on_a_command_line(self.games)
        words = ["rung", "arena", game, *self.agents, "--pairs", str(self.pairs)]
        words += ["--slow-pairs", str(self.slow_pairs)] if self.slow_pairs is not None else []
        words += ["--deals", self.deals] + (["--seed", str(self.set)] if self.set else [])
        words += ["--match"] if self.episode == "match" else []
        words += ["--until", f"{self.until:g}"] if self.until is not None else []
        words += ["--control", *self.control] if self.control is not None else []
        words += ["--luck", str(self.luck)] if self.luck else []
        words += ["--clock", f"{self.clock:g}"] if self.clock is not None else []
        words += ["--forfeit"] if self.forfeit else []
        return shlex.join([*words, *house_rules])


def block_of(agent: Agent) -> int:
    """Pairs that an agent is to be given at a time: its `pairs_at_once`, or BLOCK."""
    return int(getattr(agent, "pairs_at_once", BLOCK))


def blocks_of(names: Iterable[str]) -> dict[str, int]:
    """The block of each of some agents."""
    return {name: block_of(make(name)) for name in names}


def digests_of(names: Iterable[str]) -> dict[str, str]:
    """Of those of some agents that are made from files: what is in them, in a word."""
    return {name: digest for name in names if (digest := digest_of(name))}


def save(folder: Path, settings: Settings) -> None:
    """Begin a tournament's folder."""
    folder.mkdir(parents=True, exist_ok=True)
    write_json(folder / CONFIG, settings.as_dict())


def load(folder: Path) -> Settings:
    """The settings of a folder; ValueError for one that holds no tournament."""
    path = folder / CONFIG
    try:
        return Settings.from_dict(json.loads(path.read_text("utf-8")))
    except FileNotFoundError:
        raise ValueError(f"{folder} holds no tournament: there is no {path}") from None
    except (TypeError, KeyError, AttributeError, json.JSONDecodeError) as error:
        raise ValueError(f"{path} does not tell of a tournament: {error}") from None
