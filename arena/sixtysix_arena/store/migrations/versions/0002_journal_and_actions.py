"""The journal of the deals in progress, and what the organiser does by hand."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "journal",
        sa.Column("tick", _ID, nullable=False),
        sa.Column("moves", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("tick", name="pk_journal"),
    )
    op.create_table(
        "action",
        sa.Column("id", _ID, nullable=False),
        sa.Column("at", sa.String(), nullable=False),
        sa.Column("tournament_id", _ID, nullable=True),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("subject", sa.String(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournament.id"], name="fk_action_tournament_id"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_action"),
    )
    op.create_index("ix_action_tournament_id", "action", ["tournament_id"])
    op.add_column(
        "tournament",
        sa.Column("join_extra_ms", sa.Integer(), server_default="0", nullable=False),
    )
    for name in ("question0", "question1"):
        op.add_column("game", sa.Column(name, sa.Boolean(), server_default="0", nullable=False))
    # Of a deal that was in progress there is no journal: it is to be void, and is not the
    # last one any more, so that the next number is dealt instead.
    op.execute(
        "UPDATE game SET deals_started = deals_started + 1"
        " WHERE state = 'open' AND deals_started > 0 AND NOT EXISTS"
        " (SELECT 1 FROM deal WHERE deal.game_id = game.id AND number = deals_started - 1)"
    )
