"""The command line of `rung train`: a configuration, and the run to go on with, if any."""

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from pathlib import Path
from typing import Annotated

import tyro

from train import options
from train.config import FILE, Config, from_dict, load, refuse_changes

DESCRIPTION = """Train an agent by self-play.

What it learns is kept in a folder: Ctrl-C saves the run, and --resume goes on with it. Most runs
need no more than these:

  rung train --config configs/double_sar.yaml
  rung train --game be_ranga --budget.max-minutes 10 --run runs/mine
  rung train --game double_sar --rules no_late_pickup=true new_cards=1
  rung train --resume runs/mine --budget.max-minutes 20
"""


@dataclass(frozen=True)
class Command:
    """A command line of `rung train`: the configuration, and the run to go on with, if any."""

    config: Path | None = None
    """A YAML file with this run's values; configs/ has one for each game."""
    resume: Path | None = None
    """A run folder to go on with; then only budget, report, threads and device can be changed."""
    ranks: int = 1
    """Processes to train in, each with one thread and its share of every update."""
    settings: Annotated[Config, tyro.conf.arg(name="")] = field(default_factory=Config)


def parse(args: Sequence[str], prog: str = "rung train") -> Command:
    """The whole command line of `rung train`; --help prints all of it and exits.

    ValueError, in one line, for a command line or a file that does not fit.
    """
    first = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    first.add_argument("--config", type=Path)
    first.add_argument("--resume", type=Path)
    first.add_argument("--game")
    args = _with_four_counts(_with_rules_apart(args))
    named, _ = first.parse_known_args([arg for arg in args if arg not in ("-h", "--help")])
    if named.resume is not None:
        if named.config or named.game:
            raise ValueError("a resumed run has its configuration: leave out --config and --game")
        defaults = from_run(named.resume)
    else:
        defaults = load(named.config, {"game": named.game} if named.game else None)
    command = options.parse(
        Command,
        args,
        prog,
        description=DESCRIPTION,
        default=Command(named.config, named.resume, settings=defaults),
        config=(tyro.conf.EnumChoicesFromValues, tyro.conf.FlagConversionOff),
    )
    if command.ranks < 1:
        raise ValueError(f"ranks must be at least 1, not {command.ranks}")
    if named.resume is not None:
        refuse_changes(defaults, command.settings)
    return command


def from_run(folder: Path) -> Config:
    """The configuration that a run folder was trained by, or is to be: without a checkpoint yet."""
    from train.checkpoint import has_one, read  # brings in torch, which is slow to load

    if not has_one(folder) and (folder / FILE).exists():
        return load(folder / FILE)
    _, _, header = read(folder)
    if "config" not in header:
        raise ValueError(f"{folder} holds an agent, but no run to go on with")
    return from_dict(json.loads(header["config"]))


def _with_rules_apart(args: Sequence[str]) -> list[str]:
    """House rules as other commands take them, `--rules no_late_pickup=true`, each as an option.

    >>> _with_rules_apart(["--rules", "no_late_pickup=true", "new_cards=(1,0,0,1)", "--seed", "3"])
    ['--rules.no-late-pickup', 'True', '--rules.new-cards', '1', '0', '0', '1', '--seed', '3']
    >>> _with_rules_apart(["--rules", "new_cards=[1,0,0,1]"])
    ['--rules.new-cards', '1', '0', '0', '1']
    """
    given = list(args)
    while "--rules" in given:
        at = given.index("--rules")
        words = list(takewhile(lambda word: not word.startswith("-"), given[at + 1 :]))
        apart: list[str] = []
        for name, value in options.pairs_of(words):
            values = value if isinstance(value, tuple | list) else (value,)
            apart += [f"--rules.{name.replace('_', '-')}", *map(str, values)]
        given[at : at + 1 + len(words)] = apart
    return given


def _with_four_counts(args: Sequence[str]) -> list[str]:
    """One number for --rules.new-cards means the same for all four seats, as it does in `Rules`."""
    given: list[str] = []
    for arg in args:
        option, _, value = arg.partition("=")
        given += [option, value] if option in _COUNTS and value else [arg]
    for at in reversed(range(len(given))):
        numbers = list(takewhile(str.isdigit, given[at + 1 :]))
        if given[at] in _COUNTS and len(numbers) == 1:
            given[at + 1 : at + 2] = numbers * 4
    return given


_COUNTS = ("--rules.new-cards", "--rules.new_cards")
