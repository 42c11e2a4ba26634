"""An index to say how far a tournament is without looking at each of its games."""

from __future__ import annotations

from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.create_index(
        "ix_game_tournament_id_state_round", "game", ["tournament_id", "state", "round"]
    )
