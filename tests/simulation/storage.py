"""A disk that fails: what SQLite answers to the arena's writing connection, call by call.

The real database is below. In front of it every statement and every commit of
the connection that writes asks a `Disk` first, which may say what SQLite says
when a disk is full, fails, or is locked by somebody else; of a commit it may
also say that it failed when it did not.
"""

from __future__ import annotations

import shutil
import sqlite3
import sys
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random
from tempfile import mkdtemp
from typing import Any
from unittest import mock
from urllib.parse import quote

from sqlalchemy import Dialect, Engine, event

from sixtysix_arena.store import DataFolder
from sixtysix_arena.store import folder as folders
from sixtysix_arena.store.engine import open_engine
from sixtysix_arena.tokens import digest

__all__ = ["NAMES", "Disk", "Outage", "cut_short", "disk_in_use", "new_folder", "token_of", "twin"]

NAMES = ("ada", "bob", "cid", "dot", "eve", "fay")
"""The bots that every simulated folder knows."""

CHECKPOINTED_BYTES = 1_000 * 4_096
"""From this size of its log on SQLite brings the log's content into the database."""

_RAM = Path("/dev/shm")
_ERRORS = {
    "full": ("SQLITE_FULL", "database or disk is full"),
    "busy": ("SQLITE_BUSY", "database is locked"),
    "ioerr": ("SQLITE_IOERR_WRITE", "disk I/O error"),
}


@dataclass(slots=True)
class Outage:
    """A time during which the disk fails."""

    error: str
    """`full`, `busy` or `ioerr`."""
    at: str
    """Where in a transaction: `begin`, `statement`, `commit`, or `after` a commit that worked."""
    calls: int
    """How many calls fail before the disk is well again."""
    statement: int = 0
    """Of `statement`: how many work first."""
    delay_s: float = 0.0
    """How long each failing call takes."""


@dataclass(slots=True)
class Disk:
    """The state of the disk under one world."""

    outages: list[Outage] = field(default_factory=list)
    """Those to come, one after another, from now on."""
    delay_s: float = 0.0
    """What the present call took because of an outage."""
    failures: int = 0
    """Calls that failed."""
    _statements: int = 0

    def begin(self) -> None:
        """A transaction begins."""
        self._statements = 0
        self._fail("begin")

    def statement(self) -> None:
        """A statement of a transaction is carried out."""
        self._statements += 1
        if self.outages and self._statements > self.outages[0].statement:
            self._fail("statement")

    def commit(self) -> None:
        """A transaction is about to be committed."""
        self._fail("commit")

    def committed(self) -> None:
        """A transaction was committed."""
        self._fail("after")

    def _fail(self, at: str) -> None:
        if not self.outages or self.outages[0].at != at:
            return
        outage = self.outages[0]
        outage.calls -= 1
        if outage.calls <= 0:
            self.outages.pop(0)
        self.delay_s += outage.delay_s
        self.failures += 1
        name, text = _ERRORS[outage.error]
        error = sqlite3.OperationalError(text)
        error.sqlite_errorname = name
        raise error


_disk: Disk | None = None


@contextmanager
def disk_in_use(disk: Disk) -> Iterator[None]:
    """Puts a disk below every arena of this process."""
    global _disk
    before, _disk = _disk, disk
    try:
        with mock.patch.object(folders, "open_engine", _open_engine):
            yield
    finally:
        _disk = before


class _Cursor(sqlite3.Cursor):
    def execute(self, sql: str, parameters: Any = ()) -> _Cursor:
        if _disk is not None:
            if sql.startswith("BEGIN"):
                _disk.begin()
            else:
                _disk.statement()
        super().execute(sql, parameters)
        return self

    def executemany(self, sql: str, parameters: Any) -> _Cursor:
        if _disk is not None:
            _disk.statement()
        super().executemany(sql, parameters)
        return self


