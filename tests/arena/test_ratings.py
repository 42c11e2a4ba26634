"""Ratings against TrueSkill's closed form, written here a second time."""

from __future__ import annotations

import math
import random
from statistics import NormalDist

import pytest
import trueskill

from sixtysix.outcome import Fault, GameEnd, GameOutcome
from sixtysix_arena import ratings
from sixtysix_arena.ratings import Rating, rate, rate_by_round

NORMAL = NormalDist()
Skill = tuple[float, float]
Result = tuple[tuple[str, str], GameOutcome]

WON_BY_0 = GameOutcome(GameEnd.TARGET, 0, (7, 3), 6)
WON_BY_1 = GameOutcome(GameEnd.TARGET, 1, (3, 7), 6)
DRAWN = GameOutcome(GameEnd.DEAL_LIMIT, None, (5, 5), 200)
VOID = GameOutcome(GameEnd.VOID, None, (6, 0), 4, reason="both bots were away")
FORFEITED_BY_0 = GameOutcome(GameEnd.FORFEIT, 1, (6, 0), 4, Fault.TIMEOUT)


def closed_form(
    one: Skill,
    other: Skill,
    *,
    drawn: bool = False,
    tau: float = 0.0,
    draw_probability: float = 0.001,
) -> tuple[Skill, Skill]:
    """One game between two entrants, `one` having won unless it was drawn.

    Herbrich, Minka and Graepel, "TrueSkill: A Bayesian Skill Rating System",
    with the mean and variance of a normal distribution cut off at the draw
    margin (from below after a win, from both sides after a draw).
    """
    beta = 25 / 6
    (mu_one, var_one), (mu_other, var_other) = (
        (mu, sigma**2 + tau**2) for mu, sigma in (one, other)
    )
    c = math.sqrt(2 * beta**2 + var_one + var_other)
    margin = NORMAL.inv_cdf((draw_probability + 1) / 2) * math.sqrt(2) * beta / c
    d = (mu_one - mu_other) / c
    if drawn:
        low, high = -margin - d, margin - d
        mass = NORMAL.cdf(high) - NORMAL.cdf(low)
        v = (NORMAL.pdf(low) - NORMAL.pdf(high)) / mass
        w = v**2 + (high * NORMAL.pdf(high) - low * NORMAL.pdf(low)) / mass
    else:
        v = NORMAL.pdf(d - margin) / NORMAL.cdf(d - margin)
        w = v * (v + d - margin)
    return (
        (mu_one + var_one / c * v, math.sqrt(var_one * (1 - var_one / c**2 * w))),
        (mu_other - var_other / c * v, math.sqrt(var_other * (1 - var_other / c**2 * w))),
    )


def pair(rating: Rating) -> Skill:
    return rating.mu, rating.sigma


def after(*outcomes: GameOutcome) -> tuple[Skill, Skill]:
    rated = rate(["a", "b"], [(("a", "b"), outcome) for outcome in outcomes])
    return pair(rated["a"]), pair(rated["b"])


def random_results(entrants: list[str], count: int, seed: int) -> list[Result]:
    source = random.Random(seed)
    outcomes = [WON_BY_0] * 6 + [WON_BY_1] * 3 + [DRAWN, VOID, FORFEITED_BY_0]
    results = []
    for _ in range(count):
        low, high = sorted(source.sample(entrants, 2))
        results.append(((low, high), source.choice(outcomes)))
    return results


def test_closed_form_gives_the_published_values_for_published_parameters() -> None:
    fresh = (25.0, 25 / 3)
    winner, loser = closed_form(fresh, fresh, tau=25 / 300, draw_probability=0.1)
    assert winner == pytest.approx((29.396, 7.171), abs=0.0005)
    assert loser == pytest.approx((20.604, 7.171), abs=0.0005)
    drawn, _ = closed_form(fresh, fresh, drawn=True, tau=25 / 300, draw_probability=0.1)
    assert drawn == pytest.approx((25.0, 6.458), abs=0.0005)


def test_parameters() -> None:
    assert (ratings.MU, ratings.SIGMA, ratings.BETA) == (25, 25 / 3, 25 / 6)
    assert (ratings.TAU, ratings.DRAW_PROBABILITY) == (0, 0.001)
    assert Rating() == Rating(25, 25 / 3)
    assert Rating(30, 2).conservative == 24


def test_first_game_of_two_fresh_entrants() -> None:
    # Without drift and with draws almost impossible both figures differ from
    # the published 29.396 and 7.171. By hand: c = sqrt(2*beta^2 + 2*sigma^2)
    # = 13.176, margin = 0.00739/c = 0.00056, v = 0.79825, w = 0.63676, hence
    # 25 + sigma^2/c*v = 29.207 and sigma*sqrt(1 - sigma^2/c^2*w) = 7.194.
    winner, loser = after(WON_BY_0)
    assert winner == pytest.approx((29.207, 7.194), abs=0.0005)
    assert loser == pytest.approx((20.793, 7.194), abs=0.0005)


