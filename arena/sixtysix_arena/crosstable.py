"""Who won against whom: all counted games of a tournament by pairing. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sixtysix.outcome import GameEnd
from sixtysix_arena.standings import PlayedGame

__all__ = ["Cell", "cross_table"]


@dataclass(frozen=True, slots=True)
class Cell:
    """The games of two entrants from the side of one; void games count nowhere."""

    won: int = 0
    drawn: int = 0
    lost: int = 0
    game_points_for: int = 0
    game_points_against: int = 0

    @property
    def games(self) -> int:
        """All of them."""
        return self.won + self.drawn + self.lost

    @property
    def share(self) -> float | None:
        """The share won, a draw counting half; None without games."""
        return (self.won + self.drawn / 2) / self.games if self.games else None

    @property
    def turned(self) -> Cell:
        """The same games from the other side."""
        return Cell(self.lost, self.drawn, self.won, self.game_points_against, self.game_points_for)


def cross_table(games: Iterable[PlayedGame]) -> Mapping[tuple[str, str], Cell]:
    """Every pairing twice, from each side: by (row, column) entrant."""
    counts: dict[tuple[str, str], list[int]] = {}
    for game in games:
        outcome = game.outcome
        if outcome.end is GameEnd.VOID:
            continue
        count = counts.setdefault(game.game.entrants, [0, 0, 0, 0, 0])
        count[1 if outcome.winner is None else 2 * outcome.winner] += 1
        count[3] += outcome.score[0]
        count[4] += outcome.score[1]
    table = {}
    for (one, other), count in counts.items():
        cell = Cell(*count)
        table[one, other] = cell
        table[other, one] = cell.turned
    return table
