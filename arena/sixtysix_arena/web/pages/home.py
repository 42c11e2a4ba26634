"""The first page: what is played now, what was played last, and who is best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice

from starlette.requests import Request

from sixtysix.reports import GameState, TournamentInfo, TournamentState
from sixtysix.rules import CARDS
from sixtysix_arena.queries import StoredArena
from sixtysix_arena.store import GameFilter
from sixtysix_arena.web.pages.tournaments import board_lines, told
from sixtysix_arena.web.rendering import Page

__all__ = ["home"]

LATEST_COUNT = 12
TOP_COUNT = 5
FAN = tuple(CARDS[index] for index in (23, 22, 15, 14, 5))
"""What lies on the felt of the first page: two high spades, the marriage in hearts, an ace."""


def home(request: Request) -> Page:
    """Running and latest tournaments, with the top of the one that is looked at most likely."""
    stored: StoredArena = request.app.state.stored
    tournaments = [
        stored.with_void_count(each) for each in islice(stored.tournaments(), LATEST_COUNT)
    ]
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
            "replayed": _deal_to_replay(
                stored, [*running, *latest], [line.row.entrant for line in lines[:2]]
            ),
        },
        data=[told(each, is_listed=True) for each in tournaments],
    )


def _deal_to_replay(
    stored: StoredArena, infos: Sequence[TournamentInfo], best: Sequence[str]
) -> str | None:
    """The address of a deal to begin with: the longest of a game, if there is one of the `best`.

    `best` are the first two of the first tournament that anything was played in.
    """
    played = [info for info in infos if info.games_over_count]
    over = GameFilter(result=str(GameState.OVER), has_deals=True)
    wishes = [(info, over) for info in played]
    if len(best) > 1:
        wishes.insert(0, (played[0], replace(over, entrant=best[0], opponent=best[1])))
    for info, wanted in wishes:
        for game in stored.filtered_games(info.slug, wanted, 0, 1):
            deals = [each for each in stored.game(game.game_id).deals if each.result is not None]
            longest = max(deals, key=lambda each: len(each.moves))
            return f"/g/{game.game_id}/{longest.deal}?ply=0"
    return None
