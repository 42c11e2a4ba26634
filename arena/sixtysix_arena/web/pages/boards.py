"""The standing boards: all ranked tournaments of a rule set at once."""

from __future__ import annotations

from starlette.requests import Request

from sixtysix.rules import RULESETS
from sixtysix_arena.queries import StoredArena
from sixtysix_arena.web.charts import bars
from sixtysix_arena.web.pages.tournaments import BoardLine, board_table
from sixtysix_arena.web.refusing import Refused
from sixtysix_arena.web.rendering import Page

__all__ = ["leaderboard"]

FIRST = next(iter(RULESETS))


def leaderboard(request: Request) -> Page:
    """The standing board of a rule set."""
    stored: StoredArena = request.app.state.stored
    rules = request.query_params.get("rules", FIRST)
    if rules not in RULESETS:
        raise Refused(400, "Expected rules to be one of %(known)s.", known=", ".join(RULESETS))
    board = stored.standing_board(rules)
    drawn = bars([(row.mu, row.sigma) for row in board.rows])
    lines = [BoardLine(row, bar, None) for row, bar in zip(board.rows, drawn, strict=True)]
    return Page(
        "leaderboard.html.j2",
        {"rules": rules, "rulesets": tuple(RULESETS), "lines": lines},
        data=board,
        table=board_table(board),
        ruleset=rules,
    )
