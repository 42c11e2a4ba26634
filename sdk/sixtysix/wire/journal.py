"""Moves of deals in progress as they are stored: about 10 bytes each."""

from __future__ import annotations

from collections.abc import Sequence

from google.protobuf.message import DecodeError

from sixtysix.record import MadeMove, RecordError
from sixtysix.rules import MOVES
from sixtysix.v1 import record_pb2

__all__ = ["JOURNAL_LAYOUT", "pack_moves", "unpack_moves"]

JOURNAL_LAYOUT = 1
"""The version of the layout that is written; no other is read."""


def pack_moves(moves: Sequence[MadeMove]) -> bytes:
    """The moves as bytes; a checkpoint may have none."""
    columns = zip(*moves, strict=True) if moves else ((),) * 6
    games, deals, plies, codes, charged_ms, comments = columns
    message = record_pb2.Journal(
        layout=JOURNAL_LAYOUT,
        games=games,
        deals=deals,
        plies=plies,
        moves=bytes(codes),
        charged_ms=charged_ms,
    )
    if any(comments):
        for place, text in enumerate(comments):
            if text:
                message.comments.add(ply=place, text=text)
    return message.SerializeToString()


def unpack_moves(data: bytes) -> list[MadeMove]:
    """The moves from their bytes.

    Raises RecordError for bytes that are none, or of another layout.
    """
    try:
        message = record_pb2.Journal.FromString(data)
    except DecodeError as error:
        raise RecordError("the journal holds bytes that are no moves") from error
    if message.layout != JOURNAL_LAYOUT:
        raise RecordError(
            f"the journal is stored in layout {message.layout}, and this version reads layout"
            f" {JOURNAL_LAYOUT}: go on with the version that wrote it, or a newer one"
        )
    comments = {comment.ply: comment.text for comment in message.comments}
    columns = (message.games, message.deals, message.plies, message.moves, message.charged_ms)
    if len(set(map(len, columns))) != 1 or not all(move < len(MOVES) for move in message.moves):
        raise RecordError("the journal holds moves that make no sense")
    return [
        MadeMove(*each, comments.get(place, ""))
        for place, each in enumerate(zip(*columns, strict=True))
    ]
