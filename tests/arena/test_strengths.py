"""The batch fit against another package, against brute force, and against planted truth."""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter
from collections.abc import Callable

import choix
import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import special
from scipy.optimize import minimize
from scipy.stats import norm

from sixtysix.outcome import Fault, GameEnd, GameOutcome
from sixtysix_arena import strengths
from sixtysix_arena.ratings import BETA, DRAW_PROBABILITY, MU, SIGMA
from sixtysix_arena.strengths import Strengths, fit

Result = tuple[tuple[str, str], GameOutcome]

WON_BY_0 = GameOutcome(GameEnd.TARGET, 0, (7, 3), 6)
WON_BY_1 = GameOutcome(GameEnd.TARGET, 1, (3, 7), 6)
DRAWN = GameOutcome(GameEnd.DEAL_LIMIT, None, (5, 5), 200)
VOID = GameOutcome(GameEnd.VOID, None, (6, 0), 4, reason="both bots were away")
FORFEITED_BY_0 = GameOutcome(GameEnd.FORFEIT, 1, (6, 0), 4, Fault.TIMEOUT)
WINS = (WON_BY_0, WON_BY_1)


def names(size: int) -> list[str]:
    return [f"bot{index:02}" for index in range(size)]


def played(
    skills: dict[str, float], games_per_pairing: int, source: random.Random, margin: float = 0.0
) -> list[Result]:
    """The games of a round robin between entrants of these strengths, as the model has it."""
    results: list[Result] = []
    for low, high in itertools.combinations(sorted(skills), 2):
        for _ in range(games_per_pairing):
            gap = source.gauss(skills[low], BETA) - source.gauss(skills[high], BETA)
            outcome = DRAWN if abs(gap) <= margin else WINS[gap < 0]
            results.append(((low, high), outcome))
    return results


def differences(covariance: NDArray[np.float64]) -> NDArray[np.float64]:
    """The variances of all differences: what a covariance says apart from a common shift."""
    variances = np.diag(covariance)
    return variances[:, None] + variances[None, :] - 2 * covariance


# --- The oracle ---


@pytest.mark.parametrize("seed", range(3))
def test_choix_finds_the_same_strengths(seed: int) -> None:
    source = random.Random(seed)
    entrants = names(8)
    results = played({name: source.gauss(MU, 4) for name in entrants}, 60, source)
    scale = math.sqrt(2) * BETA
    pairs = [
        (entrants.index(winner), entrants.index(loser))
        for seats, outcome in results
        for winner, loser in [seats if outcome.winner == 0 else seats[::-1]]
    ]
    # choix takes the mean of the posterior distribution where we take its peak. Both come
    # together as games grow in number; with these, to a tenth of a standard deviation.
    mean, covariance = choix.ep_pairwise(8, pairs, (scale / SIGMA) ** 2, model="probit")
    ours = fit(entrants, results, draw_probability=1e-9)
    sd = np.sqrt(differences(ours.covariance) + np.eye(8))
    gap = (ours.mu[:, None] - ours.mu) - scale * (mean[:, None] - mean)
    assert np.abs(gap / sd).max() < 0.1, f"seed {seed}"
    ratios = differences(scale**2 * covariance) / (differences(ours.covariance) + np.eye(8))
    assert ratios[~np.eye(8, dtype=bool)] == pytest.approx(1, abs=0.02), f"seed {seed}"


# --- Brute force ---


def minus_log_posterior(
    entrants: list[str], results: list[Result], draw_probability: float
) -> Callable[[NDArray[np.float64]], float]:
    """The model written a second time: game by game, in probabilities."""
    margin = norm.ppf((draw_probability + 1) / 2) * math.sqrt(2) * BETA
    scale = math.sqrt(2) * BETA
    games = Counter(
        (entrants.index(low), entrants.index(high), outcome.winner)
        for (low, high), outcome in results
        if outcome.end is not GameEnd.VOID
    )

    def minus(mu: NDArray[np.float64]) -> float:
        total = float(np.sum((mu - MU) ** 2)) / (2 * SIGMA**2)
        for (low, high, winner), count in games.items():
            gap = mu[low] - mu[high]
            above, below = norm.cdf((gap - margin) / scale), norm.cdf((-gap - margin) / scale)
            p = {0: above, 1: below, None: 1 - above - below}[winner]
            total -= count * math.log(p)
        return total

    return minus


