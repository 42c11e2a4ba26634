"""From the results of games, in any order, to strengths with all their uncertainty.

The model is TrueSkill's: a strength that does not change, a performance spread
around it by beta in each game, a draw if two performances are closer than the
draw margin. TrueSkill takes in one game after the other and forgets how the
strengths hang together; here all games are taken at once. What comes out is the
most likely set of strengths and its covariance, hence how sure it is that one
entrant is stronger than another.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from sixtysix.outcome import GameEnd, GameOutcome
from sixtysix_arena.ratings import BETA, DRAW_PROBABILITY, MU, SIGMA

__all__ = ["Strengths", "expected_share", "fit"]

SPREAD = math.sqrt(2) * BETA
"""Standard deviation of the difference of two performances about that of the strengths."""

MAX_STEPS = 200
"""Far more than Newton's method takes: some six, and twenty where one won a million games."""
MAX_HALVINGS = 60
"""A step so often halved no longer changes a float."""
SMALL_STEP = 1e-6
"""After a step as small as this the error is of its square: nothing is left to do."""

_FAR = -35.0
"""Below this the normal distribution comes from its asymptote: erfc underflows from -38 on."""

_Key = TypeVar("_Key", str, tuple[str, str])
_Floats = NDArray[np.float64]
_NORMAL = NormalDist()


@dataclass(frozen=True, slots=True, eq=False)
class Strengths(Generic[_Key]):
    """The strengths of entrants, on the scale of the ratings.

    `mu` has the most likely value of each and `covariance` their covariance, both
    in the order of `entrants`, which is ascending.
    """

    entrants: tuple[_Key, ...]
    mu: _Floats
    covariance: _Floats

    def of(self, entrant: _Key) -> tuple[float, float]:
        """The strength of an entrant, and its standard deviation against the mean of all.

        Games tell differences alone: how strong all are together only the prior says.
        """
        place = self.entrants.index(entrant)
        row = self.covariance[place]
        variance = row[place] - 2 * row.mean() + self.covariance.mean()
        return float(self.mu[place]), math.sqrt(max(0.0, float(variance)))

    def superiority(self, one: _Key, other: _Key) -> float:
        """The likelihood that `one` is stronger than `other`."""
        mean, sigma = self.difference(one, other)
        return _NORMAL.cdf(mean / sigma)

    def difference(self, one: _Key, other: _Key) -> tuple[float, float]:
        """By how much `one` is stronger than `other`, and the standard deviation of that."""
        i, j = self.entrants.index(one), self.entrants.index(other)
        variance = self.covariance[i, i] + self.covariance[j, j] - 2 * self.covariance[i, j]
        return float(self.mu[i] - self.mu[j]), math.sqrt(variance)


def fit(
    entrants: Iterable[_Key],
    results: Iterable[tuple[tuple[_Key, _Key], GameOutcome]],
    *,
    draw_probability: float = DRAW_PROBABILITY,
) -> Strengths[_Key]:
    """Return the strengths of `entrants` that explain `results` best.

    A result names its entrants by seat. Neither the order of entrants nor that
    of results matters. Forfeited games count like any other, void ones do not.
    Raises ValueError for a result of somebody who is not among `entrants`.
    """
    ordered = tuple(sorted(set(entrants)))
    games = _Games.of(ordered, results, draw_probability)
    mu = np.full(len(ordered), MU)
    likelihood, slope, curvature = games.likelihood(mu)
    for _ in range(MAX_STEPS):
        step = np.linalg.solve(curvature, slope)
        small = bool(np.abs(step).max(initial=0.0) < SMALL_STEP)
        before = likelihood
        for _ in range(MAX_HALVINGS):
            likelihood, slope, curvature = games.likelihood(mu + step)
            # The likelihood has one peak: whoever always climbs arrives.
            if small or likelihood >= before:
                break
            step /= 2
        mu = mu + step
        if small:
            break
    else:
        raise AssertionError(f"no strengths after {MAX_STEPS} steps")
    covariance = np.linalg.inv(curvature)
    return Strengths(ordered, mu, (covariance + covariance.T) / 2)


def expected_share(differences: _Floats, *, draw_probability: float = DRAW_PROBABILITY) -> _Floats:
    """Return the share of games, a draw counting half, of who is stronger by `differences`."""
    gap, margin = differences / SPREAD, _margin(draw_probability)
    return (_cdf(gap - margin) + _cdf(gap + margin)) / 2


