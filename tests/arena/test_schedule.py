"""The round robin: complete, fair, and the same whatever order entrants come in."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations, groupby

import pytest

from sixtysix_arena.schedule import ScheduledGame, round_robin

SIZES = range(2, 14)
NAMES = ["house:random", "house:greedy", "zeta", "a", "b-2", "b_2", "b2", "alpha", "m", "house:a"]
NAMES += ["0", "n9", "alphabet"]


def entrants_of(size: int) -> list[str]:
    return random.Random(size).sample(NAMES, size)


def rounds_of(games: tuple[ScheduledGame, ...]) -> list[list[tuple[str, str]]]:
    """Per round its pairings, each once, in order."""
    return [
        [pairing for pairing, _ in groupby(game.entrants for game in round_games)]
        for _, round_games in groupby(games, key=lambda game: game.round)
    ]


def test_four_entrants_in_full() -> None:
    games = round_robin(["d", "b", "a", "c"], 2)
    assert [(g.number, g.round, *g.entrants, g.game_index, g.first_dealer) for g in games] == [
        (1, 1, "a", "d", 0, 0),
        (2, 1, "a", "d", 1, 1),
        (3, 1, "b", "c", 0, 0),
        (4, 1, "b", "c", 1, 1),
        (5, 2, "a", "c", 0, 0),
        (6, 2, "a", "c", 1, 1),
        (7, 2, "b", "d", 0, 0),
        (8, 2, "b", "d", 1, 1),
        (9, 3, "a", "b", 0, 0),
        (10, 3, "a", "b", 1, 1),
        (11, 3, "c", "d", 0, 0),
        (12, 3, "c", "d", 1, 1),
    ]


def test_three_entrants_have_a_bye_each() -> None:
    assert rounds_of(round_robin(["a", "b", "c"], 2)) == [[("b", "c")], [("a", "c")], [("a", "b")]]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("games_per_pairing", [2, 6])
def test_every_pairing_plays_all_its_games_once(size: int, games_per_pairing: int) -> None:
    entrants = entrants_of(size)
    games = round_robin(entrants, games_per_pairing)
    counts = Counter((frozenset(game.entrants), game.game_index) for game in games)
    assert counts == {
        (frozenset(pairing), game_index): 1
        for pairing in combinations(entrants, 2)
        for game_index in range(games_per_pairing)
    }
    rounds = rounds_of(games)
    assert Counter(pairing for pairings in rounds for pairing in pairings) == Counter(
        {game.entrants: 1 for game in games}
    )


@pytest.mark.parametrize("size", SIZES)
def test_nobody_plays_two_pairings_in_a_round_and_byes_are_shared(size: int) -> None:
    entrants = entrants_of(size)
    rounds = rounds_of(round_robin(entrants, 2))
    assert len(rounds) == (size if size % 2 else size - 1)
    byes: Counter[str] = Counter()
    for pairings in rounds:
        playing = [entrant for pairing in pairings for entrant in pairing]
        assert len(playing) == len(set(playing)) == size - size % 2
        byes.update(set(entrants) - set(playing))
    assert byes == Counter(entrants if size % 2 else [])


@pytest.mark.parametrize("size", SIZES)
def test_games_are_numbered_by_round_pairing_and_index(size: int) -> None:
    games = round_robin(entrants_of(size), 4)
    assert [game.number for game in games] == list(range(1, len(games) + 1))
    assert [game.round for game in games] == sorted(game.round for game in games)
    assert games[0].round == 1
    assert {game.round for game in games} == set(range(1, games[-1].round + 1))
    assert [game.game_index for game in games] == [0, 1, 2, 3] * (len(games) // 4)
    for start in range(0, len(games), 4):
        assert len({(game.round, game.entrants) for game in games[start : start + 4]}) == 1


@pytest.mark.parametrize("size", SIZES)
def test_seat_0_has_the_lower_id_and_each_deals_first_in_half(size: int) -> None:
    games = round_robin(entrants_of(size), 6)
    for game in games:
        assert game.entrants[0].encode() < game.entrants[1].encode()
    first = Counter(game.entrants[game.first_dealer] for game in games)
    assert set(first.values()) == {3 * (size - 1)}


@pytest.mark.parametrize("size", SIZES)
def test_the_order_of_the_entrants_does_not_matter(size: int) -> None:
    entrants = entrants_of(size)
    expected = round_robin(entrants, 2)
    source = random.Random(size)
    for _ in range(20):
        source.shuffle(entrants)
        assert round_robin(tuple(entrants), 2) == expected


def test_ids_are_ordered_by_their_bytes() -> None:
    assert round_robin(["house:a", "b_2", "b-2", "b2"], 2)[0].entrants == ("b-2", "house:a")
    ordered = sorted({entrant for game in round_robin(NAMES, 2) for entrant in game.entrants})
    assert ordered == sorted(NAMES, key=str.encode)


@pytest.mark.parametrize(
    ("entrants", "games_per_pairing", "message"),
    [
        ([], 2, "at least two entrants, got 0"),
        (["a"], 2, "at least two entrants, got 1"),
        (["a", "b", "a"], 2, "entrant 'a' is listed twice"),
        (["a", "b"], 3, r"games_per_pairing must be even and at least 2, .* got 3"),
        (["a", "b"], 1, "must be even"),
        (["a", "b"], 0, "at least 2"),
        (["a", "b"], -2, "at least 2"),
    ],
)
def test_impossible_tournaments_are_refused(
    entrants: list[str], games_per_pairing: int, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        round_robin(entrants, games_per_pairing)


def test_a_schedule_cannot_be_changed() -> None:
    games = round_robin(["a", "b"], 2)
    assert isinstance(games, tuple)
    with pytest.raises(AttributeError):
        games[0].number = 7  # type: ignore[misc]
