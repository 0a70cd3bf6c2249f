"""The programme of experiments: what is asked, by which runs, and what has come of them so far."""

import dataclasses
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rungenv.rules import nearest
from train import config
from train.config import Config
from train.config_values import fill
from train.files import read_lines, write_atomically
from train.settings import Report

PLAN = "plan"
"""The one file of the folder that is no experiment."""

Results = Mapping[str, Mapping[str, Any]]
"""Lines of results, by experiment."""


@dataclass(frozen=True)
class Question:
    """What some experiments are to find out."""

    question: str
    experiments: tuple[str, ...]
    learned: str = ""
    """What they have shown, in words: the figures stand above them."""


@dataclass(frozen=True)
class Plan:
    """The programme, as plan.yaml has it."""

    seeds: tuple[str, ...]
    """Experiments that differ in their seed alone: how far these lie apart is noise."""
    questions: tuple[Question, ...]
    title: str = "Experiments"
    """The page's heading."""
    learned: str = ""
    """What all of it has shown, in words."""

    @property
    def names(self) -> tuple[str, ...]:
        """All experiments, in order, each once."""
        return tuple(dict.fromkeys(name for each in self.questions for name in each.experiments))


def read_plan(folder: Path) -> tuple[Plan, dict[str, Config]]:
    """The plan of a folder, and the configuration of each of its experiments, in order.

    ValueError, in one line, for a file that is wrong, and if plan and files do not fit together.
    """
    plan: Plan = fill(Plan, config.read_yaml(folder / f"{PLAN}.yaml"), "")
    for name in plan.seeds:
        known(plan, name)
    files = {path.stem for path in folder.glob("*.yaml")} - {PLAN}
    if strays := sorted(files - set(plan.names)):
        raise ValueError(f"{folder}: {PLAN}.yaml asks nothing of {', '.join(strays)}")
    return plan, {name: config.load(folder / f"{name}.yaml") for name in plan.names}


def known(plan: Plan, name: str) -> str:
    """The name, if the plan has an experiment of this name; else ValueError with the nearest."""
    if name not in plan.names:
        raise ValueError(f"no experiment is called {name!r}{nearest(name, plan.names)}")
    return name


def differences(settings: Config, base: Config) -> dict[str, Any]:
    """The options in which a configuration differs from another, by dotted name.

    Of the fields that networks read, those that the one has and the other has not.

    >>> from train.config import load
    >>> differences(load(None, {"seed": 1, "ppo.trace": 1.0}), load())
    {'seed': 1, 'ppo.trace': 1.0}
    >>> reads_hand, reads_led = (load(None, {"network.fields": [name]}) for name in ("hand", "led"))
    >>> differences(reads_hand, reads_led)
    {'with': ['hand'], 'without': ['led']}
    """
    own, theirs = (_flat(config.to_dict(comparable(each)), "") for each in (settings, base))
    found = {name: value for name, value in own.items() if value != theirs.get(name)}
    fields = [found.pop(f"network.{key}", None) for key in ("fields", "more_fields")]
    if any(each is not None for each in fields):
        pairs = {"with": (settings, base), "without": (base, settings)}
        for name, (one, other) in pairs.items():
            if fields := [field for field in one.fields if field not in other.fields]:
                found[name] = fields
    return found


def _flat(values: Mapping[str, Any], where: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in values.items():
        inner = isinstance(value, Mapping)
        found |= _flat(value, f"{where}{key}.") if inner else {f"{where}{key}": value}
    return found


def comparable(settings: Config) -> Config:
    """The configuration without what changes nothing in what is learned."""
    return dataclasses.replace(settings, run=None, report=Report())


def keep(path: Path, line: dict[str, Any]) -> None:
    """Put a line into the file of results, in place of an older one of the same experiment."""
    lines = [old for old in read_lines(path) if old["experiment"] != line["experiment"]]
    text = "".join(json.dumps(each) + "\n" for each in [*lines, line])
    write_atomically(path, text.encode())


def results_of(experiments: Mapping[str, Config], path: Path) -> dict[str, dict[str, Any]]:
    """The results of experiments as they are configured now: those that are to be done are not in
    it.
    """
    return {
        name: line
        for line in read_lines(path)
        if (name := line["experiment"]) in experiments
        and comparable(config.from_dict(line["config"])) == comparable(experiments[name])
    }
