"""An event loop in which time is a number: it jumps to the next timer whenever nothing is ready.

There are no sockets and no threads. What asyncio would hand to a thread goes to
`offload`, which the world answers; so a run has one order of events, and the
same seed has the same one.
"""

from __future__ import annotations

import asyncio
import heapq
from collections import deque
from collections.abc import Callable
from typing import Any

__all__ = ["Hang", "VirtualLoop"]

MAX_STEPS = 2_000_000
"""More callbacks mean that they call each other without end, and time stands still."""


class Hang(Exception):
    """Nothing will ever happen any more, or not within the limit."""


class VirtualLoop(asyncio.BaseEventLoop):
    """A loop whose clock starts at 0 and is moved by the loop alone."""

    _ready: deque[asyncio.Handle]
    _scheduled: list[asyncio.TimerHandle]

    def __init__(self, limit_s: float) -> None:
        """Raises Hang inside of a run that takes longer than `limit_s`."""
        super().__init__()
        self.offload: Callable[[object, asyncio.Future[Any], Callable[[], Any]], None]
        """Carries out a call for an executor and settles its future, now or later."""
        self.steps = 0
        """Callbacks that were run."""
        self.break_at = -1
        """The number of the callback in front of which `on_break` is called."""
        self.on_break: Callable[[], None] = lambda: None
        self._now_s = 0.0
        self.limit_s = limit_s

    def time(self) -> float:
        """Seconds since the start."""
        return self._now_s

    def block(self, seconds: float) -> None:
        """Lets time pass in which nothing runs, as if a callback took so long."""
        self._now_s += seconds

    def run_in_executor(  # type: ignore[override]
        self, executor: object, func: Callable[..., Any], *args: Any
    ) -> asyncio.Future[Any]:
        """Has the world carry out a call that a thread would."""
        future = self.create_future()
        self.offload(executor, future, lambda: func(*args))
        return future

    def _write_to_self(self) -> None:
        """Nobody waits in a selector."""

    def _run_once(self) -> None:
        ready, scheduled = self._ready, self._scheduled
        if not ready:
            while scheduled and scheduled[0].cancelled():
                heapq.heappop(scheduled)
            if not scheduled:
                raise Hang(f"nothing is left to wait for after {self._now_s:.3f} s")
            self._now_s = max(self._now_s, scheduled[0].when())
            if self._now_s > self.limit_s:
                raise Hang(f"not over after {self.limit_s:.0f} s")
        now_s = self._now_s
        while scheduled and scheduled[0].when() <= now_s:
            timer = heapq.heappop(scheduled)
            if not timer.cancelled():
                ready.append(timer)
        if self.steps > MAX_STEPS:
            raise Hang(f"not over after {MAX_STEPS:,} steps, at {now_s:.3f} s")
        for _ in range(len(ready)):
            if self.steps == self.break_at:
                self.on_break()
            self.steps += 1
            handle = ready.popleft()
            if not handle._cancelled:
                handle._run()
