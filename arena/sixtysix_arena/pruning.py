"""What an arena no longer needs: old tournaments, out of the store and into their records.

Nothing is removed that is not in a file: a tournament goes once its record is
written, on the disk, read back and verified.
"""

from __future__ import annotations

import os
import re
from collections import deque
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from sixtysix import wire
from sixtysix.names import SLUG
from sixtysix.record import RecordError, open_record, save_record
from sixtysix.reports import TournamentState
from sixtysix.verify import verify
from sixtysix_arena.errors import Exists, Invalid, Unavailable, WrongState
from sixtysix_arena.queries import StoredArena
from sixtysix_arena.store import MovesMade, Store, StoreReader, Tournament, drafted

__all__ = ["Pruned", "days_ago", "prunable", "prune"]

PAGE_SIZE = 500
ENDING = ".jsonl.gz"


@dataclass(frozen=True, slots=True)
class Pruned:
    """A tournament that is no longer stored, and where its record is."""

    slug: str
    file: Path
    games: int
    digest: str
    """That of the record's last line."""


def days_ago(days: int) -> str:
    """The time so many days ago, as times are stored."""
    return (datetime.now(UTC) - timedelta(days)).strftime("%Y-%m-%dT%H:%M:%SZ")


def prunable(
    reader: StoreReader, slugs: Collection[str] = (), before: str = ""
) -> list[Tournament]:
    """The tournaments with these slugs, and those that were over before a time, oldest first.

    Raises NotFound, and WrongState for a slug of one that goes on.
    """
    named = [reader.tournament(slug) for slug in dict.fromkeys(slugs)]
    for each in named:
        if each.state is not TournamentState.FINISHED and each.seed:
            raise WrongState(
                f"the tournament {each.slug!r} is {each.state}: only one that is over can be pruned"
            )
    found = {each.id: each for each in named}
    for each in reader.tournaments_in(TournamentState.FINISHED):
        # Of one that came back from its record nobody knows when it was over.
        if each.finished_at and each.finished_at < before:
            found[each.id] = each
    return [found[key] for key in sorted(found)]


def prune(store: Store, slugs: Sequence[str], records: Path) -> Iterator[Pruned]:
    """Moves tournaments out of the store into records in the folder `records`, one by one.

    Each is in its file, SLUG.jsonl.gz, before it is removed. Raises Exists if
    there is another file of that name, Invalid if no file may have it,
    RecordError if the record is not right, Unavailable if it cannot be
    written; then that tournament stays.
    """
    try:
        records.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Unavailable(f"the folder {records} cannot be made: {error.strerror}") from error
    _renew_journal(store)
    for slug in slugs:
        if not re.fullmatch(SLUG, slug):  # It becomes a name of a file.
            raise Invalid(f"no tournament can be called {slug[:60]!r}: expected {SLUG}")
        path = records / f"{slug}{ENDING}"
        digest, games = _write_record(store, slug, path)
        store.remove_tournament(slug)
        yield Pruned(slug, path, games, digest)


def _write_record(store: Store, slug: str, path: Path) -> tuple[str, int]:
    """Writes the record, or finds it written; its digest and its number of games."""
    if os.path.lexists(path):
        return _checked(store, slug, path, ": move that file away, and prune again")
    draft = path.with_name(f".{os.getpid()}.{path.name}")
    try:
        with drafted(path, draft):
            save_record(StoredArena(store).export(slug), draft)
            return _checked(store, slug, draft)
    except OSError as error:
        raise Unavailable(f"the record {path} cannot be written: {error.strerror}") from error


def _checked(store: Store, slug: str, path: Path, cure: str = "") -> tuple[str, int]:
    """Looks whether a file is the right record of what is stored; `cure` helps if it is not."""
    with open_record(path) as lines:
        verdict = verify(lines)
    if verdict.tournament is not None and verdict.tournament.slug != slug:
        raise Exists(f"{path} is no record of {slug}: nothing is overwritten, so move it away")
    if verdict.difference is not None:
        raise RecordError(f"{path} is not right ({verdict.difference}), so that {slug} stays{cure}")
    (last,) = deque(StoredArena(store).export(slug), maxlen=1)
    if f'"sha256":"{verdict.digest}"' not in last:
        raise Exists(f"{path} is another record of {slug}: nothing is overwritten, so move it away")
    return verdict.digest, verdict.game_count


def _renew_journal(store: Store) -> None:
    """Takes the moves of deals that are over out of the journal.

    The database gives the numbers of the last games again once these are
    removed, and nobody's old moves may then be taken for those of new games.
    """
    in_progress = store.deals_in_progress()
    stored = store.journal()
    if stored:
        kept = [
            made
            for _, moves in stored
            for made in wire.unpack_moves(moves)
            if in_progress.get(made.game) == made.deal
        ]
        tick = stored[-1][0] + 1
        store.commit([MovesMade(tick, wire.pack_moves(kept), is_checkpoint=True)])
