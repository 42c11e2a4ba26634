"""From the results of games, in schedule order, to TrueSkill ratings.

Ratings are a pure function of results and never updated as games finish: with
games running side by side the order of arrival would decide the ranking.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import trueskill

from sixtysix.outcome import GameEnd, GameOutcome

__all__ = [
    "BETA",
    "DRAW_PROBABILITY",
    "MU",
    "SIGMA",
    "TAU",
    "Rating",
    "RunningRatings",
    "rate",
    "rate_by_round",
]

MU = 25.0
SIGMA = 25 / 3
BETA = 25 / 6
TAU = 0.0
"""Entrants do not change during a tournament; drift would keep the ranking noisy for ever."""
DRAW_PROBABILITY = 0.001
"""Games are hardly ever drawn. With 0 a drawn game would silently give garbage."""

_ENVIRONMENT = trueskill.TrueSkill(
    mu=MU, sigma=SIGMA, beta=BETA, tau=TAU, draw_probability=DRAW_PROBABILITY
)
_DRAW_MARGIN: float = trueskill.calc_draw_margin(DRAW_PROBABILITY, 2, _ENVIRONMENT)

_FAR = 30.0
"""Standard deviations between two entrants beyond which we use limits in closed form.

The package fails from 38 on, where its normal distribution underflows. A round
robin of 50 entrants that always end in the same order stays below 13, but a
standing board of bots that never met could get there, and has to come out too.
"""

_K = TypeVar("_K", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Rating:
    """What is believed about an entrant's skill: mean and standard deviation."""

    mu: float = MU
    sigma: float = SIGMA

    @property
    def conservative(self) -> float:
        """What boards are ranked by: skill is very likely above this."""
        return self.mu - 3 * self.sigma


def rate(
    entrants: Iterable[_K], results: Iterable[tuple[tuple[_K, _K], GameOutcome]]
) -> dict[_K, Rating]:
    """Return the rating of each of `entrants` after `results`.

    A result names its entrants by seat. Callers bring results into schedule
    order. Forfeited games count like any other, void ones do not. Raises
    ValueError for a result of somebody who is not among `entrants`.
    """
    ratings = RunningRatings(entrants)
    ratings.add(results)
    return ratings.current()


def rate_by_round(
    entrants: Iterable[_K],
    rounds: Iterable[Iterable[tuple[tuple[_K, _K], GameOutcome]]],
) -> list[dict[_K, Rating]]:
    """Return the ratings before the first round and after each; the last are those of `rate`.

    Raises ValueError as `rate` does.
    """
    ratings = RunningRatings(entrants)
    history = [ratings.current()]
    for results in rounds:
        ratings.add(results)
        history.append(ratings.current())
    return history


class RunningRatings(Generic[_K]):
    """Ratings that go on: adding results in parts gives exactly what `rate` gives for all."""

    def __init__(self, entrants: Iterable[_K]) -> None:
        self._skills: dict[_K, Any] = {
            entrant: _ENVIRONMENT.create_rating() for entrant in entrants
        }

    def add(self, results: Iterable[tuple[tuple[_K, _K], GameOutcome]]) -> None:
        """Rates more results. Raises ValueError as `rate` does."""
        skills = self._skills
        for seats, outcome in results:
            for entrant in seats:
                if entrant not in skills:
                    raise ValueError(f"a result names {entrant!r}, who is not among the entrants")
            if outcome.end is GameEnd.VOID:
                continue
            drawn = outcome.winner is None
            one, other = seats if outcome.winner != 1 else seats[::-1]
            skills[one], skills[other] = _updated(skills[one], skills[other], drawn=drawn)

    def current(self) -> dict[_K, Rating]:
        """The ratings after the results so far."""
        return {entrant: Rating(skill.mu, skill.sigma) for entrant, skill in self._skills.items()}


def _updated(one: Any, other: Any, *, drawn: bool) -> tuple[Any, Any]:
    """Return both skills after a game that `one` won or that was drawn."""
    spread = math.sqrt(2 * BETA**2 + one.sigma**2 + other.sigma**2)
    gap = (one.mu - other.mu - (0.0 if drawn else _DRAW_MARGIN)) / spread
    if abs(gap) > _FAR:
        return _updated_from_afar(one, other, spread, gap, drawn=drawn)
    (one,), (other,) = _ENVIRONMENT.rate([(one,), (other,)], ranks=[0, 0 if drawn else 1])
    return one, other


def _updated_from_afar(
    one: Any, other: Any, spread: float, gap: float, *, drawn: bool
) -> tuple[Any, Any]:
    """Return both skills, from the asymptotes of TrueSkill's v and w for a huge `gap`."""
    if drawn:
        # The two performances were equal, whatever was believed.
        v, w = -gap, 1.0
    elif gap > 0:
        # Nothing is learnt from a foregone conclusion.
        return one, other
    else:
        v = -gap - 1 / gap + 2 / gap**3
        w = v * (v + gap)

    def moved(skill: Any, sign: int) -> Any:
        share = skill.sigma / spread
        return _ENVIRONMENT.create_rating(
            skill.mu + sign * share * skill.sigma * v,
            skill.sigma * math.sqrt(1 - share**2 * w),
        )

    return moved(one, +1), moved(other, -1)
