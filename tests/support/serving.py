"""The arena's calls served by a thread, for tests that call them as everybody does."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import grpc.aio

from sixtysix.api import TournamentDefinition
from sixtysix.reports import BotInfo, GameInfo, TournamentInfo, TournamentState
from sixtysix.v1 import arena_pb2_grpc
from sixtysix_arena.errors import WrongState
from sixtysix_arena.queries import StoredArena
from sixtysix_arena.server.guard import Guard
from sixtysix_arena.server.service import ArenaServicer

__all__ = ["ADMIN_TOKEN", "FakeHost", "serving"]

ADMIN_TOKEN = "the-admin-token"


class FakeHost:
    """Reads a real store, and notes what it is asked to change."""

    def __init__(self, stored: StoredArena) -> None:
        self.stored = stored
        self.asked: list[tuple[object, ...]] = []
        self.fails: Exception | None = None

    def _note(self, *call: object) -> None:
        self.asked.append(call)
        if self.fails is not None:
            raise self.fails

    async def submit_bot(
        self, name: str, owner: str = "", request_id: str = ""
    ) -> tuple[BotInfo, str]:
        self._note("submit_bot", name, owner, request_id)
        return BotInfo(name, "2026-01-31T12:00:00Z", owner=owner), f"token-of-{name}"

    async def rotate_token(self, name: str, request_id: str = "") -> str:
        self._note("rotate_token", name, request_id)
        return f"new-token-of-{name}"

    async def set_owner(self, name: str, owner: str) -> BotInfo:
        self._note("set_owner", name, owner)
        return BotInfo(name, "2026-01-31T12:00:00Z", owner=owner)

    async def disable_bot(self, name: str, reason: str = "") -> BotInfo:
        self._note("disable_bot", name, reason)
        return BotInfo(name, "2026-01-31T12:00:00Z", "2026-02-01T12:00:00Z")

    async def create_tournament(
        self, definition: TournamentDefinition, request_id: str = ""
    ) -> TournamentInfo:
        self._note("create_tournament", definition, request_id)
        return await self.tournament("cup")

    async def start_tournament(self, slug: str, *, unvalidated: bool = False) -> TournamentInfo:
        self._note("start_tournament", slug)
        return await self.tournament(slug)

    async def stop_tournament(self, slug: str) -> TournamentInfo:
        self._note("stop_tournament", slug)
        raise WrongState(f"the tournament {slug!r} is created: it cannot be stopped")

    async def end_tournament(self, slug: str, reason: str) -> TournamentInfo:
        self._note("end_tournament", slug, reason)
        return await self.tournament(slug)

    async def remove_tournament(self, slug: str) -> TournamentInfo:
        self._note("remove_tournament", slug)
        return await self.tournament(slug)

    async def extend_joining(self, slug: str, by_ms: int, reason: str = "") -> TournamentInfo:
        self._note("extend_joining", slug, by_ms, reason)
        return await self.tournament(slug)

    async def void_game(self, game_id: str, reason: str) -> GameInfo:
        self._note("void_game", game_id, reason)
        return self.stored.game(game_id).game

    async def tournament(self, slug: str) -> TournamentInfo:
        return self.stored.tournament(slug, waiting_for="waiting for ada")

    async def watch_tournament(self, slug: str) -> AsyncIterator[TournamentInfo]:
        info = await self.tournament(slug)
        yield info
        yield replace(info, state=TournamentState.FINISHED)


@contextmanager
def serving(host: FakeHost) -> Iterator[str]:
    """Serves `host`; gives the address."""
    ready = threading.Event()
    address: list[str] = []
    loop = asyncio.new_event_loop()

    async def nobody(_digest: bytes) -> str | None:
        return None

    async def start() -> Any:
        guard = Guard(nobody, lambda token: token == ADMIN_TOKEN, open_submission=False)
        server = grpc.aio.server(interceptors=(guard,))
        arena_pb2_grpc.add_ArenaServiceServicer_to_server(ArenaServicer(host), server)  # type: ignore[no-untyped-call]
        address.append(f"127.0.0.1:{server.add_insecure_port('127.0.0.1:0')}")
        await server.start()
        return server

    def serve() -> None:
        asyncio.set_event_loop(loop)
        server = loop.run_until_complete(start())
        ready.set()
        loop.run_forever()
        loop.run_until_complete(server.stop(None))
        loop.run_until_complete(loop.shutdown_default_executor())
        loop.close()

    thread = threading.Thread(target=serve, name="serving", daemon=True)
    thread.start()
    assert ready.wait(60)
    try:
        yield address[0]
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join(60)
