"""Backups: whole, private, of one moment, beside an arena that writes; and the way back."""

from __future__ import annotations

import fcntl
import os
import resource
import sqlite3
import stat
import subprocess
import sys
import threading
from collections import Counter
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pytest
from sqlalchemy import select
from support.stored import NOW, create, start

from sixtysix.reports import TournamentState
from sixtysix_arena.errors import Exists, FolderInUse, NotFound, Unavailable, WrongState
from sixtysix_arena.store import (
    DataFolder,
    DealOver,
    DealStarted,
    GameOpened,
    Store,
    copy_into,
    models,
    open_draft,
)
from sixtysix_arena.store.copies import contents, copy_database
from sixtysix_arena.store.engine import open_engine

WRITE = """
import sys
from sixtysix_arena.store import DataFolder, DealOver, DealStarted, GameOpened
folder = DataFolder.open(sys.argv[1], create=True)
store = folder.open_store(folder.lock())
ids = [game.id for game in store.games("cup")]
print("ready", flush=True)
for deal in range(2, 10**6):
    store.commit([DealStarted(game, deal) for game in ids])
    store.commit([DealOver(game, deal, b"%d" % deal * 20, (deal, 0)) for game in ids])
"""


@pytest.fixture
def filled(folder: DataFolder) -> DataFolder:
    """A folder with a running cup, whose first game has a deal and an open one."""
    with folder.lock() as lock, folder.open_store(lock) as store:
        fill(store)
    return folder


def fill(store: Store) -> None:
    store.add_bot("ada", b"a" * 32, NOW)
    create(store)
    first, *_ = start(store)
    store.commit([GameOpened(first), DealStarted(first, 0), DealOver(first, 0, b"one", (2, 0))])
    store.commit([DealStarted(first, 1)])


def rows(path: Path) -> dict[str, list[tuple[object, ...]]]:
    """All that is in a database, table by table."""
    engine = open_engine(path, writing=False)
    try:
        with engine.begin() as connection:
            return {
                table.name: sorted(map(tuple, connection.execute(select(table))), key=repr)
                for table in models.metadata.sorted_tables
            }
    finally:
        engine.dispose()


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def half_made(draft: Path) -> None:
    draft.write_bytes(b"half")
    draft.with_name("arena.db.new-journal").write_bytes(b"half")
    raise ZeroDivisionError


# What a backup is


def test_a_backup_has_everything_and_nothing_beside_it(filled: DataFolder, tmp_path: Path) -> None:
    made = tmp_path / "made"
    made.mkdir()
    found = filled.back_up(made / "cup.db")
    assert [path.name for path in made.iterdir()] == ["cup.db"]
    assert rows(made / "cup.db") == rows(filled.database)
    assert found == contents(made / "cup.db")
    assert (found.bots, found.unfinished, found.cut_off) == (1, ("cup",), ())
    (cup,) = found.tournaments
    assert (cup.state, cup.games, cup.games_over, cup.deals) == (TournamentState.RUNNING, 6, 0, 1)


