"""What an entrant's games came to: the counts that every board shows."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from sixtysix.outcome import Fault, GameEnd, GameOutcome

__all__ = ["EntrantTally"]


@dataclass(slots=True)
class EntrantTally:
    """One entrant's games so far, from its side of the table.

    Void games are counted and nothing else of them; a fault is counted for
    whoever lost by it. Points are game points.
    """

    won: int = 0
    drawn: int = 0
    lost: int = 0
    deals: int = 0
    game_points_for: int = 0
    game_points_against: int = 0
    void: int = 0
    faults: Counter[Fault] = field(default_factory=Counter)

    @property
    def games(self) -> int:
        """The games that are rated."""
        return self.won + self.drawn + self.lost

    def add(self, seat: int, outcome: GameOutcome) -> None:
        """Counts a game in which the entrant had this seat."""
        if outcome.end is GameEnd.VOID:
            self.void += 1
            return
        self.deals += outcome.deal_count
        self.game_points_for += outcome.score[seat]
        self.game_points_against += outcome.score[1 - seat]
        if outcome.winner is None:
            self.drawn += 1
        elif outcome.winner == seat:
            self.won += 1
        else:
            self.lost += 1
            if outcome.fault is not None:
                self.faults[outcome.fault] += 1
