"""`rung arena`: agents measured against one another on duplicate deals, from the command line."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import tyro
from rich.console import Console

import agents
import rungenv
from rungenv import Rules
from rungenv.rules import Goal
from train import arena, deals
from train.files import refuse_unwritable, write_json
from train.options import parse, rules_from

ALL = "all"
"""Instead of a game: each of the six."""


@dataclass(frozen=True)
class Versus:
    """Measure an agent against others: every deal is played twice, with the teams exchanged.

    An agent is a name, with options if it has any (search:worlds=64), a .safetensors file, or the
    folder of a training run. `rung games` lists the names.
    """

    game: Annotated[tyro.conf.Positional[str], tyro.conf.arg(metavar="GAME")]
    """One of the six games, or "all"."""
    agent: Annotated[tyro.conf.Positional[str], tyro.conf.arg(metavar="AGENT")]
    """The agent to measure."""
    against: Annotated[tyro.conf.Positional[tuple[str, ...]], tyro.conf.arg(metavar="AGAINST")]
    """One or more agents to measure it against."""
    pairs: int = 10_000
    """Deals, each of them played twice."""
    deals: Literal["validation", "test", "training"] = "validation"
    """Which deals: choose between agents on "validation", report from "test"."""
    seed: int = 0
    """The number of the set of deals; 0 is the one that all published figures are from."""
    rules: tuple[str, ...] = ()
    """Options of the game, as no_late_pickup=true new_cards=1."""
    json: Path | None = None
    """A file to write the scores to, all their figures included."""


def games_of(versus: Versus) -> list[Rules]:
    """The rules to play by: of one game, or of all six."""
    names = rungenv.VARIANTS if versus.game == ALL else (versus.game,)
    return [rules_from(name, versus.rules) for name in names]


def main(args: Sequence[str]) -> int:
    """Measure and print; the exit code is 0."""
    versus = parse(Versus, args, "rung arena")
    if not versus.against:
        raise ValueError("name at least two agents: rung arena GAME AGENT AGAINST")
    games = games_of(versus)
    agent, *others = [agents.make(text) for text in (versus.agent, *versus.against)]
    seed = deals.seed(versus.deals, versus.seed)
    if versus.json is not None:
        refuse_unwritable(versus.json)
    console = Console()
    scores = []
    with console.status("dealing") as status:
        for rules in games:
            for other in others:
                status.update(f"{arena.game_name(rules)}: {agent.name} against {other.name}")
                scores.append(arena.duel(rules, agent, other, versus.pairs, seed=seed))
    for goal in Goal:
        of_goal = [score for score in scores if score.rules.goal == goal]
        if of_goal:
            console.print(arena.table(of_goal))
    speed = sum(score.decisions for score in scores) / sum(score.seconds for score in scores)
    console.print(f"{versus.deals} deals, set {versus.seed}; {speed:,.0f} decisions/s")
    if versus.json is not None:
        write_json(versus.json, [score.as_dict() for score in scores])
    return 0
