"""Forged boards are found by counting and rating again, though all digests fit."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from support.forgeries import (
    CUP,
    GAMES,
    LINES,
    Change,
    Contents,
    difference,
    told,
)
from support.records import lines_of, tampered

from sixtysix.verify import installed_rater, rating, verify

# The board


def row(place: int, **values: Any) -> Change:
    return lambda contents: contents[-1]["rows"][place - 1].update(values)


BOARD_CHANGES: dict[str, tuple[Change, str]] = {
    "round_count": (lambda c: c[-1].update(round_count=2), "round_count: expected 3, found 2"),
    "a row less": (lambda c: c[-1]["rows"].pop(), "rows: expected 3 rows, one for each entrant"),
    "a row twice": (
        lambda c: c[-1]["rows"].__setitem__(1, c[-1]["rows"][0] | {"rank": 2}),
        "row 2 entrant: expected another entrant in each row",
    ),
    "rank": (row(2, rank=1), "row 2 rank: expected 2, found 1"),
    "games": (row(1, games=99), "row 1 games: expected 7, found 99"),
    "won": (row(1, won=99), "row 1 won: expected "),
    "void": (row(1, void=9), "row 1 void: expected 1, found 9"),
    "faults": (row(3, faults={"flood": 1}), "row 3 faults: expected "),
    "version": (row(1, version="2"), "row 1 version: expected "),
    "version in the header": (
        lambda c: c[0]["entrants"][0].update(version="2"),
        'version: expected "2", found "a-1.0 \\u00fc"',
    ),
    "rating": (row(1, rating="99.000"), "row 1 rating: expected "),
    "mu": (row(1, mu="99.000"), "row 1 rating: expected "),
}


@pytest.mark.parametrize("what", BOARD_CHANGES)
def test_a_board_that_counts_wrongly_is_found_without_rating_it(what: str) -> None:
    change, expected = BOARD_CHANGES[what]
    found = difference(tampered(LINES, change), find_rater=lambda: None)
    assert found.place == "line 14"
    assert expected in str(found)


def test_rows_in_another_order_are_found() -> None:
    def change(contents: Contents) -> None:
        rows = contents[-1]["rows"]
        rows[0], rows[1] = rows[1] | {"rank": 1}, rows[0] | {"rank": 2}

    assert "row 1 entrant: expected " in told(change)
    found = difference(tampered(LINES, change), find_rater=lambda: None)
    assert found.what == "row 1 entrant"


def test_another_rating_is_found_by_rating_again() -> None:
    def change(contents: Contents) -> None:
        first = contents[-1]["rows"][0]
        for key in ("mu", "rating"):
            first[key] = f"{float(first[key]) + 1:.3f}"

    lines = tampered(LINES, change)
    found = difference(lines)
    assert (found.place, found.what) == ("line 14", "row 1 mu")
    assert f"{float(found.expected.strip(chr(34))) + 1:.3f}" == found.found.strip('"')
    unrated = verify(lines, find_rater=lambda: None)
    assert unrated.ok
    assert unrated.unchecked == ("ratings unchecked, the arena is not installed",)


def test_other_parameters_are_found() -> None:
    assert told(lambda contents: contents[0]["rating"].update(tau="0.1")) == (
        "line 14: rating.tau: expected 0.0, which this version rates with, found 0.1"
    )


def test_the_result_of_a_game_that_is_changed_everywhere_is_found_by_its_moves() -> None:
    """A forger who makes the board fit as well cannot make the moves fit."""
    forged = [
        replace(game, outcome=replace(game.outcome, winner=1 - (game.outcome.winner or 0)))
        if game.number == 9
        else game
        for game in GAMES
    ]
    found = difference(lines_of(CUP, forged))
    assert (found.place, found.what) == ("line 10, game cup.9", "winner")


# Who rates


def test_the_installed_arena_rates(monkeypatch: pytest.MonkeyPatch) -> None:
    rater = installed_rater()
    assert rater is not None
    assert rater.parameters == CUP.rating
    monkeypatch.setattr(rating, "ENTRY_POINTS", "sixtysix.nobody")
    assert installed_rater() is None
    assert verify(LINES).unchecked == ("ratings unchecked, the arena is not installed",)


def test_an_arena_without_what_it_needs_does_not_rate(monkeypatch: pytest.MonkeyPatch) -> None:
    class Point:
        def load(self) -> object:
            raise ModuleNotFoundError("No module named 'trueskill'", name="trueskill")

    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: [Point()])
    assert installed_rater() is None
