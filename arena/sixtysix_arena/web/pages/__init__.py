"""The pages by their addresses. Each is a function from a request to a `Page`."""

from __future__ import annotations

from collections.abc import Callable

from starlette.requests import Request

from sixtysix_arena.web.pages import boards, bots, games, home, replayer, texts, tournaments
from sixtysix_arena.web.rendering import Page

__all__ = ["PAGES"]

PAGES: tuple[tuple[str, Callable[[Request], Page]], ...] = (
    ("/", home.home),
    ("/t", tournaments.tournaments),
    ("/t/{slug}", tournaments.tournament),
    ("/t/{slug}/games", games.games),
    ("/t/{slug}/vs/{one}/{other}", games.pairing),
    ("/t/{slug}/cross", tournaments.cross),
    ("/g/{game}", games.game),
    ("/g/{game}/{deal:int}", replayer.replayer),
    ("/b/{name}", bots.bot),
    ("/leaderboard", boards.leaderboard),
    ("/rules/{name}", texts.rules),
    ("/fair/{slug}", texts.fair),
    ("/numbers", texts.numbers),
    ("/docs", texts.docs),
)
"""Addresses and what is there. No slug has a dot, so `.json` and `.csv` are never part of one."""
