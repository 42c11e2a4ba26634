"""Talking to an arena: joining it with a bot, and its other calls. gRPC is used here alone."""

from __future__ import annotations

from sixtysix.client.playing import Tally
from sixtysix.client.stream import Ending, EndReason, join

__all__ = ["EndReason", "Ending", "Tally", "join"]
