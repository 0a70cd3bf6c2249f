"""`rung games`: the six games, what can be changed in them, and who can play them."""

import ast
import dataclasses
import inspect
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

from rich import box
from rich.console import Console
from rich.table import Table

import agents
import rungenv
from agents import registry, zoo
from rungenv import Rules
from train.options import parse

AXES = ("trump", "shown", "collects", "goal")


@dataclass(frozen=True)
class Games:
    """List the six games, the options of the rules, and the agents."""


def main(args: Sequence[str]) -> int:
    """Print the lists; the exit code is 0."""
    parse(Games, args, "rung games")
    console = Console()
    for table in (games_table(), options_table(), agents_table()):
        console.print(table)
    return 0


def games_table() -> Table:
    """The six games as points on the axes."""
    table = _table("game", *AXES, "match to")
    for name in rungenv.VARIANTS:
        rules = rungenv.variant(name)
        axes = {axis: str(getattr(rules, axis)) for axis in AXES}
        if rules.trump != "hidden":
            axes["shown"] = "-"
        table.add_row(name, *axes.values(), f"{rules.points_target} points")
    return table


def options_table() -> Table:
    """Every option of `Rules`: its values, its default, what it means."""
    table = _table("option", "default", "meaning")
    meanings = field_meanings(Rules)
    for field in dataclasses.fields(Rules):
        default = getattr(rungenv.variant("single_sar"), field.name)
        meaning = meanings.get(field.name, "")
        if isinstance(default, StrEnum):
            meaning += f" ({', '.join(type(default))})" if meaning else ", ".join(type(default))
        table.add_row(field.name, str(default), meaning)
    return table


def agents_table() -> Table:
    """The registered agents with their options, and what else an agent can be."""
    table = _table("agent", "options", "what it does")
    for name in agents.names():
        options = registry.options(name)
        texts = [
            key if default is inspect.Parameter.empty else f"{key}={default}"
            for key, default in options.items()
        ]
        table.add_row(name, ", ".join(texts), registry.purpose(name))
    words = f"A trained agent that comes along: {', '.join(zoo.names())}."
    table.add_row("zoo/NAME", "temperature=0.0", words)
    table.add_row("FILE.safetensors", "temperature=0.0", "A trained agent; also a run's folder.")
    table.add_row("FILE.py:CLASS", "its own", "A class of yours with a method act(view, rng).")
    limits = ", ".join(f"{key}={value}" for key, value in registry.options("process:true").items())
    words = "A program in any language; see agents/PROTOCOL.md. Options: process:OPTIONS:COMMAND."
    table.add_row("process:COMMAND", limits, words)
    words = "Two of these as partners: pair:expert+zoo/single_sar."
    table.add_row("pair:A+B", "theirs", words)
    return table


def field_meanings(kind: type) -> dict[str, str]:
    """What a dataclass says below each of its fields, read from its source."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(kind)))
    (definition,) = tree.body
    assert isinstance(definition, ast.ClassDef)
    return {
        field.target.id: " ".join(str(text.value.value).split())
        for field, text in pairwise(definition.body)
        if isinstance(field, ast.AnnAssign)
        and isinstance(field.target, ast.Name)
        and isinstance(text, ast.Expr)
        and isinstance(text.value, ast.Constant)
    }


def _table(*headers: str) -> Table:
    table = Table(*headers, box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    table.columns[0].no_wrap = True
    return table
