"""How a channel to an arena is made, and what its failures mean."""

from __future__ import annotations

import os

import grpc

from sixtysix.api import (
    AlreadyExists,
    ApiError,
    ArenaUnreachable,
    InvalidRequest,
    NotAllowed,
    NotFound,
    WrongState,
)
from sixtysix.telling import short

__all__ = ["ADDRESS_VARIABLE", "bearer", "error_of", "find_address", "open_channel"]

ADDRESS_VARIABLE = "SIXTYSIX_ARENA"
"""The environment variable that may hold an arena's address."""
DEFAULT_PORT = 6650
DEFAULT_ADDRESS = f"127.0.0.1:{DEFAULT_PORT}"
MAX_MESSAGE_BYTES = 16 * 1024 * 1024
"""The largest answer that is accepted: the board of the largest tournament has room."""

_OPTIONS = (
    # A peer that is frozen or cut off is noticed only if all three are set.
    ("grpc.keepalive_time_ms", 10_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.http2.ping_timeout_ms", 10_000),
    ("grpc.http2.max_pings_without_data", 0),
    ("grpc.max_receive_message_length", MAX_MESSAGE_BYTES),
    # Otherwise a new channel would inherit how long an earlier one wanted to wait.
    ("grpc.use_local_subchannel_pool", 1),
)

_ERRORS: dict[grpc.StatusCode, type[ApiError]] = {
    grpc.StatusCode.NOT_FOUND: NotFound,
    grpc.StatusCode.ALREADY_EXISTS: AlreadyExists,
    grpc.StatusCode.FAILED_PRECONDITION: WrongState,
    grpc.StatusCode.INVALID_ARGUMENT: InvalidRequest,
    grpc.StatusCode.UNAUTHENTICATED: NotAllowed,
    grpc.StatusCode.PERMISSION_DENIED: NotAllowed,
    grpc.StatusCode.UNAVAILABLE: ArenaUnreachable,
    grpc.StatusCode.DEADLINE_EXCEEDED: ArenaUnreachable,
}

_NOBODY_THERE = (
    *("failed to connect", "connection re", "dns resolution", "socket closed", "recvmsg"),
    *("stream removed", "cancelling all calls"),
)
"""How the texts begin that gRPC itself gives to UNAVAILABLE; all others are the arena's."""


def find_address(address: str | None = None) -> str:
    """HOST:PORT: as given, else from the variable SIXTYSIX_ARENA, else this machine's port 6650.

    Raises InvalidRequest for what is no address.
    """
    address = address or os.environ.get(ADDRESS_VARIABLE) or DEFAULT_ADDRESS
    host, colon, port = address.rpartition(":")
    if not colon or host.endswith(":"):
        host, port = address, str(DEFAULT_PORT)
    if host and port.isdecimal() and 0 < int(port) < 65_536 and "/" not in host:
        return f"{host}:{port}"
    raise InvalidRequest(f"{short(address)!r} is no address: expected HOST:PORT")


def open_channel(address: str) -> grpc.Channel:
    """A channel to the arena at `address`. It connects when it is first used."""
    # A proxy that is meant for the outside does not know what runs on this machine.
    local = address.startswith(("127.", "localhost:", "[::1]:"))
    proxy = (("grpc.enable_http_proxy", 0),) if local else ()
    return grpc.insecure_channel(address, options=(*_OPTIONS, *proxy))


def bearer(token: str) -> tuple[str, str]:
    """The metadata that carries a token."""
    return "authorization", f"Bearer {token}"


def error_of(error: grpc.RpcError, address: str, cure: str = "") -> ApiError:
    """Our error for a call that failed, with the arena's own text where it has one.

    `cure` says what to do if nobody is there.
    """
    code = error.code()
    text = short(error.details() or "") or "no reason was given"
    if code is grpc.StatusCode.UNAVAILABLE and text.lower().startswith(_NOBODY_THERE):
        return ArenaUnreachable(f"no arena answers at {address}{cure and ': '}{cure}")
    if code is grpc.StatusCode.DEADLINE_EXCEEDED:
        return ArenaUnreachable(f"the arena at {address} does not answer in time")
    if code is grpc.StatusCode.UNIMPLEMENTED:
        return ApiError(f"what answers at {address} is no arena, or of another version: {text}")
    return _ERRORS.get(code, ApiError)(text)
