"""`sixtysix bot`: what an author and an organiser do with bots."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from sixtysix import tokens
from sixtysix.api import ApiError, NotFound
from sixtysix.cli.confirming import confirm, reason_option, yes_option
from sixtysix.cli.failures import already_there
from sixtysix.cli.groups import InOrder
from sixtysix.cli.output import command, json_option, note, show, show_json
from sixtysix.cli.places import (
    Place,
    Registrar,
    find_place,
    join_flags,
    place_options,
    reader,
    registrar,
)
from sixtysix.cli.text import bot_text, bots_text
from sixtysix.limits import MAX_OWNER_BYTES
from sixtysix.reports import BotInfo
from sixtysix.rules import SixtySixError
from sixtysix.text import harmless

__all__ = ["bot"]

_token_file_option = click.option(
    "--token-file",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write the token there, readable by you alone, instead of showing it. Of what is there"
    " nothing is overwritten but NAME.token by a new token of NAME.",
)


@click.group(cls=InOrder, short_help="Submit bots, list them, replace their tokens.")
def bot() -> None:
    """Submit bots, list them, replace their tokens.

    Bots can be submitted before their arena runs: then the data folder is
    changed, and made if there is none. Changing bots needs the organiser's
    token, which is found in the data folder or in SIXTYSIX_ADMIN_TOKEN.
    """


@bot.command()
@click.argument("name")
@click.option(
    "--owner",
    metavar="TEXT",
    default="",
    help=f"Whose it is, in at most {MAX_OWNER_BYTES} bytes; it becomes public. How bots of one"
    " owner play against each other is compared with their other games.",
)
@_token_file_option
@place_options
@json_option
def submit(
    name: str,
    owner: str,
    token_file: Path | None,
    data: Path | None,
    arena: str | None,
    as_json: bool,
) -> None:
    """Register a bot and show its token, this once.

    NAME is 1 to 32 of a-z, 0-9, _ and -, with a letter or digit first.
    """
    if token_file is not None and os.path.lexists(token_file):
        raise already_there(token_file)
    place = find_place(data, arena, make=True)
    made = place.data is not None and not place.data.exists()
    kept = ""

    def issue(bots: Registrar) -> str:
        nonlocal kept
        bot, token = bots.submit_bot(name, owner)
        kept = bot.owner
        return token

    token = _issued(place, token_file, issue, create=True)
    if made:
        note(f"The data folder {place.data} is new.")
    if harmless(owner).strip() and not kept:
        note("This arena is older and keeps no owners: nobody was told whose the bot is.")
    _show_token(name, token, token_file, place, as_json)


@bot.command()
@click.argument("name")
@_token_file_option
@place_options
@json_option
def token(
    name: str, token_file: Path | None, data: Path | None, arena: str | None, as_json: bool
) -> None:
    """Replace a bot's token; the old one ends at once."""
    if token_file is not None and os.path.lexists(token_file):
        # Whose token it is cannot be seen but by its name.
        is_this_bots = token_file.name == tokens.token_file(name).name
        if not is_this_bots or not tokens.is_token_file(token_file):
            raise already_there(token_file)
    place = find_place(data, arena)
    issued = _issued(place, token_file, lambda bots: bots.rotate_token(name))
    _show_token(name, issued, token_file, place, as_json)


@bot.command()
@click.argument("name")
@click.argument("owner", metavar="TEXT")
@place_options
@json_option
def owner(name: str, owner: str, data: Path | None, arena: str | None, as_json: bool) -> None:
    """Say whose a bot is; an empty TEXT takes that back.

    It becomes public, and how bots of one owner play against each other is
    compared with their other games: the leaderboard of a tournament tells what is
    odd, and --cross shows all. That goes for tournaments that are over too.
    """
    place = find_place(data, arena)
    with registrar(place) as bots:
        owned = bots.set_owner(name, owner)
    if as_json:
        show_json(owned)
    else:
        show(bot_text(owned))


