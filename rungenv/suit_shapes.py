"""The four suits as closed curves, one unit high around the point (0, 0), y down.

Drawn for this project. A shape is one or more outlines, each filled; they may overlap.
"""

from dataclasses import dataclass

Point = tuple[float, float]
Bend = tuple[Point, Point, Point]
"""A cubic Bézier curve from where the last one ended: two control points, and its end."""


@dataclass(frozen=True)
class Outline:
    """A closed line of cubic Bézier curves."""

    start: Point
    bends: tuple[Bend, ...]

    def polygon(self, pieces: int = 12) -> list[Point]:
        """The outline as a polygon: each bend in so many straight pieces."""
        points, last = [], self.start
        for first, second, end in self.bends:
            for i in range(1, pieces + 1):
                t = i / pieces
                weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3)
                corners = (last, first, second, end)
                points.append(tuple(_mixed(weights, corners, axis) for axis in (0, 1)))
            last = end
        return points


def _mixed(weights: tuple[float, ...], points: tuple[Point, ...], axis: int) -> float:
    return sum(w * point[axis] for w, point in zip(weights, points, strict=True))


def _symmetric(top: Point, *right: Bend) -> Outline:
    """From the top down the right side, and up again along its mirror image."""
    ends = [top, *(bend[2] for bend in right)]
    left = [
        (_mirrored(second), _mirrored(first), _mirrored(end))
        for (first, second, _), end in zip(reversed(right), reversed(ends[:-1]), strict=True)
    ]
    return Outline(top, (*right, *left))


def _mirrored(point: Point) -> Point:
    return -point[0], point[1]


def _circle(x: float, y: float, radius: float) -> Outline:
    k = 0.5523 * radius  # the best that four cubic curves can do
    top, right, bottom, left = (
        (x, y - radius), (x + radius, y), (x, y + radius), (x - radius, y)
    )  # fmt: skip
    return Outline(
        top,
        (
            ((x + k, y - radius), (x + radius, y - k), right),
            ((x + radius, y + k), (x + k, y + radius), bottom),
            ((x - k, y + radius), (x - radius, y + k), left),
            ((x - radius, y - k), (x - k, y - radius), top),
        ),
    )


_STEM = _symmetric(
    (0, 0.02),
    ((0.02, 0.02), (0.02, 0.02), (0.04, 0.14)),
    ((0.05, 0.36), (0.1, 0.47), (0.22, 0.5)),
    ((0.1, 0.5), (0.05, 0.5), (0, 0.5)),
)
_HEART = _symmetric(
    (0, -0.27),
    ((0.04, -0.42), (0.13, -0.48), (0.24, -0.48)),
    ((0.38, -0.48), (0.48, -0.36), (0.48, -0.2)),
    ((0.48, 0.08), (0.14, 0.26), (0, 0.5)),
)
_DIAMOND = _symmetric(
    (0, -0.5),
    ((0.1, -0.31), (0.23, -0.13), (0.37, 0)),
    ((0.23, 0.13), (0.1, 0.31), (0, 0.5)),
)
_SPADE = _symmetric(
    (0, -0.5),
    ((0.12, -0.28), (0.46, -0.1), (0.46, 0.15)),
    ((0.46, 0.29), (0.36, 0.37), (0.25, 0.37)),
    ((0.15, 0.37), (0.06, 0.33), (0, 0.24)),
)
_LEAVES = (_circle(0, -0.265, 0.225), _circle(-0.245, 0.095, 0.225), _circle(0.245, 0.095, 0.225))

SHAPES = ((*_LEAVES, _circle(0, 0, 0.1), _STEM), (_DIAMOND,), (_HEART,), (_SPADE, _STEM))
"""The outlines of clubs, diamonds, hearts and spades."""
