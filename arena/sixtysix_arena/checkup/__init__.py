"""Everything that an operator would look at, looked at: a line each, and nothing is changed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from sixtysix_arena.checkup import database, folder, machine
from sixtysix_arena.checkup.findings import Finding, State
from sixtysix_arena.errors import ArenaError
from sixtysix_arena.store import REVISION, Census, DataFolder, census, revision_of

__all__ = ["Finding", "State", "examine"]


def examine(
    data: Path,
    *,
    tls_cert: Path | None = None,
    tls_key: Path | None = None,
    thorough: bool = False,
) -> Iterator[Finding]:
    """Looks at a data folder, the arena that runs on it, and the machine that they are on.

    A thorough look compares all indexes of the database, and verifies the
    records of all tournaments, which may take minutes.
    """
    there = DataFolder(data.absolute())
    pid = _pid(there)
    stored = _stat(there.database)
    yield machine.python()
    yield from machine.settings(
        os.environ, is_running=pid is not None, data=data, tls_cert=tls_cert, tls_key=tls_key
    )
    yield folder.permissions(there.path, has_database=stored is not None)
    yield folder.disk(there.path, 0 if stored is None else stored.st_size)
    yield from folder.arena(there)
    yield machine.files(pid)
    counts = _census(there)
    touched_s = None if stored is None else stored.st_mtime
    yield machine.clock("" if counts is None else counts.newest, touched_s)
    if not there.path.is_dir():
        return
    sound = True
    for found in database.database(there, thorough=thorough):
        sound = sound and found.state is not State.PROBLEM
        yield found
    if sound and counts is not None:
        yield from database.counted(counts, data, is_running=pid is not None)
        if thorough:
            yield database.records(there)


def _stat(database: Path) -> os.stat_result | None:
    try:
        return database.stat()
    except OSError:  # It is not there, or not for this user: `database` tells which.
        return None


def _pid(there: DataFolder) -> int | None:
    """The process of the arena that holds the folder, if it is seen from here."""
    try:
        holder = there.holder()
    except ArenaError:
        return None
    return None if holder is None or not holder.is_here else holder.pid


def _census(there: DataFolder) -> Census | None:
    """What is in the database; None where it cannot be counted, which `database` tells."""
    try:
        there.check_there()
        return census(there.database) if revision_of(there.database) == REVISION else None
    except ArenaError:
        return None
