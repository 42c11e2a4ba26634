"""`sixtysix backup`: a copy of all that an arena keeps."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sixtysix.cli.failures import arena_installed
from sixtysix.cli.output import command, json_option, note, show, show_json
from sixtysix.plain import plain
from sixtysix_arena.cli.keeping import contents_text, data_option, data_path, listed
from sixtysix_arena.times import utc_now

if TYPE_CHECKING:
    from sixtysix_arena.store import Contents

__all__ = ["backup"]

ENDING = ".db"


@click.command(short_help="Copy all that an arena keeps into one file.")
@click.argument("file", required=False)
@data_option
@json_option
def backup(file: str | None, data: Path | None, as_json: bool) -> None:
    """Copy all that an arena keeps into one file, whether it runs or not.

    FILE is a name, or a folder (one that ends with / is made) where the backup
    gets a name of its own, with the time in it; without FILE that is the folder here. Nothing is
    overwritten. The arena is not held up, and the copy is of one moment: what
    `restore` makes of it goes on where the arena was then.

    Whoever can read the file knows the cards of tournaments that are not over.
    """
    with arena_installed("sixtysix backup"):
        from sixtysix_arena.store import DataFolder
    folder = DataFolder.open(data_path(data), create=False)
    path = Path(file or "")
    if file is not None and file.endswith("/"):
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    if path.is_dir():
        path /= folder.path.name + "-" + utc_now().translate({ord("-"): None, ord(":"): None})
        path = path.with_name(path.name + ENDING)
    contents = folder.back_up(path)
    if as_json:
        show_json({"file": str(path)} | plain(contents))
    else:
        show(contents_text([("backup", path)], contents))
    if secrets := _secrets(contents):
        note(f"It holds {secrets}: keep it as safe as {data_path(data)}. To restore it:")
    else:
        note("To restore it:")
    note("  " + command(f"restore {shlex.quote(str(path))} --data DIR"))


def _secrets(contents: Contents) -> str:
    digests = "the digests of tokens" if contents.bots else ""
    seeds = f"the secret seeds of {listed(contents.unfinished)}" if contents.unfinished else ""
    return " and ".join(filter(None, [digests, seeds]))
