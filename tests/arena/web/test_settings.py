"""Language and theme: what is kept, and where the link leads back to."""

from __future__ import annotations

import re
from urllib.parse import quote

import pytest
from support.pages import Served


@pytest.mark.parametrize("theme", ["light", "dark", "auto"])
def test_a_theme_is_kept_and_in_the_first_html(pages: Served, theme: str) -> None:
    answer = pages.get(f"/settings?theme={theme}&next=/t%3Fafter=spring")
    assert answer.status == 303
    assert answer.headers["location"] == "/t?after=spring"
    cookie = answer.headers["set-cookie"]
    assert {"HttpOnly", "SameSite=lax", "Path=/"} <= set(cookie.split("; "))
    shown = pages.get("/", cookie=cookie.partition(";")[0])
    assert f'data-theme="{theme}"' in shown.text.partition("<head>")[0]


def test_a_language_is_kept_whatever_the_browser_says(pages: Served) -> None:
    cookie = pages.get("/settings?lang=ru").headers["set-cookie"].partition(";")[0]
    shown = pages.get("/", cookie=cookie, accept_language="en").text
    assert '<html lang="ru"' in shown
    assert '<html lang="en"' in pages.get("/?lang=en", cookie=cookie).text


@pytest.mark.parametrize(
    "said",
    ["theme=odd", "lang=xx", "theme=", "lang=en%0d%0aX-Evil:1", "theme=dark;Path=/evil", "other=1"],
)
def test_nothing_else_is_kept(pages: Served, said: str) -> None:
    answer = pages.get(f"/settings?{said}")
    assert answer.status == 303
    assert "set-cookie" not in answer.headers
    assert "X-Evil" not in answer.headers


@pytest.mark.parametrize(
    "cookie", ["theme=odd", 'theme="><script>', "lang=../../x", "lang=;theme="]
)
def test_odd_cookies_are_as_none(pages: Served, cookie: str) -> None:
    shown = pages.get("/", cookie=cookie)
    assert shown.status == 200
    assert '<html lang="en" data-theme="auto">' in shown.text


@pytest.mark.parametrize(
    "address",
    [
        "https://evil.example/",
        "//evil.example",
        "///evil.example",
        "/\\evil.example",
        "\\\\evil.example",
        "/\t/evil.example",
        "/\n/evil.example",
        "/\r\nSet-Cookie: x=1",
        "\t//evil.example",
        " //evil.example",
        "javascript:alert(1)",
        "data:text/html,x",
        "evil.example",
        "@evil.example",
        ".evil.example",
        "/\x00",
        "/\u2028",
        "/\uff0f/evil.example",
        "",
    ],
)
def test_a_link_leads_back_to_these_pages_alone(pages: Served, address: str) -> None:
    answer = pages.get(f"/settings?theme=dark&next={quote(address)}")
    assert answer.status == 303
    assert answer.headers["location"] == "/"
    assert "x=1" not in str(answer.headers)


@pytest.mark.parametrize(
    "address", ["/", "/t/spring?bot=ada&x=%C3%A4", "/g/spring.1/0?ply=3#replay"]
)
def test_a_link_leads_back_to_where_the_reader_was(pages: Served, address: str) -> None:
    assert pages.get(f"/settings?next={quote(address, safe='')}").headers["location"] == address


def test_the_links_of_a_page_lead_back_to_it(pages: Served) -> None:
    text = pages.get("/t/spring/games?bot=ada&lang=ru").text
    found = re.search(r'href="(/settings\?theme=dark[^"]*)"', text)
    assert found is not None
    answer = pages.get(found[1].replace("&amp;", "&"))
    # The language of the address would win over the one that was chosen.
    assert answer.headers["location"] == "/t/spring/games?bot=ada"
