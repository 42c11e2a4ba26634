"""Records to take away: a tournament's as a whole, or a game's line of it."""

from __future__ import annotations

import gzip
import io
from collections.abc import Iterator

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from sixtysix.record import canonical
from sixtysix.record.form import game_form
from sixtysix_arena.queries import StoredArena

__all__ = ["game_line", "record", "record_gz"]

CHUNK_BYTES = 64 * 1024


async def record(request: Request) -> Response:
    """The record of a tournament as JSON Lines."""
    return await _record(request, packed=False)


async def record_gz(request: Request) -> Response:
    """The same, packed."""
    return await _record(request, packed=True)


async def game_line(request: Request) -> Response:
    """What the record says of one game that is over."""
    stored: StoredArena = request.app.state.stored
    game = await run_in_threadpool(stored.game_record, request.path_params["game"])
    text = canonical(game_form(game)) + "\n"
    name = f"{game.game_id}.jsonl"
    return Response(text, media_type="application/x-ndjson", headers=_as_file(name))


async def _record(request: Request, *, packed: bool) -> Response:
    stored: StoredArena = request.app.state.stored
    slug = request.path_params["slug"]
    lines = await run_in_threadpool(stored.export, slug)
    name = f"{slug}.jsonl.gz" if packed else f"{slug}.jsonl"
    return StreamingResponse(
        _packed(lines) if packed else _chunks(lines),
        media_type="application/gzip" if packed else "application/x-ndjson",
        headers=_as_file(name),
    )


def _as_file(name: str) -> dict[str, str]:
    # Slugs and numbers alone: nothing that a header would have to escape.
    return {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}


def _chunks(lines: Iterator[str]) -> Iterator[bytes]:
    waiting = bytearray()
    for line in lines:
        waiting += line.encode()
        if len(waiting) >= CHUNK_BYTES:
            yield bytes(waiting)
            waiting.clear()
    if waiting:
        yield bytes(waiting)


def _packed(lines: Iterator[str]) -> Iterator[bytes]:
    out = io.BytesIO()
    # Without a name and a time, so that the same record is the same file.
    with gzip.GzipFile(filename="", mode="wb", fileobj=out, mtime=0) as file:
        for chunk in _chunks(lines):
            file.write(chunk)
            yield out.getvalue()
            out.seek(0)
            out.truncate()
    yield out.getvalue()
