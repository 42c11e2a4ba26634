"""The data folder: made, locked, refused, read beside a running arena."""

from __future__ import annotations

import os
import shutil
import socket
import sqlite3
import stat
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy.exc import OperationalError
from support.stored import NOW, create, start

from sixtysix.reports import TournamentState
from sixtysix_arena.errors import Invalid, NotFound, Unavailable, WrongState
from sixtysix_arena.store import DataFolder, Store, StoreReader, schema
from sixtysix_arena.store.engine import open_engine

NOBODY = 65534


def fill(folder: DataFolder) -> None:
    with folder.lock() as lock, folder.open_store(lock) as store:
        store.add_bot("ada", b"a" * 32, NOW)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def contents(folder: DataFolder) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.path.iterdir()}


@contextmanager
def another_user() -> Iterator[None]:
    """As somebody who is not root, who may write anywhere; the temporary folder opens up."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


def give_away(folder: DataFolder) -> None:
    """Lets `another_user` get at the folder, which the folders of pytest would not."""
    if os.geteuid() == 0:
        for path in (folder.path, *folder.path.iterdir()):
            os.chown(path, NOBODY, NOBODY)
        for parent in folder.path.parents:
            if parent.owner() == "root" and parent != Path("/") and not mode(parent) & 0o001:
                parent.chmod(0o711)


# Making and finding


def test_a_new_folder_is_for_its_owner_alone(tmp_path: Path) -> None:
    folder = DataFolder.open(tmp_path / "a" / "b", create=True)
    fill(folder)
    folder.write_admin_token("secret")
    assert mode(folder.path) == 0o700
    assert {path.name: mode(path) for path in folder.path.iterdir()} == {
        "arena.db": 0o600,
        "lock": 0o600,
        "admin-token": 0o600,
    }


def test_the_files_beside_an_open_database_are_private_too(folder: DataFolder) -> None:
    with folder.lock() as lock, folder.open_store(lock) as store:
        store.add_bot("ada", b"a" * 32, NOW)
        assert {mode(path) for path in folder.path.iterdir()} == {0o600}
        assert {path.name for path in folder.path.iterdir()} >= {"arena.db-wal", "arena.db-shm"}


def test_only_a_folder_in_which_nothing_was_stored_is_removed(tmp_path: Path) -> None:
    folder = DataFolder.open(tmp_path / "data", create=True)
    assert folder.is_new
    assert not DataFolder.open(tmp_path / "data", create=True).is_new
    with folder.lock() as lock:
        folder.open_store(lock).close()
        folder.remove_unused()  # Somebody holds it.
    (folder.path / "mine").touch()
    folder.remove_unused()
    assert folder.database.exists()
    (folder.path / "mine").unlink()
    folder.remove_unused()
    assert not folder.path.exists()
    filled = DataFolder.open(tmp_path / "data", create=True)
    fill(filled)
    filled.remove_unused()
    with filled.open_reader() as reader:
        assert reader.bot("ada").name == "ada"


def test_an_existing_folder_keeps_its_mode(tmp_path: Path) -> None:
    tmp_path.chmod(0o750)
    fill(DataFolder.open(tmp_path, create=True))
    assert mode(tmp_path) == 0o750


def test_what_was_stored_is_there_again(folder: DataFolder) -> None:
    fill(folder)
    with folder.lock() as lock, folder.open_store(lock) as store:
        assert store.bot("ada").submitted_at == NOW


@pytest.mark.parametrize("made", [False, True], ids=["no folder", "empty folder"])
def test_without_data_reading_says_what_to_do_and_makes_nothing(tmp_path: Path, made: bool) -> None:
    path = tmp_path / "data"
    if made:
        path.mkdir()
    with pytest.raises(NotFound, match=r"--data.*sixtysix serve"):
        DataFolder.open(path, create=False)
    assert path.exists() == made
    if made:
        with pytest.raises(NotFound):
            DataFolder.open(path, create=True).open_reader()
        assert list(path.iterdir()) == []


def test_a_path_may_hold_anything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    folder = DataFolder.open("a%20b ?mode=ro#é", create=True)
    monkeypatch.chdir("/")
    fill(folder)
    assert (tmp_path / "a%20b ?mode=ro#é" / "arena.db").exists()
    with folder.open_reader() as reader:
        assert reader.bot("ada").name == "ada"


def test_fault_row_49_a_file_in_place_of_the_folder(tmp_path: Path) -> None:
    path = tmp_path / "data"
    path.write_text("mine")
    for is_made in (True, False):
        with pytest.raises(Unavailable, match=r"data cannot be used, since it is a file: name a"):
            DataFolder.open(path, create=is_made)
    assert path.read_text() == "mine"


def test_fault_row_49_a_folder_that_cannot_be_written(folder: DataFolder) -> None:
    give_away(folder)
    folder.path.chmod(0o500)
    with another_user():
        with pytest.raises(Unavailable, match=r"cannot be used \(Permission denied\)"):
            folder.lock()
        with pytest.raises(Unavailable, match="cannot be used"):
            folder.write_admin_token("secret")
        with pytest.raises(Unavailable, match="cannot be used"):
            DataFolder.open(folder.path / "deeper", create=True)


def test_fault_row_49_a_database_that_cannot_be_written(folder: DataFolder) -> None:
    fill(folder)
    give_away(folder)
    folder.database.chmod(0o400)
    with (
        another_user(),
        folder.lock() as lock,
        pytest.raises(Unavailable, match="cannot be written: check its permissions"),
    ):
        folder.open_store(lock)


def test_a_folder_of_another_user_cannot_be_read(folder: DataFolder) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can make a folder that this process cannot read")
    fill(folder)
    with another_user(), pytest.raises(Unavailable, match="Permission denied"):
        DataFolder.open(folder.path, create=False)


def test_what_root_makes_in_anothers_folder_is_for_that_user(folder: DataFolder) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root makes files in the folders of others")
    give_away(folder)
    fill(folder)
    folder.write_admin_token("secret")
    folder.write_address("127.0.0.1:1")
    names = {"arena.db", "lock", "admin-token", "address"}
    assert names <= {path.name for path in folder.path.iterdir()}
    assert {(path.stat().st_uid, path.stat().st_gid) for path in folder.path.iterdir()} == {
        (NOBODY, NOBODY)
    }
    with another_user(), folder.lock() as lock:
        folder.open_store(lock).close()


def test_a_folder_that_root_makes_in_anothers_is_for_that_user(folder: DataFolder) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root makes folders in the folders of others")
    give_away(folder)
    with DataFolder.rebuilt(folder.path / "back") as draft:
        schema.fill(draft)
    made = folder.path / "back"
    assert {path.stat().st_uid for path in (made, *made.iterdir())} == {NOBODY}


def test_a_file_of_another_user_is_named(folder: DataFolder) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can leave a file that this process cannot use")
    folder.lock().close()
    give_away(folder)
    os.chown(folder.path / "lock", 0, 0)
    told = rf"lock in the data folder {folder.path} cannot be used \(.*, it belongs to root\)"
    with another_user(), pytest.raises(Unavailable, match=told):
        folder.lock()


def refused(folder: DataFolder, error: type[Exception], sentence: str) -> None:
    """Neither writer nor reader opens it, and nothing is changed."""
    before = contents(folder)
    with folder.lock() as lock, pytest.raises(error, match=sentence):
        folder.open_store(lock)
    with pytest.raises(error, match=sentence):
        folder.open_reader()
    after = contents(folder)
    for name in before:
        if name != "lock":
            assert after[name] == before[name]


def test_fault_row_51_an_empty_file(folder: DataFolder) -> None:
    folder.database.touch()
    refused(folder, Unavailable, r"arena\.db is empty where a database was expected")
    assert folder.database.stat().st_size == 0


def test_fault_row_50_garbage(folder: DataFolder) -> None:
    folder.database.write_bytes(os.urandom(20_000))
    refused(folder, Unavailable, "is not a database")


def test_fault_row_50_a_truncated_file(folder: DataFolder) -> None:
    with folder.lock() as lock, folder.open_store(lock) as store:
        for number in range(100):
            store.add_bot(f"bot{number}", bytes([number]) * 32, NOW)
    whole = folder.database.read_bytes()
    folder.database.write_bytes(whole[: len(whole) // 2])
    refused(folder, Unavailable, "is damaged")


def test_fault_row_50_a_flipped_byte(folder: DataFolder) -> None:
    with folder.lock() as lock, folder.open_store(lock) as store:
        for number in range(1_000):
            store.add_bot(f"bot{number}", number.to_bytes(32), NOW)
    damaged = bytearray(folder.database.read_bytes())
    for place in range(len(damaged) - 4_096, len(damaged), 64):
        damaged[place] ^= 0xFF
    folder.database.write_bytes(damaged)
    with folder.lock() as lock, pytest.raises(Unavailable, match="is damaged"):
        folder.open_store(lock)
    assert folder.database.read_bytes() == damaged


def test_a_database_of_another_program(folder: DataFolder) -> None:
    connection = sqlite3.connect(folder.database)
    connection.execute("CREATE TABLE alembic_version (version_num TEXT)")
    connection.execute("INSERT INTO alembic_version VALUES ('0001')")
    connection.commit()
    connection.close()
    refused(folder, Unavailable, "of another program")


def set_revision(folder: DataFolder, revision: str) -> None:
    connection = sqlite3.connect(folder.database)
    connection.execute("UPDATE alembic_version SET version_num = ?", (revision,))
    connection.commit()
    connection.close()


@pytest.mark.parametrize("revision", ["0005", "1000", "ab12cd"])
def test_fault_row_52_a_database_of_a_newer_version(folder: DataFolder, revision: str) -> None:
    fill(folder)
    set_revision(folder, revision)
    refused(folder, WrongState, f"written by a newer version.*{revision}")


def test_a_reader_does_not_upgrade(folder: DataFolder) -> None:
    fill(folder)
    set_revision(folder, "0000")
    before = folder.database.read_bytes()
    with pytest.raises(WrongState, match="older version"):
        folder.open_reader()
    assert folder.database.read_bytes() == before


def test_a_database_without_its_tables(folder: DataFolder) -> None:
    fill(folder)
    connection = sqlite3.connect(folder.database)
    connection.execute("DROP TABLE alembic_version")
    connection.close()
    refused(folder, Unavailable, "no such table")


def test_a_log_without_its_database(folder: DataFolder) -> None:
    with folder.lock() as lock, folder.open_store(lock) as store:
        store.add_bot("ada", b"a" * 32, NOW)
        log = folder.database.with_name("arena.db-wal").read_bytes()
    folder.database.unlink()
    folder.database.with_name("arena.db-wal").write_bytes(log)
    with folder.lock() as lock, pytest.raises(Unavailable, match=r"its log arena\.db-wal is there"):
        folder.open_store(lock)
    assert not folder.database.exists()


def test_what_an_interrupted_creation_left_is_no_obstacle(folder: DataFolder) -> None:
    for name in ("arena.db.new", "arena.db.new-journal"):
        (folder.path / name).write_bytes(b"half")
    fill(folder)
    assert {path.name for path in folder.path.iterdir()} == {"arena.db", "lock"}


# Reading


def test_reading_beside_a_running_arena(folder: DataFolder) -> None:
    with (
        folder.lock() as lock,
        folder.open_store(lock) as store,
        DataFolder.open(folder.path, create=False).open_reader() as reader,
    ):
        assert reader.bots() == ()
        store.add_bot("ada", b"a" * 32, NOW)
        assert [bot.name for bot in reader.bots()] == ["ada"]


def test_reading_while_no_arena_runs(folder: DataFolder) -> None:
    fill(folder)
    before = folder.database.read_bytes()
    with folder.open_reader() as reader:
        assert reader.bot("ada").name == "ada"
    assert folder.database.read_bytes() == before


def test_reading_on_a_disk_that_cannot_be_written(folder: DataFolder) -> None:
    fill(folder)
    give_away(folder)
    folder.database.chmod(0o400)
    folder.path.chmod(0o500)
    try:
        with another_user(), folder.open_reader() as reader:
            assert reader.bot("ada").name == "ada"
    finally:
        folder.path.chmod(0o700)


def test_a_log_on_a_disk_that_cannot_be_written_is_not_overlooked(folder: DataFolder) -> None:
    with folder.lock() as lock, folder.open_store(lock) as store:
        store.add_bot("ada", b"a" * 32, NOW)
        files = {path.name: path.read_bytes() for path in folder.path.glob("arena.db*")}
    assert set(files) == {"arena.db", "arena.db-wal", "arena.db-shm"}
    for name, content in files.items():
        (folder.path / name).write_bytes(content)
    give_away(folder)
    folder.path.chmod(0o500)
    for path in folder.path.iterdir():
        path.chmod(0o400)
    try:
        with another_user(), folder.open_reader() as reader:
            assert reader.bot("ada").name == "ada"
    finally:
        folder.path.chmod(0o700)


def test_a_reader_cannot_write(folder: DataFolder) -> None:
    fill(folder)
    with folder.open_reader() as reader:
        assert not hasattr(reader, "add_bot")
    engine = open_engine(folder.database, writing=False)
    with engine.connect() as connection, pytest.raises(OperationalError, match="readonly"):
        connection.exec_driver_sql("DELETE FROM bot")
    engine.dispose()


def test_a_snapshot_stands_still(folder: DataFolder) -> None:
    with folder.lock() as lock, folder.open_store(lock) as store, folder.open_reader() as reader:
        store.add_bot("ada", b"a" * 32, NOW)
        with reader.snapshot() as snapshot:
            assert len(snapshot.bots()) == 1
            store.add_bot("bob", b"b" * 32, NOW)
            assert len(snapshot.bots()) == 1
            assert len(reader.bots()) == 2
            with pytest.raises(NotFound):
                snapshot.bot("bob")
        assert len(reader.bots()) == 2


def test_a_moved_folder_is_read_where_it_is(folder: DataFolder, tmp_path: Path) -> None:
    fill(folder)
    shutil.move(folder.path, tmp_path / "moved")
    with DataFolder.open(tmp_path / "moved", create=False).open_reader() as reader:
        assert reader.bot("ada").name == "ada"


# The admin token


def test_the_admin_token(folder: DataFolder) -> None:
    with pytest.raises(NotFound, match="SIXTYSIX_ADMIN_TOKEN"):
        folder.admin_token()
    folder.write_admin_token("first")
    assert folder.admin_token() == "first"
    folder.write_admin_token("second")
    assert folder.admin_token() == "second"
    assert mode(folder.path / "admin-token") == 0o600


def test_an_admin_token_that_cannot_be_read(folder: DataFolder) -> None:
    (folder.path / "admin-token").write_bytes(b"\xff")
    with pytest.raises(Unavailable, match="admin token"):
        folder.admin_token()


# The address


def test_the_address_of_the_arena_that_runs_here(folder: DataFolder) -> None:
    with pytest.raises(NotFound, match="no arena runs on"):
        folder.address()
    folder.remove_address()
    folder.write_address("127.0.0.1:6650")
    folder.write_address("127.0.0.1:6651")
    assert folder.address() == "127.0.0.1:6651"
    folder.remove_address()
    with pytest.raises(NotFound, match="--arena"):
        folder.address()


def test_a_folder_is_deserted_when_its_last_holder_is_gone(folder: DataFolder) -> None:
    assert not folder.is_deserted()
    with folder.lock():
        assert not folder.is_deserted()
    with subprocess.Popen(["true"]) as process:
        process.wait()
        (folder.path / "lock").write_text(f"{process.pid} {socket.gethostname()}\n")
        assert folder.is_deserted()
        (folder.path / "lock").write_text(f"{process.pid} elsewhere\n")
        assert not folder.is_deserted()


# Secrets


def test_threat_2_no_message_holds_what_was_stored(folder: DataFolder) -> None:
    with folder.lock() as lock, folder.open_store(lock) as store:
        with pytest.raises(Invalid) as caught:
            create(store, slug="kept-to-itself", name=None)
        error: BaseException | None = caught.value
        while error is not None:
            assert "kept-to-itself" not in str(error)
            error = error.__cause__


def test_what_people_have_in_hand_survives_a_power_cut(
    folder: DataFolder, store: Store, tmp_path: Path
) -> None:
    """A token, a commitment, and that a tournament was started: none of it is in the log alone."""

    def without_log() -> StoreReader:
        left = tmp_path / f"left-{len(list(tmp_path.iterdir()))}"
        left.mkdir()
        shutil.copy(folder.database, left)
        return DataFolder.open(left, create=False).open_reader()

    store.add_bot("zoe", b"1" * 32, NOW)
    with without_log() as reader:
        assert reader.bot("zoe").name == "zoe"
    store.set_token("zoe", b"2" * 32)
    with without_log() as reader:
        assert reader.bot_name_by_token(b"2" * 32) == "zoe"
    create(store)
    with without_log() as reader:
        assert reader.tournament("cup").commitment == b"c" * 32
    start(store)
    with without_log() as reader:
        assert reader.tournament("cup").state is TournamentState.RUNNING
        assert reader.game("cup", 1)
