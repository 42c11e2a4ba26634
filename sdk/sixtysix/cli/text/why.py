"""Why a deal ended as it did, in one sentence."""

from __future__ import annotations

from sixtysix.record import DealRecord
from sixtysix.rules import Deal, DealEnd, DealResult
from sixtysix.rules.ruleset import HALF, WINNING_POINTS, FailedClose, Nothing

__all__ = ["why"]


def why(deal: Deal, record: DealRecord, names: tuple[str, str], broken_off: str) -> str:
    """The sentence; `deal` is the record played again, `broken_off` the game's own reason."""
    if record.void:
        return (
            "Void, so it counts for nothing: the game was played anew, or the arena lost what was"
            " played in this deal."
        )
    if record.result is None:
        return f"Broken off: {broken_off or 'the game was forfeited'}."
    return _Ended(deal, record.result, names).sentence()


class _Ended:
    """A deal with a result."""

    def __init__(self, deal: Deal, result: DealResult, names: tuple[str, str]) -> None:
        self.deal = deal
        self.result = result
        self.names = names
        self.winner = 0 if result.winner is None else result.winner
        self.loser = 1 - self.winner

    def sentence(self) -> str:
        result = self.result
        winner, loser = self.names[self.winner], self.names[self.loser]
        pays, points = result.game_points, result.card_points
        match result.end:
            case DealEnd.CLAIM:
                return (
                    f"{winner} claimed 66 with {points[self.winner]} and wins {pays}:"
                    f" {loser} has {self._state(self.loser)}."
                )
            case DealEnd.COUNTED:
                return (
                    f"All cards are played and {winner} has {points[self.winner]}: that wins"
                    f" {pays}, for {loser} has {self._state(self.loser)}."
                )
            case DealEnd.FALSE_CLAIM:
                closed = ", having closed" if self.deal.closed_by == self.loser else ""
                return (
                    f"{loser} claimed 66 with {points[self.loser]}{closed}, which is false:"
                    f" {winner} wins {pays}."
                )
            case DealEnd.FAILED_CLOSE:
                return (
                    f"{loser} closed the talon and came to {points[self.loser]}:"
                    f" {winner} wins {pays}, {self._failed_close()}."
                )
            case DealEnd.LAST_TRICK:
                who = "both have 66" if min(points) >= WINNING_POINTS else "neither has 66"
                return f"All cards are played, {who}: {winner} took the last trick and wins {pays}."
            case DealEnd.FIRST_TO_66:
                return f"Both have 66, and {winner}, who had it first, wins {pays}."
            case DealEnd.DRAWN_BOTH_66:
                return "Both have 66: the deal is drawn and pays nothing."
            case DealEnd.DRAWN_NEITHER_66:
                return "All cards are played and neither has 66: the deal is drawn."

    def _failed_close(self) -> str:
        """What a failed close was paid by."""
        rules, tricks = self.deal.ruleset, self.deal.trick_counts
        closer = f"{self.names[self.loser]} has {self._state(self.loser)}"
        winner = self.names[self.winner]
        match rules.failed_close:
            case FailedClose.DOUBLED if tricks[self.loser] == 0:
                return f"for {self.names[self.loser]} has no trick"
            case FailedClose.DOUBLED if rules.agreed_six and tricks[self.winner] == 0:
                return f"as agreed, for {winner} has no trick"
            case FailedClose.DOUBLED:
                return f"double, for {closer}"
            case FailedClose.BY_OPPONENT:
                own = f"for {winner} has {self._state(self.winner)}"
                if self.result.card_points[self.winner] < WINNING_POINTS:
                    return own
                return f"{own} and {closer}"
        return f"for {closer}"

    def _state(self, seat: int) -> str:
        """What an ordinary count goes by."""
        points = self.result.card_points[seat]
        if self.deal.ruleset.nothing is Nothing.NO_TRICK:
            if self.deal.trick_counts[seat] == 0:
                return f"no trick, and {points}" if points else "no trick"
        elif points == 0:
            return "no card points"
        if points >= WINNING_POINTS:
            return f"{points}"
        return f"{points}, {HALF} or more" if points >= HALF else f"{points}, fewer than {HALF}"
