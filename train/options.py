"""Command lines, read by tyro from dataclasses; whatever is wrong with one is a ValueError."""

import contextlib
import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import tyro

import rungenv
from agents import process
from agents.files import WEIGHTS
from agents.options import plain_value
from rungenv import Rules
from rungenv.rules import changed_from_each, in_short, nearest_game
from train.option_errors import in_one_line

Options = TypeVar("Options")


def parse(kind: type[Options], args: Sequence[str], prog: str, **settings: Any) -> Options:
    """A dataclass filled from a command line; --help prints its docstrings and exits.

    settings: further arguments of `tyro.cli`. ValueError, in one line with the nearest options,
    for a command line that does not fit.
    """
    errors = io.StringIO()
    try:
        with contextlib.redirect_stderr(errors):
            return tyro.cli(kind, args=list(args), prog=prog, **settings)
    except SystemExit as stopped:
        if not stopped.code:
            raise
        raise ValueError(in_one_line(errors.getvalue(), prog)) from None


def rules_from(game: str, options: Sequence[str]) -> Rules:
    """The rules of a game with options as on a command line: "no_late_pickup=true".

    >>> rules_from("double_sar", ["no_late_pickup=true", "new_cards=1"]).new_cards
    (1, 1, 1, 1)
    """
    return rungenv.variant(game, **dict(pairs_of(options)))


def pairs_of(options: Sequence[str]) -> list[tuple[str, Any]]:
    """The names and values of options of the rules, as they are on a command line.

    ValueError for what is not written option=value.
    """
    given = []
    for option in options:
        name, equals, value = option.partition("=")
        if not (name and equals and value):
            raise ValueError(f"rules are written option=value, not {option!r}")
        given.append((name, plain_value(value)))
    return given


def game_name(rules: Rules) -> str:
    """Rules in short: the nearest of the six games, and the options that differ from it.

    >>> game_name(rungenv.variant("double_sar", no_late_pickup=True))
    'double_sar no_late_pickup=True'
    """
    return in_short(rules)


def on_a_command_line(games: Sequence[Rules]) -> tuple[str, list[str]]:
    """What stands for the first of some games, or all six, on a command line, and its house rules.

    >>> on_a_command_line([rungenv.variant("double_sar", no_late_pickup=True, new_cards=1)])
    ('double_sar', ['--rules', 'no_late_pickup=True', 'new_cards=(1,1,1,1)'])
    >>> on_a_command_line([rungenv.variant(name) for name in rungenv.VARIANTS])
    ('all', [])
    """
    name, options = nearest_game(games[0])
    if len(games) == len(rungenv.VARIANTS):
        name, options = "all", {}
        for game, rules in zip(rungenv.VARIANTS, games, strict=True):
            options |= changed_from_each(rules)[game]
    return name, house_rules_told(options)


def house_rules_told(options: Mapping[str, Any]) -> list[str]:
    """House rules as the words of a command line that gives them; no words for none.

    >>> house_rules_told({"new_cards": (1, 0, 0, 1), "passing": True})
    ['--rules', 'new_cards=(1,0,0,1)', 'passing=True']
    """
    told = [f"{option}={value}".replace(" ", "") for option, value in options.items()]
    return ["--rules", *told] if told else []


def short_names(names: Sequence[str], most: int) -> list[str]:
    """Agents' names for where there is room for so many letters: of long paths the last part.

    Of a program's name only its command is left. They stay whole where two different ones would
    come to the same.

    >>> short_names(["my_zoo/mine.safetensors", "greedy", "bots/my_bot.py:MyBot"], 14)
    ['mine', 'greedy', 'my_bot.py:MyBot']
    >>> short_names(["process:seconds=10,megabytes=2048:node bots/my_bot.mjs", "expert"], 14)
    ['node my_bot.mjs', 'expert']
    >>> short_names(["runs/single_sar", "my_runs/single_sar"], 14)
    ['runs/single_sar', 'my_runs/single_sar']
    """
    short = [_last_part(name) if len(name) > most else name for name in names]
    return short if len(set(short)) == len(set(names)) else list(names)


def _last_part(name: str) -> str:
    program = process.split(name)
    if program is not None:
        return " ".join(Path(word).name for word in program[0].split())
    path, colon, options = name.partition(":")
    if "/" not in path:
        return name
    return Path(path).name.removesuffix(WEIGHTS) + colon + options
