"""Who is at the other end of a call, in a form that people read."""

from __future__ import annotations

from urllib.parse import unquote

__all__ = ["address_of"]


def address_of(peer: str) -> str:
    """HOST:PORT out of what gRPC calls a peer, like `ipv4:127.0.0.1:50000`."""
    scheme, colon, address = unquote(peer).partition(":")
    return address if colon and scheme in ("ipv4", "ipv6") else unquote(peer)
