"""The time that bots used in a game, from its record."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from sixtysix.api import GameReport
from sixtysix.record import DealRecord
from sixtysix.rules import Deal, Ruleset

__all__ = ["TimeUsed", "TimedMove", "timed_moves", "times"]


class TimedMove(NamedTuple):
    """A move of a record, and what it was charged."""

    ply: int
    seat: int
    ms: int
    by_referee: bool


@dataclass(frozen=True, slots=True)
class TimeUsed:
    """What an entrant used of its bank in a game, for the moves that it made.

    The slowest move is named by its deal and ply; None if it made none.
    """

    entrant: str
    used_ms: int
    bank_ms: int
    moves: int
    slowest_ms: int | None = None
    slowest_deal: int | None = None
    slowest_ply: int | None = None


def timed_moves(rules: Ruleset, record: DealRecord) -> Iterator[TimedMove]:
    """The moves of a deal. Raises IllegalMove if the record does not follow the rules."""
    deal = Deal(rules, record.pack, record.dealer)
    for ply, (move, ms) in enumerate(zip(record.moves, record.charged_ms, strict=True)):
        seat = deal.turn
        deal.play(move)
        assert seat is not None, "the rules let nobody move after the end"
        yield TimedMove(ply, seat, ms, ply in record.referee_plies)


def times(report: GameReport) -> tuple[TimeUsed, TimeUsed]:
    """What each entrant used, by seat."""
    own: tuple[list[tuple[int, int, int]], ...] = ([], [])
    for record in report.deals:
        for move in timed_moves(report.rules, record):
            if not move.by_referee:
                own[move.seat].append((move.ms, record.deal, move.ply))
    first, second = (
        _used(entrant, report.clock.per_game_ms, moves)
        for entrant, moves in zip(report.game.entrants, own, strict=True)
    )
    return first, second


def _used(entrant: str, bank_ms: int, moves: list[tuple[int, int, int]]) -> TimeUsed:
    used_ms = sum(ms for ms, _, _ in moves)
    if not moves:
        return TimeUsed(entrant, used_ms, bank_ms, 0)
    # The first of equally slow moves.
    ms, deal, ply = max(moves, key=lambda move: move[0])
    return TimeUsed(entrant, used_ms, bank_ms, len(moves), ms, deal, ply)
