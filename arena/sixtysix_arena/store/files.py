"""Files that come into being whole: under another name until they are on the disk."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

__all__ = ["DRAFT", "drafted", "give_to_owner_of", "with_its_logs"]

DRAFT = ".new"
"""How the names of drafts end."""
_LOGS = ("-journal", "-wal", "-shm")
"""How the names of the files end that SQLite keeps beside a database."""


@contextmanager
def drafted(path: Path, draft: Path) -> Iterator[Path]:
    """Makes an empty file, for this user's eyes only, that gets its name once the block ends well.

    It is `draft` till then, which the block is given, and `path` afterwards. If
    the block fails nothing is left. Raises FileExistsError, at the start or at
    the end, if there is a `path`: it is never replaced.
    """
    if os.path.lexists(path):
        raise _there_is(path)
    draft.touch(mode=0o600, exist_ok=False)
    try:
        yield draft
        _sync(draft)
        _name(draft, path)
        with suppress(OSError):  # Not every disk can, and the file is whole in any case.
            _sync(path.parent)
    finally:
        for each in with_its_logs(draft):
            each.unlink(missing_ok=True)


def give_to_owner_of(folder: Path, descriptor: int) -> None:
    """Gives a file that root just made to the owner of its folder, who could not use it else.

    `descriptor` is that of the file. For any other user nothing is done.
    """
    if os.geteuid() != 0:
        return
    with suppress(OSError):  # Not every disk has owners.
        owner, made = folder.stat(), os.fstat(descriptor)
        if owner.st_uid != made.st_uid:
            os.fchown(descriptor, owner.st_uid, owner.st_gid)


def with_its_logs(path: Path) -> list[Path]:
    """A file, and what SQLite may have put beside it if it is a database."""
    return [path, *(path.with_name(path.name + ending) for ending in _LOGS)]


def _sync(path: Path) -> None:
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
            raise _there_is(path) from None
        draft.rename(path)


def _there_is(path: Path) -> FileExistsError:
    return FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path))
