"""Callers who are gone before they can be told why they are refused."""

from __future__ import annotations

import asyncio
import logging
from types import SimpleNamespace
from typing import Any

import grpc
import grpc.aio
import pytest

from sixtysix_arena.errors import Invalid
from sixtysix_arena.server.guard import Guard

LIST_BOTS = "/sixtysix.v1.ArenaService/ListBots"


class _Gone:
    """What gRPC hands to the handler of a call whose caller is gone."""

    def peer(self) -> str:
        return "ipv4:127.0.0.1:4066"

    async def read(self) -> bytes:
        return b""

    async def abort(self, *_arguments: object) -> None:
        raise grpc.aio.InternalError("it is gone")


@pytest.mark.parametrize("error", [Invalid("no slug"), grpc.aio.InternalError("it is gone")])
def test_a_caller_who_is_gone_is_no_mistake_of_the_arenas(
    error: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    async def handle(_request: object, _context: object) -> bytes:
        raise error

    async def nobody(_digest: bytes) -> None:
        return None

    async def handler_of(_details: object) -> grpc.RpcMethodHandler[bytes, bytes]:
        return grpc.unary_unary_rpc_method_handler(handle)

    async def call() -> None:
        guard = Guard(nobody, lambda _token: False, open_submission=False)
        details: Any = SimpleNamespace(method=LIST_BOTS, invocation_metadata=())
        handler: Any = await guard.intercept_service(handler_of, details)
        await handler.stream_unary(None, _Gone())

    with caplog.at_level(logging.DEBUG), pytest.raises(asyncio.CancelledError):
        asyncio.run(call())
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING]
