"""The data folder: a database, the lock of the one arena that owns it, an address, a token."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from sixtysix_arena.errors import ArenaError, Exists, NotFound, Unavailable, WrongState
from sixtysix_arena.layout import ADDRESS, ADMIN_TOKEN, DATABASE, LOCK
from sixtysix_arena.store import schema
from sixtysix_arena.store.copies import Contents, contents, copy_database, damage_in
from sixtysix_arena.store.engine import BUSY_TIMEOUT_MS, open_engine, rebuilding
from sixtysix_arena.store.files import DRAFT, drafted, give_to_owner_of, with_its_logs
from sixtysix_arena.store.locks import FolderLock, Holder, holder_of, unusable
from sixtysix_arena.store.models import REVISION
from sixtysix_arena.store.reader import StoreReader
from sixtysix_arena.store.repository import Store

__all__ = ["DataFolder"]

NO_DATA = {LOCK, "lost+found", *map(str, with_its_logs(Path(DATABASE + DRAFT)))}
"""What may be in a folder that is as good as empty."""


class DataFolder:
    """A folder that holds what one arena keeps; `path` is absolute."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.database = path / DATABASE
        self.is_new = False
        """Whether it was made when it was opened."""

    @classmethod
    def open(cls, path: Path | str, *, create: bool) -> DataFolder:
        """The data folder at `path`; with `create` it is made if there is none.

        Without `create` raises NotFound unless there is a database in it, and
        changes nothing. Raises Unavailable if it is no folder or cannot be made.
        """
        folder = cls(Path(path).absolute())
        if _is_file(folder.path):
            raise Unavailable(
                f"the data folder {path} cannot be used, since it is a file: name a folder"
            )
        if create:
            folder.is_new = not os.path.lexists(folder.path)
            try:
                folder.path.mkdir(mode=0o700, parents=True, exist_ok=True)
                if folder.is_new:
                    folder._give_to_owner()
            except OSError as error:
                raise unusable(folder.path, error) from error
        elif not folder.has_data:
            raise NotFound(
                f"there is no arena's data in {folder.path}: name the right folder with --data, "
                f"or start an arena there with: sixtysix serve --data {path}"
            )
        return folder

    @property
    def has_data(self) -> bool:
        """Whether anything was ever stored in it. Raises Unavailable if it cannot tell."""
        return _exists(self.database)

    def lock(self) -> FolderLock:
        """Takes the folder for this process, until the lock is closed or the process dies.

        Raises FolderInUse if an arena has it, and Unavailable if it cannot be written.
        """
        return FolderLock(self.path)

    def holder(self) -> Holder | None:
        """Who holds the folder now; None if nobody does. Raises Unavailable if it cannot tell."""
        return holder_of(self.path)

    def open_store(self, lock: FolderLock, *, busy_timeout_ms: int = BUSY_TIMEOUT_MS) -> Store:
        """The database, for reading and writing; made if there is none.

        `lock` is this folder's. Raises Unavailable if the file is empty,
        damaged or not ours, and WrongState if a newer version wrote it; then
        nothing was changed.
        """
        if lock.closed or lock.folder != self.path:
            raise ValueError(f"the lock of {self.path} is needed to write there")
        if not self.has_data:
            self._create_database()
        self._refuse_empty()
        writing = open_engine(self.database, writing=True, busy_timeout_ms=busy_timeout_ms)
        reading = open_engine(self.database, writing=False, busy_timeout_ms=busy_timeout_ms)
        try:
            schema.prepare(reading, writing, self.database)
            return Store(reading, writing, self.database)
        except BaseException:
            reading.dispose()
            writing.dispose()
            raise

    def open_reader(self, *, busy_timeout_ms: int = BUSY_TIMEOUT_MS) -> StoreReader:
        """The database, read-only, whether or not an arena runs.

        Raises NotFound if there is none, Unavailable if it is empty, damaged or
        not ours, WrongState if a newer version wrote it, or an older one that
        no arena has opened since.
        """
        self.check_there()
        engine = open_engine(self.database, writing=False, busy_timeout_ms=busy_timeout_ms)
        try:
            revision = schema.check(engine, self.database)
        except BaseException:
            engine.dispose()
            raise
        if revision != REVISION:
            engine.dispose()
            raise WrongState(
                f"{self.database} was written by an older version: "
                f"an arena brings it up to date when it starts: sixtysix serve --data {self.path}"
            )
        return StoreReader(engine, self.database)

    def check_same(self, database: os.stat_result) -> None:
        """Raises Unavailable if the database, once `database`, is gone or another one."""
        try:
            lost = not os.path.samestat(database, self.database.stat())
        except (FileNotFoundError, NotADirectoryError):
            lost = True
        except OSError:
            return  # Nobody can tell.
        if lost:
            raise Unavailable(
                f"the database {self.database} was removed or replaced while the arena ran, and "
                f"what is played since is not kept: {rebuilding(self.database)}"
            )

    def back_up(self, path: Path) -> Contents:
        """Copies the database into a new file, whether or not an arena runs; what is in it.

        The arena is not held up. The file is for this user's eyes only, is
        there once it is complete and was read through, and takes no other's
        place. Raises NotFound, Exists, Unavailable or WrongState; then there is
        no file.
        """
        self.check_there()
        try:
            with drafted(path, path.with_name(f".{path.name}.{os.getpid()}{DRAFT}")) as draft:
                copy_database(self.database, draft)
                if damage := damage_in(draft):
                    raise Unavailable(
                        f"the copy of {self.database} is damaged ({damage}), so that there is no "
                        "backup: look at the disk, and at the database with 'sixtysix doctor'"
                    )
                return contents(draft)
        except FileExistsError as error:
            raise Exists(
                f"there is a {path} already, and backups overwrite nothing: name another file"
            ) from error
        except OSError as error:
            raise Unavailable(f"the backup {path} cannot be written: {error.strerror}") from error

    @classmethod
    @contextmanager
    def rebuilt(cls, path: Path | str) -> Iterator[Path]:
        """A data folder where there is none, from an empty file that the block makes a database.

        The folder may be there if it is empty. No arena can start on it
        meanwhile, and it has no database before the block ends well; if it
        does not, all is as it was. Raises Exists, Unavailable or FolderInUse.
        """
        made = not os.path.lexists(path)
        folder = cls.open(path, create=True)
        folder._refuse_used()
        with folder.lock():
            try:
                folder._refuse_used()
                with schema.draft_of(folder.database) as draft:
                    yield draft
            except BaseException as error:
                if made:
                    with suppress(OSError):
                        (folder.path / LOCK).unlink()
                        folder.path.rmdir()
                if isinstance(error, OSError):
                    raise unusable(folder.path, error) from error
                raise

    def remove_unused(self) -> None:
        """Removes a folder in which nothing was ever stored; any other stays as it is.

        What cannot be removed, or is held by somebody else, stays too.
        """
        ours = {*map(str, with_its_logs(Path(DATABASE))), LOCK, ADMIN_TOKEN, ADDRESS}
        with suppress(OSError, ArenaError), self.lock():
            if {each.name for each in self.path.iterdir()} - ours:
                return
            if _exists(self.database):
                stored = contents(self.database)
                if stored.bots or stored.tournaments:
                    return
            for name in ours:
                (self.path / name).unlink(missing_ok=True)
            self.path.rmdir()

    def admin_token(self) -> str:
        """The token of the arena that runs here. Raises NotFound, or Unavailable."""
        path = self.path / ADMIN_TOKEN
        try:
            return path.read_text(encoding="ascii").strip()
        except FileNotFoundError as error:
            raise NotFound(
                f"there is no admin token in {self.path}: start an arena there with "
                f"'sixtysix serve --data {self.path}', or set SIXTYSIX_ADMIN_TOKEN"
            ) from error
        except (OSError, UnicodeDecodeError) as error:
            raise Unavailable(f"the admin token {path} cannot be read: {error}") from error

    def write_admin_token(self, token: str) -> None:
        """Writes the token, for this user's eyes only; a reader sees the old or the new one."""
        self._write(ADMIN_TOKEN, token)

    def address(self) -> str:
        """Where the arena that owns this folder serves, HOST:PORT.

        Raises NotFound if none runs here, or Unavailable. An arena that was
        killed leaves its address behind.
        """
        path = self.path / ADDRESS
        try:
            return path.read_text(encoding="ascii").strip()
        except FileNotFoundError as error:
            raise NotFound(
                f"no arena runs on {self.path}: start one with "
                f"'sixtysix serve --data {self.path}', or name one with --arena"
            ) from error
        except (OSError, UnicodeDecodeError) as error:
            raise Unavailable(f"the address {path} cannot be read: {error}") from error

    def write_address(self, address: str) -> None:
        """Writes where the arena serves; a reader sees the old address or the new one."""
        self._write(ADDRESS, address)

    def remove_address(self) -> None:
        """Says that no arena runs here any more."""
        try:
            (self.path / ADDRESS).unlink(missing_ok=True)
        except OSError as error:
            raise unusable(self.path, error) from error

    def is_deserted(self) -> bool:
        """Whether the process that held the folder last is known to be gone."""
        try:
            pid, host = (self.path / LOCK).read_text(encoding="utf-8").split()
            if host == socket.gethostname():
                os.kill(int(pid), 0)
        except ProcessLookupError:
            return True
        except (OSError, ValueError):
            return False  # It is somebody else's, or elsewhere, or was never locked.
        return False

    def check_there(self) -> None:
        """Raises NotFound if there is no database, and Unavailable if it is empty or lost."""
        if not _exists(self.database):
            self._refuse_log()
        self.open(self.path, create=False)
        self._refuse_empty()

    def _give_to_owner(self) -> None:
        """Gives a new folder to whom the one around it belongs."""
        descriptor = os.open(self.path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        try:
            give_to_owner_of(self.path.parent, descriptor)
        finally:
            os.close(descriptor)

    def _write(self, name: str, text: str) -> None:
        path = self.path / name
        draft = path.with_name(f"{name}.new")
        try:
            draft.unlink(missing_ok=True)
            descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "w", encoding="ascii") as file:
                give_to_owner_of(self.path, descriptor)
                file.write(text + "\n")
            draft.replace(path)
        except OSError as error:
            raise unusable(self.path, error) from error

    def _create_database(self) -> None:
        self._refuse_log()
        try:
            schema.create(self.database)
        except OSError as error:
            raise unusable(self.path, error) from error

    def _refuse_log(self) -> None:
        log = self.database.with_name(self.database.name + "-wal")
        if log.exists():
            # It belongs to a database that somebody moved, and would spoil a new one.
            raise Unavailable(
                f"{self.database} is missing and its log {log.name} is there: put the database "
                f"back beside it, or {rebuilding(self.database)}"
            )

    def _refuse_empty(self) -> None:
        # Only its size is looked at: closing a database file lets go of this process's locks on it.
        if self.database.stat().st_size == 0:
            raise Unavailable(
                f"{self.database} is empty where a database was expected: "
                f"{rebuilding(self.database)}, or remove it to start anew"
            )

    def _refuse_used(self) -> None:
        try:
            used = sorted({each.name for each in self.path.iterdir()} - NO_DATA)
        except OSError as error:
            raise unusable(self.path, error) from error
        if used:
            raise Exists(
                f"{self.path} is not empty, {used[0]} is in it: nothing is overwritten, so name a "
                "new folder, or move that one away"
            )


def _is_file(path: Path) -> bool:
    try:
        return path.exists() and not path.is_dir()
    except OSError:  # Whoever opens it next tells.
        return False


def _exists(path: Path) -> bool:
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        raise unusable(path.parent, error) from error
    return True
