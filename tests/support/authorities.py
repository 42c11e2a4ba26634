"""Certificates for tests: an authority of the test's own, and files of what it signed."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import trustme

__all__ = ["Authority"]


class Authority:
    """Signs certificates for this machine; `pem` is the file of its own."""

    def __init__(self, folder: Path, name: str = "authority") -> None:
        self._ca = trustme.CA()
        self._folder = folder
        self.pem = folder / f"{name}.pem"
        self._ca.cert_pem.write_to_path(self.pem)

    def sign(self, name: str = "arena", *hosts: str, **how: Any) -> dict[str, Any]:
        """Writes NAME.pem and NAME.key; the settings of an arena that has them."""
        signed = self._ca.issue_cert(*(hosts or ("localhost", "127.0.0.1", "::1")), **how)
        chain, key = self._folder / f"{name}.pem", self._folder / f"{name}.key"
        # The key first: whoever looks in between finds two that do not belong together.
        key.write_bytes(signed.private_key_pem.bytes())
        chain.write_bytes(b"".join(pem.bytes() for pem in signed.cert_chain_pems))
        return {"tls_cert": chain, "tls_key": key}

    def sign_expired(self, name: str = "arena") -> dict[str, Any]:
        """One that expired yesterday."""
        now = datetime.now(UTC)
        day = timedelta(days=1)
        return self.sign(name, not_before=now - 3 * day, not_after=now - day)
