"""A gRPC server that no call can end.

Since version 1.84 gRPC for asyncio decodes the path of a call that nobody registered in
the loop that accepts calls. A path that is no UTF-8 ends that loop, and the server with
it: anybody could end an arena with one call. Here such calls are answered without being
looked at, and what is served has to be registered. Nothing of gRPC that is public lets us
do that; where these names are gone, calls are accepted as gRPC does it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, cast

import grpc
import grpc.aio
from grpc._cython import cygrpc  # type: ignore[attr-defined]

__all__ = ["mended_server"]

NO_SUCH_CALL = "this arena has no such call"


class _Accepting(cygrpc.AioServer):  # type: ignore[misc]
    """What accepts the calls of a server."""

    def _make_request_call_future(self, method: bytes | None) -> asyncio.Future[Any]:
        """The next call of a method; never one, if the method is not registered."""
        if method is None:
            return asyncio.create_task(self._refuse_unknown())
        return cast("asyncio.Future[Any]", super()._make_request_call_future(method))

    async def _refuse_unknown(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            context = cygrpc._ServicerContext(await self._request_call(), None, None, loop)
            with suppress(grpc.aio.AbortError, grpc.aio.InternalError):
                await context.abort(grpc.StatusCode.UNIMPLEMENTED, NO_SUCH_CALL)


def mended_server(
    interceptors: Sequence[grpc.aio.ServerInterceptor],
    options: Sequence[tuple[str, Any]],
    maximum_concurrent_rpcs: int,
) -> grpc.aio.Server:
    """Like `grpc.aio.server`. What it serves has to be registered, not only be added."""
    server = grpc.aio.server(
        interceptors=interceptors,
        options=options,
        maximum_concurrent_rpcs=maximum_concurrent_rpcs,
    )
    private = cast("Any", server)
    if hasattr(cygrpc.AioServer, "_make_request_call_future"):
        private._server = _Accepting(
            private._loop, None, (), interceptors, tuple(options), maximum_concurrent_rpcs
        )
    return server
