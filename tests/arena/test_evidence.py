"""What a fault leaves behind, from the moment that a session finds it."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from rules.players import ALL_RULES, name_of, random_deal
from rules.twins import twins

from sixtysix import wire
from sixtysix.clock import Clock
from sixtysix.outcome import Fault
from sixtysix.reports import FaultReport, StreamEventKind
from sixtysix.rules import RULESETS, Deal, Ruleset, View
from sixtysix.v1 import play_pb2
from sixtysix_arena.referee import GameSpec
from sixtysix_arena.sessions import (
    MAX_FRAME_BYTES,
    Answered,
    Connection,
    Event,
    Evidence,
    Faulted,
    Presence,
    Sessions,
)
from sixtysix_arena.streams import MAX_EVENT_BYTES, MAX_EVENTS

CLASSIC = RULESETS["classic"]
BANK_MS = 1_000
MOVE_MS = 100


class Edge:
    """One bot, its time in our hands."""

    def __init__(self) -> None:
        self.time_ms = 0.0
        self.events: list[Event] = []
        self.sessions = Sessions(lambda: self.time_ms, self.events.append)
        self.session = self.sessions.of("alpha")
        self.connection = self.join()

    def join(self) -> Connection:
        presence = Presence("1", 64, frozenset(RULESETS), close_on_opponents_lead=False)
        self.connection = self.sessions.attach("alpha", presence, lambda: None)
        return self.connection

    def start(self, *games: int) -> None:
        for game in games:
            spec = GameSpec(game, f"cup.{game}", ("alpha", "beta"), 0, CLASSIC, Clock())
            self.session.start(spec, 0)

    def ask(self, *games: int, view: View | None = None) -> None:
        for game in games:
            asked = view or view_of(game)
            self.session.ask(game, asked, charged_ms=0, bank_ms=BANK_MS, per_move_ms=MOVE_MS)

    def send(self) -> None:
        assert self.session.next_frame() is not None

    def receive(self, *answers: play_pb2.Answer) -> None:
        self.receive_bytes(play_pb2.BotFrame(answers=answers).SerializeToString())

    def receive_bytes(self, data: bytes) -> None:
        self.session.receive(self.connection, data)

    def evidence(self) -> Iterator[Evidence]:
        for event in self.events:
            assert event.evidence is not None
            yield event.evidence

    def reports(self) -> list[FaultReport]:
        """The faults as they are told once they were stored."""
        return [
            told(event.evidence, event.fault)
            for event in self.events
            if isinstance(event, Faulted) and event.evidence is not None
        ]


def view_of(game: int) -> View:
    """The first view of a deal."""
    deal = Deal(CLASSIC, range(24), dealer=1)
    return deal.view(0, game=f"cup.{game}", move_ms=100, game_ms=1_000)


def told(evidence: Evidence, fault: Fault, bank_ms: int = 0) -> FaultReport:
    packed = evidence.packed(bank_ms)
    return wire.fault_of(wire.fault_message("cup.1", "alpha", fault, "text", "at", packed))


def answer(game: int = 1, move: int | None = 0, ply: int = 0) -> play_pb2.Answer:
    return play_pb2.Answer(game=game, ply=ply, move=move)


@pytest.fixture
def edge() -> Edge:
    """A bot that owes a decision in game 1 since 30 ms."""
    edge = Edge()
    edge.start(1)
    edge.ask(1)
    edge.time_ms = 10
    edge.send()
    edge.time_ms = 40
    return edge


def test_each_answer_is_the_evidence_if_it_turns_out_to_be_illegal(edge: Edge) -> None:
    edge.receive(answer(move=23))
    # Whatever comes before the tick is not in it.
    edge.time_ms = 45
    edge.receive(answer(2))
    (event,) = edge.events
    assert isinstance(event, Answered)
    report = told(event.evidence, Fault.ILLEGAL)
    assert report.view == view_of(1)
    assert (report.deal, report.ply, report.answer) == (0, 0, "AS")
    assert (report.waited_ms, report.charged_ms, report.bank_ms) == (30, 30, 970)
    assert [(each.kind, each.before_ms, each.text) for each in report.stream] == [
        (StreamEventKind.JOINED, 40, "stream 1 of this bot"),
        (StreamEventKind.SENT, 30, "1 start, 1 decision: this one"),
        (StreamEventKind.RECEIVED, 0, "1 answer: to this decision"),
    ]
    sent = play_pb2.ArenaFrame.FromString(report.stream[1].data)
    assert [decision.game for decision in sent.decisions] == [1]


def test_silence_leaves_the_decision_and_no_answer(edge: Edge) -> None:
    edge.time_ms = 111
    edge.session.sweep(111)
    (report,) = edge.reports()
    assert report.view is not None
    assert report.answer == ""
    assert (report.waited_ms, report.charged_ms, report.bank_ms) == (101, 101, 899)


def test_an_answer_that_is_too_late_is_kept(edge: Edge) -> None:
    edge.time_ms = 110.5
    edge.receive(answer(move=5))
    (report,) = edge.reports()
    assert report.fault is Fault.TIMEOUT
    assert report.answer == "AC"


def test_of_several_open_decisions_each_is_charged_its_part() -> None:
    edge = Edge()
    edge.start(1, 2)
    edge.ask(1, 2)
    edge.send()
    edge.time_ms = 101
    edge.session.sweep(101)
    first, second = edge.reports()
    assert (first.waited_ms, first.charged_ms, first.bank_ms) == (101, 50, 950)
    assert (second.waited_ms, second.charged_ms, second.bank_ms) == (101, 50, 950)
    assert first.stream[-1].text == "2 starts, 2 decisions, this one among them"


def test_an_answer_without_a_move(edge: Edge) -> None:
    edge.receive(answer(move=None))
    (report,) = edge.reports()
    assert report.answer == "an answer without a move"


@pytest.mark.parametrize(
    ("data", "shown"),
    [
        (b"GET / HTTP/1.1", '14 bytes: "GET / HTTP/1.1"'),
        (b"\xff\x00\x10", "3 bytes: ff 00 10"),
        (b"\xff" * 33, f"33 bytes: {'ff ' * 32}..."),
        (bytes(MAX_FRAME_BYTES + 1), f"65537 bytes: {'00 ' * 32}..."),
    ],
    ids=["text", "bytes", "more bytes", "too large"],
)
def test_what_is_no_frame_is_kept_and_shown(edge: Edge, data: bytes, shown: str) -> None:
    edge.receive_bytes(data)
    (report,) = edge.reports()
    assert report.fault is Fault.MALFORMED
    assert report.answer == shown
    last = report.stream[-1]
    assert (last.kind, last.before_ms, last.byte_count) == (
        StreamEventKind.REFUSED,
        0,
        len(data),
    )
    assert last.data == data[:MAX_EVENT_BYTES]


def test_leaving_and_goodbyes_are_on_the_stream() -> None:
    edge = Edge()
    edge.start(1, 2)
    edge.ask(1)
    edge.send()
    edge.receive_bytes(play_pb2.BotFrame(leaves=[play_pb2.Leave(game=1)]).SerializeToString())
    edge.receive_bytes(play_pb2.BotFrame(bye=play_pb2.BotBye()).SerializeToString())
    first, second = edge.reports()
    assert first.view is not None
    assert [event.text for event in first.stream][-1] == "1 leave"
    # In game 2 it was not asked for anything.
    assert (second.view, second.waited_ms, second.charged_ms) == (None, None, None)
    assert [event.text for event in second.stream][-2:] == ["1 leave", "1 goodbye"]


def test_a_decision_in_line_was_not_sent() -> None:
    edge = Edge()
    edge.start(1)
    edge.ask(1)
    edge.receive_bytes(b"\xff\xff")
    (report,) = edge.reports()
    assert report.view is not None
    assert (report.waited_ms, report.charged_ms, report.bank_ms) == (None, None, 1_000)


def test_of_an_absent_bot_the_last_stream_is_known(edge: Edge) -> None:
    edge.session.detach(edge.connection)
    edge.time_ms = 90
    report = told(edge.session.evidence(1), Fault.DISCONNECT)
    assert (report.waited_ms, report.charged_ms) == (80, 80)
    assert [(each.kind, each.before_ms, each.text) for each in report.stream][1:] == [
        (StreamEventKind.SENT, 80, "1 start, 1 decision: this one"),
        (StreamEventKind.ENDED, 50, "without a goodbye"),
    ]
    edge.join()
    edge.send()
    told_again = told(edge.session.evidence(1), Fault.TIMEOUT)
    assert [each.text for each in told_again.stream][-2:] == [
        "stream 2 of this bot",
        "1 start, 1 decision: this one",
    ]


def test_a_stream_that_the_arena_ended_says_why(edge: Edge) -> None:
    edge.receive_bytes(b"\xff\xff")
    edge.session.park(1)
    edge.session.release()
    edge.session.detach(edge.connection)
    report = told(edge.session.evidence(1), Fault.DISCONNECT)
    assert report.stream[-1].text.startswith("by the arena: 2 bytes that are no frame")
    assert report.answer == "", "those bytes were not about this fault"


def test_a_bot_that_never_came_has_no_stream() -> None:
    report = told(Edge().sessions.of("beta").evidence(1), Fault.NO_SHOW, bank_ms=700)
    assert (report.view, report.answer, report.stream) == (None, "", ())
    assert report.bank_ms == 700


def test_a_storm_of_answers_and_a_long_comment_stay_small(edge: Edge) -> None:
    for _ in range(100):
        edge.receive(*(answer(77) for _ in range(1_000)))
    noted = answer(move=23)
    noted.comment = "x" * 60_000
    edge.receive(noted)
    evidence = next(edge.evidence())
    packed = evidence.packed(0)
    assert len(packed) < 18_000
    assert len(told(evidence, Fault.ILLEGAL).stream) == MAX_EVENTS
    assert len(evidence.packed(0, max_bytes=0)) < 1_000


@pytest.mark.parametrize("rules", ALL_RULES, ids=name_of)
def test_threat_10_evidence_is_the_same_in_twin_worlds(rules: Ruleset) -> None:
    """Nothing that only the opponent knows can be in it, not even by its size."""

    def left_by(deal: Deal, seat: int) -> bytes:
        edge = Edge()
        edge.start(1)
        edge.ask(1, view=deal.view(seat, game="cup.1", score=(1, 2)))
        edge.send()
        edge.receive(answer(move=36, ply=deal.ply))
        (event,) = edge.events
        assert isinstance(event, Answered)
        return event.evidence.packed(0)

    worlds = 0
    for seed in range(10):
        rng = Random(f"evidence {rules.name} {seed}")
        deal, players = random_deal(rules, rng)
        while deal.turn is not None:
            seat = deal.turn
            if rng.random() < 0.3:
                expected = left_by(deal, seat)
                for twin in twins(deal, seat, rng):
                    assert left_by(twin, seat) == expected, f"seed {seed}, ply {deal.ply}"
                    worlds += twin.pack != deal.pack
            deal.play(players[seat].choose(deal))
    assert worlds >= 100, "too few worlds to say anything"
