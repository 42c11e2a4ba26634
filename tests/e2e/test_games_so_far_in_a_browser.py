"""The table of games that are over, as people see it while no round of a tournament is complete."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect
from support.browser import NARROW, WIDE, Watched, axe_source, chromium, violations, watched
from support.pages import put, serving
from support.records import header

from sixtysix.outcome import Fault, GameEnd, GameOutcome
from sixtysix_arena.store import DataFolder, GameOver

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

WON = GameOutcome(GameEnd.TARGET, 0, (7, 2), 5)
VOID = GameOutcome(GameEnd.VOID, None, (0, 0), 0, reason="both bots were away")
FORFEITED = GameOutcome(GameEnd.FORFEIT, 0, (0, 0), 1, Fault.TIMEOUT, "no move")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    expect.set_options(timeout=30_000)
    with chromium() as opened:
        yield opened


@dataclass(frozen=True)
class Cup:
    """A tournament of two bots, and so of one round, that a test lets go on."""

    folder: DataFolder

    def end(self, number: int, outcome: GameOutcome) -> None:
        with self.folder.lock() as lock, self.folder.open_store(lock) as store:
            store.commit([GameOver(store.game("cup", number).id, outcome)])


@pytest.fixture
def cup(tmp_path: Path) -> Cup:
    folder = DataFolder.open(tmp_path / "data", create=True)
    with folder.lock() as lock, folder.open_store(lock) as store:
        put(store, header(entrants=("ada", "b" * 32), games_per_pairing=6))
    return Cup(folder)


def rows(seen: Watched, first: str, other: str) -> None:
    """Waits for what is said of the games of both."""
    shown = seen.page.locator("#so-far tbody tr")
    expect(shown).to_have_text([f"ada{first}", f"{'b' * 32}{other}"])


def test_it_changes_without_disturbing_who_reads_it(browser: Browser, cup: Cup) -> None:
    with (
        serving(cup.folder.path) as pages,
        watched(browser, pages.url, viewport=WIDE, locale="en") as seen,
    ):
        seen.go("/t/cup")
        page = seen.page
        page.evaluate("window.isSame = true")
        link = page.locator(f'#so-far a[href="/b/{"b" * 32}"]')
        link.focus()
        cup.end(1, WON)
        rows(seen, "1100", "1001")
        expect(link).to_be_focused()
        page.evaluate("window.link = document.activeElement")
        cup.end(2, WON)
        rows(seen, "2200", "2002")
        assert page.evaluate("document.activeElement === window.link"), "it was made anew"
        cup.end(3, VOID)
        rows(seen, "32001", "30021")
        expect(page.locator("#so-far thead th").last).to_have_text("Void")
        expect(link).to_be_focused()
        # Now the focus is in a cell that changes.
        void = page.locator("#so-far tbody td a").first
        void.focus()
        cup.end(4, VOID)
        rows(seen, "42002", "40022")
        expect(void).to_be_focused()
        cup.end(5, WON)
        cup.end(6, WON)
        expect(page.locator(".board tbody tr")).to_have_count(2)
        expect(page.locator("#so-far")).to_have_count(0)
        assert page.evaluate("window.isSame"), "the page was loaded anew"
        seen.check("at the end")


@pytest.mark.parametrize("language", ["en", "ru"])
def test_it_is_well_in_both_themes_and_sizes(browser: Browser, cup: Cup, language: str) -> None:
    axe_source()
    for number, outcome in enumerate((WON, VOID, FORFEITED), start=1):
        cup.end(number, outcome)
    with (
        serving(cup.folder.path) as pages,
        watched(browser, pages.url, viewport=WIDE, locale=language) as seen,
    ):
        for size in (WIDE, NARROW):
            for theme in ("light", "dark"):
                seen.page.set_viewport_size(size)
                seen.page.emulate_media(color_scheme=theme)
                seen.go("/t/cup")
                rows(seen, "320010", "300211")
                seen.check(f"{size} {theme}")
                assert violations(seen.page) == []
