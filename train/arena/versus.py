"""`rung arena`: agents measured against one another on duplicate deals, from the command line."""

import os
from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import partial
from itertools import product
from pathlib import Path
from typing import Annotated, Literal

import tyro
from rich.console import Console

import agents
import rungenv
from agents.axes import refuse_other_game
from agents.base import Agent, SeesAllHands
from rungenv import Rules
from train.arena import plan, show
from train.arena.findings import GAMES, write_findings
from train.arena.plan import Settings
from train.arena.progress import Watch
from train.arena.tournament import Tournament, Way
from train.arena.workers import run_here, run_in_processes
from train.files import refuse_unwritable, write_json
from train.options import parse, rules_from

ALL = "all"
"""Instead of a game: each of the six."""


@dataclass(frozen=True)
class Versus:
    """Measure agents against one another: every deal is played twice, with the teams exchanged.

    Every two agents meet, all on the same deals. What is played is kept in a folder, and goes on
    after Ctrl-C with --resume FOLDER. An agent is one of these:

      greedy  search:worlds=64        a name, with options if it has any; `rung games` lists them
      runs/double_sar                 the folder of a training run, or a .safetensors file
      my_bot.py:MyBot:depth=3         a class of yours in a file
      "process:node my_bot.mjs"       a program of yours in any language (agents/PROTOCOL.md)
      process:seconds=2:./my_bot      the same, with limits
      pair:zoo/double_sar+greedy      two of these as partners

    For example:

      rung arena double_sar my_bot.py:MyBot expert greedy --pairs 2000
      rung arena all expert greedy --deals test --until 0.02
      rung arena --resume runs/ladder --add my_bot.py:MyBot
    """

    game: Annotated[tyro.conf.Positional[str], tyro.conf.arg(metavar="GAME")] = ""
    """One of the six games, or "all"."""
    agents: Annotated[
        tyro.conf.Positional[tuple[str, ...]], tyro.conf.arg(metavar="AGENT ...")
    ] = ()
    """Two agents or more."""
    pairs: int = 10_000
    """Deals for every two agents, each of them played twice."""
    slow_pairs: int | None = None
    """The same where one of the two is slow, as a search is; by default no fewer."""
    deals: Literal["validation", "test", "training"] = "validation"
    """Which deals: choose between agents on "validation", report from "test"."""
    seed: int = 0
    """The number of the set of deals; 0 is the one that all published figures are from."""
    rules: tuple[str, ...] = ()
    """Options of the game, as no_late_pickup=true new_cards=1."""
    match: bool = False
    """Play whole matches instead of single deals."""
    until: float | None = None
    """Play on until intervals are this wide to either side; --pairs is then a first stage, whose
    deviation alone decides how many more are played."""
    control: tuple[str, str] | None = None
    """Two quick agents whose games on the same deals, and on more, make the figures steadier."""
    luck: int = 0
    """Deal the cards after the call so often anew, and take their luck out of the figures: worth it
    where agents are slow and call differently; 16 is a good number."""
    clock: float | None = None
    """Seconds that an agent may take for a decision."""
    forfeit: bool = False
    """When an agent fails, or is out of time, go on: it loses that round (a call out of time
    counts as a pass, by R2). Without this the arena stops."""
    allow_cheats: bool = False
    """Admit agents that see all hands."""
    run: Path | None = None
    """The folder to keep it in; by default runs/arena, numbered."""
    resume: Path | None = None
    """Go on with the tournament of this folder."""
    add: tuple[str, ...] = ()
    """With --resume: agents that join, and meet all that are there. What is played stands."""
    processes: int = os.cpu_count() or 1
    """Processes to play in."""
    ray: str | None = None
    """Play on Ray instead (pip install rungenv[ray]): a cluster's address, or nothing for one on
    this machine."""
    json: Path | None = None
    """A file for a copy of the results, all their figures included."""
    report: bool = True
    """Write report.html, a page with everything, recorded games too, and cross_table.png."""


WHILE_GOING_ON = ("resume", "add", "processes", "ray", "json", "report", "allow_cheats")
"""Options that change nothing in what is played, and can be given with --resume."""


def games_of(versus: Versus) -> list[Rules]:
    """The rules to play by: of one game, or of all six."""
    names = rungenv.VARIANTS if versus.game == ALL else (versus.game,)
    return [rules_from(name, versus.rules) for name in names]


