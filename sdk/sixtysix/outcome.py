"""How games end: the vocabulary that records, ratings and the wire share."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

__all__ = ["Fault", "GameEnd", "GameOutcome"]


class Fault(StrEnum):
    """What a bot did wrong. Each fault forfeits a game to the opponent."""

    ILLEGAL = "illegal"
    """The move is not legal, or the number is no move (decided by `Deal.play`)."""
    MALFORMED = "malformed"
    """No move in the answer, bytes that cannot be read, or a frame that is too large."""
    TIMEOUT = "timeout"
    """The time for a move, or the bank of the game, ran out."""
    DISCONNECT = "disconnect"
    """Away for longer than the grace."""
    LEFT = "left"
    """The bot gave the game up, failed, or said goodbye."""
    NO_SHOW = "no-show"
    """Never joined within the time for joining."""
    FLOOD = "flood"
    """Sent far more than it was asked for."""


class GameEnd(StrEnum):
    """How a game ended."""

    TARGET = "target"
    """One side reached the target of game points."""
    DEAL_LIMIT = "deal-limit"
    """200 deals were played; the score stands as it is."""
    FORFEIT = "forfeit"
    """One side committed a fault; the game goes to the other."""
    VOID = "void"
    """Nobody is charged, and the game is not rated."""


@dataclass(frozen=True, slots=True)
class GameOutcome:
    """The result of one game, keyed by the seats of its schedule entry.

    `winner` is a seat, or None if the game was drawn or void. `fault` is the
    loser's and says why a game was forfeited; both seats' faults of a void
    game are told in `reason` alone.
    """

    end: GameEnd
    winner: int | None
    score: tuple[int, int]
    deal_count: int
    fault: Fault | None = None
    reason: str = ""

    def __post_init__(self) -> None:
        if (self.end is GameEnd.FORFEIT) != (self.fault is not None):
            raise ValueError("a forfeit names its fault, and nothing else does")
        if self.end in (GameEnd.TARGET, GameEnd.FORFEIT) and self.winner is None:
            raise ValueError(f"a game that ends by {self.end} has a winner")
        if self.end is GameEnd.VOID and self.winner is not None:
            raise ValueError("a void game has no winner")
