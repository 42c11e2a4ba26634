"""Deals as they are stored: about 110 bytes each."""

from __future__ import annotations

from collections.abc import Iterable

from google.protobuf.message import DecodeError

from sixtysix.record import DealRecord, RecordError
from sixtysix.rules import MOVES, DealResult
from sixtysix.v1 import record_pb2
from sixtysix.wire.enums import DEAL_ENDS

__all__ = [
    "LAYOUT",
    "deal_message",
    "deal_of",
    "pack_deal",
    "pack_deals",
    "unpack_deal",
    "unpack_deals",
]

LAYOUT = 1
"""The version of the layout that is written; no other is read."""

_EVERY_CARD = list(range(24))


def pack_deal(record: DealRecord) -> bytes:
    """The deal in its stored form. The same record always gives the same bytes."""
    return deal_message(record).SerializeToString(deterministic=True)


def unpack_deal(data: bytes) -> DealRecord:
    """The deal from its stored form.

    Raises RecordError for bytes that are no deal, or of another layout.
    """
    try:
        message = record_pb2.DealRecord.FromString(data)
    except DecodeError as error:
        raise RecordError(f"a stored deal cannot be read: {error}") from error
    return deal_of(message)


def pack_deals(records: Iterable[DealRecord]) -> bytes:
    """Several deals in one stored form."""
    return record_pb2.DealRecords(deals=map(deal_message, records)).SerializeToString(
        deterministic=True
    )


def unpack_deals(data: bytes) -> tuple[DealRecord, ...]:
    """Several deals from their stored form. Raises RecordError as `unpack_deal` does."""
    try:
        message = record_pb2.DealRecords.FromString(data)
    except DecodeError as error:
        raise RecordError(f"stored deals cannot be read: {error}") from error
    return tuple(map(deal_of, message.deals))


def deal_message(record: DealRecord) -> record_pb2.DealRecord:
    """The deal as a message."""
    message = record_pb2.DealRecord(
        layout=LAYOUT,
        deal=record.deal,
        dealer=record.dealer,
        pack=bytes(record.pack),
        moves=bytes(record.moves),
        charged_ms=record.charged_ms,
        referee_plies=sorted(record.referee_plies),
        comments=[
            record_pb2.Comment(ply=ply, text=text) for ply, text in sorted(record.comments.items())
        ],
    )
    result = record.result
    if record.void:
        message.end = record_pb2.DEAL_END_VOID
    elif result is None:
        message.end = record_pb2.DEAL_END_BROKEN_OFF
    else:
        message.end = DEAL_ENDS.number(result.end)
        if result.winner is not None:
            message.winner = result.winner
        message.game_points = result.game_points
        message.card_points.extend(result.card_points)
    return message


def deal_of(message: record_pb2.DealRecord) -> DealRecord:
    """The deal from its message. Raises RecordError if it does not hold together."""
    if message.layout != LAYOUT:
        raise RecordError(
            f"a deal is stored in layout {message.layout}, and this version reads layout {LAYOUT}:"
            " read it with the version that wrote it, or a newer one"
        )
    record = DealRecord(
        deal=message.deal,
        dealer=message.dealer,
        pack=tuple(message.pack),
        moves=tuple(message.moves),
        charged_ms=tuple(message.charged_ms),
        referee_plies=frozenset(message.referee_plies),
        result=_result(message),
        void=message.end == record_pb2.DEAL_END_VOID,
        comments={comment.ply: comment.text for comment in message.comments},
    )
    _check(record)
    return record


def _result(message: record_pb2.DealRecord) -> DealResult | None:
    if message.end in (record_pb2.DEAL_END_VOID, record_pb2.DEAL_END_BROKEN_OFF):
        return None
    end = DEAL_ENDS.members.get(message.end)
    points = tuple(message.card_points)
    winner = message.winner if message.HasField("winner") else None
    if end is None or len(points) != 2 or winner not in (None, 0, 1):
        raise RecordError(f"deal {message.deal} is stored without a result that makes sense")
    return DealResult(winner, message.game_points, points, end)


def _check(record: DealRecord) -> None:
    plies = range(len(record.moves))
    if record.dealer not in (0, 1):
        wrong = f"its dealer is seat {record.dealer}"
    elif sorted(record.pack) != _EVERY_CARD:
        wrong = "its pack does not hold each card once"
    elif not all(move < len(MOVES) for move in record.moves):
        wrong = "it has a number that is no move"
    elif len(record.charged_ms) != len(plies):
        wrong = f"it has {len(plies)} moves and {len(record.charged_ms)} times"
    elif not all(ply in plies for ply in (*record.referee_plies, *record.comments)):
        wrong = "it speaks of moves that it does not have"
    else:
        return
    raise RecordError(f"deal {record.deal} is stored badly: {wrong}")
