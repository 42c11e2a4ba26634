"""`sixtysix restore`: a data folder from a backup, or from the records of tournaments."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sixtysix.cli.failures import arena_installed
from sixtysix.cli.output import command, json_option, note, show, show_json
from sixtysix.plain import plain
from sixtysix_arena.cli.keeping import contents_text, data_option, data_path, listed

if TYPE_CHECKING:
    from sixtysix_arena.store import Contents

__all__ = ["restore"]


@click.command(short_help="Rebuild a data folder from a backup or records.")
@click.argument(
    "files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE..."
)
@data_option
@click.option(
    "--unverified",
    is_flag=True,
    help="Take a backup as it is, without verifying its tournaments.",
)
@json_option
def restore(files: tuple[Path, ...], data: Path | None, unverified: bool, as_json: bool) -> None:
    """Rebuild a data folder, which has to be new or empty.

    FILE is a backup, and an arena goes on from it where the other one was; or
    the record of a tournament that `tournament export` wrote, packed or not.
    Of several records, name first what was played first: in that order they
    count in standing boards.

    All of it is verified before: dealt, refereed, counted and rated again. If
    something is not right nothing is restored, and its place is told.

    A record has neither tokens nor the evidence of faults, and the seed only
    when the tournament is over. So bots need new tokens, and a tournament that
    was not over comes back as far as it was played, and cannot go on.
    """
    path = data_path(data)
    with arena_installed("sixtysix restore"):
        from sixtysix_arena import restoring
    backups = [file for file in files if restoring.is_backup(file)]
    if backups and len(files) > 1:
        raise click.UsageError(f"{backups[0]} is a backup: expected it alone, or records alone")
    if unverified and not backups:
        raise click.UsageError("--unverified is for a backup: a record is always verified")

    def tell(text: str) -> None:
        if sys.stderr.isatty():
            note(text)

    if backups:
        contents = restoring.restore_backup(backups[0], path, unverified=unverified, tell=tell)
    else:
        contents = restoring.restore_records(files, path, tell=tell)
    if as_json:
        show_json({"data": str(path)} | plain(contents))
    else:
        show(contents_text([("data folder", path)], contents))
    flag = f"--data {shlex.quote(str(path))}"
    for text in _after_backup(contents, flag) if backups else _after_records(contents, flag):
        note(text)


def _after_backup(contents: Contents, flag: str) -> Iterator[str]:
    """What whoever has restored a backup must know."""
    if contents.bots:
        yield "Bots have the tokens of the backup: replace those that were replaced since."
    if contents.unfinished:
        yield (
            f"Not over: {listed(contents.unfinished)}. What was played after the backup is dealt"
            " again, the same cards."
        )
        yield "The arena that the backup is of must not go on with it too. To go on here:"
        yield "  " + command(f"serve {flag}")


def _after_records(contents: Contents, flag: str) -> Iterator[str]:
    """What whoever has restored records must know."""
    if contents.cut_off:
        yield (
            f"Cut off: {listed(contents.cut_off)}. The seed of a tournament that is not over is in"
            " no record: what was played is back, and it cannot go on."
        )
    if contents.bots:
        yield "Tokens and owners are in no record. To give a bot a new token:"
        yield "  " + command(f"bot token NAME {flag}")
