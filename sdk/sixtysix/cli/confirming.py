"""Asking before something is done that cannot be taken back."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, TypeVar

import click

from sixtysix.rules import SixtySixError

__all__ = ["confirm", "reason_option", "yes_option"]

Command = TypeVar("Command", bound=Callable[..., Any])


def yes_option(command: Command) -> Command:
    """Adds `--yes` to a command that asks."""
    return click.option("--yes", is_flag=True, help="Do not ask; without a terminal nobody does.")(
        command
    )


def reason_option(*, required: bool) -> Callable[[Command], Command]:
    """Adds `--reason`, which becomes public, to a command."""
    # A default, even None, would be taken for the reason.
    how: dict[str, Any] = {"required": True} if required else {"default": ""}
    return click.option(
        "--reason", metavar="TEXT", help="Why, in a few words; it becomes public.", **how
    )


def confirm(question: str, yes: bool) -> None:
    """Asks on a terminal whether to go on. Raises SixtySixError if the answer is no."""
    if not yes and sys.stdin.isatty() and not click.confirm(question, err=True):
        raise SixtySixError("nothing was changed")
