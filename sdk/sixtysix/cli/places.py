"""Where a command finds its arena: at an address, or by its data folder.

What a data folder is, only the arena knows. It says so through an entry point
of the group `sixtysix.data`, so that the kit works without it.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, replace
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import click

from sixtysix.addresses import DEFAULT_ADDRESS
from sixtysix.cli.failures import MissingArena, arena_installed
from sixtysix.cli.output import command
from sixtysix.names import BOT_NAME

if TYPE_CHECKING:
    from sixtysix.api import ArenaApi, ArenaReader
    from sixtysix.reports import BotInfo

__all__ = [
    "ADMIN_TOKEN_VARIABLE",
    "DEFAULT_DATA",
    "DataFolders",
    "Place",
    "Registrar",
    "find_place",
    "join_flags",
    "join_place",
    "mute_arena",
    "organiser",
    "place_options",
    "reader",
    "registrar",
    "running_place",
    "tls_options",
    "witness_place",
    "witnesses",
]

DEFAULT_DATA = Path("sixtysix-data")
ENTRY_POINTS = "sixtysix.data"
DATA_VARIABLE = "SIXTYSIX_DATA"
ARENA_VARIABLE = "SIXTYSIX_ARENA"
ADMIN_TOKEN_VARIABLE = "SIXTYSIX_ADMIN_TOKEN"

Command = TypeVar("Command", bound=Callable[..., Any])


class Registrar(Protocol):
    """What can be done to bots while no arena runs."""

    def submit_bot(self, name: str, owner: str = "") -> tuple[BotInfo, str]:
        """Registers a bot; returns it and its token."""
        ...

    def rotate_token(self, name: str) -> str:
        """Replaces a bot's token."""
        ...

    def set_owner(self, name: str, owner: str) -> BotInfo:
        """Says whose a bot is."""
        ...

    def disable_bot(self, name: str, reason: str = "") -> BotInfo:
        """Takes a bot out of play."""
        ...


class DataFolders(Protocol):
    """What the entry point gives: data folders, as the command line needs them."""

    def reader(self, path: Path) -> AbstractContextManager[ArenaReader]:
        """What is stored in a folder, whether or not an arena runs on it."""
        ...

    def registrar(self, path: Path, *, create: bool) -> AbstractContextManager[Registrar | None]:
        """A folder's bots, to be changed; None if an arena holds the folder.

        With `create` the folder is made if there is none.
        """
        ...

    def running(self, path: Path) -> tuple[str, str]:
        """The address of the arena that runs on a folder, and its admin token.

        Raises ArenaUnreachable if none does.
        """
        ...

    def holder(self, path: Path) -> str:
        """The process that holds a folder, as an arena does while it runs; empty if none does."""
        ...


@dataclass(frozen=True, slots=True)
class Place:
    """Either a data folder, or the address of an arena; without both, the usual address."""

    data: Path | None = None
    arena: str | None = None
    given: bool = False
    """Whether a flag names it."""
    ca: Path | None = None
    """The authorities that are trusted for the arena's certificate, if a flag names them."""
    insecure: bool = False
    """Whether it is spoken to without TLS wherever it is."""
    folder: Path | None = None
    """The data folder that the address was found in."""

    @property
    def flags(self) -> str:
        """The flags that name this place again, with a space before, or nothing."""
        if not self.given:
            return ""
        if self.data is not None:
            return f" --data {shlex.quote(str(self.data))}"
        flags = "" if self.arena is None else f" --arena {shlex.quote(self.arena)}"
        flags += "" if self.ca is None else f" --ca {shlex.quote(str(self.ca))}"
        return flags + " --insecure" * self.insecure


def place_options(function: Command) -> Command:
    """Adds `--data` and `--arena` to a command, and how that arena is spoken to."""
    function = click.option(
        "--arena",
        metavar="HOST:PORT",
        help="The arena's address; also SIXTYSIX_ARENA.",
    )(tls_options(function))
    return click.option(
        "--data",
        type=click.Path(path_type=Path),
        metavar="DIR",
        help="The arena's data folder; also SIXTYSIX_DATA, or ./sixtysix-data if it is there.",
    )(function)


