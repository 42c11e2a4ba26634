"""The schema of a database file: made, checked and brought up to date."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Connection, Engine

from sixtysix_arena.errors import Unavailable, WrongState
from sixtysix_arena.store.engine import open_engine, rebuilding, translated
from sixtysix_arena.store.files import DRAFT, drafted, give_to_owner_of, with_its_logs
from sixtysix_arena.store.models import REVISION

__all__ = [
    "APPLICATION_ID",
    "QUICK_CHECK_MAX_BYTES",
    "check",
    "create",
    "draft_of",
    "fill",
    "prepare",
]

APPLICATION_ID = 0x53363641
"""Marks a SQLite file as ours, in its header: "S66A"."""

QUICK_CHECK_MAX_BYTES = 1 << 30
"""Larger databases are not read through at a start: that would take many seconds."""


def create(path: Path) -> None:
    """Makes a database at `path`, where there is none."""
    with draft_of(path) as draft:
        fill(draft)


@contextmanager
def draft_of(path: Path) -> Iterator[Path]:
    """An empty file to make the database `path` of, where there is none.

    It has another name until the block ends well: whatever interrupts this,
    a file of the right name is complete. For whoever holds the folder's lock.
    """
    draft = path.with_name(path.name + DRAFT)
    for leftover in with_its_logs(draft):
        leftover.unlink(missing_ok=True)
    with drafted(path, draft):
        descriptor = os.open(draft, os.O_RDONLY | os.O_NOFOLLOW)
        try:
            give_to_owner_of(path.parent, descriptor)
        finally:
            os.close(descriptor)
        yield draft


def fill(path: Path) -> None:
    """Makes a database of the empty file `path`."""
    engine = open_engine(path, writing=True, wal=False)
    try:
        with translated(path), engine.begin() as connection:
            connection.exec_driver_sql(f"PRAGMA application_id = {APPLICATION_ID}")
            _migrate(connection)
    finally:
        engine.dispose()


def check(engine: Engine, path: Path) -> str:
    """The schema revision of a database of ours.

    Raises Unavailable for a file that is not ours, and WrongState for one
    that a newer version wrote.
    """
    with translated(path), engine.connect() as connection, connection.begin():
        if _pragma(connection, "application_id") != APPLICATION_ID:
            raise Unavailable(
                f"{path} is a database of another program: move it away, or name another folder"
            )
        revision = str(
            connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar_one()
        )
    # Revisions are numbered, and this code knows all up to its own.
    if not (revision.isdecimal() and revision <= REVISION):
        raise WrongState(
            f"{path} was written by a newer version (schema {revision}, this one knows "
            f"{REVISION}): install that version, or name another folder"
        )
    return revision


def prepare(reading: Engine, writing: Engine, path: Path) -> None:
    """Makes a database ready to be written: checked, unharmed, up to date.

    Raises what `check` raises, and Unavailable for one that is damaged or
    cannot be written. It is only read until all checks are passed.
    """
    revision = check(reading, path)
    with translated(path):
        if path.stat().st_size <= QUICK_CHECK_MAX_BYTES:
            with reading.connect() as connection, connection.begin():
                found = damage(connection, "quick_check(1)")
            if found is not None:
                raise Unavailable(f"the database {path} is damaged ({found}): {rebuilding(path)}")
        with writing.begin() as connection:
            # Of a file that cannot be written SQLite says so only when it is told to write.
            connection.exec_driver_sql("UPDATE alembic_version SET version_num = version_num")
            if revision != REVISION:
                _migrate(connection)


def damage(connection: Connection, check: str) -> str | None:
    """What `quick_check(1)` or `integrity_check(1)` finds, on one line; None if nothing."""
    found = " ".join(str(_pragma(connection, check)).split())
    return None if found == "ok" else found.removeprefix("*** in database main *** ")


def _migrate(connection: Connection) -> None:
    # Alembic takes a while to import, and is needed only here.
    from alembic import command
    from alembic.config import Config

    folder = Path(__file__).with_name("migrations")
    config = Config()
    config.set_main_option("script_location", str(folder).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def _pragma(connection: Connection, pragma: str) -> object:
    return connection.exec_driver_sql(f"PRAGMA {pragma}").scalar_one()
