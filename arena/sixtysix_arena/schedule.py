"""From entrants to all games of a round robin, in order, before the first is played."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

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
    for round_number, pairings in enumerate(_circle(sorted(entrants, key=str.encode)), start=1):
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


def _circle(entrants: list[str]) -> Iterator[list[tuple[str, str]]]:
    """Yield the pairings of each round: one place is fixed, the others turn around it."""
    ring: list[str | None] = [*entrants]
    if len(ring) % 2:
        # Whoever is paired with nobody has a bye.
        ring.append(None)
    half = len(ring) // 2
    for _ in range(len(ring) - 1):
        pairings = []
        for one, other in zip(ring[:half], reversed(ring[half:]), strict=True):
            if one is not None and other is not None:
                low, high = sorted((one, other), key=str.encode)
                pairings.append((low, high))
        yield pairings
        ring[1:] = [ring[-1], *ring[1:-1]]
