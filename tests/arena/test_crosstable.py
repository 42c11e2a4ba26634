"""Who won against whom."""

from __future__ import annotations

from sixtysix.outcome import Fault, GameEnd, GameOutcome
from sixtysix_arena.crosstable import Cell, cross_table
from sixtysix_arena.schedule import ScheduledGame
from sixtysix_arena.standings import PlayedGame


def game(
    number: int, winner: int | None, score: tuple[int, int], end: GameEnd = GameEnd.TARGET
) -> PlayedGame:
    fault = Fault.TIMEOUT if end is GameEnd.FORFEIT else None
    scheduled = ScheduledGame(number, 1, ("ada", "bob"), number - 1)
    return PlayedGame(scheduled, GameOutcome(end, winner, score, 5, fault))


def test_every_pairing_is_there_from_both_sides() -> None:
    table = cross_table(
        [
            game(1, 0, (8, 3)),
            game(2, 1, (2, 9)),
            game(3, 0, (8, 7)),
            game(4, None, (5, 5), GameEnd.DEAL_LIMIT),
            game(5, 1, (1, 0), GameEnd.FORFEIT),
            game(6, None, (4, 4), GameEnd.VOID),
        ]
    )
    assert table == {
        ("ada", "bob"): Cell(2, 1, 2, 24, 24),
        ("bob", "ada"): Cell(2, 1, 2, 24, 24),
    }


def test_the_other_side_is_turned() -> None:
    table = cross_table([game(1, 0, (8, 3)), game(2, None, (5, 6), GameEnd.DEAL_LIMIT)])
    assert table["ada", "bob"] == Cell(1, 1, 0, 13, 9)
    assert table["bob", "ada"] == Cell(0, 1, 1, 9, 13) == table["ada", "bob"].turned
    assert table["ada", "bob"].share == 0.75
    assert table["bob", "ada"].share == 0.25


def test_without_games_there_is_no_share() -> None:
    assert cross_table([]) == {}
    assert cross_table([game(1, None, (0, 0), GameEnd.VOID)]) == {}
    assert Cell().share is None
    assert Cell(1, 2, 3).games == 6
