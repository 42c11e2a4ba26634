"""The first page: what is played now, what was played last, and who is best."""

from __future__ import annotations

from itertools import islice

from starlette.requests import Request

from sixtysix.reports import GameState, TournamentInfo, TournamentState
from sixtysix.rules import CARDS
from sixtysix_arena.queries import StoredArena
from sixtysix_arena.store import GameFilter
from sixtysix_arena.web.pages.tournaments import board_lines
from sixtysix_arena.web.rendering import Page

__all__ = ["home"]

LATEST_COUNT = 12
TOP_COUNT = 5
FAN = tuple(CARDS[index] for index in (23, 22, 15, 14, 5))
"""What lies on the felt of the first page: two high spades, the marriage in hearts, an ace."""


def home(request: Request) -> Page:
    """Running and latest tournaments, with the top of the one that is looked at most likely."""
    stored: StoredArena = request.app.state.stored
    tournaments = list(islice(stored.tournaments(), LATEST_COUNT))
    running = [each for each in tournaments if each.state is TournamentState.RUNNING]
    latest = [each for each in tournaments if each.state is not TournamentState.RUNNING]
    shown = next((each for each in (*running, *latest) if each.games_over_count), None)
    is_ranked = shown is not None and stored.board(shown.slug).round_count > 0
    lines = board_lines(stored, shown) if shown is not None and is_ranked else []
    return Page(
        "home.html.j2",
        {
            "running": running,
            "latest": latest,
            "shown": shown,
            "fan": FAN,
            "top": lines[:TOP_COUNT],
            "replayed": _deal_to_replay(stored, shown),
        },
        data=tournaments,
    )


def _deal_to_replay(stored: StoredArena, info: TournamentInfo | None) -> str | None:
    """The address of a deal to begin with: the first of a game that is over, at its beginning."""
    if info is None:
        return None
    wanted = GameFilter(result=str(GameState.OVER))
    for game in stored.filtered_games(info.slug, wanted, 0, 10):
        if game.deal_count:
            return f"/g/{game.game_id}/{stored.game(game.game_id).deals[0].deal}?ply=0"
    return None
