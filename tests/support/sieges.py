"""An arena in a process of its own, at which honest bots play while a test attacks it."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import AsyncIterator, Coroutine, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import psutil
from support.arenas import PATIENCE_S, RawBot, definition

from sixtysix.client.calls import RemoteArena
from sixtysix.clock import Clock
from sixtysix.outcome import GameEnd
from sixtysix.reports import GameInfo, TournamentState

__all__ = ["CLOCK", "Siege", "besieged", "served_arena"]

CLOCK = Clock(per_move_ms=5_000, per_game_ms=60_000, grace_ms=500, join_ms=5_000)
"""For honest bots: they share the machine, and a process, with whoever attacks."""
JOIN_LIMIT_S = 2.0
"""An honest bot is welcomed within this, whatever goes on."""
ATTEMPTS = 3
"""A machine that does something else in the middle of a measurement is no fault of the arena."""
MEMORY_LIMIT_MIB = 50.0
"""What an attack may make the arena take: a tenth of the smallest machine one would rent."""
WATCH_S = 0.02
"""How often the arena's memory is looked at."""
SPARE_FDS = 8
"""Files that may be open a moment longer: connections of the honest, threads' readers."""
FREED_LIMIT_S = 4.0
"""Connections that the attacker has closed are gone by then, and not only by a time-out of 5 s."""
GAMES_PER_PAIRING = 4
HONEST = ("honest-a", "honest-b")


class Siege:
    """An arena's process, and what a test asks of it."""

    def __init__(self, process: psutil.Process, folder: Path) -> None:
        self.process = process
        self.address = (folder / "address").read_text(encoding="ascii").strip()
        self._remote = RemoteArena(
            self.address, (folder / "admin-token").read_text(encoding="ascii").strip()
        )
        self._tokens: dict[str, str] = {}

    @property
    def memory_mib(self) -> float:
        """The arena's resident memory."""
        return float(self.process.memory_info().rss) / 2**20

    @property
    def fd_count(self) -> int:
        """The files and sockets that the arena has open."""
        return int(self.process.num_fds())

    async def token(self, name: str) -> str:
        """A bot's token; the bot is submitted when it is first asked for."""
        if name not in self._tokens:
            _, self._tokens[name] = await asyncio.to_thread(self._remote.submit_bot, name)
        return self._tokens[name]

    async def start(self, slug: str, entrants: Sequence[str], **changes: Any) -> None:
        """Creates and starts a tournament."""
        defined = definition(entrants, slug=slug, **{"clock": CLOCK} | changes)
        await asyncio.to_thread(self._remote.create_tournament, defined)
        await asyncio.to_thread(self._remote.start_tournament, slug)

    def _is_over(self, slug: str) -> bool:
        return self._remote.tournament(slug).state is TournamentState.FINISHED

    async def games(self, slug: str) -> list[GameInfo]:
        """The games of a tournament once it is over, in order."""
        async with asyncio.timeout(PATIENCE_S):
            while not await asyncio.to_thread(self._is_over, slug):  # noqa: ASYNC110
                await asyncio.sleep(0.05)
        return await asyncio.to_thread(lambda: list(self._remote.games(slug)))

    async def join(self, name: str) -> RawBot:
        """An honest bot that has been welcomed."""
        raw = RawBot(self.address, await self.token(name))
        await raw.hello()
        return raw

    async def check_join(self) -> None:
        """A bot that was never here gets in soon enough."""
        took_s = [await self._join_s()]
        while took_s[-1] >= JOIN_LIMIT_S and len(took_s) < ATTEMPTS:
            took_s.append(await self._join_s())
        assert took_s[-1] < JOIN_LIMIT_S, f"joining took {took_s} s"

    async def _join_s(self) -> float:
        name = f"new-{time.monotonic_ns()}"
        await self.token(name)
        began = time.monotonic()
        raw = await self.join(name)
        took_s = time.monotonic() - began
        await raw.vanish()
        return took_s

    async def freed(self, fd_count: int, limit_s: float) -> None:
        """Waits until the arena has hardly more files open than it once had."""
        deadline = time.monotonic() + limit_s
        while (more := self.fd_count - fd_count) > SPARE_FDS:
            assert time.monotonic() < deadline, f"{more} more files are open {limit_s} s later"
            await asyncio.sleep(0.05)

    async def watch_memory(self, limit_mib: float) -> None:
        """Fails as soon as the arena takes so much more memory than it does now."""
        before_mib = self.memory_mib
        while True:
            more_mib = self.memory_mib - before_mib
            assert more_mib < limit_mib, f"the arena takes {more_mib:.0f} MiB more"
            await asyncio.sleep(WATCH_S)

    def close(self) -> None:
        """Ends the connection for calls."""
        self._remote.close()


