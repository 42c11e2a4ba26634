"""Old tournaments move into their records: all of one, and never the last copy."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import select
from support.records import header, lines_of, play_games
from support.stored import CUP, NOW, SEED, create, start

from sixtysix.clock import Clock
from sixtysix.outcome import Fault, GameEnd, GameOutcome
from sixtysix.record import MadeMove, RecordError, open_record, save_record
from sixtysix.reports import ActionInfo, ActionKind, TournamentState
from sixtysix.shuffle import commitment
from sixtysix.wire import pack_moves, unpack_moves
from sixtysix_arena.errors import Exists, NotFound, Unavailable, WrongState
from sixtysix_arena.pruning import Pruned, days_ago, prunable, prune
from sixtysix_arena.queries import StoredArena
from sixtysix_arena.restoring import restore_records
from sixtysix_arena.store import (
    DataFolder,
    DealStarted,
    FaultEvidence,
    GameOpened,
    GameOver,
    MovesMade,
    Store,
    Validation,
    models,
)
from sixtysix_arena.store.engine import open_engine

SPRING, SUMMER = (header(slug=slug) for slug in ("spring", "summer"))
LINES = {cup.slug: lines_of(cup, play_games(cup)) for cup in (SPRING, SUMMER)}
LATER = "2026-03-01T12:00:00Z"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A folder with two finished tournaments of the same bots."""
    for slug, lines in LINES.items():
        save_record(lines, tmp_path / f"{slug}.jsonl")
    restore_records([tmp_path / f"{slug}.jsonl" for slug in LINES], tmp_path / "data")
    return tmp_path / "data"


@contextmanager
def writing(data: Path) -> Iterator[Store]:
    folder = DataFolder.open(data, create=False)
    with folder.lock() as lock, folder.open_store(lock) as store:
        yield store


@pytest.fixture
def store(data: Path) -> Iterator[Store]:
    with writing(data) as opened:
        yield opened


def counts(data: Path) -> dict[str, int]:
    engine = open_engine(data / "arena.db", writing=False)
    try:
        with engine.begin() as connection:
            return {
                table.name: len(connection.execute(select(table)).all())
                for table in models.metadata.sorted_tables
            }
    finally:
        engine.dispose()


def read(path: Path) -> list[str]:
    with open_record(path) as lines:
        return [line.decode() for line in lines]


def finish(store: Store, slug: str, at: str) -> None:
    """A tournament to which nobody came."""
    store.create_tournament(
        replace(CUP, slug=slug, clock=Clock()), seed=SEED, commitment=commitment(SEED), at=NOW
    )
    for game_id in start(store, slug):
        outcome = GameOutcome(GameEnd.FORFEIT, 1, (0, 0), 0, Fault.NO_SHOW, "it never came")
        store.commit(
            [
                FaultEvidence(game_id, 0, Fault.NO_SHOW, "it never came", at),
                GameOver(game_id, outcome),
            ]
        )
    store.set_state(slug, TournamentState.FINISHED, at)


# What is moved


def test_a_tournament_moves_into_its_record_as_a_whole(
    store: Store, data: Path, tmp_path: Path
) -> None:
    before = counts(data)
    (moved,) = prune(store, ["spring"], tmp_path / "records")
    assert (moved.slug, moved.games) == ("spring", 6)
    assert moved.file == tmp_path / "records" / "spring.jsonl.gz"
    assert read(moved.file) == LINES["spring"]
    assert moved.digest == json.loads(LINES["spring"][-1])["sha256"]
    with pytest.raises(NotFound):
        store.tournament("spring")
    assert list(StoredArena(store).export("summer")) == LINES["summer"]
    after = counts(data)
    # The two are alike but for their cards, so that half of all is left.
    assert after["game"] * 2 == before["game"]
    assert after["entrant"] * 2 == before["entrant"]
    assert after["tournament"] == 1
    assert after["bot"] == before["bot"]


