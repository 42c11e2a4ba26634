"""Charts as numbers: where lines and bars go in a drawing of a given size. Pure.

Macros in `templates/charts.html.j2` make SVG of them. Coordinates are rounded
to a tenth of a unit, so that pages stay small.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from sixtysix_arena.ratings import Rating

__all__ = ["Bar", "History", "Line", "Race", "bars", "heat", "history", "race"]

WIN = 66
LABEL_GAP = 15.0
"""Between names at the ends of lines, from baseline to baseline."""


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


@dataclass(frozen=True, slots=True)
class Bar:
    """An estimate as a bar: where it begins, has its middle and ends, from 0 to 100."""

    low: float
    middle: float
    high: float


def bars(estimates: Sequence[tuple[float, float]], spread: float = 3) -> list[Bar]:
    """Means and standard deviations as bars of `spread` deviations to each side, on one scale."""
    if not estimates:
        return []
    low = min(mean - spread * deviation for mean, deviation in estimates)
    high = max(mean + spread * deviation for mean, deviation in estimates)
    scale = 100 / ((high - low) or 1)

    def place(value: float) -> float:
        return round((value - low) * scale, 1)

    return [
        Bar(place(mean - spread * deviation), place(mean), place(mean + spread * deviation))
        for mean, deviation in estimates
    ]


def heat(share: float) -> int:
    """A share from 0 to 1 as one of eleven colours, 5 in the middle."""
    return round(share * 10)


@dataclass(frozen=True, slots=True)
class Line:
    """One entrant's ratings round by round."""

    name: str
    path: str
    """Path data of its mean."""
    band: str
    """Path data of the area within one standard deviation."""
    end_y: float
    label_y: float = 0
    """Where its name stands: at the line's end, or as near as other names allow."""


@dataclass(frozen=True, slots=True)
class History:
    """Ratings round by round, with what is needed to draw axes."""

    width: float
    height: float
    lines: tuple[Line, ...]
    ticks: tuple[tuple[float, int], ...]
    """Where round numbers of the scale are, from above, and their values."""
    round_count: int


def history(
    ratings: Sequence[Mapping[str, Rating]],
    names: Sequence[str],
    width: float = 720,
    height: float = 240,
) -> History:
    """The lines of `names`; `ratings` before the first round and after each."""
    low = min(each[name].mu - each[name].sigma for each in ratings for name in names)
    high = max(each[name].mu + each[name].sigma for each in ratings for name in names)
    scale = height / ((high - low) or 1)
    step = width / max(1, len(ratings) - 1)

    def y(value: float) -> float:
        return round(height - (value - low) * scale, 1)

    def path(values: Sequence[float]) -> str:
        places = (f"{round(n * step, 1)} {y(value)}" for n, value in enumerate(values))
        return "M" + "L".join(places)

    lines = []
    for name in names:
        means = [each[name].mu for each in ratings]
        above = [each[name].mu + each[name].sigma for each in ratings]
        below = [each[name].mu - each[name].sigma for each in ratings]
        back = "L".join(
            f"{round(n * step, 1)} {y(below[n])}" for n in range(len(below) - 1, -1, -1)
        )
        lines.append(Line(name, path(means), f"{path(above)}L{back}Z", y(means[-1])))
    lines = [replace(line, label_y=place) for line, place in zip(lines, _apart(lines), strict=True)]
    first = math.ceil(low / 10) * 10
    ticks = tuple((y(value), value) for value in range(first, math.floor(high) + 1, 10))
    return History(width, height, tuple(lines), ticks, len(ratings) - 1)


def _apart(lines: Sequence[Line]) -> list[float]:
    """Where the names of lines stand, near their ends and no two on top of each other."""
    order = sorted(range(len(lines)), key=lambda place: lines[place].end_y)
    places = [0.0] * len(lines)
    above = -math.inf
    for place in order:
        above = max(lines[place].end_y, above + LABEL_GAP)
        places[place] = above
    # A stack that was pushed down is moved up by half of that, so that it stays around its lines.
    pushed = [places[place] - lines[place].end_y for place in range(len(lines))]
    shift = max(pushed, default=0) / 2
    below = math.inf
    for place in reversed(order):
        below = min(places[place] - (shift if pushed[place] else 0), below - LABEL_GAP)
        places[place] = round(below, 1)
    return places
