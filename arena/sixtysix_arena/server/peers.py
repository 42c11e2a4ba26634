"""Who is at the other end of a call, in a form that people read."""

from __future__ import annotations

from ipaddress import IPv6Address, ip_address, ip_network
from urllib.parse import unquote

__all__ = ["address_of", "network_of"]

IPV6_PREFIX = 64
"""Whoever has one address of version 6 has as many as this leaves."""


def address_of(peer: str) -> str:
    """HOST:PORT out of what gRPC calls a peer, like `ipv4:127.0.0.1:50000`."""
    scheme, colon, address = unquote(peer).partition(":")
    return address if colon and scheme in ("ipv4", "ipv6") else unquote(peer)


def network_of(peer: str) -> str:
    """The address without its port, of version 6 its network: what one caller cannot change."""
    host = address_of(peer).rpartition(":")[0].strip("[]").partition("%")[0]
    try:
        address = ip_address(host)
    except ValueError:
        return peer  # A socket of this machine.
    if not isinstance(address, IPv6Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ip_network((address, IPV6_PREFIX), strict=False))
