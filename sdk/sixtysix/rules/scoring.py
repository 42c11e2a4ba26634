"""What a deal pays: pure functions of the rule set and the state at its end."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from sixtysix.rules.ruleset import (
    FALSE_CLAIM_POINTS,
    HALF,
    WINNING_POINTS,
    Both66,
    FailedClose,
    Nothing,
    Ruleset,
)

__all__ = ["DealEnd", "DealResult", "Tally", "claimed", "drawn_at_once", "played_out"]


class DealEnd(StrEnum):
    """How a deal ended; each value names the test that decides it."""

    CLAIM = "claim"
    """A claim with 66 or more."""
    FALSE_CLAIM = "false-claim"
    """A claim with fewer than 66."""
    FAILED_CLOSE = "failed-close"
    """Whoever closed the talon had fewer than 66 at the end."""
    COUNTED = "counted"
    """The hands are empty and one side has 66."""
    LAST_TRICK = "last-trick"
    """The hands are empty, neither or both have 66, and the last trick decides."""
    FIRST_TO_66 = "first-to-66"
    """Both have 66 and whoever was credited with it first wins."""
    DRAWN_BOTH_66 = "drawn-both-66"
    """Both have 66."""
    DRAWN_NEITHER_66 = "drawn-neither-66"
    """The hands are empty and neither has 66."""


@dataclass(frozen=True, slots=True)
class DealResult:
    """What a deal came to. `winner` is a seat, or None if it was drawn."""

    winner: int | None
    game_points: int
    card_points: tuple[int, int]
    end: DealEnd


@dataclass(frozen=True, slots=True)
class Tally:
    """All of a deal's end that its payment depends on; pairs are by seat."""

    points: tuple[int, int]
    """Credited card points."""
    tricks: tuple[int, int]
    closed_by: int | None = None
    first_to_66: int | None = None
    """The seat that was credited with 66 first."""

    def has_66(self, seat: int) -> bool:
        return self.points[seat] >= WINNING_POINTS


def claimed(rules: Ruleset, tally: Tally, claimer: int) -> DealResult:
    """Judges a claim of 66: by credited points, at this moment."""
    other = 1 - claimer
    if not tally.has_66(claimer):
        pays = FALSE_CLAIM_POINTS
        if tally.closed_by == claimer:
            pays = max(pays, _failed_close(rules, tally))
        return _won(tally, other, pays, DealEnd.FALSE_CLAIM)
    if tally.has_66(other) and rules.both_66 is Both66.FIRST_WINS:
        return _first_to_66(tally)
    if _closer_failed(tally):
        return _won(tally, claimer, _failed_close(rules, tally), DealEnd.FAILED_CLOSE)
    return _won(tally, claimer, _ordinary(rules, tally, loser=other), DealEnd.CLAIM)


def played_out(rules: Ruleset, tally: Tally, last_trick: int) -> DealResult:
    """Counts a deal whose hands are empty; `last_trick` is the seat that took the last."""
    if _closer_failed(tally):
        assert tally.closed_by is not None
        pays = _failed_close(rules, tally)
        return _won(tally, 1 - tally.closed_by, pays, DealEnd.FAILED_CLOSE)
    if tally.has_66(0) and tally.has_66(1):
        if rules.both_66 is Both66.FIRST_WINS:
            return _first_to_66(tally)
        if rules.both_66 is Both66.LAST_TRICK_WINS:
            return _won(tally, last_trick, 1, DealEnd.LAST_TRICK)
        return DealResult(None, 0, tally.points, DealEnd.DRAWN_BOTH_66)
    for seat in (0, 1):
        if tally.has_66(seat):
            return _won(tally, seat, _ordinary(rules, tally, loser=1 - seat), DealEnd.COUNTED)
    if rules.last_trick_decides:
        pays = _ordinary(rules, tally, loser=1 - last_trick)
        return _won(tally, last_trick, pays, DealEnd.LAST_TRICK)
    return DealResult(None, 0, tally.points, DealEnd.DRAWN_NEITHER_66)


def drawn_at_once(tally: Tally) -> DealResult:
    """The draw of classic §17, as soon as both have been credited with 66."""
    return DealResult(None, 0, tally.points, DealEnd.DRAWN_BOTH_66)


def _won(tally: Tally, winner: int, game_points: int, end: DealEnd) -> DealResult:
    return DealResult(winner, game_points, tally.points, end)


def _first_to_66(tally: Tally) -> DealResult:
    assert tally.first_to_66 is not None
    return _won(tally, tally.first_to_66, 1, DealEnd.FIRST_TO_66)


def _closer_failed(tally: Tally) -> bool:
    return tally.closed_by is not None and not tally.has_66(tally.closed_by)


def _has_nothing(rules: Ruleset, tally: Tally, seat: int) -> bool:
    if rules.nothing is Nothing.NO_TRICK:
        return tally.tricks[seat] == 0
    return tally.points[seat] == 0


def _ordinary(rules: Ruleset, tally: Tally, loser: int) -> int:
    """1 if the loser has half of 66, 2 if less, 3 if he has nothing, which goes first."""
    if _has_nothing(rules, tally, loser):
        return 3
    return 1 if tally.points[loser] >= HALF else 2


def _failed_close(rules: Ruleset, tally: Tally) -> int:
    """What the opponent of a closer who failed is paid."""
    closer = tally.closed_by
    assert closer is not None
    other = 1 - closer
    match rules.failed_close:
        case FailedClose.BY_CLOSER:
            return 1 + _ordinary(rules, tally, loser=closer)
        case FailedClose.DOUBLED:
            if tally.tricks[closer] == 0 or (rules.agreed_six and tally.tricks[other] == 0):
                return 6
            return 2 * _ordinary(rules, tally, loser=closer)
        case FailedClose.BY_OPPONENT:
            own_state = _ordinary(rules, tally, loser=other)
            if tally.has_66(other):
                return max(own_state, _ordinary(rules, tally, loser=closer))
            return own_state
        case None:
            raise AssertionError(f"{rules.name} has no closing")
