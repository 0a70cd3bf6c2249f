"""`rung ladder`: the ladders of tournaments as a page of Markdown, with their commands."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import tyro
from rich.console import Console

from train.arena import plan
from train.arena.results import read_results
from train.arena.show import CHEATS
from train.files import refuse_unwritable, write_atomically
from train.options import parse


@dataclass(frozen=True)
class Ladder:
    """Write the ladders of tournaments as a page of Markdown."""

    folders: Annotated[tyro.conf.Positional[tuple[Path, ...]], tyro.conf.arg(metavar="FOLDER ...")]
    """Folders of tournaments that are played to their end."""
    page: Path = Path("LADDER.md")
    """The file to write."""


def main(args: Sequence[str]) -> int:
    """Write the page; the exit code is 0."""
    ladder = parse(Ladder, args, "rung ladder")
    if not ladder.folders:
        raise ValueError("name the folder of a tournament: rung ladder FOLDER ...")
    refuse_unwritable(ladder.page)
    write_atomically(ladder.page, page(ladder.folders).encode())
    Console().print(f"the ladder is in {ladder.page}")
    return 0


def page(folders: Sequence[Path]) -> str:
    """The page of some tournaments."""
    parts = [_HEAD]
    for folder in folders:
        results = read_results(folder)
        allowed = " --allow-cheats" if results["cheats"] else ""
        parts.append(f"    {plan.load(folder).command()}{allowed}\n")
        if results["cheats"]:
            parts.append(f"{', '.join(results['cheats'])} {CHEATS}: a mark, and no player.\n")
        parts += ["\n".join(_game(game)) + "\n" for game in results["games"]]
    return "\n".join(parts)


_HEAD = """\
# The ladder

Agents measured against one another on duplicate deals. Every deal is played twice, with the teams
exchanged, and every two agents meet on the same deals. Intervals are of 95 %. A *rating* is in
Elo's points, by the rounds won (Bradley and Terry's model, intervals by bootstrap over deals; the
mean of the agents is 0); *points* are won less lost, a deal, the mean over all opponents; decisions
a second are of one process on the machine that played, which may have had other work to do.

This page was written by `rung ladder`, from what these commands left behind:
"""


def _game(game: Mapping[str, Any]) -> Iterator[str]:
    speeds = {speed["agent"]: speed["per_second"] for speed in game["speeds"]}
    yield f"## {game['game']}\n"
    yield "| agent | rating | points | rounds won | decisions/s |"
    yield "|---|---|---|---|---|"
    for row in game["ladder"]:
        name = f"{row['agent']} ({CHEATS})" if row["cheats"] else row["agent"]
        rating = f"{row['rating']:+.0f} ({row['low']:+.0f} to {row['high']:+.0f})"
        points = f"{row['points']:+.3f} ({row['points_low']:+.3f} to {row['points_high']:+.3f})"
        speed = f"{speeds[row['agent']]:,.0f}"
        yield f"| {name} | {rating} | {points} | {100 * row['win']:.1f} % | {speed} |"
    yield ""
    yield "| agent | against | points a deal | rounds won | pairs |"
    yield "|---|---|---|---|---|"
    for score in game["scores"]:
        points = f"{score['points']:+.3f} ± {(score['high'] - score['low']) / 2:.3f}"
        won = f"{100 * score['win']:.1f} %"
        yield f"| {score['a']} | {score['b']} | {points} | {won} | {score['pairs']:,} |"
    yield ""
    power = [f"{pairs:,} show {difference}" for difference, pairs in game["power"].items()]
    yield f"Pairs that show a difference in points a deal four times in five: {', '.join(power)}."
