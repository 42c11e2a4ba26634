"""Who may write in a data folder: one process at a time, and others are told which.

The folder itself is locked, since whatever file in it were locked could be
removed by hand, and made anew by the next who wants to have it. The file `lock`
says who it is; it is locked too, since that was all that earlier versions did.
"""

from __future__ import annotations

import errno
import fcntl
import os
import pwd
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from sixtysix_arena.errors import FolderInUse, Unavailable
from sixtysix_arena.layout import LOCK
from sixtysix_arena.store.files import give_to_owner_of

__all__ = ["FolderLock", "Holder", "holder_of", "unusable"]

LOOKS_S = (0.01, 0.05, 0.2)
"""How long a lock is waited for: whoever only looks at it has it for less."""
LOCKS = Path("/proc/locks")
"""Where Linux tells of all locks that are held."""


@dataclass(frozen=True, slots=True)
class Holder:
    """The process that holds a data folder, as far as it has said."""

    pid: int | None
    host: str = ""

    @property
    def is_here(self) -> bool:
        """Whether it is a process of this machine that can be seen from here."""
        if self.pid is None or self.host != socket.gethostname():
            return False
        try:
            os.kill(self.pid, 0)
        except OSError as error:
            return isinstance(error, PermissionError)
        return True

    def __str__(self) -> str:
        return "another process" if self.pid is None else f"process {self.pid} on {self.host}"


class FolderLock:
    """The right to write in a data folder, held until `close` or the end of the process."""

    def __init__(self, folder: Path) -> None:
        """Raises FolderInUse if somebody else has it, and Unavailable if it cannot be written."""
        self.folder = folder
        self._open = ExitStack()
        with ExitStack() as opening:
            try:
                whole = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
                opening.callback(os.close, whole)
                with _where_folders_can_be_locked():
                    _lock(whole)
                descriptor = _open_file(folder)
                opening.callback(os.close, descriptor)
                _lock(descriptor)
                if not os.path.samestat(os.fstat(whole), folder.stat()):
                    raise FileNotFoundError(errno.ENOENT, "it was replaced just now")
                os.ftruncate(descriptor, 0)
                os.write(descriptor, f"{os.getpid()} {socket.gethostname()}\n".encode())
            except BlockingIOError as error:
                raise FolderInUse(
                    f"{folder} is in use by {_holder(folder)}: stop that arena, or name another"
                    " folder"
                ) from error
            except OSError as error:
                raise unusable(folder, error) from error
            self._open = opening.pop_all()
        self.closed = False

    def close(self) -> None:
        """Gives the folder back. The file stays: it says who was the last."""
        self.closed = True
        self._open.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()


def holder_of(folder: Path) -> Holder | None:
    """Who holds a folder now; None if nobody does. Raises Unavailable if it cannot tell."""
    for path in (folder, folder / LOCK):
        try:
            descriptor = os.open(path, os.O_RDONLY)
        except FileNotFoundError:
            continue
        except OSError as error:
            raise unusable(folder, error) from error
        try:
            with _where_folders_can_be_locked():
                fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return _holder(folder)
        finally:
            os.close(descriptor)
    return None


def unusable(folder: Path, error: OSError) -> Unavailable:
    """What is told of a folder in which something cannot be done."""
    what = f"the data folder {folder}"
    path = Path(os.fsdecode(error.filename or ""))
    if path.parent == folder:
        what = f"{path.name} in {what}"
    reason = f"{error.strerror}{_others(path) if isinstance(error, PermissionError) else ''}"
    return Unavailable(f"{what} cannot be used ({reason}): mend that, or name another folder")


def _others(path: Path) -> str:
    """Whose a file is, if it is not this user's."""
    with suppress(OSError, KeyError):  # Not every user has a name.
        owner = path.lstat().st_uid
        if owner != os.geteuid():
            return f", it belongs to {pwd.getpwuid(owner).pw_name}"
    return ""


def _open_file(folder: Path) -> int:
    """The file `lock`, made if it is not there; never what a link leads to."""
    flags = os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC
    with suppress(FileExistsError):
        descriptor = os.open(folder / LOCK, flags | os.O_CREAT | os.O_EXCL, 0o600)
        give_to_owner_of(folder, descriptor)
        return descriptor
    return os.open(folder / LOCK, flags | os.O_CREAT, 0o600)


@contextmanager
def _where_folders_can_be_locked() -> Iterator[None]:
    """Goes on where they cannot, as on some network file systems: then the file has to do."""
    try:
        yield
    except BlockingIOError:
        raise
    except OSError as error:
        if error.errno not in (errno.EBADF, errno.EINVAL, errno.ENOLCK, errno.ENOTSUP):
            raise


def _lock(descriptor: int) -> None:
    """Takes the lock. Raises BlockingIOError if somebody has it."""
    for look_s in LOOKS_S:
        with suppress(BlockingIOError):
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        time.sleep(look_s)
    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _holder(folder: Path) -> Holder:
    """Who holds a folder that is held: by the file, or by what the system says of the lock."""
    with suppress(OSError):
        said = (folder / LOCK).read_bytes()[:256].decode("utf-8", "replace").split()
        if len(said) == 2 and said[0].isascii() and said[0].isdigit():
            return Holder(int(said[0]), said[1])
    with suppress(OSError, ValueError, IndexError):  # Not every system tells, nor of everybody.
        inode = str(folder.stat().st_ino)
        for line in LOCKS.read_text(encoding="ascii").splitlines():
            # 1: FLOCK  ADVISORY  WRITE 1234 08:01:567890 0 EOF
            words = line.split()
            if words[1] == "FLOCK" and words[3] == "WRITE" and words[5].split(":")[2] == inode:
                return Holder(int(words[4]), socket.gethostname())
    return Holder(None)
