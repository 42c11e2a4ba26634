"""What happened last on a bot's stream: kept for the evidence of a fault."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sixtysix.reports import StreamEvent, StreamEventKind

__all__ = [
    "MAX_EVENTS",
    "MAX_EVIDENCE_BYTES",
    "Happened",
    "StreamHistory",
    "carried",
    "counted",
    "evident",
]

MAX_EVENTS = 8
"""Enough to see how an exchange went; with many games at once a bot's last tenth of a second."""
MAX_EVENT_BYTES = 4 * 1024
"""Kept of one frame: what a bot with some forty games is sent at once."""
MAX_EVIDENCE_BYTES = 16 * 1024
"""Kept of all frames with one fault: a bot that hangs may lose hundreds of games at a time."""


class Happened(NamedTuple):
    """An event of a stream, by the arena's clock."""

    at_ms: float
    kind: StreamEventKind
    text: str
    byte_count: int
    data: bytes


class StreamHistory:
    """The last events of a bot's stream, whichever connection that was.

    `events` is never changed, only replaced: whoever holds on to it has the
    events up to that moment, at no cost.
    """

    def __init__(self) -> None:
        self.events: tuple[Happened, ...] = ()

    def note(self, at_ms: float, kind: StreamEventKind, text: str, data: bytes = b"") -> None:
        """Adds an event, and forgets the oldest."""
        happened = Happened(at_ms, kind, text, len(data), data[:MAX_EVENT_BYTES])
        self.events = (*self.events[1 - MAX_EVENTS :], happened)


def counted(count: int, word: str) -> str:
    """A number of things."""
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


def carried(*parts: tuple[int, str]) -> str:
    """What a frame carries, in words: so many of this, so many of that."""
    return ", ".join(counted(count, word) for count, word in parts if count)


def evident(
    events: Sequence[Happened], at_ms: float, max_bytes: int = MAX_EVIDENCE_BYTES
) -> list[StreamEvent]:
    """The events as evidence of a fault at `at_ms`; older frames are cut first."""
    kept: list[StreamEvent] = []
    left = max_bytes
    for event in reversed(events):
        before_ms = round(max(0.0, at_ms - event.at_ms))
        data = event.data[:left]
        left -= len(data)
        kept.append(StreamEvent(event.kind, before_ms, event.text, event.byte_count, data))
    kept.reverse()
    return kept
