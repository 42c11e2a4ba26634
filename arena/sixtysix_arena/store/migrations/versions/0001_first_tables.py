"""The first tables: bots, tournaments with their games, deals and faults."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "bot",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("token_sha256", sa.LargeBinary(), nullable=False),
        sa.Column("token_request_id", sa.String(), nullable=True),
        sa.Column("submitted_at", sa.String(), nullable=False),
        sa.Column("disabled_at", sa.String(), nullable=True),
        sa.Column("version", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_bot"),
        sa.UniqueConstraint("token_sha256", name="uq_bot_token_sha256"),
    )
    op.create_table(
        "validation",
        sa.Column("bot", sa.String(), nullable=False),
        sa.Column("version", sa.String(), nullable=False),
        sa.Column("ruleset", sa.String(), nullable=False),
        sa.Column("failure", sa.String(), nullable=False),
        sa.Column("at", sa.String(), nullable=False),
        sa.Column("transcript", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["bot"], ["bot.name"], name="fk_validation_bot"),
        sa.PrimaryKeyConstraint("bot", "version", "ruleset", name="pk_validation"),
    )
    op.create_table(
        "tournament",
        sa.Column("id", _ID, nullable=False),
        sa.Column("slug", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("ruleset", sa.String(), nullable=False),
        sa.Column("target", sa.Integer(), nullable=False),
        sa.Column("agreed_six", sa.Boolean(), nullable=False),
        sa.Column("games_per_pairing", sa.Integer(), nullable=False),
        sa.Column("games_at_once", sa.Integer(), nullable=False),
        sa.Column("per_move_ms", sa.Integer(), nullable=False),
        sa.Column("per_game_ms", sa.Integer(), nullable=False),
        sa.Column("grace_ms", sa.Integer(), nullable=False),
        sa.Column("join_ms", sa.Integer(), nullable=False),
        sa.Column("seed", sa.LargeBinary(), nullable=False),
        sa.Column("commitment", sa.LargeBinary(), nullable=False),
        sa.Column("practice", sa.Boolean(), nullable=False),
        sa.Column("unvalidated", sa.Boolean(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("created_at", sa.String(), nullable=False),
        sa.Column("started_at", sa.String(), nullable=True),
        sa.Column("finished_at", sa.String(), nullable=True),
        sa.Column("request_id", sa.String(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_tournament"),
        sa.UniqueConstraint("request_id", name="uq_tournament_request_id"),
        sa.UniqueConstraint("slug", name="uq_tournament_slug"),
    )
    op.create_table(
        "entrant",
        sa.Column("tournament_id", _ID, nullable=False),
        sa.Column("entrant_id", sa.String(), nullable=False),
        sa.Column("version", sa.String(), nullable=True),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournament.id"], name="fk_entrant_tournament_id"
        ),
        sa.PrimaryKeyConstraint("tournament_id", "entrant_id", name="pk_entrant"),
    )
    op.create_table(
        "game",
        sa.Column("id", _ID, nullable=False),
        sa.Column("tournament_id", _ID, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("game_index", sa.Integer(), nullable=False),
        sa.Column("entrant0", sa.String(), nullable=False),
        sa.Column("entrant1", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("deals_started", sa.Integer(), nullable=False),
        sa.Column("score0", sa.Integer(), nullable=False),
        sa.Column("score1", sa.Integer(), nullable=False),
        sa.Column("deal_count", sa.Integer(), nullable=False),
        sa.Column("end", sa.String(), nullable=True),
        sa.Column("winner", sa.Integer(), nullable=True),
        sa.Column("fault", sa.String(), nullable=True),
        sa.Column("reason", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["tournament_id", "entrant0"],
            ["entrant.tournament_id", "entrant.entrant_id"],
            name="fk_game_tournament_id_entrant0",
        ),
        sa.ForeignKeyConstraint(
            ["tournament_id", "entrant1"],
            ["entrant.tournament_id", "entrant.entrant_id"],
            name="fk_game_tournament_id_entrant1",
        ),
        sa.ForeignKeyConstraint(["tournament_id"], ["tournament.id"], name="fk_game_tournament_id"),
        sa.PrimaryKeyConstraint("id", name="pk_game"),
        sa.UniqueConstraint("tournament_id", "number", name="uq_game_tournament_id_number"),
    )
    op.create_index("ix_game_entrant0", "game", ["entrant0"])
    op.create_index("ix_game_entrant1", "game", ["entrant1"])
    op.create_table(
        "deal",
        sa.Column("game_id", _ID, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("record", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_deal_game_id"),
        sa.PrimaryKeyConstraint("game_id", "number", name="pk_deal"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "fault",
        sa.Column("game_id", _ID, nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("fault", sa.String(), nullable=False),
        sa.Column("deal", sa.Integer(), nullable=True),
        sa.Column("ply", sa.Integer(), nullable=True),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("evidence", sa.LargeBinary(), nullable=False),
        sa.Column("at", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_fault_game_id"),
        sa.PrimaryKeyConstraint("game_id", "seat", name="pk_fault"),
    )
