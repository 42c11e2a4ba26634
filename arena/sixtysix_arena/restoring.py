"""Data folders rebuilt: from a backup, or from the public records of tournaments.

Everything is checked before the folder has a database, and whatever fails
leaves nothing behind. A record holds no tokens, and while its tournament goes
on no seed: bots come back with tokens that nobody has, so that each needs a
new one, and a tournament that was not over comes back as far as it was played
and cannot go on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from pathlib import Path

from sixtysix import wire
from sixtysix.api import TournamentDefinition
from sixtysix.names import HOUSE
from sixtysix.record import (
    GameRecord,
    Record,
    RecordError,
    TournamentRecord,
    open_record,
    read_lines,
    read_record,
)
from sixtysix.reports import ActionKind, TournamentState
from sixtysix.rules import Game, Ruleset
from sixtysix.verify import verify
from sixtysix_arena.errors import Invalid, Unavailable
from sixtysix_arena.queries import StoredArena
from sixtysix_arena.schedule import round_robin
from sixtysix_arena.store import (
    Contents,
    DataFolder,
    DealOver,
    DealStarted,
    Event,
    GameOpened,
    GameOver,
    Store,
    contents,
    copy_into,
    open_draft,
)
from sixtysix_arena.tokens import digest, new_token

__all__ = ["is_backup", "restore_backup", "restore_records"]

_SQLITE = b"SQLite format 3\0"
BATCH_EVENTS = 5_000
"""So much is stored at a time: half a megabyte of deals."""
GAMES_AT_ONCE = 32
"""What is usual. In a record it is not, and nothing is played any more."""
UNKNOWN = ""
"""When things happened is in no record."""

Tell = Callable[[str], object]
"""Is told what comes next, which may take a while."""


def is_backup(file: Path) -> bool:
    """Whether a file is a backup, that is a database; else it may be a record.

    Raises Invalid if there is no such file, and Unavailable if it cannot be read.
    """
    try:
        with file.open("rb") as opened:
            return opened.read(len(_SQLITE)) == _SQLITE
    except FileNotFoundError as error:
        raise Invalid(f"there is no file {file}") from error
    except OSError as error:
        raise Unavailable(f"{file} cannot be read: {error.strerror}") from error


def restore_backup(
    backup: Path, data: Path, *, unverified: bool = False, tell: Tell = lambda _: None
) -> Contents:
    """Makes the new or empty folder `data` what it was when `backup` was made; what is in it.

    What the tournaments' records would say is verified, unless the organiser
    takes it `unverified`. Raises RecordError if it is not right, Unavailable
    or WrongState if the backup cannot be used, Exists if the folder is not
    empty; then nothing is there that was not there before.
    """
    with DataFolder.rebuilt(data) as draft:
        tell(f"Looking through {backup}.")
        copy_into(draft, backup)
        with open_draft(draft) as store:
            slugs = [each.slug for each in contents(draft).tournaments]
            for slug in () if unverified else slugs:
                tell(f"Verifying {slug}.")
                difference = verify(StoredArena(store).export(slug)).difference
                if difference is not None:
                    raise RecordError(
                        f"{slug} is not right in {backup}, so that nothing was restored:"
                        f" {difference}: use another backup, or take this one as it is with"
                        " --unverified"
                    )
        return contents(draft)


def restore_records(
    records: Sequence[Path], data: Path, *, tell: Tell = lambda _: None
) -> Contents:
    """Makes the new or empty folder `data` hold the tournaments of these records; what is in it.

    In the standing boards they count in this order. All are verified first,
    and what was stored is read back and compared. Raises RecordError if one is
    not right, if two are of one tournament, or if one has nothing to bring
    back; Exists if the folder is not empty. Then nothing is there that was not
    there before.
    """
    verified = _verified(records, tell)
    with DataFolder.rebuilt(data) as draft:
        with open_draft(draft) as store:
            _add_bots(store, [each.header for each in verified])
            for each in verified:
                tell(f"Restoring {each.path}.")
                each.store_in(store)
                each.compare_with(store)
        return contents(draft)


def _verified(records: Sequence[Path], tell: Tell) -> list[_Verified]:
    verified: dict[str, _Verified] = {}
    for path in records:
        tell(f"Verifying {path}.")
        with open_record(path) as lines:
            verdict = verify(lines)
        header = verdict.tournament
        if verdict.no_record:
            raise RecordError(
                f"{path} is no record, so that nothing was restored: {verdict.no_record}"
            )
        if verdict.difference is not None or header is None:
            raise RecordError(
                f"{path} is not right, so that nothing was restored: {verdict.difference}"
            )
        if header.slug in verified:
            raise RecordError(
                f"{verified[header.slug].path} and {path} are both of the tournament"
                f" {header.slug}, so that nothing was restored: name the one to take"
            )
        if header.state is TournamentState.CREATED:
            raise RecordError(
                f"{path} is of a tournament that had not started, so that nothing was restored:"
                " leave it out, and create it again from its file"
            )
        verified[header.slug] = _Verified(path, header, verdict.digest)
    return list(verified.values())


@dataclass(frozen=True, slots=True)
class _Verified:
    """A record in a file, found right."""

    path: Path
    header: TournamentRecord
    digest: str

    @property
    def is_finished(self) -> bool:
        return self.header.state is TournamentState.FINISHED

    def store_in(self, store: Store) -> None:
        """Stores the tournament. Raises RecordError if the file has changed since."""
        _add_tournament(store, self.header)
        found = ""
        batch: list[Event] = []
        ids = {game.number: game.id for game in store.games(self.header.slug)}
        with open_record(self.path) as lines:
            for line in read_lines(lines):
                found = line.digest
                if isinstance(line.record, GameRecord):
                    batch += _events(ids[line.record.number], line.record, self.header.rules)
                if len(batch) > BATCH_EVENTS:
                    store.commit(batch)
                    batch = []
        store.commit(batch)
        if found != self.digest:
            raise RecordError(f"{self.path} has changed meanwhile: nothing was restored")
        state = TournamentState.FINISHED if self.is_finished else TournamentState.STOPPED
        store.set_state(self.header.slug, state, UNKNOWN)

    def compare_with(self, store: Store) -> None:
        """Raises RecordError unless what was stored would be exported as this record."""
        exported = read_record(StoredArena(store).export(self.header.slug))
        with open_record(self.path) as lines:
            for record, back in zip_longest(read_record(lines), exported):
                if isinstance(record, TournamentRecord) and not self.is_finished:
                    record = replace(record, state=TournamentState.STOPPED)
                if record != back:
                    raise RecordError(
                        f"{self.path} would not come back as it is, so that nothing was restored:"
                        f" {_name_of(record)} differs"
                    )


def _name_of(record: Record | None) -> str:
    if isinstance(record, GameRecord):
        return f"game {record.game_id}"
    return "the header" if isinstance(record, TournamentRecord) else "the board"


def _add_bots(store: Store, headers: Sequence[TournamentRecord]) -> None:
    """Registers the bots of these tournaments with tokens that nobody has.

    Those that their organiser took out of play are out of play here too.
    """
    disabled_at = {
        action.subject: action.at
        for header in headers
        for action in header.actions
        if action.kind is ActionKind.DISABLED
    }
    ids = {entrant.id for header in headers for entrant in header.entrants}
    for name in sorted(each for each in ids if not each.startswith(HOUSE)):
        store.add_bot(name, digest(new_token()), UNKNOWN)
        if name in disabled_at:
            store.disable_bot(name, disabled_at[name])


def _add_tournament(store: Store, header: TournamentRecord) -> None:
    """Stores a tournament with its schedule; its bots are there."""
    seed = b"" if header.seed is None else bytes.fromhex(header.seed)
    entrants = [entrant.id for entrant in header.entrants]
    definition = TournamentDefinition(
        name=header.name,
        slug=header.slug,
        rules=header.rules,
        games_per_pairing=header.games_per_pairing,
        games_at_once=GAMES_AT_ONCE,
        entrants=tuple(entrants),
        clock=header.clock,
        practice_seed=seed.decode(errors="replace") if header.practice else None,
    )
    store.create_tournament(
        definition, seed=seed, commitment=bytes.fromhex(header.commitment), at=UNKNOWN
    )
    store.start_tournament(header.slug, round_robin(entrants, header.games_per_pairing), at=UNKNOWN)
    store.note_actions(header.slug, header.actions)
    for entrant in header.entrants:
        if entrant.version:
            store.freeze_version([header.slug], entrant.id, entrant.version)


def _events(game_id: int, game: GameRecord, rules: Ruleset) -> Iterator[Event]:
    """What a store is told of a game that is over."""
    yield GameOpened(game_id)
    played = Game(rules, game.game_index % 2)
    for deal in game.deals:
        if deal.result is not None:
            played.add(deal.result)
        yield DealStarted(game_id, deal.deal)
        yield DealOver(
            game_id,
            deal.deal,
            wire.pack_deal(deal),
            played.score,
            counted=deal.result is not None,
        )
    yield GameOver(game_id, game.outcome)
