"""What an examination finds, thing by thing, and that it changes nothing."""

from __future__ import annotations

import asyncio
import os
import resource
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
from collections import namedtuple
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from support.arenas import running_arena
from support.command_line import nothing_from_outside
from support.outages import SmallDisk
from support.records import header, lines_of, play_games
from support.stored import NOW, create, start

from sixtysix.clock import Clock
from sixtysix.record import save_record
from sixtysix.reports import TournamentState
from sixtysix.rules import RULESETS
from sixtysix_arena.arena import Arena
from sixtysix_arena.checkup import Finding, State, examine, machine
from sixtysix_arena.restoring import restore_records
from sixtysix_arena.store import REVISION, DataFolder, DealStarted, GameOpened, MovesMade

HOLD = """
import sys, time
from sixtysix_arena.store import DataFolder
lock = DataFolder.open(sys.argv[1], create=True).lock()
print("held", flush=True)
time.sleep(60)
"""


@pytest.fixture(autouse=True)
def no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    nothing_from_outside(monkeypatch)


@pytest.fixture
def folder(tmp_path: Path) -> DataFolder:
    """A folder with a tournament that is not over."""
    made = DataFolder.open(tmp_path / "data", create=True)
    with made.lock() as lock, made.open_store(lock) as store:
        create(store, rules=RULESETS["classic"], clock=Clock())
        first, *_ = start(store)
        store.commit([GameOpened(first), DealStarted(first, 0), MovesMade(1, b"moves")])
        store.set_state("cup", TournamentState.STOPPED, NOW)
    return made


def found(folder: DataFolder, **how: Any) -> dict[str, Finding]:
    return {each.what: each for each in examine(folder.path, **how)}


def states(findings: dict[str, Finding]) -> set[State]:
    return {each.state for each in findings.values()}


