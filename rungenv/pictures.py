"""Pictures of a table: as SVG, in a notebook by themselves, as pixels, or as text."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rungenv import screen, sentences
from rungenv.drawing import Item
from rungenv.render import scene_text
from rungenv.scene import NAMES, Scene, scene_of
from rungenv.svg import svg
from rungenv.table import Table
from rungenv.tables import Tables
from rungenv.tabletop import SIZE, drawing


@dataclass(frozen=True)
class Picture:
    """One table at one moment, as `picture` makes it. In a notebook it shows itself."""

    scene: Scene

    def text(self) -> str:
        """The table in 80 columns of text."""
        return scene_text(self.scene)

    def svg(self) -> str:
        """The table as an SVG document."""
        name = sentences.game_name(self.scene.rules)
        said = "; ".join([sentences.trump(self.scene), *sentences.outlook(self.scene)])
        return svg(self.drawing(), SIZE, f"{name}: {said}")

    def rgb(self) -> np.ndarray:
        """The table as pixels: (640, 1000, 3) uint8. ImportError without the extra `render`."""
        return screen.pixels(self.drawing(), SIZE)

    def drawing(self) -> list[Item]:
        """What is drawn where."""
        return drawing(self.scene)

    def _repr_svg_(self) -> str:
        return self.svg()


def picture(
    tables: Tables | Table,
    row: int = 0,
    seat: int | None = None,
    *,
    reveal: bool = False,
    bottom: int | None = None,
    names: Sequence[str] = NAMES,
) -> Picture:
    """A picture of one table, showing no card that `seat` may not know, unless `reveal` is True.

    seat: whose knowledge is shown, by default that of the seat to act (the eldest hand's when the
    round is over). reveal: all hands, and a card that lies face down. bottom: the seat that sits at
    the bottom, by default the `seat` given, else 0. names: what to call the four seats, by seat.
    ValueError names the argument that is wrong.

    >>> from rungenv import deal, variant
    >>> shown = picture(deal(variant("mendikot"), 1, seed=0), seat=2)
    >>> shown.svg().startswith("<svg ")
    True
    """
    return Picture(scene_of(tables, row, seat, reveal=reveal, bottom=bottom, names=names))
