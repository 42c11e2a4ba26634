"""The standard health service: NOT_SERVING while nothing can be stored, or the arena stops."""

# ruff: noqa: N802 - the methods have the names of the calls in the protocol.
from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from typing import Any

from grpc_health.v1 import health_pb2, health_pb2_grpc

from sixtysix_arena.errors import NotFound

__all__ = ["HEALTH_CALLS", "HealthServicer"]

HEALTH_CALLS = frozenset(f"/grpc.health.v1.Health/{name}" for name in ("Check", "Watch"))
"""Calls of whoever watches over an arena; they need no token."""
SERVICES = frozenset(("", "sixtysix.v1.ArenaService", "sixtysix.v1.PlayService"))
"""What can be asked about; the empty name is the arena as a whole, and all fare alike."""
LOOK_S = 0.5
"""How often it is looked for those who watch."""

_Response = health_pb2.HealthCheckResponse


class HealthServicer(health_pb2_grpc.HealthServicer):  # type: ignore[misc]
    """Tells whoever asks whether the arena can play."""

    def __init__(self, can_store: Callable[[], bool]) -> None:
        self._can_store = can_store
        self._stopping = asyncio.Event()

    def stop(self) -> None:
        """From now on nothing is served, and nobody need watch any longer."""
        self._stopping.set()

    async def Check(self, request: Any, _context: Any) -> Any:
        """How it is now."""
        if request.service not in SERVICES:
            raise NotFound("there is no such service here")
        return _Response(status=self._status())

    async def Watch(self, request: Any, _context: Any) -> AsyncIterator[Any]:
        """How it is now, and again whenever that changes."""
        told = None
        while True:
            known = request.service in SERVICES
            status = self._status() if known else _Response.SERVICE_UNKNOWN
            if status != told:
                yield _Response(status=status)
                told = status
            if self._stopping.is_set():
                return
            with suppress(TimeoutError):
                async with asyncio.timeout(LOOK_S):
                    await self._stopping.wait()

    def _status(self) -> Any:
        serving = self._can_store() and not self._stopping.is_set()
        return _Response.SERVING if serving else _Response.NOT_SERVING
