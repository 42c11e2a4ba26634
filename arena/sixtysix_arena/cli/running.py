"""An arena run from the command line, until its work is done or somebody stops it."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import resource
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

from sixtysix.api import TournamentDefinition
from sixtysix.cli.failures import INTERRUPTED
from sixtysix.reports import Board, TournamentInfo, TournamentState
from sixtysix_arena.arena import Arena
from sixtysix_arena.config import ArenaSettings
from sixtysix_arena.errors import WrongState
from sixtysix_arena.logs import logging_to

__all__ = ["play_tournament", "run", "serve"]

log = logging.getLogger(__name__)

SIGNALS = (signal.SIGINT, signal.SIGTERM)

COLLECT_S = 0.02
MIDDLE_AFTER = 10
"""Dead cycles are looked for so often, and every tenth time also among what was young last time.
Python by itself would wait until there is more to look through, and stop play for some 10 ms."""
FULL_COLLECTION_AFTER = 1_000
"""Instead of 10: collections of what is young that pass before one of everything, which stops an
arena with a thousand bots for a fifth of a second. Hardly anything old is ever left to it."""

T = TypeVar("T")


def run(
    work: Callable[[asyncio.Event], Awaitable[T]],
    *,
    log: Path | None = None,
    is_service: bool = False,
) -> T:
    """Runs `work`, which gets an event that is set by Ctrl-C or SIGTERM.

    The second of them ends the process at once; what was seen by a bot is
    stored already. `log` and `is_service` say what is logged and where to.
    Raises Invalid if `log` cannot be written.
    """
    _raise_file_limit()
    _collect_little()

    async def main() -> T:
        stop = asyncio.Event()

        def interrupted() -> None:
            if stop.is_set():
                os._exit(INTERRUPTED)
            stop.set()

        for number in SIGNALS:
            asyncio.get_running_loop().add_signal_handler(number, interrupted)
        collecting = asyncio.create_task(_collect_often())
        try:
            return await work(stop)
        finally:
            collecting.cancel()

    with logging_to(log, is_service=is_service):
        return asyncio.run(main())


def _raise_file_limit() -> None:
    """Allows as many open files, and so connections, as this user may have."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        with suppress(OSError, ValueError):  # Some systems have a lower limit than they say.
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def _collect_little() -> None:
    """Has Python seldom look for dead cycles among all there is."""
    gc.collect()
    gc.freeze()  # What was imported stays.
    young, _, _ = gc.get_threshold()
    gc.set_threshold(young, 2 * MIDDLE_AFTER, FULL_COLLECTION_AFTER)


async def _collect_often() -> None:
    """Looks for dead cycles among what is young, a little at a time, until it is cancelled."""
    while True:
        for _ in range(MIDDLE_AFTER):
            await asyncio.sleep(COLLECT_S)
            gc.collect(0)
        gc.collect(1)


async def serve(
    settings: ArenaSettings, stop: asyncio.Event, started: Callable[[Arena], object]
) -> None:
    """Runs an arena until `stop` is set; `started` is told once it serves."""
    async with _arena(settings) as arena:
        started(arena)
        await _first_of(stop.wait(), arena.failure())
        await arena.stop()


async def play_tournament(
    settings: ArenaSettings,
    definition: TournamentDefinition,
    stop: asyncio.Event,
    *,
    started: Callable[[Arena], object],
    progress: Callable[[TournamentInfo], object],
    finished: Callable[[TournamentInfo, Board], bool] = lambda _info, _board: False,
    unvalidated: bool = False,
) -> tuple[TournamentInfo, Board]:
    """Runs an arena for one tournament, created or continued, until that is over or stopped.

    Returns how it stands then, and its board. `finished` hears of both before the
    arena ends, and says whether that is to wait until it is stopped. Raises an
    ArenaError if it cannot be created or continued.
    """
    async with _arena(settings) as arena:
        info = await arena.ensure_tournament(definition)
        started(arena)
        if info.state is not TournamentState.FINISHED:
            await _start(arena, info.slug, unvalidated=unvalidated)
            info = await _watched(arena, info.slug, stop, progress)
        board = await asyncio.to_thread(arena.stored.board, info.slug)
        if finished(info, board):
            await _first_of(stop.wait(), arena.failure())
        await arena.stop(finished=info.state is TournamentState.FINISHED)
        return info, board


async def _start(arena: Arena, slug: str, *, unvalidated: bool) -> None:
    """Starts or continues a tournament, unless it is finished meanwhile: no game was left."""
    try:
        await arena.start_tournament(slug, unvalidated=unvalidated)
    except WrongState:
        if (await arena.tournament(slug)).state is not TournamentState.FINISHED:
            raise


async def _watched(
    arena: Arena, slug: str, stop: asyncio.Event, progress: Callable[[TournamentInfo], object]
) -> TournamentInfo:
    """How the tournament stands once it no longer runs, or `stop` is set."""

    async def watch() -> None:
        async for info in arena.watch_tournament(slug):
            progress(info)

    await _first_of(stop.wait(), watch(), arena.failure())
    return await arena.tournament(slug)


async def _first_of(*works: Coroutine[Any, Any, object]) -> None:
    """Waits for the first that ends, or raises what it raises, and cancels the others."""
    tasks = [asyncio.create_task(work) for work in works]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


@asynccontextmanager
async def _arena(settings: ArenaSettings) -> AsyncIterator[Arena]:
    """A started arena; whoever leaves without having stopped it has failed, and it is stopped."""
    arena = Arena(settings)
    await arena.start()
    try:
        yield arena
    except BaseException:
        with suppress(Exception):
            await arena.stop()
        raise
