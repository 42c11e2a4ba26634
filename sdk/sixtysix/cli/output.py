"""What every command prints by: data on standard output, the rest on standard error."""

from __future__ import annotations

import json
import shlex
import sys
from contextlib import AbstractContextManager, redirect_stdout
from pathlib import Path
from shutil import which

import click

from sixtysix.plain import plain
from sixtysix.text import harmless

__all__ = ["bots_aside", "command", "json_option", "note", "show", "show_json"]

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
"""The option `--json` of a command; its parameter is `as_json`."""


def command(arguments: str) -> str:
    """A command line of ours that can be typed as it stands, from this folder.

    An environment that is not on the PATH is named by where it is.
    """
    program = Path(sys.argv[0])
    if program.name == "sixtysix" and which("sixtysix") is None:
        here = Path.cwd()
        near = program.absolute().is_relative_to(here)
        shown = program.absolute().relative_to(here) if near else program.absolute()
        return f"{shlex.quote(str(shown))} {arguments}"
    return f"sixtysix {arguments}"


def bots_aside() -> AbstractContextManager[object]:
    """While bots are loaded and play: what they print is no data, and goes to standard error."""
    return redirect_stdout(sys.stderr)


def show(text: str) -> None:
    """Prints data for people."""
    click.echo(text)


def show_json(data: object, *, on_a_line: bool = False) -> None:
    """Prints data for programs."""
    # Everything that is not ASCII is escaped, so that no terminal is led astray.
    click.echo(json.dumps(plain(data), indent=None if on_a_line else 2))


def note(text: str) -> None:
    """Tells something that is no data."""
    click.echo(harmless(text), err=True)
