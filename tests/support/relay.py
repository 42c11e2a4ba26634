"""A line between a bot and an arena, which a test cuts, in the middle of a message too."""

from __future__ import annotations

import asyncio
import socket
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

__all__ = ["Relay", "relayed"]

CHUNK_BYTES = 64 * 1024
RESET = struct.pack("ii", 1, 0)
"""SO_LINGER with no time to linger: closing sends a reset."""


class Relay:
    """Passes bytes on, both ways, until it is cut."""

    def __init__(self, arena: str, source: str) -> None:
        self.address = ""
        """Where bots join."""
        self.up_bytes = 0
        """What has been passed on to the arena."""
        self._arena = arena
        self._source = source
        self._room: int | None = None
        self._cut = asyncio.Event()
        self._sockets: set[socket.socket] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    async def serve(self, client: asyncio.StreamReader, back: asyncio.StreamWriter) -> None:
        """Passes one connection on."""
        host, _, port = self._arena.rpartition(":")
        arena, up = await asyncio.open_connection(
            host, int(port), local_addr=(self._source, 0) if self._source else None
        )
        for writer in (back, up):
            sock = writer.get_extra_info("socket")
            assert sock is not None
            self._sockets.add(sock)
        for reader, writer, is_up in ((client, up, True), (arena, back, False)):
            task = asyncio.create_task(self._pass(reader, writer, is_up=is_up))
            self._tasks.add(task)

    def cut(self) -> None:
        """Resets every connection."""
        self._room = None
        self._cut.set()
        for sock in self._sockets:
            if sock.fileno() >= 0:
                sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
        self._sockets.clear()
        for task in self._tasks:
            task.cancel()
        self._tasks.clear()

    def cut_after(self, byte_count: int) -> None:
        """Passes so many more bytes on to the arena, then resets."""
        self._room = byte_count
        self._cut.clear()

    async def was_cut(self) -> None:
        """Waits for that."""
        await self._cut.wait()

    async def _pass(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, is_up: bool
    ) -> None:
        try:
            while data := await reader.read(CHUNK_BYTES):
                if is_up and self._room is not None:
                    data = data[: self._room]
                    self._room -= len(data)
                writer.write(data)
                await writer.drain()
                if is_up:
                    self.up_bytes += len(data)
                    if self._room == 0:
                        await asyncio.sleep(0.02)  # What was passed on arrives first.
                        self.cut()
        except ConnectionError:
            pass
        finally:
            writer.close()


@asynccontextmanager
async def relayed(arena: str, *, source: str = "") -> AsyncIterator[Relay]:
    """A line to the arena at an address, which sees it come from `source`."""
    relay = Relay(arena, source)
    server = await asyncio.start_server(relay.serve, "127.0.0.1", 0)
    relay.address = f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield relay
    finally:
        relay.cut()
        server.close()
        await asyncio.sleep(0)
