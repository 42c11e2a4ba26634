"""What has no room on a page: long names and wide charts, above all on a phone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ViewportSize
from support.browser import chromium, watched
from support.pages import play_all, serving
from support.records import header

from sixtysix_arena.store import DataFolder

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

WIDE: ViewportSize = {"width": 1280, "height": 900}
NARROW: ViewportSize = {"width": 390, "height": 844}
CUT_OFF = """() => [...document.querySelectorAll("main table :is(th, td, th *, td *)")]
    .filter((each) => !each.closest(".unseen, .version, .tricks, svg"))
    .filter((each) => each.clientWidth && (each.scrollWidth > each.clientWidth + 1
        || each.scrollHeight > each.clientHeight + 1 && !["TD", "TH"].includes(each.tagName)))
    .map((each) => `${each.outerHTML.slice(0, 120)}: ${each.scrollWidth} in ${each.clientWidth}`)
"""
"""What of the tables does not have the room that it needs."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as opened:
        yield opened


def test_the_longest_names_stay_in_their_place(browser: Browser, tmp_path: Path) -> None:
    names = ["m" * 32, "w" * 32, "house:random", "house:counting"]
    folder = DataFolder.open(tmp_path / "long", create=True)
    with folder.lock() as lock, folder.open_store(lock) as store:
        play_all(store, header(entrants=names, name="W" * 80), {2: "illegal"})
    with (
        serving(folder.path) as pages,
        watched(browser, pages.url, viewport=WIDE, locale="ru") as seen,
    ):
        for address in (
            "/",
            "/t",
            "/t/cup",
            "/t/cup/games",
            f"/t/cup/vs/{names[0]}/{names[1]}",
            "/g/cup.1",
            "/g/cup.1/0?ply=5",
            f"/b/{names[0]}",
            "/leaderboard",
            "/fair/cup",
        ):
            for size in (WIDE, NARROW):
                seen.page.set_viewport_size(size)
                seen.go(address)
                seen.check(f"{address} {size}")
                assert seen.page.evaluate(CUT_OFF) == [], f"{address} {size}"


@pytest.mark.parametrize("address", ["/t/cup", "/b/ada"])
def test_a_chart_is_whole_and_can_be_read_on_a_phone(
    browser: Browser, tmp_path: Path, address: str
) -> None:
    """Its end is what it is looked at for: nobody has to scroll to it."""
    folder = DataFolder.open(tmp_path / "data", create=True)
    with folder.lock() as lock, folder.open_store(lock) as store:
        play_all(store, header(), {})
    with (
        serving(folder.path) as pages,
        watched(browser, pages.url, viewport=NARROW, locale="en") as seen,
    ):
        seen.go(address)
        right, plot, tick, aside = seen.page.evaluate(
            """() => {
                const box = (name) => document.querySelector(name).getBoundingClientRect();
                const aside = [...document.querySelectorAll(".history *")].filter((each) =>
                    each.scrollWidth > each.clientWidth
                    && getComputedStyle(each).overflowX === "auto");
                return [box(".history").right, box(".series"), box(".tick"), aside.length];
            }"""
        )
        seen.check(address)
    assert plot["left"] < 80
    assert right - 30 < plot["right"] <= right <= NARROW["width"]
    assert 11 <= tick["height"] <= 24
    assert aside == 0
