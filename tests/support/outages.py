"""Disks that are full, files that may not grow, databases that somebody else has locked."""

from __future__ import annotations

import os
import resource
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

__all__ = ["Locker", "SmallDisk", "no_growth", "slow_update"]


class SmallDisk:
    """A file system of a few megabytes at `path`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._filler = path / "filler"

    @classmethod
    @contextmanager
    def mounted(cls, path: Path, size: str) -> Iterator[SmallDisk]:
        """Skips the test where nothing may be mounted.

        It goes when this process ends, however that happens.
        """
        path.mkdir()
        script = (
            f'mount -t tmpfs -o size={size} none "$0" || exit 1; echo mounted;'
            ' cat; exec umount --lazy "$0"'
        )
        with subprocess.Popen(
            ["sh", "-c", script, str(path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,  # Ctrl-C is for the tests.
        ) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            assert process.stderr is not None
            try:
                if process.stdout.readline() != "mounted\n":
                    pytest.skip(f"no file system may be mounted here: {process.stderr.read()}")
                yield cls(path)
            finally:
                process.stdin.close()
        assert process.returncode == 0

    @contextmanager
    def full(self) -> Iterator[None]:
        """Leaves no byte free until the end of the block."""
        try:
            with self._filler.open("wb", buffering=0) as file:
                try:
                    while True:
                        file.write(bytes(4096))
                except OSError:
                    assert os.statvfs(self.path).f_bavail == 0
            yield
        finally:
            self._filler.unlink()

    @contextmanager
    def read_only(self) -> Iterator[None]:
        """Lets nobody write there until the end of the block."""
        self._remount("ro")
        try:
            yield
        finally:
            self._remount("rw")

    def _remount(self, how: str) -> None:
        subprocess.run(["mount", "-o", f"remount,{how}", str(self.path)], check=True)


@contextmanager
def no_growth(pid: int, largest: Path) -> Iterator[None]:
    """Lets no file of a process grow beyond what the largest has now, until the block ends."""
    soft, hard = resource.prlimit(pid, resource.RLIMIT_FSIZE)
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (largest.stat().st_size, hard))
    try:
        yield
    finally:
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (soft, hard))


@contextmanager
def slow_update(database: Path, of: str, when: str) -> Iterator[None]:
    """Makes the database take a minute over an update, which is a long time to be killed in.

    `of` is a table, and `when` says of the row as it becomes, NEW, whether it is meant. No
    arena may run when the block begins and ends.
    """
    long = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"
    with closing(sqlite3.connect(database)) as connection:
        connection.execute(
            f"CREATE TRIGGER slow AFTER UPDATE ON {of} WHEN {when} BEGIN"
            f" SELECT count(*) FROM ({long} LIMIT 500000000); END"
        )
    try:
        yield
    finally:
        with closing(sqlite3.connect(database)) as connection:
            connection.execute("DROP TRIGGER slow")


_LOCKER = """\
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], timeout=3, isolation_level=None)
print("ready", flush=True)
for line in sys.stdin:
    try:
        connection.execute(line)
    except sqlite3.OperationalError:
        print("locked", flush=True)
    else:
        print("done", flush=True)
"""


class Locker:
    """Another process that has the database open, and locks it when it is told to."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    @classmethod
    @contextmanager
    def of(cls, database: Path) -> Iterator[Locker]:
        """Starts it; it lets go of the database at the end."""
        with subprocess.Popen(
            [sys.executable, "-c", _LOCKER, str(database)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            try:
                assert process.stdout.readline() == "ready\n"
                yield cls(process)
            finally:
                process.stdin.close()

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Holds the lock until the end of the block."""
        self._do("BEGIN EXCLUSIVE")
        try:
            yield
        finally:
            self._do("ROLLBACK")

    def is_locked_out(self) -> bool:
        """Whether somebody else holds the lock, and for longer than any usual commit."""
        return self._tell("BEGIN IMMEDIATE") == "locked" or self._tell("ROLLBACK") != "done"

    def _do(self, statement: str) -> None:
        told = self._tell(statement)
        assert told == "done", told

    def _tell(self, statement: str) -> str:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{statement}\n")
        self._process.stdin.flush()
        return self._process.stdout.readline().strip()
