"""Which game starts when, and what becomes of absent bots, in virtual time."""

from __future__ import annotations

from dataclasses import replace

from support.hall import Hall, run

from sixtysix.outcome import Fault, GameEnd
from sixtysix.v1 import play_pb2


def test_games_start_in_schedule_order_as_bots_have_room() -> None:
    hall = Hall("a", "b", "c", games_per_pairing=4, games_at_once=2)

    async def play() -> None:
        for name in ("a", "b", "c"):
            hall.join(name, games=0)  # No room yet, so that all are there when it starts.
        assert hall.opened == []
        for name in ("a", "b", "c"):
            presence = hall.sessions.of(name).presence
            assert presence is not None
            hall.sessions.of(name).presence = replace(presence, games_at_once=64)
        hall.live.fill()
        await hall.settle()
        # Round 1 pairs b and c; a has nobody with room left until they are done.
        first_pair = hall.schedule[0].entrants
        assert hall.opened == hall.numbers(*first_pair)[:2]
        await hall.play(until_over=12)

    run(hall, play)
    assert hall.finished
    assert sorted(hall.outcomes) == list(range(1, 13))
    for pair in (("a", "b"), ("a", "c"), ("b", "c")):
        started = [number for number in hall.opened if number in hall.numbers(*pair)]
        assert started == hall.numbers(*pair)


def test_a_bot_is_never_in_more_games_than_it_offered() -> None:
    hall = Hall("a", "b", "c", games_per_pairing=10, games_at_once=64)

    async def play() -> None:
        hall.join("a", games=3)
        hall.join("b")
        hall.join("c", games=5)
        await hall.settle()
        assert hall.sessions.of("a").game_count == 3
        assert hall.sessions.of("c").game_count == 5
        await hall.play(until_over=30)

    run(hall, play)
    assert hall.sessions.of("a").game_count == 0


def test_a_bot_that_never_joins_is_a_no_show_once_nothing_else_can_be_played() -> None:
    hall = Hall("absent", "b", "c")

    async def play() -> None:
        hall.join("b")
        hall.join("c")
        await hall.at(600)
        assert hall.outcomes == {}  # b and c are still at it.
        await hall.play(until_over=2)
        await hall.at(700)

    run(hall, play)
    assert hall.finished
    no_shows = {**hall.outcomes}
    for number in hall.numbers("b", "c"):
        assert no_shows.pop(number).end is GameEnd.TARGET
    assert {outcome.fault for outcome in no_shows.values()} == {Fault.NO_SHOW}
    assert {outcome.reason for outcome in no_shows.values()} == {
        "absent did not join within 500 ms"
    }


def test_a_bot_that_was_here_before_the_tournament_and_is_not_now_has_to_join() -> None:
    hall = Hall("early", "b")

    async def play() -> None:
        hall.join("early")
        hall.go("early")
        hall.live = hall.make_live(hall.stored())
        hall.join("b")
        await hall.at(490)
        assert hall.outcomes == {}
        await hall.at(520)

    run(hall, play)
    assert {outcome.fault for outcome in hall.outcomes.values()} == {Fault.NO_SHOW}


def test_a_house_bot_is_given_the_time_that_the_arena_takes_to_start_it() -> None:
    hall = Hall("house:slow", "b")

    async def play() -> None:
        hall.join("b")
        await hall.at(20_000)
        assert hall.outcomes == {}
        hall.join("house:slow")
        await hall.play(until_over=2)

    run(hall, play)
    assert {outcome.end for outcome in hall.outcomes.values()} == {GameEnd.TARGET}


def test_until_the_window_for_joining_closes_nobody_is_a_no_show() -> None:
    hall = Hall("late", "b")

    async def play() -> None:
        hall.join("b")
        await hall.at(490)
        assert hall.outcomes == {}
        assert hall.live.waiting_for == "waiting for late"
        hall.live.entrants.disabled["late"] = "it was disabled"
        assert hall.live.waiting_for == ""  # Nobody does that for a bot which may not play.
        hall.live.entrants.disabled.clear()
        hall.join("late")
        assert hall.live.waiting_for == ""
        await hall.play(until_over=2)

    run(hall, play)
    assert all(outcome.end is GameEnd.TARGET for outcome in hall.outcomes.values())


