"""Pages that explain: rule sets, fairness, what the numbers mean, where to read on."""

from __future__ import annotations

from starlette.requests import Request

from sixtysix.reports import TournamentState
from sixtysix.rules import RULESETS
from sixtysix_arena.queries import StoredArena
from sixtysix_arena.web.refusing import Refused
from sixtysix_arena.web.rendering import Page

__all__ = ["docs", "fair", "numbers", "rules"]


def rules(request: Request) -> Page:
    """A rule set, with what sets it apart from the others."""
    name = request.path_params["name"]
    if name not in RULESETS:
        known = ", ".join(RULESETS)
        raise Refused(404, "There is no such rule set; there are %(known)s.", known=known)
    return Page(
        "rules.html.j2",
        {"name": name, "rulesets": tuple(RULESETS.values()), "rules": RULESETS[name]},
        data=RULESETS[name],
    )


def fair(request: Request) -> Page:
    """How anybody can check the deals of a tournament."""
    stored: StoredArena = request.app.state.stored
    info = stored.tournament(request.path_params["slug"])
    return Page(
        "fair.html.j2",
        {"info": info, "is_finished": info.state is TournamentState.FINISHED},
        data={
            "slug": info.slug,
            "practice": info.practice,
            "commitment": info.commitment,
            "seed": info.seed or None,
        },
    )


def numbers(request: Request) -> Page:
    """What each number means."""
    return Page("numbers.html.j2")


def docs(request: Request) -> Page:
    """How to write a bot, and where to read on."""
    return Page("docs.html.j2")
