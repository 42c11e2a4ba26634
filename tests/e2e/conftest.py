"""What tests of whole programs share."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.node_package import build


@pytest.fixture(scope="session")
def node_package(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """What was built of the package in TypeScript, however many processes run the tests."""
    folder = tmp_path_factory.getbasetemp()
    return build(folder if worker_id == "master" else folder.parent)