def test_games_of_two_bots_that_never_join_are_void() -> None:
    hall = Hall("a", "b")

    async def play() -> None:
        await hall.at(520)

    run(hall, play)
    assert hall.finished
    assert {outcome.end for outcome in hall.outcomes.values()} == {GameEnd.VOID}
    assert hall.outcomes[1].reason == ("a did not join within 500 ms; b did not join within 500 ms")


def test_live_games_of_a_bot_that_is_away_for_the_grace_are_forfeited() -> None:
    hall = Hall("a", "b", "c")

    async def play() -> None:
        for name in ("a", "b", "c"):
            hall.join(name)
        await hall.settle()
        hall.go("a")
        await hall.at(100)
        assert hall.outcomes == {}
        await hall.at(120)

    run(hall, play)
    lost = hall.numbers("a", "b") + hall.numbers("a", "c")
    assert sorted(hall.outcomes) == sorted(lost)
    for number, outcome in hall.outcomes.items():
        winner = hall.schedule[number - 1].entrants[outcome.winner or 0]
        assert winner != "a"
        assert outcome.fault is Fault.DISCONNECT
        assert outcome.reason == "a was away for more than 100 ms"


def test_due_games_of_an_absent_bot_wait_and_are_played_when_it_is_back() -> None:
    hall = Hall("a", "b", "c", games_per_pairing=2, games_at_once=1)

    async def play() -> None:
        for name in ("a", "b", "c"):
            hall.join(name)
        await hall.settle()
        hall.go("a")
        await hall.at(150)
        forfeited = set(hall.outcomes)
        assert len(forfeited) <= 1  # Only what was live.
        hall.join("a")
        await hall.play(until_over=6)
        assert {
            number for number, outcome in hall.outcomes.items() if outcome.end is GameEnd.FORFEIT
        } == forfeited

    run(hall, play)
    assert hall.finished


def test_when_only_games_of_an_absent_bot_remain_they_wait_another_grace() -> None:
    hall = Hall("a", "b", games_per_pairing=4, games_at_once=1)

    async def play() -> None:
        hall.join("a")
        hall.join("b")
        await hall.settle()
        hall.go("a")
        await hall.at(130)
        assert sorted(hall.outcomes) == [1]
        await hall.at(200)
        assert sorted(hall.outcomes) == [1]
        await hall.at(260)

    run(hall, play)
    assert sorted(hall.outcomes) == [1, 2, 3, 4]
    assert hall.outcomes[2].fault is Fault.DISCONNECT
    assert hall.outcomes[2].reason == "a was away when only its games were left"


def test_a_live_game_in_which_both_are_away_past_the_grace_is_void() -> None:
    hall = Hall("a", "b", "c", "d")

    async def play() -> None:
        for name in ("a", "b", "c", "d"):
            hall.join(name)
        await hall.settle()
        hall.go("a")
        await hall.at(50)
        hall.go("b")
        await hall.at(120)
        # a's grace is over, b's is not: who pays is not known yet.
        assert not set(hall.numbers("a", "b")) & set(hall.outcomes)
        await hall.at(200)

    run(hall, play)
    for number in hall.numbers("a", "b"):
        assert hall.outcomes[number].end is GameEnd.VOID
    for number in hall.numbers("a", "c"):
        assert hall.outcomes[number].fault is Fault.DISCONNECT


def test_when_all_bots_vanish_together_everything_waits() -> None:
    hall = Hall("a", "b", "c")

    async def play() -> None:
        for name in ("a", "b", "c"):
            hall.join(name)
        await hall.settle()
        for name in ("a", "b", "c"):
            hall.go(name)
        await hall.at(5_000)
        assert hall.outcomes == {}
        for name in ("a", "b", "c"):
            hall.join(name)
        await hall.play(until_over=6)

    run(hall, play)
    assert {outcome.end for outcome in hall.outcomes.values()} == {GameEnd.TARGET}


