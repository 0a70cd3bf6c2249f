"""`python -m train.arena.search_strength`: an agent that searches grows stronger with more worlds.

Plays it with several numbers of worlds against another agent on duplicate deals, the same for each,
and draws the points per deal with their 95 % intervals. What is played is kept, a line of JSON for
each few pairs, so that a run may be stopped and gone on with by the same command.
"""

import io
import json
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
import tyro
from matplotlib.figure import Figure

import agents
import rungenv
from train import deals
from train.arena.duplicate import play
from train.arena.piece import Piece
from train.arena.student import interval
from train.files import read_lines, refuse_unwritable, write_atomically
from train.options import parse

ALL = "all"
PIECE = 50
"""Pairs that are played, and kept, at a time."""


@dataclass(frozen=True)
class Strength:
    """Measure an agent with several numbers of worlds against another agent."""

    game: Annotated[tyro.conf.Positional[str], tyro.conf.arg(metavar="GAME")] = ALL
    """One of the six games, or "all"."""
    agent: str = "search"
    """What to measure: a name, and options other than worlds if it has any."""
    against: str = "expert"
    """The agent to measure it against."""
    worlds: tuple[int, ...] = (4, 16, 64, 256)
    """How many worlds it draws for a decision: one after another."""
    pairs: int = 1000
    """Deals, each of them played twice."""
    deals: Literal["validation", "test"] = "test"
    """Which deals."""
    results: Path = Path("runs/search_strength.jsonl")
    """Where the pairs played are kept; those that are there already are not played again."""
    picture: Path | None = None
    """A file for the picture, .png or .svg."""


def main(args: Sequence[str]) -> int:
    """Play what is missing, and print and draw what there is; the exit code is 0."""
    options = parse(Strength, args, "python -m train.arena.search_strength")
    games = rungenv.VARIANTS if options.game == ALL else (options.game,)
    for path in filter(None, (options.results, options.picture)):
        refuse_unwritable(path)
    known = {identity(line) for line in read_lines(options.results)}
    for piece in pieces(options, games):
        if identity(piece) not in known:
            lines = [*read_lines(options.results), {**piece, **played(piece)}]
            text = "".join(json.dumps(line) + "\n" for line in lines)
            write_atomically(options.results, text.encode())
    shown = [
        line
        for line in read_lines(options.results)
        if line["game"] in games
        and (line["against"], line["deals"]) == (options.against, options.deals)
        and line["agent"] == with_worlds(options.agent, line["worlds"])
    ]
    print(table(shown))
    if options.picture is not None:
        draw(shown, options.picture)
    return 0


def pieces(options: Strength, games: Sequence[str]) -> Iterator[dict[str, Any]]:
    """What to play, so ordered that all games and numbers of worlds grow alike."""
    for start in range(0, options.pairs, PIECE):
        for worlds in options.worlds:
            for game in games:
                yield {
                    "game": game,
                    "agent": with_worlds(options.agent, worlds),
                    "worlds": worlds,
                    "against": options.against,
                    "deals": options.deals,
                    "start": start,
                    "stop": min(start + PIECE, options.pairs),
                }


def with_worlds(agent: str, worlds: int) -> str:
    """The name of an agent that draws so many worlds.

    >>> with_worlds("search:caution=1", 16), with_worlds("search", 16)
    ('search:caution=1,worlds=16', 'search:worlds=16')
    """
    return f"{agent}{',' if ':' in agent else ':'}worlds={worlds}"


def identity(line: dict[str, Any]) -> tuple[Any, ...]:
    """What tells a piece from others: all that says what is played in it."""
    keys = ("game", "agent", "worlds", "against", "deals", "start", "stop")
    return tuple(line[key] for key in keys)


def played(piece: dict[str, Any]) -> dict[str, Any]:
    """The payoff of each pair of a piece, and the seconds that it took."""
    agent, other = agents.make(piece["agent"]), agents.make(piece["against"])
    what = Piece(
        rungenv.variant(piece["game"]),
        agent.name,
        other.name,
        deals.seed(piece["deals"]),
        piece["start"],
        piece["stop"],
    )
    started = time.perf_counter()
    payoffs = play(what, agent, other).pairs.tolist()
    return {"payoffs": payoffs, "seconds": round(time.perf_counter() - started, 2)}


def payoffs(lines: Sequence[dict[str, Any]]) -> dict[tuple[str, int], np.ndarray]:
    """The pairs' payoffs by game and number of worlds, each pair once in whatever pieces it is."""
    found: dict[tuple[str, int], dict[int, float]] = {}
    for line in sorted(lines, key=lambda line: (line["game"], line["worlds"], line["start"])):
        pairs = found.setdefault((line["game"], line["worlds"]), {})
        pairs |= zip(range(line["start"], line["stop"]), line["payoffs"], strict=True)
    return {key: np.array([*pairs.values()]) for key, pairs in found.items() if len(pairs) > 1}


def table(lines: Sequence[dict[str, Any]]) -> str:
    """Points per deal with 95 % intervals, in Markdown: games in rows, worlds in columns."""
    found = payoffs(lines)
    columns = sorted({worlds for _, worlds in found})
    rows = ["| game | " + " | ".join(f"{worlds} worlds" for worlds in columns) + " | pairs |"]
    rows.append("|" + "---|" * (len(columns) + 2))
    for game in (game for game in rungenv.VARIANTS if any(key[0] == game for key in found)):
        cells = [found.get((game, worlds)) for worlds in columns]
        sizes = sorted({len(cell) for cell in cells if cell is not None})
        size = f"{sizes[0]:,}" if len(sizes) == 1 else f"{sizes[0]:,} to {sizes[-1]:,}"
        rows.append(f"| {game} | " + " | ".join(map(_cell, cells)) + f" | {size} |")
    return "\n".join(rows)


def _cell(values: np.ndarray | None) -> str:
    if values is None:
        return ""
    low, high = interval(values)
    return f"{values.mean():+.3f} ± {(high - low) / 2:.3f}"


def draw(lines: Sequence[dict[str, Any]], path: Path) -> None:
    """The picture: a panel for each game, points per deal over the number of worlds."""
    found = payoffs(lines)
    games = [game for game in rungenv.VARIANTS if any(key[0] == game for key in found)]
    figure = Figure(figsize=(9, 5.4), layout="constrained")
    panels = figure.subplots(2, 3, sharex=True, sharey=True, squeeze=False).ravel()
    ticks = sorted({n for _, n in found})
    for panel, game in zip(panels, games, strict=False):
        worlds = sorted(key[1] for key in found if key[0] == game)
        ends = np.array([interval(found[game, n]) for n in worlds])
        means = ends.mean(axis=1)
        panel.axhline(0, color="0.6", linewidth=0.8)
        panel.errorbar(worlds, means, ends[:, 1] - means, marker="o", capsize=3)
        panel.set_xscale("log", base=2)
        panel.set_xticks(ticks, [str(n) for n in ticks])
        panel.set_title(game, fontsize=10)
    for panel in panels[len(games) :]:
        panel.remove()
    against = ", ".join(sorted({line["against"] for line in lines}))
    figure.supxlabel("worlds for a decision")
    figure.supylabel(f"points per deal against {against}, 95 % interval")
    file = io.BytesIO()
    figure.savefig(file, format=path.suffix.removeprefix("."), dpi=120)
    write_atomically(path, file.getvalue())


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
