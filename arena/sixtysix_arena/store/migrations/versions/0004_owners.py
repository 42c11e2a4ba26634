"""Whose a bot is."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.add_column(
        "bot", sa.Column("owner", sa.String(), server_default=sa.text("''"), nullable=False)
    )
