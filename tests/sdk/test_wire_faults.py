"""The evidence of faults, from its stored form to a report."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sixtysix import wire
from sixtysix.outcome import Fault
from sixtysix.record import RecordError
from sixtysix.reports import FaultReport, StreamEvent, StreamEventKind
from sixtysix.rules import MOVES, RULESETS, Deal
from sixtysix.v1 import arena_pb2, play_pb2, record_pb2

VIEW = Deal(RULESETS["classic"], range(24), dealer=1).view(
    0, game="cup.7", deal=3, score=(1, 2), move_ms=100, game_ms=900
)
DECISION = wire.decision(VIEW, 12, 34)
KIND = StreamEventKind


def pack(**changes: Any) -> bytes:
    fields: dict[str, Any] = {
        "decision": DECISION,
        "answer": play_pb2.Answer(game=12, deal=3, move=23),
        "waited_ms": 20,
        "charged_ms": 10,
        "bank_ms": 890,
        "stream": (),
    }
    return wire.pack_fault(**fields | changes)


def told(fault: Fault = Fault.ILLEGAL, **changes: Any) -> FaultReport:
    message = wire.fault_message("cup.7", "ada", fault, "it did", "now", pack(**changes))
    return wire.fault_of(arena_pb2.FaultReport.FromString(message.SerializeToString()))


def test_all_of_it_comes_back() -> None:
    stream = (
        StreamEvent(KIND.JOINED, 4_000_000_000, "stream 1 of this bot"),
        StreamEvent(KIND.RECEIVED, 0, "1 answer", 9_000, b"\x12\x00" * 9),
    )
    assert told(stream=stream) == FaultReport(
        game_id="cup.7",
        entrant="ada",
        fault=Fault.ILLEGAL,
        text="it did",
        at="now",
        deal=3,
        ply=0,
        view=VIEW,
        answer="AS",
        waited_ms=20,
        charged_ms=10,
        bank_ms=890,
        stream=stream,
    )


def test_without_a_decision_there_is_little_to_tell() -> None:
    report = told(Fault.NO_SHOW, decision=None, answer=None, waited_ms=None, charged_ms=None)
    assert (report.deal, report.ply, report.view, report.answer) == (None, None, None, "")
    assert (report.waited_ms, report.charged_ms, report.bank_ms) == (None, None, 890)


def test_zero_is_not_absent() -> None:
    report = told(waited_ms=0, charged_ms=0, answer=play_pb2.Answer(move=0))
    assert (report.waited_ms, report.charged_ms, report.answer) == (0, 0, "9C")


@pytest.mark.parametrize("move", MOVES, ids=str)
def test_an_answer_is_the_text_of_its_move(move: int) -> None:
    assert told(answer=play_pb2.Answer(move=move)).answer == str(move)


def test_an_answer_that_is_no_move() -> None:
    assert told(answer=play_pb2.Answer(move=36)).answer == "36, which is no move"
    assert told(answer=play_pb2.Answer()).answer == "an answer without a move"


SENT = play_pb2.ArenaFrame(decisions=[DECISION])
BOTH = play_pb2.ArenaFrame(decisions=[play_pb2.Decision(game=1, deal=3), DECISION])
OTHER = play_pb2.ArenaFrame(decisions=[play_pb2.Decision(game=12, deal=3, ply=1)])
ANSWER = play_pb2.BotFrame(answers=[play_pb2.Answer(game=12, deal=3)])
TWICE = play_pb2.BotFrame(answers=[play_pb2.Answer(game=12, deal=3)] * 2)


@pytest.mark.parametrize(
    ("kind", "frame", "added"),
    [
        (KIND.SENT, SENT, ": this one"),
        (KIND.SENT, BOTH, ", this one among them"),
        (KIND.SENT, OTHER, ""),
        (KIND.RECEIVED, ANSWER, ": to this decision"),
        (KIND.RECEIVED, TWICE, ", one to this decision"),
        (KIND.RECEIVED, play_pb2.BotFrame(), ""),
        (KIND.REFUSED, ANSWER, ""),
    ],
    ids=str,
)
def test_a_frame_says_whether_it_is_about_the_decision(
    kind: StreamEventKind, frame: Any, added: str
) -> None:
    data = frame.SerializeToString()
    whole = StreamEvent(kind, 5, "text", len(data), data)
    (event,) = told(stream=[whole]).stream
    assert event.text == f"text{added}"
    # Of a frame that was cut nobody can say.
    (event,) = told(stream=[StreamEvent(kind, 5, "text", len(data) + 1, data)]).stream
    assert event.text == "text"
    (event,) = told(stream=[whole], decision=None).stream
    assert event.text == "text"


def test_bytes_of_a_frame_that_make_no_sense_are_left_alone() -> None:
    (event,) = told(stream=[StreamEvent(KIND.SENT, 5, "text", 2, b"\xff\xff")]).stream
    assert event.text == "text"


def test_another_layout_is_refused_with_both_named() -> None:
    record = record_pb2.FaultRecord.FromString(pack())
    record.layout = 2
    with pytest.raises(RecordError, match="layout 2, and this version reads layout 1"):
        wire.fault_message("g", "a", Fault.LEFT, "", "", record.SerializeToString())


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.binary(max_size=100))
def test_bytes_that_are_no_evidence_are_a_record_error(data: bytes) -> None:
    try:
        message = wire.fault_message("g", "a", Fault.LEFT, "", "", data)
    except RecordError:
        return
    assert message.evidence.layout == wire.FAULT_LAYOUT, "by chance it is some"


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(place=st.integers(0, 10_000), bit=st.integers(0, 7))
def test_a_changed_bit_is_an_error_of_ours_or_other_evidence(place: int, bit: int) -> None:
    data = bytearray(pack(stream=[StreamEvent(KIND.SENT, 5, "text", 2, b"\xff\xff")]))
    data[place % len(data)] ^= 1 << bit
    try:
        wire.fault_of(wire.fault_message("g", "a", Fault.LEFT, "", "", bytes(data)))
    except (RecordError, wire.WireError):
        return


def test_what_is_not_said_is_a_wire_error() -> None:
    message = wire.fault_message("g", "a", Fault.LEFT, "", "", pack())
    message.fault = 0  # type: ignore[assignment]
    with pytest.raises(wire.WireError, match="Fault is not said"):
        wire.fault_of(message)
    message = wire.fault_message("g", "a", Fault.LEFT, "", "", pack())
    message.evidence.stream.add()
    with pytest.raises(wire.WireError, match="StreamEventKind is not said"):
        wire.fault_of(message)


def test_every_kind_of_event_has_its_number() -> None:
    enum = wire.STREAM_EVENT_KINDS
    assert set(enum.numbers) == set(StreamEventKind)
    assert set(enum.members) == {value.number for value in enum.descriptor.values} - {0}
