"""Tokens: drawn here, shown once, and kept as digests alone."""

from __future__ import annotations

import hashlib
import secrets

__all__ = ["digest", "new_token"]

TOKEN_BYTES = 32
"""256 bits: nobody guesses one, so that a plain digest is enough to keep."""


def new_token() -> str:
    """A new token."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def digest(token: str) -> bytes:
    """What is kept of a token: its SHA-256."""
    return hashlib.sha256(token.encode()).digest()
