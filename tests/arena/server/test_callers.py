"""What comes from one address, and what is too much of it."""

from __future__ import annotations

import pytest

from sixtysix_arena.errors import TooOften
from sixtysix_arena.server.callers import (
    CALL_BURST,
    MAX_STREAMS,
    TOO_MANY_CALLS,
    TOO_MANY_STREAMS,
    TOO_MANY_WRONG_TOKENS,
    WRONG_TOKEN_BURST,
    Callers,
)
from sixtysix_arena.server.peers import address_of, network_of

HERE = "ipv4:10.0.0.1:50000"
NEXT_PORT = "ipv4:10.0.0.1:50001"
ELSEWHERE = "ipv4:10.0.0.2:50000"


class Clock:
    def __init__(self) -> None:
        self.now_ms = 0.0

    def __call__(self) -> float:
        return self.now_ms


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def callers(clock: Clock) -> Callers:
    return Callers(clock)


@pytest.mark.parametrize(
    ("peer", "address", "network"),
    [
        ("ipv4:127.0.0.1:55082", "127.0.0.1:55082", "127.0.0.1"),
        ("ipv6:%5B::1%5D:55912", "[::1]:55912", "::/64"),
        ("ipv6:[2001:db8:1:2:3:4:5:6]:80", "[2001:db8:1:2:3:4:5:6]:80", "2001:db8:1:2::/64"),
        ("ipv6:%5B::ffff:10.1.2.3%5D:5", "[::ffff:10.1.2.3]:5", "10.1.2.3"),
        ("ipv6:%5Bfe80::1%25eth0%5D:99", "[fe80::1%eth0]:99", "fe80::/64"),
        ("unix:/run/arena", "unix:/run/arena", "unix:/run/arena"),
        ("", "", ""),
    ],
)
def test_an_address_has_no_port_and_one_network_counts_once(
    peer: str, address: str, network: str
) -> None:
    assert address_of(peer) == address
    assert network_of(peer) == network


def test_wrong_tokens_have_an_end_at_each_address(callers: Callers, clock: Clock) -> None:
    for _ in range(WRONG_TOKEN_BURST):
        callers.wrong_token(HERE)
    for peer in (HERE, NEXT_PORT):
        with pytest.raises(TooOften, match=f"^{TOO_MANY_WRONG_TOKENS}$") as caught:
            callers.wrong_token(peer)
        assert caught.value.wait_ms == 1_000
    callers.wrong_token(ELSEWHERE)
    callers.call(HERE)
    clock.now_ms = 1_000
    callers.wrong_token(HERE)
    with pytest.raises(TooOften):
        callers.wrong_token(HERE)


def test_reading_has_an_end_that_nobody_reaches_by_reading(callers: Callers, clock: Clock) -> None:
    for _ in range(CALL_BURST):
        callers.call(HERE)
    with pytest.raises(TooOften, match=TOO_MANY_CALLS):
        callers.call(NEXT_PORT)
    callers.call(ELSEWHERE)
    for _ in range(500):
        clock.now_ms += 10
        callers.call(HERE)


def test_streams_are_counted_while_they_are_open(callers: Callers) -> None:
    open_streams = [callers.stream(HERE) for _ in range(MAX_STREAMS)]
    for each in open_streams:
        each.__enter__()
    with pytest.raises(TooOften, match=TOO_MANY_STREAMS), callers.stream(NEXT_PORT):
        pass
    with callers.stream(ELSEWHERE):
        pass
    with pytest.raises(RuntimeError), callers.stream(ELSEWHERE):
        raise RuntimeError
    open_streams.pop().__exit__(None, None, None)
    with callers.stream(HERE):
        pass
    for each in open_streams:
        each.__exit__(None, None, None)
    assert callers._streams == {}
