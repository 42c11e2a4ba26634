"""What a bot may do too much of: joining, and sending what has no effect. Pure.

Play that has an effect is never slowed down, however fast it is. What has none
(an answer to what is not open, a frame with nothing in it, a leave of a game
that is not played) is paid for from a bucket. When that is empty the bot is
slowed down to what flows back; if it still goes on, it floods. Before that,
frames without effect are only kept from crowding out what others send.

A bot that is late, or answers twice, is no flood: each decision that it is
sent pays for some answers that come to nothing, so that no speed of play and
no number of time-outs empties the bucket.
"""

from __future__ import annotations

from sixtysix_arena.buckets import Bucket

__all__ = ["FLOOD_PAUSE_MS", "JOIN_BURST", "USELESS_BURST", "USELESS_PER_S", "Conduct"]

USELESS_BURST = 4_096
"""Answers without effect at once: four frames full of them. After a loss of connection, or
when all its games end at a stroke, an honest bot has as many as it owed decisions."""
USELESS_PER_S = 256.0
"""Answers without effect for good: about a fifteenth of a core, if each has its own frame."""
USELESS_PER_DECISION = 2
"""Answers without effect that a decision pays for: one too late, and one said twice."""
USELESS_FRAMES_BURST = 256
"""Frames without effect at once: one for each game, if a bot puts each answer in its own."""
USELESS_FRAMES_PER_S = 1_000.0
"""Frames without effect for good: a frame costs more than what is in it, and all share a core."""
RECOVERED = USELESS_BURST / 4
"""A bot that has got so much back, having been slowed down, has stopped."""
FLOOD_PATIENCE_MS = 5_000.0
"""Who goes on for so long while it is slowed down does not do so by mistake."""
FLOOD_PAUSE_MS = 5_000.0
"""After a flood a bot is let in again: in time for the usual grace, and not at once."""

JOIN_BURST = 30
"""Joins at once: an unsteady line, or an author who tries things out, needs fewer."""
EASY_JOINS = 5
"""Of these, as many are let in at once; each further one waits a little longer."""
JOIN_PACE_MS = 200.0
JOINS_PER_S = 0.1
"""Joins for good. Each starts the time for a move anew, so they have to have an end."""


class Conduct:
    """The conduct of one bot, whichever its connection."""

    def __init__(self) -> None:
        self._useless = Bucket(USELESS_BURST, USELESS_PER_S)
        self._useless_frames = Bucket(USELESS_FRAMES_BURST, USELESS_FRAMES_PER_S)
        self._joins = Bucket(JOIN_BURST, JOINS_PER_S)
        self._slowed_since_ms: float | None = None
        self._quiet_until_ms = 0.0
        self._barred_until_ms = 0.0

    # What it sends.

    def sent(self, decision_count: int) -> None:
        """The bot is sent a frame of decisions, and may answer them in vain."""
        self._useless.give(USELESS_PER_DECISION * decision_count)
        self._useless_frames.give(USELESS_PER_DECISION)

    def wasted(self, count: int, now_ms: float, *, whole_frame: bool) -> float:
        """The bot sent so much without effect, perhaps a frame with nothing else in it.

        Returns for how many ms nothing more is to be read from it.
        """
        breath_ms = 0.0
        if whole_frame and self._useless_frames.spend(1, now_ms) < 0:
            breath_ms = self._useless_frames.ready_in_ms(0, now_ms)
        bucket = self._useless
        if bucket.level(now_ms) >= RECOVERED:
            self._slowed_since_ms = None
        if bucket.spend(count, now_ms) > 0:
            return breath_ms
        if self._slowed_since_ms is None:
            self._slowed_since_ms = now_ms
        pause_ms = bucket.ready_in_ms(1, now_ms)
        self._quiet_until_ms = now_ms + pause_ms
        return max(pause_ms, breath_ms)

    def is_slowed(self, now_ms: float) -> bool:
        """Whether nothing is read from the bot at present."""
        return now_ms < self._quiet_until_ms

    def floods(self, now_ms: float) -> bool:
        """Whether the bot went on for too long while it was slowed down."""
        since_ms = self._slowed_since_ms
        return since_ms is not None and now_ms - since_ms > FLOOD_PATIENCE_MS

    def bar(self, now_ms: float) -> None:
        """The bot was sent away for flooding."""
        self._barred_until_ms = now_ms + FLOOD_PAUSE_MS
        self._slowed_since_ms = None
        self._quiet_until_ms = 0.0

    # How it comes.

    def barred_ms(self, now_ms: float) -> float:
        """For how many ms the bot, having flooded, is not let in; 0 if it is."""
        return max(0.0, self._barred_until_ms - now_ms)

    def join(self, now_ms: float) -> float:
        """Counts a try to join; for how many ms there can be no other, 0 if this one may be."""
        if self._joins.take(1, now_ms):
            return 0.0
        return self._joins.ready_in_ms(1, now_ms)

    def join_pace_ms(self, now_ms: float) -> float:
        """For how many ms a join that was counted waits, so that it costs others nothing."""
        recent = JOIN_BURST - self._joins.level(now_ms)
        return JOIN_PACE_MS * max(0.0, recent - EASY_JOINS)

    def joined(self) -> None:
        """The bot has a new connection, which is read from."""
        self._quiet_until_ms = 0.0

    def pardon(self) -> None:
        """Gives a join back: that the last connection ended was our fault."""
        self._joins.give(1)
