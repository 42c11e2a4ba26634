"""What a tournament's page tells while no round is complete."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from support.pages import Served, put, serving
from support.records import header
from support.stored import LATER, NOW

from sixtysix.outcome import Fault, GameEnd, GameOutcome
from sixtysix.reports import TournamentState
from sixtysix.rules import RULESETS
from sixtysix_arena.store import DataFolder, GameOpened, GameOver, StoreReader
from sixtysix_arena.web import sofar

LOW_WON = GameOutcome(GameEnd.TARGET, 0, (7, 2), 5)
HIGH_WON = GameOutcome(GameEnd.TARGET, 1, (1, 8), 5)
DRAWN = GameOutcome(GameEnd.DEAL_LIMIT, None, (3, 3), 9)
VOID = GameOutcome(GameEnd.VOID, None, (0, 0), 0, reason="both bots were away")
LOW_FORFEITED = GameOutcome(GameEnd.FORFEIT, 1, (0, 0), 1, Fault.TIMEOUT, "no move")
FOUR = ("bob", "ada", "house:random", "dora")
"""Their first round: ada against house:random, and bob against dora."""


@contextmanager
def told(
    tmp_path: Path,
    outcomes: Sequence[GameOutcome | None],
    entrants: Sequence[str] = FOUR,
    games_per_pairing: int = 2,
    rules: str = "classic",
) -> Iterator[tuple[Served, DataFolder]]:
    """The pages of a cup whose games ended like that, in the order of the schedule."""
    folder = DataFolder.open(tmp_path / "data", create=True)
    record = header(RULESETS[rules], entrants=entrants, games_per_pairing=games_per_pairing)
    with folder.lock() as lock, folder.open_store(lock) as store:
        ids = put(store, record)
        store.commit([GameOpened(each) for each in ids[: len(outcomes) + 1]])
        ends = zip(ids, outcomes, strict=False)
        store.commit([GameOver(game, outcome) for game, outcome in ends if outcome is not None])
    with serving(folder.path) as pages:
        yield pages, folder


def rows(text: str) -> list[list[str]]:
    """The table of the games so far, with its columns; empty if there is none."""
    place = re.search(r'<div id="so-far">(.*?</(?:table|ul)>)', text, re.DOTALL)
    assert place is not None, "no place for it"
    cells = [re.findall(r"<t[hd].*?</t[hd]>", row) for row in place[1].split("<tr>")[1:]]
    return [[re.sub("<[^>]+>", "", cell) for cell in row] for row in cells]


# One game of the first round is not over.
ALL_BUT_ONE = [None, LOW_WON, LOW_WON, DRAWN, *[HIGH_WON] * 6, VOID, LOW_FORFEITED]


def test_games_are_told_by_entrant_while_no_round_is_complete(tmp_path: Path) -> None:
    with told(tmp_path, ALL_BUT_ONE[:10]) as (pages, _):
        text = pages.get("/t/cup").text
        assert rows(text) == [
            ["Entrant", "Games over", "Won", "Drawn", "Lost"],
            ["ada", "5", "1", "0", "4"],
            ["bob", "6", "3", "1", "2"],
            ["dora", "4", "2", "1", "1"],
            ["house:random", "3", "2", "0", "1"],
        ]
        assert "so nobody is ranked: the order is alphabetical." in text
        assert '<ul class="plain"><li><a class="bot"' not in text
        assert [f'href="/b/{name}"' in text for name in ("ada", "house%3Arandom")] == [True] * 2


def test_void_games_and_faults_are_told_where_there_are_any(tmp_path: Path) -> None:
    with told(tmp_path, ALL_BUT_ONE) as (pages, _):
        text = pages.get("/t/cup").text
        first, *entrants = rows(text)
        assert first[-2:] == ["Void", "Faults"]
        by_name = {row[0]: row[1:] for row in entrants}
        voids = {name: row[4] for name, row in by_name.items()}
        faults = {name: row[5] for name, row in by_name.items()}
        assert sorted(voids.values()) == ["0", "0", "1", "1"]
        assert sorted(faults.values()) == ["0", "0", "0", "1"]
        for kind, counts in (("result=void", voids), ("fault=any", faults)):
            for name, count in counts.items():
                address = f"/t/cup/games?bot={name.replace(':', '%3A')}&{kind}"
                link = f'href="{address}"'.replace("&", "&amp;")
                assert (link in text) is (count != "0")
                found = pages.get(address).text.count('<th scope="row">')
                assert found == int(count), (name, kind)
        for row in by_name.values():
            over, *results = map(int, row[:5])
            assert over == sum(results)


def test_a_table_can_be_read_without_seeing_it(tmp_path: Path) -> None:
    with told(tmp_path, ALL_BUT_ONE) as (pages, _):
        place = pages.get("/t/cup").text.partition('id="so-far"')[2].partition("</table>")[0]
        assert 'class="scroll" tabindex="0" role="region" aria-label="So far"' in place
        assert '<caption class="unseen">How the games came out that are over' in place
        assert place.count('<th scope="col"') == place.count("<th ") - len(FOUR) == 7
        assert place.count('<th scope="row"') == len(FOUR)
        assert "aria-live" not in place


@pytest.mark.parametrize(("rules", "word"), [("classic", "партий"), ("last-trick", "игр")])
def test_it_is_told_in_russian_in_the_words_of_the_rules(
    tmp_path: Path, rules: str, word: str
) -> None:
    with told(tmp_path, ALL_BUT_ONE, rules=rules) as (pages, _):
        text = pages.get("/t/cup", accept_language="ru").text
        assert rows(text)[0][1] == f"Сыграно {word}"
        assert "<h2>Промежуточные итоги</h2>" in text
        assert "порядок алфавитный." in text


def test_before_the_first_game_is_over_the_entrants_are_listed(tmp_path: Path) -> None:
    with told(tmp_path, []) as (pages, _):
        text = pages.get("/t/cup").text
        assert rows(text) == []
        assert '<div id="so-far"><h2>Entrants</h2>' in text.replace("\n", "")
        assert text.count('<li><a class="bot"') == 4
        assert pages.get("/t/cup.json").json()["so_far"] == []


def test_nothing_is_told_of_games_that_are_not_over(tmp_path: Path) -> None:
    with told(tmp_path, [LOW_WON]) as (pages, folder):
        before = rows(pages.get("/t/cup").text)
        with folder.lock() as lock, folder.open_store(lock) as store:
            second = list(store.games("cup"))[1]
            assert second.state == "open"
            store.void_game("cup", 1, (), "the fire alarm", NOW)
        after = pages.get("/t/cup").text
    assert [row[1] for row in before[1:]] == ["1", "0", "0", "1"]
    assert rows(after) == [], "the game is to be played anew"


@pytest.mark.parametrize("state", [TournamentState.RUNNING, TournamentState.STOPPED])
def test_it_is_gone_once_a_round_is_complete(tmp_path: Path, state: TournamentState) -> None:
    with told(tmp_path, ALL_BUT_ONE) as (pages, folder):
        assert rows(pages.get("/t/cup").text)
        with folder.lock() as lock, folder.open_store(lock) as store:
            store.commit([GameOver(next(iter(store.games("cup"))).id, LOW_WON)])
            store.set_state("cup", state, LATER)
        text = pages.get("/t/cup").text
        assert 'id="so-far"' not in text
        assert "So far" not in text
        assert "<h2>Board</h2>" in text
        assert pages.get("/t/cup.json").json()["so_far"] == []


def test_many_entrants_are_listed_and_their_games_not_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted = []
    count = StoreReader.games_so_far

    def counting(self: StoreReader, slug: str) -> object:
        counted.append(slug)
        return count(self, slug)

    monkeypatch.setattr(StoreReader, "games_so_far", counting)
    names = [f"bot-{number:02}" for number in range(sofar.ENTRANTS_COUNT + 1)]
    with told(tmp_path / "many", [LOW_WON], names, 2) as (pages, _):
        text = pages.get("/t/cup").text
        assert rows(text) == []
        assert text.count('<li><a class="bot"') == len(names)
        assert "No round is complete yet" in text
        assert counted == []
    with told(tmp_path / "fewer", [LOW_WON], names[1:], 2) as (pages, _):
        assert len(rows(pages.get("/t/cup").text)) == len(names)
        assert counted == ["cup"]


def test_no_ranks_are_in_the_table_before_there_are_any(tmp_path: Path) -> None:
    with told(tmp_path, ALL_BUT_ONE) as (pages, folder):
        board = list(csv.DictReader(pages.get("/t/cup.csv").text.splitlines()))
        assert [row["entrant"] for row in board] == sorted(FOUR)
        assert [row["rank"] for row in board] == [""] * 4
        assert [row["games"] for row in board] == ["0"] * 4
        data = pages.get("/t/cup.json").json()
        assert [each["entrant"] for each in data["so_far"]] == sorted(FOUR)
        with folder.lock() as lock, folder.open_store(lock) as store:
            store.commit([GameOver(next(iter(store.games("cup"))).id, LOW_WON)])
            store.set_state("cup", TournamentState.FINISHED, LATER)
        board = list(csv.DictReader(pages.get("/t/cup.csv").text.splitlines()))
        assert [row["rank"] for row in board] == ["1", "2", "3", "4"]
        # The standing board has no rounds, and ranks.
        standing = list(csv.DictReader(pages.get("/leaderboard.csv").text.splitlines()))
        assert [row["rank"] for row in standing] == ["1", "2", "3", "4"]
