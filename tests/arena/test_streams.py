"""What is remembered of a bot's stream: not much, and at no cost."""

from __future__ import annotations

from sixtysix.reports import StreamEvent, StreamEventKind
from sixtysix_arena.streams import (
    MAX_EVENT_BYTES,
    MAX_EVENTS,
    MAX_EVIDENCE_BYTES,
    StreamHistory,
    carried,
    counted,
    evident,
)

SENT, RECEIVED = StreamEventKind.SENT, StreamEventKind.RECEIVED


def test_the_last_events_are_kept() -> None:
    history = StreamHistory()
    for number in range(MAX_EVENTS + 3):
        history.note(float(number), SENT, str(number))
        assert [event.text for event in history.events] == [
            str(each) for each in range(max(0, number + 1 - MAX_EVENTS), number + 1)
        ]


def test_whoever_holds_on_to_the_events_has_those_of_that_moment() -> None:
    history = StreamHistory()
    history.note(1.0, SENT, "before")
    held = history.events
    for _ in range(MAX_EVENTS):
        history.note(2.0, RECEIVED, "after")
    assert [event.text for event in held] == ["before"]


def test_of_a_large_frame_the_beginning_is_kept_with_the_whole_size() -> None:
    history = StreamHistory()
    history.note(0.0, SENT, "just", b"x" * MAX_EVENT_BYTES)
    history.note(0.0, SENT, "more", b"y" * (MAX_EVENT_BYTES + 1))
    assert [(len(event.data), event.byte_count) for event in history.events] == [
        (MAX_EVENT_BYTES, MAX_EVENT_BYTES),
        (MAX_EVENT_BYTES, MAX_EVENT_BYTES + 1),
    ]


def test_evidence_counts_back_from_the_fault() -> None:
    history = StreamHistory()
    history.note(10.0, StreamEventKind.JOINED, "stream 1")
    history.note(20.6, SENT, "1 decision", b"data")
    assert evident(history.events, 120.0) == [
        StreamEvent(StreamEventKind.JOINED, 110, "stream 1"),
        StreamEvent(SENT, 99, "1 decision", 4, b"data"),
    ]
    assert evident((), 120.0) == []


def test_of_too_many_bytes_the_oldest_go_first() -> None:
    history = StreamHistory()
    for _ in range(MAX_EVENTS):
        history.note(0.0, SENT, "large", b"x" * MAX_EVENT_BYTES)
    kept = evident(history.events, 0.0)
    lengths = [len(event.data) for event in kept]
    assert sum(lengths) == MAX_EVIDENCE_BYTES
    assert lengths == sorted(lengths)
    assert {event.byte_count for event in kept} == {MAX_EVENT_BYTES}
    assert [len(event.data) for event in evident(history.events, 0.0, 0)] == [0] * MAX_EVENTS
    assert [len(event.data) for event in evident(history.events, 0.0, 5)][-2:] == [0, 5]


def test_what_a_frame_carries_in_words() -> None:
    assert counted(1, "answer") == "1 answer"
    assert counted(2, "answer") == "2 answers"
    assert carried((0, "start"), (2, "decision"), (1, "result")) == "2 decisions, 1 result"
