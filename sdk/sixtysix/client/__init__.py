"""Talking to an arena: joining it with a bot, and its other calls. gRPC is used here alone."""

from __future__ import annotations

from sixtysix.client.calls import RemoteArena
from sixtysix.joining import Ending, EndReason, Tally, join

__all__ = ["EndReason", "Ending", "RemoteArena", "Tally", "join"]
