"""A run on disk: all that it takes to go on with it, in one file, written whole or not at all.

The file is a policy file (`agents/network.py`), so that any checkpoint is an agent, which also
holds the critic, Adam's averages, the configuration and how far the run has come. There is no
state of a random generator to keep: each update draws from generators that it makes from the
run's seed and its own number.
"""

import dataclasses
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch

from agents import network
from agents.files import CHECKPOINT
from train import config
from train.config import Config
from train.files import write_atomically
from train.learner import Learner, make_learner
from train.ranks import ALONE, Ranks
from train.settings import Budget

BEFORE = "checkpoint-before.safetensors"
"""The checkpoint before the last, should that one be damaged."""


@dataclass
class State:
    """How far a run has come."""

    updates: int = 0
    steps: int = 0
    """Seat-steps played, forced ones included."""
    seconds: float = 0.0
    """Time spent, measurements included."""
    curve: list[dict[str, Any]] = field(default_factory=list)
    """The measurements taken, in order: the points of the learning curve."""
    wins: dict[str, float] = field(default_factory=dict)
    """How often the policy has lately won at the tables of each of its company."""

    def share_of(self, budget: Budget) -> float:
        """How much of a budget the run has spent, from 0 to 1."""
        by_steps = self.steps / budget.total_steps if budget.total_steps else 0.0
        by_time = self.seconds / (60 * budget.max_minutes) if budget.max_minutes else 0.0
        return min(1.0, max(by_steps, by_time))


def save(folder: Path, settings: Config, learner: Learner, state: State) -> Path:
    """Write the run's checkpoint, and keep the last one as BEFORE; return its path."""
    tensors, header = network.pack(learner.policy, settings.games)
    tensors |= {f"critic.{name}": value for name, value in learner.critic.state_dict().items()}
    for name, parameter in learner.named_parameters():
        for average, value in learner.optimiser.state[parameter].items():
            tensors[f"adam.{name}.{average}"] = value
    header["config"] = json.dumps(config.to_dict(settings))
    header["state"] = json.dumps(dataclasses.asdict(state))
    path = folder / CHECKPOINT
    if path.exists():
        write_atomically(folder / BEFORE, path.read_bytes())
    write_atomically(path, network.to_bytes(tensors, header))
    return path


def has_one(folder: Path) -> bool:
    """Whether there is a checkpoint in a run's folder, sound or not."""
    return (folder / CHECKPOINT).exists() or (folder / BEFORE).exists()


def read(folder: Path) -> tuple[Path, dict[str, torch.Tensor], dict[str, str]]:
    """The run's newest sound checkpoint: its file, tensors and header.

    That is the last, or if it is damaged the one before it. ValueError, in one line, if neither is
    sound.
    """
    newest, before = folder / CHECKPOINT, folder / BEFORE
    try:
        return newest, *network.read(newest)
    except ValueError:
        if not before.exists():
            raise
        return before, *network.read(before)


def load(folder: Path, ranks: Ranks = ALONE) -> tuple[Config, Learner, State]:
    """A run as `save` left it, on the processor wherever it has learnt; ValueError, in one line,
    for a folder that holds none.
    """
    _, tensors, header = read(folder)
    return unpack(folder, tensors, header, ranks)


def unpack(
    folder: Path,
    tensors: dict[str, torch.Tensor],
    header: dict[str, str],
    ranks: Ranks,
    told: Config | None = None,
) -> tuple[Config, Learner, State]:
    """The run of a checkpoint that was read in this folder, on the threads and device that are told
    now; by default on the processor.
    """
    if "state" not in header:
        raise ValueError(f"{folder} holds an agent, but no run to go on with")
    settings = config.from_dict(json.loads(header["config"]))
    threads, device = (told.threads, told.device) if told else (settings.threads, "cpu")
    here = dataclasses.replace(settings, threads=threads, device=device)
    learner = make_learner(here, ranks)
    learner.policy.load_state_dict(_part(tensors, "policy."))
    learner.critic.load_state_dict(_part(tensors, "critic."))
    for name, parameter in learner.named_parameters():
        averages = _part(tensors, f"adam.{name}.")
        learner.optimiser.state[parameter] = {
            average: value.to(learner.device) for average, value in averages.items()
        }
    state = State(**json.loads(header["state"]))
    for point in state.curve:  # of runs from before there were runs of several games
        point.setdefault("game", settings.game)
    return settings, learner, state


def _part(tensors: dict[str, torch.Tensor], prefix: str) -> dict[str, torch.Tensor]:
    return {k.removeprefix(prefix): v for k, v in tensors.items() if k.startswith(prefix)}
