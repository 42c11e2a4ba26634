"""What came of checking a record, as text."""

from __future__ import annotations

from sixtysix.text import harmless
from sixtysix.verify import Verdict

__all__ = ["verdict_text"]

PRACTICE = "practice: its seed was known, so that its deals were predictable"


def verdict_text(verdict: Verdict) -> str:
    """Right or not in the first line; behind it how much was looked at, and what was not."""
    tournament, difference = verdict.tournament, verdict.difference
    if verdict.no_record:
        return harmless(f"this is no record: {verdict.no_record}")
    name = "the record" if tournament is None else tournament.slug
    if tournament is None or difference is not None:
        first = f"{name} is not right: {difference}"
        rest = [f"right up to there: {_counts(verdict)}"]
    else:
        first = f"{name} is right: {_counts(verdict)}, and the board of {_rounds(verdict)}"
        practice = [PRACTICE] if tournament.practice else []
        rest = [*practice, *verdict.unchecked, f"digest {verdict.digest}"]
    return "\n".join(map(harmless, [first, *rest]))


def _counts(verdict: Verdict) -> str:
    total = verdict.tournament.game_count if verdict.tournament is not None else 0
    games = f"{verdict.game_count:,} of {_many(total, 'game')}"
    return f"{games}, {_many(verdict.deal_count, 'deal')}, {_many(verdict.move_count, 'move')}"


def _rounds(verdict: Verdict) -> str:
    total = len(verdict.tournament.rounds) if verdict.tournament is not None else 0
    return f"{verdict.round_count} of {_many(total, 'round')}"


def _many(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"