def tls_options(function: Command) -> Command:
    """Adds `--ca` and `--insecure` to a command; they belong to the place that it finds."""
    function = click.option(
        "--insecure",
        is_flag=True,
        expose_value=False,
        callback=_keep,
        help="Speak to the arena without TLS: the token can be read on the way; also"
        " SIXTYSIX_INSECURE=1.",
    )(function)
    return click.option(
        "--ca",
        type=click.Path(path_type=Path),
        metavar="FILE",
        expose_value=False,
        callback=_keep,
        help="Trust the certificates in FILE, in PEM, for the arena's, instead of those that this"
        " machine trusts; also SIXTYSIX_CA.",
    )(function)


def _keep(context: click.Context, parameter: click.Parameter, value: Any) -> None:
    """Keeps a flag for `find_place`, which every command that has it calls."""
    context.meta[f"{__name__}.{parameter.name}"] = value


def _with_tls(place: Place) -> Place:
    """A place with the flags of `tls_options`, where they were given."""
    context = click.get_current_context(silent=True)
    if context is None:
        return place
    ca = context.meta.get(f"{__name__}.ca")
    insecure = context.meta.get(f"{__name__}.insecure", False)
    if ca is None and not insecure:
        return place
    if place.data is not None:
        raise click.UsageError("--ca and --insecure are for an arena at an address: give --arena")
    return replace(place, given=True, ca=ca, insecure=insecure)


def find_place(data: Path | None, arena: str | None, *, make: bool = False) -> Place:
    """The place that the flags, or else the environment or the working directory name.

    If nothing does, it is the usual address; with `make` the usual folder.
    """
    return _with_tls(_find_place(data, arena, make=make))


def _find_place(data: Path | None, arena: str | None, *, make: bool) -> Place:
    if data is not None and arena is not None:
        raise click.UsageError("give either --data or --arena")
    if data is not None or arena is not None:
        return Place(data, arena, given=True)
    if address := os.environ.get(ARENA_VARIABLE):
        return Place(arena=address)
    if folder := os.environ.get(DATA_VARIABLE):
        return Place(data=Path(folder))
    if make or _usual_is_there():
        return Place(data=DEFAULT_DATA)
    return Place()


@contextmanager
def reader(place: Place) -> Iterator[ArenaReader]:
    """An arena for reading."""
    if place.data is not None:
        with _folders().reader(place.data) as stored:
            yield stored
        return
    with _remote(place, None) as arena:
        yield arena


def witness_place(data: Path | None, arena: str | None, token_file: Path | None) -> Place:
    """The place where a bot's evidence is asked for: with its token it is an arena.

    Raises UsageError for a token and a data folder: a folder needs none.
    """
    if token_file is None:
        return find_place(data, arena)
    if data is not None:
        raise click.UsageError("give either --data or --token-file: a data folder needs no token")
    return join_place(arena)


@contextmanager
def witnesses(
    place: Place, entrants: Sequence[str], token_file: Path | None
) -> Iterator[list[ArenaReader]]:
    """An arena as its organiser sees it, or as the authors of `entrants` do.

    A data folder is the organiser's. At an address it needs a token: the one in
    `token_file`; the organiser's; or a bot's from where `join` finds it, or
    those of both entrants. Raises NotAllowed if there is none.
    """
    with ExitStack() as opened:
        if place.data is not None:
            yield [opened.enter_context(_folders().reader(place.data))]
            return
        if token_file is None and (admin_token := _admin_token(place.arena)):
            yield [opened.enter_context(_remote(place, admin_token))]
            return
        tokens = _bot_tokens(entrants, token_file)
        yield [opened.enter_context(_remote(place, None, bot_token=token)) for token in tokens]


def running_place(place: Place) -> Place | None:
    """Where a running arena tells what only it knows: who is connected, what it waits for.

    None for a data folder that no arena runs on.
    """
    if place.data is None:
        return place
    address, _ = _running_on(place.data)
    return None if address is None else _own(address, place.data)


def mute_arena(folder: Path | None) -> str:
    """What is told of an arena that has a folder, and that cannot be asked; empty if none has."""
    holder = "" if folder is None else _folders().holder(folder)
    if not holder:
        return ""
    doctor = command(f"doctor --data {shlex.quote(str(folder))}")
    return f"{holder} has {folder} and does not answer: if it does not end just now, see '{doctor}'"


