"""`python -m train.fit_expert`: finds the weights of the expert's judgements by self-play.

Of each situation it takes positions from rounds that a player plays against itself, tries several
actions in each, has the round played to its end by that player (`what_if.py`), and fits the weights
to what was paid (`choice_fit.py`). The weights on file were found by

    python -m train.fit_expert all --afresh

A second turn, from there and with the expert itself as the player, takes `--player expert`.
"""

import dataclasses
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import numpy as np
import tyro
from rich.console import Console

import agents
import rungenv
from agents import Agent
from agents.expert.agent import said
from agents.expert.situations import SITUATIONS, judgements
from agents.expert.weights import FILE, Weights, every_game, game_of
from rungenv import Rules
from rungenv.rules import Goal, Trump
from train import deals
from train.choice_fit import Tried, climb, gain, regress
from train.files import refuse_unwritable, write_json
from train.options import parse
from train.what_if import Choices, choices

ALL = "all"
"""Instead of a game: each combination of the axes, the six games among them."""

TABLES = 16384
"""Rounds that are played side by side."""

CALLS = ("call", "partner_call", "change_trump")
RARE = ("third", "last_partner", "cut", "ask", "lead_owner", "lead_drawn")
"""Situations of which a larger share is looked at, as at those of a void."""


@dataclass(frozen=True)
class FitExpert:
    """Fit the weights of the expert's judgements by self-play, and write them to a file."""

    game: Annotated[tyro.conf.Positional[str], tyro.conf.arg(metavar="GAME")]
    """One of the six games, or "all": these and all other combinations of the axes."""
    player: str = "greedy"
    """The agent whose self-play shows what an action is worth."""
    rounds: int = TABLES
    """Rounds to play."""
    share: float = 0.2
    """The share of decisions to look at; more of calls and rare situations."""
    afresh: bool = False
    """Begin with weights of nothing instead of those on file."""
    ridge: float = 30.0
    """How firmly they are held to: as if so many actions had spoken for each."""
    seed: int = 1
    """Of the training deals, and of all that is left to chance."""
    file: Path = FILE
    """Where the weights are, and go; those of other games stay as they are."""


def main(args: Sequence[str]) -> int:
    """Fit and write; the exit code is 0."""
    options = parse(FitExpert, args, "python -m train.fit_expert")
    games = every_game() if options.game == ALL else [rungenv.variant(options.game)]
    player = agents.make(options.player)
    refuse_unwritable(options.file)
    console = Console(width=100)
    for rules in games:
        on_file = json.loads(options.file.read_text()) if options.file.exists() else {}
        held = {} if options.afresh else on_file.get(game_of(rules), {})
        seen = gather(rules, player, options.rounds, options.share, options.seed)
        found = fit(rules, seen, held, options.ridge, console)
        on_file = json.loads(options.file.read_text()) if options.file.exists() else {}
        write_json(options.file, dict(sorted((on_file | {game_of(rules): found}).items())))
    return 0


def gather(
    rules: Rules, player: Agent, rounds: int, share: float, seed: int
) -> dict[str, list[Choices]]:
    """Choices by situation, from that many rounds; those on a change of trump from as many more."""
    seen: dict[str, list[Choices]] = {}
    shares = {name: shared(name, share) for name in SITUATIONS}
    rng = np.random.default_rng(seed)
    for ruled, looks in _passes(rules, shares):
        for first in range(0, rounds, TABLES):
            tables = range(first, min(first + TABLES, rounds))
            deal_seed = deals.seed("training", seed)
            for name, found in choices(ruled, player, deal_seed, tables, looks, rng):
                seen.setdefault(name, []).append(found)
    return seen


def shared(name: str, share: float) -> float:
    """The share of a situation's decisions that is looked at."""
    if name in CALLS:
        return min(1.0, 4 * share)
    return min(1.0, 3 * share) if name in RARE or name.startswith("void") else share


def _passes(rules: Rules, shares: dict[str, float]) -> Iterator[tuple[Rules, dict[str, float]]]:
    yield rules, shares
    if rules.trump != Trump.CUT and rules.goal == Goal.SEVEN_TRICKS and not rules.change_trump:
        only = dict.fromkeys(shares, 0.0) | {"change_trump": shares["change_trump"]}
        yield dataclasses.replace(rules, change_trump=True), only


def fit(
    rules: Rules, seen: dict[str, list[Choices]], held: Weights, ridge: float, console: Console
) -> Weights:
    """The weights of a game, in thousandths of a point. held: those to begin with."""
    weights: Weights = {}
    for name in SITUATIONS:
        if name not in seen:
            continue
        names = [judge.__name__ for judge in judgements(rules, name)]
        prior = np.array([held.get(name, {}).get(judge, 0) for judge in names]) / 1000
        tried = joined([(features(rules, name, found), found) for found in seen[name]])
        worth = climb(regress(tried, prior, ridge), tried)
        console.print(
            f"{game_of(rules)} {name}: {len(tried.start):,} positions, "
            f"{gain(worth, tried):+.3f} points a decision"
        )
        weights[name] = dict(zip(names, (round(1000 * part) for part in worth), strict=True))
    return weights


def features(rules: Rules, name: str, found: Choices) -> np.ndarray:
    """Which judgements name which of the actions tried: (m, k) float32, 0 or 1."""
    answers = said(found.view, judgements(rules, name))
    named = answers[:, found.row] >> found.action.astype(np.uint64) & np.uint64(1)
    return np.ascontiguousarray(named.T, np.float32)


def joined(parts: Sequence[tuple[np.ndarray, Choices]]) -> Tried:
    """Features and choices of one situation, found at different times, as one."""
    size = np.concatenate([np.bincount(found.row) for _, found in parts])
    payoff = np.concatenate([found.payoff for _, found in parts])
    start = np.cumsum(size) - size
    return Tried(np.concatenate([part for part, _ in parts]), payoff.astype(np.float32), start)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
