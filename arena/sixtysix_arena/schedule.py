"""From entrants to all games of a round robin, in order, before the first is played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sixtysix.circle import circle

__all__ = ["ScheduledGame", "round_robin"]


@dataclass(frozen=True, slots=True)
class ScheduledGame:
    """A game to play: `number` and `round` count from 1, `game_index` from 0 in its pairing."""

    number: int
    round: int
    entrants: tuple[str, str]
    """By seat; seat 0 has the lower id."""
    game_index: int

    @property
    def first_dealer(self) -> int:
        """The seat that deals first: each in half of the games of a pairing."""
        return self.game_index % 2


def round_robin(entrants: Sequence[str], games_per_pairing: int) -> tuple[ScheduledGame, ...]:
    """Return every game of a tournament, ordered by round, pairing and game index.

    The order of `entrants` does not matter. With an odd number of them each
    sits out one round. Raises ValueError for fewer than two entrants, for one
    listed twice, and if `games_per_pairing` is not even and positive.
    """
    _check(entrants, games_per_pairing)
    games: list[ScheduledGame] = []
    for round_number, pairings in enumerate(circle(entrants), start=1):
        for pairing in pairings:
            for game_index in range(games_per_pairing):
                games.append(ScheduledGame(len(games) + 1, round_number, pairing, game_index))
    return tuple(games)


def _check(entrants: Sequence[str], games_per_pairing: int) -> None:
    if len(entrants) < 2:
        raise ValueError(f"a tournament needs at least two entrants, got {len(entrants)}")
    seen: set[str] = set()
    for entrant in entrants:
        if entrant in seen:
            raise ValueError(f"entrant {entrant!r} is listed twice; list each entrant once")
        seen.add(entrant)
    if games_per_pairing < 2 or games_per_pairing % 2:
        raise ValueError(
            "games_per_pairing must be even and at least 2, so that both entrants of a pairing "
            f"deal first equally often, got {games_per_pairing}"
        )
