"""`sixtysix verify`: whether a record is what it should be."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sixtysix.api import ArenaUnreachable, InvalidRequest, NotFound
from sixtysix.cli.output import command, json_option, show, show_json
from sixtysix.cli.places import find_place, place_options, reader
from sixtysix.cli.text import verdict_text
from sixtysix.names import SLUG
from sixtysix.plain import plain

if TYPE_CHECKING:
    from sixtysix.verify import Verdict

__all__ = ["verify"]

STDIN = "-"
_SQLITE = b"SQLite format 3\0"


@click.command(short_help="Check a record: deals, moves, results and board.")
@click.argument("record", metavar="FILE|SLUG")
@place_options
@json_option
def verify(record: str, data: Path | None, arena: str | None, as_json: bool) -> int:
    """Check the record of a tournament: deal, referee, count and rate it again.

    FILE is what `tournament export` wrote, packed or not, and - is standard
    input. A SLUG is looked up in an arena or its data folder. Nothing but the
    record is used. Packs can be checked once the tournament is over, ratings
    where the arena is installed.

    The exit code is 1 if something is not what it should be; the first such
    place is told.
    """
    from sixtysix.verify import verify as verdict_of

    with _lines(record, data, arena) as lines:
        verdict = verdict_of(lines)
    if as_json:
        show_json(_json(verdict))
    else:
        show(verdict_text(verdict))
    return 0 if verdict.ok else 1


@contextmanager
def _lines(record: str, data: Path | None, arena: str | None) -> Iterator[Iterable[bytes | str]]:
    from sixtysix.record import open_record, record_in

    path = Path(record)
    if data is not None or arena is not None:
        if record == STDIN:
            raise click.UsageError("a record on standard input is in no arena")
    elif record == STDIN:
        yield record_in(sys.stdin.buffer, "standard input")
        return
    elif _is_there(path):
        _refuse_database(path)
        with open_record(path) as lines:
            yield lines
        return
    elif _is_folder(path) and not re.fullmatch(SLUG, record):
        raise InvalidRequest(_missing(path))
    elif not re.fullmatch(SLUG, record):
        raise InvalidRequest(f"there is no file {record}, and no tournament can be called that")
    with reader(find_place(data, arena)) as stored:
        try:
            text = stored.export(record)
            first = [*islice(text, 1)]  # From afar, errors come with the first line.
        except (ArenaUnreachable, NotFound) as error:
            if data is not None or arena is not None:
                raise
            kind = NotFound if isinstance(error, NotFound) else ArenaUnreachable
            raise kind(f"{_missing(path)}, and {error}") from error
        yield chain(first, text)


def _missing(path: Path) -> str:
    """What is told of a path where no record is."""
    if _is_folder(path):
        see = command(f"verify SLUG --data {shlex.quote(str(path))}")
        return (
            f"{path} is a folder, where the file of a record was expected (a tournament in a data"
            f" folder is verified with '{see}')"
        )
    return f"there is no file {path} here"


def _refuse_database(path: Path) -> None:
    """Raises InvalidRequest for a database: `restore` verifies what is in it, and not we."""
    if not path.is_file():
        return  # What a pipe gives it gives once.
    try:
        with path.open("rb") as file:
            is_database = file.read(len(_SQLITE)) == _SQLITE
    except OSError:
        return  # Whoever reads it next tells.
    if is_database:
        restore = command(f"restore {shlex.quote(str(path))} --data DIR")
        raise InvalidRequest(
            f"{path} is a database, such as a backup, and no record: '{restore}' verifies what is"
            " in it"
        )


def _is_there(path: Path) -> bool:
    try:
        return path.exists() and not path.is_dir()
    except OSError:  # No name of a file can be that long.
        return False


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:
        return False


def _json(verdict: Verdict) -> dict[str, Any]:
    tournament = verdict.tournament
    difference = verdict.difference
    told: dict[str, Any] = {
        "ok": verdict.ok,
        "slug": None,
        "state": None,
        "practice": None,
        "games_total": None,
        "games": verdict.game_count,
        "deals": verdict.deal_count,
        "moves": verdict.move_count,
        "rounds": verdict.round_count,
        "digest": verdict.digest,
        "unchecked": list(verdict.unchecked),
        "difference": None,
    }
    if tournament is not None:
        told |= {
            "slug": tournament.slug,
            "state": str(tournament.state),
            "practice": tournament.practice,
            "games_total": tournament.game_count,
        }
    if difference is not None:
        told["difference"] = plain(difference) | {"text": str(difference)}
    return told