def test_first_game_drawn() -> None:
    # The trap of draw probability 0: sigma would grow to 9.588 without an error.
    one, other = after(DRAWN)
    assert one == pytest.approx((25.0, 6.455), abs=0.0005)
    assert other == pytest.approx(one, abs=1e-9)


def test_a_draw_moves_both_towards_each_other() -> None:
    (mu_a, sigma_a), (mu_b, sigma_b) = after(WON_BY_0, DRAWN)
    (before_a, sigma_before), (before_b, _) = after(WON_BY_0)
    assert before_b < mu_b < mu_a < before_a
    assert sigma_a < sigma_before
    assert sigma_b < sigma_before


def test_the_winner_is_a_seat() -> None:
    (a, b), (b_first, a_first) = after(WON_BY_0), after(WON_BY_1)
    assert a_first == pytest.approx(a, abs=1e-12)
    assert b_first == pytest.approx(b, abs=1e-12)
    assert a[0] > b[0]


def test_forfeits_count_like_any_win() -> None:
    assert after(FORFEITED_BY_0) == after(WON_BY_1)


def test_a_draw_is_a_deal_limit_without_a_winner() -> None:
    assert after(GameOutcome(GameEnd.DEAL_LIMIT, 0, (9, 5), 200)) == after(WON_BY_0)


def test_void_games_are_skipped() -> None:
    assert after(VOID) == after()
    assert after(WON_BY_0, VOID, DRAWN, VOID) == after(WON_BY_0, DRAWN)


def test_entrants_without_games_keep_the_first_rating() -> None:
    rated = rate(["a", "b", "c"], [(("a", "b"), WON_BY_0)])
    assert list(rated) == ["a", "b", "c"]
    assert pair(rated["c"]) == pytest.approx((25.0, 25 / 3), abs=1e-12)
    assert rate([], []) == {}


def test_keys_may_be_more_than_names() -> None:
    rated = rate([("a", "1"), ("a", "2")], [((("a", "1"), ("a", "2")), WON_BY_0)])
    assert rated[("a", "1")].mu > rated[("a", "2")].mu


def test_strangers_are_refused() -> None:
    for outcome in (WON_BY_0, VOID):
        with pytest.raises(ValueError, match="'c', who is not among the entrants"):
            rate(["a", "b"], [(("a", "c"), outcome)])


@pytest.mark.parametrize("seed", range(3))
def test_a_whole_tournament_agrees_with_the_closed_form(seed: int) -> None:
    entrants = list("abcdefgh")
    results = random_results(entrants, 600, seed)
    expected: dict[str, Skill] = dict.fromkeys(entrants, (25.0, 25 / 3))
    for (low, high), outcome in results:
        if outcome.end is GameEnd.VOID:
            continue
        one, other = (low, high) if outcome.winner in (0, None) else (high, low)
        expected[one], expected[other] = closed_form(
            expected[one], expected[other], drawn=outcome.winner is None
        )
    rated = rate(entrants, results)
    for entrant in entrants:
        assert pair(rated[entrant]) == pytest.approx(expected[entrant], abs=0.001), f"seed {seed}"


def test_single_games_agree_with_the_closed_form() -> None:
    source = random.Random(66)
    for _ in range(300):
        one, other = ((source.uniform(5, 45), source.uniform(0.3, 8.4)) for _ in range(2))
        for drawn in (False, True):
            rated = ratings._updated(trueskill.Rating(*one), trueskill.Rating(*other), drawn=drawn)
            expected = closed_form(one, other, drawn=drawn)
            for skill, wanted in zip(rated, expected, strict=True):
                assert (skill.mu, skill.sigma) == pytest.approx(wanted, abs=0.001)


def test_the_plain_package_gives_the_very_same_ratings() -> None:
    environment = trueskill.TrueSkill(25, 25 / 3, 25 / 6, tau=0, draw_probability=0.001)
    results = [each for each in random_results(list("abcd"), 200, 1) if each[1] is not VOID]
    skills = {name: environment.create_rating() for name in "abcd"}
    for (low, high), outcome in results:
        ranks = {0: [0, 1], 1: [1, 0], None: [0, 0]}[outcome.winner]
        (skills[low],), (skills[high],) = environment.rate(
            [(skills[low],), (skills[high],)], ranks=ranks
        )
    assert rate("abcd", results) == {
        name: Rating(skill.mu, skill.sigma) for name, skill in skills.items()
    }


