"""`rung export`: a run's agent as a file of weights alone, with its model card."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import tyro
from rich.console import Console

from agents.files import WEIGHTS
from train.arena.results import read_results
from train.files import refuse_unwritable, write_atomically, write_json
from train.marks import read_marks
from train.options import parse


@dataclass(frozen=True)
class Export:
    """Write a run's best agent as OUT.safetensors, its model card as OUT.json and OUT.md, and its
    learning curve, if there is one, as OUT.png.

    First measure it on test deals, and keep the results for the card:
    python -m train.marks double_sar runs/double_sar --out runs/marks/double_sar
    """

    run: Annotated[tyro.conf.Positional[Path], tyro.conf.arg(metavar="RUN")]
    """The folder of a training run."""
    out: Annotated[tyro.conf.Positional[Path], tyro.conf.arg(metavar="OUT")]
    """Where to, without an ending; .safetensors is left off."""
    results: tuple[Path, ...] = ()
    """Results of `rung arena` in which the run's folder was an agent."""
    marks: tuple[Path, ...] = ()
    """Files that `python -m train.marks` and `python -m train.best_response` wrote."""
    note: tuple[str, ...] = ()
    """What is known of its weaknesses, for the card."""
    name: str | None = None
    """What its card calls the agent; by default OUT, by which `agents.make` finds it."""


def main(args: Sequence[str]) -> int:
    """`rung export`: the exit code is 0."""
    told = parse(Export, args, "rung export")
    from agents import network  # brings in torch, which is slow to load
    from train.card import card_of, page_of
    from train.checkpoint import read
    from train.progress import CURVE

    out = told.out.with_name(told.out.name.removesuffix(WEIGHTS))
    results = [results_of(path, str(told.run)) for path in told.results]
    marks = [read_marks(path) for path in told.marks]
    _, _, header = read(told.run)
    agent = network.load(told.run)
    policy = agent.network
    data = network.to_bytes(*network.pack(policy, agent.rules))
    parameters = sum(parameter.numel() for parameter in policy.parameters())
    name = told.name or out.as_posix()
    curve = told.run / CURVE
    card = card_of(name, header, len(data), parameters, results, marks, told.note, str(told.run))

    ends = (WEIGHTS, ".json", ".md", *([".png"] if curve.exists() else []))
    paths = [out.with_name(out.name + end) for end in ends]
    for path in paths:
        refuse_unwritable(path)
    write_atomically(paths[0], data)
    write_json(paths[1], card)
    picture = paths[3] if len(paths) > 3 else None
    write_atomically(paths[2], page_of(card, picture.name if picture else None).encode())
    if picture:
        write_atomically(picture, curve.read_bytes())
    Console().print(f"{name}: {', '.join(map(str, paths))}")
    return 0


def results_of(path: Path, run: str) -> dict[str, Any]:
    """A tournament's results; ValueError for a file that holds none, or none of this run."""
    found = read_results(path)
    if run not in found["agents"]:
        raise ValueError(f"{path} has no agent {run}; its agents: {', '.join(found['agents'])}")
    return found
