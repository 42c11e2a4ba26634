"""A bot as the arena sees it: frames in, frames out, time charged."""

from __future__ import annotations

import pytest
from support.edge import Edge, answer

from sixtysix.outcome import Fault, GameEnd, GameOutcome
from sixtysix.reports import EntrantInfo
from sixtysix.v1 import play_pb2
from sixtysix_arena.sessions import (
    MAX_FRAME_BYTES,
    MAX_FRAME_PARTS,
    MAX_OPEN_BYTES,
    WRITE_SLACK_MS,
    WRITE_TIMEOUT_MS,
    Answered,
    Bye,
    Connection,
    Faulted,
)

FORFEIT = GameOutcome(GameEnd.FORFEIT, 1, (0, 0), 0, Fault.LEFT, "gone")


@pytest.fixture
def edge() -> Edge:
    return Edge()


@pytest.fixture
def asked(edge: Edge) -> tuple[Edge, Connection]:
    """A bot that joined and owes one decision in game 1."""
    connection = edge.join()
    edge.start(1)
    edge.ask(1)
    frame = edge.frame()
    assert [decision.game for decision in frame.decisions] == [1]
    return edge, connection


def test_an_answer_is_charged_from_the_writer_to_the_reader(edge: Edge) -> None:
    connection = edge.join()
    edge.start(1)
    edge.ask(1)
    edge.time_ms = 500  # In line, unsent: not the bot's time.
    edge.frame()
    edge.time_ms = 530
    edge.answer(connection, answer(1, move=3))
    (event,) = edge.events
    assert isinstance(event, Answered)
    assert (event.game, event.move, event.charged_ms) == (1, 3, 30)


def test_one_frame_carries_all_decisions_in_line(edge: Edge) -> None:
    edge.join()
    for game in range(1, 6):
        edge.start(game)
        edge.ask(game)
    frame = edge.frame()
    assert [start.game_id for start in frame.starts] == [f"cup.{game}" for game in range(1, 6)]
    assert [decision.game for decision in frame.decisions] == [1, 2, 3, 4, 5]
    assert edge.session.next_frame() is None


def test_at_most_32_kib_are_out_and_the_rest_is_not_charged(edge: Edge) -> None:
    connection = edge.join()
    games = range(1, 1_001)
    for game in games:
        edge.start(game)
        edge.ask(game)
    first = edge.frame()
    size = sum(decision.ByteSize() for decision in first.decisions)
    assert MAX_OPEN_BYTES - 200 < size <= MAX_OPEN_BYTES
    assert edge.session.next_frame() is None
    edge.time_ms = 50
    edge.answer(connection, answer(1))
    second = edge.frame()
    assert [decision.game for decision in second.decisions] == [len(first.decisions) + 1]
    edge.time_ms = 60
    edge.answer(connection, answer(second.decisions[0].game))
    last = edge.events[-1]
    assert isinstance(last, Answered)
    assert last.charged_ms == pytest.approx(10 / len(first.decisions))


@pytest.mark.parametrize(
    "stale",
    [answer(2), answer(1, ply=1), answer(1, deal=1), answer(999)],
    ids=["not open", "another ply", "another deal", "no such game"],
)
def test_what_is_not_open_gets_the_same_stale_notice(
    asked: tuple[Edge, Connection], stale: play_pb2.Answer
) -> None:
    edge, connection = asked
    edge.answer(connection, stale)
    assert edge.events == []
    (notice,) = edge.frame().stales
    assert (notice.game, notice.deal, notice.ply) == (stale.game, stale.deal, stale.ply)


def test_the_first_of_two_answers_counts(asked: tuple[Edge, Connection]) -> None:
    edge, connection = asked
    edge.answer(connection, answer(1, move=3), answer(1, move=4))
    assert [event.move for event in edge.events if isinstance(event, Answered)] == [3]
    assert len(edge.frame().stales) == 1


def test_a_decision_that_was_not_sent_cannot_be_answered(edge: Edge) -> None:
    connection = edge.join()
    edge.start(1)
    edge.ask(1)
    edge.answer(connection, answer(1))
    assert edge.events == []
    assert len(edge.frame().stales) == 1


