"""The pages as one application: routes, what guards them, and what is said when something fails."""

from __future__ import annotations

import logging
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any

from anyio import to_thread
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Mount, Route

from sixtysix.api import ApiError, NotFound
from sixtysix_arena.errors import Invalid, NotReady, Unavailable, WrongState
from sixtysix_arena.queries import StoredArena
from sixtysix_arena.store import StoreReader
from sixtysix_arena.web import downloads
from sixtysix_arena.web.faces import russian_face
from sixtysix_arena.web.files import STATIC, KeptFiles
from sixtysix_arena.web.guarding import HEADERS, HostCheck, ReadOnly, SafeHeaders, Suffixes
from sixtysix_arena.web.live import Feeds, events
from sixtysix_arena.web.pages import PAGES
from sixtysix_arena.web.refusing import Refused, in_our_words, without_commands
from sixtysix_arena.web.rendering import Page, respond
from sixtysix_arena.web.settings import settings

__all__ = ["make_app"]

COME_BACK_S = 3
"""When a browser asks again for what was not ready."""
THREADS = 8
"""Pages that are made at the same time. More would only take the processor from each other."""

Endpoint = Callable[[Request], Awaitable[Response]]

log = logging.getLogger(__name__)


def make_app(stored: StoredArena, reader: StoreReader, hosts: Sequence[str]) -> Starlette:
    """The pages over what is stored; they answer to the names in `hosts`."""

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        to_thread.current_default_thread_limiter().total_tokens = THREADS
        yield

    app = Starlette(
        routes=[
            *(Route(path, _endpoint(page), methods=["GET"]) for path, page in PAGES),
            *(Route(path, _as_it_is(work), methods=["GET"]) for path, work in NO_PAGES),
            Mount("/static", KeptFiles(directory=STATIC), name="static"),
        ],
        middleware=[
            Middleware(SafeHeaders),
            Middleware(HostCheck, hosts=hosts),
            Middleware(ReadOnly),
            Middleware(Suffixes),
        ],
        lifespan=lifespan,
        exception_handlers={
            HTTPException: _refused,
            ApiError: _refused,
            Refused: _refused,
            Exception: _failed,
        },
    )
    app.state.stored = stored
    app.state.reader = reader
    app.state.feeds = Feeds(stored)
    return app


def _endpoint(page: Callable[[Request], Page]) -> Callable[[Request], Any]:
    """A page function as an endpoint: it reads the store, so it runs in a thread."""

    async def endpoint(request: Request) -> Response:
        return await run_in_threadpool(lambda: respond(request, page(request)))

    return endpoint


def _as_it_is(work: Endpoint) -> Endpoint:
    """An endpoint that has one form: no data are behind it."""

    async def endpoint(request: Request) -> Response:
        if request.scope.get("form"):
            raise HTTPException(404)
        return await work(request)

    return endpoint


async def _healthz(request: Request) -> Response:
    """Whether the database can be read."""
    try:
        await run_in_threadpool(lambda: next(iter(request.app.state.stored.tournaments()), None))
    except ApiError:
        return PlainTextResponse("the database cannot be read\n", 503)
    return PlainTextResponse("ok\n")


async def _refused(request: Request, error: Exception) -> Response:
    """What cannot be shown, with the reason."""
    if isinstance(error, NotReady):
        response = _told(request, 503, str(error))
        response.headers["Retry-After"] = response.headers["Refresh"] = str(COME_BACK_S)
        return response
    if isinstance(error, ApiError):
        error = in_our_words(error) or error
    if isinstance(error, Refused):
        return _told(request, error.status, str(error), error)
    status, told = 500, ""
    if isinstance(error, HTTPException):
        status = error.status_code
    elif isinstance(error, NotFound):
        status, told = 404, without_commands(str(error))
    elif isinstance(error, Invalid | WrongState):
        status, told = 400, without_commands(str(error))
    elif isinstance(error, Unavailable):
        status = 503
    return _told(request, status, told)


async def _failed(request: Request, error: Exception) -> Response:
    """A mistake of ours: the log has it under the id that the reader sees."""
    error_id = secrets.token_hex(4)
    log.error(
        "a page failed", extra={"error_id": error_id, "path": request.url.path}, exc_info=error
    )
    answer = _told(request, 500, error_id)
    # This answer is given outside of all middleware.
    answer.headers.update(HEADERS)
    return answer


def _told(request: Request, status: int, told: str, refused: Refused | None = None) -> Response:
    values = {"status": status, "told": told}
    data = {"error": values} if request.scope.get("form") == "json" else None
    if data is None:
        request.scope.pop("form", None)
    page = Page("error.html.j2", {**values, "refused": refused}, data, status=status)
    return respond(request, page)


NO_PAGES: tuple[tuple[str, Endpoint], ...] = (
    ("/faces/ru/{card}.svg", russian_face),
    ("/t/{slug}/events", events),
    ("/t/{slug}/record.jsonl", downloads.record),
    ("/t/{slug}/record.jsonl.gz", downloads.record_gz),
    ("/g/{game}/record.jsonl", downloads.game_line),
    ("/settings", settings),
    ("/healthz", _healthz),
)
"""What is at an address and is no page."""
