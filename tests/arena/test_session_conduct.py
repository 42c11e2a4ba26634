"""What becomes of a bot that sends what has no effect, joins too often, or meets a bug of ours."""

from __future__ import annotations

import pytest
from support.edge import Edge, answer

from sixtysix.outcome import Fault, GameEnd, GameOutcome
from sixtysix.v1 import play_pb2
from sixtysix_arena.conduct import (
    FLOOD_PATIENCE_MS,
    FLOOD_PAUSE_MS,
    JOIN_BURST,
    JOIN_PACE_MS,
    USELESS_BURST,
)
from sixtysix_arena.errors import TooOften
from sixtysix_arena.sessions import Bye, Connection

STALE = play_pb2.BotFrame(answers=[answer(999)] * 1_024)
HOUR = 3_600_000


@pytest.fixture
def edge() -> Edge:
    return Edge()


def flood(edge: Edge, connection: Connection, frame: play_pb2.BotFrame = STALE) -> None:
    """Sends as fast as is read, until the arena has had enough."""
    until_ms = edge.time_ms + 60_000
    while not connection.is_over and edge.time_ms < until_ms:
        edge.time_ms += edge.send(connection, frame) or 1
        edge.session.sweep(edge.time_ms)


@pytest.mark.parametrize(
    "frame",
    [
        STALE,
        play_pb2.BotFrame(answers=[answer(999)]),
        play_pb2.BotFrame(),
        play_pb2.BotFrame(hello=play_pb2.Hello(protocol_major=1)),
        play_pb2.BotFrame(leaves=[play_pb2.Leave(game=999)]),
        play_pb2.BotFrame(leaves=[play_pb2.Leave(game=3)] * 10),
    ],
    ids=["stale answers", "a stale answer", "nothing", "a hello", "a leave", "leaves of one game"],
)
def test_fault_row_30_a_flood_costs_what_is_owed_and_the_stream(
    edge: Edge, frame: play_pb2.BotFrame
) -> None:
    connection = edge.owing(1, 2, bank_ms=HOUR, per_move_ms=HOUR)
    edge.start(3)  # Here the opponent is on turn.
    flood(edge, connection, frame)
    left = [(3, Fault.LEFT)] if frame.leaves and frame.leaves[0].game == 3 else []
    assert edge.faults == [*left, (1, Fault.FLOOD), (2, Fault.FLOOD)]
    assert edge.time_ms > FLOOD_PATIENCE_MS
    assert connection.bye is None  # Not before that is stored.
    outcome = GameOutcome(GameEnd.FORFEIT, 1, (0, 0), 0, Fault.FLOOD, "floods")
    for game in (1, 2, 3):
        edge.session.over(game, outcome)
    edge.session.release()
    assert connection.bye is not None
    assert connection.bye.reason == Bye.BYE_REASON_FLOODED
    assert connection.bye.text == (
        "alpha floods: it went on sending what has no effect, beyond 4096 such answers at once and"
        " 256 a second; come back in 5 s"
    )


def test_a_flooder_is_let_in_again_after_a_pause(edge: Edge) -> None:
    connection = edge.owing(1, bank_ms=HOUR, per_move_ms=HOUR)
    flood(edge, connection)
    flooded_ms = edge.time_ms
    with pytest.raises(TooOften, match="was sent away for flooding: come back in") as caught:
        edge.session.knock()
    assert 0 < caught.value.wait_ms <= FLOOD_PAUSE_MS
    edge.time_ms = flooded_ms + FLOOD_PAUSE_MS
    edge.session.knock()
    again = edge.join()
    assert edge.answer(again, answer(999)) == 0


