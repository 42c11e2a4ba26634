"""Makes the pictures of the README anew, from the pages of a demo's data folder.

`python tools/screenshots.py [FOLDER]` wants what `make demo` leaves, and a
chromium: at /usr/bin/chromium, or where the variable CHROMIUM says. Pillow,
where it is installed, makes the files small.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, sync_playwright

from sixtysix.record import DealRecord
from sixtysix.rules import MOVES
from sixtysix_arena.queries import StoredArena
from sixtysix_arena.store import DataFolder, GameFilter

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from support.pages import serving

IMAGES = Path(__file__).resolve().parent.parent / "docs" / "images"
SLUG = "demo"
WIDTH = 1280
COLOURS = 224
MEANT = (
    *("#7cbcff", "#6fb3f5", "#0b5cad", "#ffb37d", "#f2a36b", "#a63f0a"),
    *("#ff9aa1", "#b3172b", "#ffd873"),
)
"""Colours that mean something, the players' and the red suits', which a picture keeps."""
SWATCH = 64
THEMES = ("light", "dark")


def main(data: Path) -> None:
    """Takes the pictures, in both themes."""
    IMAGES.mkdir(parents=True, exist_ok=True)
    replayed = _moment(data)
    with serving(data) as pages, sync_playwright() as player:
        browser = player.chromium.launch(
            executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"),
            args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
        )
        for theme in THEMES:
            _take(browser, pages.url + replayed, "replayer", theme, "#replay")
            _take(browser, f"{pages.url}/t/{SLUG}", "board", theme, "#standing section >> nth=1")
        browser.close()


def _take(browser: Browser, url: str, name: str, theme: Any, last: str) -> None:
    """The page from its top to the end of the element `last`."""
    context = browser.new_context(
        viewport={"width": WIDTH, "height": 900}, color_scheme=theme, locale="en"
    )
    page = context.new_page()
    page.goto(url)
    box = page.locator(last).bounding_box()
    assert box is not None
    end = box["y"] + box["height"] + 16
    path = IMAGES / f"{name}-{theme}.png"
    page.screenshot(path=path, full_page=True, clip={"x": 0, "y": 0, "width": WIDTH, "height": end})
    context.close()
    if find_spec("PIL") is not None:
        _make_small(path)


def _make_small(path: Path) -> None:
    images = import_module("PIL.Image")
    image = images.open(path).convert("RGB")
    width, height = image.size
    larger = images.new("RGB", (width, height + SWATCH), image.getpixel((0, height - 1)))
    larger.paste(image)
    for place, colour in enumerate(MEANT):
        larger.paste(images.new("RGB", (SWATCH, SWATCH), colour), (place * SWATCH, height))
    small = larger.quantize(COLOURS, kmeans=1, dither=0)
    small.crop((0, 0, width, height)).save(path, optimize=True)


def _moment(data: Path) -> str:
    """The address of a marriage that was announced in the first half of a long deal."""
    with DataFolder.open(data, create=False).open_reader() as reader:
        stored = StoredArena(reader)
        for game in stored.filtered_games(SLUG, GameFilter(), 0, 100):
            if "house:random" in game.entrants:
                continue
            for deal in stored.game(game.game_id).deals:
                ply = _announced(deal)
                if ply is not None:
                    return f"/g/{game.game_id}/{deal.deal}?ply={ply}"
    raise SystemExit("no deal of this folder has a marriage that is worth a picture")


def _announced(deal: DealRecord) -> int | None:
    if len(deal.moves) < 18:
        return None
    return next((n + 1 for n in range(5, 11) if MOVES[deal.moves[n]].is_marriage), None)


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "sixtysix-demo"))
