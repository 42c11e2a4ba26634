"""Databases copied while they are in use, looked through, and what is in them."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection, func, select

from sixtysix.reports import GameState, TournamentState
from sixtysix_arena.errors import Unavailable
from sixtysix_arena.store import models, schema
from sixtysix_arena.store.engine import open_engine, translated

__all__ = ["Contents", "TournamentContents", "contents", "copy_database", "damage_in"]


_NO_ROOM = {"SQLITE_FULL", "SQLITE_IOERR_WRITE", "SQLITE_IOERR_TRUNCATE"}
"""How SQLite says that it could not write, which while it copies it does to the copy alone."""


@dataclass(frozen=True, slots=True)
class TournamentContents:
    """What a database has of a tournament."""

    slug: str
    state: TournamentState
    games: int
    """In the schedule; 0 before the tournament starts."""
    games_over: int
    deals: int
    """Those that are over, void ones too."""
    seed_lost: bool
    """Whether it came back from a record of before its end, and cannot go on."""


@dataclass(frozen=True, slots=True)
class Contents:
    """What is in a database."""

    revision: str
    """That of its schema."""
    byte_count: int
    bots: int
    tournaments: tuple[TournamentContents, ...]
    """In the order of their creation."""

    @property
    def unfinished(self) -> tuple[str, ...]:
        """The tournaments that are not over and can go on: their seeds are secret."""
        return tuple(
            each.slug
            for each in self.tournaments
            if each.state is not TournamentState.FINISHED and not each.seed_lost
        )

    @property
    def cut_off(self) -> tuple[str, ...]:
        """The tournaments that are not over and cannot go on."""
        return tuple(each.slug for each in self.tournaments if each.seed_lost)


def copy_database(source: Path, target: Path) -> None:
    """Makes the empty file `target` a copy of a database as it is at one moment.

    Whoever writes to the database meanwhile is not held up. The copy is one
    file, without a log beside it and without what was deleted. Raises
    Unavailable and WrongState as `schema.check` does.
    """
    engine = open_engine(source, writing=False)
    try:
        schema.check(engine, source)
        # Not within a transaction, which SQLAlchemy would begin.
        with translated(source), closing(engine.raw_connection()) as raw:
            try:
                raw.cursor().execute("VACUUM INTO ?", (str(target.absolute()),))
            except sqlite3.OperationalError as error:
                if error.sqlite_errorname in _NO_ROOM:
                    raise Unavailable(
                        f"there is no room in {target.parent} for a copy of {source}: make room, "
                        "or name a place on another disk"
                    ) from error
                raise
    finally:
        engine.dispose()


def damage_in(path: Path, *, thoroughly: bool = False) -> str | None:
    """What is wrong inside of a database file, in a few words; None if nothing is.

    A thorough look takes each index and each reference for true only after
    comparing, and several times as long. Raises Unavailable if the file is
    too damaged to be looked through.
    """
    engine = open_engine(path, writing=False)
    try:
        with translated(path), engine.begin() as connection:
            pragma = "integrity_check(1)" if thoroughly else "quick_check(1)"
            found = schema.damage(connection, pragma)
            if found is not None:
                return found
            if thoroughly:
                loose = connection.exec_driver_sql("PRAGMA foreign_key_check").first()
                if loose is not None:
                    return f"a row of {loose[0]} refers to one of {loose[2]} that is not there"
    finally:
        engine.dispose()
    return None


def contents(path: Path) -> Contents:
    """What is in a database, of this version's schema or of an older one.

    Raises Unavailable and WrongState as `schema.check` does.
    """
    engine = open_engine(path, writing=False)
    try:
        revision = schema.check(engine, path)
        with translated(path), engine.begin() as connection:
            return Contents(
                revision=revision,
                byte_count=path.stat().st_size,
                bots=connection.execute(select(func.count()).select_from(models.bot)).scalar_one(),
                tournaments=_tournaments(connection),
            )
    finally:
        engine.dispose()


def _tournaments(connection: Connection) -> tuple[TournamentContents, ...]:
    # Only columns that the first schema had already.
    tournaments, games, deals = models.tournament, models.game, models.deal
    in_state: dict[tuple[int, str], int] = {}
    for key, state, count in connection.execute(
        select(games.c.tournament_id, games.c.state, func.count()).group_by(
            games.c.tournament_id, games.c.state
        )
    ):
        in_state[key, state] = count
    dealt: dict[int, int] = {}
    for key, count in connection.execute(
        select(games.c.tournament_id, func.count())
        .select_from(deals.join(games))
        .group_by(games.c.tournament_id)
    ):
        dealt[key] = count
    return tuple(
        TournamentContents(
            slug=slug,
            state=TournamentState(state),
            games=sum(in_state.get((key, str(each)), 0) for each in GameState),
            games_over=in_state.get((key, str(GameState.OVER)), 0),
            deals=dealt.get(key, 0),
            seed_lost=not seed_bytes,
        )
        for key, slug, state, seed_bytes in connection.execute(
            select(
                tournaments.c.id,
                tournaments.c.slug,
                tournaments.c.state,
                func.length(tournaments.c.seed),
            ).order_by(tournaments.c.id)
        )
    )