def main(args: Sequence[str]) -> int:
    """Measure and print; the exit code is 0."""
    versus = parse(Versus, _with_address(args), "rung arena")
    if versus.processes < 1:
        raise ValueError(f"processes must be 1 or more, not {versus.processes}")
    settings = _going_on(versus) if versus.resume is not None else _begun(versus)
    made = {name: agents.make(name) for name in settings.players}
    for agent, rules in product(made.values(), settings.games):
        refuse_other_game(agent, rules)
    cheats = [name for name in settings.agents if isinstance(made[name], SeesAllHands)]
    if cheats and not versus.allow_cheats:
        raise ValueError(
            f"{', '.join(cheats)} sees all hands, and is no fair measure of play; "
            "--allow-cheats admits it"
        )
    if versus.json is not None:
        refuse_unwritable(versus.json)
    folder = versus.resume or versus.run or _new_folder()
    if versus.resume is None:
        if (folder / plan.CONFIG).exists():
            raise ValueError(f"{folder} holds a tournament; go on with it by --resume {folder}")
        refuse_unwritable(folder / plan.CONFIG)
    if versus.resume is None or versus.add:
        plan.save(folder, settings)
    return _play(versus, Tournament(settings, folder), cheats, made)


def _play(versus: Versus, tournament: Tournament, cheats: list[str], made: dict[str, Agent]) -> int:
    console = Console()
    settings, folder = tournament.settings, tournament.folder
    try:
        with Watch(console, versus.processes) as watch:
            tournament.play(_way(versus, made), watch.tell)
    except KeyboardInterrupt:
        console.print(f"what is played is kept; go on with: rung arena --resume {folder}")
        raise
    results = write_findings(tournament, cheats)
    for table in show.tables(results):
        console.print(table, soft_wrap=isinstance(table, str), highlight=False)
    where = f"{settings.deals} deals, set {settings.set}; all figures: {folder / 'results.json'}"
    console.print(where, soft_wrap=True, highlight=False)
    if versus.report:
        from train.arena.report import (  # brings in matplotlib, which is slow to load
            REPORT,
            write_report,
        )

        write_report(folder)
        page = f"to look at, with games: {folder / REPORT}"
        console.print(page, soft_wrap=True, highlight=False)
    if results.games_recorded:
        games = f"to step through: rung replay {folder / GAMES}"
        console.print(games, soft_wrap=True, highlight=False)
    if versus.json is not None:
        write_json(versus.json, results.as_dict())
    return 0


def _way(versus: Versus, made: dict[str, Agent]) -> Way:
    if versus.ray is not None:
        from train.arena.on_ray import run_on_ray  # an optional extra

        return partial(run_on_ray, address=versus.ray)
    if versus.processes == 1:
        return partial(run_here, make=made.__getitem__)

    def side_by_side(pieces):
        few = len(pieces) < 2
        return (
            run_here(pieces, made.__getitem__)
            if few
            else run_in_processes(pieces, versus.processes)
        )

    return side_by_side


def _begun(versus: Versus) -> Settings:
    """The settings of a new tournament."""
    if versus.add:
        raise ValueError("--add is for a tournament that is there: --resume FOLDER --add AGENT")
    if not versus.game or len(versus.agents) < 2:
        raise ValueError("name a game and at least two agents: rung arena GAME AGENT AGENT ...")
    games = games_of(versus)
    names = dict.fromkeys((*versus.agents, *(versus.control or ())))
    return Settings(
        games=tuple(games),
        agents=versus.agents,
        blocks=plan.blocks_of(names),
        pairs=versus.pairs,
        slow_pairs=versus.slow_pairs,
        deals=versus.deals,
        set=versus.seed,
        episode="match" if versus.match else "round",
        until=versus.until,
        control=versus.control,
        luck=versus.luck,
        clock=versus.clock,
        forfeit=versus.forfeit,
        files=plan.digests_of(names),
    )


def _going_on(versus: Versus) -> Settings:
    """The settings of the tournament that a folder holds, with the agents that join it."""
    for field in fields(versus):
        if field.name not in WHILE_GOING_ON and getattr(versus, field.name) != field.default:
            raise ValueError(
                f"--resume takes what is played from its folder; leave out {field.name!r}"
            )
    assert versus.resume is not None
    settings = plan.load(versus.resume)
    settings.refuse_others()
    return settings.joined_by(versus.add)


def _new_folder() -> Path:
    from train.start import new_folder

    return new_folder("arena")


def _with_address(args: Sequence[str]) -> list[str]:
    """`--ray` without an address means a cluster on this machine."""
    given = list(args)
    for at, arg in enumerate(args):
        if arg == "--ray" and (at + 1 == len(args) or args[at + 1].startswith("--")):
            given[at] = "--ray=local"
    return given
