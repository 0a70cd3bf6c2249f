"""What a training run is told: frozen dataclasses, filled from a YAML file and the command line.

Each value comes from the last of these that names it: the defaults here, the YAML file, the
command line. A key that nothing here is called is an error that names the nearest. This module
does not import torch, so that `rung train --help` answers at once.
"""

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any, Literal

import yaml

from agents.encoding import Encoding
from rungenv.rules import Rules
from rungenv.state import history_length
from train.config_values import fill, mapping, plain
from train.ranges import check_ranges
from train.settings import (
    BEST_BEFORE,
    Budget,
    Clone,
    Device,
    Iteration,
    League,
    Network,
    Ppo,
    Precision,
    Report,
    fields_for,
)
from train.several import house_rules, rules_of_each


@dataclass(frozen=True)
class Config:
    """A training run."""

    game: str = "single_sar"
    """One of the six games; or several for one network, joined by +; or all of them: all."""
    shares: tuple[float, ...] = ()
    """Of several games: in proportion to what each is played; none: at as many tables each."""
    rules: Rules = field(default_factory=Rules)
    """House rules, on top of the game's own, or of each of several."""
    payoff: Literal["points", "match"] = "points"
    """What a round is played for: the points of the deal, or the chance to win the match. For that
    rounds begin at the scores of matches, and the networks read them."""
    seed: int = 0
    """All chance in the run comes from this number."""
    run: str | None = None
    """The folder to make for the run; by default a numbered one under runs/."""
    threads: int = 0
    """Threads to learn with; 0: one for each core, up to four."""
    device: Device = "cpu"
    """Where to learn: cpu, cuda (a GPU), or auto: a GPU if there is one."""
    precision: Precision = "float32"
    """Of the networks' multiplications; bfloat16 is quicker where the hardware has it."""
    network: Network = field(default_factory=Network)
    ppo: Ppo = field(default_factory=Ppo)
    clone: Clone = field(default_factory=Clone)
    league: League = field(default_factory=League)
    iteration: Iteration = field(default_factory=Iteration)
    budget: Budget = field(default_factory=Budget)
    report: Report = field(default_factory=Report)

    def __post_init__(self) -> None:
        if self.shares and len(self.shares) != len(self.games):
            raise ValueError(
                f"shares must be one for each of {len(self.games)} games, not {self.shares}"
            )
        Encoding(self.fields, self.network.suits)
        if self.budget.total_steps is None and self.budget.max_minutes is None:
            raise ValueError("a run needs an end: budget.total_steps or budget.max_minutes")
        check_ranges(self)
        for hidden in (self.network.hidden, self.network.critic_hidden):
            if self.network.shape == "residual" and len(set(hidden)) > 1:
                raise ValueError(f"residual layers must be of one size, not {hidden}")
        network = self.network
        if network.attention_width % network.attention_heads:
            raise ValueError(
                f"network.attention_width must be a multiple of network.attention_heads, "
                f"{network.attention_heads}, not {network.attention_width}"
            )
        if self.ppo.cards_weight and not self.network.hidden:
            raise ValueError("ppo.cards_weight takes a policy with a hidden layer to guess from")
        if self.league.share + self.league.past > 1:
            raise ValueError("league.share and league.past are shares of the tables: at most 1")
        if self.league.share and not self.league.agents:
            raise ValueError("league.share is for league.agents: name one or more")
        if self.report.pairs == 1:
            raise ValueError("report.pairs must be 0, or 2 and more: one pair has no interval")
        if self.budget.patience is not None and not self.report.pairs:
            raise ValueError("budget.patience waits for measurements: report.pairs must not be 0")
        if self.report.pairs and not set(self.report.opponents) - {BEST_BEFORE}:
            raise ValueError("report.opponents must name an agent besides the run's own best")

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields of the dense view that the networks read."""
        read = (fields_for(rules, self.payoff == "match") for rules in self.games)
        first = self.network.fields or chain.from_iterable(read)
        return tuple(dict.fromkeys([*first, *self.network.more_fields]))

    @property
    def games(self) -> tuple[Rules, ...]:
        """The rules of each game that is played, house rules among them."""
        return rules_of_each(self.game, self.rules)

    @property
    def attention(self) -> dict[str, int] | None:
        """What a policy's transformer is made by, if it has one: see `agents.policy`."""
        network = self.network
        if network.shape != "transformer":
            return None
        return {
            "actions": max(history_length(rules) for rules in self.games),
            "width": network.attention_width,
            "layers": network.attention_layers,
            "heads": network.attention_heads,
        }


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
            inner = mapping(at.get(parent) or {}, parent)
            at[parent] = inner
            at = inner
        at[last] = value
    try:
        return from_dict(data)
    except ValueError as error:
        if path is None:
            raise
        changed = ", ".join(f"{dotted}={value}" for dotted, value in (overrides or {}).items())
        raise ValueError(f"{path}{' with ' * bool(changed)}{changed}: {error}") from None


FILE = "config.yaml"
"""A run's configuration, in its folder."""

EXTENDS = "extends"
"""In a file: the name of another, beside it, that it takes all from but for what it says itself."""


def read_yaml(path: Path | str) -> dict[str, Any]:
    """A YAML file's keys and values, with those of the file that it extends, if it extends one.

    ValueError for a file that is missing, holds no keys and values, or extends itself.
    """
    data: dict[str, Any] = {}
    files = [Path(path)]
    while True:
        own = _read_alone(files[-1])
        above = own.pop(EXTENDS, None)
        data = merged(own, data)
        if above is None:
            return data
        if not isinstance(above, str):
            raise ValueError(f"{files[-1]}: {EXTENDS} must be the name of a file, not {above!r}")
        files.append(files[-1].parent / above)
        if files[-1].resolve() in [file.resolve() for file in files[:-1]]:
            raise ValueError(f"{path} extends itself, by way of {files[-2]}")


def merged(data: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """Nested keys and values, each from `over` if it is there and else from `data`.

    >>> merged({"ppo": {"epochs": 1, "deals": 2}}, {"ppo": {"deals": 3}, "seed": 4})
    {'ppo': {'epochs': 1, 'deals': 3}, 'seed': 4}
    """
    result = dict(data)
    for key, value in over.items():
        before = result.get(key)
        if isinstance(before, Mapping) and isinstance(value, Mapping):
            value = merged(before, value)
        result[key] = value
    return result


def _read_alone(path: Path) -> dict[str, Any]:
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
    data["rules"] = house_rules(game, **mapping(data.get("rules") or {}, "rules"))
    return fill(Config, data, "")


def to_dict(config: Config) -> dict[str, Any]:
    """Plain values that `from_dict` turns back; of the rules, just what the game does not set."""
    data = dataclasses.asdict(config)
    preset = dataclasses.asdict(house_rules(config.game))
    data["rules"] = {key: value for key, value in data["rules"].items() if value != preset[key]}
    return plain(data)


_FREE_TO_CHANGE = ("budget", "report", "threads", "device")


def refuse_changes(before: Config, after: Config) -> None:
    """ValueError when a run, gone on with, is told to be another in more than is free to change."""
    for option in dataclasses.fields(Config):
        old, new = getattr(before, option.name), getattr(after, option.name)
        if old != new and option.name not in _FREE_TO_CHANGE:
            raise ValueError(
                f"a resumed run keeps its configuration: {option.name} cannot be changed"
            )