class _Connection(sqlite3.Connection):
    def cursor(self, factory: Any = _Cursor) -> Any:
        return super().cursor(factory)

    def commit(self) -> None:
        if _disk is None or not self.in_transaction:
            super().commit()
            return
        try:
            _disk.commit()
        except sqlite3.Error:
            self.rollback()  # As SQLite does itself when a commit fails.
            raise
        super().commit()
        _disk.committed()


# An engine compiles each statement once, which takes longer than to play a small tournament. So
# engines are used again: a disposed one for the next folder that is opened.
_open_real_engine = open_engine
_idle: defaultdict[bool, list[Engine]] = defaultdict(list)
_paths: dict[Dialect, Path] = {}


def _open_engine(path: Path, *, writing: bool, wal: bool = True, **options: Any) -> Engine:
    if not wal:
        return _open_real_engine(path, writing=writing, wal=wal, **options)
    idle = _idle[writing]
    if not idle:
        idle.append(_reusable(_open_real_engine(path, writing=writing, **options), idle))
    engine = idle.pop()
    Engine.dispose(engine)  # Somebody may have read with it after he had closed it.
    _paths[engine.dialect] = path
    return engine


def _reusable(engine: Engine, idle: list[Engine]) -> Engine:
    def dispose(close: bool = True) -> None:
        Engine.dispose(engine, close)
        if engine not in idle:
            idle.append(engine)

    engine.dispose = dispose  # type: ignore[method-assign]
    return engine


@event.listens_for(Engine, "do_connect")
def _connect(dialect: Any, _record: Any, arguments: list[Any], keywords: dict[str, Any]) -> None:
    path = _paths.get(dialect)
    if path is not None:
        arguments[0] = f"file:{quote(str(path))}?{arguments[0].partition('?')[2]}"
    if _disk is not None and "mode=rw" in arguments[0]:
        keywords["factory"] = _Connection


def token_of(name: str) -> str:
    """The token of a bot."""
    return f"token-of-{name}"


def new_folder() -> Path:
    """A folder in memory, with a database that knows the bots, in a folder of its own."""
    home = Path(mkdtemp(prefix="sixtysix-simulation-", dir=_RAM if _RAM.is_dir() else None))
    data = home / "0"
    data.mkdir(mode=0o700)
    (data / "arena.db").write_bytes(_template())
    return data


def twin(data: Path, number: int) -> Path:
    """What a process that starts after a crash of the present one finds."""
    copy = data.with_name(str(number))
    copy.mkdir(mode=0o700)
    for name in ("arena.db", "arena.db-wal"):
        if (data / name).exists():
            shutil.copyfile(data / name, copy / name)
    return copy


def cut_short(data: Path, was: Path, rng: Random) -> bool:
    """Takes the end of the log away, as a power cut may; says whether it could.

    `was` is the folder from which `data` was copied. What a checkpoint has read
    was synced before: it stays.
    """
    log = data / "arena.db-wal"
    if not log.exists() or log.stat().st_size >= CHECKPOINTED_BYTES:
        return False  # What has reached the database itself is safe.
    with log.open("r+b") as file:
        file.truncate(rng.randint(_synced_bytes(was), log.stat().st_size))
    return True


def _synced_bytes(data: Path) -> int:
    """How much of the log a checkpoint has read, by the index beside it (SQLite's `nBackfill`)."""
    index = (data / "arena.db-shm").read_bytes()
    frames = int.from_bytes(index[96:100], sys.byteorder)
    page_bytes = int.from_bytes((data / "arena.db-wal").read_bytes()[8:12])
    return 32 + frames * (24 + page_bytes) if frames else 0


@cache
def _template() -> bytes:
    home = Path(mkdtemp(prefix="sixtysix-simulation-", dir=_RAM if _RAM.is_dir() else None))
    try:
        folder = DataFolder.open(home, create=True)
        with folder.lock() as lock, folder.open_store(lock) as store:
            for name in NAMES:
                store.add_bot(name, digest(token_of(name)), "2026-01-31T12:00:00Z")
        return folder.database.read_bytes()
    finally:
        shutil.rmtree(home)
