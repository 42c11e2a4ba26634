"""The moves that a referee makes itself, because there is nothing to decide."""

from __future__ import annotations

from sixtysix.rules import CLAIM, PASS, WINNING_POINTS, Deal, Move, Stage

__all__ = ["forced_move"]


def forced_move(deal: Deal, wants_question: bool) -> Move | None:
    """The move that is made for the seat on turn without asking its bot, or None.

    That is the only legal move beside a false claim. A bot that does not want
    to be asked before its opponent's leads (`wants_question` false) passes
    there, even if it could claim.
    """
    if deal.stage is Stage.QUESTION and not wants_question:
        return PASS
    choices = deal.legal_moves()
    if len(choices) == 2 and deal.turn is not None and deal.points[deal.turn] < WINNING_POINTS:
        choices = tuple(move for move in choices if move != CLAIM)
    return choices[0] if len(choices) == 1 else None
