"""Estimates with their 95 % intervals, and percentiles: what numbers of games can tell.

Everything is added up in whole numbers, so that no order can show in the last digit.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from sixtysix.reports import Estimate

__all__ = ["percentile", "ratio", "wilson"]

Z_975 = 1.959963984540054
"""The 97.5 % quantile of the normal distribution."""

T_975 = (12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622, 2.2281)
"""The same of Student's distribution, for 1 to 10 degrees of freedom."""


def wilson(won: int, drawn: int, count: int) -> Estimate | None:
    """The share of `count` games that was won, draws counting half, by Wilson's score interval.

    Draws make it a little wider than need be. None without games.
    """
    if count == 0:
        return None
    share = (2 * won + drawn) / (2 * count)
    z2 = Z_975**2
    wider = 1 + z2 / count
    middle = (share + z2 / (2 * count)) / wider
    half = math.sqrt(z2 * share * (1 - share) / count + (z2 / (2 * count)) ** 2) / wider
    # Where all were won the upper bound is 1, which rounding must not miss.
    return Estimate(share, middle - half, min(1.0, max(middle + half, share)))


def ratio(games: Iterable[tuple[int, int]]) -> Estimate | None:
    """The points of a deal, from the points and the number of deals of each game.

    The deals of a game hang together (its end depends on them), so the interval
    is that of the ratio of two sums over games, with Student's quantile. None if
    the games cannot tell how much they scatter: fewer than two, or all alike.
    """
    counted = [(points, deals) for points, deals in games if deals]
    points = sum(each for each, _ in counted)
    deals = sum(each for _, each in counted)
    # Deviations of the games from the common ratio, times `deals` to keep them whole.
    squares = sum((each * deals - points * own) ** 2 for each, own in counted)
    if len(counted) < 2 or squares == 0:
        return None
    freedom = len(counted) - 1
    half = _t_975(freedom) * math.sqrt(squares * len(counted) / freedom) / deals**2
    value = points / deals
    return Estimate(value, value - half, value + half)


def percentile(ascending: Sequence[int], percent: int) -> int | None:
    """The least of the values that `percent` of them do not exceed; None if there are none."""
    if not ascending:
        return None
    return ascending[max(1, -(-len(ascending) * percent // 100)) - 1]


def _t_975(freedom: int) -> float:
    """Student's 97.5 % quantile, correct to 0.0002."""
    if freedom <= len(T_975):
        return T_975[freedom - 1]
    # The expansion of Cornish and Fisher around the normal quantile.
    z = Z_975
    return (
        z
        + (z**3 + z) / (4 * freedom)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * freedom**3)
    )
