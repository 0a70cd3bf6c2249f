"""`rung bench`: speeds measured on this machine, beside what the project promises."""

import dataclasses
import os
import platform
import statistics
import tempfile
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from rich import box
from rich.console import Console
from rich.table import Table

import rungenv
from train import vector_bench, workloads
from train.files import refuse_unwritable, write_json
from train.options import parse
from train.workloads import Workload, dense_view, prepare_tables

SIZES = (4096, 16384, 65536)
"""Numbers of tables among which the cost of a table should not change."""


@dataclass(frozen=True)
class Figure:
    """What was measured, and what it should be: at least `target`, or at most if `is_cost`."""

    name: str
    value: float
    unit: str
    target: float | None = None
    is_cost: bool = False

    @property
    def is_met(self) -> bool:
        """Whether the figure is as good as its target, which it is without one."""
        if self.target is None:
            return True
        return self.value <= self.target if self.is_cost else self.value >= self.target


def measure(workload: Workload, repeats: int, seconds: float) -> Figure:
    """The median rate of some timings, each of whole pieces and at least so many seconds long."""
    piece = workload.prepare()
    piece()
    rates = []
    for _ in range(repeats):
        done, started = 0, time.perf_counter()
        while done == 0 or time.perf_counter() - started < seconds:
            done += piece()
        rates.append(done / (time.perf_counter() - started))
    return Figure(workload.name, statistics.median(rates), workload.unit, workload.target)


def table_bytes() -> Figure:
    """Memory of a table's state, its history aside."""
    tables = rungenv.deal(rungenv.variant("single_sar"), 1024, seed=1)
    used = sum(block.nbytes for block in tables.blocks) + tables.deal.nbytes
    return Figure("state of a table", used / 1024, "bytes", 512, is_cost=True)


def table_costs(repeats: int, seconds: float) -> list[Figure]:
    """Time for an action at one table of many, and how much it grows with their number."""
    costs = []
    for n in SIZES:
        workload = Workload("", partial(prepare_tables, "single_sar", n=n))
        costs.append(1e9 / measure(workload, repeats, seconds).value)
    named = [
        Figure(f"action at one of {n:,} tables", cost, "ns", is_cost=True)
        for n, cost in zip(SIZES, costs, strict=True)
    ]
    growth = Figure("its growth over these", max(costs) / costs[0], "times", 1.25, is_cost=True)
    return [*named, growth]


def vector_costs(repeats: int) -> list[Figure]:
    """How near the vector environment comes to the kernel, and what takes its time."""
    game = "single_sar"
    env = workloads.prepare_many(game)
    share = vector_bench.share_of_allowed(
        env, prepare_tables(game), prepare_tables(game, dense_view), 4 * repeats
    )
    name = "vector env, of what the kernel allows"
    figures = [Figure(name, 100 * share, "%", 50)]
    for part, taken in vector_bench.shares(env).items():
        figures.append(Figure(f"vector env, time for {part}", 100 * taken, "%"))
    return figures


def training_speed(steps: int, changes: Mapping[str, Any] | None = None) -> Figure:
    """Self-play training of a 256 x 256 network with all cores, playing and learning.

    changes: to the configuration of the training, by dotted name.
    """
    from train import config
    from train.loop import train

    settings = config.load(
        None, {"budget.total_steps": steps, "report.pairs": 0, **(changes or {})}
    )
    with tempfile.TemporaryDirectory() as folder:
        state = train(settings, Path(folder, "run"), Console(quiet=True))
    name = f"training: single_sar, {os.cpu_count()} cores"
    return Figure(name, state.steps / state.seconds, "actions/s", 3e4)


def training_costs(deals: int = 1024, minibatches: int = 10) -> list[Figure]:
    """Where the time of a training goes, and what its learning takes in bfloat16 instead."""
    from train import config, training_bench

    named = {
        precision: training_bench.costs(
            config.load(None, {"precision": precision}), deals, minibatches
        )
        for precision in ("float32", "bfloat16")
    }
    parts = [
        Figure(f"training, time for {name}", cost, "µs a step", is_cost=True)
        for name, cost in named["float32"].items()
    ]
    exact, rounded = (
        sum(cost for name, cost in costs.items() if name.startswith("learning"))
        for costs in named.values()
    )
    name = "training, learning in bfloat16 against float32"
    return [*parts, Figure(name, rounded / exact, "times", is_cost=True)]


# The command


@dataclass(frozen=True)
class Bench:
    """Measure speeds on this machine: each is the median of some timings."""

    only: str = ""
    """Measure just what has this in its name, as "kernel" or "single_sar"."""
    repeats: int = 5
    """Timings of each."""
    seconds: float = 0.3
    """How long a timing is, at least."""
    training_steps: int = 400_000
    """Length of the training that is measured."""
    json: Path | None = None
    """A file to write the figures to."""


def figures(bench: Bench) -> Iterable[Figure]:
    """Measure one thing after another."""
    for workload in workloads.all_of_them():
        if bench.only in workload.name:
            yield measure(workload, bench.repeats, bench.seconds)
    if bench.only in "state of a table":
        yield table_bytes()
    if bench.only in "action at one of many tables":
        yield from table_costs(bench.repeats, bench.seconds)
    if bench.only in "vector env, of what the kernel allows":
        yield from vector_costs(bench.repeats)
    if bench.only in "training: single_sar":
        yield training_speed(bench.training_steps)
    if bench.only in "training, time for its parts":
        yield from training_costs()


def table(measured: Iterable[Figure]) -> Table:
    """Figures for people, with their targets beside them."""
    shown = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    shown.add_column("what", no_wrap=True)
    for header in ("measured", "target"):
        shown.add_column(header, justify="right", no_wrap=True)
    shown.add_column("", no_wrap=True)
    for figure in measured:
        bound = "≤" if figure.is_cost else "≥"
        target = "" if figure.target is None else f"{bound} {_number(figure.target)}"
        value = f"{_number(figure.value)} {figure.unit}"
        shown.add_row(figure.name, value, target, "" if figure.is_met else "missed")
    return shown


def _number(value: float) -> str:
    """Three digits, or as many as it takes, and k or M.

    >>> _number(1.04), _number(269), _number(12_345), _number(4_000_000)
    ('1.04', '269', '12.3 k', '4 M')
    """
    for size, letter in ((1e6, " M"), (1e3, " k")):
        if value >= size:
            return f"{value / size:.3g}{letter}"
    return f"{value:.3g}"


def main(args: Sequence[str]) -> int:
    """Measure and print; the exit code is 0 even if a target is missed."""
    bench = parse(Bench, args, "rung bench")
    if bench.json is not None:
        refuse_unwritable(bench.json)
    console = Console()
    measured = []
    for figure in figures(bench):
        measured.append(figure)
        if console.is_terminal:  # a spinner would be a thread, and take time
            console.print(f"{figure.name}: {_number(figure.value)} {figure.unit}", style="dim")
    if not measured:
        raise ValueError(f"nothing that is measured has {bench.only!r} in its name")
    console.print(table(measured))
    if bench.json is not None:
        write_json(bench.json, report(measured))
    return 0


def report(measured: Iterable[Figure]) -> dict[str, Any]:
    """Figures as plain values, with the machine and the versions that they are from."""
    return {
        "machine": f"{platform.machine()}, {os.cpu_count()} cores, {platform.system()}",
        "python": platform.python_version(),
        "numpy": np.__version__,
        "figures": [dataclasses.asdict(figure) for figure in measured],
    }
