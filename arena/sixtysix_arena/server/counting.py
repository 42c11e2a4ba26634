"""The interceptor around all others: counts calls by how they ended, and logs who was refused."""

from __future__ import annotations

import asyncio
import inspect
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import grpc
import grpc.aio

from sixtysix_arena.counts import Counts
from sixtysix_arena.server.peers import address_of

__all__ = ["Counting"]

PLAY = "/sixtysix.v1.PlayService/Play"
REFUSALS = frozenset(
    (
        grpc.StatusCode.FAILED_PRECONDITION,
        grpc.StatusCode.INVALID_ARGUMENT,
        grpc.StatusCode.PERMISSION_DENIED,
        grpc.StatusCode.RESOURCE_EXHAUSTED,
        grpc.StatusCode.UNAUTHENTICATED,
        grpc.StatusCode.UNAVAILABLE,
    )
)
"""How a stream ends that was not let in; one that was let in ends otherwise."""

Handler = Callable[[Any, Any], Any]

if TYPE_CHECKING:
    RpcHandler = grpc.RpcMethodHandler[Any, Any]

log = logging.getLogger(__name__)


class Counting(grpc.aio.ServerInterceptor):
    """Counts every call of a method that exists."""

    def __init__(self, counts: Counts) -> None:
        self._counts = counts

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[RpcHandler | None]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> RpcHandler | None:
        """Wraps the handler of a call."""
        handler = await continuation(handler_call_details)
        if handler is None:
            return None  # Whatever its name is, it is the caller's: no count is made for it.
        kind = ("stream" if handler.request_streaming else "unary") + (
            "_stream" if handler.response_streaming else "_unary"
        )
        make = getattr(grpc, f"{kind}_rpc_method_handler")
        return make(  # type: ignore[no-any-return]
            self._counted(getattr(handler, kind), handler_call_details.method),
            request_deserializer=handler.request_deserializer,
            response_serializer=handler.response_serializer,
        )

    def _counted(self, inner: Handler, method: str) -> Handler:
        if inspect.isasyncgenfunction(inner):

            async def stream(request: Any, context: Any) -> AsyncIterator[Any]:
                with self._count(method, context):
                    async for response in inner(request, context):
                        yield response

            return stream

        async def call(request: Any, context: Any) -> Any:
            with self._count(method, context):
                return await inner(request, context)

        return call

    @contextmanager
    def _count(self, method: str, context: Any) -> Iterator[None]:
        """Counts a call once it has ended, whichever way."""
        code = grpc.StatusCode.UNKNOWN
        try:
            yield
            code = grpc.StatusCode.OK
        except (asyncio.CancelledError, GeneratorExit):
            code = grpc.StatusCode.CANCELLED
            raise
        finally:
            code = context.code() or code
            self._counts.calls[method, code.name] += 1
            if method == PLAY and code in REFUSALS:
                self._counts.refused_joins[code.name] += 1
                _tell("a bot was refused", method, code, context)
            elif code is grpc.StatusCode.UNAUTHENTICATED:
                _tell("a call was refused", method, code, context)
            if code is grpc.StatusCode.UNAUTHENTICATED:
                self._counts.wrong_tokens += 1


def _tell(message: str, method: str, code: grpc.StatusCode, context: Any) -> None:
    about = {"address": address_of(context.peer()), "method": method, "status": code.name}
    log.info(message, extra=about | {"reason": context.details() or ""})