def test_a_decision_that_is_overdue_while_nothing_is_read_is_lost_by_the_flood(edge: Edge) -> None:
    connection = edge.owing(1, 2, per_move_ms=500)
    for _ in range(USELESS_BURST // 1_024):
        pause_ms = edge.send(connection, STALE)
    assert pause_ms > 0
    edge.send(connection, STALE)
    edge.time_ms = 501
    edge.session.sweep(501)
    assert edge.faults == [(1, Fault.FLOOD), (2, Fault.FLOOD)]
    assert connection.is_over


def test_a_bot_that_is_read_again_times_out_like_any_other(edge: Edge) -> None:
    connection = edge.owing(1, per_move_ms=500)
    pause_ms = 0.0
    while not pause_ms:
        pause_ms = edge.answer(connection, answer(999))
    edge.time_ms = 501
    edge.session.sweep(501)
    assert edge.faults == [(1, Fault.TIMEOUT)]
    assert not connection.is_over


@pytest.mark.parametrize("games", [1, 64, 256])
def test_play_that_has_an_effect_is_never_slowed_down(edge: Edge, games: int) -> None:
    """Also if everything is said twice, at ten thousand frames a second."""
    connection = edge.join()
    numbers = range(1, games + 1)
    for game in numbers:
        edge.start(game)
    for _ in range(5_000 // games):
        for game in numbers:
            edge.ask(game)
        edge.session.next_frame()
        answers = [answer(game) for game in numbers]
        assert edge.answer(connection, *answers) == 0
        assert edge.answer(connection, *answers) == 0
        edge.time_ms += 0.1
        assert len(edge.events) == games
        edge.events.clear()


def test_an_effect_in_a_frame_of_junk_counts_while_the_bot_is_slowed_down(edge: Edge) -> None:
    connection = edge.owing(1, bank_ms=HOUR, per_move_ms=HOUR)
    while not edge.send(connection, STALE):
        pass
    edge.answer(connection, *[answer(999)] * 1_000, answer(1))
    assert edge.answered == [1]


def test_fault_row_23_who_joins_without_end_is_refused_and_told_when_to_come_back(
    edge: Edge,
) -> None:
    for _ in range(JOIN_BURST):
        edge.session.knock()
    with pytest.raises(TooOften, match=r"^alpha joined more than 30 times .* come back in 10 s$"):
        edge.session.knock()
    edge.time_ms = 9_999
    with pytest.raises(TooOften, match="come back in 1 s"):
        edge.session.knock()
    edge.time_ms = 10_000
    edge.session.knock()


def test_fault_row_23_what_is_owed_is_lost_if_the_bot_is_away_then(edge: Edge) -> None:
    connection = edge.owing(1, 2)
    edge.start(3)
    for _ in range(JOIN_BURST):
        edge.session.knock()
    edge.session.detach(connection)
    with pytest.raises(TooOften):
        edge.session.knock()
    assert edge.faults == [(1, Fault.DISCONNECT), (2, Fault.DISCONNECT)]
    assert edge.events[0].text == "alpha joined more than 30 times in a short while"  # type: ignore[union-attr]


def test_a_second_program_with_the_same_token_cannot_lose_the_games_of_the_first(
    edge: Edge,
) -> None:
    connection = edge.owing(1)
    for _ in range(JOIN_BURST):
        edge.session.knock()
    with pytest.raises(TooOften):
        edge.session.knock()
    assert edge.faults == []
    edge.answer(connection, answer(1))
    assert edge.answered == [1]


def test_after_a_mistake_of_ours_what_is_owed_is_asked_and_charged_anew(edge: Edge) -> None:
    connection = edge.owing(1, 2, bank_ms=1_000)
    edge.time_ms = 900
    edge.session.excuse()
    edge.session.detach(connection)
    edge.time_ms = 5_000
    edge.session.sweep(5_000)
    assert edge.faults == []
    again = edge.join()
    assert [decision.game for decision in edge.frame().decisions] == [1, 2]
    edge.time_ms = 5_010
    edge.answer(again, answer(1), answer(2))
    assert edge.answered == [1, 2]
    assert [event.charged_ms for event in edge.events] == [5, 5]  # type: ignore[union-attr]


def test_a_mistake_of_ours_leaves_no_decision_half_closed(
    edge: Edge, monkeypatch: pytest.MonkeyPatch
) -> None:
    connection = edge.owing(1, 2, 3)

    def broken(text: str, max_bytes: int) -> str:
        raise RuntimeError("a bug")

    noted = answer(2)
    noted.comment = "strange"
    with monkeypatch.context() as patch:
        patch.setattr("sixtysix_arena.sessions.session.clean", broken)
        with pytest.raises(RuntimeError):
            edge.answer(connection, answer(1), noted, answer(3))
    edge.session.excuse()
    edge.session.detach(connection)
    again = edge.join()
    assert [decision.game for decision in edge.frame().decisions] == [2, 3]
    edge.answer(again, noted, answer(3))
    assert edge.answered == [1, 2, 3]


@pytest.mark.parametrize("is_let_in", [True, False])
def test_time_for_a_move_stands_still_while_a_bot_waits_to_be_let_in(
    edge: Edge, is_let_in: bool
) -> None:
    """Its older stream may be dead, and nobody knows it yet."""
    edge.owing(1, bank_ms=HOUR, per_move_ms=500)
    while not (pace_ms := edge.session.knock()):
        pass
    edge.time_ms += 501
    edge.session.sweep(edge.time_ms)
    assert pace_ms == JOIN_PACE_MS
    assert edge.faults == []
    if is_let_in:
        edge.join()
        edge.frame()
    else:
        edge.session.turned_away()
    edge.time_ms += 500
    edge.session.sweep(edge.time_ms)
    assert edge.faults == []
    edge.time_ms += 1
    edge.session.sweep(edge.time_ms)
    assert edge.faults == [(1, Fault.TIMEOUT)]


def test_a_stream_that_is_turned_away_at_once_gives_no_more_time_for_a_move(edge: Edge) -> None:
    edge.owing(1, bank_ms=HOUR, per_move_ms=500)
    edge.time_ms += 500
    assert edge.session.knock() == 0.0
    edge.session.turned_away()
    edge.time_ms += 1
    edge.session.sweep(edge.time_ms)
    assert edge.faults == [(1, Fault.TIMEOUT)]