@bot.command()
@click.argument("name")
@reason_option(required=False)
@yes_option
@place_options
@json_option
def disable(
    name: str, reason: str, yes: bool, data: Path | None, arena: str | None, as_json: bool
) -> None:
    """Take a bot out of play, for good; what it played stands, the rest it forfeits."""
    place = find_place(data, arena)
    disabled = _disabled_before(place, name)
    if disabled is None:
        confirm(f"Disable {name} for good? It forfeits what it has not played.", yes)
        with registrar(place) as bots:
            disabled = bots.disable_bot(name, reason)
    else:
        note(f"{name} is disabled already, since {disabled.disabled_at}: nothing was changed.")
    if as_json:
        show_json(disabled)
    else:
        show(bot_text(disabled))


@bot.command(name="list")
@place_options
@json_option
def list_bots(data: Path | None, arena: str | None, as_json: bool) -> None:
    """List the bots by name."""
    with reader(find_place(data, arena)) as stored:
        bots = list(stored.bots())
    if as_json:
        show_json(bots)
    else:
        show(bots_text(bots))


@bot.command(name="show")
@click.argument("name")
@place_options
@json_option
def show_bot(name: str, data: Path | None, arena: str | None, as_json: bool) -> None:
    """Show one bot."""
    with reader(find_place(data, arena)) as stored:
        found = stored.bot(name)
    if as_json:
        show_json(found)
    else:
        show(bot_text(found))


def _disabled_before(place: Place, name: str) -> BotInfo | None:
    """The bot, if it is disabled. Raises NotFound if there is none.

    Whatever else prevents reading is told by what comes next.
    """
    try:
        with reader(place) as stored:
            found = stored.bot(name)
    except NotFound:
        raise
    except ApiError:
        return None
    return found if found.disabled_at else None


def _issued(
    place: Place,
    token_file: Path | None,
    issue: Callable[[Registrar], str],
    *,
    create: bool = False,
) -> str:
    with registrar(place, create=create) as bots:
        if token_file is None:
            return issue(bots)
        # The file comes first: a token that cannot be written down would be lost.
        with _private_file(token_file) as write:
            token = issue(bots)
            write(f"{token}\n")
            return token


@contextmanager
def _private_file(path: Path) -> Iterator[Callable[[str], object]]:
    """Writes a file that this user alone can read; nothing is left of it if that fails."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except OSError as error:
        raise _cannot_write(path, error) from error
    try:
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            yield file.write
        draft.replace(path)
    except OSError as error:
        raise _cannot_write(path, error) from error
    finally:
        draft.unlink(missing_ok=True)


def _cannot_write(path: Path, error: OSError) -> SixtySixError:
    return SixtySixError(f"the token file {path} cannot be written: {error.strerror}")


def _show_token(
    name: str, token: str, token_file: Path | None, place: Place, as_json: bool
) -> None:
    where = join_flags(place)
    if token_file is None:
        if as_json:
            show_json({"name": name, "token": token})
        else:
            show(token)
        note(f"This is the token of {name}, shown this once. To join with it, where it is secret:")
        note("  SIXTYSIX_TOKEN=... " + command(f"join BOT.py --name {name}{where}"))
        _note_elsewhere(place, where)
        return
    if as_json:
        show_json({"name": name, "token_file": str(token_file)})
    usual = token_file == Path(f"{name}.token")
    flag = "" if usual else f" --token-file {shlex.quote(str(token_file))}"
    note(f"The token of {name} is in {token_file}. To join with it:")
    note("  " + command(f"join BOT.py --name {name}{flag}{where}"))
    _note_elsewhere(place, where)


def _note_elsewhere(place: Place, where: str) -> None:
    if place.data is not None and where:  # What a folder knows of its arena is for this machine.
        note("From another machine, name the arena's address there: --arena HOST:PORT")