def test_a_backup_is_for_its_owner_alone(filled: DataFolder, tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        filled.back_up(tmp_path / "cup.db")
    finally:
        os.umask(before)
    assert mode(tmp_path / "cup.db") == 0o600


def test_a_backup_beside_a_running_arena_has_what_is_in_the_log_alone(
    folder: DataFolder, tmp_path: Path
) -> None:
    with folder.lock() as lock, folder.open_store(lock) as store:
        fill(store)
        assert folder.database.with_name("arena.db-wal").stat().st_size > 0
        folder.back_up(tmp_path / "cup.db")
        assert rows(tmp_path / "cup.db") == rows(folder.database)
        store.add_bot("bob", b"b" * 32, NOW)
    assert len(rows(tmp_path / "cup.db")["bot"]) == 1


def test_what_was_deleted_is_in_no_backup(filled: DataFolder, tmp_path: Path) -> None:
    with filled.lock() as lock, filled.open_store(lock) as store:
        store.set_token("ada", b"z" * 32)
    filled.back_up(tmp_path / "cup.db")
    assert b"z" * 32 in (tmp_path / "cup.db").read_bytes()
    assert b"a" * 32 not in (tmp_path / "cup.db").read_bytes()


def test_a_backup_of_an_older_schema_is_made_before_the_upgrade(
    filled: DataFolder, tmp_path: Path
) -> None:
    with closing(sqlite3.connect(filled.database)) as connection, connection:
        connection.execute("DROP TABLE journal")
        connection.execute("DROP TABLE action")
        connection.execute("ALTER TABLE tournament DROP COLUMN join_extra_ms")
        connection.execute("UPDATE alembic_version SET version_num = '0001'")
    assert filled.back_up(tmp_path / "cup.db").revision == "0001"


# What it does not do


@pytest.mark.parametrize("there", ["a file", "a folder", "a link to nothing"])
def test_nothing_is_overwritten(filled: DataFolder, tmp_path: Path, there: str) -> None:
    path = tmp_path / "cup.db"
    if there == "a file":
        path.write_text("mine")
    elif there == "a folder":
        path.mkdir()
    else:
        path.symlink_to("nowhere")
    with pytest.raises(Exists, match="overwrite nothing: name another file"):
        filled.back_up(path)
    assert there != "a file" or path.read_text() == "mine"
    assert [each.name for each in tmp_path.glob("*cup*")] == ["cup.db"]
    assert not (tmp_path / "nowhere").exists()


def test_a_file_that_came_meanwhile_is_not_overwritten(
    filled: DataFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "cup.db"

    def copy(source: Path, target: Path) -> None:
        target.write_bytes(source.read_bytes())
        path.write_text("mine")

    monkeypatch.setattr("sixtysix_arena.store.folder.copy_database", copy)
    with pytest.raises(Exists):
        filled.back_up(path)
    assert path.read_text() == "mine"


def test_a_disk_without_links_is_good_enough(
    filled: DataFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(Path, "hardlink_to", refuse)
    filled.back_up(tmp_path / "cup.db")
    assert rows(tmp_path / "cup.db") == rows(filled.database)
    assert [each.name for each in tmp_path.glob("*cup*")] == ["cup.db"]


def test_a_full_disk_leaves_no_file(filled: DataFolder, tmp_path: Path) -> None:
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, limits[1]))
    try:
        with pytest.raises(Unavailable, match=f"no room in {tmp_path} for a copy"):
            filled.back_up(tmp_path / "cup.db")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert list(tmp_path.glob("*cup*")) == []


def test_a_folder_that_is_not_there(filled: DataFolder, tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match="cannot be written: No such file or directory"):
        filled.back_up(tmp_path / "deeper" / "cup.db")


def test_without_data_there_is_nothing_to_back_up(folder: DataFolder, tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="no arena's data"):
        folder.back_up(tmp_path / "cup.db")
    assert not (tmp_path / "cup.db").exists()


def test_a_damaged_database_gives_no_backup(filled: DataFolder, tmp_path: Path) -> None:
    damaged = bytearray(filled.database.read_bytes())
    for place in range(8_192, len(damaged), 64):
        damaged[place] ^= 0xFF
    filled.database.write_bytes(damaged)
    with pytest.raises(Unavailable, match=f"sixtysix restore FILE --data {filled.path}"):
        filled.back_up(tmp_path / "cup.db")
    assert list(tmp_path.glob("*cup*")) == []


def test_a_copy_that_is_damaged_is_no_backup(
    filled: DataFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def copy(source: Path, target: Path) -> None:
        copied = bytearray(source.read_bytes())
        copied[8_192:12_288] = bytes(4_096)
        target.write_bytes(copied)

    monkeypatch.setattr("sixtysix_arena.store.folder.copy_database", copy)
    with pytest.raises(Unavailable, match=r"the copy of .* is damaged .*sixtysix doctor"):
        filled.back_up(tmp_path / "cup.db")
    assert list(tmp_path.glob("*cup*")) == []


# Beside an arena that writes


def test_a_backup_is_of_one_moment_while_another_process_writes(
    filled: DataFolder, tmp_path: Path
) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", WRITE, str(filled.path)], stdout=subprocess.PIPE
    ) as writer:
        try:
            assert writer.stdout is not None
            assert writer.stdout.readline() == b"ready\n"
            counts: list[int] = []
            while len(counts) < 5 or counts[-1] == counts[0]:
                path = tmp_path / f"{len(counts)}.db"
                filled.back_up(path)
                found = rows(path)
                # A tick has a deal of each game, and is there as a whole or not at all.
                numbers = Counter(int(str(deal[1])) for deal in found["deal"])
                assert {count for number, count in numbers.items() if number > 1} <= {6}
                deals = [number for number in numbers if number > 1]
                counts.append(len(deals))
        finally:
            writer.kill()
    assert counts == sorted(counts)


@pytest.mark.alone
def test_a_backup_does_not_hold_the_arena_up(
    folder: DataFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copying = threading.Event()

    def copy(source: Path, target: Path) -> None:
        copying.set()
        copy_database(source, target)
        copying.clear()

    monkeypatch.setattr("sixtysix_arena.store.folder.copy_database", copy)
    with folder.lock() as lock, folder.open_store(lock) as store:
        fill(store)
        first, second, *_ = (game.id for game in store.games("cup"))
        for start_at in range(2, 402, 100):
            deals = range(start_at, start_at + 100)
            store.commit([DealOver(first, deal, os.urandom(100_000), (2, 0)) for deal in deals])
        done = threading.Event()
        meanwhile = 0

        def play() -> None:
            nonlocal meanwhile
            deal = 0
            while not done.is_set():
                store.commit([DealStarted(second, deal), DealOver(second, deal, b"", (0, 0))])
                deal += 1
                meanwhile += copying.is_set()

        player = threading.Thread(target=play)
        player.start()
        folder.back_up(tmp_path / "cup.db")
        done.set()
        player.join()
    assert meanwhile > 10, "the arena waited for the backup"


# The way back


def test_a_new_folder_from_a_backup(filled: DataFolder, tmp_path: Path) -> None:
    filled.back_up(tmp_path / "cup.db")
    with DataFolder.rebuilt(tmp_path / "back") as draft:
        copy_into(draft, tmp_path / "cup.db")
    back = DataFolder.open(tmp_path / "back", create=False)
    assert rows(back.database) == rows(filled.database)
    assert {path.name: mode(path) for path in back.path.iterdir()} == {
        "arena.db": 0o600,
        "lock": 0o600,
    }
    assert mode(back.path) == 0o700
    with back.lock() as lock, back.open_store(lock) as store:
        assert store.tournament("cup").state is TournamentState.RUNNING


def test_a_backup_of_an_older_schema_is_brought_up_to_date(
    filled: DataFolder, tmp_path: Path
) -> None:
    with closing(sqlite3.connect(filled.database)) as connection, connection:
        connection.execute("DROP TABLE journal")
        connection.execute("DROP TABLE action")
        connection.execute("ALTER TABLE tournament DROP COLUMN join_extra_ms")
        connection.execute("ALTER TABLE game DROP COLUMN question0")
        connection.execute("ALTER TABLE game DROP COLUMN question1")
        connection.execute("DROP INDEX ix_game_tournament_id_state_round")
        connection.execute("ALTER TABLE bot DROP COLUMN owner")
        connection.execute("UPDATE alembic_version SET version_num = '0001'")
    filled.back_up(tmp_path / "cup.db")
    with DataFolder.rebuilt(tmp_path / "back") as draft:
        copy_into(draft, tmp_path / "cup.db")
        open_draft(draft).close()
    with DataFolder.open(tmp_path / "back", create=False).open_reader() as reader:
        assert reader.tournament("cup").state is TournamentState.RUNNING


def test_a_backup_of_a_newer_schema_is_refused(filled: DataFolder, tmp_path: Path) -> None:
    filled.back_up(tmp_path / "cup.db")
    with closing(sqlite3.connect(tmp_path / "cup.db")) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '1000'")
    with (
        pytest.raises(WrongState, match="written by a newer version"),
        DataFolder.rebuilt(tmp_path / "back") as draft,
    ):
        copy_into(draft, tmp_path / "cup.db")
    assert not (tmp_path / "back").exists()


def test_a_backup_with_a_loose_row_is_refused(filled: DataFolder, tmp_path: Path) -> None:
    filled.back_up(tmp_path / "cup.db")
    with closing(sqlite3.connect(tmp_path / "cup.db")) as connection, connection:
        connection.execute("DELETE FROM game WHERE id = 1")
    with (
        pytest.raises(Unavailable, match="a row of deal refers to one of game that is not there"),
        DataFolder.rebuilt(tmp_path / "back") as draft,
    ):
        copy_into(draft, tmp_path / "cup.db")


@pytest.mark.parametrize("made", [False, True], ids=["new", "empty"])
def test_what_fails_leaves_the_folder_as_it_was(tmp_path: Path, made: bool) -> None:
    path = tmp_path / "back"
    if made:
        path.mkdir()
        (path / "lost+found").mkdir()
    with pytest.raises(ZeroDivisionError), DataFolder.rebuilt(path) as draft:
        half_made(draft)
    assert path.exists() == made
    assert not made or {each.name for each in path.iterdir()} == {"lost+found", "lock"}
    with DataFolder.rebuilt(path) as draft:
        assert draft.stat().st_size == 0


def test_what_a_killed_restore_left_is_no_obstacle(tmp_path: Path) -> None:
    for name in ("lock", "arena.db.new", "arena.db.new-journal"):
        (tmp_path / name).write_bytes(b"half")
    with DataFolder.rebuilt(tmp_path) as draft:
        assert draft.read_bytes() == b""
    assert {each.name for each in tmp_path.iterdir()} == {"lock", "arena.db"}


@pytest.mark.parametrize("name", ["arena.db", "arena.db-wal", "admin-token", "letter.txt"])
def test_a_folder_with_something_in_it_is_left_alone(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("mine")
    with (
        pytest.raises(Exists, match=f"is not empty, {name} is in it"),
        DataFolder.rebuilt(tmp_path),
    ):
        raise AssertionError
    assert [each.name for each in tmp_path.iterdir()] == [name]
    assert (tmp_path / name).read_text() == "mine"


def test_no_arena_starts_on_a_folder_that_is_being_rebuilt(tmp_path: Path) -> None:
    with DataFolder.rebuilt(tmp_path / "back"):
        folder = DataFolder.open(tmp_path / "back", create=True)
        with pytest.raises(FolderInUse, match=f"in use by process {os.getpid()}"):
            folder.lock()
        with pytest.raises(FolderInUse), DataFolder.rebuilt(tmp_path / "back"):
            raise AssertionError


# Who holds a folder


def test_the_holder_of_a_folder_is_seen_without_taking_it(folder: DataFolder) -> None:
    assert folder.holder() is None
    with folder.lock():
        found = folder.holder()
        assert found is not None
        assert (found.pid, found.is_here) == (os.getpid(), True)
        assert str(found).startswith(f"process {os.getpid()} on ")
    assert folder.holder() is None


def test_a_holder_that_said_nothing(folder: DataFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sixtysix_arena.store.locks.LOCKS", folder.path / "none")
    with folder.lock():
        (folder.path / "lock").write_text("what is this\n")
        found = folder.holder()
        assert found is not None
        assert (str(found), found.is_here) == ("another process", False)


def test_whoever_only_looks_at_a_lock_keeps_nobody_from_taking_it(
    folder: DataFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder.lock().close()
    with (folder.path / "lock").open() as looking:
        fcntl.flock(looking, fcntl.LOCK_SH)

        def stop_looking(_seconds: float) -> None:
            fcntl.flock(looking, fcntl.LOCK_UN)

        monkeypatch.setattr("sixtysix_arena.store.locks.time", SimpleNamespace(sleep=stop_looking))
        folder.lock().close()
