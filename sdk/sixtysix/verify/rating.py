"""Who can rate a board again: the arena, if it is installed.

It says so through an entry point of the group `sixtysix.rating`, so that the
kit works without it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from sixtysix.outcome import GameOutcome
from sixtysix.record import BoardRecord, RatingParameters, TournamentRecord

__all__ = ["ENTRY_POINTS", "Rater", "installed_rater"]

ENTRY_POINTS = "sixtysix.rating"


class Rater(Protocol):
    """What the entry point gives."""

    @property
    def parameters(self) -> RatingParameters:
        """What it rates with."""
        ...

    def board(
        self, tournament: TournamentRecord, outcomes: Mapping[int, GameOutcome]
    ) -> BoardRecord:
        """The board of a tournament, from the outcomes of its games by their numbers."""
        ...


def installed_rater() -> Rater | None:
    """The installed arena's rater; None if it, or what it needs, is not installed."""
    from importlib.metadata import entry_points  # Not needed by whoever brings a rater.

    for point in entry_points(group=ENTRY_POINTS):
        try:
            rater: Rater = point.load()
        except ModuleNotFoundError:
            continue
        return rater
    return None
