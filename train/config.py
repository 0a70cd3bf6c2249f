"""What a training run is told: frozen dataclasses, filled from a YAML file and the command line.

Each value comes from the last of these that names it: the defaults here, the YAML file, the
command line. A key that nothing here is called is an error that names the nearest. This module
does not import torch, so that `rung train --help` answers at once.
"""

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import yaml

from agents.encoding import Encoding
from rungenv.rules import VARIANTS, Collects, Goal, Rules, Trump, nearest, variant
from train.config_values import fill, mapping, plain

_ALWAYS = (
    *("hand", "unseen", "winners", "masters", "trick_sets", "legal_calls", "legal_other", "phase"),
    *("led", "trump", "voids", "trick_size", "holder", "dealer", "tricks", "trick_number"),
)
_TRUMP_DECIDED = ("caller", "passed", "timed_out")
_TRUMP_HIDDEN = (
    *("my_face_down_set", "shown_set", "is_down", "owner", "owner_knows", "asker", "must_trump"),
)
_PILE = ("pile", "waiting", "waiting_ace")


def fields_for(rules: Rules) -> tuple[str, ...]:
    """The fields of the dense view that matter under these rules, but for a match's totals.

    >>> len(fields_for(variant("be_ranga"))) < len(fields_for(variant("mendikot_band")))
    True
    """
    has_pile, has_tens = rules.collects == Collects.PILE, rules.goal == Goal.TENS
    return (
        *_ALWAYS,
        *(_TRUMP_DECIDED if rules.calls else ()),
        *(_TRUMP_HIDDEN if rules.trump == Trump.HIDDEN else ()),
        *(_PILE if has_pile else ()),
        *(("tens",) if has_tens else ()),
        *(("pile_tens",) if has_pile and has_tens else ()),
        *(("new_cards_left",) if any(rules.new_cards) else ()),
    )


@dataclass(frozen=True)
class Network:
    """The networks: what they read and how large they are."""

    fields: tuple[str, ...] = ()
    """Fields of the dense view (rungenv.FIELDS) to read; none: those that matter in the game."""
    suits: Literal["sorted", "as_dealt"] = "sorted"
    """Sorted: the trump first, then long suits before short ones; or each suit in its own place."""
    shape: Literal["plain", "residual"] = "plain"
    """Plain: one layer after the other; residual: each after the first adds to the one before."""
    hidden: tuple[int, ...] = (256, 256)
    """Hidden layers of the policy."""
    critic_hidden: tuple[int, ...] = (256, 256)
    """Hidden layers of the critic, which also reads the other hands, in training only."""


@dataclass(frozen=True)
class Ppo:
    """The learning; coefficients named start and end move in a straight line over the run."""

    deals: int = 1024
    """Rounds that an update plays to their end and learns from."""
    epochs: int = 1
    """Times that an update goes over its decisions."""
    minibatch: int = 2048
    """Decisions in a gradient step, at most."""
    learning_rate_start: float = 2e-3
    """Of Adam."""
    learning_rate_end: float = 1e-4
    entropy_start: float = 0.05
    """Weight of the entropy bonus."""
    entropy_end: float = 0.02
    clip: float = 0.2
    """How far a decision's probability ratio may move from 1 in an update and still gain."""
    trace: float = 0.9
    """Lambda of the generalised advantage estimate; 1 takes the outcome alone."""
    critic_weight: float = 0.5
    """Weight of the critic's loss."""
    cards_weight: float = 0.0
    """Weight of guessing who holds which card, for which the policy then has outputs of its own."""
    shaping_start: float = 0.0
    """Points that a whole lead in tricks, or where they count tens, is taken for on the way."""
    shaping_end: float = 0.0
    max_gradient: float = 0.5
    """Norm that a gradient is cut down to."""


