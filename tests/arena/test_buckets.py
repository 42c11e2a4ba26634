"""Token buckets: what is in them, and when."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sixtysix_arena.buckets import Bucket, Buckets


def test_a_bucket_is_full_at_first_and_fills_up_again() -> None:
    bucket = Bucket(3, per_second=2)
    assert [bucket.take(1, 1_000) for _ in range(4)] == [True, True, True, False]
    assert not bucket.take(1, 1_499)
    assert bucket.take(1, 1_500)
    assert bucket.level(60_000) == 3


def test_what_is_not_there_is_not_taken_in_part() -> None:
    bucket = Bucket(3, per_second=1)
    assert not bucket.take(4, 0)
    assert bucket.take(3, 0)


def test_a_bucket_may_owe() -> None:
    bucket = Bucket(10, per_second=2)
    assert bucket.spend(14, 0) == -4
    assert bucket.ready_in_ms(1, 0) == 2_500
    assert not bucket.take(1, 2_499)
    assert bucket.take(1, 2_500)


def test_more_than_it_holds_is_ready_when_it_is_full() -> None:
    bucket = Bucket(10, per_second=1)
    assert bucket.ready_in_ms(99, 0) == 0
    bucket.take(1, 0)
    assert bucket.ready_in_ms(99, 0) == 1_000


def test_what_is_given_beyond_the_brim_is_lost() -> None:
    bucket = Bucket(5, per_second=1)
    bucket.spend(2, 0)
    bucket.give(99)
    assert bucket.level(0) == 5


def test_a_clock_that_goes_back_changes_nothing() -> None:
    bucket = Bucket(5, per_second=1)
    bucket.spend(5, 1_000)
    assert bucket.level(0) == 0
    assert bucket.level(2_000) == 1


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.lists(
        st.tuples(st.floats(0, 2_000), st.integers(1, 20), st.booleans()), min_size=1, max_size=60
    )
)
def test_never_more_is_taken_than_the_burst_and_what_flows_in(
    steps: list[tuple[float, int, bool]],
) -> None:
    bucket = Bucket(15, per_second=7)
    now_ms = taken = 0.0
    for pause_ms, count, waits in steps:
        now_ms += pause_ms
        if waits and count <= 15:
            now_ms += bucket.ready_in_ms(count, now_ms) + 1e-6
            assert bucket.take(count, now_ms)
            taken += count
        elif bucket.take(count, now_ms):
            taken += count
        assert taken <= 15 + now_ms / 1_000 * 7 + 1e-6
        assert 0 <= bucket.level(now_ms) <= 15


def test_each_key_has_its_own_bucket() -> None:
    buckets = Buckets[str](1, 1, max_keys=10)
    assert buckets.of("a").take(1, 0)
    assert not buckets.of("a").take(1, 0)
    assert buckets.of("b").take(1, 0)


def test_the_idlest_key_is_forgotten_and_no_more_than_that() -> None:
    buckets = Buckets[int](1, per_second=0.001, max_keys=3)
    for key in (1, 2, 3):
        buckets.of(key).take(1, 0)
    buckets.of(1)
    buckets.of(4)
    assert len(buckets) == 3
    assert [buckets.of(key).level(0) for key in (1, 3)] == [0, 0]
    assert buckets.of(2).level(0) == 1


@pytest.mark.parametrize("count", [10_000])
def test_any_number_of_keys_takes_bounded_memory(count: int) -> None:
    buckets = Buckets[int](1, 1, max_keys=100)
    for key in range(count):
        buckets.of(key).take(1, 0)
    assert len(buckets) == 100
