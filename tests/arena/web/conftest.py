"""Pages over a folder with something of everything, served as they are served anywhere."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.pages import Served, filled_folder, serving


@pytest.fixture(scope="session")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with something of everything; for reading."""
    return filled_folder(tmp_path_factory.mktemp("pages") / "data").path


@pytest.fixture(scope="session")
def pages(filled: Path) -> Iterator[Served]:
    """Its pages."""
    with serving(filled, ("arena.example",)) as served:
        yield served
