"""Why an arena cannot listen at an address, as far as that can be seen."""

from __future__ import annotations

import errno

import psutil

__all__ = ["reason_of", "who_has"]


def reason_of(error: OSError, port: int) -> str:
    """Why listening at `port` failed; names the process that has it."""
    if error.errno == errno.EADDRINUSE:
        return who_has(port)
    return error.strerror or str(error)


def who_has(port: int) -> str:
    """The process that listens at a port of this machine; a guess where it cannot be seen."""
    try:
        for connection in psutil.net_connections("tcp"):
            listens = connection.status == psutil.CONN_LISTEN
            if listens and connection.pid and connection.laddr and connection.laddr.port == port:
                name = psutil.Process(connection.pid).name()
                return f"process {connection.pid} ({name}) has the port"
    except (psutil.Error, OSError):
        pass  # Other users' processes cannot be seen everywhere.
    return "another program has the port, or the host is not this machine's"
