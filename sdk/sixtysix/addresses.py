"""Addresses of arenas: the usual one, and which of them never leave this machine."""

from __future__ import annotations

from ipaddress import ip_address

__all__ = ["DEFAULT_ADDRESS", "DEFAULT_PORT", "is_loopback"]

DEFAULT_PORT = 6650
DEFAULT_ADDRESS = f"127.0.0.1:{DEFAULT_PORT}"


def is_loopback(host: str) -> bool:
    """Whether what goes to `host` stays on this machine, so that nobody on the way can read it.

    A name that only resolves to such an address is not taken for one: what it
    resolves to is for others to say.
    """
    if host == "localhost":
        return True
    try:
        return ip_address(host.removeprefix("[").removesuffix("]")).is_loopback
    except ValueError:
        return False
