"""What strangers and organisers can write, and what anybody can ask, driven through the pages."""

from __future__ import annotations

import asyncio
import csv
import gzip
import hashlib
import io
import json
import re
import unicodedata
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from support.arenas import RawBot, bot, definition, running_arena, until_finished
from support.misbehaving import PATIENT, answer, run
from support.pages import Answer, Served, addresses, filled_folder, serving

from sixtysix.reports import GameState
from sixtysix_arena.arena import Arena
from sixtysix_arena.errors import Invalid

SCRIPTS = (
    "<script>alert(1)</script>",
    "</title><script>alert(1)</script>",
    "</script><script>alert(1)//",
    "<img src=x onerror=alert(1)>",
    "<svg/onload=alert(1)>",
    '" onmouseover="alert(1)" x="',
    "' onfocus='alert(1)' autofocus='",
    '"><iframe srcdoc="x">',
    "<a href=javascript:alert(1)>x</a>",
    "<style>*{display:none}</style>",
    "--><base href=//evil.example>",
    '<meta http-equiv="refresh" content="0">',
    "]]><!--",
    "&lt;script&gt;&#60;b&#62;",
    "`${alert(1)}`",
)
TEMPLATES = ("{{7*7}}", "{% raw %}", "{#", "${7*7}", "#{7*7}", "%(winner)s %s %%", "{0}{x}")
FORMULAS = (
    "=1+1",
    "+1",
    "-1",
    "@SUM(1)",
    "\t=1+1",
    "\r=1+1",
    "=cmd|' /C calc'!A0",
    '=HYPERLINK("http://evil.example")',
    "x;=1+1",
    'x",=1+1',
    "x\n=1+1",
    " =1+1",
    "\uff1d1+1",
)
LINES = ("a\r\nSet-Cookie: x=1", "a\nX-Evil: 1", "\r\n\r\n<b>", "a\x00b", "a\x85b\u2028c\u2029d")
UNSEEN = (
    "\u202etxt\u202c",
    "a\u200bb\ufeff",
    "\x1b[31mred\x07",
    "\x9b31m",
    "tag\U000e0041",
    "\u2066x",
)
COMMANDS = (
    "' OR '1'='1",
    "'; DROP TABLE game; --",
    '" OR 1=1 --',
    "%",
    "_",
    "x') UNION SELECT 1--",
)
PATHS = (
    "../../etc/passwd",
    "..\\..\\x",
    "/etc/passwd",
    "file:///etc/passwd",
    "//evil.example",
    ".",
)
LONG = ("x" * 3_000, "<b>" * 900, "\u0436" * 900)
PAYLOADS = (*SCRIPTS, *TEMPLATES, *FORMULAS, *LINES, *UNSEEN, *COMMANDS, *PATHS, *LONG)

FORBIDDEN_ATTRIBUTES = re.compile("on.*|style|srcdoc|formaction|srcset|ping|http-equiv")
TAGS = """
    a article aside b body br button caption circle code dd defs desc details div dl dt em
    fieldset figcaption figure footer form g h1 h2 h3 head header hr html i img input kbd label
    legend li line link main meta nav ol optgroup option output p path polygon polyline pre
    progress q rect script section select small span strong summary svg symbol table tbody td
    text time th thead title tr ul use wbr
"""
"""What templates may use."""
HARMFUL = {"Cc", "Cf", "Cs", "Zl", "Zp"}
HEADERS = ("Content-Security-Policy", "X-Content-Type-Options", "X-Frame-Options")


