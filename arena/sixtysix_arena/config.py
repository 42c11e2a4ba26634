"""Every setting of an arena, validated once: defaults, environment, flags.

Tournament files are read by `sixtysix.tournament_file`, since whoever organises
from afar has no arena installed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from sixtysix.names import BOT_NAME
from sixtysix_arena.errors import Invalid

__all__ = ["ArenaSettings", "check_bot_name"]

ENVIRONMENT = "SIXTYSIX_"
"""A setting's variable is this and its name in capitals: SIXTYSIX_GRPC."""

_TRUTH = {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False, "": False}


@dataclass(frozen=True, slots=True)
class ArenaSettings:
    """What an arena is started with. Raises Invalid for a value that is not possible."""

    data: Path = Path("sixtysix-data")
    """The data folder; made if there is none."""
    grpc: str = "127.0.0.1:6650"
    """HOST:PORT to serve on; port 0 takes one that is free."""
    open_submission: bool = False
    """Whether anybody may submit bots, without the admin token."""
    validation: bool = True
    """Whether bots have to pass a trial before they play in tournaments."""

    def __post_init__(self) -> None:
        _check_address("grpc", self.grpc)

    @classmethod
    def of(cls, environment: Mapping[str, str], **flags: Any) -> ArenaSettings:
        """The settings of these flags; those that are None come from the environment.

        Raises Invalid.
        """
        values = {name: value for name, value in flags.items() if value is not None}
        for field in fields(cls):
            said = environment.get(ENVIRONMENT + field.name.upper())
            if said is not None and field.name not in values:
                values[field.name] = _read(field.name, said)
        return cls(**values)


def check_bot_name(name: str) -> None:
    """Raises Invalid unless a bot may be called `name`."""
    if not re.fullmatch(BOT_NAME, name):
        raise Invalid(
            f"a bot cannot be called {name[:40]!r}: expected {BOT_NAME}, like my-bot or my_bot_2"
        )


def _read(name: str, said: str) -> object:
    if name == "data":
        return Path(said)
    if name in ("open_submission", "validation"):
        if said.lower() not in _TRUTH:
            raise Invalid(f"{ENVIRONMENT}{name.upper()} cannot be {said!r}: expected 1 or 0")
        return _TRUTH[said.lower()]
    return said


def _check_address(name: str, address: str) -> None:
    host, colon, port = address.rpartition(":")
    if not colon or not host or not port.isascii() or not port.isdigit() or int(port) > 65_535:
        raise Invalid(
            f"{name} cannot be {address!r}: expected HOST:PORT with a port up to 65535,"
            " like 127.0.0.1:6650"
        )
    if not _is_loopback(host):
        # Tokens and moves would be readable on the way.
        raise Invalid(
            f"{name} cannot be {address!r}: nothing is encrypted yet, so that an arena serves its"
            " own machine alone, for example on 127.0.0.1:6650; from elsewhere, join through an"
            " SSH tunnel"
        )


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    from ipaddress import ip_address

    try:
        return ip_address(host.removeprefix("[").removesuffix("]")).is_loopback
    except ValueError:
        return False
