"""A stored tournament as its public record, whole or while it is played."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from support.records import KINDS, RULES, SEED, events_of, header, lines_of, play_games
from support.stored import LATER, NOW

from sixtysix import shuffle
from sixtysix.api import TournamentDefinition
from sixtysix.record import DealRecord, GameRecord, TournamentRecord, read_record
from sixtysix.reports import TournamentState
from sixtysix.rules import Ruleset
from sixtysix.verify import verify
from sixtysix_arena import queries
from sixtysix_arena.errors import NotFound
from sixtysix_arena.exports import game_record
from sixtysix_arena.queries import StoredArena
from sixtysix_arena.rerating import RATER
from sixtysix_arena.schedule import round_robin
from sixtysix_arena.store import DataFolder, Game, Store

CUP = header(games_per_pairing=4)
GAMES = play_games(CUP, dict(enumerate(KINDS, start=1)))
SECRET = replace(CUP, state=TournamentState.RUNNING, seed=None)


@pytest.fixture
def folder(tmp_path: Path) -> DataFolder:
    return DataFolder.open(tmp_path / "data", create=True)


@pytest.fixture
def store(folder: DataFolder) -> Iterator[Store]:
    with folder.lock() as lock, folder.open_store(lock) as opened:
        yield opened


@pytest.fixture
def stored(store: Store, folder: DataFolder) -> Iterator[StoredArena]:
    with folder.open_reader() as reader:
        yield StoredArena(reader)


def create(store: Store, cup: TournamentRecord) -> None:
    store.create_tournament(
        TournamentDefinition(
            name=cup.name,
            slug=cup.slug,
            rules=cup.rules,
            games_per_pairing=cup.games_per_pairing,
            games_at_once=4,
            entrants=tuple(entrant.id for entrant in cup.entrants),
            practice_seed=SEED.decode() if cup.practice else None,
            clock=cup.clock,
        ),
        seed=SEED,
        commitment=shuffle.commitment(SEED),
        at=NOW,
        request_id="",
    )
    for entrant in cup.entrants:
        store.freeze_version([cup.slug], entrant.id, entrant.version)


def start(store: Store, cup: TournamentRecord = CUP) -> list[int]:
    """Stores and starts it; the ids of its games."""
    create(store, cup)
    schedule = round_robin([entrant.id for entrant in cup.entrants], cup.games_per_pairing)
    store.start_tournament(cup.slug, schedule, NOW)
    return [game.id for game in store.games(cup.slug)]


def play(store: Store, ids: Sequence[int], games: Sequence[GameRecord]) -> None:
    for game in games:
        store.commit(events_of(ids[game.number - 1], game, CUP.rules))


def finish(store: Store) -> None:
    store.set_state("cup", TournamentState.FINISHED, LATER)


def without_comments(games: Sequence[GameRecord]) -> list[GameRecord]:
    return [
        replace(game, deals=tuple(replace(deal, comments={}) for deal in game.deals))
        for game in games
    ]


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_what_is_stored_is_exported_and_right(
    store: Store, stored: StoredArena, rules: Ruleset
) -> None:
    cup = header(rules, games_per_pairing=4)
    games = play_games(cup, dict(enumerate(KINDS, start=1)))
    ids = start(store, cup)
    for game in games:
        store.commit(events_of(ids[game.number - 1], game, rules))
    finish(store)
    lines = list(stored.export("cup"))
    assert lines == lines_of(cup, games)
    verdict = verify(lines)
    assert verdict.difference is None
    assert verdict.unchecked == ()


def test_the_board_is_the_canonical_one(store: Store, stored: StoredArena) -> None:
    play(store, start(store), GAMES)
    finish(store)
    *_, last = stored.export("cup")
    rows = last.removeprefix('{"round_count":3,').partition(',"type"')[0]
    assert "{" + rows + "}" == stored.board("cup").canonical


def test_while_it_is_played_what_is_over_is_exported(store: Store, stored: StoredArena) -> None:
    over = [GAMES[number - 1] for number in (2, 3, 5, 7, 1)]
    play(store, start(store), over)
    lines = list(stored.export("cup"))
    in_order = sorted(without_comments(over), key=lambda game: game.number)
    assert lines == lines_of(SECRET, in_order)
    assert any(deal.comments for game in over for deal in game.deals)
    text = "".join(lines)
    assert SEED.hex() not in text
    verdict = verify(lines)
    assert verdict.ok
    assert verdict.unchecked == ("packs unchecked, seed still secret",)


def test_a_seed_is_secret_until_the_tournament_is_finished(
    store: Store, stored: StoredArena
) -> None:
    play(store, start(store), GAMES)
    assert list(stored.export("cup")) == lines_of(SECRET, without_comments(GAMES))
    store.set_state("cup", TournamentState.STOPPED, LATER)
    assert SEED.hex() not in "".join(stored.export("cup"))
    finish(store)
    assert SEED.hex() in "".join(stored.export("cup"))


def test_before_it_starts(store: Store, stored: StoredArena) -> None:
    create(store, CUP)
    cup = replace(SECRET, state=TournamentState.CREATED)
    assert list(stored.export("cup")) == lines_of(cup, [])
    assert verify(stored.export("cup")).ok


def test_practice_is_marked(store: Store, stored: StoredArena) -> None:
    start(store, replace(CUP, practice=True))
    tournament = next(read_record(stored.export("cup")))
    assert tournament == replace(SECRET, practice=True)


@pytest.mark.parametrize("size", [1, 2, 3, 5, 11, 12, 13])
def test_the_same_whatever_the_pages(
    store: Store, stored: StoredArena, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    monkeypatch.setattr(queries, "EXPORT_PAGE_SIZE", size)
    over = [game for game in GAMES if game.number not in (1, 4, 12)]
    play(store, start(store), over)
    assert list(stored.export("cup")) == lines_of(SECRET, without_comments(over))


def test_an_export_tells_of_the_moment_when_it_was_asked_for(
    store: Store, stored: StoredArena, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queries, "EXPORT_PAGE_SIZE", 2)
    ids = start(store)
    play(store, ids, GAMES[:5])
    expected = lines_of(SECRET, without_comments(GAMES[:5]))
    lines = stored.export("cup")
    head = [next(lines), next(lines)]
    play(store, ids, GAMES[5:])
    finish(store)
    assert head + list(lines) == expected


def test_pages_are_read_only_when_they_are_needed(
    store: Store, stored: StoredArena, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queries, "EXPORT_PAGE_SIZE", 2)
    play(store, start(store), GAMES)
    read: list[int] = []

    def counted(game: Game, deals: tuple[DealRecord, ...]) -> GameRecord:
        read.append(game.number)
        return game_record(game, deals)

    monkeypatch.setattr(queries, "game_record", counted)
    lines = stored.export("cup")
    next(lines)
    assert read == []
    for _ in range(3):
        next(lines)
    assert read == [1, 2, 3, 4]


def test_no_such_tournament_is_said_at_once(stored: StoredArena) -> None:
    with pytest.raises(NotFound, match="no tournament 'nix'"):
        stored.export("nix")


def test_a_stored_game_that_was_touched_is_found(store: Store, stored: StoredArena) -> None:
    forged = [
        replace(game, outcome=replace(game.outcome, score=(8, 7), winner=0))
        if game.number == 9
        else game
        for game in GAMES
    ]
    play(store, start(store), forged)
    finish(store)
    found = verify(stored.export("cup")).difference
    assert found is not None
    assert found.place == "line 10, game cup.9"


def test_rating_again_gives_the_board_that_was_stored(store: Store, stored: StoredArena) -> None:
    play(store, start(store), GAMES)
    board = RATER.board(SECRET, store.outcomes("cup"))
    assert list(board.rows) == json.loads(stored.board("cup").canonical)["rows"]
    assert board.round_count == stored.board("cup").round_count
