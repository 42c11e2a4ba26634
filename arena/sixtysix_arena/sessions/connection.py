"""One stream of a bot, as its session and the stream's tasks share it; and how it is ended."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from sixtysix.v1 import play_pb2

__all__ = ["Bye", "Connection", "Presence"]

Bye = play_pb2.ByeReason
"""Why the arena ends a stream."""


@dataclass(frozen=True, slots=True)
class Presence:
    """What a bot said of itself when it joined."""

    version: str
    games_at_once: int
    rulesets: frozenset[str]
    close_on_opponents_lead: bool


class Connection:
    """One stream of a bot. The newest is the session's; older ones are told to go."""

    def __init__(self, number: int, wake: Callable[[], None]) -> None:
        self.number = number
        self.wake = wake
        """Tells the stream's writer that there is something to write, or that all is over."""
        self.dismissed: tuple[play_pb2.ByeReason, str] | None = None
        """Why this stream is to end, as soon as what led to it is durable."""
        self.bye: play_pb2.ArenaBye | None = None
        """Set once the arena ends this stream; the last thing that is written."""
        self.ending = asyncio.Event()
        """Set with the goodbye."""
        self.write_began_ms: float | None = None
        """Since when the writer has been at its present frame."""

    @property
    def is_over(self) -> bool:
        """Whether nothing that still comes from there has an effect."""
        return self.dismissed is not None or self.bye is not None

    def end(self, reason: play_pb2.ByeReason, text: str) -> None:
        """Asks the writer to say goodbye and to end the stream."""
        if self.bye is None:
            self.bye = play_pb2.ArenaBye(reason=reason, text=text)
            self.ending.set()
            self.wake()