@dataclass(frozen=True)
class Clone:
    """How a run may begin: imitating an agent's play."""

    agent: str | None = None
    """Whom to imitate, as `agents.make` knows it; none: self-play from the first."""
    steps: int = 3_000_000
    """Seat-steps of it, before self-play goes on with what was learned."""


@dataclass(frozen=True)
class League:
    """Who else sits at the tables, beside the policy."""

    share: float = 0.0
    """The share of tables where one of `agents` plays."""
    agents: tuple[str, ...] = ()
    """Agents, as `agents.make` knows them."""
    past: float = 0.0
    """The share of tables where a past policy of the run plays."""
    every: int = 25
    """Updates from one past policy that is kept to the next."""
    keep: int = 20
    """Past policies to draw from: the newest so many."""
    partners: float = 0.25
    """Of all these tables, the share where the other has one seat, not the whole other team."""


@dataclass(frozen=True)
class Budget:
    """When a run ends: at whichever comes first. One of the first two is needed."""

    total_steps: int | None = 30_000_000
    """Seat-steps: actions of any seat, forced ones included."""
    max_minutes: float | None = None
    """Time spent training; a run that this ends does not repeat exactly."""
    patience: int | None = None
    """Measurements in a row without a new best, after which a run ends as well."""


BEST_BEFORE = "best"
"""Among a report's opponents: the best policy of the run's earlier measurements."""


@dataclass(frozen=True)
class Report:
    """What is measured and saved on the way; none of it changes what is learned."""

    opponents: tuple[str, ...] = ("greedy",)
    """What the learning curve is measured against, as `agents.make` knows it; best: the best policy
    of the run so far."""
    pairs: int = 1000
    """Pairs of validation deals in each measurement; 0 measures nothing."""
    every_minutes: float = 1.0
    """Time between measurements."""
    save_minutes: float = 5.0
    """Time between checkpoints; the end of the run, and Ctrl-C, save as well."""


