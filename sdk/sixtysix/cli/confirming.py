"""Asking before something is done that cannot be taken back."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, TypeVar

import click

from sixtysix.limits import MAX_REASON_BYTES
from sixtysix.rules import SixtySixError

__all__ = ["confirm", "reason_option", "yes_option"]

Command = TypeVar("Command", bound=Callable[..., Any])


def yes_option(command: Command) -> Command:
    """Adds `--yes` to a command that asks."""
    return click.option(
        "--yes", is_flag=True, help="Do not ask; needed where no terminal can be asked."
    )(command)


def reason_option(*, required: bool) -> Callable[[Command], Command]:
    """Adds `--reason`, which becomes public, to a command."""
    # A default, even None, would be taken for the reason.
    how: dict[str, Any] = {"required": True} if required else {"default": ""}
    return click.option(
        "--reason",
        metavar="TEXT",
        callback=_checked_reason,
        help=f"Why, in at most {MAX_REASON_BYTES} bytes; it becomes public.",
        **how,
    )


def _checked_reason(_context: click.Context, _parameter: click.Parameter, reason: str) -> str:
    size = len(reason.encode())
    if size > MAX_REASON_BYTES:
        raise click.BadParameter(f"it has {size} bytes: expected at most {MAX_REASON_BYTES}")
    return reason


def confirm(question: str, yes: bool, *, is_final: bool = True) -> None:
    """Asks on a terminal whether to go on. Raises SixtySixError if the answer is no.

    Where there is no terminal, raises UsageError for what is final.
    """
    if yes:
        return
    if not sys.stdin.isatty():
        if is_final:
            raise click.UsageError(
                "this cannot be undone, and no terminal is here to be asked: give --yes"
            )
        return
    if not click.confirm(question, err=True):
        raise SixtySixError("nothing was changed")
