"""Rating a record's board again, for `sixtysix.verify`."""

from __future__ import annotations

import json
from collections.abc import Mapping

from sixtysix.outcome import GameOutcome
from sixtysix.record import BoardRecord, RatingParameters, TournamentRecord
from sixtysix.reports import Board
from sixtysix_arena import ratings, standings
from sixtysix_arena.schedule import ScheduledGame

__all__ = ["PARAMETERS", "RATER", "BoardRater", "board_record"]

PARAMETERS = RatingParameters(
    mu=repr(ratings.MU),
    sigma=repr(ratings.SIGMA),
    beta=repr(ratings.BETA),
    tau=repr(ratings.TAU),
    draw_probability=repr(ratings.DRAW_PROBABILITY),
)
"""What boards are rated with, as records say it."""


class BoardRater:
    """Rates tournaments again; a `sixtysix.verify.Rater`."""

    parameters = PARAMETERS

    def board(
        self, tournament: TournamentRecord, outcomes: Mapping[int, GameOutcome]
    ) -> BoardRecord:
        """The board of a tournament, from the outcomes of its games by their numbers."""
        return board_record(
            standings.board(
                slug=tournament.slug,
                ruleset=tournament.rules.name,
                versions={entrant.id: entrant.version for entrant in tournament.entrants},
                schedule=[ScheduledGame(*scheduled) for scheduled in tournament.schedule()],
                outcomes=outcomes,
                practice=tournament.practice,
            )
        )


RATER = BoardRater()


def board_record(board: Board) -> BoardRecord:
    """A board as records have it: the rows of its canonical form."""
    return BoardRecord(board.round_count, tuple(json.loads(board.canonical)["rows"]))
