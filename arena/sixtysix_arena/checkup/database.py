"""The database of a data folder, read and not changed: sound, up to date, and what is in it."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path

from sixtysix.record import RecordError
from sixtysix.reports import GameState, TournamentState
from sixtysix.verify import verify
from sixtysix_arena.checkup.findings import Finding, ok, problem, warning
from sixtysix_arena.errors import ArenaError, NotFound
from sixtysix_arena.layout import LOCK
from sixtysix_arena.queries import StoredArena
from sixtysix_arena.store import (
    QUICK_CHECK_MAX_BYTES,
    REVISION,
    Census,
    DataFolder,
    damage_in,
    rebuilding,
    revision_of,
)

__all__ = ["counted", "database", "records"]

MAX_LOG_BYTES = 256_000_000
"""The log begins anew every few megabytes, unless somebody reads for very long."""
MAX_JOURNAL_ROWS = 10_000
"""The journal begins anew every thousand ticks."""


def database(folder: DataFolder, *, thorough: bool) -> Iterator[Finding]:
    """Whether the database can be used, and its log."""
    path = folder.database
    try:
        folder.check_there()
        revision = revision_of(path)
        size = path.stat().st_size
        text = f"{path.name} has {size / 1e6:.1f} MB, schema {revision}"
        looked_through = thorough or size <= QUICK_CHECK_MAX_BYTES
        damage = damage_in(path, thoroughly=thorough) if looked_through else None
    except NotFound:
        yield _none(folder)
        return
    except ArenaError as error:
        yield problem("database", str(error))
        return
    if damage is not None:
        yield problem("database", f"{path} is damaged ({damage})", rebuilding(path))
    elif revision != REVISION:
        yield warning(
            "database",
            f"{text}; this version has {REVISION}",
            "the next start brings it up to date: make a backup before",
        )
    else:
        unread = "" if looked_through else "; too large to read through without --thorough"
        yield ok("database", f"{text}, {'sound' if looked_through else 'it opens'}{unread}")
    yield _log(path.with_name(f"{path.name}-wal"))


def _none(folder: DataFolder) -> Finding:
    if {each.name for each in folder.path.iterdir()} - {LOCK, "lost+found"}:
        return problem(
            "database",
            f"there is no arena's data in {folder.path}, and something else is",
            "name the folder of the arena with --data",
        )
    return warning("database", "there is none", "the first start makes it; is this the folder?")


def _log(path: Path) -> Finding:
    size = path.stat().st_size if path.exists() else 0
    text = f"{path.name} has {size / 1e6:.1f} MB"
    if size > MAX_LOG_BYTES:
        return warning(
            "log", text, "end whatever reads the database for so long: only then it begins anew"
        )
    return ok("log", text if size else "nothing waits to be taken over into the database")


def counted(found: Census, data: Path, *, is_running: bool) -> Iterator[Finding]:
    """The journal, the tournaments and the games."""
    text = f"{found.journal_rows} rows, {found.journal_bytes / 1e3:.1f} kB"
    if found.journal_rows > MAX_JOURNAL_ROWS:
        yield warning("journal", text, "it should begin anew every 1000 rows: report this")
    else:
        yield ok("journal", text)
    running = found.tournaments[TournamentState.RUNNING]
    states = [
        f"{len(found.tournaments[state])} {state}"
        for state in TournamentState
        if found.tournaments[state]
    ]
    text = ", ".join(states) or "none yet"
    if running and not is_running:
        verb = "stands" if len(running) == 1 else "stand"
        yield warning(
            "tournaments",
            f"{text}; {', '.join(running[:5])} {verb} still, since no arena runs",
            f"sixtysix serve --data {shlex.quote(str(data))}",
        )
    else:
        yield ok("tournaments", text)
    open_count, scheduled = found.games[GameState.OPEN], found.games[GameState.SCHEDULED]
    unfinished = f"{open_count} open, {scheduled} not begun"
    yield ok("games", unfinished if open_count or scheduled else "none is unfinished")


def records(folder: DataFolder) -> Finding:
    """Whether the record of each tournament would be right."""
    count, slug = 0, ""
    try:
        with folder.open_reader() as reader:
            stored = StoredArena(reader)
            for slug in [info.slug for info in stored.tournaments()]:
                count += 1
                difference = verify(stored.export(slug)).difference
                if difference is not None:
                    raise RecordError(str(difference))
    except (ArenaError, RecordError) as error:
        place = f"the record of {slug} is not right: " if slug else ""
        return problem("records", f"{place}{error}", rebuilding(folder.database))
    return ok("records", f"those of all {count} tournaments are right")
