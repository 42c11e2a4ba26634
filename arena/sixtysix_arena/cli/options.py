"""The flags of whatever runs an arena."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import click

from sixtysix_arena.config import ENVIRONMENT, OFF, ArenaSettings
from sixtysix_arena.errors import Invalid
from sixtysix_arena.layout import ADDRESS, ADMIN_TOKEN, DATABASE, LOCK

__all__ = ["Flags", "arena_options", "flags_of", "settings_of"]

WEB_VARIABLE = ENVIRONMENT + "WEB"

Command = TypeVar("Command", bound=Callable[..., Any])

_FILE = click.Path(dir_okay=False, path_type=Path)

_OPTIONS = (
    click.option(
        "--data",
        type=click.Path(file_okay=False, path_type=Path),
        metavar="DIR",
        help="The data folder; also SIXTYSIX_DATA.  [default: sixtysix-data]",
    ),
    click.option(
        "--grpc",
        metavar="HOST:PORT",
        help="Where bots join; also SIXTYSIX_GRPC. Port 0 takes a free one."
        "  [default: 127.0.0.1:6650]",
    ),
    click.option(
        "--tls-cert",
        type=_FILE,
        metavar="FILE",
        help="The arena's certificate chain, in PEM; also SIXTYSIX_TLS_CERT. Needed for bots on"
        " other machines.",
    ),
    click.option(
        "--tls-key",
        type=_FILE,
        metavar="FILE",
        help="The key of that certificate; also SIXTYSIX_TLS_KEY.",
    ),
    click.option(
        "--insecure",
        is_flag=True,
        default=None,
        help="Serve other machines without TLS: tokens can be read on the way; also"
        " SIXTYSIX_INSECURE=1.",
    ),
    click.option(
        "--open-submission",
        is_flag=True,
        default=None,
        help="Let anybody submit bots, without the admin token; also SIXTYSIX_OPEN_SUBMISSION=1.",
    ),
    click.option(
        "--web",
        metavar="HOST:PORT",
        help="Where the pages are; also SIXTYSIX_WEB. Port 0 takes a free one, off has none."
        "  [default of serve: 127.0.0.1:6680, of run: off]",
    ),
    click.option(
        "--web-host",
        multiple=True,
        metavar="NAME",
        help="A name that the pages are known by, as behind a proxy; also SIXTYSIX_WEB_HOST.",
    ),
    click.option(
        "--log",
        type=_FILE,
        metavar="FILE",
        help="Append the log to FILE, one JSON object a line; also SIXTYSIX_LOG."
        "  [default: standard error]",
    ),
    click.option(
        "--metrics",
        metavar="HOST:PORT",
        help="Serve metrics for Prometheus to this machine; also SIXTYSIX_METRICS.",
    ),
)

Flags = Mapping[str, Any]
"""What was given for these options, by the names of the settings; None where nothing was."""


def arena_options(command: Command) -> Command:
    """Adds the flags of an arena to a command, which takes them as `**flags`."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def flags_of(flags: Flags) -> str:
    """These flags as they were given, with a space before each, or nothing."""
    given = ""
    for name, value in flags.items():
        for each in value if isinstance(value, tuple) else (value,):
            if each is None:
                continue
            given += f" --{name.replace('_', '-')}"
            if each is not True:
                given += f" {shlex.quote(str(each))}"
    return given


def _is_arenas_own(file: Path, data: Path) -> bool:
    """Whether it is one of the files that an arena keeps in its data folder."""
    real = file.resolve()
    ours = real.name.startswith(DATABASE) or real.name in (LOCK, ADDRESS, ADMIN_TOKEN)
    return ours and real.parent == data.resolve()


def settings_of(flags: Flags, *, web: str | None = None) -> ArenaSettings:
    """The settings of these flags, and of the environment where one is not given.

    `web` is where the pages are if neither says anything, and there is room.
    """
    given = dict(flags)
    given["web_host"] = tuple(name.lower() for name in flags.get("web_host") or ()) or None
    if given.get("web") is None and WEB_VARIABLE not in os.environ:
        given |= {"web": web, "web_is_wished": False}
    is_off = given.get("web") == OFF
    if is_off:
        given["web"] = None
    settings = ArenaSettings.of(os.environ, **given)
    if settings.log is not None and _is_arenas_own(settings.log, settings.data):
        raise Invalid(f"{settings.log} is a file of the arena's own: name another one for the log")
    return replace(settings, web=None) if is_off else settings
