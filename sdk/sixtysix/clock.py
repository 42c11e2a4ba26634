"""The time limits of a game."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Clock"]


@dataclass(frozen=True, slots=True)
class Clock:
    """Time limits in milliseconds, the same for every game of a tournament."""

    per_move_ms: int = 1_000
    """The longest that a bot may owe decisions without answering any."""
    per_game_ms: int = 60_000
    """The bank of thinking time of each bot in each game."""
    grace_ms: int = 10_000
    """How long a bot may be away before its games are forfeited."""
    join_ms: int = 30_000
    """How long the arena waits for entrants that have not joined."""
