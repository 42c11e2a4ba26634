"""The schema: what the migrations make is what the code describes."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from sixtysix_arena import store as package
from sixtysix_arena.store import DataFolder, models
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
