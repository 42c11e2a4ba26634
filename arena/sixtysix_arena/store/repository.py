"""Writing: what the one arena that owns a data folder may change in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict
from pathlib import Path

from sqlalchemy import Connection, Engine, delete, func, insert, select, update

from sixtysix.api import TournamentDefinition
from sixtysix.reports import ActionInfo, BotInfo, GameState, TournamentState
from sixtysix_arena.errors import Exists, Invalid, NotFound, Unavailable, WrongState
from sixtysix_arena.schedule import ScheduledGame
from sixtysix_arena.store import batch as batches
from sixtysix_arena.store import convert, models, organising, removal
from sixtysix_arena.store.engine import translated
from sixtysix_arena.store.reader import (
    StoreReader,
    bot_info,
    stored_game,
    stored_tournament,
    tournament_id,
)
from sixtysix_arena.store.rows import Event, Game, Tournament, Validation

__all__ = ["Store"]

_MOVES = {
    (TournamentState.RUNNING, TournamentState.STOPPED),
    (TournamentState.STOPPED, TournamentState.RUNNING),
    (TournamentState.RUNNING, TournamentState.FINISHED),
    (TournamentState.STOPPED, TournamentState.FINISHED),
}
"""The changes of state that `set_state` makes; the first start is `start_tournament`."""


_DONE = {
    TournamentState.CREATED: "created",
    TournamentState.RUNNING: "started",
    TournamentState.STOPPED: "stopped",
    TournamentState.FINISHED: "finished",
}
"""What brings a tournament into a state."""


class Store(StoreReader):
    """The stored bots, tournaments and games, for reading and writing.

    Each call that changes something is one transaction, durable against the
    death of the process when it returns (a power cut may lose the last ones,
    but no bot's registration and no tournament that was created or started).
    It raises Unavailable, with nothing stored, if the disk or a lock is in the
    way; calling again is safe. Writing calls are for one thread at a time.
    """

    def __init__(self, reading: Engine, writing: Engine, path: Path) -> None:
        super().__init__(reading, path)
        self._writing_engine = writing
        with translated(path):
            self._writer = writing.connect()

    def close(self) -> None:
        """Lets go of the database."""
        super().close()
        self._writer.close()
        self._writing_engine.dispose()

    # Bots

    def add_bot(
        self, name: str, token_sha256: bytes, at: str, request_id: str = "", owner: str = ""
    ) -> BotInfo:
        """Registers a bot. Raises Exists if there is one of that name."""
        with self._promise() as connection:
            table = models.bot
            found = select(table.c.token_request_id, table.c.disabled_at)
            before = connection.execute(found.where(table.c.name == name)).first()
            if before is not None and request_id and before.token_request_id == request_id:
                raise Exists(
                    f"this call gave {name!r} its token already, which is shown once: "
                    "rotate its token"
                )
            if before is not None and before.disabled_at:
                raise Exists(
                    f"there was a bot {name!r}, which is disabled for good: choose another name"
                )
            if before is not None:
                raise Exists(
                    f"there is a bot {name!r} already: choose another name, or replace its token"
                    f" with 'sixtysix bot token {name}'"
                )
            connection.execute(
                insert(table).values(
                    name=name,
                    token_sha256=token_sha256,
                    token_request_id=request_id or None,
                    submitted_at=at,
                    version="",
                    owner=owner,
                )
            )
            return bot_info(connection, name)

    def set_token(self, name: str, token_sha256: bytes, request_id: str = "") -> None:
        """Replaces a bot's token.

        Raises NotFound, WrongState if the bot is disabled, and Exists if the
        present token was issued by the call `request_id`: a token cannot be
        shown a second time.
        """
        table = models.bot
        with self._promise() as connection:
            bot = bot_info(connection, name)
            if bot.disabled_at:
                raise WrongState(f"the bot {name!r} is disabled: submit one of another name")
            issuer = connection.execute(
                select(table.c.token_request_id).where(table.c.name == name)
            ).scalar_one()
            if request_id and issuer == request_id:
                raise Exists(
                    f"this call gave {name!r} its token already, which is shown once: "
                    "rotate the token again with another request id"
                )
            connection.execute(
                update(table)
                .where(table.c.name == name)
                .values(token_sha256=token_sha256, token_request_id=request_id or None)
            )

    def set_owner(self, name: str, owner: str) -> BotInfo:
        """Says whose a bot is. Raises NotFound."""
        table = models.bot
        with self._promise() as connection:
            connection.execute(update(table).where(table.c.name == name).values(owner=owner))
            return bot_info(connection, name)

    def disable_bot(self, name: str, at: str, reason: str = "") -> BotInfo:
        """Takes a bot out of play, for good; again changes nothing. Raises NotFound."""
        table = models.bot
        with self._transaction() as connection:
            if not bot_info(connection, name).disabled_at:
                connection.execute(update(table).where(table.c.name == name).values(disabled_at=at))
                organising.note_disabled(connection, name, reason, at)
            return bot_info(connection, name)

    # Tournaments

    def create_tournament(
        self,
        definition: TournamentDefinition,
        *,
        seed: bytes,
        commitment: bytes,
        at: str,
        request_id: str = "",
    ) -> Tournament:
        """Stores a tournament with its entrants and its seed, which in practice is the known one.

        A repeated `request_id` gives the tournament that it stored before,
        with the seed of then. Raises Exists if the slug is taken, and Invalid
        if the definition cannot be kept.
        """
        table = models.tournament
        with self._promise() as connection:
            if request_id:
                query = select(table.c.slug).where(table.c.request_id == request_id)
                before = connection.execute(query).scalar_one_or_none()
                if before is not None:
                    return _same(stored_tournament(connection, before), definition)
            query = select(table.c.slug).where(table.c.slug == definition.slug)
            if connection.execute(query).first() is not None:
                raise Exists(
                    f"there is a tournament {definition.slug!r} already: choose another slug"
                )
            row = convert.definition_columns(definition) | {
                "seed": seed,
                "commitment": commitment,
                "state": str(TournamentState.CREATED),
                "unvalidated": False,
                "created_at": at,
                "request_id": request_id or None,
            }
            key = connection.execute(insert(table).values(row)).inserted_primary_key
            assert key is not None
            connection.execute(
                insert(models.entrant),
                [{"tournament_id": key[0], "entrant_id": name} for name in definition.entrants],
            )
            return _same(stored_tournament(connection, definition.slug), definition)

    def start_tournament(self, slug: str, schedule: Sequence[ScheduledGame], at: str) -> Tournament:
        """Writes the whole schedule of a tournament and sets it running.

        Raises NotFound, WrongState if it was started before, and Invalid if
        the schedule does not fit the entrants.
        """
        with self._promise() as connection:
            tournament = stored_tournament(connection, slug)
            if tournament.state is not TournamentState.CREATED:
                raise WrongState(
                    f"the tournament {slug!r} is {tournament.state}: its schedule is written once"
                )
            scheduled = {entrant for game in schedule for entrant in game.entrants}
            if scheduled != set(tournament.definition.entrants):
                raise Invalid(f"the schedule does not fit the entrants of {slug!r}")
            connection.execute(
                insert(models.game), [_scheduled_game(tournament.id, game) for game in schedule]
            )
            table = models.tournament
            connection.execute(
                update(table)
                .where(table.c.id == tournament.id)
                .values(state=str(TournamentState.RUNNING), started_at=at)
            )
            return stored_tournament(connection, slug)

    def set_state(self, slug: str, state: TournamentState, at: str) -> Tournament:
        """Stops, continues or finishes a tournament; to the same state changes nothing.

        Raises NotFound, and WrongState if it cannot go there from where it is,
        is to be finished and some game is not over, or has lost its seed.
        """
        table, games = models.tournament, models.game
        with self._transaction() as connection:
            tournament = stored_tournament(connection, slug)
            if tournament.state is state:
                return tournament
            if (tournament.state, state) not in _MOVES:
                raise WrongState(
                    f"the tournament {slug!r} is {tournament.state}: it cannot be {_DONE[state]}"
                )
            if state is not TournamentState.STOPPED:
                organising.check_seed(tournament)
            changes = {"state": str(state)}
            if state is TournamentState.FINISHED:
                missing = connection.execute(
                    select(func.count())
                    .where(games.c.tournament_id == tournament.id)
                    .where(games.c.state != GameState.OVER)
                ).scalar_one()
                if missing:
                    raise WrongState(f"the tournament {slug!r} has {missing} games to play")
                changes["finished_at"] = at
            connection.execute(update(table).where(table.c.id == tournament.id).values(changes))
            return stored_tournament(connection, slug)

    def end_tournament(self, slug: str, game_reason: str, reason: str, at: str) -> Tournament:
        """Makes the games void, for `game_reason`, that were not begun.

        Raises NotFound, and WrongState if it was not started or is finished.
        """
        with self._transaction() as connection:
            tournament = stored_tournament(connection, slug)
            organising.end_tournament(connection, tournament, game_reason, reason, at)
            return tournament

    def extend_joining(self, slug: str, by_ms: int, reason: str, at: str) -> Tournament:
        """Lengthens the time for joining. Raises NotFound, and WrongState if it is finished."""
        with self._transaction() as connection:
            tournament = stored_tournament(connection, slug)
            organising.extend_joining(connection, tournament, by_ms, reason, at)
            return stored_tournament(connection, slug)

    def void_game(
        self, slug: str, number: int, deals: Sequence[tuple[int, bytes]], reason: str, at: str
    ) -> Game:
        """Sets a game back to its beginning; `deals` has the records of all its deals, as void.

        Raises NotFound, and WrongState if it has not begun or its tournament is finished.
        """
        with self._transaction() as connection:
            tournament = stored_tournament(connection, slug)
            game = stored_game(connection, slug, number)
            organising.void_game(connection, tournament, game, deals, reason, at)
            return stored_game(connection, slug, number)

    def note_actions(self, slug: str, actions: Sequence[ActionInfo]) -> None:
        """Notes what the organiser of a tournament did before it came here. Raises NotFound."""
        with self._transaction() as connection:
            organising.note_actions(connection, stored_tournament(connection, slug), actions)

    def freeze_version(self, slugs: Sequence[str], entrant: str, version: str) -> None:
        """Keeps the version that an entrant joined with: its latest, and in these till the end.

        Raises NotFound, and WrongState if it is frozen at another version in
        one of them; then it is frozen in none.
        """
        table = models.entrant
        with self._transaction() as connection:
            for slug in slugs:
                this = (
                    table.c.tournament_id == tournament_id(connection, slug),
                    table.c.entrant_id == entrant,
                )
                row = connection.execute(select(table.c.version).where(*this)).one_or_none()
                if row is None:
                    raise NotFound(f"{entrant!r} is no entrant of the tournament {slug!r}")
                if row.version is None:
                    connection.execute(update(table).where(*this).values(version=version))
                elif row.version != version:
                    raise WrongState(
                        f"{entrant!r} joined the tournament {slug!r} as version {row.version!r}: "
                        f"version {version!r} cannot play until that is over"
                    )
            bots = models.bot
            connection.execute(update(bots).where(bots.c.name == entrant).values(version=version))

    def keep_validation(self, validation: Validation) -> None:
        """Keeps the verdict on a version of a bot; it replaces an earlier one. Raises NotFound."""
        table = models.validation
        with self._transaction() as connection:
            bot_info(connection, validation.bot)
            connection.execute(
                delete(table).where(
                    table.c.bot == validation.bot,
                    table.c.version == validation.version,
                    table.c.ruleset == validation.ruleset,
                )
            )
            connection.execute(insert(table).values(asdict(validation)))

    def allow_unvalidated(self, slug: str) -> None:
        """Lets bots play in a tournament that were not validated. Raises NotFound."""
        table = models.tournament
        with self._transaction() as connection:
            key = tournament_id(connection, slug)
            connection.execute(update(table).where(table.c.id == key).values(unvalidated=True))

    # What is removed

    def remove_tournament(self, slug: str) -> None:
        """Removes a tournament that is over, for good, with its games, deals and evidence.

        Raises NotFound, and WrongState if it can still go on.
        """
        with self._transaction() as connection:
            removal.remove_tournament(connection, stored_tournament(connection, slug))

    def remove_unstarted(self, slug: str) -> None:
        """Removes a tournament that was never started. Raises NotFound and WrongState."""
        with self._transaction() as connection:
            removal.remove_unstarted(connection, stored_tournament(connection, slug))

    def remove_superseded_validations(self, before: str) -> int:
        """Removes the trials before a time of versions that their bots no longer have; how many."""
        with self._transaction() as connection:
            return removal.remove_superseded_validations(connection, before)

    def give_back(self) -> None:
        """Gives the disk back what was removed. Nobody else may write meanwhile."""
        with translated(self._path), closing(self._writing_engine.raw_connection()) as raw:
            cursor = raw.cursor()
            cursor.execute("VACUUM")
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    # Games

    def commit(self, batch: Sequence[Event]) -> None:
        """Makes all of a tick durable, or nothing of it; again it changes nothing.

        Within a batch games are opened first and ended last. Raises Invalid,
        our mistake, for what contradicts what is stored.
        """
        if batch:
            with self._transaction() as connection:
                batches.write(connection, batch)

    def probe(self) -> None:
        """Writes, and changes nothing. Raises Unavailable if nothing can be stored."""
        with self._transaction() as connection:
            connection.exec_driver_sql("UPDATE alembic_version SET version_num = version_num")

    @contextmanager
    def _transaction(self) -> Iterator[Connection]:
        with translated(self._path), self._writer.begin():
            yield self._writer

    @contextmanager
    def _promise(self) -> Iterator[Connection]:
        """A transaction that no power cut takes back: people have a token or a commitment then."""
        with self._transaction() as connection:
            yield connection
        with (
            suppress(Unavailable),
            translated(self._path),
            closing(self._writing_engine.raw_connection()) as raw,
        ):
            raw.cursor().execute("PRAGMA wal_checkpoint(PASSIVE)")


def _same(stored: Tournament, definition: TournamentDefinition) -> Tournament:
    if stored.definition != definition:
        raise Invalid(
            f"the tournament {definition.slug!r} would not be kept as it was asked for: "
            "another one was created by the same call, or its rules have no name"
        )
    return stored


def _scheduled_game(tournament: int, game: ScheduledGame) -> dict[str, object]:
    return {
        "tournament_id": tournament,
        "number": game.number,
        "round": game.round,
        "game_index": game.game_index,
        "entrant0": game.entrants[0],
        "entrant1": game.entrants[1],
        "state": str(GameState.SCHEDULED),
        "deals_started": 0,
        "score0": 0,
        "score1": 0,
        "deal_count": 0,
        "reason": "",
    }
