"""What tests of faults share: tournaments of processes, of which none is left behind."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest
from support.rigs import Result, Rig, leftovers

LAST_BREATH_S = 30.0
"""House bots end by themselves when their arena is gone; so long they may take."""


@pytest.fixture
def make_rig(tmp_path: Path) -> Iterator[Callable[..., Rig]]:
    """Makes a tournament of processes; afterwards none of them is left."""

    def make(folder: str = "rig", **settings: Any) -> Rig:
        rig = Rig(tmp_path / folder, **settings)
        rig.submit()
        return rig

    yield make
    _gone, alive = psutil.wait_procs(leftovers(tmp_path), LAST_BREATH_S)
    for process in alive:
        process.kill()
    assert alive == [], "processes were left behind"


@pytest.fixture(scope="session")
def calm(tmp_path_factory: pytest.TempPathFactory) -> Result:
    """What the tournament comes to when nobody disturbs it."""
    rig = Rig(tmp_path_factory.mktemp("calm"))
    rig.submit()
    with rig.guests():
        return rig.played_on()
