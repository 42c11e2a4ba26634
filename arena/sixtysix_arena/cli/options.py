"""The flags of whatever runs an arena."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from sixtysix_arena.config import ArenaSettings

__all__ = ["arena_options", "flags_of", "settings_of"]

Command = TypeVar("Command", bound=Callable[..., Any])

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
        "--open-submission",
        is_flag=True,
        default=None,
        help="Let anybody submit bots, without the admin token; also SIXTYSIX_OPEN_SUBMISSION=1.",
    ),
)


def arena_options(command: Command) -> Command:
    """Adds `--data`, `--grpc` and `--open-submission` to a command."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def flags_of(data: Path | None, grpc: str | None, open_submission: bool | None) -> str:
    """These flags as they were given, with a space before, or nothing."""
    flags = f" --data {shlex.quote(str(data))}" if data is not None else ""
    flags += f" --grpc {shlex.quote(grpc)}" if grpc is not None else ""
    return flags + " --open-submission" * bool(open_submission)


def settings_of(data: Path | None, grpc: str | None, open_submission: bool | None) -> ArenaSettings:
    """The settings of these flags, and of the environment where one is not given."""
    return ArenaSettings.of(os.environ, data=data, grpc=grpc, open_submission=open_submission)