def test_an_answer_without_a_move_is_malformed(asked: tuple[Edge, Connection]) -> None:
    edge, connection = asked
    edge.answer(connection, answer(1, move=None))
    (event,) = edge.events
    assert isinstance(event, Faulted)
    assert event.fault is Fault.MALFORMED
    assert event.text == (
        "the answer in game cup.1 deal 0 ply 0 has no move: expected a number of 0 to 35"
    )
    assert event.evidence is not None
    assert event.evidence.answer == answer(1, move=None)
    # The bot is told with the tick that has stored the fault.
    edge.session.tell_fault(1, event.fault, event.text, event.evidence)
    (notice,) = edge.frame().faults
    assert (notice.game, notice.deal, notice.ply) == (1, 0, 0)
    assert notice.text == event.text
    assert list(notice.legal) == list(event.evidence.legal)


@pytest.mark.parametrize(
    "data",
    [b"\xff\xff\xff", b"\x12\x05abc", bytes(MAX_FRAME_BYTES + 1)],
    ids=["garbage", "cut short", "too large"],
)
def test_what_is_no_frame_costs_every_owed_game_and_the_stream(edge: Edge, data: bytes) -> None:
    connection = edge.join()
    for game in (1, 2, 3):
        edge.start(game)
    edge.ask(1)
    edge.ask(2)
    edge.frame()
    edge.session.receive(connection, data)
    assert [(event.game, event.fault) for event in edge.events if isinstance(event, Faulted)] == [
        (1, Fault.MALFORMED),
        (2, Fault.MALFORMED),
    ]
    assert connection.bye is None  # Not before the faults are stored.
    edge.answer(connection, answer(1))
    assert len(edge.events) == 2  # Nothing more is read from there.
    edge.session.sweep(1)
    assert connection.bye is None
    for game in (1, 2):
        edge.session.over(game, FORFEIT)
    edge.session.release()
    assert connection.bye is not None
    assert connection.bye.reason == Bye.BYE_REASON_MALFORMED


def test_garbage_of_a_bot_that_owes_nothing_ends_its_stream_at_once(edge: Edge) -> None:
    connection = edge.join()
    edge.session.receive(connection, b"\xff\xff")
    assert edge.events == []
    assert connection.bye is not None
    assert connection.bye.reason == Bye.BYE_REASON_MALFORMED


def test_a_frame_of_exactly_the_limit_is_read(asked: tuple[Edge, Connection]) -> None:
    edge, connection = asked
    noted = answer(1)
    noted.comment = "x" * (MAX_FRAME_BYTES - 20)
    missing = MAX_FRAME_BYTES - play_pb2.BotFrame(answers=[noted]).ByteSize()
    noted.comment += "x" * missing
    data = play_pb2.BotFrame(answers=[noted]).SerializeToString()
    assert len(data) == MAX_FRAME_BYTES
    edge.session.receive(connection, data)
    assert isinstance(edge.events[0], Answered)


def test_silence_times_out_all_open_decisions(edge: Edge) -> None:
    edge.join()
    for game in (1, 2):
        edge.start(game)
        edge.ask(game)
    edge.frame()
    edge.session.sweep(100)
    assert edge.events == []
    edge.time_ms = 101
    edge.session.sweep(101)
    assert [(event.game, event.fault) for event in edge.events if isinstance(event, Faulted)] == [
        (1, Fault.TIMEOUT),
        (2, Fault.TIMEOUT),
    ]
    for event in edge.events:
        assert isinstance(event, Faulted)
        told = " in time: a move has 100 ms, in which none of 2 decisions was answered"
        assert event.text.endswith(told)


def test_an_answer_after_the_limit_is_late_even_before_the_sweep(
    asked: tuple[Edge, Connection],
) -> None:
    edge, connection = asked
    edge.time_ms = 100.5
    edge.answer(connection, answer(1))
    (event,) = edge.events
    assert isinstance(event, Faulted)
    assert event.fault is Fault.TIMEOUT
    assert event.text.endswith(" in time: a move has 100 ms")


def test_after_a_reconnect_open_decisions_are_sent_again_with_the_same_ids(
    asked: tuple[Edge, Connection],
) -> None:
    edge, connection = asked
    edge.session.detach(connection)
    edge.time_ms = 90
    again = edge.join()
    frame = edge.frame()
    assert [start.game for start in frame.starts] == [1]
    assert [(d.game, d.deal, d.ply) for d in frame.decisions] == [(1, 0, 0)]
    edge.time_ms = 95
    edge.answer(again, answer(1))
    (event,) = edge.events
    assert isinstance(event, Answered)
    assert event.charged_ms == 95  # The bank runs on while a bot is away.


