"""Where lines and bars of the charts go."""

from __future__ import annotations

import re

import pytest

from sixtysix_arena.ratings import Rating
from sixtysix_arena.web.charts import bars, heat, history, race


def steps(path: str) -> list[tuple[str, float]]:
    return [(letter, float(value)) for letter, value in re.findall(r"([HV])(-?[\d.]+)", path)]


def test_a_race_steps_to_the_right_and_up() -> None:
    drawn = race([(0, 0), (0, 0), (11, 0), (11, 40), (66, 40)], width=400, height=70)
    assert drawn.xs == (0, 100, 200, 300, 400)
    assert drawn.goal_y == 4
    assert drawn.lines[0].startswith("M0 70.0")
    assert steps(drawn.lines[0]) == [
        ("H", 100),
        ("H", 200),
        ("V", 59),
        ("H", 300),
        ("H", 400),
        ("V", 4),
    ]
    assert [step for step in steps(drawn.lines[1]) if step[0] == "V"] == [("V", 30)]


def test_a_race_beyond_66_stays_in_its_drawing() -> None:
    drawn = race([(0, 0), (120, 90)], height=120)
    heights = [value for line in drawn.lines for letter, value in steps(line) if letter == "V"]
    assert min(heights) == 0
    assert 0 < drawn.goal_y < 120


def test_a_race_that_has_not_begun() -> None:
    drawn = race([(0, 0)])
    assert drawn.xs == (0,)
    assert drawn.lines == ("M0 120.0", "M0 120.0")


def test_bars_share_a_scale() -> None:
    one, other = bars([(30, 2), (20, 1)])
    assert (one.high, other.low) == (100, 0)
    assert one.low < one.middle < one.high
    assert one.middle - one.low == pytest.approx(2 * (other.middle - other.low), abs=0.2)
    assert one.middle == pytest.approx((30 - 17) / 19 * 100, abs=0.1)


def test_bars_of_nothing_and_of_one_that_is_certain() -> None:
    assert bars([]) == []
    assert bars([(25, 0)])[0].middle == 0


def test_heat_has_eleven_steps_and_a_middle() -> None:
    assert [heat(share) for share in (0, 0.04, 0.5, 0.96, 1)] == [0, 0, 5, 10, 10]
    assert {heat(share / 100) for share in range(101)} == set(range(11))
    for share in range(101):
        if share % 10 != 5:  # Where the two of a pairing would round to one side.
            assert heat(share / 100) + heat(1 - share / 100) == 10


RATINGS = [
    {"ada": Rating(25, 8), "bob": Rating(25, 8)},
    {"ada": Rating(30, 5), "bob": Rating(20, 5)},
    {"ada": Rating(33, 3), "bob": Rating(18, 3)},
]


def test_a_history_has_lines_bands_and_round_numbers() -> None:
    drawn = history(RATINGS, ["ada", "bob"], width=100, height=200)
    assert [line.name for line in drawn.lines] == ["ada", "bob"]
    assert drawn.round_count == 2
    ada, bob = drawn.lines
    points = re.findall(r"([\d.]+) ([\d.]+)", ada.path)
    assert [float(x) for x, _ in points] == [0, 50, 100]
    assert float(points[0][1]) > float(points[1][1]) > float(points[2][1]) == ada.end_y
    assert bob.end_y > ada.end_y
    band = [float(y) for _, y in re.findall(r"([\d.]+) ([\d.]+)", ada.band)]
    # There above the mean, back below it: the band is closed, and around the line.
    assert len(band) == 6
    assert ada.band.endswith("Z")
    assert band[2] < ada.end_y < band[3]
    assert [value for _, value in drawn.ticks] == [20, 30]
    assert all(0 <= y <= 200 for y in [*band, *(y for y, _ in drawn.ticks)])


def test_a_history_of_one_of_them_fills_the_drawing() -> None:
    drawn = history(RATINGS, ["bob"], height=100)
    ys = [float(y) for _, y in re.findall(r"([\d.]+) ([\d.]+)", drawn.lines[0].band)]
    assert (min(ys), max(ys)) == (0, 100)


def test_a_history_before_the_first_round() -> None:
    drawn = history(RATINGS[:1], ["ada"])
    assert drawn.round_count == 0
    assert drawn.lines[0].path.startswith("M0")
