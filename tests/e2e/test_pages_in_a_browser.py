"""The pages as people see them: in a browser, in both languages, themes and sizes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect
from support.browser import NARROW, WIDE, Watched, axe_source, chromium, violations, watched
from support.commands import Workplace
from support.pages import ENDS, OPEN_GAME, Served, filled_folder, serving
from support.stored import LATER

from sixtysix.reports import TournamentState
from sixtysix_arena.store import DataFolder
from sixtysix_arena.web.process import WebProcess

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

LANGUAGES = ("en", "ru")
PAGES = (
    "/",
    "/t",
    *(f"/t/{slug}" for slug in ("spring", "live", "next", "practice", "halted")),
    "/t/spring/games",
    "/t/spring/games?fault=flood",
    "/t/spring/vs/ada/bob",
    "/g/spring.1",
    "/g/spring.3",
    f"/g/{OPEN_GAME}",
    "/g/spring.1/0?ply=0",
    "/g/spring.1/0?ply=9&seat=0",
    "/g/ends-last-trick.1/0",
    f"/g/ends-doubling.1/{[str(end) for end in ENDS['doubling']].index('failed-close')}",
    f"/g/ends-classic.1/{len(ENDS['classic'])}",
    "/b/ada",
    "/b/shy",
    "/b/house:random",
    "/leaderboard",
    "/rules/classic",
    *(f"/fair/{slug}" for slug in ("spring", "live")),
    "/numbers",
    "/docs",
)
"""A page of every kind, and the states of it that look different."""
REPLAY = "/g/spring.1/0"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    expect.set_options(timeout=30_000)
    with chromium() as opened:
        yield opened


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = filled_folder(tmp_path_factory.mktemp("browsed") / "data")
    with serving(folder.path) as served:
        yield served


@pytest.fixture
def seen(browser: Browser, pages: Served) -> Iterator[Watched]:
    """A page of a browser, on which nothing may have gone wrong at the end."""
    with watched(browser, pages.url, viewport=WIDE, locale="en", color_scheme="light") as page:
        yield page
        page.check("at the end")


@pytest.mark.timeout(240)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_is_well_in_both_themes_and_sizes(
    browser: Browser, pages: Served, language: str
) -> None:
    """Nothing fails, nothing is asked elsewhere, nothing scrolls aside, nobody is kept out."""
    axe_source()
    kept_out = []
    with watched(browser, pages.url, viewport=WIDE, locale=language) as seen:
        for address in PAGES:
            seen.page.set_viewport_size(WIDE)
            seen.page.emulate_media(color_scheme="light")
            seen.go(address)
            assert seen.page.locator("html").get_attribute("lang") == language
            seen.check(f"{address} wide")
            kept_out += [f"{address} light: {each}" for each in violations(seen.page)]
            seen.page.set_viewport_size(NARROW)
            seen.page.emulate_media(color_scheme="dark")
            seen.check(f"{address} narrow")
            kept_out += [f"{address} dark: {each}" for each in violations(seen.page)]
    assert not kept_out, "\n".join(kept_out)


def test_a_page_that_keeps_people_out_is_noticed(seen: Watched) -> None:
    """Or the test above would look at nothing."""
    seen.go("/docs")
    assert violations(seen.page) == []
    seen.page.evaluate(
        """() => {
            const main = document.querySelector("main");
            main.append(Object.assign(document.createElement("img"), {src: "/static/icon.svg"}));
            main.append(document.createElement("select"));
            const pale = document.createElement("p");
            pale.textContent = "hardly to be read";
            pale.style.color = "#ccc";
            pale.style.background = "#fff";
            main.append(pale);
            document.documentElement.removeAttribute("lang");
        }"""
    )
    found = {each.partition(":")[0] for each in violations(seen.page)}
    assert {"image-alt", "select-name", "color-contrast", "html-has-lang"} <= found


@pytest.mark.parametrize(
    ("script", "noticed"),
    [
        ("setTimeout(() => { throw new Error('odd') })", "error: odd"),
        ("console.error('odd')", "error: odd"),
        ("document.body.insertAdjacentHTML('beforeend', '<i onclick=\"x()\">')", "script-src-attr"),
        ("document.body.insertAdjacentHTML('beforeend', '<i style=\"top:0\">')", "style-src-attr"),
        ("document.head.insertAdjacentHTML('beforeend', '<style>a{}</style>')", "style-src"),
        ("fetch('http://127.0.0.1:9/').catch(() => {})", "connect-src"),
        ("new Image().src = 'https://evil.example/x.png'", "img-src"),
        ("document.body.style.width = '3000px'", "px wide"),
    ],
)
def test_what_goes_wrong_is_noticed(
    browser: Browser, pages: Served, script: str, noticed: str
) -> None:
    with watched(browser, pages.url, viewport=WIDE) as seen:
        seen.go("/docs")
        seen.page.evaluate(script)
        while True:  # Some of it comes a moment later.
            try:
                seen.check("here")
            except AssertionError as error:
                if noticed in str(error):
                    return
            seen.page.wait_for_timeout(20)


@pytest.mark.parametrize("system", ["light", "dark"])
def test_a_theme_is_chosen_and_is_there_with_the_first_html(
    browser: Browser, pages: Served, system: str
) -> None:
    other = "dark" if system == "light" else "light"
    with watched(browser, pages.url, viewport=WIDE, color_scheme=system, locale="en") as seen:
        seen.go("/t/spring")
        paper = {system: background(seen.page)}
        seen.page.locator(f'a[href*="theme={other}"]').click()
        expect(seen.page.locator("html")).to_have_attribute("data-theme", other)
        seen.page.wait_for_load_state()
        paper[other] = background(seen.page)
        assert paper["light"] != paper["dark"]
        assert lightness(paper["light"]) > lightness(paper["dark"])
        # It is said where the page begins, so that nothing of the other one is ever drawn.
        for address in ("/", REPLAY, "/leaderboard"):
            html = seen.page.request.get(pages.url + address).text()
            assert f'data-theme="{other}"' in html.partition("<head>")[0]
            seen.go(address)
            assert background(seen.page) == paper[other]
        seen.page.locator('a[href*="theme=auto"]').click()
        seen.page.wait_for_url(f"{pages.url}/leaderboard")
        assert background(seen.page) == paper[system]
        seen.check("themes")


def background(page: Page) -> str:
    return str(page.evaluate("getComputedStyle(document.body).backgroundColor"))


def lightness(color: str) -> int:
    return sum(int(each) for each in re.findall(r"\d+", color)[:3])


def test_a_language_is_chosen_with_a_link(seen: Watched) -> None:
    seen.go("/t/spring/games?bot=ada")
    seen.page.locator('a[hreflang="ru"]').click()
    expect(seen.page.locator("html")).to_have_attribute("lang", "ru")
    expect(seen.page).to_have_url(f"{seen.url}/t/spring/games?bot=ada")
    seen.page.goto(f"{seen.url}/t/spring")
    expect(seen.page.locator("html")).to_have_attribute("lang", "ru")


def test_the_first_tab_leads_to_the_content(seen: Watched) -> None:
    seen.go("/t/spring")
    seen.page.keyboard.press("Tab")
    assert seen.page.evaluate("document.activeElement.className") == "skip"
    seen.page.keyboard.press("Enter")
    seen.page.wait_for_url("**/t/spring#main")


# The replayer.


def ply(page: Page) -> int:
    return int(page.locator("#replay").get_attribute("data-ply") or "-1")


def at(page: Page, number: int) -> None:
    """Waits until the replayer is there, and its address says so."""
    expect(page.locator("#replay")).to_have_attribute("data-ply", str(number))
    expect(page).to_have_url(re.compile(rf"ply={number}\b"))
    page.wait_for_load_state()


def test_keys_of_the_replayer(seen: Watched) -> None:
    page = seen.page
    seen.go(f"{REPLAY}?ply=0")
    last = int(page.locator("#replay").get_attribute("data-last") or "0")
    page.evaluate("window.isSame = true")
    for key, number in (
        ("ArrowRight", 1),
        ("ArrowRight", 2),
        ("ArrowLeft", 1),
        ("End", last),
        ("ArrowRight", last),
        ("Home", 0),
        ("ArrowLeft", 0),
        ("ArrowRight", 1),
    ):
        page.keyboard.press(key)
        at(page, number)
    page.keyboard.press("h")
    expect(page).to_have_url(re.compile("seat=0"))
    page.keyboard.press("ArrowRight")
    at(page, 2)
    assert "seat=0" in page.url
    page.keyboard.press("f")
    expect(page).to_have_url(re.compile("bottom=1"))
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_have_attribute("open", "")
    page.keyboard.press("ArrowRight")
    at(page, 3)
    expect(page.locator("#keys")).to_have_attribute("open", "")
    # Not one page was loaded anew, and this moment's address opens just what is shown.
    assert page.evaluate("window.isSame")
    shown = page.locator("#replay .felt").inner_html()
    page.goto(page.url)
    assert page.locator("#replay .felt").inner_html() == shown
    assert ply(page) == 3


def test_the_replayer_plays_and_stops(seen: Watched) -> None:
    page = seen.page
    page.clock.install(time=0)
    seen.go(f"{REPLAY}?ply=0")
    page.clock.pause_at(3_600_000)
    page.keyboard.press(" ")
    expect(page.locator("#play")).to_have_attribute("aria-pressed", "true")
    page.clock.run_for(1_000)
    at(page, 1)
    page.clock.run_for(1_000)
    at(page, 2)
    page.keyboard.press(" ")
    expect(page.locator("#play")).to_have_attribute("aria-pressed", "false")
    page.clock.run_for(3_000)
    assert ply(page) == 2
    page.locator("#play").click()
    page.clock.run_for(1_000)
    at(page, 3)
    page.keyboard.press("ArrowLeft")
    at(page, 2)
    expect(page.locator("#play")).to_have_attribute("aria-pressed", "false")


def test_buttons_slider_and_list_of_the_replayer(seen: Watched) -> None:
    page = seen.page
    seen.go(f"{REPLAY}?ply=0")
    last = int(page.locator("#replay").get_attribute("data-last") or "0")
    page.locator("#on").click()
    at(page, 1)
    page.locator("#last").click()
    at(page, last)
    page.locator("#back").click()
    at(page, last - 1)
    page.locator("#first").click()
    at(page, 0)
    page.locator("#slide").fill("5")
    at(page, 5)
    page.locator("#slide").focus()
    page.keyboard.press("ArrowRight")
    at(page, 6)
    assert page.evaluate("document.activeElement.id") == "slide"
    moves = page.locator(".tricks .move")
    moves.nth(2).click()
    at(page, int(moves.nth(2).get_attribute("data-ply") or "-1"))
    expect(page.locator('.tricks [aria-current="step"]')).to_have_count(1)


@pytest.mark.parametrize(
    ("language", "copied", "failed"),
    [
        ("en", "Link copied", "Not copied: the link is in the address bar"),
        ("ru", "Ссылка скопирована", "Не скопировано: ссылка в адресной строке"),
    ],
)
def test_the_replayer_says_whether_a_link_was_copied(
    browser: Browser, pages: Served, language: str, copied: str, failed: str
) -> None:
    with watched(browser, pages.url, viewport=NARROW, locale=language) as seen:
        page = seen.page
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        page.clock.install()
        seen.go(f"{REPLAY}?ply=3&seat=0")
        told = page.locator("#told")
        expect(told).to_have_attribute("role", "status")
        expect(told).to_be_empty()
        page.locator("#link").click()
        expect(told).to_have_text(copied)
        address = page.evaluate("navigator.clipboard.readText()")
        assert address == f"{pages.url}{REPLAY}?ply=3&seat=0"
        seen.check("told")
        assert violations(page) == []
        page.clock.run_for(5_000)
        expect(told).to_be_empty()
        page.keyboard.press("ArrowRight")
        at(page, 4)
        page.evaluate("void (navigator.clipboard.writeText = () => Promise.reject())")
        page.locator("#link").click()
        expect(told).to_have_text(failed)
        at(page, 4)
        seen.check("not copied")


def test_the_replayer_is_whole_without_scripts(browser: Browser, pages: Served) -> None:
    how: Any = {"viewport": NARROW, "locale": "en", "java_script_enabled": False}
    context = browser.new_context(**how)
    try:
        page = context.new_page()
        page.goto(f"{pages.url}{REPLAY}?ply=0")
        for number in (1, 2):
            page.locator("#on").click()
            at(page, number)
        page.locator("#back").click()
        at(page, 1)
        page.locator("#hands").click()
        expect(page).to_have_url(re.compile("seat=0"))
        page.locator("#flip").click()
        expect(page).to_have_url(re.compile("bottom=1"))
        last = int(page.locator("#replay").get_attribute("data-last") or "0")
        page.locator("#last").click()
        at(page, last)
        page.locator("#first").click()
        at(page, 0)
        assert page.locator("#play").is_hidden()
        page.locator("#slide").fill("4")
        page.locator("#show").click()
        at(page, 4)
        page.goto(f"{pages.url}/t/spring/games")
        page.locator("select[name=bot]").select_option("ada")
        page.locator("select[name=result]").select_option("won")
        page.locator(".filter button").click()
        expect(page).to_have_url(re.compile("bot=ada&result=won"))
        page.goto(f"{pages.url}/t/live")
        assert page.locator("progress, .games-bar").count() == 1
    finally:
        context.close()


def test_the_keyboard_steps_through_a_deal_without_scripts(browser: Browser, pages: Served) -> None:
    """Each moment is a page of its own there, and its focus is where it was."""
    for size in (WIDE, NARROW):
        how: Any = {"viewport": size, "locale": "en", "java_script_enabled": False}
        context = browser.new_context(**how)
        try:
            page = context.new_page()
            page.goto(f"{pages.url}{REPLAY}?ply=0#on")
            for number in (1, 2, 3):
                expect(page.locator("#on")).to_be_focused()
                page.keyboard.press("Enter")
                at(page, number)
            expect(page.locator("#on")).to_be_focused()
            expect(page.locator("#on")).to_be_in_viewport(ratio=1)
            expect(page.locator(".felt .points").last).to_be_in_viewport()
            page.keyboard.press("Shift+Tab")
            page.keyboard.press("Enter")
            at(page, 2)
            move = page.locator(".tricks .move").nth(4)
            address = str(move.get_attribute("href"))
            move.click()
            at(page, int(address.partition("ply=")[2].partition("&")[0].partition("#")[0]))
            page.keyboard.press("Tab")
            expect(page.locator("#first")).to_be_focused()
        finally:
            context.close()


# Live.


def test_a_live_page_follows_a_tournament(
    browser: Browser, tmp_path: Path, late_cup: Callable[..., list[str]]
) -> None:
    place = Workplace(tmp_path)
    join = late_cup(place, "house:greedy", rules="doubling", games_per_pairing=40)
    serve = place.command("serve", "--grpc", "127.0.0.1:0", "--web", "127.0.0.1:0", "--log", "log")
    with place.running(*serve) as arena:
        assert arena.stderr is not None
        said = re.compile(r"Its pages are at (http://[\d.:]+)/")
        url = next(found[1] for line in arena.stderr if (found := said.search(line)))
        place.run("tournament", "create", "cup.toml")
        place.run("tournament", "start", "cup")
        with watched(browser, url, viewport=WIDE, locale="en") as seen:
            seen.go("/t/cup")
            page = seen.page
            expect(page.locator(".facts .state-running")).to_have_count(1)
            page.evaluate("window.isSame = true")
            expect(page.locator("#progress")).to_contain_text("waiting for late")
            with place.running(*join):
                expect(page.locator("#progress")).not_to_contain_text("waiting for late")
                expect(page.locator("#deals li").first).to_be_visible()
                seen.check("while it runs")
                expect(page.locator(".facts .state-finished")).to_have_count(1, timeout=60_000)
            expect(page.locator("#progress")).to_contain_text("40 of 40 games")
            games = page.locator(".board tbody tr")
            expect(games).to_have_count(2)
            assert page.evaluate("window.isSame"), "the page was loaded anew"
            assert page.locator(".board tbody tr").first.inner_text().count("40") >= 1
            seen.check("at the end")
        arena.terminate()
        assert arena.wait(20) == 0


COUNT_LOSSES = """window.EventSource = class extends EventSource { constructor(address) {
    super(address);
    const said = document.documentElement.dataset;
    this.addEventListener("error", () => { said.losses = Number(said.losses ?? 0) + 1; });
}};"""


@contextmanager
def shown(folder: DataFolder, port: int = 0) -> Iterator[str]:
    """The pages of a folder in a process of their own, as an arena has them."""
    process = WebProcess(folder.path, f"127.0.0.1:{port}")
    process.start()
    try:
        yield f"http://{process.address}"
    finally:
        process.stop()


def test_whoever_looks_sees_the_end_although_the_pages_end_with_it(
    browser: Browser, tmp_path: Path, late_cup: Callable[..., list[str]]
) -> None:
    place = Workplace(tmp_path)
    join = late_cup(place, "house:greedy", games_per_pairing=60)
    command = place.command("run", "cup.toml", "--grpc", "127.0.0.1:0", "--web", "127.0.0.1:0")
    with place.running(*command) as arena:
        assert arena.stderr is not None
        said = re.compile(r"Its pages are at (http://[\d.:]+)/")
        url = next(found[1] for line in arena.stderr if (found := said.search(line)))
        page = browser.new_page(locale="en")
        try:
            page.goto(f"{url}/t/cup")
            expect(page.locator(".facts .state-running")).to_have_count(1)
            with place.running(*join):
                expect(page.locator(".facts .state-finished")).to_have_count(1, timeout=60_000)
                assert arena.wait(60) == 0
            expect(page.locator("#progress")).to_contain_text("60 of 60 games")
            expect(page.locator("#progress")).not_to_contain_text("left")
            expect(page.locator(".board tbody tr")).to_have_count(2)
            page.wait_for_timeout(3_000)
            expect(page.locator("#lost")).to_have_text("")
        finally:
            page.close()


def test_a_live_page_says_that_it_is_not_and_comes_back(
    browser: Browser, tmp_path: Path, free_port: int
) -> None:
    folder = filled_folder(tmp_path / "data")
    page = browser.new_page(locale="en")
    lost = page.locator("#lost[role=status]")
    try:
        with shown(folder, free_port) as url:
            page.goto(f"{url}/t/live")
            expect(page.locator("#progress")).to_contain_text("1 being played")
        expect(lost).to_have_text("Not live: the arena cannot be reached.")
        with shown(folder, free_port):
            expect(lost).to_have_text("")
            with folder.lock() as lock, folder.open_store(lock) as store:
                store.set_state("live", TournamentState.STOPPED, LATER)
            expect(page.locator(".facts .state-stopped")).to_have_count(1)
            expect(page.locator("#progress")).not_to_contain_text("being played")
            with folder.lock() as lock, folder.open_store(lock) as store:
                store.set_state("live", TournamentState.RUNNING, LATER)
            expect(page.locator(".facts .state-running")).to_have_count(1)
    finally:
        page.close()


def test_a_live_page_comes_back_by_itself_after_an_error(browser: Browser, pages: Served) -> None:
    """A browser gives up on its stream after any answer that is none, as of a proxy."""
    page = browser.new_page(locale="en")
    page.clock.install(time=0)
    page.clock.pause_at(3_600_000)
    page.add_init_script(COUNT_LOSSES)
    answers = iter((502, 503))

    def answer(route: Route) -> None:
        status = next(answers, 0)
        route.fulfill(status=status, body="not now") if status else route.continue_()

    page.route("**/events*", answer)
    try:
        page.goto(f"{pages.url}/t/live")
        lost = page.locator("#lost")
        expect(page.locator("html")).to_have_attribute("data-losses", "1")
        page.clock.run_for(2_000)
        expect(lost).not_to_have_text("")
        page.clock.run_for(8_000)
        expect(page.locator("html")).to_have_attribute("data-losses", "2")
        expect(lost).not_to_have_text("")
        page.clock.run_for(20_000)
        expect(lost).to_have_text("")
    finally:
        page.close()


def test_the_focus_stays_where_it_is_when_the_board_is_new(
    browser: Browser, tmp_path: Path
) -> None:
    folder = filled_folder(tmp_path / "data")
    page = browser.new_page(locale="en")
    try:
        with shown(folder) as url:
            page.goto(f"{url}/t/live")
            # Each bot is linked in the board and in the cross table; this one is the second.
            link = page.locator('#standing a[href="/b/ada"]').nth(1)
            link.focus()
            page.evaluate("window.standing = document.getElementById('standing')")
            with folder.lock() as lock, folder.open_store(lock) as store:
                store.set_state("live", TournamentState.STOPPED, LATER)
            expect(page.locator(".facts .state-stopped")).to_have_count(1)
            assert not page.evaluate("window.standing.isConnected")
            expect(page.locator('#standing a[href="/b/ada"]').nth(1)).to_be_focused()
            page.locator("#progress a.button").focus()
            with folder.lock() as lock, folder.open_store(lock) as store:
                store.set_state("live", TournamentState.RUNNING, LATER)
            expect(page.locator(".facts .state-running")).to_have_count(1)
            expect(page.locator("#progress a.button")).to_be_focused()
    finally:
        page.close()


def test_scripts_of_strangers_do_not_run(browser: Browser, pages: Served) -> None:
    """The name of this tournament holds markup, which is shown as it was written."""
    with watched(browser, pages.url, viewport=WIDE) as seen:
        seen.go("/t/autumn")
        assert "<b>Co</b>" in seen.page.locator("h1").inner_text()
        assert seen.page.locator("h1 b").count() == 0
        # And if markup ever got through, the policy would stop what is in it.
        seen.page.evaluate(
            """() => {
                const script = document.createElement("script");
                script.textContent = "window.ran = true";
                document.body.append(script);
                document.body.insertAdjacentHTML("beforeend", "<img src=x onerror='ran = true'>");
            }"""
        )
        while len(seen.page.evaluate("window.refused")) < 2:
            seen.page.wait_for_timeout(20)
        assert seen.page.evaluate("window.ran") is None
