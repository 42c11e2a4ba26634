"""Who may write in a data folder: one process at a time, and others are told which."""

from __future__ import annotations

import errno
import fcntl
import os
import socket
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from sixtysix_arena.errors import FolderInUse, Unavailable
from sixtysix_arena.store import DataFolder, Holder


def test_a_lock_that_is_a_link_leads_nowhere(folder: DataFolder, tmp_path: Path) -> None:
    other = tmp_path / "precious"
    other.write_text("gold")
    (folder.path / "lock").symlink_to(other)
    with pytest.raises(Unavailable, match="lock in the data folder"):
        folder.lock()
    assert other.read_text() == "gold"


def test_fault_row_53_one_arena_owns_a_folder(folder: DataFolder) -> None:
    with folder.lock() as lock:
        assert not lock.closed
        with pytest.raises(
            FolderInUse, match=f"in use by process {os.getpid()} on {socket.gethostname()}"
        ):
            folder.lock()
    assert lock.closed
    folder.lock().close()


HOLD = """
import sys, time
from sixtysix_arena.store import DataFolder, Holder, Store, StoreReader, schema
lock = DataFolder.open(sys.argv[1], create=True).lock()
print("held", flush=True)
time.sleep(60)
"""


def test_fault_row_55_a_lock_dies_with_its_process(folder: DataFolder) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(folder.path)], stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(FolderInUse, match=f"in use by process {holder.pid} on "):
            folder.lock()
        holder.kill()
    folder.lock().close()


def test_a_lock_of_unknown_owner(folder: DataFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sixtysix_arena.store.locks.LOCKS", folder.path / "none")
    with folder.lock():
        (folder.path / "lock").write_text("")
        with pytest.raises(FolderInUse, match="is in use by another process"):
            folder.lock()


@pytest.mark.parametrize("removed", [False, True], ids=["emptied", "removed"])
def test_fault_row_53_a_lock_cannot_be_had_by_removing_its_file(
    folder: DataFolder, removed: bool
) -> None:
    file = folder.path / "lock"
    with folder.lock():
        file.unlink() if removed else file.write_text("")
        told = f"is in use by process {os.getpid()} on {socket.gethostname()}: "
        with pytest.raises(FolderInUse, match=told):
            folder.lock()
        assert folder.holder() == Holder(os.getpid(), socket.gethostname())
    assert folder.holder() is None
    folder.lock().close()


def test_where_folders_cannot_be_locked_the_file_is(
    folder: DataFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    flock = fcntl.flock

    def flock_of_files(descriptor: int, how: int) -> None:
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            raise OSError(errno.EBADF, "no")
        flock(descriptor, how)

    monkeypatch.setattr(fcntl, "flock", flock_of_files)
    with folder.lock():
        with pytest.raises(FolderInUse, match=f"by process {os.getpid()} on"):
            folder.lock()
        assert folder.holder() is not None
    assert folder.holder() is None


def test_writing_needs_the_lock_of_the_folder(folder: DataFolder, tmp_path: Path) -> None:
    lock = folder.lock()
    lock.close()
    with pytest.raises(ValueError, match="lock"):
        folder.open_store(lock)
    with (
        DataFolder.open(tmp_path / "other", create=True).lock() as other,
        pytest.raises(ValueError, match="lock"),
    ):
        folder.open_store(other)
    assert not folder.database.exists()


def test_a_lock_survives_a_store_that_does_not_open(folder: DataFolder) -> None:
    folder.database.write_bytes(b"garbage" * 1_000)
    with folder.lock() as lock:
        with pytest.raises(Unavailable):
            folder.open_store(lock)
        with pytest.raises(FolderInUse):
            folder.lock()


# Files that are no database of ours
