"""The outermost interceptor: who is calling, and what a caller may hear of our errors.

Without it the text of any exception would be sent to the peer. Here every
error becomes a status with a text of ours; the rest goes to the log.
"""

from __future__ import annotations

import asyncio
import inspect
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import nullcontext
from contextvars import ContextVar
from math import ceil
from typing import TYPE_CHECKING, Any

import grpc
import grpc.aio
from google.protobuf.message import DecodeError

from sixtysix_arena.errors import Invalid, TooOften
from sixtysix_arena.server.callers import Callers
from sixtysix_arena.server.errors import status_of
from sixtysix_arena.server.health import HEALTH_CALLS
from sixtysix_arena.tokens import digest

__all__ = ["CALLER", "CALLER_DIGEST", "ORGANISER", "WRONG_TOKEN", "Guard"]

CALLER: ContextVar[str] = ContextVar("CALLER")
"""The bot that a call comes from, where bots may call; or the organiser."""
CALLER_DIGEST: ContextVar[bytes] = ContextVar("CALLER_DIGEST")
"""The digest of the token that the call came with."""
ORGANISER = ""
"""Whoever has the admin token. No bot has this name."""

PLAY = "/sixtysix.v1.PlayService/"
OPEN_CALLS = HEALTH_CALLS | frozenset(
    f"/sixtysix.v1.ArenaService/{name}"
    for name in (
        "GetBot",
        "ListBots",
        "GetTournament",
        "ListTournaments",
        "WatchTournament",
        "GetBoard",
        "ListGames",
        "GetGame",
        "ExportTournament",
    )
)
"""Calls that only read; they need no token. Everything that is not named here does."""
SHARED_CALLS = frozenset(("/sixtysix.v1.ArenaService/GetFaults",))
"""Calls for bots and for the organiser, who are told what is theirs."""
SUBMIT = "/sixtysix.v1.ArenaService/SubmitBot"

NO_TOKEN = "no token: send it in the metadata as 'authorization: Bearer TOKEN'"
WRONG_TOKEN = "wrong token: it is unknown here, was rotated, or belongs to a disabled bot"
NO_ADMIN_TOKEN = (
    "this call needs the admin token: run it on the arena's machine with --data DIR, or set"
    " SIXTYSIX_ADMIN_TOKEN"
)
NOT_ADMIN = "the admin token is wrong: each start of the arena writes a new one into its folder"

REQUEST_TIMEOUT_S = 5.0
"""A request is one small message, which whoever asks has at hand."""
MAX_METADATA_BYTES = 16 * 1024
"""The server's own limit holds only for those who acknowledge its settings."""

WAIT_KEY = "grpc-retry-pushback-ms"
"""Says in the trailing metadata when to come back; gRPC's own word for that."""

Handler = Callable[[Any, Any], Any]

if TYPE_CHECKING:
    RpcHandler = grpc.RpcMethodHandler[Any, Any]


