"""The flags of whatever runs an arena."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import click

from sixtysix_arena.config import ArenaSettings

__all__ = ["Flags", "arena_options", "flags_of", "settings_of"]

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
        if value is None:
            continue
        given += f" --{name.replace('_', '-')}"
        if value is not True:
            given += f" {shlex.quote(str(value))}"
    return given


def settings_of(flags: Flags) -> ArenaSettings:
    """The settings of these flags, and of the environment where one is not given."""
    return ArenaSettings.of(os.environ, **flags)
