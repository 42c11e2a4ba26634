"""The gRPC server: its options, its services, its ports."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import grpc
import grpc.aio
from grpc_health.v1 import health_pb2_grpc

from sixtysix.v1 import arena_pb2_grpc
from sixtysix_arena.certificates import Certificate, CertificateFiles
from sixtysix_arena.errors import Unavailable
from sixtysix_arena.ports import who_has
from sixtysix_arena.server.counting import Counting
from sixtysix_arena.server.guard import Guard
from sixtysix_arena.server.health import HealthServicer
from sixtysix_arena.server.play import play_handler
from sixtysix_arena.server.service import ArenaServicer

if TYPE_CHECKING:
    from sixtysix_arena.arena import Arena

__all__ = ["Server"]

STOP_GRACE_S = 2.0
MAX_CONCURRENT_CALLS = 4_096
"""Some thousand bots and as many who watch, with room; the next one is told to come later."""
MAX_PENDING_CALLS = 8_192
"""Calls that came, and that nobody has looked at yet; of more, gRPC cancels any."""
LOCAL = "127.0.0.1:0"
OPTIONS = (
    ("grpc.so_reuseport", 0),  # By default a second arena silently shares the port.
    # The channel admits more than a frame may have, so that we see and say what was wrong.
    ("grpc.max_receive_message_length", 1024 * 1024),
    # A game of 200 deals with comments is 1.6 MB.
    ("grpc.max_send_message_length", 4 * 1024 * 1024),
    ("grpc.max_metadata_size", 8 * 1024),
    ("grpc.absolute_max_metadata_size", 16 * 1024),
    ("grpc.max_concurrent_streams", 128),
    ("grpc.server.max_pending_requests", MAX_PENDING_CALLS),
    ("grpc.server.max_pending_requests_hard_limit", MAX_PENDING_CALLS),
    ("grpc.server_handshake_timeout_ms", 5_000),
    # Until a peer has acknowledged our settings, not all of these limits hold for it.
    ("grpc.http2.settings_timeout", 10_000),
    # What is sent faster than it is read stays with the sender. By default gRPC takes in more
    # and more of it, the faster it comes: hundreds of MB of a flood.
    ("grpc.http2.lookahead_bytes", 64 * 1024),
    ("grpc.http2.bdp_probe", 0),
    # A frozen peer is found only if both time-outs are set. They are not shorter than
    # the shortest useful grace, since a short outage heals by itself.
    ("grpc.keepalive_time_ms", 10_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.http2.ping_timeout_ms", 10_000),
    ("grpc.http2.min_ping_interval_without_data_ms", 5_000),
    ("grpc.keepalive_permit_without_calls", 1),
    # Connections that nobody calls on are closed; those who need one again open it again.
    ("grpc.max_connection_idle_ms", 300_000),
    # Nothing else frees a stream whose peer stopped reading; bots come back to their games.
    ("grpc.max_connection_age_ms", 6 * 3_600_000),
    ("grpc.max_connection_age_grace_ms", 60_000),
)


class Server:
    """Serves one arena: on the port that was asked for, and to this machine."""

    def __init__(self, arena: Arena) -> None:
        self._arena = arena
        self._settings = settings = arena.settings
        guard = Guard(arena.bot_of, arena.is_admin, open_submission=settings.open_submission)
        self._server = grpc.aio.server(
            interceptors=(Counting(arena.counts), guard),
            options=OPTIONS,
            maximum_concurrent_rpcs=MAX_CONCURRENT_CALLS,
        )
        self._server.add_generic_rpc_handlers((play_handler(arena),))
        arena_pb2_grpc.add_ArenaServiceServicer_to_server(  # type: ignore[no-untyped-call]
            ArenaServicer(arena), self._server
        )
        self._health = HealthServicer(lambda: arena.can_store)
        health_pb2_grpc.add_HealthServicer_to_server(self._health, self._server)
        self._certificate: CertificateFiles | None = None
        self.address = settings.grpc
        """HOST:PORT; with port 0 in the wish, the port that was free once it has started."""
        self.local_address = settings.grpc
        """HOST:PORT on this machine, without TLS: for house bots and local commands."""

    @property
    def certificate_expires_at_s(self) -> int | None:
        """When the certificate that is used expires, in seconds since 1970; None without TLS."""
        return None if self._certificate is None else self._certificate.current.expires_at_s

    async def start(self) -> None:
        """Takes the ports. Raises Unavailable if somebody else has one, Invalid for no good key."""
        settings = self._settings
        if settings.tls_cert is not None and settings.tls_key is not None:
            self._certificate = CertificateFiles(settings.tls_cert, settings.tls_key)
        self.address = self._take(settings.grpc, self._certificate)
        self.local_address = self.address if settings.is_local else self._take(LOCAL)
        await self._server.start()
        self._watching = asyncio.create_task(self._watch())

    async def _watch(self) -> None:
        """Ends the arena if the server ends by itself: bots would come back in vain."""
        try:
            await self._server.wait_for_termination()
        except Exception as error:
            self._arena.fail("server", error)

    async def stop(self) -> None:
        """Lets the goodbyes be written, then closes every stream."""
        self._health.stop()
        await self._server.stop(STOP_GRACE_S)

    def _take(self, address: str, certificate: CertificateFiles | None = None) -> str:
        """Takes a port; HOST:PORT as it is then."""
        host, _, wanted = address.rpartition(":")
        try:
            if certificate is None:
                port = self._server.add_insecure_port(address)
            else:
                port = self._server.add_secure_port(address, _credentials(certificate))
        except RuntimeError as error:
            raise Unavailable(
                f"the address {address} cannot be used: {who_has(int(wanted))}; choose another one"
                " with --grpc HOST:PORT"
            ) from error
        return f"{host}:{port}"


def _credentials(certificate: CertificateFiles) -> grpc.ServerCredentials:
    """TLS with what is in the files whenever somebody connects."""

    def renewed() -> grpc.ServerCertificateConfiguration | None:
        # gRPC asks from threads of its own.
        found = certificate.renewed()
        return None if found is None else _configuration(found)

    return grpc.dynamic_ssl_server_credentials(
        _configuration(certificate.current),
        renewed,  # type: ignore[arg-type]  # None is for no change, as its documentation says.
    )


def _configuration(certificate: Certificate) -> grpc.ServerCertificateConfiguration:
    return grpc.ssl_server_certificate_configuration([(certificate.key, certificate.chain)])
