"""Static files, under addresses that change when they do, so that browsers keep them for good."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.staticfiles import StaticFiles

__all__ = ["FOREVER", "STATIC", "KeptFiles", "kept", "static_url"]

STATIC = Path(__file__).with_name("static")
FOREVER = "public, max-age=31536000, immutable"


@cache
def static_url(name: str) -> str:
    """The address of a static file."""
    digest = hashlib.sha256((STATIC / name).read_bytes()).hexdigest()[:10]
    return f"/static/{name}?v={digest}"


def kept(request: Request, url: str) -> str:
    """For how long an answer is kept: for good if the request has the digest that `url` has."""
    is_this = f"v={request.query_params.get('v')}" == url.partition("?")[2]
    return FOREVER if is_this else "no-cache"


class KeptFiles(StaticFiles):
    """Serves them, to be kept for good if they were asked for by the address that says so."""

    def file_response(self, *args: Any, **kwargs: Any) -> Response:
        response = super().file_response(*args, **kwargs)
        request = Request(next(arg for arg in args if isinstance(arg, dict)))
        name = request.url.path.removeprefix("/static/")
        response.headers["Cache-Control"] = kept(request, static_url(name))
        return response
