"""A grid of shares as a picture: pale is seldom, dark is often, blank is too few to tell."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.image import AxesImage

from train.studies.habits import Grid

_DARK = 0.55
"""From this share of the scale on, figures are written in white."""


def heat_map(
    axes: Axes,
    grid: Grid,
    rows: Sequence[str],
    columns: Sequence[str],
    *,
    least: int = 20,
    highest: float = 1.0,
) -> AxesImage:
    """Draw a grid, the first row at the bottom, with each share in per cent.

    rows, columns: what is written beside and below. least: a share out of fewer times is left out.
    highest: the share that is darkest. Returns the image, for a colour bar.
    """
    shares = np.where(grid.times >= least, grid.share, np.nan)
    image = axes.imshow(shares, origin="lower", vmin=0.0, vmax=highest)
    for row, column in zip(*np.nonzero(~np.isnan(shares)), strict=True):
        share = shares[row, column]
        color = "white" if share > _DARK * highest else "0.25"
        axes.text(column, row, f"{100 * share:.0f}", ha="center", va="center", color=color, size=8)
    axes.set_xticks(range(len(columns)), columns)
    axes.set_yticks(range(len(rows)), rows)
    axes.grid(visible=False)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    return image
