"""`python -m train.rules_study`: what each house rule changes in every game, as a table and a file.

The same agent plays the same deals with a rule and without. Notebook 05 draws what this wrote.
"""

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

import tyro
from rich import box
from rich.console import Console
from rich.table import Table

import agents
import rungenv
from train import deals
from train.files import refuse_unwritable, write_json
from train.options import parse
from train.studies.estimate import Estimate
from train.studies.rounds import FIGURES, Effects, figures, house_rule_effects, play

ALL = "all"


@dataclass(frozen=True)
class RulesStudy:
    """Measure what each house rule changes."""

    game: Annotated[tyro.conf.Positional[str], tyro.conf.arg(metavar="GAME")] = ALL
    """One of the six games, or "all"."""
    rounds: int = 10_000
    """Rounds under each set of rules, all on the same deals."""
    agent: str = "expert"
    """Who plays all seats, as `agents.make` knows it."""
    deals: Literal["validation", "test", "training"] = "test"
    """Which deals."""
    json: Path | None = None
    """A file for the figures."""


class Found(NamedTuple):
    """What was measured of a game: FIGURES as it is, and what each house rule changes in them."""

    before: dict[str, Estimate]
    effects: Effects


def main(args: Sequence[str]) -> int:
    """Measure, print and write; the exit code is 0."""
    options = parse(RulesStudy, args, "python -m train.rules_study")
    if options.rounds < 2:
        raise ValueError(f"an interval takes at least 2 rounds, not {options.rounds}")
    games = rungenv.VARIANTS if options.game == ALL else (options.game,)
    rules = [rungenv.variant(game) for game in games]
    agent = agents.make(options.agent)
    if options.json is not None:
        refuse_unwritable(options.json)
    seed = deals.seed(options.deals)
    console = Console()
    found: dict[str, Found] = {}
    for game, of_game in zip(games, rules, strict=True):
        with console.status(f"{game}: {options.agent} plays by one set of rules after another"):
            before = play(of_game, agent, options.rounds, seed)
            effects = house_rule_effects(before, game, agent, seed)
            found[game] = Found(figures(before), effects)
        console.print(table(game, found[game]))
    if options.json is not None:
        told = {"rounds": options.rounds, "agent": options.agent, "deals": options.deals}
        games_found = {game: of_game._asdict() for game, of_game in found.items()}
        write_json(options.json, {**told, "games": games_found})
    return 0


def read(path: Path) -> dict[str, Found]:
    """What a file of `--json` holds, by game."""
    return {
        game: Found(
            _estimates(held["before"]),
            {name: _estimates(effect) for name, effect in held["effects"].items()},
        )
        for game, held in json.loads(path.read_text("utf-8"))["games"].items()
    }


def table(game: str, found: Found) -> Table:
    """A game's figures, and how each rule changes them."""
    shown = Table("", *FIGURES, title=game, box=box.SIMPLE_HEAD)
    for name, row in {"as it is": found.before, **found.effects}.items():
        shown.add_row(name, *(text(figure, value) for figure, value in row.items()))
    return shown


def text(figure: str, value: Estimate) -> str:
    """One of FIGURES in words: shares as per cent, the others as they are."""
    return f"{value:+.1%}" if figure in ("callers win", "kots") else f"{value:+.3f}"


def _estimates(held: dict[str, list[float]]) -> dict[str, Estimate]:
    return {name: Estimate(*values) for name, values in held.items()}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