@pytest.mark.parametrize("draw_probability", [0.001, 0.05, 0.4])
@pytest.mark.parametrize("seed", range(3))
def test_brute_force_finds_the_same_peak_and_its_width(draw_probability: float, seed: int) -> None:
    source = random.Random(seed)
    entrants = names(4)
    margin = norm.ppf((draw_probability + 1) / 2) * math.sqrt(2) * BETA
    skills = {name: source.gauss(MU, 3) for name in entrants}
    results = [*played(skills, 12, source, margin), (("bot00", "bot03"), DRAWN)]
    minus = minus_log_posterior(entrants, results, draw_probability)
    found = minimize(minus, np.full(4, MU), method="Nelder-Mead", options={"fatol": 1e-12})
    ours = fit(entrants, results, draw_probability=draw_probability)
    assert ours.mu == pytest.approx(found.x, abs=0.001), f"seed {seed}"
    assert minus(ours.mu) <= found.fun + 1e-9

    step = 0.01
    hessian = np.empty((4, 4))
    for i, j in itertools.product(range(4), repeat=2):
        one, other = step * np.eye(4)[i], step * np.eye(4)[j]
        hessian[i, j] = (
            minus(ours.mu + one + other)
            - minus(ours.mu + one - other)
            - minus(ours.mu - one + other)
            + minus(ours.mu - one - other)
        ) / (4 * step**2)
    assert ours.covariance == pytest.approx(np.linalg.inv(hessian), rel=0.001), f"seed {seed}"


def test_the_functions_of_the_model_are_what_they_say_at_any_distance() -> None:
    z = np.concatenate([np.linspace(-60, 12, 2_000), [-1_000.0, -100.0, -35.0, 0.0, 39.0, 500.0]])
    assert strengths._log_cdf(z) == pytest.approx(special.log_ndtr(z), rel=1e-10, abs=1e-15)
    margin, step = 0.3, 1e-4

    def draw(at: NDArray[np.float64]) -> tuple[NDArray[np.float64], ...]:
        return strengths._draw(at, margin)

    near = z[np.abs(z) < 34]
    for function in (strengths._win, draw):
        _, slope, curvature = function(near)
        (after, slope_after, _), (before, slope_before, _) = (
            function(near + step),
            function(near - step),
        )
        assert slope == pytest.approx((after - before) / (2 * step), abs=1e-5)
        assert -curvature == pytest.approx((slope_after - slope_before) / (2 * step), abs=1e-5)
        assert np.all(curvature >= 0)
        for values in function(z):
            assert np.all(np.isfinite(values))


# --- The order of games, and of entrants ---


def test_no_order_changes_a_byte() -> None:
    source = random.Random(66)
    entrants = names(9)
    results = played({name: source.gauss(MU, 2) for name in entrants}, 6, source, margin=1.0)
    assert sum(outcome is DRAWN for _, outcome in results) > 5
    expected = fit(entrants, results)
    for _ in range(50):
        source.shuffle(entrants)
        source.shuffle(results)
        shuffled = fit(entrants, results)
        assert shuffled.entrants == expected.entrants
        assert shuffled.mu.tobytes() == expected.mu.tobytes()
        assert shuffled.covariance.tobytes() == expected.covariance.tobytes()


def test_which_seat_an_entrant_had_does_not_matter() -> None:
    one = fit("ab", [(("a", "b"), WON_BY_0), (("a", "b"), DRAWN)])
    other = fit("ab", [(("b", "a"), WON_BY_1), (("b", "a"), DRAWN)])
    assert one.mu.tobytes() == other.mu.tobytes()


def test_entrants_may_have_versions() -> None:
    found = fit([("a", "2"), ("a", "1")], [((("a", "1"), ("a", "2")), WON_BY_1)])
    assert found.entrants == (("a", "1"), ("a", "2"))
    assert found.superiority(("a", "2"), ("a", "1")) > 0.5


# --- What is level stays level ---


def test_without_games_all_are_level() -> None:
    found = fit("abc", [])
    assert found.mu.tolist() == [MU] * 3
    assert found.superiority("a", "b") == 0.5
    assert found.covariance == pytest.approx(np.eye(3) * SIGMA**2)
    assert fit([], []).entrants == ()


