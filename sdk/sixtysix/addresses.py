"""Addresses of arenas: which of them never leave this machine."""

from __future__ import annotations

from ipaddress import ip_address

__all__ = ["is_loopback"]


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
