"""How a channel to an arena is made, and what its failures mean."""

from __future__ import annotations

import os
import ssl
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import grpc

from sixtysix.addresses import DEFAULT_ADDRESS, DEFAULT_PORT, is_loopback
from sixtysix.api import (
    AlreadyExists,
    ApiError,
    ArenaUnreachable,
    InvalidRequest,
    NotAllowed,
    NotFound,
    WrongState,
)
from sixtysix.environment import TRUTH
from sixtysix.telling import short

__all__ = [
    "ADDRESS_VARIABLE",
    "CA_VARIABLE",
    "INSECURE_VARIABLE",
    "CallFailure",
    "Target",
    "bearer",
    "find_address",
    "find_target",
]

ADDRESS_VARIABLE = "SIXTYSIX_ARENA"
"""The environment variable that may hold an arena's address."""
CA_VARIABLE = "SIXTYSIX_CA"
"""The environment variable that may name the file with the authority of an arena's certificate."""
INSECURE_VARIABLE = "SIXTYSIX_INSECURE"
"""The environment variable that switches TLS off."""
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

_NO_SUCH_HOST = ("dns resolution", "errors resolving")
_NOBODY_THERE = (
    *("failed to connect", "connection re", "socket closed", "recvmsg", "stream removed"),
    *("cancelling all calls", *_NO_SUCH_HOST),
)
"""How the texts begin that gRPC itself gives to UNAVAILABLE; all others are the arena's."""


_CA = f"name its authority's certificate with --ca FILE or {CA_VARIABLE}"
_OTHER_NAME = "its certificate is for another name: use a name that is in it"
_TLS_FAILURES = {
    "certificate has expired": "its certificate has expired, and whoever runs it has to renew it",
    "certificate is not yet valid": "its certificate is not valid yet by this machine's clock",
    "hostname verification": _OTHER_NAME,
    "peer name": _OTHER_NAME,
    "wrong_version_number": "what answers there speaks no TLS: --insecure goes without it, and then"
    " the token can be read on the way",
    "certificate_verify_failed": f"no authority that is known here signed its certificate: {_CA}",
    "handshake failed": f"the certificate or the handshake was not accepted: {_CA}",
}
"""What a part of gRPC's own text means, the more telling parts first."""


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


class CallFailure(grpc.RpcError):
    """What a call failed with, without the call.

    gRPC raises the call itself, which lives in a cycle then. A program may hang
    at its end if it collects a call only there: that asks for a lock which a
    thread of gRPC may hold that was stopped before.
    """

    def __init__(self, error: grpc.RpcError) -> None:
        super().__init__()
        self._code = error.code()
        self._details = error.details()
        self._trailing_metadata = error.trailing_metadata()
        error.with_traceback(None)  # The call is in the frames in it, and would live as long.

    def code(self) -> grpc.StatusCode:
        """As of the call."""
        return self._code

    def details(self) -> str | None:
        """As of the call."""
        return self._details

    def trailing_metadata(self) -> Any:
        """Pairs of key and value, as of the call; None if there are none."""
        return self._trailing_metadata


