"""How a tournament went, and its games by what is wanted of them: what pages read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from support.pages import SLUGS, filled_folder

from sixtysix.outcome import GameEnd
from sixtysix.reports import GameInfo, GameState
from sixtysix_arena.errors import Invalid, NotFound, WrongState
from sixtysix_arena.queries import StoredArena
from sixtysix_arena.ratings import rate
from sixtysix_arena.store import GameFilter


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StoredArena]:
    folder = filled_folder(tmp_path_factory.mktemp("courses") / "data")
    with folder.open_reader() as reader:
        yield StoredArena(reader)


def games(stored: StoredArena, **wanted: Any) -> list[int]:
    found = stored.filtered_games("spring", GameFilter(**wanted), 0, 1_000)
    return [game.number for game in found]


def those(stored: StoredArena, fits: object) -> list[int]:
    assert callable(fits)
    return [game.number for game in stored.games("spring") if fits(game)]


def is_won_by(name: str, game: GameInfo) -> bool:
    return game.winner is not None and game.entrants[game.winner] == name


def test_without_a_wish_all_games_come(stored: StoredArena) -> None:
    assert games(stored) == list(range(1, 13))


@pytest.mark.parametrize("name", ["ada", "bob", "house:random"])
def test_games_of_a_bot_by_result(stored: StoredArena, name: str) -> None:
    mine = those(stored, lambda game: name in game.entrants)
    assert games(stored, entrant=name) == mine
    won = those(stored, lambda game: is_won_by(name, game))
    assert games(stored, entrant=name, result="won") == won
    assert won
    lost = games(stored, entrant=name, result="lost")
    assert lost == those(
        stored,
        lambda game: (
            name in game.entrants and game.winner is not None and not is_won_by(name, game)
        ),
    )
    rest = games(stored, entrant=name, result="void") + games(stored, entrant=name, result="drawn")
    assert sorted(won + lost + rest) == mine


def test_games_of_a_pairing(stored: StoredArena) -> None:
    wanted = those(stored, lambda game: game.entrants == ("ada", "bob"))
    assert games(stored, entrant="ada", opponent="bob") == wanted
    assert games(stored, entrant="bob", opponent="ada") == wanted
    assert len(wanted) == 4


def test_games_by_state_and_end(stored: StoredArena) -> None:
    assert games(stored, result="over") == list(range(1, 13))
    assert games(stored, result="open") == games(stored, result="scheduled") == []
    assert games(stored, result="void") == those(stored, lambda game: game.end is GameEnd.VOID)
    live = {
        state: [
            game.number for game in stored.filtered_games("live", GameFilter(result=state), 0, 100)
        ]
        for state in ("over", "open", "scheduled")
    }
    assert live == {"over": [1, 2, 3], "open": [5], "scheduled": [4, 6]}
    drawn = stored.filtered_games("ends-classic", GameFilter(result="drawn"), 0, 100)
    assert [game.number for game in drawn] == [2]


def test_games_by_fault(stored: StoredArena) -> None:
    assert games(stored, fault="any") == [3, 4, 5]
    assert games(stored, fault="illegal") == [3]
    assert games(stored, fault="flood") == []
    faulty = next(game for game in stored.games("spring") if game.number == 3)
    assert faulty.winner is not None
    loser = faulty.entrants[1 - faulty.winner]
    assert 3 in games(stored, entrant=loser, fault="any")
    assert 3 not in games(stored, entrant=faulty.entrants[faulty.winner], fault="any")


def test_games_with_deals(stored: StoredArena) -> None:
    wanted = those(stored, lambda game: game.deal_count > 0)
    assert games(stored, has_deals=True) == wanted
    assert 5 not in wanted, "nobody came to game 5"
    assert games(stored, has_deals=True, fault="any") == [3, 4]


def test_games_come_page_by_page(stored: StoredArena) -> None:
    wanted = GameFilter(entrant="ada")
    first = stored.filtered_games("spring", wanted, 0, 3)
    then = stored.filtered_games("spring", wanted, first[-1].number, 100)
    assert [game.number for game in (*first, *then)] == games(stored, entrant="ada")


def test_strangers_and_half_wishes_are_refused(stored: StoredArena) -> None:
    with pytest.raises(NotFound, match="did you mean 'ada'"):
        games(stored, entrant="adda")
    with pytest.raises(NotFound):
        games(stored, entrant="ada", opponent="nobody")
    for result in ("won", "lost"):
        with pytest.raises(Invalid, match="by whom"):
            games(stored, result=result)
    with pytest.raises(NotFound):
        stored.filtered_games("nothing", GameFilter(), 0, 1)


@pytest.mark.parametrize("slug", SLUGS)
def test_a_course_ends_where_the_board_stands(stored: StoredArena, slug: str) -> None:
    course = stored.course(slug)
    board = stored.board(slug)
    assert course.board == board
    assert len(course.history) == board.round_count + 1
    for row in board.rows:
        last = course.history[-1][row.entrant]
        assert (last.mu, last.sigma) == (row.mu, row.sigma)
        cells = [cell for (one, _), cell in course.cells.items() if one == row.entrant]
        assert sum(cell.won for cell in cells) == row.won
        assert sum(cell.lost for cell in cells) == row.lost
        assert sum(cell.drawn for cell in cells) == row.drawn
        assert sum(cell.game_points_for for cell in cells) == row.game_points_for


def test_a_course_counts_whole_rounds_alone(stored: StoredArena) -> None:
    """The third game of the running tournament is over, and its round is not."""
    course = stored.course("live")
    assert course.board.round_count == 1
    assert sum(cell.games for cell in course.cells.values()) == 2  # One game, from both sides.
    first = [game for game in stored.games("live") if game.round == 1]
    assert {game.state for game in first} == {GameState.OVER}
    outcomes = stored._reader.outcomes("live")
    expected = rate(
        [row.entrant for row in course.board.rows],
        [(game.entrants, outcomes[game.number]) for game in first],
    )
    assert course.history[-1] == expected


def test_a_course_is_made_once(stored: StoredArena) -> None:
    assert stored.course("spring") is stored.course("spring")


def test_the_line_of_a_game_is_there_once_it_is_over(stored: StoredArena) -> None:
    record = stored.game_record("spring.3")
    assert record.outcome.reason == "illegal move AS: the card is not in hand"
    with pytest.raises(WrongState, match="not over"):
        stored.game_record("live.5")


def test_tournaments_of_a_bot(stored: StoredArena) -> None:
    found = [info.slug for info in stored.tournaments_of("house:random", 100)]
    assert set(found) == {"spring", "autumn", "live", "practice", "halted"}
    assert [info.slug for info in stored.tournaments_of("ada", 2)] == [
        info.slug for info in stored.tournaments() if "ada" in [e.id for e in info.entrants]
    ][:2]
    assert stored.tournaments_of("nobody", 5) == ()