class Guard(grpc.aio.ServerInterceptor):
    """Checks tokens and translates errors for every call."""

    def __init__(
        self,
        bot_of: Callable[[bytes], Awaitable[str | None]],
        is_admin: Callable[[str], bool],
        *,
        open_submission: bool,
        now_ms: Callable[[], float] = lambda: time.monotonic() * 1_000,
    ) -> None:
        """`bot_of` finds a bot by the digest of its token; `is_admin` compares in constant time."""
        self._bot_of = bot_of
        self._is_admin = is_admin
        self._callers = Callers(now_ms)
        self._open_calls = OPEN_CALLS | {SUBMIT} if open_submission else OPEN_CALLS

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[RpcHandler | None]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> RpcHandler | None:
        """Wraps the handler of a call."""
        handler = await continuation(handler_call_details)
        if handler is None:
            return None  # An unknown method: gRPC itself says UNIMPLEMENTED.
        method = handler_call_details.method
        metadata = handler_call_details.invocation_metadata
        kind = ("unary" if not handler.request_streaming else "stream") + (
            "_unary" if not handler.response_streaming else "_stream"
        )
        inner: Handler = getattr(handler, kind)
        parse = handler.request_deserializer
        if not handler.request_streaming:
            inner, parse = _reading(inner, parse or bytes), None
        if _byte_count(metadata) > MAX_METADATA_BYTES:
            inner = _too_much
        make: Callable[..., RpcHandler] = (
            grpc.stream_stream_rpc_method_handler
            if handler.response_streaming
            else grpc.stream_unary_rpc_method_handler
        )
        return make(
            self._guarded(inner, method, _token(metadata)),
            request_deserializer=parse,
            response_serializer=handler.response_serializer,
        )

    def _guarded(self, inner: Handler, method: str, token: str | None) -> Handler:
        if inspect.isasyncgenfunction(inner):

            async def stream(request: Any, context: Any) -> AsyncIterator[Any]:
                try:
                    stranger = await self._admit(method, token, context)
                    peer = context.peer()
                    with self._callers.stream(peer) if stranger else nullcontext():
                        async for response in inner(request, context):
                            yield response
                except Exception as error:
                    await _refuse(error, context)

            return stream

        async def call(request: Any, context: Any) -> Any:
            try:
                await self._admit(method, token, context)
                return await inner(request, context)
            except Exception as error:
                return await _refuse(error, context)

        return call

    async def _admit(self, method: str, token: str | None, context: Any) -> bool:
        """Lets a call pass, or ends it; says whether it is that of somebody unknown."""
        plays = method.startswith(PLAY)
        if token is not None and not plays and self._is_admin(token):
            CALLER.set(ORGANISER)
            return False
        if method in self._open_calls:
            self._callers.call(context.peer())
            return True
        for_bots = plays or method in SHARED_CALLS
        if token is None:
            self._callers.call(context.peer())
            text = NO_TOKEN if for_bots else NO_ADMIN_TOKEN
            await context.abort(grpc.StatusCode.UNAUTHENTICATED, text)
        elif for_bots:
            name = await self._bot_of(digest(token))
            if name is None:
                await self._refuse_token(WRONG_TOKEN, context)
            else:
                CALLER.set(name)
                CALLER_DIGEST.set(digest(token))
        else:
            await self._refuse_token(NOT_ADMIN, context)
        return False

    async def _refuse_token(self, text: str, context: Any) -> None:
        self._callers.wrong_token(context.peer())
        await context.abort(grpc.StatusCode.UNAUTHENTICATED, text)


def _reading(inner: Handler, parse: Callable[[bytes], Any]) -> Handler:
    """A handler that reads its request itself, from a handler of requests.

    gRPC would wait for a request for ever, keep what has come of it, count the call
    among those that run, and only then ask us who is calling. And it would tell the
    caller of our classes if the request cannot be parsed.
    """

    async def request_of(context: Any) -> Any:
        try:
            async with asyncio.timeout(REQUEST_TIMEOUT_S):
                data = await context.read()
        except TimeoutError:
            raise Invalid(f"no request within {REQUEST_TIMEOUT_S:.0f} s") from None
        if data is grpc.aio.EOF:
            raise Invalid("the call ended before its request")
        try:
            return parse(data)
        except DecodeError:
            raise Invalid("the request cannot be read: expected a message of sixtysix.v1") from None

    if inspect.isasyncgenfunction(inner):

        async def stream(_requests: Any, context: Any) -> AsyncIterator[Any]:
            async for response in inner(await request_of(context), context):
                yield response

        return stream

    async def call(_requests: Any, context: Any) -> Any:
        return await inner(await request_of(context), context)

    return call


async def _too_much(_request: Any, _context: Any) -> None:
    raise Invalid(f"there is too much metadata: at most {MAX_METADATA_BYTES} bytes are read")


def _byte_count(metadata: Any) -> int:
    return sum(len(key) + len(value) for key, value in metadata or ())


def _token(metadata: Any) -> str | None:
    for key, value in metadata or ():
        if key == "authorization" and isinstance(value, str) and value.startswith("Bearer "):
            return value.removeprefix("Bearer ")
    return None


async def _refuse(error: Exception, context: Any) -> None:
    if isinstance(error, grpc.aio.AbortError):
        raise error
    try:
        if isinstance(error, grpc.aio.InternalError):
            raise error
        code, text = status_of(error)
        wait = ((WAIT_KEY, str(ceil(error.wait_ms))),) if isinstance(error, TooOften) else ()
        await context.abort(code, text, wait)
    except grpc.aio.InternalError:
        # What gRPC raises if the caller is gone: nobody is there to be told, and nothing is wrong.
        raise asyncio.CancelledError from None
