"""An arena in a process of its own, at which honest bots play while a test attacks it."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
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
MEMORY_LIMIT_MIB = 50.0
"""What an attack may make the arena keep: a tenth of the smallest machine one would rent."""
SPARE_FDS = 8
"""Files that may be open a moment longer: connections of the honest, threads' readers."""
GAMES_PER_PAIRING = 4


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

    async def games(self, slug: str) -> list[GameInfo]:
        """The games of a tournament once it is over, in order."""
        async with asyncio.timeout(PATIENCE_S):
            while (
                await asyncio.to_thread(self._remote.tournament, slug)
            ).state is not TournamentState.FINISHED:
                await asyncio.sleep(0.05)
        return await asyncio.to_thread(lambda: list(self._remote.games(slug)))

    async def join(self, name: str) -> RawBot:
        """An honest bot that has been welcomed."""
        raw = RawBot(self.address, await self.token(name))
        await raw.hello()
        return raw

    async def check_join(self) -> None:
        """A bot that was never here gets in soon enough."""
        name = f"new-{time.monotonic_ns()}"
        await self.token(name)
        began = time.monotonic()
        raw = await self.join(name)
        took = time.monotonic() - began
        await raw.vanish()
        assert took < JOIN_LIMIT_S, f"joining took {took:.1f} s"

    async def settled(self, memory_mib: float, fd_count: int, limit_s: float = 5.0) -> None:
        """Waits until the arena holds little more than it once did."""
        deadline = time.monotonic() + limit_s
        while True:
            more_mib, more_fds = self.memory_mib - memory_mib, self.fd_count - fd_count
            if more_mib < MEMORY_LIMIT_MIB and more_fds <= SPARE_FDS:
                return
            if time.monotonic() > deadline:
                raise AssertionError(
                    f"{limit_s} s later the arena has {more_fds} more files open and"
                    f" {more_mib:.0f} MiB more memory"
                )
            await asyncio.sleep(0.1)

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
        env=inherited | {"SIXTYSIX_VALIDATION": "0"} | env,
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
async def besieged(folder: Path) -> AsyncIterator[Siege]:
    """Two honest bots play on and on while the test attacks the arena; then all is checked.

    Their games end without a fault, a new bot joins in time during the attack and after
    it, and the arena gives back what the attack made it hold.
    """
    async with served_arena(folder) as siege:
        honest = [await siege.join(name) for name in ("honest-a", "honest-b")]
        playing = [asyncio.create_task(raw.play()) for raw in honest]
        await siege.start("before", ("honest-a", "honest-b"), games_per_pairing=2)
        await siege.games("before")  # Whatever the arena loads late is loaded now.
        memory_mib, fd_count = siege.memory_mib, siege.fd_count
        over = asyncio.Event()
        games = asyncio.create_task(_games_until(siege, over))
        try:
            yield siege
            await siege.check_join()
        finally:
            over.set()
        played = await games
        assert played
        assert {game.end for game in played} == {GameEnd.TARGET}
        await siege.settled(memory_mib, fd_count)
        for task in playing:
            assert not task.done(), "an honest bot's stream was ended"
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
        for raw in honest:
            await raw.vanish()


async def _games_until(siege: Siege, over: asyncio.Event) -> list[GameInfo]:
    """Plays one tournament after another, the last one to its end."""
    games: list[GameInfo] = []
    number = 0
    while not number or not over.is_set():
        number += 1
        slug = f"honest-{number}"
        await siege.start(slug, ("honest-a", "honest-b"), games_per_pairing=GAMES_PER_PAIRING)
        games += await siege.games(slug)
    return games
