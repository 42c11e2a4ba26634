"""How far a tournament is, told while it goes on."""

from __future__ import annotations

import sys
import time
from collections import deque
from collections.abc import Callable
from shutil import get_terminal_size

import click

from sixtysix.cli.text import progress_text
from sixtysix.reports import TournamentInfo

__all__ = ["Pace", "ProgressLine"]

WINDOW_S = 10.0
"""The pace is that of the last seconds: it changes as bots come and go."""
QUIET_S = 5.0
"""Where nobody sees a line change, a new one comes this often."""


class Pace:
    """Games a second, and the time that is left at that pace."""

    def __init__(self) -> None:
        self._seen: deque[tuple[float, int]] = deque()

    def add(self, now_s: float, over_count: int) -> None:
        """Notes how many games are over now."""
        self._seen.append((now_s, over_count))
        while len(self._seen) > 2 and self._seen[1][0] <= now_s - WINDOW_S:
            self._seen.popleft()

    @property
    def games_per_s(self) -> float | None:
        """None as long as nothing can be said."""
        if not self._seen:
            return None
        (first_s, first), (last_s, last) = self._seen[0], self._seen[-1]
        return (last - first) / (last_s - first_s) if last_s > first_s else None

    def left_s(self, missing_count: int) -> float | None:
        """How long `missing_count` more games take; None if there is no end in sight."""
        pace = self.games_per_s
        return missing_count / pace if pace else None


class ProgressLine:
    """One line on standard error that changes in place, or without a terminal a line at times."""

    def __init__(self, now_s: Callable[[], float] = time.monotonic) -> None:
        self._now_s = now_s
        self._pace = Pace()
        self._in_place = sys.stderr.isatty()
        self._width = 0
        self._told_s: float | None = None

    def update(self, info: TournamentInfo) -> None:
        """Tells how a tournament stands, unless that would be too much."""
        now_s = self._now_s()
        self._pace.add(now_s, info.games_over_count)
        missing = info.game_count - info.games_over_count
        text = progress_text(info, self._pace.games_per_s, self._pace.left_s(missing))
        if self._in_place:
            self._rewrite(text)
        elif self._told_s is None or now_s - self._told_s >= QUIET_S:
            self._told_s = now_s
            click.echo(text, err=True)

    def close(self) -> None:
        """Takes the line away, so that what comes next has the place."""
        if self._in_place and self._width:
            self._rewrite("")
            click.echo("\r", nl=False, err=True)

    def _rewrite(self, text: str) -> None:
        text = text[: get_terminal_size().columns - 1]
        click.echo(f"\r{text:{self._width}}", nl=False, err=True)
        self._width = len(text)
