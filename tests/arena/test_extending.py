"""More time to join: what is noted is read back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sixtysix_arena.extending import extension_of, extension_text


@pytest.mark.parametrize(
    ("by_ms", "told"),
    [
        (5_000, "by 5 s"),
        (90_000, "by 1 min 30 s"),
        (3_600_000, "by 1 h"),
        (3_661_500, "by 1 h 1 min 1.5 s"),
        (1, "by 0.001 s"),
    ],
)
def test_a_time_is_told_as_people_say_it(by_ms: int, told: str) -> None:
    assert extension_text(by_ms, "") == told
    assert extension_text(by_ms, "rain: much") == f"{told}: rain: much"


@given(st.integers(1, 10**9), st.text(max_size=40))
def test_what_is_noted_is_read_back(by_ms: int, reason: str) -> None:
    assert extension_of(extension_text(by_ms, reason)) == (by_ms, reason)


@pytest.mark.parametrize(
    "text", ["", "by", "by ", "by 5", "by s", "5 s", "by 5 s more", "by 1 min 5", "by 1 min "]
)
def test_another_text_is_none(text: str) -> None:
    assert extension_of(text) is None