def test_nothing_of_a_tournament_is_left(tmp_path: Path) -> None:
    folder = DataFolder.open(tmp_path / "data", create=True)
    with folder.lock() as lock, folder.open_store(lock) as store:
        empty = counts(folder.path)
        finish(store, "cup", NOW)
        store.note_actions("cup", [ActionInfo(NOW, ActionKind.VOIDED, "cup.1", "again")])
        list(prune(store, ["cup"], tmp_path / "records"))
        assert counts(folder.path) == empty


def test_what_was_moved_comes_back_from_there(store: Store, tmp_path: Path) -> None:
    moved = list(prune(store, ["spring", "summer"], tmp_path / "records"))
    restore_records([each.file for each in moved], tmp_path / "back")
    with DataFolder.open(tmp_path / "back", create=False).open_reader() as reader:
        for slug, lines in LINES.items():
            assert list(StoredArena(reader).export(slug)) == lines


def test_the_standing_board_no_longer_counts_it(store: Store, tmp_path: Path) -> None:
    stored = StoredArena(store)
    assert {row.games for row in stored.standing_board("classic").rows} == {8}
    list(prune(store, ["spring"], tmp_path / "records"))
    assert {row.games for row in stored.standing_board("classic").rows} == {4}


def test_the_disk_gets_back_what_was_removed(data: Path, tmp_path: Path) -> None:
    with writing(data) as store:
        size = (data / "arena.db").stat().st_size
        list(prune(store, ["spring", "summer"], tmp_path / "records"))
        store.give_back()
        assert (data / "arena.db").stat().st_size < size - 8_000


# Never the last copy


def test_a_record_that_is_there_already_is_enough(store: Store, tmp_path: Path) -> None:
    save_record(LINES["spring"], tmp_path / "spring.jsonl.gz")
    before = (tmp_path / "spring.jsonl.gz").read_bytes()
    list(prune(store, ["spring"], tmp_path))
    assert (tmp_path / "spring.jsonl.gz").read_bytes() == before
    with pytest.raises(NotFound):
        store.tournament("spring")


def other_cards() -> Sequence[str]:
    cup = header(slug="spring", name="Another")
    return lines_of(cup, play_games(cup))


@pytest.mark.parametrize(
    ("there", "told"),
    [
        ("of another tournament", "is no record of spring: nothing is overwritten"),
        ("of another arena", "is another record of spring: nothing is overwritten"),
        ("damaged", r"is not right \(line 3.*\), so that spring stays: move that file away"),
    ],
)
def test_another_file_in_the_place_of_the_record(
    store: Store, tmp_path: Path, there: str, told: str
) -> None:
    path = tmp_path / "spring.jsonl.gz"
    lines = {
        "of another tournament": LINES["summer"],
        "of another arena": other_cards(),
        "damaged": LINES["spring"][:2],
    }[there]
    save_record(lines, path)
    before = path.read_bytes()
    with pytest.raises((Exists, RecordError), match=told):
        list(prune(store, ["spring"], tmp_path))
    assert path.read_bytes() == before
    assert list(StoredArena(store).export("spring")) == LINES["spring"]


def test_a_record_that_is_not_right_is_not_enough(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "sixtysix_arena.pruning.save_record",
        lambda lines, path: save_record(list(lines)[:-1], path),
    )
    with pytest.raises(RecordError, match="spring stays"):
        list(prune(store, ["spring"], tmp_path / "records"))
    assert list((tmp_path / "records").iterdir()) == []
    assert list(StoredArena(store).export("spring")) == LINES["spring"]


def test_a_place_that_cannot_be_written(store: Store, tmp_path: Path) -> None:
    (tmp_path / "records").write_text("mine")
    with pytest.raises(Unavailable, match=r"the folder .*records cannot be made"):
        list(prune(store, ["spring"], tmp_path / "records"))
    assert store.tournament("spring")


def test_what_was_moved_before_something_fails_stays_moved(store: Store, tmp_path: Path) -> None:
    save_record(other_cards(), tmp_path / "summer.jsonl.gz")
    moved: list[Pruned] = []
    with pytest.raises(Exists):
        moved.extend(prune(store, ["spring", "summer"], tmp_path))
    assert read(tmp_path / "spring.jsonl.gz") == LINES["spring"]
    assert [each.slug for each in store.tournaments()] == ["summer"]


