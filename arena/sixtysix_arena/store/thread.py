"""The one thread that writes, for a program that runs on asyncio."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import Concatenate, ParamSpec, Self, TypeVar

from sixtysix_arena.errors import ArenaError, Unavailable
from sixtysix_arena.store.repository import Store

__all__ = ["QUEUE_LIMIT", "StoreThread"]

QUEUE_LIMIT = 256
"""Calls that may wait for the thread. Ticks are committed one at a time, so that
more means a disk that no longer keeps up: then callers wait, in order."""

QUICK_S = 0.003
"""A call is waited for so long with all else standing still: most take a tenth of that.

A commit works in Python, almost all of its time. A loop that is busy gives the
thread its turn only every 5 ms, and the commit needs a few: with each tick
waiting for that, a decision came later by some ten times what the commit takes.
"""
UNWAITED = 4
"""After a call that took longer, so many are left to the thread: the disk may be slow."""

P = ParamSpec("P")
T = TypeVar("T")


class StoreThread:
    """A store that lives in a thread of its own; calls run there one after another.

    >>> async with StoreThread(lambda: folder.open_store(lock)) as store:
    ...     await store.run(Store.commit, batch)
    """

    def __init__(self, open_store: Callable[[], Store]) -> None:
        self._open_store = open_store
        self._executor = ThreadPoolExecutor(1, thread_name_prefix="store")
        self._places = asyncio.Semaphore(QUEUE_LIMIT)
        self._store: Store | None = None
        self._waiting: dict[object, float] = {}
        self._unwaited = 0
        self.failing = False
        """Whether the last call found that nothing can be stored."""

    @property
    def waiting_s(self) -> float:
        """How long the oldest call that is not done has been waiting; 0 if there is none."""
        began_s = next(iter(self._waiting.values()), None)
        return 0.0 if began_s is None else asyncio.get_running_loop().time() - began_s

    async def start(self) -> None:
        """Opens the store. Raises what `open_store` raises."""
        loop = asyncio.get_running_loop()
        try:
            self._store = await loop.run_in_executor(self._executor, self._open_store)
        except BaseException:
            self._executor.shutdown(wait=False)
            raise

    async def run(
        self, call: Callable[Concatenate[Store, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Runs `call(store, ...)` in the thread; returns or raises what it does.

        A caller who is cancelled does not know whether the call was carried
        out. Raises Unavailable before `start` and after `close`.
        """
        loop = asyncio.get_running_loop()
        this = object()
        self._waiting[this] = loop.time()
        done = Event()
        try:
            async with self._places:
                if self._store is None:
                    raise Unavailable("the store is closed: the arena is stopping")
                store = self._store

                def carry_out() -> T:
                    try:
                        return call(store, *args, **kwargs)
                    finally:
                        done.set()

                called = loop.run_in_executor(self._executor, carry_out)
                if len(self._waiting) == 1:
                    self._wait_a_moment(done)
                return await self._watched(called)
        finally:
            del self._waiting[this]

    def _wait_a_moment(self, done: Event) -> None:
        if self._unwaited:
            self._unwaited -= 1
        elif not done.wait(QUICK_S):
            self._unwaited = UNWAITED

    async def _watched(self, called: asyncio.Future[T]) -> T:
        """Waits for a call, and notes whether the store works."""
        try:
            done = await called
        except Unavailable:
            self.failing = True
            raise
        except ArenaError:
            self.failing = False  # It was refused by what is stored.
            raise
        self.failing = False
        return done

    async def close(self) -> None:
        """Waits for the calls that were accepted, then lets go of the store."""
        store, self._store = self._store, None
        if store is not None:
            await asyncio.get_running_loop().run_in_executor(self._executor, store.close)
        self._executor.shutdown(wait=False)

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *_exception: object) -> None:
        await self.close()
