"""The circle method: who meets whom in which round, when everybody meets everybody once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

__all__ = ["circle"]


def circle(entrants: Sequence[str]) -> Iterator[tuple[tuple[str, str], ...]]:
    """Yields the pairings of each round, those of a round in order, the lower id first.

    The order of `entrants` does not matter: places are taken in ascending
    order of the ids' UTF-8 bytes. One place is fixed, the others turn around
    it. With an odd number of entrants each sits out one round.
    """
    ring: list[str | None] = [*sorted(entrants, key=str.encode)]
    if len(ring) % 2:
        ring.append(None)  # Whoever is paired with nobody has a bye.
    half = len(ring) // 2
    for _ in range(len(ring) - 1):
        pairings = []
        for one, other in zip(ring[:half], reversed(ring[half:]), strict=True):
            if one is not None and other is not None:
                low, high = sorted((one, other), key=str.encode)
                pairings.append((low, high))
        yield tuple(pairings)
        ring[1:] = [ring[-1], *ring[1:-1]]
