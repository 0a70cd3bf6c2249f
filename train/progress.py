"""A run in sight: on the terminal while it lasts, in TensorBoard, and as a picture."""

import io
import itertools
from collections import deque
from pathlib import Path
from typing import Any, Self

import numpy as np
from rich.console import Console, Group
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from torch.utils.tensorboard import SummaryWriter

from train.checkpoint import State
from train.config import Config
from train.files import write_atomically
from train.ppo import Losses

CURVE = "curve.png"
"""The learning curve's file in a run folder."""

COLOURS = ("#2a6f97", "#bc4b51", "#588157", "#8d6a9f", "#c58b2a", "#4a4e69")
"""Of the learning curves, one for each opponent; of several games, one for each."""
STYLES = ("-", "--", ":", "-.")
"""Of the learning curves of several games, one for each opponent."""

RECENT = 8
"""Updates that the speed is averaged over."""


class Monitor:
    """Shows a run as it goes: figures that move on a terminal, a line for each measurement
    anywhere, and every figure of every update in the run folder's TensorBoard files, if a folder
    is given.
    """

    def __init__(
        self, settings: Config, folder: Path | None, state: State, console: Console
    ) -> None:
        self.settings = settings
        self.state = state
        self.console = console
        self.writer: SummaryWriter | None = None
        if folder is not None:
            self.writer = SummaryWriter(str(folder / "tensorboard"), purge_step=state.steps)
        self.live = Live(console=console, refresh_per_second=4, transient=True)
        self.losses: Losses | None = None
        self.speed = 0.0
        """Seat-steps a second, collected and learned, over the last updates."""
        self._recent: deque[tuple[int, float]] = deque(maxlen=RECENT)
        self._steps_before = state.steps

    def __enter__(self) -> Self:
        if self.console.is_terminal:
            self.live.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self.live.stop()
        if self.writer:
            self.writer.close()
        self.console.print(f"{_when(self.state)}  {self.speed:,.0f} seat-steps/s at the end")

    def updated(self, losses: Losses, seconds: float) -> None:
        """After an update, which took so long."""
        self.losses = losses
        self._recent.append((self.state.steps - self._steps_before, seconds))
        self._steps_before = self.state.steps
        steps, times = map(sum, zip(*self._recent, strict=True))
        self.speed = steps / times
        for name, value in vars(losses).items():
            self._write(f"learning/{name}", value)
        self._write("speed/steps_per_second", self.speed)
        self.live.update(self._figures())

    def measuring(self) -> None:
        """Before a measurement, during which nothing else moves."""
        report = self.settings.report
        what = f"measuring against {', '.join(report.opponents)}: {report.pairs:,} pairs of deals"
        self.live.update(Group(self._figures(), what))

    def measured(self, points: list[dict[str, Any]]) -> None:
        """After a measurement, which added these points to the curve."""
        is_of_several = len(self.settings.games) > 1
        for point in points:
            against, game = point["opponent"], point["game"]
            figures = f"{game}_against_{against}" if is_of_several else f"against_{against}"
            for name in ("points", "low", "high"):
                self._write(f"{figures}/{name}", point[name])
            where = f"at {game} " if is_of_several else ""
            self.console.print(
                f"{_when(self.state)}  {point['points']:+.3f} points a deal {where}against "
                f"{against} ({point['low']:+.3f} to {point['high']:+.3f})"
            )

    def _write(self, name: str, value: float) -> None:
        if self.writer:
            self.writer.add_scalar(name, value, self.state.steps)

    def _figures(self) -> Group:
        state, losses = self.state, self.losses
        done = state.share_of(self.settings.budget)
        left = state.seconds * (1 - done) / done if done > 0 else 0.0
        bar = Table.grid(padding=(0, 1))
        bar.add_row(self.settings.game, ProgressBar(1.0, done, width=50), f"{done:.0%}")
        figures = Table.grid(padding=(0, 2))
        figures.add_row("trained", _when(state), "speed", f"{self.speed:,.0f} seat-steps/s")
        figures.add_row("left", f"about {_minutes(left)}", "updates", f"{state.updates:,}")
        if losses is not None:
            explained = f"{losses.explained_variance:.2f}"
            figures.add_row("entropy", f"{losses.entropy:.3f}", "explained variance", explained)
            moved = f"{losses.divergence:.4f}"
            figures.add_row("divergence", moved, "clipped", f"{losses.clipped:.1%}")
        return Group(bar, figures)


def _minutes(seconds: float) -> str:
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"


def _when(state: State) -> str:
    return f"{_minutes(state.seconds):>6}  {state.steps / 1e6:6.2f} M steps"


def read_curves(folder: Path) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Every figure of a run's TensorBoard files by name: seat-steps and values, (k,) each."""
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    events = EventAccumulator(str(folder / "tensorboard"), size_guidance={"scalars": 0})
    events.Reload()
    points = {name: events.Scalars(name) for name in events.Tags()["scalars"]}
    return {
        name: (np.array([at.step for at in found]), np.array([at.value for at in found]))
        for name, found in points.items()
    }


def draw_curve(curve: list[dict[str, Any]], title: str, path: Path) -> None:
    """The learning curve as a picture: points a deal with their 95 % intervals, over the steps.

    A policy that has learned nothing loses so much that all the rest would look flat beside it; so
    the first measurement is out of sight once there are others.
    """
    from matplotlib.figure import Figure  # slow to load, and not needed to begin a run

    figure = Figure(figsize=(8, 4.5), dpi=150, layout="constrained")
    axes = figure.subplots()
    axes.axhline(0, color="0.4", linewidth=0.8)
    games = list(dict.fromkeys(point["game"] for point in curve))
    opponents = list(dict.fromkeys(point["opponent"] for point in curve))
    for game, opponent in itertools.product(games, opponents):
        points = [
            point for point in curve if (point["game"], point["opponent"]) == (game, opponent)
        ]
        number = opponents.index(opponent)
        is_alone = len(games) == 1
        color = COLOURS[(number if is_alone else games.index(game)) % len(COLOURS)]
        steps = [point["steps"] / 1e6 for point in points]
        low, high = ([point[end] for point in points] for end in ("low", "high"))
        axes.fill_between(steps, low, high, color=color, alpha=0.2, linewidth=0)
        axes.plot(
            steps,
            [point["points"] for point in points],
            color=color,
            marker="o",
            markersize=3,
            linestyle=STYLES[0 if is_alone else number % len(STYLES)],
            label=f"against {opponent}" if is_alone else f"{game} against {opponent}",
        )
    learned = [point for point in curve if point["steps"]]
    if learned:
        lowest = min(0.0, *(point["low"] for point in learned))
        highest = max(0.0, *(point["high"] for point in learned))
        margin = 0.05 * (highest - lowest)
        axes.set_ylim(lowest - margin, highest + margin)
    axes.set_xlabel("million seat-steps")
    axes.set_ylabel("points a deal, with 95 % intervals")
    axes.set_title(title, loc="left")
    axes.grid(alpha=0.25)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False, loc="lower right")
    file = io.BytesIO()
    figure.savefig(file, format="png")
    write_atomically(path, file.getvalue())
