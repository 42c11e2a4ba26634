"""Files that come into being whole: made under another name, on the disk before they have their own."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["DRAFT_ENDINGS", "drafted", "sync"]

DRAFT = ".new"
DRAFT_ENDINGS = (DRAFT, f"{DRAFT}-journal")
"""What stands behind the name of a file while it is made, and behind that of SQLite's own beside it."""


@contextmanager
def drafted(path: Path) -> Iterator[Path]:
    """An empty file for this user's eyes only, which is called `path` once the block ends well.

    If it does not, nothing is left. Raises FileExistsError, at the start or
    at the end, if there is something of that name: it is never replaced.
    """
    if os.path.lexists(path):
        raise FileExistsError(path)
    draft = path.with_name(path.name + DRAFT)
    _remove(path)
    try:
        draft.touch(mode=0o600, exist_ok=False)
        yield draft
        sync(draft)
        _name(draft, path)
        sync(path.parent)
    finally:
        _remove(path)


def sync(path: Path) -> None:
    """Waits until a file, or what a folder lists, would survive a power cut."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _name(draft: Path, path: Path) -> None:
    try:
        path.hardlink_to(draft)  # Unlike renaming, this never takes the place of another file.
    except FileExistsError:
        raise
    except OSError:  # Not every disk has links.
        if os.path.lexists(path):
            raise FileExistsError(path) from None
        draft.rename(path)


def _remove(path: Path) -> None:
    for ending in DRAFT_ENDINGS:
        path.with_name(path.name + ending).unlink(missing_ok=True)
