"""Intervals against other packages, and against distributions that are known."""

from __future__ import annotations

import math
import random

import pytest
from scipy import stats

from sixtysix.reports import Estimate
from sixtysix_arena import intervals
from sixtysix_arena.intervals import percentile, ratio, wilson


def bounds(estimate: Estimate | None) -> tuple[float, float]:
    assert estimate is not None
    return estimate.low, estimate.high


# Shares


@pytest.mark.parametrize("count", [1, 2, 7, 40, 1_000])
def test_wilsons_interval_is_the_one_of_scipy(count: int) -> None:
    for won in {0, 1, count // 3, count - 1, count}:
        found = wilson(won, 0, count)
        assert found is not None
        assert found.value == won / count
        expected = stats.binomtest(won, count).proportion_ci(method="wilson")
        assert bounds(found) == pytest.approx((expected.low, expected.high), abs=1e-12)
        assert 0 <= found.low <= found.value <= found.high <= 1


def test_a_share_is_never_outside_its_interval() -> None:
    for count in range(1, 3_000):
        for won in (0, count):
            found = wilson(won, 0, count)
            assert found is not None
            assert 0 <= found.low <= found.value <= found.high <= 1


def test_a_drawn_game_counts_half() -> None:
    assert wilson(3, 4, 10) == wilson(5, 0, 10)
    found = wilson(0, 1, 1)
    assert found is not None
    assert found.value == 0.5
    assert found.low == pytest.approx(1 - found.high)


def test_no_games_are_no_share() -> None:
    assert wilson(0, 0, 0) is None


@pytest.mark.parametrize(("share", "count"), [(0.5, 20), (0.55, 200), (0.9, 50)])
def test_shares_lie_in_their_intervals_as_often_as_these_say(share: float, count: int) -> None:
    source = random.Random(66)
    inside = 0
    for _ in range(2_000):
        low, high = bounds(wilson(sum(source.random() < share for _ in range(count)), 0, count))
        inside += low <= share <= high
    assert 0.93 < inside / 2_000 < 0.98


# Points of a deal


def test_points_of_a_deal_by_hand() -> None:
    # Three games: +7 in 5 deals, -3 in 6, +2 in 4, hence 6 points in 15 deals: 0.4.
    # Deviations from that: 7 - 2 = 5, -3 - 2.4 = -5.4, 2 - 1.6 = 0.4; squares
    # 25 + 29.16 + 0.16 = 54.32. Standard error sqrt(3/2 * 54.32)/15 = 0.60178, Student's
    # quantile with 2 degrees of freedom 4.3027, half the interval 2.5893.
    found = ratio([(7, 5), (-3, 6), (2, 4)])
    assert found is not None
    assert found.value == pytest.approx(0.4, abs=1e-12)
    assert bounds(found) == pytest.approx((-2.1893, 2.9893), abs=0.0001)


def test_games_without_a_deal_say_nothing() -> None:
    assert ratio([(7, 5), (0, 0), (-3, 6), (0, 0)]) == ratio([(7, 5), (-3, 6)])


@pytest.mark.parametrize(
    "games", [[], [(7, 5)], [(7, 5), (0, 0)], [(7, 5)] * 9, [(7, 5), (14, 10)]]
)
def test_games_that_do_not_scatter_give_no_interval(games: list[tuple[int, int]]) -> None:
    assert ratio(games) is None


def test_the_order_of_games_does_not_show() -> None:
    source = random.Random(1)
    games = [(source.randrange(-9, 10), source.randrange(1, 20)) for _ in range(500)]
    expected = ratio(games)
    for _ in range(50):
        source.shuffle(games)
        assert ratio(games) == expected
    turned = ratio((-points, deals) for points, deals in games)
    assert expected is not None
    assert turned == Estimate(-expected.value, -expected.high, -expected.low)


def a_game(source: random.Random, p_win: float) -> tuple[int, int]:
    """Deals that pay 1, 2 or 3, until one side has 7 points: as in classic."""
    score = [0, 0]
    deals = 0
    while max(score) < 7:
        score[source.random() >= p_win] += source.choice([1, 1, 2, 3])
        deals += 1
    return score[0] - score[1], deals


@pytest.mark.parametrize(("p_win", "count"), [(0.5, 4), (0.6, 10), (0.5, 100), (0.7, 100)])
def test_points_lie_in_their_intervals_as_often_as_these_say(p_win: float, count: int) -> None:
    # A deal pays 1.75 on average. That a game ends with a deal that was won changes
    # nothing in the long run (Wald's identity).
    truth = 1.75 * (2 * p_win - 1)
    source = random.Random(2026)
    inside = 0
    for _ in range(1_500):
        found = ratio([a_game(source, p_win) for _ in range(count)])
        if found is None:  # Four games all alike, which happens: no interval, nothing claimed.
            inside += 1
            continue
        inside += found.low <= truth <= found.high
    assert 0.92 < inside / 1_500 < 0.98


def test_deals_of_a_game_hang_together() -> None:
    # Each game decided as a whole: one deal more of it tells nothing new.
    source = random.Random(3)
    games = [(10 * source.choice([-1, 1]), 10) for _ in range(100)]
    low, high = bounds(ratio(games))
    alone = 2 * 1.96 / math.sqrt(1_000)
    assert high - low == pytest.approx(math.sqrt(10) * alone, rel=0.03)


def test_students_quantile_is_the_one_of_scipy() -> None:
    for freedom in [*range(1, 60), 100, 1_000, 100_000]:
        expected = stats.t.ppf(0.975, freedom)
        assert intervals._t_975(freedom) == pytest.approx(expected, abs=0.0002), freedom
    assert pytest.approx(stats.norm.ppf(0.975), abs=1e-12) == intervals.Z_975


# Percentiles


def test_percentiles_are_values_that_occur() -> None:
    assert percentile([], 50) is None
    assert percentile([7], 50) == percentile([7], 95) == 7
    assert percentile([1, 2], 50) == 1
    assert percentile([1, 2, 3], 50) == 2
    hundred = list(range(1, 101))
    assert (percentile(hundred, 50), percentile(hundred, 95)) == (50, 95)
    assert percentile(list(range(1, 21)), 95) == 19
    assert percentile(list(range(1, 20)), 95) == 19


def test_as_many_are_below_a_percentile_as_it_says() -> None:
    source = random.Random(4)
    for size in range(1, 60):
        values = sorted(source.randrange(20) for _ in range(size))
        for percent in (1, 50, 95, 100):
            found = percentile(values, percent)
            assert found in values
            assert sum(value <= found for value in values) >= size * percent / 100
            assert sum(value < found for value in values) < size * percent / 100
