"""Where room is short on pages, above all on a phone: long names, wide charts, hands of cards."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ViewportSize
from support.browser import NARROW, WIDE, chromium, watched
from support.pages import filled_folder, play_all, serving
from support.records import header

from sixtysix_arena.store import DataFolder

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

CUT_OFF = """() => [...document.querySelectorAll("main table :is(th, td, th *, td *)")]
    .filter((each) => !each.closest(".unseen, .version, .tricks, svg"))
    .filter((each) => each.clientWidth && (each.scrollWidth > each.clientWidth + 1
        || each.scrollHeight > each.clientHeight + 1 && !["TD", "TH"].includes(each.tagName)))
    .map((each) => `${each.outerHTML.slice(0, 120)}: ${each.scrollWidth} in ${each.clientWidth}`)
"""
"""What of the tables does not have the room that it needs."""
LONG_REPLAY = "/g/ends-played-out.1/1"
"""A deal in which the talon is drawn to its end."""
HIDDEN_INDICES = """() => [...document.querySelectorAll(".hand img.card")].filter((card) => {
    card.scrollIntoView({block: "center"});
    const box = card.getBoundingClientRect();
    const at = (x, y) =>
        document.elementFromPoint(box.left + x * box.width, box.top + y * box.height);
    return [[0.1, 0.1], [0.22, 0.1], [0.1, 0.3], [0.22, 0.3]].some(([x, y]) => at(x, y) !== card);
}).map((card) => card.alt)"""
"""Cards of which the rank or the suit is covered by something."""


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


def test_every_card_of_a_hand_can_be_read_also_beside_one_that_is_raised(
    browser: Browser, tmp_path: Path
) -> None:
    folder = filled_folder(tmp_path / "data")
    with serving(folder.path) as pages, watched(browser, pages.url, viewport=WIDE) as seen:
        raised = 0
        half: ViewportSize = {"width": 640, "height": 450}  # As with a zoom of 200 %.
        for size in (WIDE, half, NARROW):
            seen.page.set_viewport_size(size)
            for number in range(0, 14, 2):
                seen.go(f"{LONG_REPLAY}?ply={number}")
                raised += seen.page.locator(".hand .new:not(:last-child)").count()
                assert seen.page.evaluate(HIDDEN_INDICES) == [], (size, number)
        assert raised >= 3
        seen.page.set_viewport_size(half)
        tops = [
            seen.page.locator(f"#{each}").evaluate("(button) => button.getBoundingClientRect().top")
            for each in ("first", "on", "link")
        ]
        assert max(tops) - min(tops) < 2, "the controls take more than one row"
        seen.check("at the end")
