"""The arena's certificate: read from two files, checked, and read again when they change.

A certificate is checked by shaking hands with itself, in memory: so the same
library that refuses a bad one everywhere says what is wrong with it.
"""

from __future__ import annotations

import logging
import os
import ssl
import threading
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from sixtysix_arena.errors import Invalid
from sixtysix_arena.times import utc_text

__all__ = ["Certificate", "CertificateFiles"]

_EXPIRED, _NOT_YET_VALID = 10, 9
"""What OpenSSL calls these failures of a verification."""
_ED25519 = bytes.fromhex("06032b6570")
"""How such keys are named inside certificates."""
MAX_FLIGHTS = 4
"""How often each side has something to say in a handshake; two in TLS 1.3."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Certificate:
    """A certificate chain and its key, which belong together and are valid now."""

    chain: bytes
    """PEM, the arena's own certificate first."""
    key: bytes
    """PEM."""
    expires_at_s: int
    """When it expires, in seconds since 1970."""

    @classmethod
    def read(cls, chain: Path, key: Path) -> Certificate:
        """The certificate in these files. Raises Invalid, in one sentence."""
        content = _content(chain, "certificate"), _content(key, "key")
        expires_at_s = _checked(chain, key)
        if (_content(chain, "certificate"), _content(key, "key")) != content:
            raise Invalid(f"the certificate {chain} is being written: try again")
        return cls(*content, expires_at_s)


class CertificateFiles:
    """The newest good certificate of two files; may be asked from any thread."""

    def __init__(self, chain: Path, key: Path) -> None:
        """Raises Invalid if what is there now cannot be used."""
        self._chain = chain
        self._key = key
        self._lock = threading.Lock()
        self._seen = self._state()
        self.current = Certificate.read(chain, key)
        """What was good last."""

    def renewed(self) -> Certificate | None:
        """The certificate if it has changed since it was asked for last; else None.

        What cannot be used is logged once, and the one before stays.
        """
        with self._lock:
            state = self._state()
            if state == self._seen:
                return None
            self._seen = state
            try:
                found = Certificate.read(self._chain, self._key)
            except Invalid as error:
                log.error("a new certificate is not used", extra={"reason": str(error)})
                return None
            if found == self.current:
                return None
            self.current = found
            log.info("a new certificate is used", extra={"expires": utc_text(found.expires_at_s)})
            return found

    def _state(self) -> tuple[object, ...]:
        """Changes when a file does, also if it is a link to one that is replaced."""
        return tuple(map(_stat, (self._chain, self._key)))


def _stat(path: Path) -> tuple[int, int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns, found.st_size


def _content(path: Path, what: str) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise Invalid(f"the {what} {path} cannot be read: {error.strerror}") from error


def _checked(chain: Path, key: Path) -> int:
    """When the certificate expires. Raises Invalid unless it can be used with this key."""
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        # A key with a password would otherwise be asked for on the terminal.
        server.load_cert_chain(chain, key, password=lambda: os.urandom(16))
    except (OSError, ValueError) as error:
        raise Invalid(_why_not(chain, key, error)) from error
    if _ED25519 in ssl.PEM_cert_to_DER_cert(_first(_text(chain))):
        raise Invalid(f"the certificate {chain} uses Ed25519, which gRPC cannot: use ECDSA or RSA")
    client = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    client.check_hostname = False  # Which names it is for is between it and those who dial it.
    client.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
    client.load_verify_locations(cafile=chain)
    try:
        return _shake_hands(server, client)
    except ssl.SSLCertVerificationError as error:
        if error.verify_code in (_EXPIRED, _NOT_YET_VALID):
            state = "has expired" if error.verify_code == _EXPIRED else "is not valid yet"
            raise Invalid(f"the certificate {chain} {state}: renew it") from error
        raise Invalid(f"the certificate {chain} cannot be used: {error.verify_message}") from error
    except ssl.SSLError as error:
        raise Invalid(f"the certificate {chain} cannot be used: {error.reason}") from error


def _why_not(chain: Path, key: Path, error: Exception) -> str:
    if "-----BEGIN CERTIFICATE-----" not in _text(chain):
        return f"there is no certificate in {chain}: expected PEM"
    if "PRIVATE KEY-----" not in _text(key):
        return f"there is no private key in {key}: expected PEM"
    if "ENCRYPTED" in _text(key):
        return f"the key {key} has a password: take it off, and make the file readable by you alone"
    reason = getattr(error, "reason", None) or str(error)
    if reason in ("KEY_VALUES_MISMATCH", "KEY_TYPE_MISMATCH", "NO_CERTIFICATE_ASSIGNED"):
        return f"the key {key} is not that of the certificate {chain}"
    return f"the certificate {chain} and the key {key} cannot be used: {reason}"


def _text(path: Path) -> str:
    return path.read_bytes().decode("ascii", "replace")


def _first(pem: str) -> str:
    """The first certificate of a chain: the arena's own."""
    begin, end = "-----BEGIN CERTIFICATE-----", "-----END CERTIFICATE-----"
    return begin + pem.partition(begin)[2].partition(end)[0] + end


def _shake_hands(server: ssl.SSLContext, client: ssl.SSLContext) -> int:
    """When the server's certificate expires, as the client finds it. Raises SSLError."""
    to_server, to_client = ssl.MemoryBIO(), ssl.MemoryBIO()
    sides = (
        client.wrap_bio(to_client, to_server),
        server.wrap_bio(to_server, to_client, server_side=True),
    )
    for _ in range(MAX_FLIGHTS):
        for side in sides:
            with suppress(ssl.SSLWantReadError):
                side.do_handshake()
    found = sides[0].getpeercert()
    assert found is not None
    return int(ssl.cert_time_to_seconds(str(found["notAfter"])))
