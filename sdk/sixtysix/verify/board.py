"""The board of a record: counted again here, and rated again by whoever can."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from itertools import groupby
from typing import Any

from sixtysix.outcome import GameOutcome
from sixtysix.record import BoardRecord, RatingParameters, TournamentRecord, canonical
from sixtysix.record.chain import shown
from sixtysix.tally import EntrantTally
from sixtysix.verify.rating import Rater
from sixtysix.verify.verdict import Differs

__all__ = ["check_board", "check_ratings"]

ROUNDING = 0.0025
"""mu, sigma and rating are each rounded to 0.001, and sigma counts three times."""

Outcomes = Mapping[int, GameOutcome]


def check_board(tournament: TournamentRecord, outcomes: Outcomes, board: BoardRecord) -> None:
    """Raises Differs unless the board counts what it should, in the order that its ratings give.

    `outcomes` are those of the games that are over, by their numbers.
    """
    round_count, tallies = _tallies(tournament, outcomes)
    if board.round_count != round_count:
        raise Differs("round_count", round_count, board.round_count)
    if len(board.rows) != len(tallies):
        raise Differs("rows", f"{len(tallies)} rows, one for each entrant", len(board.rows))
    versions = {entrant.id: entrant.version for entrant in tournament.entrants}
    for rank, row in enumerate(board.rows, start=1):
        where = f"row {rank}"
        tally = tallies.pop(row["entrant"], None)
        if tally is None:
            raise Differs(f"{where} entrant", "another entrant in each row", shown(row["entrant"]))
        for what, right in {"rank": rank, **_counts(versions[row["entrant"]], tally)}.items():
            if row[what] != right:
                raise Differs(f"{where} {what}", shown(right), shown(row[what]))
        _check_rating(row, where)
    for rank, (row, below) in enumerate(zip(board.rows, board.rows[1:], strict=False), start=1):
        if _place(row) > _place(below):
            expected = f"{below['entrant']}, by ratings and then by ids"
            raise Differs(f"row {rank} entrant", expected, row["entrant"])


def check_ratings(
    tournament: TournamentRecord, outcomes: Outcomes, board: BoardRecord, rater: Rater
) -> None:
    """Raises Differs unless `rater` comes to the same board, byte for byte."""
    for parameter in (each.name for each in fields(RatingParameters)):
        right, said = (getattr(each, parameter) for each in (rater.parameters, tournament.rating))
        if right != said:
            raise Differs(f"rating.{parameter}", f"{right}, which this version rates with", said)
    rows = rater.board(tournament, outcomes).rows
    for rank, (row, read) in enumerate(zip(rows, board.rows, strict=True), start=1):
        for what in ("entrant", *sorted(row)):
            if canonical(row[what]) != canonical(read[what]):
                raise Differs(f"row {rank} {what}", shown(row[what]), shown(read[what]))


def _counts(version: str, tally: EntrantTally) -> dict[str, Any]:
    """The part of a row that needs no rating."""
    return {
        "version": version,
        "games": tally.games,
        "won": tally.won,
        "drawn": tally.drawn,
        "lost": tally.lost,
        "deals": tally.deals,
        "game_points_for": tally.game_points_for,
        "game_points_against": tally.game_points_against,
        "void": tally.void,
        "faults": {str(fault): count for fault, count in tally.faults.items()},
    }


def _tallies(
    tournament: TournamentRecord, outcomes: Outcomes
) -> tuple[int, dict[str, EntrantTally]]:
    """How many whole rounds there are from the first, and what each entrant has in them."""
    tallies = {entrant.id: EntrantTally() for entrant in tournament.entrants}
    round_count = 0
    for _, games in groupby(tournament.schedule(), key=lambda scheduled: scheduled.round):
        scheduled = list(games)
        if not all(game.number in outcomes for game in scheduled):
            break
        round_count += 1
        for game in scheduled:
            for seat, entrant in enumerate(game.entrants):
                tallies[entrant].add(seat, outcomes[game.number])
    return round_count, tallies


def _check_rating(row: Mapping[str, Any], where: str) -> None:
    rating = float(row["mu"]) - 3 * float(row["sigma"])
    if abs(rating - float(row["rating"])) > ROUNDING:
        raise Differs(f"{where} rating", f"{rating:.3f}, which is mu - 3 sigma", row["rating"])


def _place(row: Mapping[str, Any]) -> tuple[float, bytes]:
    return -float(row["rating"]), str(row["entrant"]).encode()
