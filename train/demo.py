"""`rung demo`: the main job from end to end, in minutes. Train an agent, then measure it.

Torch takes long to load, so it is left until the command line has been found sound.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

import agents
from train import arena, config, deals, options
from train.config import Config
from train.files import write_json
from train.start import new_folder

OPPONENTS = ("random", "greedy")


@dataclass(frozen=True)
class Demo:
    """Train an agent at single sar by self-play, then measure it on deals that it never saw."""

    minutes: float = 4.0
    """Time to train."""
    seed: int = 0
    """All chance in the training comes from this number."""
    pairs: int = 10_000
    """Test deals against each opponent, every one played twice with the teams exchanged."""


def settings_of(demo: Demo) -> Config:
    """The training run of the demo."""
    return config.load(
        None,
        {
            "game": "single_sar",
            "seed": demo.seed,
            "budget.total_steps": None,
            "budget.max_minutes": demo.minutes,
            "report.every_minutes": demo.minutes / 12,
            "report.pairs": 500,
        },
    )


def run(demo: Demo, folder: Path, console: Console) -> list[arena.Score]:
    """Train in a new folder, measure, and leave results.json there; an empty list after Ctrl-C."""
    from train.loop import is_over, train

    started = time.monotonic()
    settings = settings_of(demo)
    console.print(f"training at {settings.game} for {demo.minutes:g} minutes, in {folder}")
    state = train(settings, folder, console)
    if not is_over(settings, state):
        return []
    agent = agents.make(str(folder))
    console.print(f"measuring on {demo.pairs:,} pairs of test deals against each opponent")
    scores = [
        arena.duel(settings.rules, agent, agents.make(name), demo.pairs, seed=deals.seed("test"))
        for name in OPPONENTS
    ]
    results = {
        "game": settings.game,
        "seed": demo.seed,
        "steps": state.steps,
        "training_seconds": round(state.seconds, 1),
        "steps_per_second": round(state.steps / state.seconds),
        "total_seconds": round(time.monotonic() - started, 1),
        "scores": [score.as_dict() for score in scores],
        "curve": state.curve,
    }
    write_json(folder / "results.json", results)
    return scores


def main(args: Sequence[str]) -> int:
    """`rung demo`: the exit code is 0, or 130 after Ctrl-C."""
    demo = options.parse(Demo, args, "rung demo")
    console = Console()
    folder = new_folder("demo")
    scores = run(demo, folder, console)
    if not scores:
        console.print(f"stopped and saved; go on with: rung train --resume {folder}")
        return 130
    from train.progress import CURVE

    console.print(arena.table(scores))
    for what, name in (
        ("agent", "best.safetensors"),
        ("learning curve", CURVE),
        ("results", "results.json"),
        ("TensorBoard", "tensorboard"),
    ):
        console.print(f"{what:>15}  {folder / name}")
    return 0
