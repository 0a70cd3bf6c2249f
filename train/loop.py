"""Training: one straight loop of playing and learning.

All four seats play by the same network, so the opponents are always as good as the policy is, but
for the company that a run may have (`league.py`). Each update plays fresh rounds, learns from the
policy's free decisions in them, and forgets them. A run may begin by imitating (`imitation.py`),
and learn from a search by its own policy (`iteration.py`).
"""

import math
import signal
import time
from collections.abc import Sequence
from pathlib import Path
from types import FrameType
from typing import Any, Self

import numpy as np
import torch
import yaml
from rich.console import Console

from agents.files import CHECKPOINT
from rungenv.chance import sealed_generator
from rungenv.tables import Tables
from train import checkpoint, config, deals, iteration
from train.checkpoint import State
from train.config import Config
from train.files import write_atomically
from train.imitation import imitate, teacher_of
from train.league import League
from train.learner import Learner, make_learner
from train.mixture import Portion, own_tables, play, portions_of, standings_of
from train.ppo import update
from train.progress import CURVE, Monitor, draw_curve
from train.ranks import ALONE, Ranks
from train.validation import has_stalled, measure, opponents_of
from train.warm_start import begin_as

PLAY, SHUFFLE, STANDINGS = 0, 1, 3
"""What an update draws random numbers for; each has a generator of its own."""


def train(
    settings: Config, folder: Path, console: Console | None = None, ranks: Ranks = ALONE
) -> State:
    """Train until the budget is spent or Ctrl-C comes; either way the run is saved in its folder.

    A run that the folder holds already is gone on with. Its weights are then, bit for bit, those
    of an unbroken run, on the same machine with as many threads, unless its budget is in minutes
    or was changed. Of several ranks each plays its share of the deals; the first measures, tells
    and saves, and all return the same state. ValueError for a folder that holds another run, or a
    run that went wrong.
    """
    torch.set_num_threads(1)  # the learner has threads of its own
    console = console or Console(quiet=not ranks.is_first)
    ppo, report = settings.ppo, settings.report

    # Whatever is wrong with the settings is found before anything is written.
    opponents = opponents_of(settings)
    training_deals = deals.seed("training", settings.seed)
    portions = portions_of(settings, ranks)
    league = League(settings, folder, ranks)
    example = teacher_of(settings)
    learner, state = begin_or_go_on(settings, folder, console, ranks)

    started = time.monotonic() - state.seconds
    saved = state.seconds
    with (
        Interrupt(is_patient=ranks.size > 1) as interrupt,
        Monitor(settings, folder if ranks.is_first else None, state, console) as monitor,
    ):

        def chance(purpose: int) -> np.random.Generator:
            return sealed_generator(settings.seed, state.updates, purpose, ranks.number)

        def standings(tables: Sequence[Portion]) -> list[Tables] | None:
            if settings.payoff == "points":
                return None
            rng = sealed_generator(settings.seed, state.updates, STANDINGS)
            return standings_of(tables, rng)

        def measured() -> None:
            monitor.measuring()
            points = []
            if ranks.is_first:
                points = measure(settings, learner, state, opponents, folder)
            points = ranks.told_by_first(points)
            state.curve += points
            monitor.measured(points)

        if report.pairs and not state.curve:
            measured()

        while not is_over(settings, state) and not ranks.highest(interrupt.asked):
            done = state.share_of(settings.budget)
            is_cloning = example is not None and state.steps < settings.clone.steps
            is_searching = not is_cloning and iteration.is_due(settings.iteration, state.updates)
            teacher, tables, company = None, portions, None
            if is_cloning:
                teacher = example
            elif is_searching:
                teacher = iteration.searcher(learner, settings)
                tables = iteration.some_of(portions, settings.iteration.share)
            else:
                company = league.company(learner, state, own_tables(portions))
            rate = blend(ppo.learning_rate_start, ppo.learning_rate_end, done)
            rollout = play(
                learner.policy,
                tables,
                seed=training_deals,
                first_table=state.updates * ppo.deals,
                rng=chance(PLAY),
                company=company,
                teacher=teacher,
                standings=standings(tables),
                precision=settings.precision,
            )
            entropy = blend(ppo.entropy_start, ppo.entropy_end, done)
            shaping = blend(ppo.shaping_start, ppo.shaping_end, done)
            if teacher is not None:
                losses = imitate(learner, rollout, ppo, rate, chance(SHUFFLE))
            else:
                losses = update(learner, rollout, ppo, rate, entropy, shaping, chance(SHUFFLE))
            if not math.isfinite(losses.policy + losses.critic):
                raise ValueError(
                    f"update {state.updates}: the loss is no longer a number "
                    f"(policy {losses.policy}, critic {losses.critic}, learning rate {rate:g}); "
                    f"{folder} keeps the last checkpoint, if there was one: a lower "
                    f"ppo.learning_rate_start, or ppo.max_gradient, may help"
                )
            if company is not None:
                league.note(state, company, rollout)
            state.updates += 1
            state.steps += int(ranks.sums(np.array([rollout.steps]))[0])
            spent = ranks.highest(time.monotonic() - started) - state.seconds
            state.seconds += spent
            monitor.updated(losses, spent)

            is_last = state.share_of(settings.budget) == 1
            since_measured = state.seconds - state.curve[-1]["seconds"] if state.curve else 0.0
            if report.pairs and (is_last or since_measured >= 60 * report.every_minutes):
                measured()
                state.seconds = ranks.highest(time.monotonic() - started)
            if state.seconds - saved >= 60 * report.save_minutes:
                if ranks.is_first:
                    save(settings, learner, state, folder, console)
                saved = state.seconds

        if ranks.is_first:
            checkpoint.save(folder, settings, learner, state)
    if state.curve and ranks.is_first:
        title = ", ".join(dict.fromkeys([settings.game, folder.name]))
        draw_curve(state.curve, title, folder / CURVE)
    return state