def test_the_newest_connection_wins_and_the_older_is_fenced(
    asked: tuple[Edge, Connection],
) -> None:
    edge, old = asked
    new = edge.join()
    assert old.bye is not None
    assert old.bye.reason == Bye.BYE_REASON_FENCED
    edge.answer(old, answer(1))
    assert edge.events == []
    edge.session.detach(old)  # Its end does not make the bot absent.
    assert edge.session.connected
    edge.answer(new, answer(1))
    assert isinstance(edge.events[0], Answered)


def test_leaving_costs_that_game_only(edge: Edge) -> None:
    connection = edge.join()
    for game in (1, 2):
        edge.start(game)
        edge.ask(game)
    edge.frame()
    leave = play_pb2.Leave(game=1, reason=play_pb2.LEAVE_REASON_BOT_RAISED)
    other = play_pb2.Leave(game=77)  # Not this bot's: no effect.
    edge.session.receive(connection, play_pb2.BotFrame(leaves=[leave, other]).SerializeToString())
    (event,) = edge.events
    assert isinstance(event, Faulted)
    assert (event.game, event.fault) == (1, Fault.LEFT)
    assert event.text == "alpha gave the game up: its code failed"


def test_a_goodbye_leaves_all_games(edge: Edge) -> None:
    connection = edge.join()
    for game in (1, 2):
        edge.start(game)
    edge.ask(1)
    edge.frame()
    bye = play_pb2.BotFrame(bye=play_pb2.BotBye())
    edge.session.receive(connection, bye.SerializeToString())
    assert [(event.game, event.fault) for event in edge.events if isinstance(event, Faulted)] == [
        (1, Fault.LEFT),
        (2, Fault.LEFT),
    ]
    assert edge.session.said_bye
    for game in (1, 2):
        edge.session.over(game, FORFEIT)
    edge.session.release()
    assert connection.bye is not None
    assert connection.bye.reason == Bye.BYE_REASON_LEFT


def test_leaving_a_game_many_times_is_leaving_it_once(edge: Edge) -> None:
    connection = edge.join()
    edge.start(1)
    leaves = [play_pb2.Leave(game=1)] * 500
    edge.session.receive(connection, play_pb2.BotFrame(leaves=leaves).SerializeToString())
    assert len(edge.events) == 1


def test_more_answers_than_can_be_owed_are_no_frame(asked: tuple[Edge, Connection]) -> None:
    edge, connection = asked
    edge.answer(connection, *[answer(999)] * MAX_FRAME_PARTS)
    assert edge.events == []
    edge.answer(connection, *[answer(999)] * (MAX_FRAME_PARTS + 1))
    (event,) = edge.events
    assert isinstance(event, Faulted)
    assert event.fault is Fault.MALFORMED
    assert event.text == "a frame with 1025 answers is too much: at most 1024 are read"


def test_the_end_of_a_game_closes_its_decision(asked: tuple[Edge, Connection]) -> None:
    edge, connection = asked
    edge.session.over(1, GameOutcome(GameEnd.FORFEIT, 0, (1, 0), 1, Fault.TIMEOUT, "beta was slow"))
    (over,) = edge.frame().games_over
    assert (over.game, over.winner, list(over.score), over.text) == (1, 0, [1, 0], "beta was slow")
    edge.answer(connection, answer(1))
    assert edge.events == []


def test_a_bot_that_stopped_reading_is_away_after_a_while(
    asked: tuple[Edge, Connection],
) -> None:
    edge, connection = asked
    connection.write_began_ms = 0.0
    edge.time_ms = WRITE_TIMEOUT_MS
    edge.session.sweep(edge.time_ms)
    assert edge.session.connected
    edge.time_ms += 1
    edge.session.sweep(edge.time_ms)
    assert not edge.session.connected
    assert connection.bye is not None
    assert connection.bye.reason == Bye.BYE_REASON_STUCK