@contextmanager
def holder(folder: DataFolder) -> Iterator[subprocess.Popen[bytes]]:
    """Another process that holds the folder, and serves nothing."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(folder.path)], stdout=subprocess.PIPE
    ) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == b"held\n"
            yield process
        finally:
            process.kill()


# When all is well


def test_all_is_well_with_a_folder_at_rest(folder: DataFolder) -> None:
    before = {path.name: path.read_bytes() for path in folder.path.iterdir()}
    findings = found(folder, thorough=True)
    assert states(findings) == {State.OK}, findings
    assert list(findings) == [
        *("python", "settings", "folder", "disk", "arena", "files", "clock"),
        *("database", "log", "journal", "tournaments", "games", "records"),
    ]
    assert findings["arena"].text == "none runs on this folder"
    assert findings["settings"].text.startswith("those given here are to serve at 127.0.0.1:6650")
    assert findings["database"].text.endswith(f"schema {REVISION}, sound")
    assert findings["journal"].text == "1 rows, 0.0 kB"
    assert findings["tournaments"].text == "1 stopped"
    assert findings["games"].text == "1 open, 5 not begun"
    after = {path.name: path.read_bytes() for path in folder.path.iterdir()}
    # SQLite leaves an empty log behind whoever only reads.
    assert after.keys() - before.keys() <= {"arena.db-wal", "arena.db-shm"}
    assert not after.get("arena.db-wal")
    assert {name: after[name] for name in before} == before, "an examination changes nothing"


def test_all_is_well_with_a_running_arena(tmp_path: Path) -> None:
    async def examined() -> dict[str, Finding]:
        async with running_arena(tmp_path / "data"):
            return await asyncio.to_thread(found, DataFolder(tmp_path / "data"))

    findings = asyncio.run(examined())
    assert states(findings) == {State.OK}, findings
    assert "settings" not in findings, "those of a running arena are its own"
    assert findings["arena"].text.startswith(f"process {os.getpid()} on {socket.gethostname()}")
    assert "and is serving" in findings["address"].text
    assert "of them in use" in findings["files"].text


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    findings = found(DataFolder(tmp_path / "data"))
    assert findings["folder"].state is State.PROBLEM
    assert findings["folder"].text == f"there is no {tmp_path / 'data'}"
    assert not (tmp_path / "data").exists()


def test_a_folder_without_a_database(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir(mode=0o700)
    findings = found(DataFolder(tmp_path / "data"))
    assert findings["database"].state is State.WARNING
    assert "journal" not in findings


def test_a_folder_that_is_no_arenas(tmp_path: Path) -> None:
    """Whoever names the root of the system must not be told to close it."""
    other = tmp_path / "data"
    (other / "etc").mkdir(parents=True)
    other.chmod(0o755)
    findings = found(DataFolder(other))
    assert findings["folder"].state is State.OK
    assert findings["folder"].advice == ""
    assert findings["database"].state is State.PROBLEM
    assert (
        findings["database"].text == f"there is no arena's data in {other}, and something else is"
    )


# The machine


def test_a_library_that_is_missing_or_old(monkeypatch: pytest.MonkeyPatch) -> None:
    needed = [
        "click>=8.1",
        "nowhere-to-be-found>=1.0; extra == 'arena'",
        "mypy>=99; extra == 'dev'",
    ]
    monkeypatch.setattr(machine, "requires", lambda _: [*needed, "sqlalchemy>=99.1"])
    assert machine.python().state is State.PROBLEM
    text = machine.python().text
    assert "nowhere-to-be-found is not installed" in text
    assert ", and sqlalchemy>=99.1 is needed" in text
    assert "click" not in text
    assert "mypy" not in text


@pytest.mark.parametrize(
    ("there", "relation", "wanted", "fits"),
    [
        ("1.76.0", ">=", "1.76", True),
        ("1.75.9", ">=", "1.76", False),
        ("1.100.0", ">=", "1.76", True),
        ("0.4.5", "==", "0.4.5", True),
        ("0.4.50", "==", "0.4.5", False),
        ("2.1.9+local", ">=", "2.1", True),
    ],
)
def test_versions_are_compared_as_numbers(
    there: str, relation: str, wanted: str, fits: bool
) -> None:
    assert machine._fits(there, relation, wanted) == fits


def test_settings_that_cannot_be(folder: DataFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SIXTYSIX_GRPC", "0.0.0.0:6650")
    finding = found(folder)["settings"]
    assert finding.state is State.PROBLEM
    assert "without TLS" in finding.text


def test_few_open_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda _: (256, 4_096))
    finding = machine.files(None)
    assert finding.state is State.WARNING
    assert "at most 256 open files" in finding.text
    assert "LimitNOFILE" in finding.advice


def test_files_that_are_nearly_used_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "_file_limit", lambda _: (1_000, 900))
    assert machine.files(1).state is State.PROBLEM


def test_a_clock_that_stands_before_what_was_stored(folder: DataFolder) -> None:
    with folder.lock() as lock, folder.open_store(lock) as store:
        store.add_bot("eve", b"e" * 32, "2999-01-01T00:00:00Z")
    finding = found(folder)["clock"]
    assert finding.state is State.WARNING
    assert "stored at 2999-01-01T00:00:00Z" in finding.text


def test_a_clock_that_stands_before_a_files(folder: DataFolder) -> None:
    later = folder.database.stat().st_mtime + 10_000
    os.utime(folder.database, (later, later))
    assert found(folder)["clock"].state is State.WARNING


# The folder and its disk


def test_others_may_read_the_folder(folder: DataFolder) -> None:
    folder.path.chmod(0o755)
    finding = found(folder)["folder"]
    assert finding.state is State.WARNING
    assert finding.advice == f"chmod go= {folder.path}"
    folder.path.chmod(0o700)
    folder.database.chmod(0o644)
    assert found(folder)["folder"].state is State.OK, "nobody else gets at it"


def test_a_file_in_place_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("mine")
    findings = found(DataFolder(tmp_path / "data"))
    assert findings["folder"].state is State.PROBLEM


LOGS = shutil.ignore_patterns("*-wal", "*-shm")
Usage = namedtuple("Usage", "total used free")


@pytest.mark.parametrize(
    ("free", "state"),
    [(1_000_000, State.PROBLEM), (200_000_000, State.WARNING), (10**9, State.OK)],
)
def test_a_disk_that_is_nearly_full(
    folder: DataFolder, monkeypatch: pytest.MonkeyPatch, free: int, state: State
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(10**9, 0, free))
    assert found(folder)["disk"].state is state


def test_a_disk_without_room_for_what_a_database_is_read_with(
    folder: DataFolder, tmp_path: Path
) -> None:
    with SmallDisk.mounted(tmp_path / "disk", "4m") as disk:
        shutil.copytree(folder.path, disk.path / "data", ignore=LOGS)
        with disk.full():
            findings = found(DataFolder(disk.path / "data"))
    assert findings["disk"].state is findings["database"].state is State.PROBLEM
    assert "its disk has no room for a small file beside it" in findings["database"].text
    assert "failed" not in findings["database"].text


@pytest.mark.parametrize("has_log", [False, True])
def test_a_disk_that_is_read_only(folder: DataFolder, tmp_path: Path, has_log: bool) -> None:
    with SmallDisk.mounted(tmp_path / "disk", "4m") as disk:
        there = DataFolder(disk.path / "data")
        shutil.copytree(folder.path, there.path, ignore=LOGS)
        if has_log:
            there.database.with_name("arena.db-wal").touch()
        with disk.read_only():
            findings = found(there)
    assert findings["folder"].state is State.PROBLEM
    assert "is on a disk that is read-only" in findings["folder"].text
    assert "permissions" not in findings["folder"].advice
    database = findings["database"]
    if has_log:
        assert "its disk is read-only, and its log cannot be read there" in database.text
    else:
        assert database.state is State.OK
        assert findings["games"].text == "1 open, 5 not begun"


def test_a_disk_behind_a_network(folder: DataFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sixtysix_arena.checkup.folder._kind_of_disk", lambda _: "nfs4")
    finding = found(folder)["disk"]
    assert finding.state is State.PROBLEM
    assert "nfs4" in finding.text


# The arena


def test_an_arena_that_was_killed(folder: DataFolder) -> None:
    with holder(folder):
        folder.write_address("127.0.0.1:1")
    finding = found(folder)["arena"]
    assert finding.state is State.OK
    assert "the last one was killed" in finding.text


def test_an_arena_that_does_not_serve_yet(folder: DataFolder) -> None:
    with holder(folder) as process:
        findings = found(folder)
    assert findings["arena"].text.startswith(f"process {process.pid} on ")
    assert findings["address"].state is State.WARNING
    assert findings["address"].advice == "look again in a moment"


def test_an_arena_whose_address_was_removed(
    folder: DataFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sixtysix_arena.checkup.folder.MAX_START_S", -1)
    with holder(folder):
        finding = found(folder)["address"]
    assert finding.state is State.PROBLEM
    assert finding.text.startswith("the file address is missing")
    assert finding.advice.startswith("end the arena and start it again")


def test_an_arena_that_does_not_answer(folder: DataFolder) -> None:
    with socket.socket() as unused, holder(folder):
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
        folder.write_address(f"127.0.0.1:{port}")
        finding = found(folder)["address"]
    assert finding.state is State.PROBLEM
    assert f"127.0.0.1:{port} does not answer" in finding.text


def test_an_arena_that_is_suspended(folder: DataFolder) -> None:
    with holder(folder) as process:
        process.send_signal(signal.SIGSTOP)
        os.waitid(os.P_PID, process.pid, os.WSTOPPED)
        finding = found(folder)["arena"]
        process.send_signal(signal.SIGCONT)
    assert finding.state is State.PROBLEM
    assert finding.advice == f"let it go on: kill -CONT {process.pid}"


def test_an_arena_on_another_machine(folder: DataFolder) -> None:
    with folder.lock():
        (folder.path / "lock").write_text(f"{os.getpid()} elsewhere\n")
        findings = found(folder)
    assert findings["arena"].state is State.WARNING
    assert f"process {os.getpid()} on elsewhere holds the folder" in findings["arena"].text


def test_an_arena_that_cannot_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    never = property(lambda _: False, lambda *_: None)
    monkeypatch.setattr(Arena, "can_store", never, raising=False)

    async def examined() -> Finding:
        async with running_arena(tmp_path / "data"):
            return (await asyncio.to_thread(found, DataFolder(tmp_path / "data")))["address"]

    finding = asyncio.run(examined())
    assert finding.state is State.PROBLEM
    assert "is not serving" in finding.text


# The database


def test_a_damaged_database(folder: DataFolder) -> None:
    damaged = bytearray(folder.database.read_bytes())
    for place in range(8_192, len(damaged), 64):
        damaged[place] ^= 0xFF
    folder.database.write_bytes(damaged)
    findings = found(folder)
    assert findings["database"].state is State.PROBLEM
    told = findings["database"].text + findings["database"].advice
    assert f"sixtysix restore FILE --data {folder.path}" in told
    assert "tournaments" not in findings


def test_an_empty_database(folder: DataFolder) -> None:
    folder.database.write_bytes(b"")
    finding = found(folder)["database"]
    assert finding.state is State.PROBLEM
    assert "sixtysix restore" in finding.text


@pytest.mark.parametrize(("revision", "state"), [("0001", State.WARNING), ("1000", State.PROBLEM)])
def test_a_database_of_another_version(folder: DataFolder, revision: str, state: State) -> None:
    with closing(sqlite3.connect(folder.database)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = ?", (revision,))
    findings = found(folder)
    assert findings["database"].state is state
    assert "tournaments" not in findings
    assert revision != "0001" or "make a backup before" in findings["database"].advice


def test_a_large_database_is_read_through_when_asked(
    folder: DataFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sixtysix_arena.checkup.database.QUICK_CHECK_MAX_BYTES", 1_000)
    assert "too large to read through without --thorough" in found(folder)["database"].text
    assert found(folder, thorough=True)["database"].text.endswith("sound")


def test_a_log_that_does_not_begin_anew(folder: DataFolder) -> None:
    with folder.database.with_name("arena.db-wal").open("wb") as log:
        log.truncate(300_000_000)
    assert found(folder)["log"].state is State.WARNING


def test_a_journal_that_does_not_begin_anew(folder: DataFolder) -> None:
    with closing(sqlite3.connect(folder.database)) as connection, connection:
        connection.executemany(
            "INSERT INTO journal VALUES (?, x'00')", ((tick,) for tick in range(10, 10_100))
        )
    assert found(folder)["journal"].state is State.WARNING


def test_a_tournament_that_stands_still(folder: DataFolder) -> None:
    with folder.lock() as lock, folder.open_store(lock) as store:
        store.set_state("cup", TournamentState.RUNNING, NOW)
    finding = found(folder)["tournaments"]
    assert finding.state is State.WARNING
    assert "cup stands still, since no arena runs" in finding.text
    assert finding.advice == f"sixtysix serve --data {folder.path}"


def test_a_record_that_is_not_right(tmp_path: Path) -> None:
    cup = header()
    save_record(lines_of(cup, play_games(cup)), tmp_path / "cup.jsonl")
    restore_records([tmp_path / "cup.jsonl"], tmp_path / "data")
    folder = DataFolder(tmp_path / "data")
    assert found(folder, thorough=True)["records"].text == "those of all 1 tournaments are right"
    with closing(sqlite3.connect(folder.database)) as connection, connection:
        connection.execute("UPDATE game SET score0 = score0 + 1 WHERE number = 2")
    finding = found(folder, thorough=True)["records"]
    assert finding.state is State.PROBLEM
    assert "the record of cup is not right: line 3, game cup.2" in finding.text