def begin_or_go_on(
    settings: Config, folder: Path, console: Console, ranks: Ranks
) -> tuple[Learner, State]:
    """The run that a folder holds, or a new one for a folder that holds none."""
    newest = folder / CHECKPOINT
    if ranks.told_by_first(not checkpoint.has_one(folder)):
        learner = _new_learner(settings, ranks)  # an error comes before anything is written
        if ranks.is_first:
            folder.mkdir(parents=True, exist_ok=True)
            text = yaml.safe_dump(config.to_dict(settings), sort_keys=False)
            write_atomically(folder / config.FILE, text.encode())
        return learner, State()
    found, tensors, header = checkpoint.read(folder)
    before, learner, state = checkpoint.unpack(folder, tensors, header, ranks, settings)
    config.refuse_changes(before, settings)
    if found != newest and ranks.is_first:
        console.print(f"{newest} is missing or damaged: going on from {found.name}")
        write_atomically(newest, found.read_bytes())
    return learner, state


def _new_learner(settings: Config, ranks: Ranks) -> Learner:
    """Networks before their first update: as chance has them, or as an agent's are."""
    learner = make_learner(settings, ranks)
    if settings.clone.weights is not None:
        begin_as(learner, settings.clone.weights)
    return learner


def save(settings: Config, learner: Learner, state: State, folder: Path, console: Console) -> None:
    """Save the run on its way; where that fails, as on a full disk, say so and train on."""
    try:
        checkpoint.save(folder, settings, learner, state)
    except OSError as error:
        console.print(f"not saved, the checkpoint before stands: {error.strerror or error}")


def blend(start: float, end: float, done: float) -> float:
    """The value on the straight way from start to end, with a share of the run done."""
    return start + (end - start) * done


def is_over(settings: Config, state: State) -> bool:
    """Whether the run has come to its end, by its budget or its patience."""
    return state.share_of(settings.budget) == 1 or has_stalled(
        state.curve, settings.budget.patience
    )


class Interrupt:
    """Turns the first Ctrl-C (or a request to terminate) into a wish; the second is as always.

    A patient one lets any number pass: what starts ranks may tell them so more than once.
    """

    def __init__(self, is_patient: bool) -> None:
        self.asked = False
        self.is_patient = is_patient
        self._before: dict[int, Any] = {}

    def __enter__(self) -> Self:
        for number in (signal.SIGINT, signal.SIGTERM):
            self._before[number] = signal.signal(number, self._ask)
        return self

    def __exit__(self, *exception: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _ask(self, number: int, frame: FrameType | None) -> None:
        self.asked = True
        if not self.is_patient:
            signal.signal(number, self._before[number])
