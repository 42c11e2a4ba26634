"""Bots of one owner: what is odd is told, and honest bots are left in peace."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Mapping

import numpy as np
import pytest
from scipy import stats

from sixtysix.outcome import Fault, GameEnd, GameOutcome
from sixtysix.reports import SharedOwner
from sixtysix_arena import owners as owners_module
from sixtysix_arena.owners import PAIRINGS_TOLD, shared_owners
from sixtysix_arena.schedule import round_robin
from sixtysix_arena.standings import PlayedGame
from sixtysix_arena.strengths import expected_share

ANNS = {"a1": "Ann", "a2": "Ann", "a3": "Ann"}
OTHERS = ("b", "c", "d", "e")
LEVEL = dict.fromkeys((*ANNS, *OTHERS), 25.0)

WON = GameOutcome(GameEnd.TARGET, 0, (7, 3), 6)
LOST = GameOutcome(GameEnd.TARGET, 1, (3, 7), 6)
DRAWN = GameOutcome(GameEnd.DEAL_LIMIT, None, (40, 40), 200)
GIVEN_UP = {
    winner: GameOutcome(GameEnd.FORFEIT, winner, (0, 0), 0, Fault.TIMEOUT, "too late")
    for winner in (0, 1)
}


def tournament(
    strengths: Mapping[str, float], games_per_pairing: int, seed: int = 0
) -> list[PlayedGame]:
    """Games as bots of these strengths play them."""
    rng = random.Random(seed)
    played = []
    for game in round_robin(list(strengths), games_per_pairing):
        one, other = (strengths[entrant] for entrant in game.entrants)
        share = expected_share(np.array([one - other]))[0]
        played.append(PlayedGame(game, WON if rng.random() < share else LOST))
    return played


def instead(
    games: list[PlayedGame], pairing: tuple[str, str], outcomes: Mapping[int, GameOutcome]
) -> list[PlayedGame]:
    """The same games, but those of a pairing ended otherwise, by their index in it."""
    return [
        PlayedGame(played.game, outcomes.get(played.game.game_index, played.outcome))
        if played.game.entrants == pairing
        else played
        for played in games
    ]


def odd(told: tuple[SharedOwner, ...]) -> set[tuple[str, str]]:
    return {each.entrants for each in told if each.is_odd}


def test_threat_33_three_bots_of_one_owner_that_throw_games_are_told_of() -> None:
    games = tournament(LEVEL, 40)
    for loser in ("a2", "a3"):
        games = instead(games, ("a1", loser), dict.fromkeys(range(40), WON))
    told = shared_owners(games, ANNS)
    assert odd(told) == {("a1", "a2"), ("a1", "a3")}
    assert [each.entrants for each in told[2:]] == [("a2", "a3")]
    assert told[0].owner == "Ann"
    assert (told[0].won, told[0].drawn, told[0].lost) == (40, 0, 0)
    assert told[0].expected_share == pytest.approx(0.5, abs=0.1)
    assert told[0].chance < 1e-4


def test_threat_33_a_bot_that_gives_games_up_to_its_owners_other_bot_is_told_of() -> None:
    """Six of twenty lost games may be chance; six forfeits of a bot that never forfeits are not."""
    games = instead(tournament(LEVEL, 20), ("a1", "a2"), dict.fromkeys(range(6), GIVEN_UP[0]))
    told = shared_owners(games, ANNS)
    assert odd(told) == {("a1", "a2")}
    assert told[0].forfeits == 6
    assert told[0].chance > 0.05
    assert told[0].forfeit_chance < 1e-4


def test_a_bot_that_forfeits_everywhere_helps_nobody() -> None:
    games = tournament(LEVEL, 20)
    for pairing in itertools.combinations(sorted(LEVEL), 2):
        if "a2" in pairing:
            winner = 1 - pairing.index("a2")
            games = instead(games, pairing, dict.fromkeys(range(20), GIVEN_UP[winner]))
    told = shared_owners(games, ANNS)
    assert not odd(told)
    by_pairing = {each.entrants: each for each in told}
    assert by_pairing["a1", "a2"].forfeits == 20
    assert by_pairing["a1", "a2"].expected_share > 0.9


def test_honest_bots_are_odd_as_seldom_as_is_said() -> None:
    """In at most one of a hundred tournaments: of 300, seven or more are by chance one in 30."""
    rng = random.Random(66)
    alarms = 0
    for seed in range(300):
        strengths = {entrant: rng.gauss(25, 4) for entrant in LEVEL}
        alarms += bool(odd(shared_owners(tournament(strengths, 10, seed), ANNS)))
    assert alarms < 7


def test_bots_of_different_strength_are_expected_to_win_otherwise() -> None:
    games = tournament(LEVEL | {"a1": 34.0}, 100)
    told = {each.entrants: each for each in shared_owners(games, ANNS)}
    assert told["a1", "a2"].expected_share > 0.85
    assert not odd(shared_owners(games, ANNS)), "it wins as it does elsewhere"
    # The strong one loses half of its games to the weak one.
    halves = {index: LOST if index % 2 else WON for index in range(100)}
    assert odd(shared_owners(instead(games, ("a1", "a2"), halves), ANNS)) == {("a1", "a2")}


def test_nothing_is_told_where_there_is_nothing_to_compare() -> None:
    games = tournament(LEVEL, 2)
    assert shared_owners(games, {}) == ()
    assert shared_owners(games, {"a1": "Ann", "b": "Bob"}) == ()
    assert shared_owners([], ANNS) == ()
    all_of_one = dict.fromkeys(LEVEL, "Ann")
    assert shared_owners(games, all_of_one) == ()


def test_no_order_of_games_changes_anything() -> None:
    games = tournament(LEVEL, 6)
    turned = random.Random(1).sample(games, len(games))
    assert shared_owners(turned, ANNS) == shared_owners(games, ANNS)


def test_the_least_likely_come_first_and_not_too_many_are_told() -> None:
    many = {f"x{number:02}": 25.0 for number in range(16)} | {"y": 25.0}
    games = tournament(many, 2)
    told = shared_owners(games, {name: "X" for name in many if name != "y"})
    assert len(told) == PAIRINGS_TOLD < 16 * 15 // 2
    chances = [min(each.chance, each.forfeit_chance) for each in told]
    assert chances == sorted(chances)


@pytest.mark.parametrize(
    ("won", "drawn", "games"), [(9, 0, 10), (0, 0, 10), (4, 3, 12), (1, 0, 1), (700, 1, 1200)]
)
def test_the_likelihood_of_a_share_is_that_of_the_binomial_distribution(
    won: int, drawn: int, games: int
) -> None:
    """With strengths that are known exactly; half a game counts as what is nearer."""
    expected, chance = owners_module._share_and_chance(2 * won + drawn, games, 2.0, 1e-9)
    share = float(expected_share(np.array([2.0]))[0])
    assert expected == pytest.approx(share)
    halves = 2 * won + drawn
    at_most = stats.binom.cdf(-(-halves // 2), games, share)
    at_least = stats.binom.sf(halves // 2 - 1, games, share)
    assert chance == pytest.approx(min(1.0, 2 * at_most, 2 * at_least), rel=1e-6)


def test_the_likelihood_of_a_share_takes_in_how_sure_the_strengths_are() -> None:
    """By brute force: strengths are drawn, then games."""
    rng = np.random.default_rng(66)
    differences = rng.normal(1.0, 3.0, 400_000)
    won = rng.binomial(20, expected_share(differences))
    expected, chance = owners_module._share_and_chance(2 * 4, 20, 1.0, 3.0)
    assert expected == pytest.approx(won.mean() / 20, abs=0.002)
    assert chance == pytest.approx(2 * (won <= 4).mean(), rel=0.03)


@pytest.mark.parametrize(("difference", "sigma"), [(90.0, 11.0), (-90.0, 11.0), (0.0, 12.0)])
@pytest.mark.parametrize("halves", [0, 10, 20])
def test_a_likelihood_is_one_however_far_apart_bots_are(
    difference: float, sigma: float, halves: int
) -> None:
    expected, chance = owners_module._share_and_chance(halves, 10, difference, sigma)
    assert 0 <= expected <= 1
    assert 0 <= chance <= 1


@pytest.mark.parametrize(
    ("here", "games", "elsewhere", "games_elsewhere"),
    [
        (0, 10, 0, 50),
        (3, 10, 0, 50),
        (3, 10, 30, 50),
        (10, 10, 50, 50),
        (5, 10, 0, 0),
    ],
)
def test_the_likelihood_of_forfeits_is_fishers(
    here: int, games: int, elsewhere: int, games_elsewhere: int
) -> None:
    table = [[here, games - here], [elsewhere, games_elsewhere - elsewhere]]
    found = owners_module._as_many(
        Counter({("x", True): here, ("x", False): games - here}),
        Counter({("x", True): elsewhere, ("x", False): games_elsewhere - elsewhere}),
        "x",
    )
    assert found == pytest.approx(stats.fisher_exact(table, alternative="greater").pvalue)


def test_draws_count_half() -> None:
    games = instead(tournament(LEVEL, 4), ("a1", "a2"), dict.fromkeys(range(4), DRAWN))
    told = {each.entrants: each for each in shared_owners(games, ANNS)}["a1", "a2"]
    assert (told.won, told.drawn, told.lost, told.games, told.share) == (0, 4, 0, 4, 0.5)
    assert 0.5 < told.chance < 1
