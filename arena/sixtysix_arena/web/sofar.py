"""What can be told of a tournament while no round is complete, and nobody is ranked."""

from __future__ import annotations

from sixtysix.reports import TournamentInfo
from sixtysix_arena.queries import StoredArena
from sixtysix_arena.store import GamesSoFar

__all__ = ["games_so_far"]

ENTRANTS_COUNT = 30
"""With more entrants rounds are large: a table that is sent with every game would be too."""


def games_so_far(
    stored: StoredArena, info: TournamentInfo, round_count: int
) -> tuple[GamesSoFar, ...]:
    """How the games came out that are over, by entrant; nothing where that is not shown.

    That is where a board can be shown, where no game is over, and where entrants are many.
    """
    if round_count or not info.games_over_count or len(info.entrants) > ENTRANTS_COUNT:
        return ()
    return stored.games_so_far(info.slug)