@dataclass(frozen=True, slots=True)
class Target:
    """An arena's address, and how it is spoken to there."""

    address: str
    """HOST:PORT."""
    tls: bool
    """Whether over TLS: then what answers has to prove that it is that host."""
    roots: bytes | None = None
    """The authorities that are trusted, in PEM; None for those that gRPC knows."""

    def open(self) -> grpc.Channel:
        """A channel to the arena. It connects when it is first used."""
        # A proxy that is meant for the outside does not know what runs on this machine.
        local = is_loopback(self.address.rpartition(":")[0])
        proxy = (("grpc.enable_http_proxy", 0),) if local else ()
        options = (*_OPTIONS, *proxy)
        if not self.tls:
            return grpc.insecure_channel(self.address, options=options)
        credentials = grpc.ssl_channel_credentials(self.roots)
        return grpc.secure_channel(self.address, credentials, options=options)

    def error_of(self, error: grpc.RpcError, cure: str = "") -> ApiError:
        """Our error for a call that failed, with the arena's own text where it has one.

        `cure` says what to do if nobody is there.
        """
        code = error.code()
        text = short(error.details() or "") or "no reason was given"
        if code is grpc.StatusCode.UNAVAILABLE and text.lower().startswith(_NOBODY_THERE):
            return self._unreachable(text.lower(), cure)
        if code is grpc.StatusCode.DEADLINE_EXCEEDED:
            return ArenaUnreachable(f"the arena at {self.address} does not answer in time")
        if code is grpc.StatusCode.UNIMPLEMENTED:
            return ApiError(
                f"what answers at {self.address} is no arena, or of another version: {text}"
            )
        return _ERRORS.get(code, ApiError)(text)

    def _unreachable(self, text: str, cure: str) -> ApiError:
        if text.startswith(_NO_SUCH_HOST):
            return ArenaUnreachable(
                f"the host of {self.address} is not found: is that its name, and can this machine"
                " ask for names?"
            )
        if self.tls:
            for part, meaning in _TLS_FAILURES.items():
                if part in text:
                    return ArenaUnreachable(f"cannot reach {self.address} over TLS: {meaning}")
        elif text.startswith("failed to connect") and "socket closed" in text:
            return ArenaUnreachable(
                f"what answers at {self.address} hangs up at once: if it wants TLS, {_CA}"
            )
        return ArenaUnreachable(f"no arena answers at {self.address}{cure and ': '}{cure}")


def find_target(
    address: str | None = None, *, ca: Path | str | None = None, insecure: bool = False
) -> Target:
    """The arena at `address`, which is found as `find_address` says, and how to speak to it.

    With TLS unless the address is of this machine; with `ca`, a file of
    certificates, always, and those are trusted instead of this machine's own.
    `insecure` switches TLS off. Where neither is given the variables
    SIXTYSIX_CA and SIXTYSIX_INSECURE are asked.

    Raises InvalidRequest for what makes no sense or cannot be read.
    """
    place = find_address(address)
    if ca is None and not insecure:
        ca = os.environ.get(CA_VARIABLE) or None
        insecure = _is_set(INSECURE_VARIABLE)
    if ca is not None and insecure:
        raise InvalidRequest(
            "give either --ca, which asks for TLS, or --insecure, which switches it off"
            f" (their variables are {CA_VARIABLE} and {INSECURE_VARIABLE})"
        )
    if ca is not None:
        return Target(place, tls=True, roots=_read_roots(Path(ca)))
    if insecure or is_loopback(place.rpartition(":")[0]):
        return Target(place, tls=False)
    return Target(place, tls=True, roots=_system_roots())


def _is_set(variable: str) -> bool:
    said = os.environ.get(variable, "")
    if said.lower() not in TRUTH:
        raise InvalidRequest(f"{variable} cannot be {short(said)!r}: expected 1 or 0")
    return TRUTH[said.lower()]


def _read_roots(path: Path) -> bytes:
    try:
        roots = path.read_bytes()
    except OSError as error:
        raise InvalidRequest(f"the certificates {path} cannot be read: {error.strerror}") from error
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(cadata=roots.decode("ascii"))
    except (ssl.SSLError, ValueError) as error:
        raise InvalidRequest(f"there are no certificates in {path}: expected PEM") from error
    return roots


def _system_roots() -> bytes | None:
    """The authorities that this machine trusts; None leaves it to those that gRPC brings along."""
    file = ssl.get_default_verify_paths().cafile
    if file is None or os.environ.get("GRPC_DEFAULT_SSL_ROOTS_FILE_PATH"):
        return None
    try:
        return Path(file).read_bytes()
    except OSError:
        return None


def bearer(token: str) -> tuple[str, str]:
    """The metadata that carries a token."""
    return "authorization", f"Bearer {token}"
