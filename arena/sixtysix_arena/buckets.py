"""Token buckets: how much of something is too much. Pure arithmetic on moments that are handed in.

Written here since the libraries for it read a clock of their own (`limits` the
wall clock, `aiolimiter` the event loop's), so that a test would have to wait,
and since none of them lets a bucket owe, which is how a frame is paid for that
has been read already.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

__all__ = ["Bucket", "Buckets"]

Key = TypeVar("Key", bound=Hashable)


class Bucket:
    """Holds at most `capacity` tokens, is full at first, and gets `per_second` of them back.

    Moments are milliseconds of a monotonic clock. One that lies before another
    counts as that other.
    """

    __slots__ = ("_at_ms", "_level", "capacity", "per_second")

    def __init__(self, capacity: float, per_second: float) -> None:
        self.capacity = capacity
        self.per_second = per_second
        self._level = capacity
        self._at_ms: float | None = None

    def level(self, now_ms: float) -> float:
        """The tokens that are there; fewer than none if it owes some."""
        if self._at_ms is None:
            self._at_ms = now_ms
        elif now_ms > self._at_ms:
            gained = (now_ms - self._at_ms) / 1_000 * self.per_second
            self._level = min(self.capacity, self._level + gained)
            self._at_ms = now_ms
        return self._level

    def take(self, count: float, now_ms: float) -> bool:
        """Takes so many tokens if they are all there; says whether they were."""
        if self.level(now_ms) < count:
            return False
        self._level -= count
        return True

    def spend(self, count: float, now_ms: float) -> float:
        """Takes so many tokens, there or not; returns what is left, as `level` does."""
        self._level = self.level(now_ms) - count
        return self._level

    def give(self, count: float) -> None:
        """Puts tokens in; what does not fit is lost."""
        self._level = min(self.capacity, self._level + count)

    def ready_in_ms(self, count: float, now_ms: float) -> float:
        """How long until so many tokens, at most all it holds, are there; 0 if they are."""
        missing = min(count, self.capacity) - self.level(now_ms)
        return max(0.0, missing / self.per_second * 1_000)


class Buckets(Generic[Key]):
    """A bucket for each key, the same for all; beyond `max_keys` the idlest is forgotten."""

    def __init__(self, capacity: float, per_second: float, max_keys: int) -> None:
        self._capacity = capacity
        self._per_second = per_second
        self._max_keys = max_keys
        self._buckets: OrderedDict[Key, Bucket] = OrderedDict()

    def __len__(self) -> int:
        return len(self._buckets)

    def of(self, key: Key) -> Bucket:
        """The bucket of a key, as it was left; a full one if it was forgotten."""
        bucket = self._buckets.get(key)
        if bucket is None:
            bucket = self._buckets[key] = Bucket(self._capacity, self._per_second)
            if len(self._buckets) > self._max_keys:
                self._buckets.popitem(last=False)
        else:
            self._buckets.move_to_end(key)
        return bucket
