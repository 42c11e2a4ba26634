"""A data folder from outside: who may read it, its disk, the arena that holds it."""

from __future__ import annotations

import os
import shlex
import shutil
import stat
import time
from collections.abc import Iterator
from pathlib import Path

import psutil

from sixtysix.api import ApiError, ArenaUnreachable
from sixtysix_arena.checkup.findings import Finding, ok, problem, warning
from sixtysix_arena.errors import ArenaError, NotFound
from sixtysix_arena.layout import ADMIN_TOKEN, DATABASE
from sixtysix_arena.store import DataFolder, Holder, is_read_only

__all__ = ["arena", "disk", "permissions"]

MIN_FREE_BYTES = 64_000_000
"""With less it is a matter of hours until nothing can be stored."""
SPARE_BYTES = 256_000_000
"""What should be free beside the room for a copy of the database."""
SHARED_DISKS = {"nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "afs", "ceph", "fuse.sshfs"}
"""Kinds of disks behind a network: there no log can be shared between processes."""
MAX_START_S = 120
"""No arena takes longer to start, not even with a database that it looks through."""
PRIVATE = (DATABASE, f"{DATABASE}-wal", ADMIN_TOKEN)
"""Files with secrets in them."""


def permissions(folder: Path, *, has_database: bool) -> Finding:
    """Whether this user may write the folder, and others may not read what is in it."""
    if not folder.exists():
        return problem(
            "folder",
            f"there is no {folder}",
            "name the folder of the arena with --data; the first start makes a new one",
        )
    if not folder.is_dir():
        return problem("folder", f"{folder} is no folder", "name another one with --data")
    open_to_all = [
        path for path in (folder, *(folder / name for name in PRIVATE)) if _others_may(path)
    ]
    if is_read_only(folder) and os.access(folder, os.R_OK | os.X_OK):
        return problem(
            "folder",
            f"{folder} is on a disk that is read-only: no arena can run on it",
            "mount the disk for writing, or copy the folder to another disk",
        )
    if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        return problem(
            "folder",
            f"{folder} cannot be written by this user",
            "mend its owner or its permissions",
        )
    if not has_database:  # Whose folder it is nobody knows, and it may be the system's.
        return ok("folder", f"{folder} can be written by this user")
    if open_to_all:
        named = shlex.quote(str(open_to_all[0]))
        return warning(
            "folder",
            f"others may use {open_to_all[0]}, in which seeds and tokens are",
            f"chmod go= {named}",
        )
    return ok("folder", f"{folder} is for its owner alone")


def _others_may(path: Path) -> bool:
    try:
        mode = path.stat().st_mode
    except OSError:
        return False
    # In a folder that nobody else may enter it does not matter what its files allow.
    closed = not stat.S_ISDIR(mode) and not path.parent.stat().st_mode & 0o011
    return bool(mode & 0o077) and not closed


def disk(folder: Path, database_bytes: int) -> Finding:
    """How much room is left, and whether the disk is of a kind that a database can be on."""
    there = next(path for path in (folder, *folder.parents) if path.exists())
    kind = _kind_of_disk(there)
    if kind in SHARED_DISKS:
        return problem(
            "disk",
            f"{folder} is on a disk behind a network ({kind}), where locks cannot be relied upon",
            "name a folder on a local disk",
        )
    free = shutil.disk_usage(there).free
    text = f"{free / 1e9:.1f} GB free"
    advice = "make room: nothing is played while nothing can be stored"
    if not os.statvfs(there).f_favail and os.statvfs(there).f_files:
        return problem("disk", "no more files can be made", advice)
    if free < MIN_FREE_BYTES:
        return problem("disk", text, advice)
    if free < database_bytes + SPARE_BYTES:
        return warning("disk", f"{text}, too little for a copy of the database", advice)
    return ok("disk", text)


def _kind_of_disk(path: Path) -> str:
    real = path.resolve()
    mounts = {Path(each.mountpoint): each.fstype for each in psutil.disk_partitions(all=True)}
    return next((mounts[each] for each in (real, *real.parents) if each in mounts), "")


def arena(folder: DataFolder) -> Iterator[Finding]:
    """Who holds the folder, whether it lives, and whether it answers."""
    try:
        holder = folder.holder()
    except ArenaError as error:
        yield problem("arena", str(error))
        return
    if holder is None:
        yield _nobody(folder)
        return
    found = _holder(holder)
    yield found
    if not found.advice:
        yield _address(folder, holder)


def _nobody(folder: DataFolder) -> Finding:
    try:
        folder.address()
    except ArenaError:
        return ok("arena", "none runs on this folder")
    return ok("arena", "none runs; the last one was killed, and the next goes on where it was")


def _holder(holder: Holder) -> Finding:
    if not holder.is_here:
        # In another container, for example, its number is another one.
        return warning(
            "arena", f"{holder} holds the folder, and is not seen from here", "look there"
        )
    try:
        since_s = _age_s(holder)
        if psutil.Process(holder.pid).status() == psutil.STATUS_STOPPED:
            return problem(
                "arena", f"{holder} is suspended", f"let it go on: kill -CONT {holder.pid}"
            )
    except psutil.Error as error:
        return warning("arena", f"{holder} holds the folder, and cannot be looked at", str(error))
    return ok("arena", f"{holder} runs for {_duration(since_s)}")


def _age_s(holder: Holder) -> float:
    """For how long a process has run. Raises psutil.Error if it cannot be looked at."""
    return time.time() - psutil.Process(holder.pid).create_time()


def _address(folder: DataFolder, holder: Holder) -> Finding:
    from sixtysix_arena.server.probe import is_serving

    try:
        address = folder.address()
    except NotFound:
        return _no_address(folder, holder)
    except ApiError as error:
        return problem("address", str(error))
    try:
        begun_s = time.monotonic()
        serving = is_serving(address)
        taken_ms = (time.monotonic() - begun_s) * 1_000
    except ArenaUnreachable as error:
        return problem("address", str(error), "look at its log; end it and start it again")
    if not serving:
        return problem(
            "address",
            f"{address} answers, and is not serving: it cannot store anything, or it is stopping",
            "look at its log, the disk and the database",
        )
    return ok("address", f"{address} answers in {taken_ms:.0f} ms, and is serving")


def _no_address(folder: DataFolder, holder: Holder) -> Finding:
    try:
        is_old = _age_s(holder) > MAX_START_S
    except psutil.Error:
        is_old = False  # It has just ended.
    if is_old:
        return problem(
            "address",
            f"the file address is missing in {folder.path}, by which commands find the arena",
            "end the arena and start it again: it goes on where it was",
        )
    return warning("address", "the arena does not serve yet", "look again in a moment")


def _duration(seconds: float) -> str:
    minutes = round(seconds / 60)
    if minutes < 120:
        return f"{minutes} min"
    return f"{minutes // 60} h" if minutes < 60 * 48 else f"{minutes // (60 * 24)} days"