@pytest.mark.parametrize(
    "results",
    [
        [(("a", "b"), WON_BY_0), (("a", "b"), WON_BY_1)] * 20,
        [(("a", "b"), DRAWN)] * 5,
        [(("a", "b"), VOID)] * 5,
        [(("a", "b"), WON_BY_0), (("b", "c"), WON_BY_0), (("a", "c"), WON_BY_1)] * 7,
    ],
)
def test_equal_entrants_are_as_likely_either_way(results: list[Result]) -> None:
    found = fit("abc", results)
    assert found.mu == pytest.approx([MU] * 3, abs=1e-9)
    for one, other in itertools.permutations("abc", 2):
        assert found.superiority(one, other) == pytest.approx(0.5, abs=1e-9)


def test_one_game_by_hand() -> None:
    # With two entrants at 25 + x and 25 - x the posterior peaks where
    # 2x/sigma^2 = 2/c * pdf(z)/cdf(z), z = (2x - margin)/c, c = sqrt(2) * beta = 5.8926,
    # margin = 0.00739. For x = 3.1297: z = 1.06097, pdf/cdf = 0.22724/0.85565 = 0.26557,
    # and both sides of x/sigma^2 = 0.26557/c come to 0.04507.
    found = fit("ab", [(("a", "b"), WON_BY_0)])
    assert found.mu == pytest.approx([28.1297, 21.8703], abs=0.0001)
    # Its curvature along the difference: 1/sigma^2 + 2/c^2 * 0.26557 * (0.26557 + 1.06097)
    # = 0.014400 + 0.020292, hence the variance of the difference 2/0.034692 = 57.65, and a
    # is ahead by 6.2594/7.593 = 0.8244 standard deviations.
    assert found.superiority("a", "b") == pytest.approx(0.7951, abs=0.0001)
    assert found.of("a") == pytest.approx((28.1297, math.sqrt(57.65) / 2), abs=0.001)


def test_mirrored_results_give_mirrored_strengths() -> None:
    source = random.Random(3)
    results = played({"a": 28, "b": 25, "c": 22}, 10, source, margin=1.0)
    turned = [(seats[::-1], outcome) for seats, outcome in results]
    found, mirrored = fit("abc", results), fit("abc", turned)
    assert mirrored.mu == pytest.approx(2 * MU - found.mu, abs=1e-9)
    assert mirrored.superiority("a", "b") == pytest.approx(found.superiority("b", "a"), abs=1e-9)


def test_superiority_is_of_one_or_the_other() -> None:
    found = fit("abc", [(("a", "b"), WON_BY_0), (("b", "c"), DRAWN)])
    for one, other in itertools.combinations("abc", 2):
        total = found.superiority(one, other) + found.superiority(other, one)
        assert total == pytest.approx(1, abs=1e-12)


# --- What is planted is found ---


def test_strong_and_weak_are_told_apart_and_equals_are_not() -> None:
    skills = {"ace": 33.0, "twin1": 25.0, "twin2": 25.0, "weak": 17.0}
    found = fit(skills, played(skills, 40, random.Random(5)))
    assert found.superiority("ace", "twin1") > 0.999
    assert found.superiority("twin2", "weak") > 0.999
    assert 0.025 < found.superiority("twin1", "twin2") < 0.975
    # The prior pulls a little towards the middle; the differences are those planted.
    assert found.mu == pytest.approx(list(skills.values()), abs=1.5)


def test_a_draw_brings_entrants_together() -> None:
    def gap(*outcomes: GameOutcome) -> float:
        found = fit("ab", [(("a", "b"), outcome) for outcome in outcomes])
        return float(found.mu[0] - found.mu[1])

    assert 0 < gap(WON_BY_0, DRAWN) < gap(WON_BY_0)
    assert gap(FORFEITED_BY_0) == gap(WON_BY_1)
    assert gap(WON_BY_0, VOID) == gap(WON_BY_0)


def test_opponents_of_opponents_count() -> None:
    found = fit("abcd", [(("a", "b"), WON_BY_0), (("b", "c"), WON_BY_0), (("c", "d"), WON_BY_0)])
    assert found.superiority("a", "d") > found.superiority("a", "c") > found.superiority("a", "b")


