"""Which language a reader gets, and whether all of it is there."""

from __future__ import annotations

import subprocess
import sys

import pytest
from support.pages import Served
from support.source_tree import ROOT

from sixtysix.rules import RULESETS
from sixtysix_arena.web.i18n import LANGUAGES, InWordsOf, preferred, translations


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("", "en"),
        ("ru", "ru"),
        ("ru-RU,ru;q=0.9,en;q=0.8", "ru"),
        ("en-GB, ru;q=0.5", "en"),
        ("de, ru;q=0.3", "ru"),
        ("de, fr", "en"),
        ("RU", "ru"),
        ("ru;q=0.1, en;q=0.2", "en"),
        ("en;q=0, ru;q=0.5", "ru"),
        ("*", "en"),
        ("ru;q=odd, en;q=0.1", "en"),
        ("ru;q=", "ru"),
        (";;;,,,", "en"),
        ("ru" * 100_000, "en"),
        ("x," * 100_000 + "ru", "en"),
    ],
)
def test_the_language_that_a_browser_asks_for(header: str, language: str) -> None:
    assert preferred(header) == language


def test_every_text_is_translated_and_fits() -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "tools" / "messages.py", "check"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_russian_has_three_forms() -> None:
    texts = translations("ru")
    forms = {
        count: texts.ngettext("%(num)s game", "%(num)s games", count) % {"num": count}
        for count in (1, 2, 5, 11, 12, 21, 22, 25, 101, 111)
    }
    assert forms[1].partition(" ")[2] == forms[21].partition(" ")[2] == forms[101].partition(" ")[2]
    assert forms[2].partition(" ")[2] == forms[22].partition(" ")[2]
    assert forms[5].partition(" ")[2] == forms[11].partition(" ")[2] == forms[12].partition(" ")[2]
    assert len({form.partition(" ")[2] for form in forms.values()}) == 3


def test_english_is_the_language_of_the_templates() -> None:
    assert next(iter(LANGUAGES)) == "en"
    assert translations("en").gettext("Tournaments") == "Tournaments"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_column_is_found_where_it_is_explained_by_the_name_it_has(
    pages: Served, language: str
) -> None:
    """Each rule set has its own word for a deal, and the explanation is of all of them."""
    told = pages.get("/numbers", accept_language=language).text
    told = told.partition('id="points-per-deal"')[2].partition("<dt")[0]
    for name in RULESETS:
        assert InWordsOf(language, name).gettext("Points a deal") in told
