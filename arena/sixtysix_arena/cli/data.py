"""Data folders for the command line: `sixtysix.cli.places` says what it wants of them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from sixtysix.api import ArenaReader, ArenaUnreachable
from sixtysix.cli.failures import arena_installed
from sixtysix.cli.places import Registrar
from sixtysix.reports import TournamentInfo
from sixtysix_arena.errors import ArenaError, FolderInUse, NotFound

if TYPE_CHECKING:
    from sixtysix_arena.store import DataFolder

__all__ = ["FOLDERS", "Folders"]


class Folders:
    """Data folders on this machine; a `sixtysix.cli.places.DataFolders`."""

    @contextmanager
    def reader(self, path: Path) -> Iterator[ArenaReader]:
        """What is stored in a folder, whether or not an arena runs on it."""
        with arena_installed("reading a data folder"):
            from sixtysix_arena.queries import StoredArena

        class Stored(StoredArena):
            """Tells of one tournament what an arena tells of it when it is asked once."""

            def tournament(self, slug: str, *, waiting_for: str = "") -> TournamentInfo:
                return self.with_mishaps(super().tournament(slug, waiting_for=waiting_for))

        with _open(path, create=False).open_reader() as reader:
            yield Stored(reader)

    @contextmanager
    def registrar(self, path: Path, *, create: bool) -> Iterator[Registrar | None]:
        """A folder's bots, to be changed; None if an arena holds the folder."""
        with arena_installed("changing a data folder"):
            from sixtysix_arena.registrar import Registrar as StoredRegistrar
        folder = _open(path, create=create)
        try:
            lock = folder.lock()
        except FolderInUse:
            yield None
            return
        with lock, folder.open_store(lock) as store:
            yield StoredRegistrar(store)

    def running(self, path: Path) -> tuple[str, str]:
        """The address of the arena that runs on a folder, and its admin token."""
        folder = _open(path, create=False)
        try:
            address, token = folder.address(), folder.admin_token()
        except NotFound as error:
            if holder := folder.holder():
                raise ArenaUnreachable(
                    f"{holder} has {folder.path}, and what commands find an arena by is not there:"
                    f" see 'sixtysix doctor --data {path}'"
                ) from error
            raise ArenaUnreachable(str(error)) from error
        if folder.is_deserted():
            raise ArenaUnreachable(
                f"the arena that ran on {folder.path} has ended without saying so: start one with"
                f" 'sixtysix serve --data {path}'"
            )
        return address, token

    def holder(self, path: Path) -> str:
        """The process that holds a folder, as an arena does while it runs; empty if none does."""
        try:
            return str(_open(path, create=False).holder() or "")
        except ArenaError:
            return ""


def _open(path: Path, *, create: bool) -> DataFolder:
    with arena_installed("a data folder"):
        from sixtysix_arena.store import DataFolder
    return DataFolder.open(path, create=create)


FOLDERS = Folders()
