"""Charts as numbers: where lines and bars go in a drawing of a given size. Pure.

Macros in `templates/charts.html.j2` make SVG of them. Coordinates are rounded
to a tenth of a unit, so that pages stay small.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Race", "race"]

WIN = 66


@dataclass(frozen=True, slots=True)
class Race:
    """The race of two sides to 66 as two step lines."""

    width: float
    height: float
    lines: tuple[str, str]
    """Path data by seat."""
    goal_y: float
    """Where 66 is."""
    xs: tuple[float, ...]
    """Where each ply is."""


def race(points: Sequence[tuple[int, int]], width: float = 400, height: float = 120) -> Race:
    """The step lines of credited card points, `points` after each ply."""
    top = max(WIN + 4, *(max(pair) for pair in points))
    step = width / max(1, len(points) - 1)

    def y(value: float) -> float:
        return round(height - value / top * height, 1)

    lines = []
    for seat in (0, 1):
        path = f"M0 {y(points[0][seat])}"
        for ply in range(1, len(points)):
            path += f"H{round(ply * step, 1)}"
            if points[ply][seat] != points[ply - 1][seat]:
                path += f"V{y(points[ply][seat])}"
        lines.append(path)
    xs = tuple(round(ply * step, 1) for ply in range(len(points)))
    return Race(width, height, (lines[0], lines[1]), y(WIN), xs)
