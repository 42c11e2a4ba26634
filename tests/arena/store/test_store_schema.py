"""The schema: what the migrations make is what the code describes."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from sixtysix_arena import store as package
from sixtysix_arena.store import DataFolder, models, schema
from sixtysix_arena.store.engine import open_engine

MIGRATIONS = Path(package.__file__).with_name("migrations")


def test_the_migrations_make_what_the_models_say(folder: DataFolder) -> None:
    with folder.lock() as lock:
        folder.open_store(lock).close()
    engine = open_engine(folder.database, writing=False)
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_server_default": True})
        assert compare_metadata(context, models.metadata) == []
    engine.dispose()


def test_the_models_are_those_of_the_newest_migration() -> None:
    scripts = ScriptDirectory(str(MIGRATIONS))
    assert scripts.get_heads() == [models.REVISION]
    revisions = [script.revision for script in scripts.walk_revisions()]
    numbers = [f"{number:04}" for number in range(len(revisions), 0, -1)]
    assert revisions == numbers, "revisions are numbered, so that a newer one is known as such"


def test_deals_lie_side_by_side(folder: DataFolder) -> None:
    with folder.lock() as lock:
        folder.open_store(lock).close()
    connection = sqlite3.connect(folder.database)
    (sql,) = connection.execute("SELECT sql FROM sqlite_master WHERE name = 'deal'").fetchone()
    (journal,) = connection.execute("PRAGMA journal_mode").fetchone()
    connection.close()
    assert "WITHOUT ROWID" in sql
    assert journal == "wal"


def at_revision(folder: DataFolder, revision: str) -> sqlite3.Connection:
    """A database as the version wrote it whose newest migration that was; still empty."""
    folder.database.touch(0o600)
    engine = open_engine(folder.database, writing=True)
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    with engine.begin() as connection:
        connection.exec_driver_sql(f"PRAGMA application_id = {schema.APPLICATION_ID}")
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
    engine.dispose()
    return sqlite3.connect(folder.database)


def fill(connection: sqlite3.Connection, table: str, **values: object) -> None:
    """Inserts a row; columns that are not named and must not be empty get something."""
    for _, name, kind, not_null, default, _ in connection.execute(f"PRAGMA table_info({table})"):
        if not_null and default is None:
            values.setdefault(name, 0 if kind in ("INTEGER", "BIGINT", "BOOLEAN") else "")
    places = ", ".join("?" * len(values))
    connection.execute(
        f"INSERT INTO {table} ({', '.join(values)}) VALUES ({places})", [*values.values()]
    )


def test_a_deal_in_progress_from_before_the_journal_is_void_after_the_upgrade(
    folder: DataFolder,
) -> None:
    connection = at_revision(folder, "0001")
    fill(connection, "tournament", id=1, slug="cup", ruleset="classic", state="running", seed=b"s")
    for name in ("a", "b"):
        fill(connection, "entrant", tournament_id=1, entrant_id=name)
    seats = {"tournament_id": 1, "entrant0": "a", "entrant1": "b"}
    fill(connection, "game", id=1, number=1, state="open", deals_started=2, **seats)
    fill(connection, "deal", game_id=1, number=0, record=b"r")
    fill(connection, "game", id=2, number=2, state="open", deals_started=1, **seats)
    fill(connection, "deal", game_id=2, number=0, record=b"r")
    fill(connection, "game", id=3, number=3, state="scheduled", **seats)
    connection.commit()
    connection.close()
    with folder.lock() as lock, folder.open_store(lock) as store:
        broken, between_deals, scheduled = store.unfinished_games("cup")
        # Its cards were seen, and nobody knows what was played: the next number is dealt instead.
        assert (broken.broken_deals, broken.deal_in_progress) == ((1,), 2)
        assert (between_deals.broken_deals, between_deals.deal_in_progress) == ((), None)
        assert (scheduled.broken_deals, scheduled.deal_in_progress) == ((), None)
        assert store.journal() == ()
        assert store.game("cup", 1).wants_question == (False, False)
