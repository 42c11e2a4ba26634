"""Games that are void are told wherever games are counted."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.pages import Served, play_all, put, serving
from support.records import events_of, header, play_games
from support.stored import LATER, NOW

from sixtysix.reports import TournamentState
from sixtysix_arena.store import DataFolder

PLAYED = 7
"""Games of twelve, of which one is void; the others were not begun when all was ended."""


@pytest.fixture
def pages(tmp_path: Path) -> Iterator[Served]:
    folder = DataFolder.open(tmp_path / "data", create=True)
    with folder.lock() as lock, folder.open_store(lock) as store:
        play_all(store, header(slug="whole"), {})
        record = header(entrants=("ada", "bob", "cleo", "dora"))
        ids = put(store, record)
        for game, played in list(zip(ids, play_games(record, {2: "void"}), strict=True))[:PLAYED]:
            store.commit(events_of(game, played, record.rules))
        store.end_tournament("cup", "the organiser ended the tournament", "enough", NOW)
        store.set_state("cup", TournamentState.FINISHED, LATER)
    with serving(folder.path) as served:
        yield served


@pytest.mark.parametrize("address", ["/t/cup", "/t", "/"])
def test_a_page_says_how_many_games_are_void(pages: Served, address: str) -> None:
    assert "6 of them void" in pages.get(address).text
    assert "из них аннулировано 6" in pages.get(address, accept_language="ru").text


def test_a_tournament_that_was_ended_does_not_look_played(pages: Served) -> None:
    text = pages.get("/t/cup").text
    assert "<progress" not in text
    bar = re.search(r'<rect class="played" width="([\d.]+)%".*?x1="([\d.]+)%" x2="([\d.]+)%"', text)
    assert bar is not None
    assert [float(each) for each in bar.groups()] == [50, 50, 100]
    assert "ended early" in text.partition("</h1>")[2][:200]
    assert 'href="/t/cup/games?result=void"' in text
    assert pages.get("/t/cup/games?result=void").text.count('<th scope="row">') == 6


def test_the_board_has_a_column_for_void_games(pages: Served) -> None:
    text = pages.get("/t/cup").text
    rows = pages.get("/t/cup.json").json()["board"]["rows"]
    assert sum(row["void"] for row in rows) == 12
    for row in rows:
        name = row["entrant"]
        told = f'href="/t/cup/games?bot={name}&amp;result=void">{row["void"]}<'
        assert told in text
        assert told in pages.get(f"/b/{name}").text
    assert "/numbers#void" in pages.get("/leaderboard").text


def test_void_games_are_in_the_data(pages: Served) -> None:
    assert pages.get("/t/cup.json").json()["tournament"]["games_void_count"] == 6
    for address in ("/t.json", "/index.json"):
        counts = {each["slug"]: each["games_void_count"] for each in pages.get(address).json()}
        assert counts == {"cup": 6, "whole": 0}
    rows = csv.DictReader(pages.get("/t.csv").text.splitlines())
    assert {row["slug"]: row["games_void"] for row in rows} == {"cup": "6", "whole": "0"}


def test_nothing_is_said_of_void_games_where_there_are_none(pages: Served) -> None:
    text = pages.get("/t/whole").text
    assert "<progress" in text
    assert "void" not in text.lower()
    assert "early" not in text