def test_the_package_wide_environment_does_not_matter() -> None:
    before = after(WON_BY_0, DRAWN)
    try:
        trueskill.setup(mu=1000, sigma=300, beta=150, tau=3, draw_probability=0.5)
        assert after(WON_BY_0, DRAWN) == before
    finally:
        trueskill.setup()


def test_the_order_of_games_matters_so_callers_sort() -> None:
    # What makes the fixed order necessary: the same two results, turned round.
    assert after(WON_BY_0, WON_BY_1) != after(WON_BY_1, WON_BY_0)


# --- Entrants so far apart that the package raises FloatingPointError ---


def ladder(name: str, outcome: GameOutcome) -> list[Result]:
    """Each newcomer plays the one before it only, and always with the same outcome."""
    return [
        ((f"{name}{rung:02}", f"{name}{rung + 1:02}"), outcome)
        for rung in range(35)
        for _ in range(60)
    ]


def test_a_gap_beyond_the_package_is_rated_all_the_same() -> None:
    climb = ladder("up", WON_BY_1) + ladder("down", WON_BY_0)
    entrants = sorted({entrant for seats, _ in climb for entrant in seats})
    before = rate(entrants, climb)
    bottom, top = before["down35"], before["up35"]
    plain = trueskill.TrueSkill(25, 25 / 3, 25 / 6, tau=0, draw_probability=0.001)
    skills = [(trueskill.Rating(*pair(top)),), (trueskill.Rating(*pair(bottom)),)]
    for ranks in ([0, 1], [1, 0], [0, 0]):
        with pytest.raises(FloatingPointError):
            plain.rate(skills, ranks=ranks)

    foregone = rate(entrants, [*climb, (("down35", "up35"), WON_BY_1)])
    assert pair(foregone["up35"]) == pytest.approx(pair(top), abs=1e-9)
    assert pair(foregone["down35"]) == pytest.approx(pair(bottom), abs=1e-9)
    for outcome in (WON_BY_0, DRAWN):
        rated = rate(entrants, [*climb, (("down35", "up35"), outcome)])
        assert bottom.mu < rated["down35"].mu
        assert rated["up35"].mu < top.mu
        assert rated["down35"].sigma < bottom.sigma
        assert rated["up35"].sigma < top.sigma


@pytest.mark.parametrize("drawn", [False, True])
@pytest.mark.parametrize("sigma", [0.3, 1.0, 3.0, 25 / 3])
@pytest.mark.parametrize("sign", [-1, 1])
def test_limits_join_the_package_without_a_step(drawn: bool, sigma: float, sign: int) -> None:
    spread = math.sqrt(2 * (25 / 6) ** 2 + sigma**2 + (sigma / 2) ** 2)
    gap = sign * 31.0
    one = trueskill.Rating(25 + gap * spread, sigma)
    other = trueskill.Rating(25, sigma / 2)
    by_limits = ratings._updated(one, other, drawn=drawn)
    environment = trueskill.TrueSkill(25, 25 / 3, 25 / 6, tau=0, draw_probability=0.001)
    (by_package,), (by_package_other,) = environment.rate(
        [(one,), (other,)], ranks=[0, 0 if drawn else 1]
    )
    for limit, package in zip(by_limits, (by_package, by_package_other), strict=True):
        assert (limit.mu, limit.sigma) == pytest.approx((package.mu, package.sigma), abs=0.0005)


def test_nothing_raises_at_any_distance() -> None:
    for mu in (0, 100, 200, 225, 230, 300, 1_000, 100_000):
        for sigma in (0.01, 1, 8):
            for drawn in (False, True):
                for one, other in (((mu, sigma), (0, sigma)), ((0, sigma), (mu, sigma))):
                    rated = ratings._updated(
                        trueskill.Rating(*one), trueskill.Rating(*other), drawn=drawn
                    )
                    assert all(0 < skill.sigma <= sigma * 1.000001 for skill in rated)


def test_ratings_by_round_end_with_the_rating_of_all() -> None:
    entrants = ["ada", "bob", "cleo"]
    results = random_results(entrants, 60, seed=66)
    rounds = [results[start : start + 20] for start in range(0, 60, 20)]
    history = rate_by_round(entrants, rounds)
    assert history[0] == dict.fromkeys(entrants, Rating())
    for count, rated in enumerate(history):
        assert rated == rate(entrants, results[: 20 * count])
    assert len(history) == 4


def test_ratings_by_round_refuse_strangers_and_may_be_of_no_round() -> None:
    assert rate_by_round(["ada"], []) == [{"ada": Rating()}]
    with pytest.raises(ValueError, match="stranger"):
        rate_by_round(["ada"], [random_results(["ada", "stranger"], 1, seed=1)])
