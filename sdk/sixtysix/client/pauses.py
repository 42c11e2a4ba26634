"""How long a bot waits before it tries an arena again."""

from __future__ import annotations

import random
from collections.abc import Callable

__all__ = ["MOST_WAIT_S", "Pauses"]

MOST_WAIT_S = 60.0
"""However long an arena asks a bot to wait."""


class Pauses:
    """Pauses in seconds, each drawn from a span that doubles from `first_s` up to `most_s`.

    From all of the span, so that many bots that lost one arena at once come
    back one by one, from the first try on.
    """

    def __init__(
        self, first_s: float, most_s: float, chance: Callable[[], float] = random.random
    ) -> None:
        """`chance` draws from 0 up to 1."""
        self._first_s = self._span_s = min(first_s, most_s)
        self._most_s = most_s
        self._chance = chance

    def next(self, asked_s: float = 0.0) -> float:
        """The next pause; at least `asked_s`, if the arena asked for that."""
        span_s = self._span_s
        self._span_s = min(self._most_s, 2 * span_s)
        return min(asked_s, MOST_WAIT_S) + self._chance() * span_s

    def reset(self) -> None:
        """Starts small again: the last connection was a good one."""
        self._span_s = self._first_s
