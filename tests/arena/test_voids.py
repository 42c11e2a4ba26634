"""How many games are void: what is kept is what is stored, whatever happens in between."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.pages import put
from support.records import header
from support.stored import LATER, NOW

from sixtysix.outcome import GameEnd, GameOutcome
from sixtysix.reports import TournamentState
from sixtysix_arena import voids
from sixtysix_arena.queries import StoredArena
from sixtysix_arena.store import DataFolder, GameOver, Store, StoreReader

VOID = GameOutcome(GameEnd.VOID, None, (0, 0), 0, reason="both bots were away")
WON = GameOutcome(GameEnd.TARGET, 0, (7, 0), 3)
LAST = 100


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    folder = DataFolder.open(tmp_path / "data", create=True)
    with folder.lock() as lock, folder.open_store(lock) as opened:
        yield opened


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """The rounds whose games are looked at, from the first to the last of them."""
    rounds = []
    count = StoreReader.void_count

    def counting(self: StoreReader, slug: str, after: int = 0, last: int | None = None) -> int:
        rounds.append((after + 1, last or LAST))
        return count(self, slug, after, last)

    monkeypatch.setattr(StoreReader, "void_count", counting)
    return rounds


def told(stored: StoredArena, slug: str = "cup") -> int | None:
    """What is told, after it was looked up that this is what is stored."""
    info = stored.with_void_count(stored.tournament(slug))
    assert info.games_void_count == stored.with_mishaps(info).games_void_count
    return info.games_void_count


def test_void_games_are_counted_as_they_come(store: Store) -> None:
    stored = StoredArena(store)
    ids = put(store, header(entrants=("ada", "bob", "cleo", "dora"), games_per_pairing=4))
    assert told(stored) == 0
    expected = 0
    # From both ends of the schedule: void games of rounds that are not whole count too.
    for place, game in enumerate([*ids[:10], *reversed(ids[10:])]):
        store.commit([GameOver(game, VOID if place % 3 else WON)])
        expected += bool(place % 3)
        assert told(stored) == expected
    assert expected == 16
    store.set_state("cup", TournamentState.FINISHED, LATER)
    assert told(stored) == expected
    assert told(StoredArena(store)) == expected


def test_whole_rounds_are_looked_at_once(store: Store, counted: list[tuple[int, int]]) -> None:
    stored = StoredArena(store)
    ids = put(store, header(entrants=("ada", "bob", "cleo", "dora")))
    assert told(stored) == 0
    assert counted == [], "nothing is over"
    store.commit([GameOver(each, VOID) for each in ids[:9]])
    assert told(stored) == 9
    assert counted == [(1, 2), (3, LAST)]
    assert told(stored) == 9
    assert counted[2:] == [(3, LAST)]
    store.commit([GameOver(each, VOID) for each in ids[9:]])
    store.set_state("cup", TournamentState.FINISHED, LATER)
    counted.clear()
    assert told(stored) == 12
    assert counted
    counted.clear()
    assert told(stored) == 12
    assert counted == [], "after the end nothing changes"


def test_a_game_that_is_played_anew_is_counted_anew(store: Store) -> None:
    stored = StoredArena(store)
    ids = put(store, header(entrants=("ada", "bob", "cleo", "dora")))
    store.commit([GameOver(each, VOID) for each in ids[:8]])
    assert told(stored) == 8
    store.void_game("cup", 1, (), "the fire alarm", NOW)
    assert told(stored) == 7
    store.commit([GameOver(ids[0], WON)])
    assert told(stored) == 7
    store.end_tournament("cup", "the organiser ended the tournament", "enough", NOW)
    assert told(stored) == 11


def test_another_tournament_of_the_same_name_is_another_one(
    store: Store, counted: list[tuple[int, int]]
) -> None:
    stored = StoredArena(store)
    ids = put(store, header())
    store.commit([GameOver(each, VOID) for each in ids])
    store.set_state("cup", TournamentState.FINISHED, LATER)
    assert told(stored) == 6
    counted.clear()
    info = stored.tournament("cup")
    stored.with_void_count(replace(info, created_at=LATER))
    assert counted


def test_not_more_games_are_void_than_are_over(store: Store) -> None:
    """Whatever ended between two looks."""
    stored = StoredArena(store)
    ids = put(store, header())
    store.commit([GameOver(each, VOID) for each in ids[:3]])
    before = stored.tournament("cup")
    store.commit([GameOver(ids[3], VOID)])
    assert stored.with_void_count(before).games_void_count == 3


def test_not_more_counts_are_kept_than_have_room(
    store: Store, monkeypatch: pytest.MonkeyPatch, counted: list[Any]
) -> None:
    monkeypatch.setattr(voids, "COUNTS_KEPT", 2)
    stored = StoredArena(store)
    for slug in ("one", "two", "three"):
        ids = put(store, header(slug=slug))
        store.commit([GameOver(each, VOID) for each in ids])
        store.set_state(slug, TournamentState.FINISHED, LATER)
        assert told(stored, slug) == 6
    counted.clear()
    assert told(stored, "three") == 6
    assert counted == []
    assert told(stored, "one") == 6
    assert counted
