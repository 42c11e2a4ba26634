"""What every request passes and every answer carries, whatever the page is."""

from __future__ import annotations

from collections.abc import Sequence
from ipaddress import ip_address
from itertools import chain
from typing import TYPE_CHECKING

from starlette.datastructures import MutableHeaders
from starlette.responses import PlainTextResponse

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

__all__ = ["HEADERS", "HostCheck", "ReadOnly", "SafeHeaders", "Suffixes"]

CONTENT_SECURITY_POLICY = (
    "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none';"
    " object-src 'none'"
)
HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
NOT_KEPT = ("Cache-Control", "private, no-cache")
"""How long an answer may be kept that says nothing of it."""
MAX_PATH_LENGTH = 300
MAX_QUERY_LENGTH = 1_000
MAX_HEADER_BYTES = 16 * 1024
"""Of all headers of a request; uvicorn hangs up itself on one that grows on and on."""


class SafeHeaders:
    """Puts the headers on each answer that keep browsers from being used against anybody."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in (*HEADERS.items(), NOT_KEPT):
                    headers.setdefault(name, value)
            await send(message)

        await self._app(scope, receive, sending if scope["type"] == "http" else send)


class HostCheck:
    """Answers only to the names that the pages are known by: no rebinding of a stranger's name."""

    def __init__(self, app: ASGIApp, hosts: Sequence[str]) -> None:
        """`hosts` are names without port, in lower case, besides this machine's own.

        An address in numbers is always known: rebinding needs a name.
        """
        self._app = app
        self._hosts = frozenset((*hosts, "localhost"))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and not self._is_known(scope):
            text = "These pages are not known by that name: see --web-host.\n"
            await PlainTextResponse(text, 421)(scope, receive, send)
            return
        await self._app(scope, receive, send)

    def _is_known(self, scope: Scope) -> bool:
        said = [value for name, value in scope["headers"] if name == b"host"]
        if len(said) != 1:
            return False
        host = _without_port(said[0].decode("latin-1").lower())
        return host in self._hosts or _is_number(host)


class ReadOnly:
    """Nothing can be changed here, and nothing endless asked for."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            if scope["method"] not in ("GET", "HEAD"):
                refused = PlainTextResponse("These pages only show.\n", 405, {"Allow": "GET, HEAD"})
                await refused(scope, receive, send)
                return
            too_long = len(scope["path"]) > MAX_PATH_LENGTH
            if too_long or len(scope["query_string"]) > MAX_QUERY_LENGTH:
                await PlainTextResponse("This address is too long.\n", 414)(scope, receive, send)
                return
            if sum(map(len, chain.from_iterable(scope["headers"]))) > MAX_HEADER_BYTES:
                refused = PlainTextResponse("These headers are too long.\n", 431)
                await refused(scope, receive, send)
                return
        await self._app(scope, receive, send)


class Suffixes:
    """Takes `.json` and `.csv` off an address: the same page in another form."""

    FORMS = ("json", "csv")

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and not scope["path"].startswith("/static/"):
            for form in self.FORMS:
                path = scope["path"].removesuffix(f".{form}")
                if path != scope["path"]:
                    path = "/" if path == "/index" else path
                    scope = {**scope, "path": path, "raw_path": path.encode(), "form": form}
                    break
        await self._app(scope, receive, send)


def _is_number(host: str) -> bool:
    try:
        ip_address(host.removeprefix("[").removesuffix("]"))
    except ValueError:
        return False
    return True


def _without_port(host: str) -> str:
    name, colon, port = host.rpartition(":")
    return name if colon and port.isascii() and port.isdigit() else host
