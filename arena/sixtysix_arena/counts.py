"""What an arena counts of itself while it plays: plain numbers, for whoever shows them.

They are counted on the event loop and may be read from any thread. Nothing in
here is anybody's name: what is counted by a key is counted by one of ours.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from sixtysix_arena.store import rows

__all__ = ["Counts", "Histogram"]


class Histogram:
    """How many values were up to each bound, and their sum."""

    __slots__ = ("_bounds", "_counts", "sum")

    def __init__(self, bounds: Sequence[float]) -> None:
        self._bounds = tuple(bounds)
        self._counts = [0] * (len(self._bounds) + 1)
        self.sum = 0.0

    def observe(self, value: float) -> None:
        """Counts a value."""
        self._counts[bisect_left(self._bounds, value)] += 1
        self.sum += value

    @property
    def count(self) -> int:
        """All values."""
        return sum(self._counts)

    def cumulative(self) -> Iterator[tuple[float, int]]:
        """Each bound with the number of values up to it; infinity last, with all of them."""
        total = 0
        for bound, count in zip((*self._bounds, float("inf")), self._counts.copy(), strict=True):
            total += count
            yield bound, total


class Counts:
    """The counts of one arena since its start."""

    def __init__(self) -> None:
        self.answer_ms = Histogram(
            (1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000)
        )
        """What bots were charged for their answers."""
        self.tick_answers = Histogram((1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000))
        """Answers that were committed together."""
        self.commit_s = Histogram((0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 5, 30))
        """How long commits of ticks took."""
        self.lag_s = Histogram((0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10))
        """How late the sweep was."""
        self.faults: Counter[str] = Counter()
        """Faults that cost a game, by kind."""
        self.joins = 0
        """Streams that were welcomed."""
        self.refused_joins: Counter[str] = Counter()
        """Streams that were not, by the name of the status."""
        self.wrong_tokens = 0
        """Calls without the token that they need."""
        self.calls: Counter[tuple[str, str]] = Counter()
        """Calls that ended, by method and the name of the status."""
        self._counted_decisions = 0

    def committed(self, events: Iterable[rows.Event], took_s: float, decisions: int) -> None:
        """Counts a commit that was carried out; `decisions` is the arena's count by now."""
        self.commit_s.observe(took_s)
        if decisions > self._counted_decisions:
            self.tick_answers.observe(decisions - self._counted_decisions)
            self._counted_decisions = decisions
        for event in events:
            if isinstance(event, rows.FaultEvidence):
                self.faults[event.fault] += 1
