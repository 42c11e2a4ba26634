"""Pages as they leave: HTML in the reader's language, or the data behind it."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Any
from urllib.parse import quote, urlencode

from babel.dates import format_datetime
from babel.numbers import get_decimal_symbol, get_group_symbol
from babel.units import format_unit
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape
from starlette.requests import Request
from starlette.responses import Response

from sixtysix.plain import plain
from sixtysix.text import harmless
from sixtysix_arena.extending import extension_of, in_units
from sixtysix_arena.times import moment_of
from sixtysix_arena.web.charts import heat
from sixtysix_arena.web.faces import RANKS, SUITS, face_url
from sixtysix_arena.web.files import static_url
from sixtysix_arena.web.i18n import LANGUAGES, InWordsOf, preferred
from sixtysix_arena.web.refusing import Refused

__all__ = [
    "LANGUAGE_COOKIE",
    "THEMES",
    "THEME_COOKIE",
    "Page",
    "Reader",
    "Table",
    "fragment",
    "respond",
]

THEMES = ("auto", "light", "dark")
LANGUAGE_COOKIE = "lang"
UNITS = {"h": "duration-hour", "min": "duration-minute", "s": "duration-second"}
"""What Babel calls the units of a duration."""
THEME_COOKIE = "theme"
NOT_KEPT = {"Cache-Control": "private, no-cache", "Vary": "Cookie, Accept-Language"}
"""A page changes, and is another one for each language and theme."""
FORMULA = re.compile(r"(^|[;,\t\r\n|])(?=\s*[=+\-@\t\r\n＝＋－＠])")
"""What a spreadsheet takes for the beginning of a formula, whatever divides its cells."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table for spreadsheets."""

    columns: Sequence[str]
    rows: Iterable[Sequence[object]]


@dataclass(frozen=True, slots=True)
class Page:
    """What an address shows: a template with its values, and the same as data."""

    template: str
    values: Mapping[str, Any] = field(default_factory=dict)
    data: object = None
    """What `.json` gives; None if there is nothing."""
    table: Table | None = None
    """What `.csv` gives."""
    status: int = 200
    ruleset: str = ""
    """The rule set that all of the page is about: it is told in that one's words."""


@dataclass(frozen=True, slots=True)
class Reader:
    """Who looks at a page: their language and theme, and the address they are at."""

    language: str
    theme: str
    path: str
    """The address without its suffix, with its query."""

    @classmethod
    def of(cls, request: Request) -> Reader:
        """What the address, the cookies or else the browser say."""
        language = request.query_params.get("lang") or request.cookies.get(LANGUAGE_COOKIE, "")
        if language not in LANGUAGES:
            language = preferred(request.headers.get("accept-language", ""))
        theme = request.cookies.get(THEME_COOKIE, "")
        query = urlencode(
            [each for each in request.query_params.multi_items() if each[0] != "lang"]
        )
        return cls(
            language,
            theme if theme in THEMES else THEMES[0],
            quote(request.url.path) + (f"?{query}" if query else ""),
        )


def respond(request: Request, page: Page) -> Response:
    """The answer to a request, in the form that its address asks for."""
    form = request.scope.get("form", "")
    if form == "json" and page.data is not None:
        text = json.dumps(plain(page.data), ensure_ascii=False, indent=1)
        return Response(text, page.status, NOT_KEPT, "application/json")
    if form == "csv" and page.table is not None:
        return Response(
            _csv(page.table),
            page.status,
            {
                "Content-Disposition": f'attachment; filename="{_file_name(request)}.csv"',
                **NOT_KEPT,
            },
            "text/csv; charset=utf-8",
        )
    if form:
        request.scope.pop("form")
        raise Refused(404, "There is no such data.")
    reader = Reader.of(request)
    html = (
        _environment(reader.language, page.ruleset)
        .get_template(page.template)
        .render(
            page.values,
            reader=reader,
            has_json=page.data is not None,
            has_csv=page.table is not None,
            data_url=partial(_data_url, reader.path),
        )
    )
    return Response(html, page.status, NOT_KEPT, "text/html; charset=utf-8")


def fragment(template: str, language: str, ruleset: str, **values: object) -> str:
    """A part of a page alone, in a language and in the words of a rule set."""
    return _environment(language, ruleset).get_template(template).render(values)


@cache
def _environment(language: str, ruleset: str = "") -> Environment:
    environment = Environment(
        loader=PackageLoader("sixtysix_arena.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        extensions=["jinja2.ext.i18n"],
    )
    environment.install_gettext_translations(  # type: ignore[attr-defined]
        InWordsOf(language, ruleset), newstyle=True
    )
    environment.globals.update(
        languages=LANGUAGES,
        themes=THEMES,
        static=static_url,
        bot_url=bot_url,
        query=_query,
        suits=SUITS,
        ranks=RANKS,
        face_url=face_url,
        heat=heat,
        extension_of=extension_of,
    )
    environment.filters.update(
        number=partial(_number, language),
        signed=partial(_signed, language),
        percent=partial(_percent, language),
        moment=partial(_moment, language),
        duration=partial(_duration, language),
        harmless=harmless,
        breakable=_breakable,
    )
    return environment


def bot_url(entrant: str) -> str:
    """The address of a bot's page."""
    return f"/b/{quote(entrant)}"


def _breakable(entrant: str) -> Markup:
    """A name that goes on in the next line behind its colon, where it does not fit."""
    return escape(entrant).replace(":", Markup(":<wbr>"))


def _query(**values: object) -> str:
    """A query with the values that are not empty, with its question mark."""
    given = {name: value for name, value in values.items() if value not in (None, "")}
    return f"?{urlencode(given)}" if given else "?"


def _data_url(address: str, form: str) -> str:
    """Where the data of a page are."""
    path, mark, query = address.partition("?")
    return f"{path if path != '/' else '/index'}.{form}{mark}{query}"


def _number(language: str, value: float, digits: int = 0) -> str:
    # Babel's own formatting takes most of the time of a large board.
    return f"{value:z,.{digits}f}".translate(_marks(language))


@cache
def _marks(language: str) -> dict[int, str]:
    """What a language writes between thousands, before decimals, and for a minus."""
    return str.maketrans(
        {
            ",": get_group_symbol(language),
            ".": get_decimal_symbol(language),
            "-": "\N{MINUS SIGN}",
        }
    )


def _signed(language: str, value: float, digits: int = 2) -> str:
    return ("+" if round(value, digits) > 0 else "") + _number(language, value, digits)


def _percent(language: str, share: float, digits: int = 0) -> str:
    return _number(language, share * 100, digits) + "\N{NO-BREAK SPACE}%"


def _moment(language: str, at: str) -> str:
    """A stored time, UTC, for people."""
    if not at:
        return ""
    return format_datetime(moment_of(at), "d MMM y, HH:mm", locale=language) + " UTC"


def _duration(language: str, ms: int) -> str:
    """A time as people say it, like 1 min 30 s."""
    told = (
        format_unit(count, UNITS[unit], "short", locale=language) for count, unit in in_units(ms)
    )
    return " ".join(told).replace(" ", "\N{NO-BREAK SPACE}")


def _csv(table: Table) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(table.columns)
    writer.writerows([_cell(value) for value in row] for row in table.rows)
    return out.getvalue()


def _cell(value: object) -> object:
    """A value that no spreadsheet takes for a formula."""
    if isinstance(value, str):
        return FORMULA.sub(r"\1'", value)
    return "" if value is None else value


def _file_name(request: Request) -> str:
    return "-".join(part for part in request.url.path.split("/") if part) or "arena"


PageFunction = Callable[[Request], Page]
