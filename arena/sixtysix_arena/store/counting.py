"""A database counted and dated, for whoever looks after it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection, func, select

from sixtysix.reports import GameState, TournamentState
from sixtysix_arena.store import models, schema
from sixtysix_arena.store.engine import open_engine, translated

__all__ = ["Census", "census", "revision_of"]


@dataclass(frozen=True, slots=True)
class Census:
    """What is in a database of this version's schema."""

    tournaments: Mapping[TournamentState, tuple[str, ...]]
    """Slugs by state."""
    games: Mapping[GameState, int]
    """Those of tournaments that are not over."""
    journal_rows: int
    journal_bytes: int
    newest: str
    """The latest time that is stored; empty if none is."""


def revision_of(path: Path) -> str:
    """The revision of a database's schema. Raises Unavailable and WrongState as `schema.check`."""
    engine = open_engine(path, writing=False)
    try:
        return schema.check(engine, path)
    finally:
        engine.dispose()


def census(path: Path) -> Census:
    """Counts what is in a database. Raises Unavailable if it cannot be read."""
    engine = open_engine(path, writing=False)
    try:
        with translated(path), engine.begin() as connection:
            return _census(connection)
    finally:
        engine.dispose()


def _census(connection: Connection) -> Census:
    tournaments, games, journal = models.tournament, models.game, models.journal
    slugs: dict[TournamentState, list[str]] = {state: [] for state in TournamentState}
    for slug, state in connection.execute(
        select(tournaments.c.slug, tournaments.c.state).order_by(tournaments.c.id)
    ):
        slugs[TournamentState(state)].append(slug)
    counts = dict.fromkeys(GameState, 0)
    for state, count in connection.execute(
        select(games.c.state, func.count())
        .join(tournaments)
        .where(tournaments.c.state != str(TournamentState.FINISHED))
        .group_by(games.c.state)
    ):
        counts[GameState(state)] = count
    rows, moves = connection.execute(
        select(func.count(), func.coalesce(func.sum(func.length(journal.c.moves)), 0))
    ).one()
    return Census(
        tournaments={state: tuple(each) for state, each in slugs.items()},
        games=counts,
        journal_rows=rows,
        journal_bytes=moves,
        newest=_newest(connection),
    )


def _newest(connection: Connection) -> str:
    times = (
        models.bot.c.submitted_at,
        models.tournament.c.created_at,
        models.tournament.c.started_at,
        models.tournament.c.finished_at,
        models.validation.c.at,
        models.fault.c.at,
        models.action.c.at,
    )
    found = [connection.execute(select(func.max(column))).scalar_one() for column in times]
    return max(filter(None, found), default="")