@dataclass(frozen=True, slots=True, eq=False)
class _Games:
    """All games, those with the same entrants and result as one line of `count`."""

    size: int
    one: NDArray[np.intp]
    """The winner's place among the entrants, or one side of a draw."""
    other: NDArray[np.intp]
    drawn: NDArray[np.bool_]
    count: _Floats
    margin: float
    """The draw margin, in units of SPREAD."""

    @classmethod
    def of(
        cls,
        entrants: tuple[Any, ...],
        results: Iterable[tuple[tuple[Any, Any], GameOutcome]],
        draw_probability: float,
    ) -> _Games:
        places = {entrant: place for place, entrant in enumerate(entrants)}
        counts: Counter[tuple[int, int, bool]] = Counter()
        for seats, outcome in results:
            for entrant in seats:
                if entrant not in places:
                    raise ValueError(f"a result names {entrant!r}, who is not among the entrants")
            if outcome.end is GameEnd.VOID:
                continue
            one, other = places[seats[0]], places[seats[1]]
            drawn = outcome.winner is None
            counts[(other, one, drawn) if outcome.winner == 1 else (one, other, drawn)] += 1
        lines = sorted(counts)
        return cls(
            size=len(entrants),
            one=np.array([one for one, _, _ in lines], np.intp),
            other=np.array([other for _, other, _ in lines], np.intp),
            drawn=np.array([drawn for _, _, drawn in lines], np.bool_),
            count=np.array([counts[line] for line in lines], np.float64),
            margin=_margin(draw_probability),
        )

    def likelihood(self, mu: _Floats) -> tuple[float, _Floats, _Floats]:
        """Return how likely `mu` is (a logarithm), its slope, and minus its second derivative."""
        gap = (mu[self.one] - mu[self.other]) / SPREAD
        log_p, first, second = (
            np.where(self.drawn, of_draw, of_win)
            for of_draw, of_win in zip(
                _draw(gap, self.margin), _win(gap - self.margin), strict=True
            )
        )
        distance = mu - MU
        total = float(self.count @ log_p) - float(distance @ distance) / (2 * SIGMA**2)
        slope = -distance / SIGMA**2
        pull = self.count * first / SPREAD
        np.add.at(slope, self.one, pull)
        np.add.at(slope, self.other, -pull)
        curvature = np.eye(self.size) / SIGMA**2
        weight = self.count * second / SPREAD**2
        for row, column, sign in (
            (self.one, self.one, 1),
            (self.other, self.other, 1),
            (self.one, self.other, -1),
            (self.other, self.one, -1),
        ):
            np.add.at(curvature, (row, column), sign * weight)
        return total, slope, curvature


def _margin(draw_probability: float) -> float:
    """The draw margin, in units of SPREAD."""
    return _NORMAL.inv_cdf((draw_probability + 1) / 2)


def _win(z: _Floats) -> tuple[_Floats, _Floats, _Floats]:
    """Return ln Phi(z), its derivative, and minus its second derivative."""
    log_p = _log_cdf(z)
    v = np.exp(_log_pdf(z) - log_p)
    return log_p, v, v * (v + z)


def _draw(gap: _Floats, margin: float) -> tuple[_Floats, _Floats, _Floats]:
    """Return the same of ln (Phi(margin - gap) - Phi(-margin - gap)), as functions of `gap`."""
    # In the lower tail, where small differences are not lost against 1.
    distance = np.abs(gap)
    low, high = -margin - distance, margin - distance
    log_high = _log_cdf(high)
    log_p = log_high + np.log(-np.expm1(_log_cdf(low) - log_high))
    at_low, at_high = np.exp(_log_pdf(low) - log_p), np.exp(_log_pdf(high) - log_p)
    v = at_low - at_high
    w = v**2 + high * at_high - low * at_low
    return log_p, np.copysign(v, -gap), w


def _log_pdf(z: _Floats) -> _Floats:
    return -(z**2) / 2 - math.log(2 * math.pi) / 2


def _cdf(z: _Floats) -> _Floats:
    """Return Phi(z)."""
    return np.array([math.erfc(each) / 2 for each in (z / -math.sqrt(2)).tolist()])


def _log_cdf(z: _Floats) -> _Floats:
    """Return ln Phi(z), for any z."""
    near = np.maximum(z, _FAR)
    from_erfc = [math.log(math.erfc(-each / math.sqrt(2)) / 2) for each in near.tolist()]
    far = np.minimum(z, _FAR)
    asymptote = _log_pdf(far) - np.log(-far) + np.log1p(-1 / far**2 + 3 / far**4)
    return np.where(z < _FAR, asymptote, np.array(from_erfc))
