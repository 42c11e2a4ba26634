"""Every address, in both languages and as data, over everything that pages can show."""

from __future__ import annotations

import csv
import io
import re
from html.parser import HTMLParser
from urllib.parse import unquote, urljoin, urlsplit

import pytest
from support.pages import ENDS, OPEN_GAME, SLUGS, Served, addresses, tables

from sixtysix.rules import RULESETS, DealEnd

REPLAYED = re.compile(r"/g/[^/]+/\d+")
"""A deal: each of its moments is as good as any other."""
LATE = re.compile(r"/g/(?!ends)[^/]+/([2-9]|\d\d+)")
"""Later deals of games: there are hundreds."""
TEXTS = ("/numbers", "/docs")
VOID_ELEMENTS = {"meta", "link", "br", "wbr", "img", "input", "hr"}


class Html(HTMLParser):
    """A page, read strictly: all that was opened is closed, in order, and no id is there twice."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: set[str] = set()
        self.links: list[str] = []
        self.attributes: set[str] = set()
        self.feed(text)
        self.close()
        assert self.open == [], "not closed"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        assert len(set(names)) == len(names), f"<{tag}> says something twice: {names}"
        self.attributes |= set(names)
        found = dict(attrs)
        if found.get("id"):
            assert found["id"] not in self.ids, f"two elements have the id {found['id']}"
            self.ids.add(str(found["id"]))
        self.links += [str(found[name]) for name in ("href", "src", "action") if found.get(name)]
        if tag not in VOID_ELEMENTS:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID_ELEMENTS:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, f"</{tag}> closes something else"


@pytest.mark.parametrize("address", addresses())
def test_a_page_is_there_in_both_languages(pages: Served, address: str) -> None:
    texts = {}
    for language in ("en", "ru"):
        answer = pages.get(address, accept_language=language)
        assert answer.status == 200, answer.text
        assert answer.headers["content-type"] == "text/html; charset=utf-8"
        assert f'<html lang="{language}"' in answer.text
        html = Html(answer.text)
        # What the strict policy forbids would not work: nothing relies on it.
        assert not {name for name in html.attributes if name.startswith("on") or name == "style"}
        texts[language] = answer.text
    assert texts["en"] != texts["ru"]


@pytest.mark.parametrize("address", [each for each in addresses() if each not in TEXTS])
def test_a_page_is_there_as_data(pages: Served, address: str) -> None:
    path, mark, query = address.partition("?")
    answer = pages.get(f"{path if path != '/' else '/index'}.json{mark}{query}")
    assert answer.status == 200
    assert answer.headers["content-type"] == "application/json"
    assert answer.json() is not None


def test_data_tell_nothing_that_pages_cannot_know(pages: Served) -> None:
    """Who is connected, and whom an arena waits for, its own process knows alone."""
    one = pages.get("/t/live.json").json()["tournament"]
    assert one["entrants"][0] == {"id": "ada", "version": "a-1.0 ü"}
    assert [each["kind"] for each in one["actions"]] == ["extended"]
    listed = [*pages.get("/t.json").json(), *pages.get("/index.json").json()]
    assert {"live", "spring"} <= {each["slug"] for each in listed}
    for told in [one, *listed]:
        assert "waiting_for" not in told
        assert {name for each in told["entrants"] for name in each} == {"id", "version"}
    assert not [told for told in listed if "actions" in told], "they are not read for lists"


@pytest.mark.parametrize("address", [*tables(), *(f"/t/{slug}/cross" for slug in SLUGS)])
def test_a_table_is_there_for_spreadsheets(pages: Served, address: str) -> None:
    answer = pages.get(f"{address}.csv")
    assert answer.status == 200
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    assert re.fullmatch(
        r'attachment; filename="[\w:-]+\.csv"', answer.headers["Content-Disposition"]
    )
    rows = list(csv.reader(io.StringIO(answer.text, newline="")))
    assert len({len(row) for row in rows}) == 1
    assert len(rows) > 1 or "next" in address


@pytest.mark.parametrize(
    "address", [*(f"{each}.json" for each in TEXTS), "/docs.csv", "/index.csv", "/g/spring.1.csv"]
)
def test_what_is_no_data_is_not_found_as_data(pages: Served, address: str) -> None:
    assert pages.get(address).status == 404


def test_every_link_leads_somewhere(pages: Served) -> None:
    """From the first page on, every address that a page shows."""
    known, waiting = {"/"}, ["/"]
    while waiting:
        address = waiting.pop()
        answer = pages.get(address)
        assert answer.status in (200, 303), f"{address}: {answer.status}"
        if not answer.headers.get("content-type", "").startswith("text/html"):
            continue
        for link in Html(answer.text).links:
            parts = urlsplit(urljoin(address, link))
            assert not parts.netloc, f"{address} leads away, to {link}"
            query = (
                "" if REPLAYED.fullmatch(parts.path) else re.sub("&?next=[^&]*", "", parts.query)
            )
            found = f"{parts.path}?{query}".removesuffix("?")
            if found not in known and not LATE.fullmatch(found):
                known.add(found)
                waiting.append(found)
    assert len(known) > 100
    missing = {each.partition("?")[0] for each in addresses()}
    missing -= {unquote(each.partition("?")[0]) for each in known}
    # Nothing leads to games that are only scheduled, nor to those of what has not begun.
    assert missing <= {
        "/g/live.6",
        "/t/next/games",
        "/t/next/vs/ada/shy",
        "/t/live/vs/ada/bob",
    }


@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("/nothing", 404),
        ("/t/nothing", 404),
        ("/t/nothing.json", 404),
        ("/t/nothing/games", 404),
        ("/t/nothing/events", 404),
        ("/t/nothing/record.jsonl", 404),
        ("/t/spring/games?bot=nobody", 404),
        ("/t/spring/games?result=won", 400),
        ("/t/spring/games?result=odd", 400),
        ("/t/spring/games?fault=odd", 400),
        ("/t/spring/games?after=-1", 404),
        ("/t/spring/games?after=1e3", 404),
        ("/t/spring/games?after=%D9%A1", 404),
        ("/t/spring/vs/ada/ada", 400),
        ("/t/spring/vs/ada/nobody", 404),
        ("/t/spring/cross.json.json", 404),
        ("/t?after=nothing", 404),
        ("/g/spring", 400),
        ("/g/spring.0", 400),
        ("/g/spring.999", 404),
        ("/g/spring.1/99", 404),
        ("/g/spring.1/-1", 404),
        ("/g/spring.1/0?ply=-1", 400),
        ("/g/spring.1/0?ply=x", 400),
        ("/g/spring.1/0?ply=99999", 400),
        ("/g/spring.1/0?seat=2", 400),
        ("/g/spring.1/0?bottom=x", 400),
        ("/t/live/events.json", 404),
        ("/t/live/events.csv", 404),
        ("/t/spring/record.jsonl.json", 404),
        ("/settings.json?lang=ru", 404),
        ("/healthz.json", 404),
        ("/t/spring/cross", 404),
        ("/t/spring/games.json?result=won", 400),
        ("/t/spring/games.csv?result=lost", 400),
        ("/g/spring.1/record.json", 404),
        (f"/g/{OPEN_GAME}/1", 404),
        (f"/g/{OPEN_GAME}/record.jsonl", 400),
        ("/b/nobody", 404),
        ("/b/house:nobody", 404),
        ("/leaderboard?rules=odd", 400),
        ("/rules/odd", 404),
        ("/fair/nothing", 404),
        ("/faces/ru/XX.svg", 404),
        ("/static/nothing.css", 404),
    ],
)
def test_what_is_not_there_is_refused_with_a_page(pages: Served, address: str, status: int) -> None:
    for language in ("en", "ru"):
        answer = pages.get(address, accept_language=language)
        assert answer.status == status, answer.text
        if answer.headers["content-type"].startswith("text/html"):
            Html(answer.text)


def test_an_error_is_data_where_data_were_asked_for(pages: Served) -> None:
    answer = pages.get("/t/nothing.json")
    assert answer.status == 404
    assert answer.json()["error"]["status"] == 404
    assert "nothing" in answer.json()["error"]["told"]


def test_a_ply_behind_the_end_is_refused_with_those_that_there_are(pages: Served) -> None:
    end = re.search(r'data-ply="(\d+)" data-last="(\d+)"', pages.get("/g/spring.1/0").text)
    assert end is not None
    assert end[1] == end[2]
    for ply in (int(end[2]) + 1, 999, 99_999):
        answer = pages.get(f"/g/spring.1/0?ply={ply}")
        assert answer.status == 400
        assert f"Expected ply to be 0 to {end[2]}." in answer.text
    assert pages.get(f"/g/spring.1/0?ply={end[2]}").status == 200


@pytest.mark.parametrize(
    ("address", "english", "russian"),
    [
        ("/t/nothing", "There is no tournament nothing.", "Турнира nothing нет."),
        ("/g/spring.999", "There is no game spring.999.", "Партии spring.999 нет."),
        ("/b/nobody", "There is no bot nobody here.", "Бота nobody здесь нет."),
        ("/docs.json?x=1", "There is no such data.", "Таких данных нет."),
        ("/t/spring/cross", "is on the page of its tournament", "на странице турнира"),
        ("/g/spring.1/0?seat=2", "Expected seat to be", "Значение seat должно быть"),
    ],
)
def test_what_is_refused_is_told_in_the_language_of_the_reader(
    pages: Served, address: str, english: str, russian: str
) -> None:
    path, mark, query = address.partition("?")
    if "json" in path:
        path = "/docs.csv"  # As data it is told in English.
    for language, told in (("en", english), ("ru", russian)):
        assert told in pages.get(f"{path}{mark}{query}", accept_language=language).text


def test_what_is_told_by_the_arena_alone_is_marked_as_english(pages: Served) -> None:
    text = pages.get("/g/odd", accept_language="ru").text
    assert 'по-английски): <span lang="en">' in text


@pytest.mark.parametrize(
    "address",
    ["/t/nothing", "/t/nothing.json", "/g/spring.999", "/g/nothing.1", "/b/nobody", "/", "/t"],
)
def test_visitors_are_told_of_no_command_of_the_organiser(pages: Served, address: str) -> None:
    assert "sixtysix " not in re.sub("Sixty-Six", "", pages.get(address).text)


def test_a_list_of_games_that_somebody_won_asks_who(pages: Served) -> None:
    answer = pages.get("/t/spring/games?result=won&fault=any")
    assert answer.status == 400
    assert "Choose a bot too" in answer.text
    assert '<option value="won" selected>' in answer.text
    assert '<option value="any" selected>' in answer.text
    assert "Choose a bot too" not in pages.get("/t/spring/games?result=won&bot=ada").text


def test_a_seed_that_is_secret_is_none_in_data(pages: Served) -> None:
    assert pages.get("/t/live.json").json()["tournament"]["seed"] is None
    assert pages.get("/t/spring.json").json()["tournament"]["seed"]
    seeds = {each["slug"]: each["seed"] for each in pages.get("/t.json").json()}
    assert seeds["live"] is None
    assert {each["slug"]: each["seed"] for each in pages.get("/index.json").json()} == seeds


def test_pages_are_not_kept_and_depend_on_who_asks(pages: Served) -> None:
    for address in ("/", "/t/spring", "/t/spring.json", "/t/spring.csv", "/nothing"):
        headers = pages.get(address).headers
        assert headers["cache-control"] == "private, no-cache", address
        assert headers["vary"] == "Cookie, Accept-Language", address
    assert pages.get("/settings?lang=ru").headers["cache-control"] == "private, no-cache"


def test_what_a_rule_set_calls_deals_and_games_is_called_so_all_over_its_pages(
    pages: Served,
) -> None:
    """The Russian texts have words of their own; those of others are not on the page."""
    wrong = {"ends-classic": "сдач", "ends-played-out": "сдач", "ends-last-trick": "парти|сдач"}
    for slug, words in wrong.items():
        for address in (
            f"/t/{slug}",
            f"/t/{slug}/games",
            f"/t/{slug}/vs/ada/bob",
            f"/g/{slug}.1",
            f"/g/{slug}.1/0",
        ):
            text = pages.get(address, accept_language="ru").text.partition("<body>")[2]
            assert not re.findall(rf"\w*(?:{words})\w*", text, re.IGNORECASE), address
    assert "Сдачи" in pages.get("/g/ends-doubling.1", accept_language="ru").text
    assert "закрыл талон" in pages.get("/g/ends-doubling.1/2", accept_language="ru").text


def test_an_address_with_a_slash_behind_is_the_same(pages: Served) -> None:
    answer = pages.get("/t/spring/")
    assert answer.status == 307
    assert urlsplit(answer.headers["location"]).path == "/t/spring"


SENTENCES = {
    DealEnd.CLAIM: r"claimed 66 with \d+ against \d+ and wins",
    DealEnd.FALSE_CLAIM: r"claimed 66 with \d+, which is false: \w+ wins",
    DealEnd.FAILED_CLOSE: r"closed the talon and came to \d+: \w+ wins",
    DealEnd.COUNTED: r"(cards are played|the closed talon): \w+ has \d+, \w+ \d+, and \w+ wins",
    DealEnd.LAST_TRICK: r"All cards are played, \d+ to \d+: \w+ took the last trick and wins",
    DealEnd.FIRST_TO_66: r"Both have 66: \w+ had it first and wins",
    DealEnd.DRAWN_BOTH_66: "Both have 66: the deal is drawn and pays nothing",
    DealEnd.DRAWN_NEITHER_66: "All cards are played and neither has 66: the deal is drawn",
}


def test_every_end_of_a_deal_has_its_sentence(pages: Served) -> None:
    seen = set()
    for name in RULESETS:
        for number, end in enumerate(ENDS[name]):
            text = " ".join(pages.get(f"/g/ends-{name}.1/{number}").text.split())
            told = re.search(r'class="ending">(.*?)</p>', text)
            assert told is not None
            assert re.search(SENTENCES[end], told[1]), (name, end, told[1])
            seen.add(end)
        for number, sentence in (
            (len(ENDS[name]), "Void, so it counts for nothing"),
            (len(ENDS[name]) + 1, "since the game was forfeited: timeout."),
        ):
            assert sentence in pages.get(f"/g/ends-{name}.1/{number}").text
    assert seen == set(DealEnd)


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("/g/spring.3", "illegal move AS: the card is not in hand"),
        ("/g/spring.4", "ada said „goodbye“"),
        ("/g/spring.5", "no show"),
        ("/g/spring.6", "both bots were away"),
        ("/t/spring/games?fault=illegal", "illegal move"),
        ("/t/live", "the trains are late"),
        ("/b/bob", "illegal move AS: no trump"),
        ("/b/shy", "It has not played yet"),
        ("/b/shy", 'href="/t/next"'),
        ("/b/ada", "/vs/ada/bob"),
        ("/b/ada", "result=lost&amp;fault="),
        ("/g/ends-classic.1/5", '<span class="reason" lang="en">no move within 400 ms.</span>'),
        ("/t/practice", "practice"),
        ("/fair/practice", "its seed was known before"),
        ("/fair/spring", "write its commitment down"),
        ("/fair/spring", "000102030405060708090a0b0c0d0e0f"),
        ("/fair/live", "secret until the last game is over"),
        ("/t/live", "whole rounds"),
        ("/leaderboard?rules=classic", "ada"),
        ("/leaderboard?rules=played-out", "ada"),
        ("/t/live", "\N{MINUS SIGN}0.790"),
        (f"/g/{OPEN_GAME}/0", "Score 0\N{NO-BREAK SPACE}:\N{NO-BREAK SPACE}3."),
        ("/t/next", "/b/shy"),
        ("/t/next/vs/ada/shy", "No game is scheduled yet"),
    ],
)
def test_what_is_told(pages: Served, address: str, told: str) -> None:
    assert told in pages.get(address).text


@pytest.mark.parametrize(
    ("address", "section", "current"),
    [
        ("/t", "/t", "page"),
        ("/t/spring", "/t", "true"),
        ("/g/spring.1", "/t", "true"),
        ("/fair/spring", "/t", "true"),
        ("/leaderboard?rules=doubling", "/leaderboard", "page"),
        ("/rules/classic", "/rules/classic", "page"),
        ("/rules/doubling", "/rules/classic", "true"),
        ("/numbers", "/docs", "true"),
    ],
)
def test_a_page_says_which_section_it_is_in(
    pages: Served, address: str, section: str, current: str
) -> None:
    text = pages.get(address).text
    nav = text[text.index("<nav ") : text.index("</nav>")]
    assert re.findall('href="([^"]+)" aria-current="([^"]+)"', nav) == [(section, current)]


def test_a_pairing_has_the_colours_of_its_games(pages: Served) -> None:
    for one, other in (("ada", "bob"), ("bob", "ada")):
        text = pages.get(f"/t/spring/vs/{one}/{other}").text
        heading = text[text.index("<h1") : text.index("</h1>")]
        assert re.search('seat-0-text" href="/b/ada".*', heading)
        assert re.search('seat-1-text" href="/b/bob".*', heading)
        assert f"From the side of {one}." in text


def test_a_tournament_that_has_not_begun_has_no_progress(pages: Served) -> None:
    bar = re.compile("<progress|games-bar")
    assert not bar.search(pages.get("/t/next").text)
    assert bar.search(pages.get("/t/live").text)


def test_health(pages: Served) -> None:
    answer = pages.get("/healthz")
    assert (answer.status, answer.text) == (200, "ok\n")


def test_head_has_no_body(pages: Served) -> None:
    answer = pages.get("/t/spring", method="HEAD")
    assert (answer.status, answer.body) == (200, b"")


def test_russian_faces_have_russian_letters(pages: Served) -> None:
    english = pages.get("/static/cards/QH.svg").text
    russian = pages.get("/faces/ru/QH.svg")
    assert russian.headers["content-type"] == "image/svg+xml"
    assert russian.text != english
    assert len(russian.text) > len(english) / 2
    assert "/faces/ru/" in pages.get("/g/spring.1/0", accept_language="ru").text
    assert "/faces/ru/" not in pages.get("/g/spring.1/0", accept_language="en").text


def test_static_files_are_kept_for_good_under_an_address_of_their_own(pages: Served) -> None:
    found = re.search(r"/static/site\.css\?v=\w{10}", pages.get("/").text)
    assert found is not None
    assert "immutable" in pages.get(found[0]).headers["cache-control"]
    face = re.search(r"/faces/ru/\w\w\.svg\?v=\w{10}", pages.get("/", accept_language="ru").text)
    assert face is not None
    assert "immutable" in pages.get(face[0]).headers["cache-control"]
    for address in (found[0], face[0]):
        path = address.partition("?")[0]
        for other in (path, f"{path}?v=0123456789"):
            assert pages.get(other).headers["cache-control"] == "no-cache"