@dataclass
class Shown(HTMLParser):
    """A page as a browser reads it."""

    html: str
    texts: list[str] = field(default_factory=list)
    inside: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()
        self.feed(self.html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in TAGS.split(), f"<{tag}>"
        found = dict(attrs)
        for name in found:
            assert not FORBIDDEN_ATTRIBUTES.fullmatch(name), f"<{tag} {name}>"
        for name in ("href", "src", "action"):
            if name in found:
                leads = found[name] or ""
                assert re.match(r"[?#]|/(?![/\\])", leads), f"{name}={leads!r}"
        if tag == "script":
            assert (found.get("src") or "").startswith("/static/")
        self.texts += [value for value in found.values() if value]
        self.inside.append(tag)

    def handle_endtag(self, tag: str) -> None:
        self.inside.append(f"/{tag}")

    def handle_data(self, data: str) -> None:
        if self.inside and self.inside[-1] in ("script", "style"):
            assert not data.strip(), "a script within the page"
        self.texts.append(data)

    @property
    def text(self) -> str:
        """All that is read, and all that attributes say."""
        return "\n".join(self.texts)


def check_answer(answer: Answer) -> None:
    """Whatever was asked: nothing runs, nothing deceives, nothing was put into the headers."""
    assert answer.status < 500, answer.text
    for name in HEADERS:
        assert answer.headers[name], name
    assert "x-evil" not in answer.headers
    assert "x=1" not in answer.headers.get("set-cookie", "")
    kind = answer.headers.get("content-type", "")
    if kind.startswith("text/html"):
        shown = Shown(answer.text)
        odd = {char for char in shown.text if unicodedata.category(char) in HARMFUL} - {"\n", "\r"}
        assert not odd, odd
    elif kind == "application/json":
        json.loads(answer.body)
    elif kind.startswith("text/csv"):
        check_cells(answer.text)


def check_cells(text: str) -> None:
    """No cell begins like a formula, whatever a spreadsheet takes for the end of a cell."""
    for row in csv.reader(io.StringIO(text, newline="")):
        for cell in row:
            if re.fullmatch(r"-?\d+(\.\d+)?(e-?\d+)?", cell):
                continue
            for part in re.split(r"[;,\t\r\n|]", cell):
                assert not re.match(r"\s*[=+\-@\uff1d\uff0b\uff0d\uff20]", part), cell


# What is stored.


@dataclass(frozen=True)
class Attacked:
    """The pages of an arena on which everybody wrote what they could."""

    pages: Served
    names: dict[str, str]
    """What became of the names of tournaments, by what was written."""
    comments: dict[str, str]


async def _comment(raw: RawBot) -> None:
    said = 0
    while True:
        answers = []
        for decision in (await raw.receive()).decisions:
            each = answer(decision)
            each.comment = PAYLOADS[said % len(PAYLOADS)]
            said += 1
            answers.append(each)
        if answers:
            await raw.answer(*answers)


async def _write_everywhere(arena: Arena) -> None:
    """Names of tournaments, reasons of all kinds, and a bot that is thrown out for one."""
    entrants = ("bad", "good", "house:random")
    for number, text in enumerate(PAYLOADS):
        named = replace(definition(entrants, slug=f"named-{number}"), name=text[:70])
        await arena.create_tournament(named)
        await arena.extend_joining(named.slug, 1, text)
    for number, text in enumerate(PAYLOADS):
        with suppress(Invalid):  # Too long.
            await arena.submit_bot(f"owned-{number}", text)
    for name in ("bad", "good"):
        await arena.set_owner(name, SCRIPTS[0])
    await arena.set_owner("formula", FORMULAS[0])
    await arena.start_tournament("named-0")
    await arena.end_tournament("named-0", SCRIPTS[0])


@pytest.fixture(scope="module")
def attacked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Attacked]:
    data = tmp_path_factory.mktemp("attacked") / "data"

    async def main() -> None:
        version = '"><b>{{7*7}}</b>'
        async with (
            running_arena(data) as arena,
            bot(arena, "good", RawBot.play),
            bot(arena, "bad", _comment, bot_version=version),
            bot(arena, "formula", RawBot.play, bot_version="=1+1;@x\x1b"),
        ):
            await arena.create_tournament(
                definition(("bad", "formula", "good"), clock=PATIENT, games_per_pairing=6)
            )
            await arena.start_tournament("cup")
            await until_finished(arena)
            await arena.create_tournament(
                definition(("bad", "formula", "good"), clock=PATIENT, slug="thrown-out")
            )
            await _write_everywhere(arena)
            await arena.start_tournament("thrown-out")
            await arena.disable_bot("bad", '<img src=x onerror="alert(1)">')
            await until_finished(arena, "thrown-out")

    run(main(), 100)
    with serving(data) as pages:
        names = {
            text: pages.get(f"/t/named-{number}.json").json()["tournament"]["name"]
            for number, text in enumerate(PAYLOADS)
        }
        comments = {}
        for game in pages.get("/t/cup/games.json?bot=bad").json()[:8]:
            game_id = game["game_id"]
            for deal in pages.get(f"/g/{game_id}.json").json()["deals"]:
                for move in deal["moves"]:
                    if "comment" in move:
                        comments[move["comment"]] = f"/g/{game_id}/{deal['deal']}"
        yield Attacked(pages, names, comments)


