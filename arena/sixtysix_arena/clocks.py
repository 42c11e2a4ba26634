"""What time bots are charged: pure arithmetic on moments that are handed in.

Times are milliseconds of a monotonic clock. Two limits run while a bot owes
decisions. The bank of a game: while k decisions of a bot are open, each is
charged 1/k of the time that passes. The time for a move: the longest that a
bot may owe decisions without answering any.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["ArenaClock", "BotClock"]

MAX_BEAT_GAP_MS = 50.0
"""Longer gaps between two beats are the arena's own lag and charged to nobody.

The sweep beats every 20 ms; a loop that is late by more than a few of its
rounds was busy or stopped, and answers that waited meanwhile came in time.
"""


class ArenaClock:
    """A monotonic clock that does not run while the arena itself lags."""

    def __init__(self, monotonic_ms: Callable[[], float]) -> None:
        self._monotonic_ms = monotonic_ms
        self._beat_at = monotonic_ms()
        self._now_at_beat = 0.0

    def now_ms(self) -> float:
        """Milliseconds since the start, the arena's lag left out."""
        gap = self._monotonic_ms() - self._beat_at
        return self._now_at_beat + min(gap, MAX_BEAT_GAP_MS)

    def beat(self) -> None:
        """Says that the arena is alive; to be called every few milliseconds."""
        raw = self._monotonic_ms()
        gap = raw - self._beat_at
        self._now_at_beat += min(gap, MAX_BEAT_GAP_MS)
        self._beat_at = raw


@dataclass(slots=True)
class _Running:
    """The clock of one open decision."""

    shared_at_open: float
    bank_ms: float
    per_move_ms: float


class BotClock:
    """The clocks of one bot's open decisions, each known by its game's number."""

    def __init__(self) -> None:
        self._running: dict[int, _Running] = {}
        self._shared = 0.0  # integral of dt / k: what one open decision is charged
        self._shared_until = 0.0
        self._owing_since = 0.0
        self.is_away = False
        """Whether the time for a move stands still."""

    def __len__(self) -> int:
        return len(self._running)

    def open(self, game: int, *, bank_ms: float, per_move_ms: float, now_ms: float) -> None:
        """Starts the clock of a decision in `game`, when its frame is handed over."""
        self._share(now_ms)
        if not self._running:
            self._owing_since = now_ms
        self._running[game] = _Running(self._shared, bank_ms, per_move_ms)

    def charged(self, game: int, now_ms: float) -> float:
        """What the decision in `game` is charged so far."""
        self._share(now_ms)
        return self._shared - self._running[game].shared_at_open

    def close(self, game: int, now_ms: float) -> float:
        """Stops the clock of the decision in `game`; returns what it is charged."""
        self._share(now_ms)
        return self._shared - self._running.pop(game).shared_at_open

    def restart(self, now_ms: float) -> None:
        """Restarts the time for a move, as a valid answer does, and an outage of the arena's."""
        self._owing_since = now_ms

    def went_away(self) -> None:
        """Stops the time for a move. Banks run on."""
        self.is_away = True

    def came_back(self, now_ms: float) -> None:
        """Starts the time for a move anew."""
        self.is_away = False
        self._owing_since = now_ms

    def overdue(self, game: int, now_ms: float) -> bool:
        """Whether the decision in `game` has timed out; exactly at the limit is in time."""
        owing_ms = 0.0 if self.is_away else now_ms - self._owing_since
        return owing_ms > self._running[game].per_move_ms or self.overdraws(game, now_ms)

    def overdraws(self, game: int, now_ms: float) -> bool:
        """Whether the decision in `game` took more than its bank held."""
        return self.charged(game, now_ms) > self._running[game].bank_ms

    def all_overdue(self, now_ms: float) -> list[int]:
        """The games whose decision has timed out."""
        return [game for game in self._running if self.overdue(game, now_ms)]

    def _share(self, now_ms: float) -> None:
        if self._running and now_ms > self._shared_until:
            self._shared += (now_ms - self._shared_until) / len(self._running)
        self._shared_until = max(now_ms, self._shared_until)
