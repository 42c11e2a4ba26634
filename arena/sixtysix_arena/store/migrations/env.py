"""Runs the migrations on the connection that the caller hands over."""

from __future__ import annotations

from alembic import context

from sixtysix_arena.store.models import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    # SQLite can take back changes of the schema, although Alembic does not assume it.
    transactional_ddl=True,
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()