def all_of(pages: Served) -> list[str]:
    """Every page of this arena, with its data."""
    infos = pages.get("/t.json").json()
    bases = ["/", "/t", "/leaderboard", "/b/bad", "/b/good", "/b/formula", "/numbers", "/docs"]
    bases += [f"/b/owned-{number}" for number in range(len(PAYLOADS))]
    for info in infos:
        slug = info["slug"]
        bases += [f"/t/{slug}", f"/fair/{slug}"]
        if info["game_count"]:
            bases += [f"/t/{slug}/games", f"/t/{slug}/cross"]
            bases += [f"/g/{slug}.{number}" for number in range(1, info["game_count"] + 1)]
    for game in pages.get("/t/cup/games.json").json():
        bases += [f"/g/{game['game_id']}/{deal}" for deal in range(min(game["deal_count"], 3))]
    return bases


@pytest.mark.parametrize("language", ["en", "ru"])
def test_threat_27_what_was_written_is_shown_and_does_nothing(
    attacked: Attacked, language: str
) -> None:
    pages = attacked.pages
    for base in all_of(pages):
        check_answer(pages.get(base, accept_language=language))


def test_threat_27_what_was_written_is_harmless_as_data(attacked: Attacked) -> None:
    pages = attacked.pages
    for base in all_of(pages):
        for form in ("json", "csv"):
            given = pages.get(f"{base if base != '/' else '/index'}.{form}")
            check_answer(given)
            kind = given.headers["content-type"]
            assert given.status == 404 or not kind.startswith("text/html")


def test_threat_27_names_of_tournaments_are_shown_as_written(attacked: Attacked) -> None:
    """Or the other tests would look at nothing."""
    assert attacked.names["<script>alert(1)</script>"] == "<script>alert(1)</script>"
    for number, text in enumerate(PAYLOADS):
        shown = Shown(attacked.pages.get(f"/t/named-{number}").text)
        name = attacked.names[text]
        assert any(name in each for each in shown.texts), name
        if text.isprintable() and text.isascii() and len(text) <= 70:
            assert name == " ".join(text.split())
    listed = attacked.pages.get("/t.csv").text
    assert "'=1+1" in listed
    assert "{{7*7}}" in listed


def test_threat_27_comments_and_reasons_are_shown_as_written(attacked: Attacked) -> None:
    assert len(attacked.comments) > 20
    for text, address in list(attacked.comments.items()):
        shown = Shown(attacked.pages.get(f"{address}").text)
        assert text.strip() in shown.text, text
    told = Shown(attacked.pages.get("/t/thrown-out").text).text
    assert '<img src=x onerror="alert(1)">' in told
    assert SCRIPTS[0] in Shown(attacked.pages.get("/t/named-0").text).text
    assert f"owner {SCRIPTS[0]}" in Shown(attacked.pages.get("/b/owned-0").text).text
    assert f"owner {FORMULAS[0]}" in Shown(attacked.pages.get("/b/formula").text).text
    owners = Shown(attacked.pages.get("/t/cup").text).texts
    assert owners.count(SCRIPTS[0]) == 1, "bad and good are one owner's"
    assert '"><b>{{7*7}}</b>' in Shown(attacked.pages.get("/t/cup").text).text
    assert "'=1+1;'@x" in attacked.pages.get("/t/cup.csv").text


def test_threat_32_records_are_files_to_be_saved(attacked: Attacked) -> None:
    pages = attacked.pages
    kinds = {
        "/t/cup/record.jsonl": "application/x-ndjson",
        "/t/cup/record.jsonl.gz": "application/gzip",
        "/g/cup.1/record.jsonl": "application/x-ndjson",
        "/t/named-3/record.jsonl": "application/x-ndjson",
        "/t/cup.csv": "text/csv; charset=utf-8",
        "/t/named-3.csv": "text/csv; charset=utf-8",
    }
    for address, kind in kinds.items():
        given = pages.get(address)
        assert given.status == 200
        assert given.headers["content-type"] == kind
        saved = given.headers["content-disposition"]
        assert re.fullmatch(r'attachment; filename="[a-z0-9.-]+"', saved)
        assert given.headers["x-content-type-options"] == "nosniff"
        assert given.headers["content-security-policy"].startswith("default-src 'self'")
        body = gzip.decompress(given.body) if address.endswith("gz") else given.body
        if "jsonl" in address:
            for line in body.decode().splitlines():
                json.loads(line)
    assert b"<script>alert(1)</script>" in pages.get("/t/cup/record.jsonl").body


