"""The gRPC server: its options, its services, its port."""

from __future__ import annotations

from typing import TYPE_CHECKING

import grpc.aio

from sixtysix.v1 import arena_pb2_grpc
from sixtysix_arena.errors import Unavailable
from sixtysix_arena.server.guard import Guard
from sixtysix_arena.server.play import play_handler
from sixtysix_arena.server.service import ArenaServicer

if TYPE_CHECKING:
    from sixtysix_arena.arena import Arena

__all__ = ["Server"]

STOP_GRACE_S = 2.0
OPTIONS = (
    ("grpc.so_reuseport", 0),  # By default a second arena silently shares the port.
    # The channel admits more than a frame may have, so that we see and say what was wrong.
    ("grpc.max_receive_message_length", 1024 * 1024),
    # A game of 200 deals with comments is 1.6 MB.
    ("grpc.max_send_message_length", 4 * 1024 * 1024),
    ("grpc.max_metadata_size", 8 * 1024),
    ("grpc.absolute_max_metadata_size", 16 * 1024),
    ("grpc.max_concurrent_streams", 128),
    ("grpc.server_handshake_timeout_ms", 5_000),
    # A frozen peer is found only if both time-outs are set. They are not shorter than
    # the shortest useful grace, since a short outage heals by itself.
    ("grpc.keepalive_time_ms", 10_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.http2.ping_timeout_ms", 10_000),
    ("grpc.http2.min_ping_interval_without_data_ms", 5_000),
    ("grpc.keepalive_permit_without_calls", 1),
    # Nothing else frees a stream whose peer stopped reading; bots come back to their games.
    ("grpc.max_connection_age_ms", 6 * 3_600_000),
    ("grpc.max_connection_age_grace_ms", 60_000),
)


class Server:
    """Serves one arena on one port."""

    def __init__(self, arena: Arena, address: str, open_submission: bool) -> None:
        guard = Guard(arena.bot_of, arena.is_admin, open_submission=open_submission)
        self._server = grpc.aio.server(interceptors=(guard,), options=OPTIONS)
        self._server.add_generic_rpc_handlers((play_handler(arena),))
        arena_pb2_grpc.add_ArenaServiceServicer_to_server(  # type: ignore[no-untyped-call]
            ArenaServicer(arena), self._server
        )
        self._wanted = address
        self.address = address
        """HOST:PORT; with port 0 in the wish, the port that was free once it has started."""

    async def start(self) -> None:
        """Takes the port. Raises Unavailable if somebody else has it."""
        host = self._wanted.rpartition(":")[0]
        try:
            port = self._server.add_insecure_port(self._wanted)
        except RuntimeError as error:
            raise Unavailable(
                f"the address {self._wanted} cannot be used: another program has the port, or the"
                " host is not this machine's; choose another one with --grpc HOST:PORT"
            ) from error
        self.address = f"{host}:{port}"
        await self._server.start()

    async def stop(self) -> None:
        """Lets the goodbyes be written, then closes every stream."""
        await self._server.stop(STOP_GRACE_S)
