"""Databases in the making: drafts of a data folder's, which nobody sees until they are right."""

from __future__ import annotations

from pathlib import Path

from sixtysix_arena.errors import Unavailable
from sixtysix_arena.store import schema
from sixtysix_arena.store.copies import copy_database, damage_in
from sixtysix_arena.store.engine import open_engine
from sixtysix_arena.store.repository import Store

__all__ = ["copy_into", "open_draft"]


def copy_into(draft: Path, backup: Path) -> None:
    """Makes the empty file `draft` a copy of a backup, looked through, of this version's schema.

    Raises Unavailable if the backup is damaged or none of ours, WrongState if
    a newer version wrote it.
    """
    if not backup.stat().st_size:
        raise Unavailable(f"the backup {backup} is empty: use another one")
    copy_database(backup, draft)
    if damage := damage_in(draft, thoroughly=True):
        raise Unavailable(f"the backup {backup} is damaged ({damage}): use another one")


def open_draft(draft: Path) -> Store:
    """A store on a draft, brought up to date; an empty file is made a database."""
    if not draft.stat().st_size:
        schema.fill(draft)
    writing = open_engine(draft, writing=True, wal=False)
    reading = open_engine(draft, writing=False)
    try:
        schema.prepare(reading, writing, draft)
        return Store(reading, writing, draft)
    except BaseException:
        reading.dispose()
        writing.dispose()
        raise
