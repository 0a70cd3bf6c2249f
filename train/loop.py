"""Training: one straight loop of playing and learning.

All four seats play by the same network, so the opponents are always as good as the policy is.
Each update plays fresh rounds, learns from the free decisions in them, and forgets them.
"""

import math
import signal
import time
from pathlib import Path
from types import FrameType
from typing import Any, Self

import numpy as np
import torch
import yaml
from rich.console import Console

import agents
from agents.base import Agent
from agents.network import CHECKPOINT, NetworkAgent
from train import arena, checkpoint, config, deals
from train.checkpoint import State
from train.config import Config
from train.files import write_atomically
from train.ppo import Learner, make_learner
from train.progress import Monitor, draw_curve
from train.rollout import play_rounds

PLAY, SHUFFLE = 0, 1
"""What an update draws random numbers for; each has a generator of its own."""


def train(settings: Config, folder: Path, console: Console | None = None) -> State:
    """Train until the budget is spent or Ctrl-C comes; either way the run is saved in its folder.

    A run that the folder holds already is gone on with. Its weights are then, bit for bit, those
    of an unbroken run, on the same machine with as many threads, unless its budget is in minutes
    or was changed. ValueError for a folder that holds another run, or a run that went wrong.
    """
    torch.set_num_threads(1)  # the learner has threads of its own
    learner, state = begin_or_go_on(settings, folder)
    opponent = agents.make(settings.report.opponent)
    training_deals = deals.seed("training", settings.seed)
    ppo, report = settings.ppo, settings.report

    started = time.monotonic() - state.seconds
    saved = state.seconds
    with (
        Interrupt() as interrupt,
        Monitor(settings, folder, state, console or Console()) as monitor,
    ):
        if report.pairs and not state.curve:
            state.curve.append(measure(settings, learner, state, opponent))
            monitor.measured()

        while (done := state.share_of(settings.budget)) < 1 and not interrupt.asked:
            rollout = play_rounds(
                learner.policy,
                settings.rules,
                ppo.deals,
                seed=training_deals,
                first_table=state.updates * ppo.deals,
                rng=np.random.default_rng((settings.seed, state.updates, PLAY)),
            )
            losses = learner.update(
                rollout,
                ppo,
                learning_rate=blend(ppo.learning_rate_start, ppo.learning_rate_end, done),
                entropy_weight=blend(ppo.entropy_start, ppo.entropy_end, done),
                rng=np.random.default_rng((settings.seed, state.updates, SHUFFLE)),
            )
            if not math.isfinite(losses.policy + losses.critic):
                raise ValueError(
                    f"update {state.updates}: the loss is no longer a number; "
                    f"{folder} keeps the checkpoint before it"
                )
            state.updates += 1
            state.steps += rollout.steps
            spent = time.monotonic() - started - state.seconds
            state.seconds += spent
            monitor.updated(losses, spent)

            is_last = state.share_of(settings.budget) == 1
            since_measured = state.seconds - state.curve[-1]["seconds"] if state.curve else 0.0
            if report.pairs and (is_last or since_measured >= 60 * report.every_minutes):
                state.curve.append(measure(settings, learner, state, opponent))
                state.seconds = time.monotonic() - started
                monitor.measured()
            if state.seconds - saved >= 60 * report.save_minutes:
                checkpoint.save(folder, settings, learner, state)
                saved = state.seconds

        checkpoint.save(folder, settings, learner, state)
    if state.curve:
        draw_curve(state.curve, f"{settings.game}, {folder.name}", folder / "curve.png")
    return state


def begin_or_go_on(settings: Config, folder: Path) -> tuple[Learner, State]:
    """The run that a folder holds, or a new one for a folder that holds none."""
    if not (folder / CHECKPOINT).exists():
        folder.mkdir(parents=True, exist_ok=True)
        text = yaml.safe_dump(config.to_dict(settings), sort_keys=False)
        write_atomically(folder / "config.yaml", text.encode())
        return make_learner(settings), State()
    before, learner, state = checkpoint.load(folder)
    config.refuse_changes(before, settings)
    return learner, state


def blend(start: float, end: float, done: float) -> float:
    """The value on the straight way from start to end, with a share of the run done."""
    return start + (end - start) * done


def measure(settings: Config, learner: Learner, state: State, opponent: Agent) -> dict[str, Any]:
    """A point of the learning curve: the policy at its best on the validation deals."""
    agent = NetworkAgent(learner.policy, settings.rules, "policy")
    score = arena.duel(
        settings.rules, agent, opponent, settings.report.pairs, seed=deals.seed("validation")
    )
    return {
        "steps": state.steps,
        "seconds": state.seconds,
        "opponent": opponent.name,
        "points": score.points,
        "low": score.low,
        "high": score.high,
        "pairs": score.pairs,
    }


class Interrupt:
    """Turns the first Ctrl-C (or a request to terminate) into a wish; the second is as always."""

    def __init__(self) -> None:
        self.asked = False
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
        signal.signal(number, self._before[number])