# What is asked.


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = filled_folder(tmp_path_factory.mktemp("asked") / "data")
    return folder.path


@pytest.fixture(scope="module")
def pages(filled: Path) -> Iterator[Served]:
    with serving(filled) as served:
        yield served


PLACES = (
    "/{}",
    "/t/{}",
    "/t/{}.json",
    "/t/{}/games",
    "/t/spring/{}",
    "/t/{}/events",
    "/t/{}/record.jsonl.gz",
    "/t/spring/vs/ada/{}",
    "/t/spring/vs/{}/ada.csv",
    "/g/{}",
    "/g/{}/0",
    "/g/spring.1/{}",
    "/b/{}",
    "/b/{}.csv",
    "/rules/{}",
    "/fair/{}",
    "/faces/ru/{}.svg",
    "/static/{}",
    "/t?after={}",
    "/t.csv?after={}",
    "/t/spring?bot={}",
    "/t/spring/games?bot={}",
    "/t/spring/games?bot=ada&against={}",
    "/t/spring/games.csv?bot=ada&result={}",
    "/t/spring/games?fault={}",
    "/t/spring/games?after={}",
    "/g/spring.1/0?ply={}",
    "/g/spring.1/0?seat={}",
    "/g/spring.1/0?bottom={}",
    "/leaderboard?rules={}",
    "/settings?theme={}",
    "/settings?lang={}",
    "/settings?next={}",
    "/?lang={}",
    "/numbers?{}",
    "/t/spring/games?x={}&bot=ada",
)


@pytest.mark.parametrize("place", PLACES)
def test_threat_27_what_is_asked_is_answered_harmlessly(pages: Served, place: str) -> None:
    for text in PAYLOADS:
        given = pages.get(place.format(quote(text.encode(), safe="")))
        check_answer(given)


@pytest.mark.parametrize(
    "header", ["Accept-Language", "Cookie", "Referer", "User-Agent", "Last-Event-ID", "Origin"]
)
def test_threat_27_headers_that_are_sent_are_not_shown(pages: Served, header: str) -> None:
    for text in PAYLOADS:
        value = re.sub(r"[^\x20-\x7e]", " ", text)[:900]
        for place in ("/numbers", "/nothing"):
            given = pages.get(place, **{header: f"theme={value}; lang={value}"})
            check_answer(given)
            assert b"alert(1)" not in given.body


def test_threat_29_what_is_asked_is_no_command(pages: Served, filled: Path) -> None:
    path = filled / "arena.db"
    before = hashlib.sha256(path.read_bytes()).hexdigest()
    for text in COMMANDS:
        said = quote(text, safe="")
        for place in PLACES:
            given = pages.get(place.format(said))
            assert given.status < 500, place
        # It is nobody and nothing; and never everybody.
        assert pages.get(f"/t/spring/games.json?bot={said}").status == 404
        assert pages.get(f"/t/{said}").status == 404
        assert pages.get(f"/b/{said}").status == 404
        assert pages.get(f"/t.json?after={said}").status == 404
    assert hashlib.sha256(path.read_bytes()).hexdigest() == before


def test_threat_30_no_path_of_a_page_leads_to_a_file(pages: Served, filled: Path) -> None:
    (filled / "admin-token").write_text("the token of the organiser\n")
    names = ("admin-token", "arena.db", "../data/admin-token", str(filled / "admin-token"))
    for name in (*names, *PATHS):
        for place in PLACES:
            for said in (quote(name, safe=""), quote(name)):
                given = pages.get(place.format(said))
                assert given.status < 500
                assert b"the token of the organiser" not in given.body
                assert b"SQLite format 3" not in given.body
                assert b"root:" not in given.body


