"""Bots of one owner: what is odd is told, and honest bots are left in peace."""

from __future__ import annotations

import itertools
import random
from collections.abc import Mapping

import numpy as np
import pytest
from scipy import stats

from sixtysix.outcome import Fault, GameEnd, GameOutcome
from sixtysix.reports import OwnerPairing
from sixtysix_arena import owners as owners_module
from sixtysix_arena.owners import PAIRINGS_TOLD, owner_pairings
from sixtysix_arena.reasons import bank_text, giving_up_text
from sixtysix_arena.schedule import round_robin
from sixtysix_arena.standings import PlayedGame
from sixtysix_arena.strengths import expected_share, fit

ANNS = {"a1": "Ann", "a2": "Ann", "a3": "Ann"}
OTHERS = ("b", "c", "d", "e")
LEVEL = dict.fromkeys((*ANNS, *OTHERS), 25.0)

WON = GameOutcome(GameEnd.TARGET, 0, (7, 3), 6)
LOST = GameOutcome(GameEnd.TARGET, 1, (3, 7), 6)
DRAWN = GameOutcome(GameEnd.DEAL_LIMIT, None, (40, 40), 200)


def forfeited(winner: int, fault: Fault = Fault.LEFT, reason: str = "") -> GameOutcome:
    told = reason or giving_up_text("x", "its code failed")
    return GameOutcome(GameEnd.FORFEIT, winner, (0, 0), 0, fault, told)


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


def odd(told: tuple[OwnerPairing, ...]) -> set[tuple[str, str]]:
    return {each.entrants for each in told if each.is_odd}


def test_threat_33_three_bots_of_one_owner_that_throw_games_are_told_of() -> None:
    games = tournament(LEVEL, 40)
    for loser in ("a2", "a3"):
        games = instead(games, ("a1", loser), dict.fromkeys(range(40), WON))
    told = owner_pairings(games, ANNS)
    assert odd(told) == {("a1", "a2"), ("a1", "a3")}
    assert [each.entrants for each in told[2:]] == [("a2", "a3")]
    assert told[0].owner == "Ann"
    assert (told[0].won, told[0].drawn, told[0].lost) == (40, 0, 0)
    assert told[0].expected_share == pytest.approx(0.5, abs=0.1)
    assert told[0].chance < 1e-4


@pytest.mark.parametrize(
    ("fault", "reason"),
    [(Fault.LEFT, ""), (Fault.ILLEGAL, "no trump"), (Fault.TIMEOUT, bank_text(1_500))],
)
def test_threat_33_a_bot_that_gives_games_away_to_its_owners_other_bot_is_told_of(
    fault: Fault, reason: str
) -> None:
    """Six of twenty lost games may be chance; six that a bot throws as no others are not."""
    thrown = dict.fromkeys(range(6), forfeited(0, fault, reason))
    told = owner_pairings(instead(tournament(LEVEL, 20), ("a1", "a2"), thrown), ANNS)
    assert odd(told) == {("a1", "a2")}
    assert (told[0].thrown, told[0].games) == (6, 14)
    assert told[0].chance > 0.05
    assert told[0].thrown_chance == pytest.approx(2 * stats.hypergeom.sf(5, 100, 6, 20))


def away(games: list[PlayedGame], fault: Fault, reason: str, rounds: range) -> list[PlayedGame]:
    """The same games, but those of a2 in some rounds are lost."""
    return [
        PlayedGame(each.game, forfeited(1 - each.game.entrants.index("a2"), fault, reason))
        if "a2" in each.game.entrants and each.game.round in rounds
        else each
        for each in games
    ]


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        (Fault.TIMEOUT, "no answer to game cup.7 deal 0 ply 1 in time: a move has 1000 ms"),
        (Fault.DISCONNECT, "a2 was away for more than 10000 ms"),
        (Fault.NO_SHOW, "a2 did not join within 30000 ms"),
        (Fault.FLOOD, "a2 floods"),
        (Fault.MALFORMED, "11 bytes that are no frame"),
        (Fault.LEFT, "a2 said goodbye"),
        (Fault.LEFT, "the organiser disabled a2: it was rude"),
    ],
)
def test_a_bot_that_is_away_helps_nobody(fault: Fault, reason: str) -> None:
    """For a round, which is one pairing, or from some round to the end."""
    games = tournament(LEVEL, 40)
    (met,) = {each.game.round for each in games if each.game.entrants == ("a1", "a2")}
    for rounds in (range(met, met + 1), range(met, 99)):
        told = owner_pairings(away(games, fault, reason, rounds), ANNS)
        assert not odd(told)
        by_pairing = {each.entrants: each for each in told}
        gone = by_pairing["a1", "a2"]
        assert (gone.games, gone.share, gone.thrown, gone.chance) == (0, None, 0, 1.0)