# What can be moved


def test_only_what_is_over_can_be_moved(store: Store, tmp_path: Path) -> None:
    create(store)
    for prepare in (lambda: None, lambda: start(store)):
        prepare()
        with pytest.raises(WrongState, match="only one that is over"):
            prunable(store, ["cup"])
        with pytest.raises(WrongState, match="only one that is over"):
            store.remove_tournament("cup")
    assert store.progress("cup").total == 6


def test_what_cannot_go_on_can_be_moved(tmp_path: Path) -> None:
    cup = header(state=TournamentState.RUNNING, seed=None)
    games = play_games(cup, dict.fromkeys(range(1, 7), "no-show"))
    save_record(lines_of(cup, games[:2]), tmp_path / "cup.jsonl")
    restore_records([tmp_path / "cup.jsonl"], tmp_path / "data")
    with writing(tmp_path / "data") as store:
        assert [each.slug for each in prunable(store, ["cup"])] == ["cup"]
        list(prune(store, ["cup"], tmp_path / "records"))
        assert store.tournaments() == ()


def test_tournaments_are_found_by_their_age(store: Store) -> None:
    finish(store, "old", NOW)
    finish(store, "new", LATER)
    assert [each.slug for each in prunable(store, before=LATER)] == ["old"]
    assert [each.slug for each in prunable(store, before="2027")] == ["old", "new"]
    assert [each.slug for each in prunable(store, ["new", "spring"], LATER)] == [
        "spring",
        "old",
        "new",
    ]
    with pytest.raises(NotFound):
        prunable(store, ["nowhere"])


def test_days_ago_is_a_time_as_it_is_stored() -> None:
    assert days_ago(400) < days_ago(399) < days_ago(0)
    assert len(days_ago(0)) == len(NOW)


# What hangs together with it


def test_trials_of_versions_that_are_gone_go(store: Store) -> None:
    store.add_bot("eve", b"e" * 32, NOW)
    create(store, slug="cup", entrants=("ada", "eve"))
    store.freeze_version(["cup"], "eve", "2")
    for version in ("1", "2"):
        for at in (NOW, LATER):
            store.keep_validation(Validation("eve", version, f"of {at}", "", at, b"deals"))
    assert store.remove_superseded_validations(LATER) == 1
    left = [(each.version, each.at) for each in store.validations("eve")]
    assert sorted(left) == [("1", LATER), ("2", NOW), ("2", LATER)]


def test_moves_of_removed_games_are_nobody_elses(store: Store, tmp_path: Path) -> None:
    """The numbers of removed games are given again, so their moves must be gone."""
    create(store, slug="running")
    mine, *_ = start(store, "running")
    store.commit([GameOpened(mine), DealStarted(mine, 0)])
    finish(store, "cup", NOW)
    theirs = store.games("cup")[0].id
    made = [MadeMove(theirs, 0, 0, 5, 10), MadeMove(mine, 0, 0, 7, 10), MadeMove(mine, 1, 0, 8, 10)]
    store.commit([MovesMade(8, pack_moves(made[:1])), MovesMade(9, pack_moves(made[1:]))])
    list(prune(store, ["cup"], tmp_path))
    ((tick, moves),) = store.journal()
    assert tick == 10
    assert [(each.game, each.deal, each.move) for each in unpack_moves(moves)] == [(mine, 0, 7)]
    create(store, slug="next")
    assert theirs in start(store, "next"), "the numbers are not given again: this test is in vain"


def test_nothing_is_left_of_the_moves_when_all_is_over(store: Store, tmp_path: Path) -> None:
    finish(store, "cup", NOW)
    store.commit([MovesMade(8, pack_moves([MadeMove(1, 0, 0, 3, 1, "")]))])
    assert [each.slug for each in prune(store, ["cup"], tmp_path / "records")] == ["cup"]
    ((tick, moves),) = store.journal()
    assert (tick, unpack_moves(moves)) == (9, [])
