"""What comes from one address, and how much of that is too much.

An address is what tells apart those who need no token, so several people may
share one: the limits are generous, and whoever has the right token is never
held up by what others do from the same address.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from sixtysix_arena.buckets import Buckets
from sixtysix_arena.errors import TooOften
from sixtysix_arena.server.peers import network_of

__all__ = ["Callers"]

MAX_ADDRESSES = 10_000
"""Some 4 MB. Of more the idlest is forgotten, and may then do again what it did."""
WRONG_TOKEN_BURST = 100
WRONG_TOKENS_PER_S = 1.0
"""Nobody finds 256 bits by trying; this keeps the trying from costing us more than it does."""
CALL_BURST = 1_000
CALLS_PER_S = 100.0
"""Calls without a token: a page of a tournament's games each, say."""
MAX_STREAMS = 100
"""Streams open at once without a token: a class room that watches one tournament."""

TOO_MANY_WRONG_TOKENS = "too many wrong tokens came from this address: come back later"
TOO_MANY_CALLS = "too many calls came from this address: come back later"
TOO_MANY_STREAMS = (
    f"{MAX_STREAMS} streams from this address are open already: end one, or come back later"
)
STREAM_WAIT_MS = 5_000.0


class Callers:
    """The callers of one server, by their address. Raises TooOften."""

    def __init__(self, now_ms: Callable[[], float]) -> None:
        self._now_ms = now_ms
        self._wrong_tokens = Buckets[str](WRONG_TOKEN_BURST, WRONG_TOKENS_PER_S, MAX_ADDRESSES)
        self._calls = Buckets[str](CALL_BURST, CALLS_PER_S, MAX_ADDRESSES)
        self._streams: dict[str, int] = {}

    def wrong_token(self, peer: str) -> None:
        """Counts a token that is nobody's."""
        self._count(self._wrong_tokens, peer, TOO_MANY_WRONG_TOKENS)

    def call(self, peer: str) -> None:
        """Counts a call without a token."""
        self._count(self._calls, peer, TOO_MANY_CALLS)

    @contextmanager
    def stream(self, peer: str) -> Iterator[None]:
        """Counts a stream without a token for as long as it is open."""
        network = network_of(peer)
        count = self._streams.get(network, 0)
        if count >= MAX_STREAMS:
            raise TooOften(TOO_MANY_STREAMS, STREAM_WAIT_MS)
        self._streams[network] = count + 1
        try:
            yield
        finally:
            self._streams[network] -= 1
            if not self._streams[network]:
                del self._streams[network]

    def _count(self, buckets: Buckets[str], peer: str, text: str) -> None:
        now_ms = self._now_ms()
        bucket = buckets.of(network_of(peer))
        if not bucket.take(1, now_ms):
            raise TooOften(text, bucket.ready_in_ms(1, now_ms))
