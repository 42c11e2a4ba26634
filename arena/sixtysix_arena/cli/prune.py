"""`sixtysix prune`: what is over moves out of the data folder, into records."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sixtysix.cli.confirming import confirm, yes_option
from sixtysix.cli.failures import arena_installed
from sixtysix.cli.output import command, json_option, note, show, show_json
from sixtysix.cli.text.table import table
from sixtysix.plain import plain
from sixtysix_arena.cli.keeping import data_option, data_path, size_text
from sixtysix_arena.errors import Unavailable

if TYPE_CHECKING:
    from sixtysix_arena.pruning import Pruned
    from sixtysix_arena.store import Tournament

__all__ = ["prune"]

RECORDS = Path("sixtysix-records")
MAX_DAYS = 36_500


@click.command(short_help="Move old tournaments out, into their records.")
@click.argument("slugs", nargs=-1, metavar="[SLUG]...")
@click.option(
    "--older-than",
    type=click.IntRange(0, MAX_DAYS),
    metavar="DAYS",
    help="All tournaments that have been over for so many days.",
)
@click.option(
    "--records",
    type=click.Path(path_type=Path, file_okay=False),
    default=RECORDS,
    show_default=True,
    metavar="DIR",
    help="The folder for their records.",
)
@click.option("--dry-run", is_flag=True, help="Say what would be moved, and move nothing.")
@yes_option
@data_option
@json_option
def prune(
    slugs: tuple[str, ...],
    older_than: int | None,
    records: Path,
    dry_run: bool,
    yes: bool,
    data: Path | None,
    as_json: bool,
) -> None:
    """Move tournaments that are over out of the data folder, each into its record.

    A tournament is removed once its record, SLUG.jsonl.gz, is on the disk and
    verified; `restore` brings it back into a new folder. What no record has is
    gone for good: the evidence of faults, and when things happened. Standing
    boards no longer count its games. With --older-than go the trials from
    before that time, too, of versions that bots no longer have.

    No arena may run on the folder meanwhile. Nothing is ever removed by itself.
    """
    if not slugs and older_than is None:
        raise click.UsageError("name tournaments, or give --older-than DAYS")
    with arena_installed("sixtysix prune"):
        from sixtysix_arena import pruning
        from sixtysix_arena.store import DataFolder
    folder = DataFolder.open(data_path(data), create=False)
    before = "" if older_than is None else pruning.days_ago(older_than)
    with folder.lock() as lock, folder.open_store(lock) as store:
        found = pruning.prunable(store, slugs, before)
        if not as_json and found:
            show(_found_text(found))
        if dry_run or not found:
            if as_json:
                show_json({"found": [each.slug for each in found], "pruned": []})
            elif not found:
                note("Nothing to move: no tournament has been over for so long.")
            return
        confirm(_question(found, records), yes)
        size = folder.database.stat().st_size
        moved: list[Pruned] = []
        for pruned in pruning.prune(store, [each.slug for each in found], records):
            moved.append(pruned)
            note(f"{pruned.slug} is in {pruned.file}, and no longer here.")
        if older_than is not None:
            store.remove_superseded_validations(before)
        with suppress(Unavailable):  # Where there is no room for that, what is free is used again.
            store.give_back()
    if as_json:
        pruned_json = [plain(each) | {"file": str(each.file)} for each in moved]
        show_json({"found": [each.slug for each in found], "pruned": pruned_json})
    freed = size - folder.database.stat().st_size
    note(f"The database is {size_text(max(freed, 0))} smaller. To have them back, in a new folder:")
    files = " ".join(shlex.quote(str(each.file)) for each in moved)
    note("  " + command(f"restore {files} --data DIR"))


def _found_text(found: Sequence[Tournament]) -> str:
    return table(
        ["tournament", "state", "rules", "over since"],
        (
            [
                each.slug,
                f"{each.state}, practice" if each.practice else each.state,
                each.definition.rules.name,
                each.finished_at or "unknown",
            ]
            for each in found
        ),
    )


def _question(found: Sequence[Tournament], records: Path) -> str:
    count = "this tournament" if len(found) == 1 else f"these {len(found)} tournaments"
    return f"Move {count} into {records}, and remove the evidence of their faults?"
