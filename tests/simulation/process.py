"""One arena's process in a simulated world, as far as it is a process at all."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from contextvars import ContextVar, copy_context
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import grpc
from simulation.network import Link, Network

from sixtysix_arena.arena import Arena
from sixtysix_arena.server.guard import Guard
from sixtysix_arena.server.play import play_handler

__all__ = ["LIFE", "Life", "SimulatedServer", "hand_over", "settle", "task_factory"]

PLAY = "/sixtysix.v1.PlayService/Play"


class Life:
    """One arena's process."""

    def __init__(self, number: int, data: Path) -> None:
        self.number = number
        self.data = data
        self.dead = False
        self.stopped = False
        """Whether the organiser has stopped the tournament for a while."""
        self.stopping = False
        """Whether it is on its way to its end, one way or another."""
        self.tasks: list[asyncio.Task[Any]] = []
        self.calls: deque[tuple[asyncio.Future[Any], Callable[[], Any]]] = deque()
        """What the thread that writes has still to do."""
        self.writes = False
        self.arena: Arena | None = None


LIFE: ContextVar[Life | None] = ContextVar("LIFE", default=None)


class SimulatedServer:
    """The real handler and guard behind the simulated network."""

    def __init__(self, network: Network, arena: Arena, wrong: Callable[[str], None]) -> None:
        self.address = self.local_address = "simulated:1"
        self.certificate_expires_at_s = None
        self._network = network
        self._wrong = wrong
        self._arena = arena
        self._calls: dict[asyncio.Task[Any], None] = {}
        self._accept: Callable[[Link], None] | None = None

    async def start(self) -> None:
        """Listens."""
        arena, loop = self._arena, asyncio.get_running_loop()
        guard = Guard(arena.bot_of, arena.is_admin, open_submission=False)
        service = play_handler(arena)
        life = LIFE.get()
        context = copy_context()

        async def found(details: Any) -> Any:
            return service.service(details)

        async def serve(link: Link) -> None:
            details: Any = SimpleNamespace(method=PLAY, invocation_metadata=link.metadata)
            handler: Any = await guard.intercept_service(found, details)
            try:
                await handler.stream_stream(None, link.context)
            except (grpc.aio.AbortError, asyncio.CancelledError):
                pass
            except Exception as error:
                self._wrong(f"a handler raised {error!r}")
            if life is None or not life.dead:
                link.finish(grpc.StatusCode.OK, "")

        def accept(link: Link) -> None:
            link.call = task = loop.create_task(serve(link), context=context.copy())
            self._calls[task] = None
            task.add_done_callback(lambda task: self._calls.pop(task))

        self._accept = self._network.accept = accept

    async def stop(self) -> None:
        """Lets goodbyes be written for a moment, then ends the calls."""
        if self._network.accept is self._accept:
            self._network.accept = None
        if self._calls:
            await asyncio.wait(tuple(self._calls), timeout=2.0)
        for task in tuple(self._calls):
            task.cancel()
        await asyncio.gather(*self._calls, return_exceptions=True)


def task_factory(
    loop: asyncio.AbstractEventLoop, work: Any, *, context: Any = None
) -> asyncio.Task[Any]:
    task: asyncio.Task[Any] = asyncio.Task(work, loop=loop, context=context)
    life = LIFE.get() if context is None else context.get(LIFE)
    if life is not None:
        life.tasks.append(task)
    return task


def settle(future: asyncio.Future[Any], call: Callable[[], Any]) -> None:
    if future.done():
        return
    try:
        result = call()
    except StopIteration as error:
        future.set_exception(RuntimeError(repr(error)))
    except Exception as error:
        future.set_exception(error)
    else:
        future.set_result(result)


def hand_over(done: asyncio.Future[Any], future: asyncio.Future[Any]) -> None:
    error = done.exception()
    if future.done():
        return
    if error is not None:
        future.set_exception(error)
    else:
        future.set_result(done.result())
