"""Our ratings with the parameters of others, against the values that they published.

- [F#] Ralf Herbrich's implementation (one of the authors of "TrueSkill: A Bayesian
  Skill Rating System", Microsoft Research), as written down in the unit tests of
  github.com/moserware/Skills, UnitTests/TrueSkill/TrueSkillCalculatorTests.cs, with
  the digits that it printed.
- [MSR] Microsoft Research's rank calculator on the web, from the same file: three
  decimals.

Both count with drift (tau) and with draws that are not rare, which we do not; so
the environment of `rate` is replaced, and all else is what rates tournaments.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
import trueskill

from sixtysix.outcome import GameEnd, GameOutcome
from sixtysix_arena import ratings

WON = GameOutcome(GameEnd.TARGET, 0, (7, 3), 6)
LOST = GameOutcome(GameEnd.TARGET, 1, (3, 7), 6)
DRAWN = GameOutcome(GameEnd.DEAL_LIMIT, None, (5, 5), 200)

Skill = tuple[float, float]
Rater = Callable[[Skill, Skill, GameOutcome], tuple[Skill, Skill]]
FRESH = (25.0, 25 / 3)


@pytest.fixture
def with_published_parameters(monkeypatch: pytest.MonkeyPatch) -> Rater:
    """Rates one game as TrueSkill's authors do: mu 25, tau 25/300, one game in ten drawn."""
    return _rater(monkeypatch, 25.0, 0.1)


@pytest.fixture
def with_chess_parameters(monkeypatch: pytest.MonkeyPatch) -> Rater:
    """The same for mu 1200 and three games in a hundred drawn."""
    return _rater(monkeypatch, 1200.0, 0.03)


def _rater(monkeypatch: pytest.MonkeyPatch, mu: float, draw_probability: float) -> Rater:
    environment = trueskill.TrueSkill(mu, mu / 3, mu / 6, mu / 300, draw_probability)
    margin = trueskill.calc_draw_margin(draw_probability, 2, environment)
    monkeypatch.setattr(ratings, "BETA", mu / 6)
    monkeypatch.setattr(ratings, "_DRAW_MARGIN", margin)

    def rate(one: Skill, other: Skill, outcome: GameOutcome) -> tuple[Skill, Skill]:
        fresh = iter((one, other))

        class Environment(trueskill.TrueSkill):  # type: ignore[misc]
            """Gives the two entrants the ratings that they have before the game."""

            def create_rating(
                self, mu: float | None = None, sigma: float | None = None
            ) -> trueskill.Rating:
                return trueskill.Rating(*(next(fresh) if mu is None else (mu, sigma)))

        monkeypatch.setattr(
            ratings, "_ENVIRONMENT", Environment(mu, mu / 3, mu / 6, mu / 300, draw_probability)
        )
        rated = ratings.rate(["a", "b"], [(("a", "b"), outcome)])
        return (rated["a"].mu, rated["a"].sigma), (rated["b"].mu, rated["b"].sigma)

    return rate


def test_fsharp_a_win_between_equals(with_published_parameters: Rater) -> None:
    winner, loser = with_published_parameters(FRESH, FRESH, WON)
    assert winner == pytest.approx((29.39583201999924, 7.171475587326186), abs=1e-6)
    assert loser == pytest.approx((20.60416798000076, 7.171475587326186), abs=1e-6)
    assert with_published_parameters(FRESH, FRESH, LOST) == (loser, winner)


def test_fsharp_a_draw_between_equals(with_published_parameters: Rater) -> None:
    for skill in with_published_parameters(FRESH, FRESH, DRAWN):
        assert skill == pytest.approx((25.0, 6.4575196623173081), abs=1e-5)


def test_fsharp_a_win_of_the_favourite(with_chess_parameters: Rater) -> None:
    winner, loser = with_chess_parameters((1301.0007, 42.9232), (1188.7560, 42.5570), WON)
    assert winner == pytest.approx((1304.7820836053318, 42.843513887848658), abs=0.001)
    assert loser == pytest.approx((1185.0383099003536, 42.485604606897752), abs=0.001)


def test_msr_a_draw_that_nobody_expected(with_published_parameters: Rater) -> None:
    weak, strong = with_published_parameters(FRESH, (50.0, 12.5), DRAWN)
    assert weak == pytest.approx((31.662, 7.137), abs=0.001)
    assert strong == pytest.approx((35.010, 7.910), abs=0.001)
