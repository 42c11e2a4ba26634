"""The edge: the bots as the arena sees them, one session a bot."""

from __future__ import annotations

from sixtysix_arena.sessions.connection import Bye, Connection, Presence
from sixtysix_arena.sessions.everybody import Sessions
from sixtysix_arena.sessions.findings import Answered, Event, Evidence, Faulted
from sixtysix_arena.sessions.frames import MAX_FRAME_BYTES, MAX_FRAME_PARTS
from sixtysix_arena.sessions.session import (
    MAX_OPEN_BYTES,
    WRITE_SLACK_MS,
    WRITE_TIMEOUT_MS,
    Session,
)

__all__ = [
    "MAX_FRAME_BYTES",
    "MAX_FRAME_PARTS",
    "MAX_OPEN_BYTES",
    "WRITE_SLACK_MS",
    "WRITE_TIMEOUT_MS",
    "Answered",
    "Bye",
    "Connection",
    "Event",
    "Evidence",
    "Faulted",
    "Presence",
    "Session",
    "Sessions",
]
