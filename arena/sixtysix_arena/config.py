"""Every setting of an arena, validated once: defaults, environment, flags.

Tournament files are read by `sixtysix.tournament_file`, since whoever organises
from afar has no arena installed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from itertools import combinations
from pathlib import Path
from typing import Any

from sixtysix.addresses import DEFAULT_ADDRESS, is_loopback
from sixtysix.environment import TRUTH
from sixtysix.names import BOT_NAME
from sixtysix_arena.certificates import Certificate
from sixtysix_arena.errors import Invalid

__all__ = ["ArenaSettings", "check_bot_name"]

ENVIRONMENT = "SIXTYSIX_"
"""A setting's variable is this and its name in capitals: SIXTYSIX_GRPC."""

_SWITCHES = frozenset(("insecure", "open_submission", "validation"))
_PATHS = frozenset(("data", "log", "tls_cert", "tls_key"))
_OPTIONAL = frozenset(("log", "metrics", "tls_cert", "tls_key", "web"))
EVERYWHERE = frozenset(("0.0.0.0", "[::]"))
"""Hosts that mean all addresses of a machine, in either family."""
OFF = "off"
"""What says that there are to be no pages, where there would be some otherwise."""


@dataclass(frozen=True, slots=True)
class ArenaSettings:
    """What an arena is started with. Raises Invalid for a value that is not possible."""

    data: Path = Path("sixtysix-data")
    """The data folder; made if there is none."""
    grpc: str = DEFAULT_ADDRESS
    """HOST:PORT to serve on; port 0 takes one that is free."""
    open_submission: bool = False
    """Whether anybody may submit bots, without the admin token."""
    validation: bool = True
    """Whether bots have to pass a trial before they play in tournaments."""
    tls_cert: Path | None = None
    """The arena's certificate chain, in PEM; read again for new connections when it changes."""
    tls_key: Path | None = None
    """The key of that certificate, in PEM."""
    insecure: bool = False
    """Whether other machines are served without TLS."""
    metrics: str | None = None
    """HOST:PORT, on this machine, where metrics are served; port 0 takes one that is free."""
    web: str | None = None
    """HOST:PORT where the pages are; port 0 takes one that is free."""
    web_is_wished: bool = True
    """Whether there has to be a place for the pages; else the arena goes on without."""
    web_host: tuple[str, ...] = ()
    """Names that the pages are known by, besides this machine's addresses."""
    log: Path | None = None
    """The file that the log goes to, instead of standard error."""

    def __post_init__(self) -> None:
        host = _host_of("grpc", self.grpc)
        if (self.tls_cert is None) is not (self.tls_key is None):
            missing = "tls_cert" if self.tls_cert is None else "tls_key"
            raise Invalid(f"{_given(missing)} is missing: a certificate and its key go together")
        if self.tls_cert is not None and self.tls_key is not None:
            if self.insecure:
                raise Invalid(
                    f"give either a certificate with its key or {_given('insecure')}, not both"
                )
            Certificate.read(self.tls_cert, self.tls_key)
        elif not self.insecure and not is_loopback(host):
            raise Invalid(
                f"{_given('grpc')} cannot be {self.grpc!r} without TLS, since tokens could be read"
                " on the way: give a certificate with --tls-cert FILE and --tls-key FILE, or"
                " --insecure where nobody else is on the network"
            )
        if self.web is not None:
            _host_of("web", self.web)
        for name in self.web_host:
            if not re.fullmatch(r"[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?", name):
                raise Invalid(
                    f"{_given('web_host')} cannot be {name[:60]!r}: expected a name"
                    " like cup.example"
                )
        if self.metrics is not None and not is_loopback(_host_of("metrics", self.metrics)):
            raise Invalid(
                f"{_given('metrics')} cannot be {self.metrics!r}: expected an address of this"
                " machine, like 127.0.0.1:6690, since anybody who reaches it may read them"
            )
        self._refuse_one_port_for_two()

    def _refuse_one_port_for_two(self) -> None:
        """Raises Invalid if two of the addresses are the same."""
        given = {"grpc": self.grpc, "metrics": self.metrics}
        if self.web_is_wished:  # Else the arena goes on without.
            given["web"] = self.web
        addresses = ((name, address) for name, address in given.items() if address is not None)
        for (one, first), (other, second) in combinations(addresses, 2):
            if _overlap(first, second):
                raise Invalid(
                    f"{_given(one)} is {first} and {_given(other)} is {second}: give each a port"
                    " of its own"
                )

    @property
    def is_local(self) -> bool:
        """Whether bots join over the loopback interface and without TLS."""
        return self.tls_cert is None and is_loopback(self.grpc.rpartition(":")[0])

    @classmethod
    def of(cls, environment: Mapping[str, str], **flags: Any) -> ArenaSettings:
        """The settings of these flags; those that are None come from the environment.

        Raises Invalid.
        """
        values = {name: value for name, value in flags.items() if value is not None}
        for field in fields(cls):
            said = environment.get(_variable(field.name))
            if said is not None and field.name not in values:
                value = _read(field.name, said)
                if value is not None:
                    values[field.name] = value
        return cls(**values)


def check_bot_name(name: str) -> None:
    """Raises Invalid unless a bot may be called `name`."""
    if not re.fullmatch(BOT_NAME, name):
        raise Invalid(
            f"a bot cannot be called {name[:40]!r}: expected {BOT_NAME}, like my-bot or my_bot_2"
        )


def _variable(name: str) -> str:
    """The environment variable of a setting."""
    return ENVIRONMENT + name.upper()


def _given(name: str) -> str:
    """A setting by the names that its user knows: the flag, and the variable."""
    return f"--{name.replace('_', '-')} ({_variable(name)})"


def _read(name: str, said: str) -> object:
    if name in _OPTIONAL and said in ("", OFF):
        return None
    if name == "web_host":
        return tuple(said.lower().split())
    if name in _PATHS:
        return Path(said)
    if name in _SWITCHES:
        if said.lower() not in TRUTH:
            raise Invalid(f"{_variable(name)} cannot be {said!r}: expected 1 or 0")
        return TRUTH[said.lower()]
    return said


def _overlap(one: str, other: str) -> bool:
    """Whether nobody can listen at both addresses; those with port 0 are always different."""
    (first, _, port), (second, _, port_too) = one.rpartition(":"), other.rpartition(":")
    if int(port) != int(port_too) or int(port) == 0:
        return False
    hosts = {host.lower().replace("localhost", "127.0.0.1") for host in (first, second)}
    is_one_family = len({host.startswith("[") for host in hosts}) == 1
    return len(hosts) == 1 or (is_one_family and not hosts.isdisjoint(EVERYWHERE))


def _host_of(name: str, address: str) -> str:
    host, colon, port = address.rpartition(":")
    if not colon or not host or not port.isascii() or not port.isdigit() or int(port) > 65_535:
        raise Invalid(
            f"{_given(name)} cannot be {address!r}: expected HOST:PORT with a port up to 65535,"
            " like 127.0.0.1:6650"
        )
    return host
