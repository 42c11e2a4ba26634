"""Connections to the database file, and what becomes of its errors."""

from __future__ import annotations

import os
import shlex
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from sqlalchemy import URL, Connection, Engine, create_engine, event
from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError

from sixtysix_arena.errors import ArenaError, Invalid, Unavailable
from sixtysix_arena.layout import DATABASE

__all__ = ["BUSY_TIMEOUT_MS", "is_read_only", "open_engine", "rebuilding", "translated"]

BUSY_TIMEOUT_MS = 10_000
"""How long a call waits while another process holds the database's lock.

Writing is idempotent, so that a caller who gets Unavailable may try again;
a longer wait would only delay the message that says why nothing happens.
"""


def open_engine(
    path: Path, *, writing: bool, wal: bool = True, busy_timeout_ms: int = BUSY_TIMEOUT_MS
) -> Engine:
    """An engine on an existing file; nothing ever creates one by opening it.

    The driver's own handling of transactions loses updates between
    connections without an error, so it is switched off, and every
    transaction says itself what it is: a writing one takes the lock first.
    Without `wal` it is a draft, which is brought onto the disk as a whole.
    """
    query = {"mode": "rw" if writing else "ro", "uri": "true"}
    if not writing and _stands_still(path):
        query["immutable"] = "1"
    url = URL.create("sqlite", database=f"file:{quote(str(path))}", query=query)
    engine = create_engine(
        url,
        # Parameters are seeds and digests of tokens; they do not belong in messages.
        hide_parameters=True,
        connect_args={"isolation_level": None, "timeout": busy_timeout_ms / 1_000},
    )

    @event.listens_for(engine, "connect")
    def connected(connection: sqlite3.Connection, _record: object) -> None:
        if writing:
            if wal:
                # Readers and the writer then do not wait for each other.
                (mode,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
                if mode != "wal":
                    raise Unavailable(
                        f"the database {path} is on a disk where it cannot be shared between "
                        "processes: name a folder on a local disk"
                    )
                connection.execute("PRAGMA synchronous = NORMAL")
            else:
                connection.execute("PRAGMA synchronous = OFF")
            connection.execute("PRAGMA foreign_keys = ON")

    @event.listens_for(engine, "begin")
    def begun(connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")

    return engine


def _stands_still(path: Path) -> bool:
    """Whether to read the file alone: there is no log to read, and none can be made."""
    log = path.with_name(path.name + "-wal")
    return not log.exists() and not os.access(path.parent, os.W_OK, effective_ids=True)


_CAUSES = {
    "SQLITE_FULL": "the disk is full: nothing of this call was stored; make room and try again",
    "SQLITE_IOERR_SHMSIZE": "its disk has no room for a small file beside it, without which it"
    " can neither be read nor written: make room and try again",
    "SQLITE_IOERR": "the disk failed: nothing of this call was stored; look at it and try again",
    "SQLITE_BUSY": "another process holds its lock: end that process, or try again",
    "SQLITE_READONLY": "it cannot be written: check its permissions and those of its folder",
    "SQLITE_CANTOPEN": "it cannot be opened: check its permissions and those of its folder",
    "SQLITE_PERM": "it cannot be opened: check its permissions and those of its folder",
    "SQLITE_CORRUPT": "it is damaged: {rebuilding}",
    "SQLITE_NOTADB": "it is not a database: {rebuilding}",
}

_FORBIDDEN = frozenset(("SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM"))
_READ_ONLY = "its disk is read-only, and its log cannot be read there: copy both to another disk"
"""Instead of the causes of what is forbidden, which are told by permissions."""


def is_read_only(folder: Path) -> bool:
    """Whether nobody can write a folder, since its disk is mounted like that."""
    try:
        return bool(os.statvfs(folder).f_flag & os.ST_RDONLY)
    except OSError:
        return False


def rebuilding(path: Path) -> str:
    """What to do where the database `path` is lost: one phrase, with the command in it."""
    if path.name != DATABASE:
        return "use another copy of it"
    folder = shlex.quote(str(path.parent))
    return (
        f"move the folder {folder} away and rebuild it from a backup, or from exported records, "
        f"with 'sixtysix restore FILE --data {folder}'"
    )


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Turns errors of the database `path` into errors of the arena."""
    try:
        yield
    except IntegrityError as error:
        raise Invalid(f"the database refuses what it was given: {error.orig}") from error
    except DBAPIError as error:
        raise _unavailable(path, error.orig) from error
    except sqlite3.Error as error:
        raise _unavailable(path, error) from error
    except SQLAlchemyError as error:
        raise Unavailable(f"the database {path} cannot be used: {error}") from error


def _unavailable(path: Path, error: BaseException | None) -> ArenaError:
    name = getattr(error, "sqlite_errorname", "")
    for prefix, cause in _CAUSES.items():
        if name.startswith(prefix):
            if prefix in _FORBIDDEN and is_read_only(path.parent):
                cause = _READ_ONLY
            told = cause.format(rebuilding=rebuilding(path))
            return Unavailable(f"the database {path} cannot be used, since {told}")
    return Unavailable(f"the database {path} cannot be used: {error}")