def test_intervals_hold_as_often_as_they_say() -> None:
    # Strengths drawn as the prior has it: then the likelihoods are exact, up to the
    # normal approximation of the posterior.
    source = random.Random(2026)
    inside = above = count = 0
    expected = 0.0
    for _ in range(150):
        skills = {name: source.gauss(MU, SIGMA) for name in names(6)}
        found = fit(skills, played(skills, 8, source))
        for one, other in itertools.combinations(skills, 2):
            i, j = found.entrants.index(one), found.entrants.index(other)
            sd = math.sqrt(differences(found.covariance)[i, j])
            truth = skills[one] - skills[other]
            inside += abs(found.mu[i] - found.mu[j] - truth) < 1.96 * sd
            above += truth > 0
            expected += found.superiority(one, other)
            count += 1
    assert 0.93 < inside / count < 0.97
    assert above == pytest.approx(expected, abs=0.02 * count)


def test_the_uncertainty_of_all_together_is_left_out() -> None:
    source = random.Random(7)
    skills = dict.fromkeys(names(10), MU)
    found = fit(skills, played(skills, 100, source))
    for place, name in enumerate(found.entrants):
        _, sigma = found.of(name)
        assert sigma < 0.3
        assert math.sqrt(found.covariance[place, place]) > SIGMA / math.sqrt(10) * 0.99
    ours = np.array([found.of(name)[1] ** 2 for name in found.entrants])
    # Of n deviations from a mean, with differences of variance v: each has v/2 * (n - 1)/n.
    assert ours == pytest.approx(differences(found.covariance)[0, 1] / 2 * 0.9, rel=0.02)


# --- It always comes to an end ---


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """How likely each set of strengths was that a fit tried."""
    tried: list[float] = []
    likelihood = strengths._Games.likelihood

    def counted(self: strengths._Games, mu: NDArray[np.float64]) -> object:
        found = likelihood(self, mu)
        tried.append(found[0])
        return found

    monkeypatch.setattr(strengths._Games, "likelihood", counted)
    return tried


def ladder(rungs: int, games: int) -> list[Result]:
    ids = names(rungs + 1)
    return [(pair, WON_BY_0) for pair in itertools.pairwise(ids) for _ in range(games)]


@pytest.mark.parametrize(
    "results",
    [
        [(("bot00", "bot01"), WON_BY_0)] * 100_000,
        ladder(60, 200),
        [*ladder(60, 200), (("bot60", "bot00"), WON_BY_0)],
        [*ladder(60, 200), (("bot60", "bot00"), DRAWN)],
        [*ladder(60, 200), *[(("bot60", "bot00"), DRAWN)] * 1_000],
    ],
    ids=["one-sided", "ladder", "upset", "drawn", "often drawn"],
)
def test_extreme_results_are_fitted_in_few_steps(results: list[Result], steps: list[float]) -> None:
    found = fit(names(61), results)
    assert len(steps) < 30
    assert np.all(np.isfinite(found.mu))
    assert np.all(np.linalg.eigvalsh(found.covariance) > 0)
    # The peak: no step away from it is up.
    games = strengths._Games.of(found.entrants, results, DRAW_PROBABILITY)
    assert np.abs(games.likelihood(found.mu)[1]).max() < 1e-6


def test_a_step_too_far_is_taken_back(monkeypatch: pytest.MonkeyPatch, steps: list[float]) -> None:
    results = played({"a": 28, "b": 25, "c": 22}, 10, random.Random(3))
    expected = fit("abc", results)
    likelihood = strengths._Games.likelihood

    def flat(self: strengths._Games, mu: NDArray[np.float64]) -> object:
        # With a tenth of the curvature each step goes ten times too far.
        total, slope, curvature = likelihood(self, mu)
        return total, slope, curvature / 10

    monkeypatch.setattr(strengths._Games, "likelihood", flat)
    steps.clear()
    assert fit("abc", results).mu == pytest.approx(expected.mu, abs=1e-6)
    assert any(after < before for before, after in itertools.pairwise(steps))


def test_strangers_are_refused() -> None:
    for outcome in (WON_BY_0, VOID):
        with pytest.raises(ValueError, match="'c', who is not among the entrants"):
            fit("ab", [(("a", "c"), outcome)])


def test_the_result_says_who_is_who() -> None:
    found: Strengths[str] = fit(["b", "a"], [(("a", "b"), WON_BY_1)])
    assert found.entrants == ("a", "b")
    assert found.of("b")[0] > MU > found.of("a")[0]
