"""What an arena does when its data are damaged, lost, locked or read-only, and the way back."""

from __future__ import annotations

import gzip
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from support.command_line import Run, enter, runner
from support.commands import Workplace, wait_for
from support.forgeries import LINES
from support.records import header, lines_of, play_games, tampered

from sixtysix.record import save_record
from sixtysix_arena.restoring import restore_records
from sixtysix_arena.store import REVISION, DataFolder

Capture = pytest.CaptureFixture[str]

NOBODY = 65_534


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder `data` with a finished tournament in it, and its record beside it."""
    enter(tmp_path, monkeypatch)
    save_record(LINES, Path("cup.jsonl.gz"))
    restore_records([Path("cup.jsonl.gz")], Path("data"))
    return tmp_path


@pytest.fixture
def run(capsys: Capture) -> Run:
    """Runs a command; what it printed on both outputs."""
    return runner(capsys)


def contents() -> dict[str, bytes]:
    """The files of the folder that matter."""
    return {path.name: path.read_bytes() for path in Path("data").iterdir() if path.name != "lock"}


def refused(run: Run, *told: str) -> str:
    """No arena starts on the folder, the reason is one sentence, and nothing is changed."""
    before = contents()
    out, err = run("serve", "--data", "data", "--grpc", "127.0.0.1:0", code=1)
    assert out == ""
    assert len(err.splitlines()) == 1
    for text in told:
        assert text in err
    assert contents() == before
    return err


# Row 49


@contextmanager
def somebody_else() -> Iterator[None]:
    """Whoever is root may write anywhere; as somebody else, who owns the folder."""
    if os.geteuid() != 0:
        yield
        return
    for path in (Path("data"), *Path("data").iterdir()):
        os.chown(path, NOBODY, NOBODY)
    for parent in Path("data").absolute().parents:
        if parent.owner() == "root" and parent != Path("/") and not parent.stat().st_mode & 0o001:
            parent.chmod(0o711)
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.mark.parametrize("what", ["data", "data/arena.db"])
def test_fault_row_49_no_arena_starts_on_what_cannot_be_written(run: Run, what: str) -> None:
    with DataFolder.open("data", create=False).lock():
        refused(run, "in use by")  # Loads all that somebody else could not read in root's folders.
    Path(what).chmod(0o500 if what == "data" else 0o400)
    if what == "data":
        Path("data/lock").unlink(missing_ok=True)
    try:
        with somebody_else():
            out, err = run("serve", "--data", "data", "--grpc", "127.0.0.1:0", code=1)
    finally:
        Path("data").chmod(0o700)
    assert out == ""
    assert len(err.splitlines()) == 1
    assert "cannot be" in err


# Rows 50 and 51, and the way back


def half() -> None:
    data = Path("data/arena.db").read_bytes()
    Path("data/arena.db").write_bytes(data[: len(data) // 2])


def other_bytes() -> None:
    data = bytearray(Path("data/arena.db").read_bytes())
    for where in range(8_192, len(data), 64):
        data[where] ^= 0xFF
    Path("data/arena.db").write_bytes(data)


def garbage() -> None:
    Path("data/arena.db").write_bytes(b"no database at all" * 1_000)


def nothing() -> None:
    Path("data/arena.db").write_bytes(b"")


@pytest.mark.parametrize("damage", [half, other_bytes, garbage])
def test_fault_row_50_a_damaged_database_is_refused_and_rebuilt_by_the_command_that_is_named(
    run: Run, damage: Callable[[], None]
) -> None:
    board = run("leaderboard", "cup", "--data", "data", "--json")[0]
    damage()
    told = refused(run, "arena.db", "sixtysix restore FILE --data ")
    rebuild(run, told, "cup.jsonl.gz")
    assert run("leaderboard", "cup", "--data", "data", "--json")[0] == board


def test_fault_row_50_a_backup_is_a_way_back_too(run: Run) -> None:
    run("backup", "cup.db", "--data", "data")
    board = run("leaderboard", "cup", "--data", "data", "--json")[0]
    half()
    rebuild(run, refused(run, "arena.db"), "cup.db")
    assert run("leaderboard", "cup", "--data", "data", "--json")[0] == board


def rebuild(run: Run, told: str, file: str) -> None:
    """Does what a message says: moves the folder away, and runs the command."""
    command = told.partition("'")[2].partition("'")[0].split()
    assert command[:3] == ["sixtysix", "restore", "FILE"]
    assert command[3] == "--data"
    assert f"move the folder {command[4]} away" in told
    Path(command[4]).rename("broken")
    run("restore", file, *command[3:])


def test_fault_row_50_a_log_whose_database_is_gone_is_not_taken_for_a_new_one(run: Run) -> None:
    Path("data/arena.db").rename("data/arena.db-wal")
    refused(run, "arena.db is missing", "sixtysix restore FILE --data ")


def test_fault_row_51_an_empty_database_is_not_filled(run: Run) -> None:
    nothing()
    told = refused(run, "is empty where a database was expected")
    rebuild(run, told, "cup.jsonl.gz")
    run("leaderboard", "cup", "--data", "data")


# Rows 52, 53 and 55


def test_fault_row_52_a_database_of_a_newer_version_is_refused(run: Run) -> None:
    with closing(sqlite3.connect("data/arena.db")) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '1000'")
    refused(run, "written by a newer version (schema 1000, this one knows " + REVISION)
    assert "newer version" in run("backup", "cup.db", "--data", "data", code=1)[1]


HOLD = """
import sys, time
from sixtysix_arena.store import DataFolder
lock = DataFolder.open(sys.argv[1], create=True).lock()
print("held", flush=True)
time.sleep(60)
"""


@contextmanager
def holder() -> Iterator[subprocess.Popen[bytes]]:
    """Another process that holds the folder."""
    with subprocess.Popen([sys.executable, "-c", HOLD, "data"], stdout=subprocess.PIPE) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == b"held\n"
            yield process
        finally:
            process.kill()


def test_fault_row_53_a_second_arena_is_told_who_holds_the_folder(run: Run) -> None:
    with holder() as process:
        refused(run, f"in use by process {process.pid} on {os.uname().nodename}")
        told = run("restore", "cup.jsonl.gz", "--data", "data", code=2)[1]
        assert "is not empty" in told
        assert f"process {process.pid} on" in run("prune", "cup", "--data", "data", code=1)[1]


def test_fault_row_55_what_a_killed_arena_held_is_taken_over(place: Path) -> None:
    work = Workplace(place)
    serve = work.command("serve", "--data", "data", "--grpc", "127.0.0.1:0")
    address = place / "data" / "address"
    with work.running(*serve) as first:
        wait_for(address.exists, "the first arena")
        first.send_signal(signal.SIGKILL)
        first.wait()
    said = address.read_text()
    with work.running(*serve) as second:
        wait_for(lambda: address.read_text() != said, "the second arena")
        assert (place / "data" / "lock").read_text().split()[0] == str(second.pid)
        assert work.json("doctor", "--data", "data")["ok"]


# Row 67


def damaged_records() -> Iterator[tuple[str, bytes]]:
    whole = "".join(LINES).encode()
    yield "a byte is another", whole[:9_000] + bytes([whole[9_000] ^ 1]) + whole[9_001:]
    yield "the end is missing", whole[:-500]
    yield "a line is missing", "".join([*LINES[:3], *LINES[4:]]).encode()
    yield "the end of the pack is missing", gzip.compress(whole)[:-500]
    yield "it is empty", b""
    forged = tampered(LINES, lambda lines: lines[1].update(score=[9, 0]))
    yield "a result is forged", "".join(forged).encode()


DAMAGED = dict(damaged_records())


@pytest.mark.parametrize("damage", DAMAGED)
def test_fault_row_67_a_damaged_record_is_named_and_nothing_of_it_is_taken(
    run: Run, damage: str
) -> None:
    Path("bad.jsonl").write_bytes(DAMAGED[damage])
    places = "line ", "it is empty", "cannot be unpacked"
    spring = header(slug="spring")
    save_record(lines_of(spring, play_games(spring)), Path("spring.jsonl"))
    for files in (["bad.jsonl"], ["spring.jsonl", "bad.jsonl"]):
        out, err = run("restore", *files, "--data", "back", code=1)
        assert out == ""
        assert len(err.splitlines()) == 1
        assert "bad.jsonl" in err
        assert any(place in err for place in places)
        assert not Path("back").exists()
    verdict, error = run("verify", "bad.jsonl", code=1)
    assert any(place in verdict + error for place in places)