def join_flags(place: Place) -> str:
    """The flags by which `join` finds the arena of a place from here; with a space before."""
    if place.data is None:
        return place.flags
    address = None if _is_usual(place.data) else _running_on(place.data)[0]
    return "" if address in (None, DEFAULT_ADDRESS) else f" --arena {address}"


@contextmanager
def organiser(place: Place) -> Iterator[ArenaApi]:
    """A running arena, with its admin token."""
    if place.data is not None:
        address, token = _folders().running(place.data)
        with _remote(_own(address, place.data), token) as arena:
            yield arena
        return
    with _remote(place, _admin_token(place.arena)) as arena:
        yield arena


@contextmanager
def registrar(place: Place, *, create: bool = False) -> Iterator[Registrar]:
    """An arena's bots, to be changed: in the data folder itself if no arena runs on it.

    With `create` a folder is made if there is none.
    """
    if place.data is not None:
        with _folders().registrar(place.data, create=create) as bots:
            if bots is not None:
                yield bots
                return
    with organiser(place) as arena:
        yield arena


def join_place(arena: str | None) -> Place:
    """Where to join: the flag, the variable, or whatever arena runs on the default folder.

    Without an address, the client finds it.
    """
    place = _with_tls(Place(arena=arena, given=arena is not None))
    if place.given or os.environ.get(ARENA_VARIABLE) or not _usual_is_there():
        return place
    address, _ = _running_on(DEFAULT_DATA)
    return place if address is None else _own(address, DEFAULT_DATA)


def _own(address: str, folder: Path) -> Place:
    """A data folder's own arena, which serves this machine without TLS."""
    return Place(arena=address, insecure=True, folder=folder)


def _usual_is_there() -> bool:
    try:
        return DEFAULT_DATA.is_dir()
    except OSError:  # Whoever became another user may be in a folder that is closed to that one.
        return False


def _is_usual(folder: Path) -> bool:
    return folder.absolute() == DEFAULT_DATA.absolute()


def _folders() -> DataFolders:
    for point in entry_points(group=ENTRY_POINTS):
        with arena_installed("a data folder"):
            folders: DataFolders = point.load()
            return folders
    raise MissingArena(
        "a data folder needs the arena, which is not installed: pip install 'sixtysix[arena]'"
    )


@contextmanager
def _remote(
    place: Place, admin_token: str | None, bot_token: str | None = None
) -> Iterator[ArenaApi]:
    from sixtysix.api import ArenaUnreachable
    from sixtysix.client import RemoteArena

    with RemoteArena(
        place.arena, admin_token, bot_token=bot_token, ca=place.ca, insecure=place.insecure
    ) as arena:
        try:
            yield arena
        except ArenaUnreachable as error:
            if mute := mute_arena(place.folder):
                raise ArenaUnreachable(mute) from error
            raise


def _bot_tokens(entrants: Sequence[str], file: Path | None) -> list[str]:
    """The token in a file or in the environment; else those of the entrants that are here."""
    from sixtysix.api import NotAllowed
    from sixtysix.tokens import TOKEN_VARIABLE, find_token, token_file

    if file is not None or os.environ.get(TOKEN_VARIABLE):
        return [find_token(file=file)]
    # The names come from an arena: nothing but a name of a bot is looked for among the files.
    kept = [token_file(name) for name in entrants if re.fullmatch(BOT_NAME, name)]
    tokens = [find_token(file=path) for path in kept if path.exists()]
    if not tokens:
        expected = "".join(f" or the file {path} here" for path in kept)
        raise NotAllowed(
            "the evidence of a fault is for its author and the organiser: expected a bot's token"
            f" in --token-file, the variable {TOKEN_VARIABLE}{expected}, or the organiser's in"
            f" the variable {ADMIN_TOKEN_VARIABLE}"
        )
    return tokens


def _admin_token(address: str | None) -> str | None:
    """The admin token for an address: a folder's token is for the folder's own arena alone."""
    if token := os.environ.get(ADMIN_TOKEN_VARIABLE):
        return token
    if _usual_is_there():
        running, token = _running_on(DEFAULT_DATA)
        if running == address:
            return token
    return None


def _running_on(path: Path) -> tuple[str | None, str | None]:
    from sixtysix.api import ApiError

    try:
        return _folders().running(path)
    except (ApiError, MissingArena):
        return None, None
