"""The public record: all that is needed to play a deal again, move by move."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from sixtysix.rules import Deal, DealResult, IllegalMove, Ruleset, SixtySixError

__all__ = ["DealRecord", "MadeMove", "RecordError", "ReplayMismatch", "replay"]


class RecordError(SixtySixError, ValueError):
    """A record does not hold together."""


class ReplayMismatch(RecordError):
    """Playing a record again gives something else than it says.

    `where` names the place, `expected` is what the rules give and `found` what
    the record says.
    """

    def __init__(self, where: str, expected: object, found: object) -> None:
        super().__init__(f"{where}: the rules give {expected}, the record says {found}")
        self.where = where
        self.expected = expected
        self.found = found

    def __reduce__(self) -> tuple[type[ReplayMismatch], tuple[str, object, object]]:
        return type(self), (self.where, self.expected, self.found)


@dataclass(frozen=True, slots=True)
class DealRecord:
    """One deal of a game that is over.

    `result` is None for a deal that was broken off, by a forfeit, or that is
    void: the arena could not finish it and it counts for nothing.
    """

    deal: int
    """The deal within its game, from 0."""
    dealer: int
    """The seat that dealt."""
    pack: tuple[int, ...]
    """24 card indices in dealing order."""
    moves: tuple[int, ...] = ()
    """Move codes in order; the seats follow from the rules."""
    charged_ms: tuple[int, ...] = ()
    """Milliseconds that each move was charged; 0 for a move of the referee."""
    referee_plies: frozenset[int] = frozenset()
    """The plies whose moves the referee made, since there was nothing to decide."""
    result: DealResult | None = None
    void: bool = False
    comments: Mapping[int, str] = field(default_factory=dict)
    """Notes of the bots, by ply."""


class MadeMove(NamedTuple):
    """A move that a bot made in a deal that is not over."""

    game: int
    """The game's number on streams."""
    deal: int
    ply: int
    move: int
    charged_ms: int
    comment: str = ""


def replay(rules: Ruleset, record: DealRecord) -> Deal:
    """Plays a record again and returns the deal as it then stands.

    Raises ReplayMismatch if a move is illegal or the result is another one.
    """
    where = f"deal {record.deal}"
    deal = Deal(rules, record.pack, record.dealer)
    for ply, move in enumerate(record.moves):
        try:
            deal.play(move)
        except IllegalMove as error:
            listed = ", ".join(map(str, deal.legal_moves())) or "no move"
            raise ReplayMismatch(f"{where} ply {ply}", listed, error.move) from error
    if deal.result != record.result:
        raise ReplayMismatch(f"{where} result", deal.result, record.result)
    return deal
