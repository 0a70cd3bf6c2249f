"""`rung bench`: speeds measured on this machine, beside what the project promises.

A `Workload` is set up once and then done in pieces; the pieces are timed here, and by
pytest-benchmark in tests/bench. What is counted are actions of single seats: a card, a call.
"""

import dataclasses
import importlib
import json
import os
import platform
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from rich import box
from rich.console import Console
from rich.table import Table

import agents
import rungenv
from rungenv import Tables
from rungenv.bits import choose
from rungenv.registration import GAMES
from train.options import parse

N = 4096
"""Tables side by side."""

SIZES = (4096, 16384, 65536)
"""Numbers of tables among which the cost of a table should not change."""

PIECE = 20
"""Actions at each table, or rounds at a single one, that a piece consists of."""

Piece = Callable[[], int]
"""Does some work and returns how much."""


@dataclass(frozen=True)
class Workload:
    """Something to time: `prepare()` sets it up and returns the piece to repeat."""

    name: str
    prepare: Callable[[], Piece]
    unit: str = "actions/s"
    target: float | None = None


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


# Many tables at once


def advance(tables: Tables, rng: np.random.Generator) -> None:
    """Legal sets, flags, a uniformly random legal action at every table, and fresh deals."""
    actions = choose(tables.legal(), rng.random(len(tables)))
    tables.legal_mask()
    events = rungenv.step(tables, actions)
    if events.round_over.any():
        tables.next_round(events.round_over)


def tables_out_of_step(game: str, n: int, rng: np.random.Generator) -> Tables:
    """Tables that random play has brought to all places in their rounds."""
    tables = rungenv.deal(rungenv.variant(game), n, seed=1)
    for _ in range(60):
        advance(tables, rng)
    return tables


def prepare_tables(
    game: str, look: Callable[[Tables], Any] | None = None, n: int | None = None
) -> Piece:
    """All tables (by default N) go on, and before each action `look` at them."""
    n = n or N
    rng = np.random.default_rng(0)
    tables = tables_out_of_step(game, n, rng)

    def piece() -> int:
        for _ in range(PIECE):
            if look is not None:
                look(tables)
            advance(tables, rng)
        return PIECE * n

    return piece


def dense_view(tables: Tables) -> np.ndarray:
    """The acting seats' views as a matrix."""
    return rungenv.observe(tables).dense()


def prepare_agent(game: str, name: str) -> Piece:
    """Decisions of an agent alone; the views are there already."""
    rng = np.random.default_rng(0)
    tables = tables_out_of_step(game, N, rng)
    agent = agents.make(name)
    views = []
    for _ in range(PIECE):
        advance(tables, rng)
        views.append(rungenv.observe(tables))

    def piece() -> int:
        for view in views:
            agent.act(view, rng)
        return PIECE * N

    return piece


# One table in PettingZoo


def prepare_aec(game: str, wrapped: bool) -> Piece:
    """The usual loop: `last()`, a random action by the mask, `step()`; to the end of rounds."""
    module, options = GAMES[game]
    environment = importlib.import_module(f"rungenv.{module}")
    env = environment.env(**options) if wrapped else environment.raw_env(**options)
    chance = random.Random(0)
    env.reset(seed=1)

    def piece() -> int:
        actions = 0
        for _ in range(PIECE):
            env.reset()
            for _ in env.agent_iter():
                observation, _, terminated, truncated, _ = env.last()
                if terminated or truncated:
                    env.step(None)
                    continue
                env.step(chance.choice(observation["action_mask"].nonzero()[0]))
                actions += 1
        return actions

    return piece


def workloads() -> list[Workload]:
    """Everything that is timed in pieces, with the targets for one core."""
    found = []
    for game in rungenv.VARIANTS:
        target = 4e6 if game == "single_sar" else 2.5e6
        found.append(Workload(f"kernel: {game}", partial(prepare_tables, game), target=target))
    for what, look, target in (
        ("packed view", rungenv.observe, 2e6),
        ("dense view", dense_view, 1e6),
    ):
        for game in rungenv.VARIANTS:
            prepare = partial(prepare_tables, game, look=look)
            found.append(Workload(f"with {what}: {game}", prepare, target=target))
    for game in rungenv.VARIANTS:
        prepare = partial(prepare_agent, game, "greedy")
        found.append(Workload(f"greedy: {game}", prepare, "decisions/s", 6e5))
    for what, wrapped, target in (("AEC, wrapped", True, 12e3), ("AEC, raw", False, 20e3)):
        for game in rungenv.VARIANTS:
            prepare = partial(prepare_aec, game, wrapped)
            found.append(Workload(f"{what}: {game}", prepare, target=target))
    return found


# Measuring


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
    tables = rungenv.deal(rungenv.variant("single_sar"), N, seed=1)
    used = sum(block.nbytes for block in tables.blocks) + tables.deal.nbytes
    return Figure("state of a table", used / N, "bytes", 512, is_cost=True)


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
    for workload in workloads():
        if bench.only in workload.name:
            yield measure(workload, bench.repeats, bench.seconds)
    if bench.only in "state of a table":
        yield table_bytes()
    if bench.only in "action at one of many tables":
        yield from table_costs(bench.repeats, bench.seconds)
    if bench.only in "training: single_sar":
        yield training_speed(bench.training_steps)


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
    console = Console()
    measured = []
    with console.status("measuring") as status:
        for figure in figures(bench):
            measured.append(figure)
            status.update(f"measured {figure.name}")
    if not measured:
        raise ValueError(f"nothing that is measured has {bench.only!r} in its name")
    console.print(table(measured))
    if bench.json is not None:
        bench.json.parent.mkdir(parents=True, exist_ok=True)
        bench.json.write_text(json.dumps(report(measured), indent=2) + "\n", "utf-8")
    return 0


def report(measured: Iterable[Figure]) -> dict[str, Any]:
    """Figures as plain values, with the machine and the versions that they are from."""
    return {
        "machine": f"{platform.machine()}, {os.cpu_count()} cores, {platform.system()}",
        "python": platform.python_version(),
        "numpy": np.__version__,
        "figures": [dataclasses.asdict(figure) for figure in measured],
    }