def test_a_goodbye_costs_the_due_games_too() -> None:
    hall = Hall("a", "b", games_per_pairing=4, games_at_once=1)

    async def play() -> None:
        hall.join("a")
        hall.join("b")
        await hall.settle()
        bye = play_pb2.BotFrame(bye=play_pb2.BotBye()).SerializeToString()
        hall.sessions.of("a").receive(hall.connections["a"], bye)
        hall.go("a")
        await hall.settle()
        await hall.at(30)

    run(hall, play)
    assert sorted(hall.outcomes) == [1, 2, 3, 4]
    assert {outcome.fault for outcome in hall.outcomes.values()} == {Fault.LEFT}


def test_a_bot_that_says_goodbye_gets_no_more_games_while_its_stream_is_open() -> None:
    hall = Hall("a", "b", games_per_pairing=4, games_at_once=1)

    async def play() -> None:
        hall.join("a")
        hall.join("b")
        await hall.settle()
        bye = play_pb2.BotFrame(bye=play_pb2.BotBye()).SerializeToString()
        hall.sessions.of("a").receive(hall.connections["a"], bye)
        await hall.settle()
        assert hall.opened == [1]
        hall.go("a")
        await hall.at(30)

    run(hall, play)
    assert {outcome.fault for outcome in hall.outcomes.values()} == {Fault.LEFT}


def test_a_bot_that_does_not_play_the_rule_set_is_a_no_show_with_that_reason() -> None:
    hall = Hall("a", "b")

    async def play() -> None:
        hall.join("a", rulesets=["classic"])
        hall.join("b")
        await hall.at(520)

    run(hall, play)
    assert {(outcome.fault, outcome.reason) for outcome in hall.outcomes.values()} == {
        (Fault.NO_SHOW, "a does not play last-trick")
    }


def test_after_a_restart_bots_have_the_time_for_joining_to_come_back() -> None:
    hall = Hall("a", "b", versions={"a": "1", "b": "1"})

    async def play() -> None:
        hall.join("b")
        await hall.at(510)
        assert hall.outcomes == {}
        await hall.at(620)

    run(hall, play)
    assert {outcome.fault for outcome in hall.outcomes.values()} == {Fault.DISCONNECT}


def test_after_a_restart_nobody_is_charged_before_one_is_back() -> None:
    hall = Hall("a", "b", "c", versions={"a": "1", "b": "1", "c": "1"})

    async def play() -> None:
        await hall.at(5_000)
        assert hall.outcomes == {}
        hall.join("a")
        await hall.at(5_090)
        hall.join("b")
        await hall.play(until_over=2)
        assert [outcome.end for outcome in hall.outcomes.values()] == [GameEnd.TARGET] * 2
        await hall.at(5_190)
        assert len(hall.outcomes) == 2
        await hall.at(5_300)

    run(hall, play)
    faults = [outcome.fault for outcome in hall.outcomes.values()]
    assert faults == [None] * 2 + [Fault.DISCONNECT] * 4


def test_after_a_restart_nobody_is_a_no_show_before_one_is_there() -> None:
    """Even if the power took with it that anybody had joined."""
    hall = Hall("a", "b")
    hall.live = hall.make_live(hall.stored(), after_restart=True)

    async def play() -> None:
        await hall.at(5_000)
        assert hall.outcomes == {}
        hall.join("a")
        await hall.at(5_090)
        assert hall.outcomes == {}
        await hall.at(5_300)

    run(hall, play)
    assert {outcome.fault for outcome in hall.outcomes.values()} == {Fault.NO_SHOW}


def test_another_version_does_not_go_on_with_a_tournament() -> None:
    hall = Hall("a", "b", versions={"a": "0.9"})  # Its bots join as version 1.

    async def play() -> None:
        hall.join("a")
        hall.join("b")
        await hall.at(520)

    run(hall, play)
    assert {(outcome.fault, outcome.reason) for outcome in hall.outcomes.values()} == {
        (Fault.NO_SHOW, "a joined as version '0.9' and is another now")
    }
