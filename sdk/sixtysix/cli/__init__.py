"""The command `sixtysix`. Each command is in a module of its own, imported when it is used."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

__all__ = ["COMMANDS", "main", "sixtysix"]

COMMANDS = {
    "bot": "sixtysix.cli.bots:bot",
    "games": "sixtysix.cli.results:games",
    "join": "sixtysix.cli.joining:join",
    "leaderboard": "sixtysix.cli.results:leaderboard",
    "log": "sixtysix.cli.results:log",
    "play": "sixtysix.cli.play:play",
    "tournament": "sixtysix.cli.tournaments:tournament",
    "verify": "sixtysix.cli.verify:verify",
}
"""Our own commands, and where they are."""

ENTRY_POINTS = "sixtysix.commands"
"""The group of entry points through which the arena, or anybody else, adds commands."""

_ORDER = (
    *("demo", "play", "bot", "join"),
    *("run", "serve", "pages", "tournament", "leaderboard", "games", "log", "verify"),
    *("doctor", "backup", "restore", "prune"),
)
"""How the help lists commands: in the order in which one comes to use them."""


class _Commands(click.Group):
    """Finds a command when it is asked for, here or among the entry points."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        names = {*COMMANDS, *_added()}
        return [*(name for name in _ORDER if name in names), *sorted(names.difference(_ORDER))]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in COMMANDS:
            module, _, attribute = COMMANDS[cmd_name].partition(":")
            command: click.Command = getattr(import_module(module), attribute)
            return command
        point = _added().get(cmd_name)
        if point is None:
            return None
        try:
            added: click.Command = point.load()
        except Exception as error:  # Somebody else's command must not spoil the help of ours.
            return _broken(cmd_name, error)
        return added

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if not name.startswith("-") and self.get_command(ctx, name) is None:
            close = get_close_matches(name, self.list_commands(ctx), n=1)
            hint = f", did you mean '{close[0]}'?" if close else ""
            raise click.UsageError(f"there is no command '{name}'{hint}", ctx)
        return super().resolve_command(ctx, args)


@cache
def _added() -> dict[str, EntryPoint]:
    from importlib.metadata import entry_points

    return {point.name: point for point in entry_points(group=ENTRY_POINTS)}


def _broken(name: str, error: Exception) -> click.Command:
    reason = f"the command '{name}' cannot be loaded: {type(error).__name__}: {error}"

    def fail() -> None:
        raise click.ClickException(reason) from error

    return click.Command(name, callback=fail, help="(cannot be loaded)", add_help_option=False)


@click.command(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="sixtysix", prog_name="sixtysix", message="%(prog)s %(version)s")
def sixtysix() -> None:
    """Write bots for the card game Sixty-Six, and let them play.

    Data goes to standard output, everything else to standard error; --json
    makes it JSON. Exit codes: 0 fine, 1 failed, 2 wrong usage, such as a file
    that is not there or a name that is taken, 3 the arena has no such thing, 4
    the bot failed, 6 no arena answers, 130 interrupted.
    """


def _check_text(arguments: Sequence[str]) -> None:
    """Raises UsageError for bytes that are no text: nothing could store, send or print them."""
    for argument in arguments:
        try:
            argument.encode()
        except UnicodeEncodeError:
            raise click.UsageError(
                f"the argument {argument[:80]!a} is no text: expected UTF-8"
            ) from None


def main(argv: Sequence[str] | None = None) -> int:
    """Runs a command line, without the name of the program; returns its exit code."""
    # Else gRPC's core, once it is imported, adds lines of its own to what we tell.
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    arguments = sys.argv[1:] if argv is None else list(argv)
    try:
        _check_text(arguments)
        result = sixtysix.main(args=arguments, prog_name="sixtysix", standalone_mode=False)
    except SystemExit as error:  # How click ends when nobody reads our output any more.
        return error.code if isinstance(error.code, int) else 1
    except Exception as error:
        from sixtysix.cli.failures import tell

        code = tell(error)
        if code is None:
            raise
        return code
    return result if isinstance(result, int) else 0
