"""Reading what is stored; safe beside a running arena, from any thread or process."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

from sqlalchemy import (
    ColumnElement,
    Connection,
    Engine,
    RowMapping,
    ScalarSelect,
    Select,
    and_,
    case,
    exists,
    func,
    or_,
    select,
    true,
)

from sixtysix.names import HOUSE
from sixtysix.outcome import Fault, GameEnd, GameOutcome
from sixtysix.reports import ActionInfo, ActionKind, BotInfo, GameState, TournamentState
from sixtysix_arena.errors import NotFound
from sixtysix_arena.schedule import ScheduledGame
from sixtysix_arena.store import convert, models
from sixtysix_arena.store.engine import translated
from sixtysix_arena.store.rows import (
    FaultEvidence,
    Game,
    GameFilter,
    GamesSoFar,
    Progress,
    Rounds,
    Tournament,
    UnfinishedGame,
    Validation,
)

__all__ = ["StoreReader"]


class StoreReader:
    """The stored bots, tournaments and games, for reading.

    Each call sees one moment, that of its first look; `snapshot` holds a
    moment over many calls. Every call raises Unavailable if the database
    cannot be read.
    """

    def __init__(self, engine: Engine, path: Path, connection: Connection | None = None) -> None:
        self._engine = engine
        self._path = path
        self._connection = connection

    def close(self) -> None:
        """Lets go of the database."""
        self._engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()

    @contextmanager
    def snapshot(self) -> Iterator[StoreReader]:
        """A reader for which nothing changes. For one thread, and not for long:
        the database's log grows until it ends.
        """
        with self._reading() as connection:
            yield StoreReader(self._engine, self._path, connection)

    # Bots

    def bot(self, name: str) -> BotInfo:
        """One bot. Raises NotFound."""
        with self._reading() as connection:
            return bot_info(connection, name)

    def bots(self, after: str = "", limit: int = 100) -> tuple[BotInfo, ...]:
        """At most `limit` bots by name, from the first behind the name `after`."""
        query = _bots().where(models.bot.c.name > after).order_by(models.bot.c.name).limit(limit)
        return tuple(convert.bot_info(row) for row in self._rows(query))

    def owners(self, slug: str) -> dict[str, str]:
        """Whose the entrants of a tournament are; those of nobody are left out."""
        entrant, tournament = models.entrant.c, models.tournament.c
        query = (
            select(models.bot.c.name, models.bot.c.owner)
            .join(models.entrant, entrant.entrant_id == models.bot.c.name)
            .join(models.tournament, tournament.id == entrant.tournament_id)
            .where(tournament.slug == slug, models.bot.c.owner != "")
        )
        return {row["name"]: row["owner"] for row in self._rows(query)}

    def bot_name_by_token(self, token_sha256: bytes) -> str | None:
        """Whose token this is the digest of. A disabled bot has no token."""
        query = select(models.bot.c.name).where(
            models.bot.c.token_sha256 == token_sha256, models.bot.c.disabled_at.is_(None)
        )
        with self._reading() as connection:
            return connection.execute(query).scalar_one_or_none()

    def validations(self, bot: str) -> tuple[Validation, ...]:
        """The verdicts on a bot, by version and rule set; none if there is no such bot."""
        table = models.validation
        query = select(table).where(table.c.bot == bot).order_by(table.c.version, table.c.ruleset)
        return tuple(convert.validation(row) for row in self._rows(query))

    # Tournaments

    def tournament(self, slug: str) -> Tournament:
        """One tournament. Raises NotFound."""
        with self._reading() as connection:
            return stored_tournament(connection, slug)

    def tournaments(self, after: str = "", limit: int = 100) -> tuple[Tournament, ...]:
        """At most `limit` tournaments, the latest first, from behind the slug `after`."""
        table = models.tournament
        query = select(table).order_by(table.c.id.desc()).limit(limit)
        if after:
            last = select(table.c.id).where(table.c.slug == after).scalar_subquery()
            query = query.where(table.c.id < last)
        with self._reading() as connection:
            return _tournaments(connection, query)

    def tournaments_of(self, entrant: str, limit: int = 100) -> tuple[Tournament, ...]:
        """At most `limit` tournaments of an entrant, the latest first."""
        table, entrants = models.tournament, models.entrant
        mine = select(entrants.c.tournament_id).where(entrants.c.entrant_id == entrant)
        query = select(table).where(table.c.id.in_(mine)).order_by(table.c.id.desc()).limit(limit)
        with self._reading() as connection:
            return _tournaments(connection, query)

    def tournaments_in(self, state: TournamentState) -> tuple[Tournament, ...]:
        """All tournaments in this state, in the order of their creation."""
        table = models.tournament
        with self._reading() as connection:
            return _tournaments(
                connection, select(table).where(table.c.state == state).order_by(table.c.id)
            )

    def ranked_tournaments(self, ruleset: str) -> tuple[Tournament, ...]:
        """The finished tournaments that count in the standing board of a rule set.

        In the order of their creation; practice never counts.
        """
        table = models.tournament
        query = select(table).where(
            table.c.state == TournamentState.FINISHED,
            table.c.ruleset == ruleset,
            table.c.practice.is_(False),
        )
        with self._reading() as connection:
            return _tournaments(connection, query.order_by(table.c.id))

    def progress(self, slug: str) -> Progress:
        """How many games are in which state. Raises NotFound."""
        games = models.game
        with self._reading() as connection:
            counts = connection.execute(
                select(games.c.state, func.count())
                .where(games.c.tournament_id == tournament_id(connection, slug))
                .group_by(games.c.state)
            )
            by_state = {GameState(state): count for state, count in counts}
        return Progress(
            scheduled=by_state.get(GameState.SCHEDULED, 0),
            open=by_state.get(GameState.OPEN, 0),
            over=by_state.get(GameState.OVER, 0),
        )

    def mishaps(self, slug: str) -> tuple[int, dict[str, Counter[Fault]]]:
        """How many games are void, and how many each entrant has forfeited by which fault.

        All games are looked at. Raises NotFound.
        """
        games = models.game
        loser = case((games.c.winner == 0, games.c.entrant1), else_=games.c.entrant0)
        void_count, faults = 0, defaultdict[str, Counter[Fault]](Counter)
        with self._reading() as connection:
            found = connection.execute(
                select(games.c.end, loser, games.c.fault, func.count())
                .where(
                    games.c.tournament_id == tournament_id(connection, slug),
                    games.c.state == GameState.OVER,
                    or_(games.c.end == GameEnd.VOID, games.c.fault.is_not(None)),
                )
                .group_by(games.c.end, loser, games.c.fault)
            )
            for end, entrant, fault, count in found:
                if end == GameEnd.VOID:
                    void_count += count
                else:
                    faults[entrant][Fault(fault)] += count
        return void_count, dict(faults)

    def games_so_far(self, slug: str) -> tuple[GamesSoFar, ...]:
        """What became of the games that are over, by entrant, in the order of their ids.

        All games are looked at. Raises NotFound.
        """
        games = models.game.c
        is_void, is_faulty = games.end == GameEnd.VOID, games.fault.is_not(None)
        kinds = (games.entrant0, games.entrant1, is_void, games.winner, is_faulty)
        counts = defaultdict[str, Counter[str]](Counter)
        with self._reading() as connection:
            tournament = tournament_id(connection, slug)
            found = connection.execute(
                select(*kinds, func.count())
                .where(games.tournament_id == tournament, games.state == GameState.OVER)
                .group_by(*kinds)
            )
            for *entrants, void, winner, faulty, count in found:
                for seat, entrant in enumerate(entrants):
                    result = "drawn" if winner is None else "won" if winner == seat else "lost"
                    counts[entrant]["void" if void else result] += count
                    if faulty and not void and result == "lost":
                        counts[entrant]["faults"] += count
            entrant_id = models.entrant.c.entrant_id
            names = connection.execute(
                select(entrant_id).where(models.entrant.c.tournament_id == tournament)
            ).scalars()
            return tuple(GamesSoFar(name, **counts[name]) for name in sorted(names, key=str.encode))

    def void_count(self, slug: str, after_round: int = 0, last_round: int | None = None) -> int:
        """How many games of some rounds are over and void. Raises NotFound."""
        games = models.game.c
        with self._reading() as connection:
            query = select(func.count()).where(
                games.tournament_id == tournament_id(connection, slug),
                games.state == GameState.OVER,
                games.round > after_round,
                games.end == GameEnd.VOID,
            )
            if last_round is not None:
                query = query.where(games.round <= last_round)
            return connection.execute(query).scalar_one()

    def disabled_reason(self, bot: str) -> str:
        """Why a bot was disabled; empty if nothing was said."""
        table = models.action
        query = select(table.c.reason).where(
            table.c.kind == ActionKind.DISABLED, table.c.subject == bot
        )
        with self._reading() as connection:
            return connection.execute(query.order_by(table.c.id.desc()).limit(1)).scalar() or ""

    def last_number(self, slug: str) -> int:
        """How many games are scheduled. Raises NotFound."""
        return self._last_game(slug)[0]

    def rounds(self, slug: str) -> Rounds:
        """How many rounds there are, and how many are whole. Raises NotFound."""
        games = models.game
        with self._reading() as connection:
            tournament = tournament_id(connection, slug)
            # One look into the index for each state.
            first = [
                connection.execute(
                    select(func.min(games.c.round)).where(
                        games.c.tournament_id == tournament, games.c.state == state
                    )
                ).scalar_one()
                for state in (GameState.SCHEDULED, GameState.OPEN)
            ]
        total = self._last_game(slug)[1]
        return Rounds(total, min((each - 1 for each in first if each is not None), default=total))

    def _last_game(self, slug: str) -> tuple[int, int]:
        """The number and the round of the last scheduled game, or zeros."""
        games = models.game
        with self._reading() as connection:
            query = select(games.c.number, games.c.round).where(
                games.c.tournament_id == tournament_id(connection, slug)
            )
            row = connection.execute(query.order_by(games.c.number.desc()).limit(1)).first()
            return (0, 0) if row is None else (row[0], row[1])

    # Games

    def played_games(
        self, slug: str, after_round: int, last_round: int
    ) -> list[tuple[ScheduledGame, GameOutcome]]:
        """The games of some rounds that are over, in the order of the schedule. Raises NotFound."""
        games = models.game.c
        columns: list[ColumnElement[Any]] = [games.number, games.round]
        columns += [games.entrant0, games.entrant1, games.game_index, games.end, games.winner]
        columns += [games.score0, games.score1, games.deal_count, games.fault, games.reason]
        with self._reading() as connection:
            query = select(*columns).where(
                games.tournament_id == tournament_id(connection, slug),
                games.state == GameState.OVER,
                games.round.between(after_round + 1, last_round),
            )
            rows = connection.execute(query.order_by(games.number))
            return [convert.played_game(row) for row in rows]

    def games(
        self, slug: str, *, entrant: str = "", after: int = 0, limit: int | None = None
    ) -> tuple[Game, ...]:
        """Games in the order of the schedule, those behind number `after`.

        Only those of `entrant` if one is named. Raises NotFound for the slug.
        """
        games = models.game
        with self._reading() as connection:
            query = (
                _games()
                .where(games.c.tournament_id == tournament_id(connection, slug))
                .where(games.c.number > after)
                .order_by(games.c.number)
                .limit(limit)
            )
            if entrant:
                query = query.where(or_(games.c.entrant0 == entrant, games.c.entrant1 == entrant))
            return tuple(convert.game(row) for row in connection.execute(query).mappings())

    def filtered_games(
        self, slug: str, wanted: GameFilter, *, after: int = 0, limit: int | None = None
    ) -> tuple[Game, ...]:
        """The games that are wanted, as `games` gives them. Raises NotFound for the slug."""
        games = models.game
        # Few games are open: found by their state, and then sorted. The sum keeps SQLite from
        # going through all games in their order instead.
        order = games.c.number + 0 if wanted.result == GameState.OPEN else games.c.number
        with self._reading() as connection:
            query = (
                _games()
                .where(games.c.tournament_id == tournament_id(connection, slug))
                .where(games.c.number > after, *_wanted(wanted))
                .order_by(order)
                .limit(limit)
            )
            return tuple(convert.game(row) for row in connection.execute(query).mappings())

    def game(self, slug: str, number: int) -> Game:
        """The game with this number in a schedule. Raises NotFound."""
        with self._reading() as connection:
            return stored_game(connection, slug, number)

    def game_by_id(self, game_id: int) -> Game:
        """The game with this id on streams. Raises NotFound."""
        return self._game(_games().where(models.game.c.id == game_id), str(game_id))

    def unfinished_games(self, slug: str, number: int | None = None) -> tuple[UnfinishedGame, ...]:
        """The games that are not over, in the order of the schedule; or one of them.

        Raises NotFound.
        """
        games, deals = models.game, models.deal
        with self._reading() as connection:
            unfinished = and_(
                games.c.tournament_id == tournament_id(connection, slug),
                games.c.state != GameState.OVER,
                games.c.number == number if number is not None else true(),
            )
            stored: dict[int, list[int]] = {}
            for game_id, number in connection.execute(
                select(deals.c.game_id, deals.c.number)
                .join(games)
                .where(unfinished)
                .order_by(deals.c.game_id, deals.c.number)
            ):
                stored.setdefault(game_id, []).append(number)
            rows = connection.execute(_games().where(unfinished).order_by(games.c.number))
            return tuple(
                UnfinishedGame(convert.game(row), tuple(stored.get(row["id"], ())))
                for row in rows.mappings()
            )

    def actions(self, slug: str) -> tuple[ActionInfo, ...]:
        """What the organiser did by hand in a tournament, in order. Raises NotFound."""
        table = models.action
        with self._reading() as connection:
            query = select(table).where(table.c.tournament_id == tournament_id(connection, slug))
            rows = connection.execute(query.order_by(table.c.id))
            return tuple(convert.action(row) for row in rows.mappings())

    def deals_in_progress(self) -> dict[int, int]:
        """The numbers of the deals that were started and are not over, by game."""
        games, deals = models.game, models.deal
        last = games.c.deals_started - 1
        is_stored = exists().where(deals.c.game_id == games.c.id, deals.c.number == last)
        query = select(games.c.id, last.label("deal")).where(
            games.c.state == GameState.OPEN, games.c.deals_started > 0, ~is_stored
        )
        return {row["id"]: row["deal"] for row in self._rows(query)}

    def journal(self) -> tuple[tuple[int, bytes], ...]:
        """The rows of the journal by tick, ascending."""
        table = models.journal
        query = select(table).order_by(table.c.tick)
        return tuple((row["tick"], row["moves"]) for row in self._rows(query))

    def outcomes(self, slug: str) -> dict[int, GameOutcome]:
        """The outcomes of the games that are over, by number, ascending. Raises NotFound."""
        games = models.game
        with self._reading() as connection:
            rows = connection.execute(
                select(games)
                .where(games.c.tournament_id == tournament_id(connection, slug))
                .where(games.c.state == GameState.OVER)
                .order_by(games.c.number)
            )
            return {row["number"]: convert.outcome(row) for row in rows.mappings()}

    def deals(self, game_id: int) -> tuple[tuple[int, bytes], ...]:
        """The number and the record of each stored deal of a game, ascending."""
        deals = models.deal
        query = select(deals.c.number, deals.c.record).where(deals.c.game_id == game_id)
        return tuple(
            (row["number"], row["record"]) for row in self._rows(query.order_by(deals.c.number))
        )

    def faults(self, game_id: int) -> tuple[FaultEvidence, ...]:
        """What the seats did wrong in a game, by seat."""
        faults = models.fault
        query = select(faults).where(faults.c.game_id == game_id).order_by(faults.c.seat)
        return tuple(convert.fault_evidence(row) for row in self._rows(query))

    # How it is done

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        with translated(self._path):
            if self._connection is not None:
                yield self._connection
            else:
                with self._engine.begin() as connection:
                    yield connection

    def _rows(self, query: Select[Any]) -> Sequence[RowMapping]:
        with self._reading() as connection:
            return connection.execute(query).mappings().all()

    def _game(self, query: Select[Any], name: str) -> Game:
        rows = self._rows(query)
        if not rows:
            raise NotFound(f"there is no game {name}: {_see('games SLUG')}")
        return convert.game(rows[0])


def bot_info(connection: Connection, name: str) -> BotInfo:
    """One bot. Raises NotFound."""
    row = connection.execute(_bots().where(models.bot.c.name == name)).mappings().one_or_none()
    if row is None and name.startswith(HOUSE):
        raise NotFound(
            f"{name!r} is the name of a house bot: every arena has those, and there is nothing to"
            " show of them or to change"
        )
    if row is None:
        raise NotFound(f"there is no bot {name!r}: {_see('bot list')}")
    return convert.bot_info(row)


def tournament_id(connection: Connection, slug: str) -> int:
    """The id of a tournament. Raises NotFound."""
    table = models.tournament
    found = connection.execute(select(table.c.id).where(table.c.slug == slug)).scalar_one_or_none()
    if found is None:
        raise _no_tournament(slug)
    return int(found)


def stored_game(connection: Connection, slug: str, number: int) -> Game:
    """The game with this number in a schedule. Raises NotFound."""
    query = _games().where(models.tournament.c.slug == slug, models.game.c.number == number)
    row = connection.execute(query).mappings().one_or_none()
    if row is None:
        raise NotFound(f"there is no game {slug}.{number}: {_see(f'games {slug}')}")
    return convert.game(row)


def stored_tournament(connection: Connection, slug: str) -> Tournament:
    """One tournament. Raises NotFound."""
    table = models.tournament
    found = _tournaments(connection, select(table).where(table.c.slug == slug))
    if not found:
        raise _no_tournament(slug)
    return found[0]


def _see(command: str) -> str:
    return f"see which there are with 'sixtysix {command}'"


def _no_tournament(slug: str) -> NotFound:
    return NotFound(f"there is no tournament {slug!r}: {_see('tournament list')}")


def _tournaments(connection: Connection, query: Select[Any]) -> tuple[Tournament, ...]:
    rows = connection.execute(query).mappings().all()
    entrants = models.entrant
    versions: dict[int, dict[str, str | None]] = {row["id"]: {} for row in rows}
    for row in connection.execute(
        select(entrants).where(entrants.c.tournament_id.in_(versions))
    ).mappings():
        versions[row["tournament_id"]][row["entrant_id"]] = row["version"]
    return tuple(convert.tournament(row, versions[row["id"]]) for row in rows)


def _wanted(wanted: GameFilter) -> Iterator[ColumnElement[bool]]:
    games = models.game.c
    seats = (games.entrant0, games.entrant1)
    for name in filter(None, (wanted.entrant, wanted.opponent)):
        yield or_(*(seat == name for seat in seats))
    won_by = [
        and_(seat == wanted.entrant, games.winner == place) for place, seat in enumerate(seats)
    ]
    if wanted.result in ("won", "lost"):
        yield games.state == GameState.OVER
        yield games.winner.is_not(None)
        yield or_(*won_by) if wanted.result == "won" else ~or_(*won_by)
    elif wanted.result == "drawn":
        yield and_(games.state == GameState.OVER, games.winner.is_(None), games.end != GameEnd.VOID)
    elif wanted.result == "void":
        yield games.end == GameEnd.VOID
    elif wanted.result:
        yield games.state == wanted.result
    if wanted.fault:
        yield games.fault.is_not(None) if wanted.fault == "any" else games.fault == wanted.fault
        if wanted.entrant:
            # Whoever committed it is not the winner.
            yield ~or_(*won_by)
    if wanted.has_deals:
        yield games.deal_count > 0


def _games() -> Select[Any]:
    return select(models.game, models.tournament.c.slug).join(models.tournament)


def _bots() -> Select[Any]:
    """Bots with the number of games that each has finished."""

    def finished(entrant: ColumnElement[str]) -> ScalarSelect[int]:
        return (
            select(func.count())
            .select_from(models.game)
            .where(entrant == models.bot.c.name, models.game.c.state == GameState.OVER)
            .scalar_subquery()
        )

    total = finished(models.game.c.entrant0) + finished(models.game.c.entrant1)
    return select(models.bot, total.label("game_count"))
