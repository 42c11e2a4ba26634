"""What a bot may do too much of, and what becomes of it then; in virtual time."""

from __future__ import annotations

import pytest

from sixtysix_arena.conduct import (
    FLOOD_PATIENCE_MS,
    FLOOD_PAUSE_MS,
    JOIN_BURST,
    USELESS_BURST,
    USELESS_PER_S,
    Conduct,
)


def flood(conduct: Conduct, parts: int, now_ms: float, for_ms: float) -> float | None:
    """Sends without end, as fast as it is read; when that is a flood, or None."""
    until_ms = now_ms + for_ms
    while now_ms < until_ms:
        pause_ms = conduct.wasted(parts, now_ms, whole_frame=True)
        if pause_ms and conduct.floods(now_ms):
            return now_ms
        now_ms += max(pause_ms, 0.1)
    return None


@pytest.mark.parametrize("parts", [1, 100, 1_024])
def test_who_goes_on_floods_however_it_groups(parts: int) -> None:
    conduct = Conduct()
    at_ms = flood(conduct, parts, 0, 60_000)
    assert at_ms is not None
    emptied_ms = USELESS_BURST / parts  # Soon a frame each ms.
    longest_pause_ms = parts / USELESS_PER_S * 1_000
    assert FLOOD_PATIENCE_MS < at_ms < emptied_ms * 2 + FLOOD_PATIENCE_MS + 2 * longest_pause_ms


def test_a_burst_after_a_reconnect_twice_over_is_not_even_slowed_down() -> None:
    conduct = Conduct()
    assert [conduct.wasted(1_024, now_ms, whole_frame=True) for now_ms in (0, 1)] == [0, 0]
    assert not conduct.is_slowed(1)


def test_an_answer_each_to_all_games_is_read_without_a_breath() -> None:
    conduct = Conduct()
    assert [conduct.wasted(1, 0, whole_frame=True) for _ in range(256)] == [0] * 256


def test_frames_without_effect_leave_room_for_the_frames_of_others() -> None:
    conduct = Conduct()
    read, now_ms = 0, 0.0
    while now_ms < 3_000:
        now_ms += conduct.wasted(1, now_ms, whole_frame=True)
        read += 1
    assert read == pytest.approx(256 + 3 * 1_000, rel=0.02)
    assert not conduct.is_slowed(now_ms)


def test_junk_beside_what_has_an_effect_needs_no_breath() -> None:
    conduct = Conduct()
    assert [conduct.wasted(1, 0, whole_frame=False) for _ in range(1_000)] == [0] * 1_000


def test_a_slowed_bot_is_read_at_the_rate_that_flows_in() -> None:
    conduct = Conduct()
    conduct.wasted(USELESS_BURST, 0, whole_frame=True)
    read, now_ms = 0, 0.0
    while now_ms < FLOOD_PATIENCE_MS:
        pause_ms = conduct.wasted(1, now_ms, whole_frame=True)
        read += 1
        now_ms += pause_ms
    assert read == pytest.approx(FLOOD_PATIENCE_MS / 1_000 * USELESS_PER_S, rel=0.02)


def test_who_stops_when_slowed_down_is_forgiven() -> None:
    conduct = Conduct()
    assert conduct.wasted(USELESS_BURST + 10, 0, whole_frame=True) > 0
    assert conduct.is_slowed(0)
    assert conduct.wasted(1, 10_000, whole_frame=True) == 0
    assert not conduct.is_slowed(10_000)
    assert not conduct.floods(60_000)
    # The next time it has its patience anew.
    assert conduct.wasted(2 * USELESS_BURST, 20_000, whole_frame=True) > 0
    assert not conduct.floods(20_000)


@pytest.mark.parametrize("decisions_per_frame", [1, 64, 256])
def test_a_bot_that_is_always_late_and_says_all_twice_never_floods(
    decisions_per_frame: int,
) -> None:
    """However fast: ten thousand frames of decisions a second here."""
    conduct = Conduct()
    for frame in range(5_000):
        conduct.sent(decisions_per_frame)
        for _ in range(2):
            assert conduct.wasted(decisions_per_frame, frame * 0.1, whole_frame=True) == 0


def test_a_bot_that_says_all_five_times_is_slowed_down() -> None:
    conduct = Conduct()
    pauses = []
    for frame in range(2_000):
        conduct.sent(64)
        pauses.append(conduct.wasted(4 * 64, frame * 1.0, whole_frame=True))
    assert any(pauses)


def test_after_a_flood_a_bot_is_barred_for_a_while() -> None:
    conduct = Conduct()
    assert conduct.barred_ms(0) == 0
    conduct.bar(1_000)
    assert conduct.barred_ms(1_000) == FLOOD_PAUSE_MS
    assert conduct.barred_ms(1_000 + FLOOD_PAUSE_MS) == 0
    assert not conduct.floods(1_000)


def test_joins_are_counted_and_come_back_slowly() -> None:
    conduct = Conduct()
    assert [conduct.join(0) for _ in range(JOIN_BURST)] == [0] * JOIN_BURST
    wait_ms = conduct.join(0)
    assert wait_ms == pytest.approx(10_000)
    assert conduct.join(wait_ms / 2) > 0
    assert conduct.join(wait_ms) == 0
    assert conduct.join(wait_ms) > 0


def test_joins_in_a_short_while_wait_longer_and_longer() -> None:
    conduct = Conduct()
    paces = []
    for _ in range(10):
        assert conduct.join(0) == 0
        paces.append(conduct.join_pace_ms(0))
    assert paces == [0] * 5 + [200, 400, 600, 800, 1_000]
    assert conduct.join(100_000) == 0
    assert conduct.join_pace_ms(100_000) == 0


def test_a_connection_that_we_broke_is_not_counted() -> None:
    conduct = Conduct()
    for _ in range(3 * JOIN_BURST):
        assert conduct.join(0) == 0
        conduct.pardon()


def test_a_new_connection_is_read_from() -> None:
    conduct = Conduct()
    conduct.wasted(2 * USELESS_BURST, 0, whole_frame=True)
    assert conduct.is_slowed(1)
    conduct.joined()
    assert not conduct.is_slowed(1)
