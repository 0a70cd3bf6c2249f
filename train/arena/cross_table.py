"""The cross table as a picture: everybody against everybody, numbers on colours, game by game."""

import io
import math
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import Colormap, LinearSegmentedColormap
from matplotlib.figure import Figure

from train.arena.report_marks import BLUE, ORANGE, depth, signed

Values = dict[str, Any]

_ROWS_WITH_MARGINS = 12
"""Above so many agents there is no room for the intervals' margins."""

_LONGEST = 26
"""Letters of an agent's name."""


def cross_table_png(values: Values) -> bytes:
    """The scores of a tournament's `results.json` as a PNG."""
    games = values["games"]
    agents = len(values["agents"])
    across = min(len(games), 3 if agents <= 6 else 2)
    down = math.ceil(len(games) / across)
    cell = 0.85 if agents <= _ROWS_WITH_MARGINS else 0.62
    width, height = agents * cell + 2.4, agents * cell * 0.62 + 1.0
    figure = Figure(figsize=(across * width, down * height + 0.7), dpi=160, layout="constrained")
    panels = figure.subplots(down, across, squeeze=False).ravel()
    for axes, game in zip(panels, games, strict=False):
        _panel(axes, game)
    for axes in panels[len(games) :]:
        axes.set_axis_off()
    unit = "matches a match" if values["episode"] == "match" else "points a deal"
    title = f"Won less lost by the agent on the left: {unit}, 95 % intervals"
    figure.suptitle(f"{title} ({values['deals']} deals)", fontsize=11)
    file = io.BytesIO()
    figure.savefig(file, format="png", metadata={"Software": None})
    return file.getvalue()


def _panel(axes: Axes, game: Values) -> None:
    """One game: its agents from the best down, numbered, and the same numbers above."""
    order = [one["agent"] for one in game["ladder"]]
    met = {}
    for score in game["scores"]:
        half = (score["high"] - score["low"]) / 2
        met[score["a"], score["b"]] = score["points"], half
        met[score["b"], score["a"]] = -score["points"], half
    most = max(abs(points) for points, _ in met.values()) or 1.0
    n = len(order)
    grid = np.full((n, n), np.nan)
    for i, j in np.ndindex(n, n):
        points = met.get((order[i], order[j]), (math.nan,))[0]
        grid[i, j] = math.nan if i == j else math.copysign(depth(points, most), points)
    axes.imshow(grid, cmap=_colors(), vmin=-1, vmax=1, aspect="auto")
    for i, name in enumerate(order):
        for j, other in enumerate(order):
            if i == j or (name, other) not in met:
                continue
            points, half = met[name, other]
            is_dark = points > 0 and depth(points, most) > 0.75  # orange is never dark
            text = signed(points)
            text += f"\n± {half:.3f}" if n <= _ROWS_WITH_MARGINS else ""
            is_sure = abs(points) > half
            axes.text(
                j,
                i,
                text,
                ha="center",
                va="center",
                fontsize=8,
                color="white" if is_dark else "black",
                fontweight="bold" if is_sure else "normal",
            )
    axes.set_title(game["game"], parse_math=False, fontsize=10, fontweight="bold")
    axes.set_xticks(range(n), [str(i) for i in range(1, n + 1)])
    labels = [f"{shortened(name)}  {i}" for i, name in enumerate(order, 1)]
    axes.set_yticks(range(n), labels, parse_math=False)
    axes.tick_params(length=0, labelsize=8)
    axes.xaxis.tick_top()
    for side in axes.spines.values():
        side.set_visible(False)
    axes.set_xticks([i - 0.5 for i in range(1, n)], minor=True)
    axes.set_yticks([i - 0.5 for i in range(1, n)], minor=True)
    axes.grid(which="minor", color="white", linewidth=1.5)
    axes.tick_params(which="minor", length=0)


def shortened(name: str) -> str:
    """A name whose middle is left out if it is long.

    >>> shortened("process:seconds=2:./a/very/long/way/to/my_bot")
    'process:secon…way/to/my_bot'
    """
    if len(name) <= _LONGEST:
        return name
    half = _LONGEST // 2
    return f"{name[:half]}…{name[-half:]}"


def _colors() -> Colormap:
    """From orange by white to blue; grey where there is no score."""
    ends = [tuple(int(part) / 255 for part in color.split(",")) for color in (ORANGE, BLUE)]
    colors = LinearSegmentedColormap.from_list("lost and won", [ends[0], (1, 1, 1), ends[1]])
    return colors.with_extremes(bad="0.93")
