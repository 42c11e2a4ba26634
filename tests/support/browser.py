"""Debian's Chromium for the tests of the pages, watched closely, and axe-core inside it."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, sync_playwright
from support.source_tree import ROOT

__all__ = ["NARROW", "WIDE", "Watched", "axe_source", "chromium", "violations", "watched"]

FOLDER = ROOT / "tests" / "web"
NPM_TIMEOUT_S = 120
PATIENCE_MS = 60_000
WIDE: ViewportSize = {"width": 1280, "height": 900}
NARROW: ViewportSize = {"width": 390, "height": 844}
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-dev-shm-usage",
]
STANDARD = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
"""What axe-core is asked to look for."""
NOTE_VIOLATIONS = """
    window.refused = [];
    document.addEventListener("securitypolicyviolation", (event) =>
        window.refused.push(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`));
"""


def _skip(reason: str) -> None:
    """Nobody has to have a browser; but what a change has to pass looks into one."""
    assert os.environ.get("CI") != "true", reason
    pytest.skip(reason)


@contextmanager
def chromium() -> Iterator[Browser]:
    """A browser; skips the test where there is none."""
    path = shutil.which("chromium")
    if path is None:
        _skip("there is no chromium on this machine")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=path, args=ARGUMENTS, timeout=PATIENCE_MS
        )
        try:
            yield browser
        finally:
            browser.close()


@cache
def axe_source() -> str:
    """The text of axe-core, installed by npm if it is not there yet."""
    path = FOLDER / "node_modules" / "axe-core" / "axe.min.js"
    lock = Path(tempfile.gettempdir()) / f"sixtysix-page-checks-{os.getuid()}.lock"
    with lock.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        installed = FOLDER / "node_modules" / ".package-lock.json"
        wanted = FOLDER / "package-lock.json"
        if not installed.exists() or installed.stat().st_mtime < wanted.stat().st_mtime:
            _install()
            installed.touch()
    return path.read_text(encoding="utf-8")


def _install() -> None:
    if shutil.which("npm") is None:
        _skip("there is no npm on this machine")
    done = subprocess.run(
        ["npm", "ci", "--no-audit", "--no-fund"],
        cwd=FOLDER,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=NPM_TIMEOUT_S,
        check=False,
    )
    assert done.returncode == 0, f"npm ci failed:\n{done.stdout}"


@dataclass
class Watched:
    """A page of a browser, with all that went wrong on it."""

    page: Page
    url: str
    """Where the pages are; nothing else may be asked for anything."""
    wrong: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.on("pageerror", lambda error: self.wrong.append(f"error: {error}"))
        self.page.on("console", self._said)
        self.page.on("request", self._asked)
        self.page.on("requestfailed", self._failed)

    def _said(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.wrong.append(f"{message.type}: {message.text}")

    def _asked(self, request: Any) -> None:
        if urlsplit(request.url).netloc != urlsplit(self.url).netloc:
            self.wrong.append(f"asked elsewhere: {request.url}")

    def _failed(self, request: Any) -> None:
        if request.failure != "net::ERR_ABORTED":  # As what was under way when a page is left.
            self.wrong.append(f"failed: {request.url} {request.failure}")

    def go(self, address: str) -> None:
        """Opens a page of ours."""
        answer = self.page.goto(self.url + address)
        assert answer is not None
        assert answer.ok, f"{address}: {answer.status}"

    def check(self, where: str) -> None:
        """Fails if anything went wrong since the last time, or the page scrolls to the side."""
        self.wrong += self.page.evaluate("window.refused")
        wide, room = self.page.evaluate(
            "[document.documentElement.scrollWidth, document.documentElement.clientWidth]"
        )
        if wide > room:
            self.wrong.append(f"{wide} px wide in {room}")
        found, self.wrong[:] = list(self.wrong), []
        assert not found, f"{where}: {found}"


@contextmanager
def watched(browser: Browser, url: str, **how: Any) -> Iterator[Watched]:
    """A page in a context of its own."""
    context: BrowserContext = browser.new_context(**how)
    try:
        context.add_init_script(NOTE_VIOLATIONS)
        page = context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        yield Watched(page, url)
    finally:
        context.close()


def violations(page: Page) -> list[str]:
    """What keeps people out of the page as it stands, by axe-core."""
    if not page.evaluate("typeof window.axe === 'object'"):
        page.evaluate(axe_source())
    found = page.evaluate(
        """async (tags) => {
            const run = await axe.run(document, {
                runOnly: {type: "tag", values: tags},
                resultTypes: ["violations"],
            });
            return run.violations.map((each) => `${each.id}: ${each.nodes.slice(0, 4).map((node) =>
                `${node.html.slice(0, 160)} ${node.any.concat(node.all).map((check) =>
                    check.message).join(" ")}`).join(" | ")}`);
        }""",
        STANDARD,
    )
    return list(found)
