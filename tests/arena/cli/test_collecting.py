"""Dead cycles are looked for while an arena runs, whatever Python itself would do."""

from __future__ import annotations

import asyncio
import gc
import weakref
from collections.abc import Iterator

import pytest

from sixtysix_arena.cli import running

PATIENCE_S = 20.0


class Cycle:
    """What only a collection frees."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    thresholds = gc.get_threshold()
    yield
    gc.enable()
    gc.unfreeze()
    gc.set_threshold(*thresholds)


@pytest.mark.parametrize("generation", [0, 1])
def test_what_died_is_freed_soon(generation: int) -> None:
    async def main(_stop: asyncio.Event) -> bool:
        gc.disable()
        freed = asyncio.Event()
        living = Cycle()
        weakref.finalize(living, freed.set)
        for younger in range(generation):
            gc.collect(younger)
        del living
        async with asyncio.timeout(PATIENCE_S):
            await freed.wait()
        return True

    assert running.run(main)