@dataclass(frozen=True)
class Config:
    """A training run."""

    game: str = "single_sar"
    """One of the six games."""
    rules: Rules = field(default_factory=Rules)
    """House rules, on top of the game's own."""
    seed: int = 0
    """All chance in the run comes from this number."""
    run: str | None = None
    """The folder to make for the run; by default a numbered one under runs/."""
    threads: int = 0
    """Threads to learn with; 0: one for each core, up to four."""
    network: Network = field(default_factory=Network)
    ppo: Ppo = field(default_factory=Ppo)
    clone: Clone = field(default_factory=Clone)
    league: League = field(default_factory=League)
    budget: Budget = field(default_factory=Budget)
    report: Report = field(default_factory=Report)

    def __post_init__(self) -> None:
        Encoding(self.fields, self.network.suits)
        if self.budget.total_steps is None and self.budget.max_minutes is None:
            raise ValueError("a run needs an end: budget.total_steps or budget.max_minutes")
        _check_ranges(self)
        for hidden in (self.network.hidden, self.network.critic_hidden):
            if self.network.shape == "residual" and len(set(hidden)) > 1:
                raise ValueError(f"residual layers must be of one size, not {hidden}")
        if self.ppo.cards_weight and not self.network.hidden:
            raise ValueError("ppo.cards_weight takes a policy with a hidden layer to guess from")
        if self.league.share + self.league.past > 1:
            raise ValueError("league.share and league.past are shares of the tables: at most 1")
        if self.league.share and not self.league.agents:
            raise ValueError("league.share is for league.agents: name one or more")
        if self.report.pairs and not set(self.report.opponents) - {BEST_BEFORE}:
            raise ValueError("report.opponents must name an agent besides the run's own best")

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields of the dense view that the networks read."""
        return self.network.fields or fields_for(self.rules)


# What numbers have to be: the least allowed, and whether it is itself too little.
_LEAST: dict[str, tuple[float, bool]] = {
    "seed": (0, False),
    "threads": (0, False),
    "network.hidden": (0, True),
    "network.critic_hidden": (0, True),
    "ppo.deals": (0, True),
    "ppo.epochs": (0, True),
    "ppo.minibatch": (0, True),
    "ppo.learning_rate_start": (0, True),
    "ppo.learning_rate_end": (0, False),
    "ppo.entropy_start": (0, False),
    "ppo.entropy_end": (0, False),
    "ppo.clip": (0, True),
    "ppo.trace": (0, False),
    "ppo.critic_weight": (0, False),
    "ppo.cards_weight": (0, False),
    "ppo.max_gradient": (0, True),
    "clone.steps": (0, True),
    "league.share": (0, False),
    "league.past": (0, False),
    "league.every": (0, True),
    "league.keep": (0, True),
    "league.partners": (0, False),
    "budget.total_steps": (0, True),
    "budget.max_minutes": (0, True),
    "budget.patience": (0, True),
    "report.pairs": (0, False),
    "report.every_minutes": (0, False),
    "report.save_minutes": (0, False),
}


def _check_ranges(config: Config) -> None:
    for path, (least, excluded) in _LEAST.items():
        value: Any = config
        for part in path.split("."):
            value = getattr(value, part)
        values = value if isinstance(value, tuple) else () if value is None else (value,)
        for number in values:
            if number < least or (excluded and number == least):
                bound = "more than" if excluded else "at least"
                raise ValueError(f"{path} must be {bound} {least:g}, not {number}")
    if config.ppo.trace > 1:
        raise ValueError(f"ppo.trace must be at most 1, not {config.ppo.trace}")


def load(path: Path | str | None = None, overrides: Mapping[str, Any] | None = None) -> Config:
    """The configuration of a YAML file (or the defaults), with some values changed.

    overrides: by dotted name, {"ppo.epochs": 1}. ValueError, in one line, for an unknown key, a
    value of the wrong kind or a file that cannot be read.
    """
    data = {} if path is None else read_yaml(path)
    for dotted, value in (overrides or {}).items():
        *parents, last = dotted.split(".")
        at = data
        for parent in parents:
            at = at.setdefault(parent, {})
        at[last] = value
    return from_dict(data)


def read_yaml(path: Path | str) -> dict[str, Any]:
    """A YAML file's keys and values; ValueError for a file that is missing or holds no such."""
    try:
        data = yaml.safe_load(Path(path).read_text("utf-8"))
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {error.strerror}") from None
    except yaml.YAMLError as error:
        raise ValueError(f"{path} is no YAML: {' '.join(str(error).split())}") from None
    if data is not None and not isinstance(data, dict):
        raise ValueError(f"{path} must hold keys and values, not {type(data).__name__}")
    return data or {}


def from_dict(data: Mapping[str, Any]) -> Config:
    """The configuration of plain values, as `to_dict` and YAML files hold them."""
    data = dict(data)
    game = data.get("game", Config.game)
    if game not in VARIANTS:
        raise ValueError(f"no game is called {game!r}{nearest(game, VARIANTS)}")
    data["rules"] = variant(game, **mapping(data.get("rules") or {}, "rules"))
    return fill(Config, data, "")


def to_dict(config: Config) -> dict[str, Any]:
    """Plain values that `from_dict` turns back; of the rules, just what the game does not set."""
    data = dataclasses.asdict(config)
    preset = dataclasses.asdict(variant(config.game))
    data["rules"] = {key: value for key, value in data["rules"].items() if value != preset[key]}
    return plain(data)


_FREE_TO_CHANGE = ("budget", "report", "threads")


def refuse_changes(before: Config, after: Config) -> None:
    """ValueError when a run, gone on with, is told to be another in more than is free to change."""
    for option in dataclasses.fields(Config):
        old, new = getattr(before, option.name), getattr(after, option.name)
        if old != new and option.name not in _FREE_TO_CHANGE:
            raise ValueError(
                f"a resumed run keeps its configuration: {option.name} cannot be changed"
            )
