"""Static files, under addresses that change when they do, so that browsers keep them for good."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from typing import Any

from starlette.responses import Response
from starlette.staticfiles import StaticFiles

__all__ = ["FOREVER", "STATIC", "KeptFiles", "static_url"]

STATIC = Path(__file__).with_name("static")
FOREVER = "public, max-age=31536000, immutable"


@cache
def static_url(name: str) -> str:
    """The address of a static file."""
    digest = hashlib.sha256((STATIC / name).read_bytes()).hexdigest()[:10]
    return f"/static/{name}?v={digest}"


class KeptFiles(StaticFiles):
    """Serves them, to be kept for good."""

    def file_response(self, *args: Any, **kwargs: Any) -> Response:
        response = super().file_response(*args, **kwargs)
        response.headers["Cache-Control"] = FOREVER
        return response
