"""A run in sight: on the terminal while it lasts, in TensorBoard, and as a picture."""

import time
from collections import deque
from pathlib import Path
from typing import Any, Self

from matplotlib.figure import Figure
from rich.console import Console, Group
from rich.live import Live
from rich.progress import BarColumn, Progress, TextColumn
from rich.table import Table
from torch.utils.tensorboard import SummaryWriter

from train.checkpoint import State
from train.config import Budget, Config
from train.ppo import Losses

RECENT = 8
"""Updates that the speed is averaged over."""


def share_done(budget: Budget, state: State) -> float:
    """How much of its budget a run has spent, from 0 to 1."""
    by_steps = state.steps / budget.total_steps if budget.total_steps else 0.0
    by_time = state.seconds / (60 * budget.max_minutes) if budget.max_minutes else 0.0
    return min(1.0, max(by_steps, by_time))


class Monitor:
    """Shows a run as it goes. Only the main process's terminal and the run folder see it."""

    def __init__(self, settings: Config, folder: Path, state: State, console: Console) -> None:
        self.settings = settings
        self.state = state
        self.console = console
        self.writer = SummaryWriter(str(folder / "tensorboard"), purge_step=state.steps)
        self.bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(None),
            TextColumn("{task.percentage:3.0f} %"),
            console=console,
        )
        self.task = self.bar.add_task(settings.game, total=1.0)
        self.live = Live(console=console, refresh_per_second=2)
        self.marks = deque([(time.perf_counter(), state.steps)], maxlen=RECENT + 1)
        self.losses: Losses | None = None

    def __enter__(self) -> Self:
        self.live.start()
        self._refresh()
        return self

    def __exit__(self, *exception: object) -> None:
        self.live.stop()
        self.writer.close()

    def updated(self, losses: Losses) -> None:
        """After an update."""
        self.losses = losses
        self.marks.append((time.perf_counter(), self.state.steps))
        scalars = {f"learning/{name}": value for name, value in vars(losses).items()}
        scalars["speed/steps_per_second"] = self.speed()
        for name, value in scalars.items():
            self.writer.add_scalar(name, value, self.state.steps)
        self._refresh()

    def measured(self) -> None:
        """After a measurement, the last of the state's curve."""
        point = self.state.curve[-1]
        for name in ("points", "low", "high"):
            self.writer.add_scalar(f"measured/{name}", point[name], self.state.steps)
        when = f"{_minutes(self.state.seconds)}  {_steps(self.state.steps)}"
        self.console.print(f"{when}  {_against(point)}")
        self.marks.clear()  # the time that measuring took is not training's
        self.marks.append((time.perf_counter(), self.state.steps))
        self._refresh()

    def speed(self) -> float:
        """Seat-steps a second, collected and learned, over the last updates."""
        (start, before), (end, now) = self.marks[0], self.marks[-1]
        return (now - before) / (end - start) if end > start else 0.0

    def _refresh(self) -> None:
        done = share_done(self.settings.budget, self.state)
        self.bar.update(self.task, completed=done)
        self.live.update(Group(self.bar, self._figures(done)))

    def _figures(self, done: float) -> Table:
        state, losses = self.state, self.losses
        left = state.seconds * (1 - done) / done if done > 0 else 0.0
        grid = Table.grid(padding=(0, 3))
        grid.add_row("steps", _steps(state.steps), "steps/s", f"{self.speed():,.0f}")
        grid.add_row("time", _minutes(state.seconds), "time left", f"about {_minutes(left)}")
        if losses is not None:
            explained = f"{losses.explained_variance:.2f}"
            moved = f"{losses.divergence:.4f}"
            grid.add_row("entropy", f"{losses.entropy:.3f}", "divergence", moved)
            grid.add_row("explained variance", explained, "clipped", f"{losses.clipped:.1%}")
        if state.curve:
            grid.add_row("measured", _against(state.curve[-1]))
        return grid


def _minutes(seconds: float) -> str:
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"


def _steps(steps: int) -> str:
    return f"{steps / 1e6:.2f} M steps"


def _against(point: dict[str, Any]) -> str:
    return (
        f"{point['points']:+.3f} points a deal against {point['opponent']} "
        f"({point['low']:+.3f} to {point['high']:+.3f})"
    )


def draw_curve(curve: list[dict[str, Any]], title: str, path: Path) -> None:
    """The learning curve as a picture: points a deal with their 95 % intervals, over the steps."""
    figure = Figure(figsize=(8, 4.5), dpi=150, layout="constrained")
    axes = figure.subplots()
    steps = [point["steps"] / 1e6 for point in curve]
    opponents = sorted({point["opponent"] for point in curve})
    axes.axhline(0, color="0.4", linewidth=0.8)
    axes.fill_between(
        steps,
        [point["low"] for point in curve],
        [point["high"] for point in curve],
        color="#2a6f97",
        alpha=0.2,
        linewidth=0,
        label="95 % interval",
    )
    points = [point["points"] for point in curve]
    axes.plot(steps, points, color="#2a6f97", marker="o", markersize=3)
    axes.set_xlabel("million seat-steps")
    axes.set_ylabel(f"points a deal against {', '.join(opponents)}")
    axes.set_title(title, loc="left")
    axes.grid(alpha=0.25)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False, loc="lower right")
    figure.savefig(path)
