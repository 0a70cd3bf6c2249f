"""`python -m train.experiments`: recipes of training compared, each trained and measured alike.

Each file of configs/experiments/ is a training run that says how it differs from a common base;
plan.yaml, beside them, has the questions that they answer. What a run came to is kept, a line of
JSON for each, and is not done again unless its configuration changes. After Ctrl-C the same command
goes on where it was. All is measured on validation deals: recipes are chosen by these figures.
"""

import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import tyro
from rich.console import Console

import agents
from agents import network
from agents.axes import game_of
from agents.files import BEST, CHECKPOINT
from rungenv import Rules
from train import arena, checkpoint, config, deals
from train.config import Config
from train.experiments_page import Places, draw, page
from train.experiments_plan import comparable, keep, known, read_plan, results_of
from train.files import refuse_unwritable, write_atomically
from train.loop import is_over, train
from train.mixture import play, portions_of, standings_of
from train.options import parse
from train.ppo import explained_variance
from train.returns import credit

OPPONENTS = ("greedy", "expert")
"""Whom the trained policies are measured against."""

CRITIC_DEALS = 2048
"""Validation deals that the critic's judgement is measured on."""


@dataclass(frozen=True)
class Experiments:
    """Train and measure recipes that are to be compared: those that are not done yet.

    For example:

      python -m train.experiments                       all of them, in the order of the plan
      python -m train.experiments base trace_100        these two
      python -m train.experiments --only-page --page train/EXPERIMENTS.md
    """

    names: Annotated[tyro.conf.Positional[tuple[str, ...]], tyro.conf.arg(metavar="NAME ...")] = ()
    """Experiments, by the names of their files; none: all."""
    configs: Path = Places.configs
    """The folder of their files, and of plan.yaml."""
    runs: Path = Path("runs/experiments")
    """Where each has its run folder."""
    results: Path = Places.results
    """Where the results are kept."""
    pairs: int = 10_000
    """Validation deals against each opponent, every one played twice with the teams exchanged."""
    page: Path | None = None
    """A file for the results, in Markdown; a picture of the same name, .png, goes beside it."""
    only_page: bool = False
    """Write the page from the results that there are, and train nothing."""


def main(args: Sequence[str]) -> int:
    """Do what is missing; the exit code is 0, or 130 after Ctrl-C."""
    options = parse(Experiments, args, "python -m train.experiments")
    if options.only_page and options.page is None:
        raise ValueError("--only-page needs --page: the file to write")
    plan, experiments = read_plan(options.configs)
    names = [known(plan, name) for name in options.names] or plan.names
    for path in filter(None, (options.results, options.page)):
        refuse_unwritable(path)
    console = Console()
    for name in () if options.only_page else names:
        if name in results_of(experiments, options.results):
            console.print(f"{name}: done already")
            continue
        line = experiment(name, experiments[name], options, console)
        if line is None:
            console.print("stopped and saved; the same command goes on")
            return 130
        keep(options.results, line)
    if options.page is not None:
        results = results_of(experiments, options.results)
        places = Places(options.configs, options.results)
        picture = options.page.with_suffix(".png")
        draw(plan, results, picture)
        text = page(plan, experiments, results, places, options.page)
        write_atomically(options.page, text.encode())
    return 0


def experiment(
    name: str, settings: Config, options: Experiments, console: Console
) -> dict[str, Any] | None:
    """Train and measure: the experiment's line of results, or None after Ctrl-C."""
    folder = run_folder(options.runs / name, settings)
    console.print(f"{name}: training in {folder}")
    before = checkpoint.load(folder)[2].steps if (folder / CHECKPOINT).exists() else 0
    started = time.process_time()
    state = train(settings, folder, console)
    if not is_over(settings, state):
        return None
    spent = time.process_time() - started
    policies = {"last": folder / CHECKPOINT}
    if network.read(folder / BEST)[1]["steps"] != str(state.steps):
        policies["best"] = folder / BEST
    scores = []
    for policy, path in policies.items():
        for rules, opponent in product(settings.games, OPPONENTS):
            scores.append({"policy": policy, **measured(rules, path, opponent, options.pairs)})
            points = scores[-1]["points"]
            console.print(f"{name}: {points:+.3f} points a deal against {opponent} ({policy})")
    return {
        "experiment": name,
        "steps": state.steps,
        "seconds": round(state.seconds, 1),
        "steps_per_second": round(state.steps / state.seconds),
        # The steadier of the two on a machine that has other work to do; of the last part of a run
        # that was stopped, and unknown if nothing was left of it to train.
        "steps_per_cpu_second": round((state.steps - before) / spent) or None,
        "explained_variance": round(explained(folder), 4),
        "scores": scores,
        "config": config.to_dict(settings),
    }


def run_folder(folder: Path, settings: Config) -> Path:
    """The folder that holds this very run already, or else one that holds none yet."""
    first, number = folder, 2
    while (folder / CHECKPOINT).exists():
        if comparable(checkpoint.load(folder)[0]) == comparable(settings):
            break
        folder = first.with_name(f"{first.name}-{number}")
        number += 1
    return folder


def explained(folder: Path) -> float:
    """The share of the variance of outcomes that a run's critic foresees, in rounds of its own
    policy on validation deals.
    """
    settings, learner, _ = checkpoint.load(folder)
    rng = np.random.default_rng(settings.seed)
    portions = portions_of(replace(settings, ppo=replace(settings.ppo, deals=CRITIC_DEALS)))
    standings = standings_of(portions, rng) if settings.payoff == "match" else None
    seed = deals.seed("validation")
    rollout = play(learner.policy, portions, seed=seed, first_table=0, rng=rng, standings=standings)
    found = credit(learner.judgements(rollout), rollout, settings.ppo.trace, shaping=0.0)
    return explained_variance(found.expected, rollout.outcome)


def measured(rules: Rules, path: Path, opponent: str, pairs: int) -> dict[str, Any]:
    """What a policy scores, playing its best: points per deal with their 95 % interval."""
    agent = network.load(path, name=path.stem)
    seed = deals.seed("validation")
    score = arena.duel(rules, agent, agents.make(opponent), pairs, seed=seed)
    figures = {key: round(getattr(score, key), 5) for key in ("points", "low", "high")}
    return {"game": game_of(rules), "opponent": opponent, **figures, "pairs": score.pairs}


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except ValueError as error:
        sys.exit(f"python -m train.experiments: {error}")
