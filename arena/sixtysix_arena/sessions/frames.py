"""Frames of a bot: read with every limit that holds for them; and what is in one, in words."""

from __future__ import annotations

from google.protobuf.message import DecodeError

from sixtysix.v1 import play_pb2
from sixtysix_arena.streams import carried

__all__ = ["MAX_FRAME_BYTES", "MAX_FRAME_PARTS", "NoFrame", "read_frame", "said", "told"]

MAX_FRAME_BYTES = 64 * 1024
"""The largest frame of a bot; the channel admits more, so that we can say so."""
MAX_FRAME_PARTS = 1_024
"""Answers and leaves of one frame: more than decisions can be out at a time."""


class NoFrame(ValueError):
    """What a bot sent is no frame, or one that is too large; the text says so to the bot."""


def read_frame(data: bytes) -> play_pb2.BotFrame:
    """The frame that a bot sent as `data`. Raises NoFrame."""
    if len(data) > MAX_FRAME_BYTES:
        # Not even parsed: so the size bounds what parsing costs.
        raise NoFrame(
            f"a frame of {len(data)} bytes is too large: at most {MAX_FRAME_BYTES} are read"
        )
    try:
        frame = play_pb2.BotFrame.FromString(data)
    except DecodeError:
        raise NoFrame(
            f"{len(data)} bytes that are no frame: expected a BotFrame of sixtysix.v1"
        ) from None
    parts = len(frame.answers) + len(frame.leaves)
    if parts > MAX_FRAME_PARTS:
        raise NoFrame(
            f"a frame with {parts} answers is too much: at most {MAX_FRAME_PARTS} are read"
        )
    return frame


def told(frame: play_pb2.ArenaFrame) -> str:
    """What is in a frame of ours, in words."""
    return carried(
        (len(frame.starts), "start"),
        (len(frame.decisions), "decision"),
        (len(frame.stales), "stale notice"),
        (len(frame.faults), "fault notice"),
        (len(frame.games_over), "result"),
    )


def said(frame: play_pb2.BotFrame) -> str:
    """What is in a frame of the bot, in words."""
    goodbyes = int(frame.HasField("bye"))
    parts = (len(frame.answers), "answer"), (len(frame.leaves), "leave"), (goodbyes, "goodbye")
    return carried(*parts) or "nothing to read"
