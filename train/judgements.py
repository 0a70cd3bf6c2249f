"""`python -m train.judgements`: what each of the expert's judgements is worth, as a table.

For each judgement that is asked in a game, the points a deal that the expert loses by doing without
it, measured on duplicate deals (`worth.py`). With --doc the table is written as a page of the docs.
"""

import inspect
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import tyro
from rich import box
from rich.console import Console
from rich.table import Table

import rungenv
from agents.expert.agent import Expert, judgement_names
from train import deals
from train.files import refuse_unwritable, write_atomically
from train.options import parse
from train.worth import Worth, worths

ALL = "all"

SUBJECTS = {
    "lead": "Leading",
    "follow": "Following, ruffing, throwing away",
    "trump": "The trump: calling, laying, cutting, asking, showing",
    "pile": "The pile of double sar",
    "tens": "The tens of Mendikot",
}
"""The modules of judgements, and what they are about."""


@dataclass(frozen=True)
class Judgements:
    """Measure what each of the expert's judgements is worth."""

    game: Annotated[tyro.conf.Positional[str], tyro.conf.arg(metavar="GAME")] = ALL
    """One of the six games, or "all"."""
    pairs: int = 10_000
    """Deals, each of them played twice."""
    deals: Literal["validation", "test", "training"] = "validation"
    """Which deals."""
    doc: Path | None = None
    """A file for the table, in Markdown."""


def main(args: Sequence[str]) -> int:
    """Measure and print; the exit code is 0."""
    options = parse(Judgements, args, "python -m train.judgements")
    if options.pairs < 2:
        raise ValueError(f"an interval takes at least 2 pairs, not {options.pairs}")
    games = rungenv.VARIANTS if options.game == ALL else (options.game,)
    rules = [rungenv.variant(game) for game in games]
    if options.doc is not None:
        refuse_unwritable(options.doc)
    console = Console()
    found: dict[str, dict[str, Worth]] = {}
    for game, of_game in zip(games, rules, strict=True):
        with console.status(f"{game}: the expert plays itself"):
            seed = deals.seed(options.deals)
            measured = worths(of_game, Expert(), options.pairs, seed)
            found[game] = {worth.judgement: worth for worth in measured}
        console.print(table(game, found[game]))
    if options.doc is not None:
        write_atomically(options.doc, page(found, options).encode())
    return 0


def table(game: str, found: dict[str, Worth]) -> Table:
    """A game's judgements, the most valuable first."""
    shown = Table("judgement", "points", "deals turned", title=game, box=box.SIMPLE_HEAD)
    for worth in sorted(found.values(), key=lambda worth: -worth.points):
        shown.add_row(worth.judgement, figure(worth), f"{100 * worth.turned:.0f} %")
    return shown


def figure(worth: Worth) -> str:
    """The points with half the width of their interval."""
    return f"{worth.points:+.3f} ± {(worth.high - worth.low) / 2:.3f}"


_HEAD = """\
# The judgements of the expert

The agent `expert` is made of named judgements, functions in `agents/expert/`, each of which names
cards (or calls, or the asking for a face-down card) that there is something to be said for or
against. How much, depends on the game and the situation, and is in `agents/expert/weights.json`,
found by self-play (`train/fit_expert.py`).

What a judgement is worth: the points a deal by which the expert beats the same expert with that
judgement switched off, `expert:without=NAME`, with a 95 % interval, from {pairs:,} pairs of
{deals} deals. A dot: not asked in that game, or it turns no decision. Judgements overlap, so these
do not add up: where two say much the same, each can do without the other. The weights were fitted
with all of them, so a negative figure would be a judgement that harms.

This page is written by

    python -m train.judgements {game} --pairs {pairs} --deals {deals} --doc agents/EXPERT.md
"""


def page(found: dict[str, dict[str, Worth]], options: Judgements) -> str:
    """The whole of it in Markdown."""
    known = judgement_names()
    text = [_HEAD.format(pairs=options.pairs, deals=options.deals, game=options.game)]
    for module, subject in SUBJECTS.items():
        names = [name for name, judge in known.items() if judge.__module__.endswith("." + module)]
        text += [f"## {subject}", "", _row("judgement", *found), _row(*["---"] * (1 + len(found)))]
        for name in names:
            cells = [figure(of[name]) if name in of else "·" for of in found.values()]
            text.append(_row(f"`{name}`", *cells))
        text += ["", *(f"- `{name}`: {_reason(known[name])}" for name in names), ""]
    text += ["## Worth nothing that could be measured", ""]
    for game, of in found.items():
        idle = [f"`{name}`" for name, worth in of.items() if worth.low <= 0]
        text.append(f"- {game}: {', '.join(sorted(idle)) or 'none'}.")
    return "\n".join(text) + "\n"


def _reason(judge: object) -> str:
    return " ".join((inspect.getdoc(judge) or "").split())


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
