"""The tables, described once; the migrations create them."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    UniqueConstraint,
    text,
)

__all__ = [
    "REVISION",
    "action",
    "bot",
    "deal",
    "entrant",
    "fault",
    "game",
    "journal",
    "metadata",
    "tournament",
    "validation",
]

REVISION = "0004"
"""The schema revision that this code reads and writes: the newest migration."""

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    }
)

# SQLite numbers rows by itself only in a column declared INTEGER, which holds 64 bits there.
_Id = BigInteger().with_variant(Integer(), "sqlite")

bot = Table(
    "bot",
    metadata,
    Column("name", String, primary_key=True),
    Column("token_sha256", LargeBinary, nullable=False),
    # The call that issued the present token, so that a repeated call is noticed.
    Column("token_request_id", String),
    Column("submitted_at", String, nullable=False),
    Column("disabled_at", String),
    Column("version", String, nullable=False),
    # Whose it is, in the organiser's words; empty if nothing was said.
    Column("owner", String, nullable=False, server_default=text("''")),
    UniqueConstraint("token_sha256"),
)

# How a version of a bot did in its trial of a rule set; the latest counts.
validation = Table(
    "validation",
    metadata,
    Column("bot", String, ForeignKey("bot.name"), primary_key=True),
    Column("version", String, primary_key=True),
    Column("ruleset", String, primary_key=True),
    Column("failure", String, nullable=False),
    Column("at", String, nullable=False),
    Column("transcript", LargeBinary, nullable=False),
)

tournament = Table(
    "tournament",
    metadata,
    Column("id", _Id, primary_key=True),
    Column("slug", String, nullable=False),
    Column("name", String, nullable=False),
    Column("ruleset", String, nullable=False),
    Column("target", Integer, nullable=False),
    Column("agreed_six", Boolean, nullable=False),
    Column("games_per_pairing", Integer, nullable=False),
    Column("games_at_once", Integer, nullable=False),
    Column("per_move_ms", Integer, nullable=False),
    Column("per_game_ms", Integer, nullable=False),
    Column("grace_ms", Integer, nullable=False),
    Column("join_ms", Integer, nullable=False),
    # What the organiser added to the time for joining.
    Column("join_extra_ms", Integer, nullable=False, server_default="0"),
    Column("seed", LargeBinary, nullable=False),
    Column("commitment", LargeBinary, nullable=False),
    Column("practice", Boolean, nullable=False),
    # Whether the organiser lets bots in that were not validated.
    Column("unvalidated", Boolean, nullable=False),
    Column("state", String, nullable=False),
    Column("created_at", String, nullable=False),
    Column("started_at", String),
    Column("finished_at", String),
    Column("request_id", String),
    UniqueConstraint("slug"),
    UniqueConstraint("request_id"),
)

entrant = Table(
    "entrant",
    metadata,
    Column("tournament_id", _Id, ForeignKey("tournament.id"), primary_key=True),
    Column("entrant_id", String, primary_key=True),
    # Frozen when the entrant first joins.
    Column("version", String),
)

game = Table(
    "game",
    metadata,
    # The number that names the game on streams, unique in the whole arena.
    Column("id", _Id, primary_key=True),
    Column("tournament_id", _Id, ForeignKey("tournament.id"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("round", Integer, nullable=False),
    Column("game_index", Integer, nullable=False),
    Column("entrant0", String, nullable=False),
    Column("entrant1", String, nullable=False),
    Column("state", String, nullable=False),
    # One more than the highest deal number ever dealt: none of them is dealt again.
    Column("deals_started", Integer, nullable=False),
    Column("score0", Integer, nullable=False),
    Column("score1", Integer, nullable=False),
    Column("deal_count", Integer, nullable=False),
    Column("end", String),
    Column("winner", Integer),
    Column("fault", String),
    Column("reason", String, nullable=False),
    # Which seats are asked classic's question, from the game's opening on.
    Column("question0", Boolean, nullable=False, server_default="0"),
    Column("question1", Boolean, nullable=False, server_default="0"),
    UniqueConstraint("tournament_id", "number"),
    ForeignKeyConstraint(
        ["tournament_id", "entrant0"], ["entrant.tournament_id", "entrant.entrant_id"]
    ),
    ForeignKeyConstraint(
        ["tournament_id", "entrant1"], ["entrant.tournament_id", "entrant.entrant_id"]
    ),
    Index(None, "entrant0"),
    Index(None, "entrant1"),
    # How far a tournament is: counted from the index alone, since that is asked all the time.
    Index(None, "tournament_id", "state", "round"),
)

deal = Table(
    "deal",
    metadata,
    Column("game_id", _Id, ForeignKey("game.id"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("record", LargeBinary, nullable=False),
    # Keeps the deals of a game side by side, in one tree instead of two.
    sqlite_with_rowid=False,
)

# A fault costs a game, so a seat commits at most one in a game.
fault = Table(
    "fault",
    metadata,
    Column("game_id", _Id, ForeignKey("game.id"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("fault", String, nullable=False),
    Column("deal", Integer),
    Column("ply", Integer),
    Column("text", String, nullable=False),
    Column("evidence", LargeBinary, nullable=False),
    Column("at", String, nullable=False),
)

# The moves of the deals in progress, a row for each tick that made some; a checkpoint
# holds all of them, and replaces the rows before it.
journal = Table(
    "journal",
    metadata,
    Column("tick", _Id, primary_key=True),
    Column("moves", LargeBinary, nullable=False),
)

# What the organiser did by hand.
action = Table(
    "action",
    metadata,
    Column("id", _Id, primary_key=True),
    Column("at", String, nullable=False),
    # None if it is about a bot, which has all tournaments.
    Column("tournament_id", _Id, ForeignKey("tournament.id")),
    Column("kind", String, nullable=False),
    # What it was done to: a game's public id, a bot's name, or nothing more than the tournament.
    Column("subject", String, nullable=False),
    Column("reason", String, nullable=False),
    Index(None, "tournament_id"),
)
