"""The first page: what is played now, what was played last, and who is best."""

from __future__ import annotations

from itertools import islice

from starlette.requests import Request

from sixtysix.reports import TournamentState
from sixtysix_arena.queries import StoredArena
from sixtysix_arena.web.rendering import Page

__all__ = ["home"]

LATEST_COUNT = 12
TOP_COUNT = 5


def home(request: Request) -> Page:
    """Running and latest tournaments, with the top of the one that is looked at most likely."""
    stored: StoredArena = request.app.state.stored
    tournaments = list(islice(stored.tournaments(), LATEST_COUNT))
    running = [each for each in tournaments if each.state is TournamentState.RUNNING]
    latest = [each for each in tournaments if each.state is not TournamentState.RUNNING]
    shown = next((each for each in (*running, *latest) if each.game_count), None)
    board = stored.board(shown.slug) if shown is not None else None
    return Page(
        "home.html.j2",
        {
            "running": running,
            "latest": latest,
            "shown": shown,
            "board": board,
            "top": board.rows[:TOP_COUNT] if board is not None else (),
        },
        data=tournaments,
    )