def test_threat_31_nothing_can_be_done_from_another_site(pages: Served) -> None:
    from_evil = {"Origin": "https://evil.example", "Sec_Fetch_Site": "cross-site"}
    for address in ("/", "/t/spring", "/settings?theme=dark", "/healthz", "/t/spring/events"):
        for method in ("POST", "PUT", "PATCH", "DELETE", "OPTIONS"):
            given = pages.get(address, method=method, **from_evil)
            assert given.status == 405
            assert "set-cookie" not in given.headers
    for address in addresses()[::5]:
        given = pages.get(address, **from_evil)
        # Nobody may read it from elsewhere, put it into a frame, or get at its window.
        assert not [name for name in given.headers if name.lower().startswith("access-control")]
        assert given.headers["x-frame-options"] == "DENY"
        assert "frame-ancestors 'none'" in given.headers["content-security-policy"]
        assert given.headers["cross-origin-resource-policy"] == "same-origin"
        assert given.headers["cross-origin-opener-policy"] == "same-origin"
        assert given.headers["referrer-policy"] == "no-referrer"
        assert "<form" not in given.text or 'method="get"' in given.text


def test_threat_31_a_name_that_is_bound_to_this_machine_reads_nothing(pages: Served) -> None:
    for address in ("/", "/t.json", "/t/spring/record.jsonl", "/settings?theme=dark", "/healthz"):
        given = pages.get(address, host="evil.example")
        assert given.status == 421
        assert b"spring" not in given.body
        assert "set-cookie" not in given.headers


def test_threat_31_a_cookie_says_nothing_but_language_and_theme(pages: Served) -> None:
    given = pages.get("/settings?theme=dark&lang=ru&admin=1&token=x")
    said = given.headers.get_all("set-cookie") or []
    assert sorted(each.partition(";")[0] for each in said) == ["lang=ru", "theme=dark"]
    for each in said:
        assert "SameSite=lax" in each
        assert "HttpOnly" in each


# What is hidden.


def everything(pages: Served) -> bytes:
    """All that the pages tell of the cup, in every form, the events of its stream included."""
    told = []
    bases = ["/", "/t", "/t/cup", "/t/cup/games", "/t/cup/cross", "/fair/cup", "/leaderboard"]
    bases += ["/t/cup/vs/bad/good", "/b/bad", "/b/good", "/t/cup/record.jsonl"]
    for number in (1, 2):
        bases += [f"/g/cup.{number}", f"/g/cup.{number}/record.jsonl"]
        bases += [f"/g/cup.{number}/{deal}?seat=both" for deal in range(10)]
    for base in bases:
        path, mark, query = base.partition("?")
        for form in ("", ".json", ".csv"):
            told.append(
                pages.get(
                    f"{path if path != '/' or not form else '/index'}{form}{mark}{query}"
                ).body
            )
    told.append(gzip.decompress(pages.get("/t/cup/record.jsonl.gz").body))
    return b"\n".join(told)


def test_threat_12_pages_hide_what_is_not_over(tmp_path: Path) -> None:
    """The seed, comments, and the deal that is played; all of it is there when all is over."""
    comment = "only the author may know that yet"
    go_on = asyncio.Event()
    paused = asyncio.Event()

    async def pause(raw: RawBot) -> None:
        """Plays the first deal, then some moves of the second, and waits."""
        while True:
            for decision in (await raw.receive()).decisions:
                if decision.deal == 1 and decision.ply > 2 and not go_on.is_set():
                    paused.set()
                    await go_on.wait()
                each = answer(decision)
                each.comment = comment
                await raw.answer(each)

    async def main() -> tuple[bytes, bytes, dict[str, Any]]:
        async with (
            running_arena(tmp_path / "data") as arena,
            bot(arena, "good", RawBot.play),
            bot(arena, "bad", pause),
        ):
            cup = definition(("bad", "good"), clock=PATIENT, games_at_once=1)
            await arena.create_tournament(replace(cup, practice_seed=None))
            await arena.start_tournament("cup")
            await asyncio.wait_for(paused.wait(), 30)
            await asyncio.sleep(0.2)
            with serving(tmp_path / "data") as pages:
                before = await asyncio.to_thread(everything, pages)
                live = await asyncio.to_thread(pages.get, "/g/cup.1.json")
                go_on.set()
                await until_finished(arena)
                after = await asyncio.to_thread(everything, pages)
            seed = arena.reader.tournament("cup").seed.hex()
            return before, after, {"seed": seed, "live": live.json()}

    before, after, told = run(main())
    assert told["live"]["game"]["state"] == GameState.OPEN
    assert [deal["deal"] for deal in told["live"]["deals"]] == [0]
    assert b"/g/cup.1/0" in before
    assert b"/g/cup.1/1" not in before
    assert b"/g/cup.1/1" in after
    for secret in (told["seed"].encode(), comment.encode()):
        assert secret not in before
        assert secret in after
