"""Limits of the protocol that both sides hold, each with its reason."""

from __future__ import annotations

__all__ = [
    "MAX_COMMENT_BYTES",
    "MAX_GAMES_AT_ONCE",
    "MAX_OWNER_BYTES",
    "MAX_REASON_BYTES",
    "MAX_VERSION_BYTES",
]

MAX_GAMES_AT_ONCE = 256
"""Games of a bot at a time: their decisions fill a few frames, and more make nothing faster."""
MAX_VERSION_BYTES = 40
"""A bot's version stands in every board."""
MAX_COMMENT_BYTES = 200
"""A note with a move is kept with the deal, which has about 110 bytes without it."""
MAX_REASON_BYTES = 200
"""Why an organiser did something stands in the record."""
MAX_OWNER_BYTES = 60
"""Whose a bot is stands beside it in lists."""
