"""What a session finds in the frames of its bot, with what is known of it at that moment."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from sixtysix import wire
from sixtysix.limits import MAX_COMMENT_BYTES
from sixtysix.outcome import Fault
from sixtysix.v1 import play_pb2
from sixtysix_arena.streams import MAX_EVIDENCE_BYTES, Happened, evident
from sixtysix_arena.text import clean

__all__ = ["Answered", "Asked", "Event", "Evidence", "Faulted"]


@dataclass(slots=True)
class Asked:
    """A decision that a bot owes."""

    decision: play_pb2.Decision
    size: int
    bank_ms: int
    per_move_ms: int
    out: bool = False
    """Whether it is on the present connection."""
    sent_ms: float | None = None
    """When its clock started: as it was sent first, or as a bot that does not read let it wait."""


class Evidence(NamedTuple):
    """What is known of a fault at its moment.

    It comes with every answer, since each may turn out to be illegal: so it
    only refers to what is there anyway.
    """

    asked: Asked | None
    answer: play_pb2.Answer | None
    charged_ms: float
    at_ms: float
    events: tuple[Happened, ...]

    @property
    def place(self) -> tuple[int, int] | None:
        """Deal and ply of the decision that was open."""
        return None if self.asked is None else (self.asked.decision.deal, self.asked.decision.ply)

    @property
    def legal(self) -> tuple[int, ...]:
        """The moves that the decision offered."""
        return () if self.asked is None else tuple(self.asked.decision.legal)

    def packed(self, bank_ms: int, max_bytes: int = MAX_EVIDENCE_BYTES) -> bytes:
        """All of it for the store, with at most `max_bytes` of frames.

        `bank_ms` is what is left of the bank if no decision was open.
        """
        asked, answer = self.asked, self.answer
        sent_ms = None if asked is None else asked.sent_ms
        left_ms = bank_ms if asked is None else asked.bank_ms - self.charged_ms
        return wire.pack_fault(
            decision=None if asked is None else asked.decision,
            answer=None if answer is None else _kept(answer),
            waited_ms=None if sent_ms is None else round(self.at_ms - sent_ms),
            charged_ms=None if sent_ms is None else round(self.charged_ms),
            bank_ms=round(max(0.0, left_ms)),
            stream=evident(self.events, self.at_ms, max_bytes),
        )


@dataclass(frozen=True, slots=True)
class Answered:
    """A bot answered an open decision in time."""

    game: int
    move: int
    charged_ms: float
    comment: str
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class Faulted:
    """A bot committed a fault in a game."""

    game: int
    name: str
    fault: Fault
    text: str
    evidence: Evidence | None = None


Event = Answered | Faulted


def _kept(answer: play_pb2.Answer) -> play_pb2.Answer:
    """An answer with what we know of it and no more: a comment has no limit before it is cut."""
    comment = clean(answer.comment, MAX_COMMENT_BYTES)
    kept = play_pb2.Answer(game=answer.game, deal=answer.deal, ply=answer.ply, comment=comment)
    if answer.HasField("move"):
        kept.move = answer.move
    return kept
