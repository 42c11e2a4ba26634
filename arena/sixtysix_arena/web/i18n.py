"""Languages: which one a reader wants, and the texts in it.

Translations are kept as `.po` files and compiled when the pages start, so that
nothing has to be built. English is the language of the templates.
"""

from __future__ import annotations

from functools import cache
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

__all__ = ["LANGUAGES", "InWordsOf", "preferred", "translations"]

LANGUAGES = {"en": "English", "ru": "Русский"}
"""The languages of the pages, each by its own name; the first one is the default."""

LOCALE = Path(__file__).with_name("locale")
MAX_HEADER_LENGTH = 1_000


def preferred(accept_language: str) -> str:
    """The language that a browser asks for, of those that there are.

    `accept_language` is the header of that name.
    """
    wanted: list[tuple[float, str]] = []
    for part in accept_language[:MAX_HEADER_LENGTH].split(","):
        tag, _, quality = part.strip().partition(";q=")
        language = tag.partition("-")[0].lower()
        if language in LANGUAGES:
            wanted.append((_quality(quality), language))
    return max(wanted, key=lambda each: each[0], default=(0.0, next(iter(LANGUAGES))))[1]


@cache
def translations(language: str) -> NullTranslations:
    """The texts of a language; those of the templates where one is not translated."""
    path = LOCALE / language / "LC_MESSAGES" / "messages.po"
    if not path.exists():
        return NullTranslations()
    with path.open("rb") as file:
        catalog = read_po(file, locale=language)
    compiled = BytesIO()
    write_mo(compiled, catalog)
    compiled.seek(0)
    return GNUTranslations(compiled)


class InWordsOf(NullTranslations):
    """The texts of a language in the words that a rule set's own text uses.

    The Russian texts do not agree: what one calls a deal another calls a game.
    Their own words have the rule set as their context; else the usual ones do.
    """

    def __init__(self, language: str, ruleset: str) -> None:
        super().__init__()
        self._known = translations(language)
        self._ruleset = ruleset

    def gettext(self, message: str) -> str:
        """A text."""
        own = self._known.pgettext(self._ruleset, message)
        return self._known.gettext(message) if own == message else own

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """A text that depends on a number."""
        own = self._known.npgettext(self._ruleset, msgid1, msgid2, n)
        return self._known.ngettext(msgid1, msgid2, n) if own in (msgid1, msgid2) else own


def _quality(said: str) -> float:
    try:
        return float(said) if said else 1.0
    except ValueError:
        return 0.0
