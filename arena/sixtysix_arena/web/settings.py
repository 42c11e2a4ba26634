"""The reader's language and theme: links that set a cookie and lead back, so that no script is
needed and no page flashes."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from sixtysix_arena.web.i18n import LANGUAGES
from sixtysix_arena.web.rendering import LANGUAGE_COOKIE, THEME_COOKIE, THEMES

__all__ = ["settings"]

A_YEAR_S = 365 * 86_400
CHOICES = {LANGUAGE_COOKIE: tuple(LANGUAGES), THEME_COOKIE: THEMES}


async def settings(request: Request) -> Response:
    """Keeps what was chosen, and leads back to where the reader was."""
    response = RedirectResponse(_local(request.query_params.get("next", "/")), 303)
    for cookie, choices in CHOICES.items():
        chosen = request.query_params.get(cookie)
        if chosen in choices:
            response.set_cookie(cookie, chosen, A_YEAR_S, httponly=True, samesite="lax")
    return response


def _local(address: str) -> str:
    """The address, if it is one of these pages; else the first one."""
    is_local = address.startswith("/") and not address.startswith("//") and "\\" not in address
    return address if is_local and address.isprintable() and address.isascii() else "/"
