"""All checks of a record, in order, until something is not what it should be."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from sixtysix.outcome import GameOutcome
from sixtysix.record import (
    FIRST_DIGEST,
    BoardRecord,
    GameRecord,
    LineError,
    Record,
    TournamentRecord,
    read_lines,
)
from sixtysix.verify.board import check_board, check_ratings
from sixtysix.verify.games import GameChecks
from sixtysix.verify.header import check_header
from sixtysix.verify.rating import Rater, installed_rater
from sixtysix.verify.verdict import Difference, Differs, Verdict

__all__ = ["PACKS_UNCHECKED", "RATINGS_UNCHECKED", "verify"]

PACKS_UNCHECKED = "packs unchecked, seed still secret"
RATINGS_UNCHECKED = "ratings unchecked, the arena is not installed"


def verify(
    lines: Iterable[bytes | str], find_rater: Callable[[], Rater | None] = installed_rater
) -> Verdict:
    """Checks a record, line by line, and stops at the first difference.

    Lines come with their line feeds, as a file gives them. In this order: the
    digest of each line; the header and its schedule; for each game its place,
    packs, dealers, moves, results, score and end; the board. Packs are dealt
    again once the seed is revealed, and ratings computed again if `find_rater`
    has somebody who can, which is the arena if it is installed.

    What is wrong with the record is in the verdict, nothing is raised for it.
    """
    checks = _Checks(find_rater)
    number, game_id = 0, None
    difference = None
    try:
        for line in read_lines(lines):
            number = line.number
            game_id = line.record.game_id if isinstance(line.record, GameRecord) else None
            checks.check(line.record)
            checks.digest = line.digest
    except LineError as error:
        difference = Difference(error.what, error.expected, error.found, error.line)
    except Differs as differs:
        difference = Difference(
            differs.what,
            differs.expected,
            differs.found,
            number,
            game_id,
            differs.deal,
            differs.ply,
        )
    return checks.verdict(difference)


class _Checks:
    """What was read so far, and found right."""

    def __init__(self, find_rater: Callable[[], Rater | None]) -> None:
        self.digest = FIRST_DIGEST
        self._find_rater = find_rater
        self._tournament: TournamentRecord | None = None
        self._games: GameChecks | None = None
        self._outcomes: dict[int, GameOutcome] = {}
        self._deal_count = 0
        self._move_count = 0
        self._round_count = 0
        self._unchecked: list[str] = []

    def check(self, record: Record) -> None:
        """Checks what the next line says."""
        if isinstance(record, TournamentRecord):
            check_header(record)
            self._tournament = record
            self._games = GameChecks(record)
            if record.seed is None:
                self._unchecked.append(PACKS_UNCHECKED)
            return
        assert self._tournament is not None
        assert self._games is not None
        if isinstance(record, GameRecord):
            self._games.check(record)
            self._outcomes[record.number] = record.outcome
            self._deal_count += len(record.deals)
            self._move_count += sum(len(deal.moves) for deal in record.deals)
        else:
            self._games.check_complete()
            self._check_board(self._tournament, record)

    def _check_board(self, tournament: TournamentRecord, board: BoardRecord) -> None:
        check_board(tournament, self._outcomes, board)
        rater = self._find_rater()
        if rater is None:
            self._unchecked.append(RATINGS_UNCHECKED)
        else:
            check_ratings(tournament, self._outcomes, board, rater)
        self._round_count = board.round_count

    def verdict(self, difference: Difference | None) -> Verdict:
        """What has come of it."""
        return Verdict(
            tournament=self._tournament,
            game_count=len(self._outcomes),
            deal_count=self._deal_count,
            move_count=self._move_count,
            round_count=self._round_count,
            digest=self.digest,
            unchecked=tuple(self._unchecked),
            difference=difference,
        )
