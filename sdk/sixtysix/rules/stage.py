"""What a deal waits for."""

from __future__ import annotations

from enum import IntEnum

__all__ = ["Stage"]


class Stage(IntEnum):
    """What the seat on turn decides."""

    QUESTION = 0
    """The follower, before the lead: close, claim or pass."""
    LEAD = 1
    ANNOUNCED = 2
    """The leader, after a marriage, with 66 or more: claim or pass."""
    FOLLOW = 3
    OVER = 4