def test_a_bot_that_throws_games_everywhere_helps_nobody() -> None:
    games = tournament(LEVEL, 20)
    for pairing in itertools.combinations(sorted(LEVEL), 2):
        if "a2" in pairing:
            thrown = forfeited(1 - pairing.index("a2"), Fault.ILLEGAL)
            games = instead(games, pairing, dict.fromkeys(range(20), thrown))
    told = owner_pairings(games, ANNS)
    assert not odd(told)
    assert {each.entrants: each for each in told}["a1", "a2"].thrown == 20


def test_a_bot_that_fails_against_some_opponents_helps_nobody() -> None:
    """As if it did not know what to do once somebody closes."""
    games = tournament(LEVEL, 40)
    for other in ("a1", "b"):
        pairing = (other, "a2") if other < "a2" else ("a2", other)
        thrown = forfeited(1 - pairing.index("a2"), Fault.ILLEGAL)
        games = instead(games, pairing, dict.fromkeys(range(0, 40, 4), thrown))
    assert not odd(owner_pairings(games, ANNS))


def test_bots_that_suit_some_opponents_more_are_not_odd(monkeypatch: pytest.MonkeyPatch) -> None:
    """What strengths do not explain elsewhere is not odd between bots of one owner either."""
    rng = random.Random(66)
    tournaments = []
    for _ in range(20):
        taste = {pairing: rng.gauss(0, 4) for pairing in itertools.combinations(sorted(LEVEL), 2)}
        shares = {pairing: expected_share(np.array([gap]))[0] for pairing, gap in taste.items()}
        tournaments.append(
            [
                PlayedGame(game, WON if rng.random() < shares[game.entrants] else LOST)
                for game in round_robin(list(LEVEL), 100)
            ]
        )
    assert sum(bool(odd(owner_pairings(games, ANNS))) for games in tournaments) <= 3
    monkeypatch.setattr(owners_module, "_scatter", lambda *_: 0.0)
    assert sum(bool(odd(owner_pairings(games, ANNS))) for games in tournaments) > 10


def test_how_much_pairings_scatter_is_found() -> None:
    rng = random.Random(66)
    found = []
    for _ in range(10):
        games: dict[tuple[str, str], owners_module._Games] = {}
        for pairing in itertools.combinations([f"x{number:02}" for number in range(20)], 2):
            share = expected_share(np.array([rng.gauss(0, 3)]))[0]
            games[pairing] = owners_module._Games()
            for _ in range(100):
                games[pairing].add(WON if rng.random() < share else LOST)
        results = ((each, won) for each, played in games.items() for won in played.played)
        strengths = fit({entrant for pairing in games for entrant in pairing}, results)
        found.append(owners_module._scatter(games, strengths))
    assert np.mean(found) == pytest.approx(3, rel=0.1)


def test_honest_bots_are_odd_as_seldom_as_is_said() -> None:
    """In at most one of a hundred tournaments: of 300, seven or more are by chance one in 30."""
    rng = random.Random(66)
    alarms = 0
    for seed in range(300):
        strengths = {entrant: rng.gauss(25, 4) for entrant in LEVEL}
        alarms += bool(odd(owner_pairings(tournament(strengths, 10, seed), ANNS)))
    assert alarms < 7