@asynccontextmanager
async def served_arena(folder: Path, **env: str) -> AsyncIterator[Siege]:
    """`sixtysix serve`, without trials, on a free port; asked to stop at the end."""
    data = folder / "data"
    inherited = {k: v for k, v in os.environ.items() if not k.startswith("SIXTYSIX_")}
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "sixtysix", "serve", "--data", str(data), "--grpc", "127.0.0.1:0"),
        env=inherited | {"SIXTYSIX_VALIDATION": "0", "SIXTYSIX_WEB": "off"} | env,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        async with asyncio.timeout(PATIENCE_S):
            while not (data / "address").exists():
                assert process.returncode is None, "the arena did not start"
                await asyncio.sleep(0.02)
        siege = Siege(psutil.Process(process.pid), data)
        try:
            yield siege
        finally:
            siege.close()
    finally:
        if process.returncode is None:
            process.terminate()
            try:
                async with asyncio.timeout(PATIENCE_S):
                    await process.wait()
            finally:
                if process.returncode is None:
                    process.kill()
    assert process.returncode == 0, "the arena did not stop as it should"


@asynccontextmanager
async def besieged(
    folder: Path, memory_limit_mib: float = MEMORY_LIMIT_MIB, **env: str
) -> AsyncIterator[Siege]:
    """Two honest bots play on and on while the test attacks the arena; then all is checked.

    Their games end without a fault, a new bot joins in time while the test still attacks,
    the arena never takes much memory for it, and afterwards has no more files open.
    """
    async with served_arena(folder, **env) as siege, AsyncExitStack() as stack:

        def beside(work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
            task = asyncio.create_task(work)
            stack.push_async_callback(_ended, task)
            return task

        honest = [await siege.join(name) for name in HONEST]
        for raw in honest:
            stack.push_async_callback(raw.vanish)
        playing = [beside(raw.play()) for raw in honest]
        await siege.start("before", HONEST, games_per_pairing=2)
        await siege.games("before")  # Whatever the arena loads late is loaded now.
        fd_count = siege.fd_count
        watching = beside(siege.watch_memory(memory_limit_mib))
        over = asyncio.Event()
        games = beside(_games_until(siege, over))
        yield siege
        await siege.check_join()
        over.set()
        lost = [game for game in await games if game.end is not GameEnd.TARGET]
        assert not lost, f"{len(lost)} honest games did not end as they should: {lost[0]}"
        await siege.freed(fd_count, FREED_LIMIT_S)
        for task in (watching, *playing):
            assert not task.done(), task.exception() or "an honest bot's stream was ended"


async def _ended(task: asyncio.Task[Any]) -> None:
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


async def _games_until(siege: Siege, over: asyncio.Event) -> list[GameInfo]:
    """Plays one tournament after another, the last one to its end."""
    games: list[GameInfo] = []
    number = 0
    while not number or not over.is_set():
        number += 1
        slug = f"honest-{number}"
        await siege.start(slug, HONEST, games_per_pairing=GAMES_PER_PAIRING)
        games += await siege.games(slug)
    return games
