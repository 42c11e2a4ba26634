"""Pages over a folder with something of everything, served as they are served anywhere."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.feeds import RECORD, Cup
from support.pages import Served, filled_folder, put, serving

from sixtysix_arena.queries import StoredArena
from sixtysix_arena.store import DataFolder
from sixtysix_arena.web import live


@pytest.fixture(scope="session")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with something of everything; for reading."""
    return filled_folder(tmp_path_factory.mktemp("pages") / "data").path


@pytest.fixture(scope="session")
def pages(filled: Path) -> Iterator[Served]:
    """Its pages."""
    with serving(filled, ("arena.example",)) as served:
        yield served


@pytest.fixture
def cup(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Cup]:
    """A running tournament, looked at more often than elsewhere."""
    monkeypatch.setattr(live, "POLL_S", 0.01)
    folder = DataFolder.open(tmp_path / "data", create=True)
    with folder.lock() as lock, folder.open_store(lock) as store:
        ids = put(store, RECORD)
        with folder.open_reader() as reader:
            yield Cup(store, StoredArena(reader), ids)
