"""What every request passes, and what every answer carries."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from starlette.types import Receive, Scope, Send
from support.pages import Served, served

from sixtysix_arena.web.guarding import (
    HEADERS,
    MAX_HEADER_BYTES,
    MAX_PATH_LENGTH,
    MAX_QUERY_LENGTH,
    SafeHeaders,
)

ANSWERS = (
    "/",
    "/t/spring",
    "/t/spring.csv",
    "/t/spring.json",
    "/t/spring/record.jsonl",
    "/t/spring/record.jsonl.gz",
    "/t/spring/events",
    "/g/spring.1/0",
    "/g/spring.1/record.jsonl",
    "/settings?theme=dark",
    "/healthz",
    "/faces/ru/QH.svg",
    "/static/site.css",
    "/static/nothing",
    "/nothing",
    "/t/spring/",
    "/leaderboard?rules=odd",
    "/" + "x" * 400,
)


@pytest.mark.parametrize("address", ANSWERS)
def test_every_answer_carries_what_keeps_browsers_in(pages: Served, address: str) -> None:
    answer = pages.get(address)
    for name, value in HEADERS.items():
        assert answer.headers.get_all(name) == [value], name
    assert answer.headers["server"] is None


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "ODD"])
@pytest.mark.parametrize("address", ["/", "/t/spring", "/settings?theme=dark", "/static/site.css"])
def test_nothing_can_be_changed(pages: Served, method: str, address: str) -> None:
    answer = pages.get(address, method=method)
    assert answer.status == 405
    assert answer.headers["allow"] == "GET, HEAD"
    assert "set-cookie" not in answer.headers
    assert answer.headers["X-Frame-Options"] == "DENY"


def test_the_policy_allows_nothing_inline_and_nobody_else() -> None:
    policy = dict(
        each.strip().split(" ", 1) for each in HEADERS["Content-Security-Policy"].split(";")
    )
    assert policy["default-src"] == "'self'"
    assert policy["frame-ancestors"] == policy["base-uri"] == policy["object-src"] == "'none'"
    assert "unsafe" not in HEADERS["Content-Security-Policy"]
    assert "script-src" not in policy


def test_a_mistake_of_ours_carries_the_headers_and_tells_nothing(
    pages: Served, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("the secret of the house")

    monkeypatch.setattr("sixtysix_arena.queries.StoredArena.tournament", fail)
    answer = pages.get("/fair/spring")
    assert answer.status == 500
    assert answer.headers["X-Frame-Options"] == "DENY"
    assert "secret" not in answer.text
    assert "Traceback" not in answer.text
    found = re.search(r"\b[0-9a-f]{8}\b", answer.text)
    assert found is not None
    noted = [record for record in caplog.records if record.getMessage() == "a page failed"]
    assert noted[0].__dict__["error_id"] == found[0]


@pytest.mark.parametrize(
    "host",
    [
        "localhost",
        "LOCALHOST",
        "localhost:1234",
        "arena.example",
        "arena.example:443",
        "127.0.0.1",
        "127.0.0.1:6680",
        "[::1]",
        "[::1]:6680",
        "192.0.2.7",
    ],
)
def test_a_known_host_is_answered(pages: Served, host: str) -> None:
    assert pages.get("/healthz", host=host).status == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:6680",
        "arena.example.evil.example",
        "sub.arena.example",
        "arena.example@evil.example",
        "127.0.0.1.evil.example",
        "0x7f000001",
        "localhost.evil.example",
        "evil.example#localhost",
        "evil.example/localhost",
        "[::1].evil.example",
        "[::1]x:80",
        "localhost:x",
        "localhost:80:80",
        "::1:x",
        "",
        "\xe4rena.example",
    ],
)
def test_a_strange_host_is_refused(pages: Served, host: str) -> None:
    request = f"GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode("latin-1")
    answer = pages.send(request)
    assert answer.startswith((b"HTTP/1.1 421", b"HTTP/1.1 400")), answer[:200]
    assert b"tournament" not in answer.lower()


@pytest.mark.parametrize(
    "hosts",
    [
        (b"Host: localhost", b"Host: evil.example"),
        (b"Host: localhost", b"Host: localhost"),
        (b"Host: evil.example", b"X-Forwarded-Host: localhost"),
        (),
    ],
)
def test_one_host_and_no_other_is_said(pages: Served, hosts: tuple[bytes, ...]) -> None:
    lines = [b"GET /healthz HTTP/1.1", *hosts, b"Connection: close", b"", b""]
    answer = pages.send(b"\r\n".join(lines))
    assert answer.startswith((b"HTTP/1.1 421", b"HTTP/1.1 400")), answer[:200]


def test_old_browsers_without_a_host_are_refused(pages: Served) -> None:
    assert pages.send(b"GET /healthz HTTP/1.0\r\n\r\n").startswith(b"HTTP/1.1 421")


def test_an_address_has_an_end(pages: Served) -> None:
    assert pages.get("/" + "x" * (MAX_PATH_LENGTH - 1)).status == 404
    assert pages.get("/" + "x" * MAX_PATH_LENGTH).status == 414
    assert pages.get("/t?after=" + "x" * (MAX_QUERY_LENGTH - 6)).status == 404
    assert pages.get("/t?after=" + "x" * MAX_QUERY_LENGTH).status == 414


def test_headers_have_an_end(pages: Served) -> None:
    assert pages.get("/healthz", X_Pile="y" * (MAX_HEADER_BYTES - 200)).status == 200
    assert pages.get("/healthz", X_Pile="y" * MAX_HEADER_BYTES).status == 431


@pytest.mark.parametrize(
    "request_start",
    [
        b"GET /" + b"x" * 200_000 + b" HTTP/1.1\r\nHost: localhost\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\n" + b"X-Pile: yyyyyyyyyyyyyyyy\r\n" * 20_000,
        b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Pile: " + b"y" * 200_000,
    ],
    ids=["path", "headers", "header"],
)
def test_what_comes_before_an_answer_has_an_end(pages: Served, request_start: bytes) -> None:
    try:
        answer = pages.send(request_start)
    except OSError:  # It stops reading: what was sent behind that resets the stream.
        return
    assert not answer or answer.startswith(b"HTTP/1.1 400"), answer[:200]


@pytest.mark.parametrize(
    "path",
    [
        "/static/../app.py",
        "/static/../../queries.py",
        "/static/%2e%2e/app.py",
        "/static/..%2fapp.py",
        "/static/..%5capp.py",
        "/static/cards/..%2f..%2fapp.py",
        "/static/%2e%2e%2f%2e%2e%2farena.py",
        "/static//etc/passwd",
        "/static/%2fetc%2fpasswd",
        "//etc/passwd",
        "/static/site.css%00.json",
        "/static/%00",
        "/static/",
        "/static/cards",
        "/static/cards/",
        "/static/./../i18n.py",
        "/static/..;/app.py",
        "/static/%252e%252e/app.py",
        "/static/....//app.py",
        "/faces/ru/..%2f..%2f..%2fapp.svg",
        "/faces/ru/%2e%2e%2f%2e%2e%2fstatic%2ficon.svg",
        "/t/..%2f..%2fetc/record.jsonl",
        "/t/%2e%2e/events",
        "/t/spring%00",
        "/t/spring%00.json",
        "/g/..%2fspring.1",
        "/b/..%2f..%2farena.db",
        "/fair/..%2fadmin-token",
        "/arena.db",
        "/admin-token",
        "/..json",
        "/t/.json",
        "/index.json.json",
        "/settings.json?theme=dark",
        "/static/site.css.json",
        "/healthz.csv.json",
        "/%ff%fe",
        "/t/%ed%a0%80",
        "/g/%F0%9F%83%81.1",
    ],
)
def test_no_path_leads_out(pages: Served, path: str) -> None:
    answer = pages.get(path)
    assert answer.status in (303, 307, 400, 404), answer.text
    for secret in (b"from __future__", b"root:", b"SQLite format", b"def "):
        assert secret not in answer.body
    if answer.status in (303, 307):
        assert not answer.headers["location"].startswith("//")


@pytest.mark.parametrize("path", ["//evil.example/", "//evil.example", "/%2fevil.example/"])
def test_a_slash_that_is_left_out_leads_to_nobody_else(pages: Served, path: str) -> None:
    answer = pages.get(path)
    assert answer.status == 404
    assert "location" not in answer.headers


@pytest.fixture
def bare() -> Iterator[Served]:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            headers = [(b"referrer-policy", b"same-origin")]
            await send({"type": "http.response.start", "status": 200, "headers": headers})
            await send({"type": "http.response.body", "body": b""})

    with served(SafeHeaders(app)) as pages:
        yield pages


def test_what_a_page_says_itself_stays(bare: Served) -> None:
    answer = bare.get("/")
    assert answer.headers.get_all("Referrer-Policy") == ["same-origin"]
    assert answer.headers["X-Frame-Options"] == "DENY"
