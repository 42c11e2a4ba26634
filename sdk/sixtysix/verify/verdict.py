"""What comes of checking a record."""

from __future__ import annotations

from dataclasses import dataclass

from sixtysix.record import TournamentRecord
from sixtysix.record.lines import END
from sixtysix.rules import SixtySixError

__all__ = ["Difference", "Differs", "Verdict"]

NO_TEXT = ("\\x0", "\\x1", "\\x7f", "\\ufffd")
"""What controls, and bytes that are not UTF-8, become in a difference."""


@dataclass(frozen=True, slots=True)
class Difference:
    """The first place where a record is not what it should be.

    `what` is the thing, `line` counts from 1, and the rest is None where the
    thing is in no game, no deal or at no ply.
    """

    what: str
    expected: str
    found: str
    line: int
    game: str | None = None
    deal: int | None = None
    ply: int | None = None

    @property
    def place(self) -> str:
        """Where it is, like `line 5, game cup.4, deal 2, ply 7`."""
        parts = [f"line {self.line}"]
        if self.game is not None:
            parts.append(f"game {self.game}")
        if self.deal is not None:
            parts.append(f"deal {self.deal}")
        if self.ply is not None:
            parts.append(f"ply {self.ply}")
        return ", ".join(parts)

    def __str__(self) -> str:
        return f"{self.place}: {self.what}: expected {self.expected}, found {self.found}"


@dataclass(frozen=True, slots=True)
class Verdict:
    """How far a record is what it should be.

    `tournament` is None if the record does not even begin. Counts are those
    of what was checked and found right; void deals are among the deals.
    `digest` is the last one that was right, that of the whole record if all is.
    """

    tournament: TournamentRecord | None
    game_count: int
    deal_count: int
    move_count: int
    round_count: int
    """Rounds that count in the board."""
    digest: str
    unchecked: tuple[str, ...] = ()
    """What could not be checked, each in a few words with its reason."""
    difference: Difference | None = None
    """None if nothing is wrong."""

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return self.difference is None

    @property
    def no_record(self) -> str:
        """Why it is no record at all, in a few words; empty if it begins like one."""
        difference = self.difference
        if self.tournament is not None or difference is None:
            return ""
        if difference.what not in ("the end", "the line"):
            return ""
        # Of what is wrong with each line of something else, people learn nothing.
        expected = "expected what 'sixtysix tournament export' writes, lines of JSON that end with"
        return f"{expected} a digest each; {_shown(difference)}"


def _shown(difference: Difference) -> str:
    """What was found instead; of bytes that are no text nobody learns anything."""
    if difference.found == END:
        return "it is empty"
    is_text = not any(each in difference.found for each in NO_TEXT)
    return f"line {difference.line} is {difference.found if is_text else 'no text'}"


class Differs(SixtySixError):
    """Something is not what it should be; told inside of this package alone."""

    def __init__(
        self,
        what: str,
        expected: object,
        found: object,
        *,
        deal: int | None = None,
        ply: int | None = None,
    ) -> None:
        super().__init__(what)
        self.what = what
        self.expected = str(expected)
        self.found = str(found)
        self.deal = deal
        self.ply = ply