def test_bots_of_different_strength_are_expected_to_win_otherwise() -> None:
    games = tournament(LEVEL | {"a1": 34.0}, 100)
    told = {each.entrants: each for each in owner_pairings(games, ANNS)}
    assert told["a1", "a2"].expected_share > 0.85
    assert not odd(owner_pairings(games, ANNS)), "it wins as it does elsewhere"
    # The strong one loses half of its games to the weak one.
    halves = {index: LOST if index % 2 else WON for index in range(100)}
    assert odd(owner_pairings(instead(games, ("a1", "a2"), halves), ANNS)) == {("a1", "a2")}


def test_nothing_is_told_where_there_is_nothing_to_compare() -> None:
    games = tournament(LEVEL, 2)
    assert owner_pairings(games, {}) == ()
    assert owner_pairings(games, {"a1": "Ann", "b": "Bob"}) == ()
    assert owner_pairings([], ANNS) == ()
    all_of_one = dict.fromkeys(LEVEL, "Ann")
    assert owner_pairings(games, all_of_one) == ()


def test_no_order_of_games_changes_anything() -> None:
    games = tournament(LEVEL, 6)
    turned = random.Random(1).sample(games, len(games))
    assert owner_pairings(turned, ANNS) == owner_pairings(games, ANNS)


def test_the_least_likely_come_first_and_not_too_many_are_told() -> None:
    many = {f"x{number:02}": 25.0 for number in range(16)} | {"y": 25.0}
    games = tournament(many, 2)
    told = owner_pairings(games, {name: "X" for name in many if name != "y"})
    assert len(told) == PAIRINGS_TOLD < 16 * 15 // 2
    chances = [min(each.chance, each.thrown_chance) for each in told]
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
    found = owners_module._as_many(here, games, elsewhere, games_elsewhere)
    assert found == pytest.approx(stats.fisher_exact(table, alternative="greater").pvalue)


@pytest.mark.parametrize("what", ["chance", "thrown_chance"])
@pytest.mark.parametrize(("owned", "limit"), [(("a1", "a2"), 0.005), (tuple(ANNS), 0.01 / 6)])
def test_what_is_odd_is_so_beyond_a_limit_for_all_that_is_looked_at(
    what: str, owned: tuple[str, ...], limit: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One in a hundred tournaments: of one pairing or of three, and each is looked at twice."""
    games = tournament(LEVEL, 2)
    for chance, is_odd in ((limit * 0.99, True), (limit * 1.01, False)):
        share, thrown = (chance, 1.0) if what == "chance" else (1.0, chance / 2)
        monkeypatch.setattr(owners_module, "_share_and_chance", lambda *_, it=share: (0.5, it))
        monkeypatch.setattr(owners_module, "_thrown_chance", lambda *_, it=thrown: it)
        told = owner_pairings(games, dict.fromkeys(owned, "Ann"))
        assert {each.is_odd for each in told} == {is_odd}
        assert all(getattr(each, what) == pytest.approx(chance) for each in told)


def test_owners_are_compared_as_people_do() -> None:
    games = tournament(LEVEL, 2)
    told = owner_pairings(games, {"a1": "Ann", "a2": "ANN", "a3": "\uff21nn", "b": "Anna"})
    assert {each.entrants for each in told} == {("a1", "a2"), ("a1", "a3"), ("a2", "a3")}


def test_an_owner_of_a_crowd_is_no_person(monkeypatch: pytest.MonkeyPatch) -> None:
    games = tournament(LEVEL, 2)
    monkeypatch.setattr(owners_module, "PAIRINGS_LOOKED_AT", 3)
    assert len(owner_pairings(games, ANNS)) == 3
    assert owner_pairings(games, {**ANNS, "b": "Ann"}) == ()


def test_draws_count_half() -> None:
    games = instead(tournament(LEVEL, 4), ("a1", "a2"), dict.fromkeys(range(4), DRAWN))
    told = {each.entrants: each for each in owner_pairings(games, ANNS)}["a1", "a2"]
    assert (told.won, told.drawn, told.lost, told.games, told.share) == (0, 4, 0, 4, 0.5)
    assert 0.5 < told.chance < 1
