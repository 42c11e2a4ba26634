"""The evidence of a fault: packed for the store, and read into a report."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from google.protobuf.message import DecodeError

from sixtysix.outcome import Fault
from sixtysix.record import RecordError
from sixtysix.reports import FaultReport, StreamEvent, StreamEventKind
from sixtysix.rules import MOVES
from sixtysix.v1 import arena_pb2, play_pb2, record_pb2
from sixtysix.wire.enums import FAULTS, STREAM_EVENT_KINDS, WireError
from sixtysix.wire.play import view

__all__ = ["FAULT_LAYOUT", "fault_message", "fault_of", "pack_fault"]

FAULT_LAYOUT = 1
"""The version of the layout that is written; no other is read."""
SHOWN_BYTES = 32
"""Bytes that are shown of what is no frame."""


def pack_fault(
    *,
    decision: play_pb2.Decision | None,
    answer: play_pb2.Answer | None,
    waited_ms: int | None,
    charged_ms: int | None,
    bank_ms: int,
    stream: Iterable[StreamEvent],
) -> bytes:
    """The evidence of a fault in its stored form; `FaultRecord` says what is what."""
    record = record_pb2.FaultRecord(
        layout=FAULT_LAYOUT,
        decision=decision,
        answer=answer,
        waited_ms=waited_ms,
        charged_ms=charged_ms,
        bank_ms=bank_ms,
        stream=[
            record_pb2.StreamEvent(
                kind=STREAM_EVENT_KINDS.number(event.kind),
                before_ms=event.before_ms,
                byte_count=event.byte_count,
                data=event.data,
                text=event.text,
            )
            for event in stream
        ],
    )
    return record.SerializeToString(deterministic=True)


def fault_message(
    game_id: str, entrant: str, fault: Fault, text: str, at: str, evidence: bytes
) -> arena_pb2.FaultReport:
    """What an arena tells of a fault whose `evidence` is in its stored form.

    Raises RecordError for bytes that are no evidence, or of another layout.
    """
    try:
        record = record_pb2.FaultRecord.FromString(evidence)
    except DecodeError as error:
        raise RecordError(f"the stored evidence of a fault cannot be read: {error}") from error
    if record.layout != FAULT_LAYOUT:
        raise RecordError(
            f"the evidence of a fault is stored in layout {record.layout}, and this version reads"
            f" layout {FAULT_LAYOUT}: read it with the version that wrote it, or a newer one"
        )
    return arena_pb2.FaultReport(
        game_id=game_id,
        entrant=entrant,
        fault=FAULTS.number(fault),
        text=text,
        at=at,
        evidence=record,
    )


def fault_of(message: arena_pb2.FaultReport) -> FaultReport:
    """What its message says of a fault. Raises WireError for what this version does not know."""
    record = message.evidence
    fault = FAULTS.member(message.fault)
    if fault is None:
        raise WireError("Fault is not said")
    decision = record.decision if record.HasField("decision") else None
    return FaultReport(
        game_id=message.game_id,
        entrant=message.entrant,
        fault=fault,
        text=message.text,
        at=message.at,
        deal=None if decision is None else decision.deal,
        ply=None if decision is None else decision.ply,
        view=None if decision is None else view(decision, message.game_id),
        answer=_answer(fault, record),
        waited_ms=record.waited_ms if record.HasField("waited_ms") else None,
        charged_ms=record.charged_ms if record.HasField("charged_ms") else None,
        bank_ms=record.bank_ms,
        stream=tuple(_event(event, decision) for event in record.stream),
    )


def _answer(fault: Fault, record: record_pb2.FaultRecord) -> str:
    """The move that was answered, or what came in place of one."""
    if record.HasField("answer"):
        if not record.answer.HasField("move"):
            return "an answer without a move"
        move = record.answer.move
        return str(MOVES[move]) if move < len(MOVES) else f"{move}, which is no move"
    # What is no frame ends the stream, so nothing comes after it.
    last = record.stream[-1] if record.stream else None
    if (
        fault is Fault.MALFORMED
        and last is not None
        and last.kind == record_pb2.STREAM_EVENT_KIND_REFUSED
    ):
        return f"{last.byte_count} bytes: {_shown(last.data, last.byte_count)}"
    return ""


def _shown(data: bytes, byte_count: int) -> str:
    """The first bytes in hex, or as they read if they are text."""
    first = data[:SHOWN_BYTES]
    more = "..." if byte_count > len(first) else ""
    if first.isascii() and (text := first.decode()).isprintable():
        return f'"{text}{more}"'
    return first.hex(" ") + (f" {more}" if more else "")


def _event(event: record_pb2.StreamEvent, decision: play_pb2.Decision | None) -> StreamEvent:
    kind = STREAM_EVENT_KINDS.member(event.kind)
    if kind is None:
        raise WireError("StreamEventKind is not said")
    text = event.text
    if decision is not None:
        text += _concerning(event, kind, decision)
    return StreamEvent(kind, event.before_ms, text, event.byte_count, event.data)


def _concerning(
    event: record_pb2.StreamEvent, kind: StreamEventKind, decision: play_pb2.Decision
) -> str:
    """Says if a frame that is kept whole carries the decision, or an answer to it."""
    if len(event.data) < event.byte_count:
        return ""
    parts: Any = ()
    alone, among = ": to this decision", ", one to this decision"
    try:
        if kind is StreamEventKind.SENT:
            parts = play_pb2.ArenaFrame.FromString(event.data).decisions
            alone, among = ": this one", ", this one among them"
        elif kind is StreamEventKind.RECEIVED:
            parts = play_pb2.BotFrame.FromString(event.data).answers
    except DecodeError:
        return ""
    place = decision.game, decision.deal, decision.ply
    if all((part.game, part.deal, part.ply) != place for part in parts):
        return ""
    return alone if len(parts) == 1 else among
