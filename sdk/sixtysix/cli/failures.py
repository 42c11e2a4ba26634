"""Errors as the command line tells them: one line on standard error, and an exit code."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

import click

from sixtysix import api
from sixtysix.bot import BotError, NoSuchBot
from sixtysix.rules import SixtySixError
from sixtysix.text import harmless

__all__ = [
    "BOT_FAILED",
    "EXIT_CODES",
    "INTERRUPTED",
    "MissingArena",
    "already_there",
    "arena_installed",
    "tell",
]

INTERRUPTED = 130
BOT_FAILED = 4


class MissingArena(SixtySixError):
    """What was asked for needs the arena, and only the kit is installed."""


EXIT_CODES: Mapping[type[BaseException], int] = {
    SixtySixError: 1,
    api.NotFound: 3,
    api.InvalidRequest: 2,
    api.AlreadyExists: 2,
    NoSuchBot: 2,
    api.ArenaUnreachable: 6,
    BotError: BOT_FAILED,
    click.ClickException: 1,
    click.UsageError: 2,
    click.Abort: INTERRUPTED,
}
"""An error has the code of the first of its base classes that is in here.

What is not in here is a mistake of ours, and is shown with its traceback.
"""

_UNWRITABLE = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF}
"""How writing to an open file fails: the disk is full, or gone, or not for writing."""

OURS = ("sixtysix", "sixtysix_arena", "sixtysix_bots")


def already_there(path: Path) -> api.AlreadyExists:
    """The error of a file that would have to be overwritten, which no command does."""
    return api.AlreadyExists(
        f"there is a {path} already, and nothing is overwritten: move it away, or name another file"
    )


@contextmanager
def arena_installed(what: str) -> Iterator[None]:
    """For importing the arena: raises MissingArena if its requirements are not installed."""
    try:
        yield
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if missing in OURS and missing != "sixtysix_arena":
            raise
        raise MissingArena(
            f"{what} needs the arena, and {missing} is not installed: pip install 'sixtysix[arena]'"
        ) from error


def tell(error: Exception) -> int | None:
    """Tells of an error on standard error; its exit code, or None if nobody foresaw it."""
    with suppress(OSError):  # Where nobody can read it, the code remains.
        return _tell(_of_surroundings(error) or error)
    return 1


def _tell(error: Exception) -> int | None:
    code = next((EXIT_CODES[each] for each in type(error).__mro__ if each in EXIT_CODES), None)
    if code is None:
        return None
    if type(error).__name__ == "NoArgsIsHelpError" and isinstance(error, click.ClickException):
        error.show()  # A group without a command: its help, which is more than a line.
    elif not isinstance(error, click.Abort):
        click.echo(f"sixtysix: {_text(error)}", err=True)
    return code


def _text(error: Exception) -> str:
    if not isinstance(error, click.ClickException):
        # An author's traceback has lines; of each other text we know that it has one.
        return "\n".join(harmless(line) for line in str(error).split("\n"))
    text = harmless(" ".join(error.format_message().split())).rstrip(".")
    if text[:1].isupper() and not text[1:2].isupper():
        text = text[0].lower() + text[1:]
    if isinstance(error, click.UsageError) and error.ctx is not None:
        text += f" (see '{error.ctx.command_path} --help')"
    return text


def _of_surroundings(error: Exception) -> SixtySixError | None:
    """What is wrong with where we run: an output or a folder; None if it is something else."""
    if isinstance(error, UnicodeEncodeError):
        return SixtySixError(
            f"some text cannot be written as {error.encoding}: expected an output and settings in"
            " UTF-8, as with PYTHONUTF8=1"
        )
    if _lacks_memory(error):
        return SixtySixError(
            "this machine gives the program no more memory, or no more threads: end others, or"
            " raise its limits (ulimit -v, ulimit -u)"
        )
    if isinstance(error, PermissionError) and not _may_enter_here():
        return SixtySixError(
            f"the working directory is closed to this user ({error.filename}): change to another"
            " one, for example to /"
        )
    if not isinstance(error, OSError) or error.filename is not None:
        return None
    if error.errno in _UNWRITABLE:
        _give_up_output()
        return SixtySixError(f"the output cannot be written: {error.strerror}")
    if isinstance(error, FileNotFoundError):
        try:
            Path.cwd()
        except OSError:
            return SixtySixError("the working directory is gone: change to one that is there")
    return None


def _may_enter_here() -> bool:
    """Whether this user may use the working directory, which was another user's perhaps."""
    return os.access(".", os.X_OK, effective_ids=os.access in os.supports_effective_ids)


def _lacks_memory(error: Exception) -> bool:
    if isinstance(error, OSError):
        return error.errno == errno.ENOMEM
    text = str(error)
    return (
        isinstance(error, MemoryError)
        or (isinstance(error, RuntimeError) and text == "can't start new thread")
        or (isinstance(error, ImportError) and "failed to map segment" in text)
    )


def _give_up_output() -> None:
    """Spares Python a second try, when it ends, to write what could not be written."""
    with suppress(AttributeError, OSError, ValueError):
        sys.stdout.flush()
        return
    with suppress(AttributeError, OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
