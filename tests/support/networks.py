"""Networks that a test makes bad: one that is cut, and a line that is slow and crumbles."""

from __future__ import annotations

import asyncio
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random

import pytest

__all__ = ["Namespace", "SlowLine", "slow_line"]


class Namespace:
    """A network of its own, with nothing in it but a loopback interface.

    It goes with the processes that are in it, however a test ends.
    """

    def __init__(self, pid: int) -> None:
        self.prefix = ("nsenter", f"--net=/proc/{pid}/ns/net")
        """What stands before a command line that is to run in it."""

    @classmethod
    @contextmanager
    def made(cls) -> Iterator[Namespace]:
        """Skips the test where there may be none."""
        script = "ip link set lo up || exit 1; echo up; exec cat"
        with subprocess.Popen(
            ["unshare", "--net", "sh", "-c", script],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            assert process.stderr is not None
            try:
                if process.stdout.readline() != "up\n":
                    pytest.skip(f"no network may be made here: {process.stderr.read()}")
                yield cls(process.pid)
            finally:
                process.stdin.close()

    @contextmanager
    def partition(self) -> Iterator[None]:
        """Lets nothing through until the end of the block. Nobody is told; packets are lost."""
        link = (*self.prefix, "ip", "link", "set", "lo")
        subprocess.run((*link, "down"), check=True)
        try:
            yield
        finally:
            subprocess.run((*link, "up"), check=True)


@contextmanager
def slow_line(port: int, *, latency_s: float, jitter_s: float, seed: int) -> Iterator[SlowLine]:
    """A line to `port` on which everything comes late and byte by byte, both ways."""
    loop = asyncio.new_event_loop()
    line = SlowLine(port, latency_s, jitter_s, Random(seed))
    server = loop.run_until_complete(asyncio.start_server(line.serve, "127.0.0.1", 0))
    line.port = server.sockets[0].getsockname()[1]

    async def end() -> None:
        server.close()
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    thread = threading.Thread(target=loop.run_forever, name="slow line", daemon=True)
    thread.start()
    try:
        yield line
    finally:
        asyncio.run_coroutine_threadsafe(end(), loop).result(60)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(60)
        loop.close()


class SlowLine:
    """Passes bytes on, one at a time and late; none overtakes another."""

    def __init__(self, to_port: int, latency_s: float, jitter_s: float, random: Random) -> None:
        self.port = 0
        """Where it begins."""
        self.byte_count = 0
        """Bytes that it carried."""
        self._to_port = to_port
        self._latency_s = latency_s
        self._jitter_s = jitter_s
        self._random = random

    async def serve(self, client: asyncio.StreamReader, back: asyncio.StreamWriter) -> None:
        """Passes one connection on, until either side ends it."""
        try:
            arena, on = await asyncio.open_connection("127.0.0.1", self._to_port)
        except OSError:
            back.close()
            return
        try:
            async with asyncio.TaskGroup() as both:
                both.create_task(self._pass(client, on))
                both.create_task(self._pass(arena, back))
        except* OSError:
            pass
        finally:
            on.close()
            back.close()

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        chunks: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()
        loop = asyncio.get_running_loop()

        async def read() -> None:
            due_s, data = 0.0, b"?"
            while data:
                data = await reader.read(65_536)
                late_s = self._latency_s + self._random.uniform(-self._jitter_s, self._jitter_s)
                due_s = max(due_s, loop.time() + late_s)
                chunks.put_nowait((due_s, data))

        async def write() -> None:
            while True:
                due_s, data = await chunks.get()
                await asyncio.sleep(due_s - loop.time())
                if not data:
                    writer.write_eof()
                    return
                self.byte_count += len(data)
                for byte in data:
                    writer.write(bytes((byte,)))
                    await writer.drain()

        async with asyncio.TaskGroup() as both:
            both.create_task(read())
            both.create_task(write())