def test_what_waits_for_a_bot_that_does_not_read_is_charged(edge: Edge) -> None:
    connection = edge.join()
    connection.write_began_ms = 0.0  # The welcome, say.
    for game in (1, 2):
        edge.start(game)
        edge.ask(game)
    edge.time_ms = WRITE_SLACK_MS
    edge.session.sweep(edge.time_ms)
    edge.time_ms += 1
    edge.session.sweep(edge.time_ms)
    edge.time_ms += 100
    edge.session.sweep(edge.time_ms)
    assert edge.events == []
    edge.time_ms += 1
    edge.session.sweep(edge.time_ms)
    assert edge.faults == [(1, Fault.TIMEOUT), (2, Fault.TIMEOUT)]


def test_all_bots_that_vanish_together_are_not_to_blame(edge: Edge) -> None:
    first, second = edge.join("alpha"), edge.join("beta")
    assert not edge.sessions.vanished_together
    edge.time_ms = 1_000
    edge.session.detach(first)
    assert not edge.sessions.vanished_together
    edge.time_ms = 2_500
    edge.sessions.of("beta").detach(second)
    assert edge.sessions.vanished_together
    edge.time_ms = 60_000
    edge.join("beta")
    assert not edge.sessions.vanished_together
    assert edge.session.away_since_ms == 60_000  # Its grace runs from now on.


def test_who_went_long_before_does_not_make_it_their_fault(edge: Edge) -> None:
    early = edge.join("early")
    first, second = edge.join("alpha"), edge.join("beta")
    edge.sessions.of("early").said_bye = True
    edge.sessions.of("early").detach(early)
    edge.time_ms = 60_000
    edge.session.detach(first)
    edge.sessions.of("beta").detach(second)
    assert edge.sessions.vanished_together
    edge.join("beta")
    assert edge.sessions.of("early").away_since_ms == 0


def test_a_goodbye_shortly_before_does_not_make_it_their_fault(edge: Edge) -> None:
    polite = edge.join("polite")
    first, second = edge.join("alpha"), edge.join("beta")
    edge.sessions.of("polite").said_bye = True
    edge.sessions.of("polite").detach(polite)
    edge.time_ms = 300
    edge.session.detach(first)
    assert not edge.sessions.vanished_together
    edge.sessions.of("beta").detach(second)
    assert edge.sessions.vanished_together


def test_a_bot_that_vanishes_after_the_others_said_goodbye_has_gone_by_itself(edge: Edge) -> None:
    polite, first = edge.join("polite"), edge.join("alpha")
    edge.sessions.of("polite").said_bye = True
    edge.sessions.of("polite").detach(polite)
    edge.session.detach(first)
    assert not edge.sessions.vanished_together


def test_bots_that_go_one_by_one_have_gone_by_themselves(edge: Edge) -> None:
    first, second = edge.join("alpha"), edge.join("beta")
    edge.session.detach(first)
    edge.time_ms = 2_001
    edge.sessions.of("beta").detach(second)
    assert not edge.sessions.vanished_together


def test_comments_are_cleaned_and_cut(asked: tuple[Edge, Connection]) -> None:
    edge, connection = asked
    noted = answer(1)
    noted.comment = "a\x1b[31m\u202eb\n" + "é" * 300
    edge.answer(connection, noted)
    (event,) = edge.events
    assert isinstance(event, Answered)
    assert event.comment.startswith("a [31m b é")
    assert len(event.comment.encode()) <= 200


def test_an_organiser_sees_who_is_here_who_is_away_and_who_never_joined(edge: Edge) -> None:
    stored = EntrantInfo("alpha", "1.0")
    assert edge.sessions.present(stored) == stored
    assert edge.sessions.present(EntrantInfo("unknown")) == EntrantInfo("unknown")
    edge.join()
    connection = edge.join()
    here = EntrantInfo("alpha", "1.0", connected=True, connection_count=2)
    assert edge.sessions.present(stored) == here
    edge.time_ms = 1_000
    edge.session.detach(connection)
    edge.time_ms = 4_500
    away = EntrantInfo("alpha", "1.0", connection_count=2, away_ms=3_500)
    assert edge.sessions.present(stored) == away


def test_after_an_outage_of_the_arenas_the_time_for_a_move_begins_anew() -> None:
    edge = Edge()
    edge.owing(1, per_move_ms=100)
    edge.session.next_frame()
    edge.time_ms = 90
    edge.sessions.forgive()
    edge.session.sweep(190)
    assert edge.events == []
    edge.session.sweep(191)
    assert [type(event) for event in edge.events] == [Faulted]
