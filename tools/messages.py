"""Brings the translations of the pages up to date with their templates.

`python tools/messages.py update` adds what is new and drops what is gone;
`check` complains of texts that are missing, and of translations that do not fit.
"""

from __future__ import annotations

import re
import sys
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

WEB = Path(__file__).resolve().parent.parent / "arena" / "sixtysix_arena" / "web"
LANGUAGES = ("ru",)
METHODS = [("templates/**.j2", "jinja2"), ("**.py", "python")]
OPTIONS = {"templates/**.j2": {"newstyle_gettext": "true", "trimmed": "true", "silent": "false"}}
UNWANTED = re.compile(
    r'"(POT-Creation|PO-Revision|Report-Msgid|Last-Trans|Language-Team|Generated-By|Project-Id)'
)
KEYWORDS = {"_": None, "gettext": None, "ngettext": (1, 2), "Refused": (2,)}
Text = str | tuple[str, ...] | list[str]
PLACEHOLDER = re.compile(r"%\((\w+)\)s|%%")


def texts() -> Catalog:
    """All texts of the templates, and of what is refused."""
    catalog = Catalog(project="sixtysix", header_comment="")
    for _file, _line, message, _comments, _context in extract_from_dir(
        str(WEB), METHODS, OPTIONS, keywords=KEYWORDS
    ):
        catalog.add(message)
    return catalog


def stored(language: str) -> Catalog:
    """The translations of a language as they are kept."""
    path = _path(language)
    if not path.exists():
        return Catalog(locale=language)
    with path.open("rb") as file:
        return read_po(file, locale=language)


def update() -> int:
    """Writes the catalogs with what the templates have now."""
    for language in LANGUAGES:
        catalog = stored(language)
        in_context = [message for message in catalog if message.context]
        catalog.update(texts(), no_fuzzy_matching=True)
        catalog.obsolete.clear()
        # The words of single rule sets, as long as their texts are there.
        for message in in_context:
            if catalog.get(message.id):
                catalog.add(message.id, message.string, context=message.context)
        path = _path(language)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(_po(catalog))
    return 0


def check() -> int:
    """Complains of what is missing, left over, or does not fit its text."""
    wrong = []
    wanted = {_all(message.id) for message in texts() if message.id}
    for language in LANGUAGES:
        catalog = stored(language)
        kept = {_all(message.id) for message in catalog if message.id}
        wrong += [f"{language}: {_shown(text)} is not in the catalog" for text in wanted - kept]
        wrong += [f"{language}: {_shown(text)} is nowhere in the pages" for text in kept - wanted]
        for message in catalog:
            if not message.id:
                continue
            told = _all(message.string)
            if not all(told) or len(told) != (catalog.num_plurals if message.pluralizable else 1):
                wrong.append(f"{language}: {_shown(message.id)} is not translated")
            elif any(_places(text) != _places(_all(message.id)[-1]) for text in told):
                wrong.append(f"{language}: {_shown(message.id)} has other places in it")
    for line in sorted(wrong):
        print(f"error: {line}", file=sys.stderr)
    return 1 if wrong else 0


def _path(language: str) -> Path:
    return WEB / "locale" / language / "LC_MESSAGES" / "messages.po"


def _po(catalog: Catalog) -> bytes:
    out = BytesIO()
    write_po(out, catalog, width=98, no_location=True, sort_output=True, omit_header=False)
    # Dates would change the file without a change of its texts, and there are no addresses.
    lines = out.getvalue().decode().splitlines()
    kept = [line for line in lines if not UNWANTED.match(line)]
    return ("\n".join(kept) + "\n").encode()


def _all(text: Text | None) -> tuple[str, ...]:
    """A text, or its forms by number."""
    return (text,) if isinstance(text, str) else tuple(text or ("",))


def _places(text: str) -> set[str]:
    return {found.group(0) for found in PLACEHOLDER.finditer(text)}


def _shown(text: Text | None) -> str:
    return repr(_all(text)[-1][:60])


if __name__ == "__main__":
    sys.exit({"update": update, "check": check}[sys.argv[1]]())
