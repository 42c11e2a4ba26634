"""What bots are charged, in virtual time."""

from __future__ import annotations

import pytest

from sixtysix_arena.clocks import MAX_BEAT_GAP_MS, ArenaClock, BotClock


def clock_with(*games: int, bank_ms: float = 1_000, per_move_ms: float = 100) -> BotClock:
    clock = BotClock()
    for game in games:
        clock.open(game, bank_ms=bank_ms, per_move_ms=per_move_ms, now_ms=0)
    return clock


def test_one_open_decision_is_charged_all_of_the_time() -> None:
    clock = clock_with(7)
    assert clock.close(7, 40) == 40
    assert len(clock) == 0


def test_k_open_decisions_are_charged_one_kth_each() -> None:
    clock = clock_with(1, 2)
    assert clock.close(1, 30) == 15
    # From 30 to 50 game 2 was alone.
    assert clock.close(2, 50) == 15 + 20


def test_a_decision_that_opens_later_is_charged_from_then_on() -> None:
    clock = clock_with(1)
    clock.open(2, bank_ms=1_000, per_move_ms=100, now_ms=10)
    assert clock.close(2, 30) == 10
    assert clock.close(1, 30) == 10 + 10


def test_what_is_charged_adds_up_to_the_time_that_something_was_open() -> None:
    clock = clock_with(1, 2, 3)
    charged = clock.close(2, 12) + clock.close(1, 20) + clock.close(3, 33)
    assert charged == pytest.approx(33)


def test_time_without_open_decisions_is_charged_to_nobody() -> None:
    clock = clock_with(1)
    clock.close(1, 10)
    clock.open(2, bank_ms=1_000, per_move_ms=100, now_ms=500)
    assert clock.close(2, 510) == 10


def test_exactly_at_the_limit_of_a_move_is_in_time() -> None:
    clock = clock_with(1, per_move_ms=100)
    assert not clock.overdue(1, 100)
    assert clock.overdue(1, 100.001)


def test_exactly_at_the_end_of_the_bank_is_in_time() -> None:
    clock = clock_with(1, bank_ms=50, per_move_ms=1_000)
    assert not clock.overdue(1, 50)
    assert clock.overdue(1, 50.001)


def test_an_answer_restarts_the_time_for_a_move_of_all_open_decisions() -> None:
    clock = clock_with(1, 2, per_move_ms=100)
    clock.close(1, 90)
    clock.restart(90)
    assert clock.all_overdue(190) == []
    assert clock.all_overdue(191) == [2]


def test_without_an_answer_all_open_decisions_time_out_together() -> None:
    clock = clock_with(1, per_move_ms=100)
    clock.open(2, bank_ms=1_000, per_move_ms=100, now_ms=99)
    assert clock.all_overdue(101) == [1, 2]


def test_the_first_decision_after_idleness_starts_the_time_for_a_move() -> None:
    clock = clock_with(1, per_move_ms=100)
    clock.close(1, 10)
    clock.open(2, bank_ms=1_000, per_move_ms=100, now_ms=5_000)
    assert clock.all_overdue(5_100) == []
    assert clock.all_overdue(5_101) == [2]


def test_while_a_bot_is_away_its_bank_runs_on_and_its_time_for_a_move_stands() -> None:
    clock = clock_with(1, bank_ms=500, per_move_ms=100)
    clock.went_away()
    assert clock.all_overdue(500) == []
    assert clock.all_overdue(501) == [1]


def test_when_a_bot_is_back_its_time_for_a_move_starts_anew() -> None:
    clock = clock_with(1, per_move_ms=100)
    clock.went_away()
    clock.came_back(300)
    assert clock.all_overdue(400) == []
    assert clock.all_overdue(401) == [1]


def test_the_arenas_own_lag_is_not_on_its_clock() -> None:
    raw = 0.0
    clock = ArenaClock(lambda: raw)
    raw = 30.0
    assert clock.now_ms() == 30
    clock.beat()
    raw = 5_030.0  # The loop was blocked for five seconds.
    assert clock.now_ms() == 30 + MAX_BEAT_GAP_MS
    clock.beat()
    assert clock.now_ms() == 30 + MAX_BEAT_GAP_MS
    raw += 20
    assert clock.now_ms() == 30 + MAX_BEAT_GAP_MS + 20


def test_the_arenas_clock_never_goes_back() -> None:
    raw = 0.0
    clock = ArenaClock(lambda: raw)
    last = 0.0
    for step in (10, 200, 3, 49, 51, 1_000, 1):
        raw += step
        if step % 2:
            clock.beat()
        assert clock.now_ms() >= last
        last = clock.now_ms()
