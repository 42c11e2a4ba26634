"""What the tests of the store share: a folder, an open store, a running tournament."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support import stored

from sixtysix_arena.store import DataFolder, Store


@pytest.fixture
def folder(tmp_path: Path) -> DataFolder:
    """A new data folder without a database."""
    return DataFolder.open(tmp_path / "data", create=True)


@pytest.fixture
def store(folder: DataFolder) -> Iterator[Store]:
    """An open store on a new database."""
    with folder.lock() as lock, folder.open_store(lock) as opened:
        yield opened


@pytest.fixture
def cup(store: Store) -> list[int]:
    """A running cup: the ids of its six games, in the order of the schedule."""
    stored.create(store)
    return stored.start(store)
