"""`sixtysix join`: a bot's file, let into an arena."""

from __future__ import annotations

from pathlib import Path

import click

from sixtysix.cli.failures import BOT_FAILED
from sixtysix.cli.output import bots_aside, json_option, show_json
from sixtysix.cli.places import join_place, tls_options
from sixtysix.limits import MAX_GAMES_AT_ONCE
from sixtysix.names import HOUSE

__all__ = ["join"]


@click.command(short_help="Let a bot play in an arena.")
@click.argument("bot", metavar="BOT.py")
@click.option(
    "--name",
    help="The name that the bot was submitted by: a token of another bot is refused."
    "  [default: the name that the token stands for]",
)
@click.option(
    "--arena",
    metavar="HOST:PORT",
    help="The arena's address; also SIXTYSIX_ARENA.  [default: that of the arena that runs on"
    " ./sixtysix-data, or 127.0.0.1:6650]",
)
@tls_options
@click.option(
    "--token-file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="The file with the bot's token.  [default: NAME.token, or BOT.token without --name]",
)
@click.option(
    "--games-at-once",
    type=click.IntRange(1, MAX_GAMES_AT_ONCE),
    default=64,
    show_default=True,
    metavar="N",
    help="How many games the bot plays at once, at most.",
)
@click.option("--verbose", "-v", is_flag=True, help="Tell of each game.")
@json_option
def join(
    bot: str,
    name: str | None,
    arena: str | None,
    token_file: Path | None,
    games_at_once: int,
    verbose: bool,
    as_json: bool,
) -> None:
    """Let a bot play in an arena until that has nothing more to play.

    BOT.py is a file with a function choose(view), or a house bot's name. Waits
    for an arena that is not there yet, and comes back to one that went away.

    The token is read from --token-file, the variable SIXTYSIX_TOKEN, or the
    file NAME.token here; without --name, of the bot's file, BOT.token. What the
    bot prints goes to standard error. Ctrl-C gives up the games that are not over.
    Exit code 4 if the bot failed its validation.
    """
    from sixtysix.bot import find_bot
    from sixtysix.joining import EndReason
    from sixtysix.joining import join as join_arena
    from sixtysix.tokens import find_token

    place = join_place(arena)
    load = find_bot(bot)
    token = find_token(name or Path(bot).stem.removeprefix(HOUSE), token_file)
    with bots_aside():
        ending = join_arena(
            load(),
            arena=place.arena,
            ca=place.ca,
            insecure=place.insecure,
            token=token,
            name=name,
            games_at_once=games_at_once,
            verbose=verbose,
        )
    if as_json:
        show_json(ending)
    if ending.failed_trials:
        click.get_current_context().exit(BOT_FAILED)
    if ending.reason is not EndReason.FINISHED:
        click.get_current_context().exit(1)
