"""Tournaments as organisers write them down: read, checked, and refused with the line.

name = "Spring cup"
slug = "spring-cup"
rules = "classic"
games_per_pairing = 10
games_at_once = 32
entrants = ["my-bot", "house:random", "house:greedy"]
# seed = "42"              practice only
[options]                  those that the rule set has: target, agreed_six
[clock]
per_move_ms = 1000
per_game_ms = 60000
grace_ms = 10000
join_ms = 30000
"""

from __future__ import annotations

import re
import stat
import tomllib
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from sixtysix.api import InvalidRequest, TournamentDefinition
from sixtysix.clock import Clock
from sixtysix.limits import MAX_GAMES_AT_ONCE
from sixtysix.names import BOT_NAME, HOUSE, SLUG
from sixtysix.rules import RULESETS, InvalidOption, Ruleset
from sixtysix.text import harmless

__all__ = [
    "CLOCK_RANGES",
    "MAX_ENTRANTS",
    "MAX_GAMES",
    "MAX_GAMES_PER_PAIRING",
    "TournamentFileError",
    "checked",
    "parse_tournament",
    "read_tournament",
]


MAX_NAME_LENGTH = 80
MAX_SEED_BYTES = 200
MAX_ENTRANTS = 1_000
MAX_GAMES_PER_PAIRING = 10_000
MAX_GAMES = 200_000
"""The whole schedule is written before play, so it has to have an end."""
MAX_FILE_BYTES = 64 * 1024
"""A file with a thousand entrants has 50 KiB."""
MAX_KEY_PARTS = 8
"""A key has two parts at most; the parser takes seconds over one of thousands."""

CLOCK_RANGES = {
    "per_move_ms": (10, 3_600_000),
    "per_game_ms": (100, 86_400_000),
    "grace_ms": (0, 3_600_000),
    "join_ms": (0, 86_400_000),
}
"""The least and the most of each time limit: an hour, or a day, is as good as none."""

KeyPath = tuple[str, ...]
"""Where in a file: a key, or a table and a key in it; with the text of an item behind it."""


class TournamentFileError(InvalidRequest):
    """A tournament file that cannot be used; the text names the file, the line and the cure."""


def read_tournament(path: Path, house_bots: Collection[str] | None = None) -> TournamentDefinition:
    """The tournament in the file at `path`.

    `house_bots` are the entrant ids of the house bots that there are, where
    that is known. Raises TournamentFileError.
    """
    where = harmless(str(path))
    try:
        mode = path.stat().st_mode
        if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
            raise TournamentFileError(
                f"{where} is a pipe or a device: expected a regular file with a tournament in it"
            )
        with path.open("rb") as file:
            data = file.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        raise TournamentFileError(f"{where} cannot be read: {error.strerror}") from error
    if len(data) > MAX_FILE_BYTES:
        raise TournamentFileError(
            f"{where} is too large for a tournament file: expected at most {MAX_FILE_BYTES} bytes"
        )
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise TournamentFileError(f"{where}:{line}: this is not UTF-8 text") from error
    return parse_tournament(text, where, house_bots)


def parse_tournament(
    text: str, where: str = "tournament file", house_bots: Collection[str] | None = None
) -> TournamentDefinition:
    """The tournament that `text` describes; `where` is what errors call it.

    Raises TournamentFileError.
    """
    _check_nesting(where, text)
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise TournamentFileError(_syntax(where, str(error), text)) from error
    except RecursionError as error:
        raise _too_deep(where) from error
    except ValueError as error:  # Python reads no whole number of thousands of digits.
        raise TournamentFileError(
            f"{where}: this is not TOML: a number is too long, expected at most a dozen digits"
        ) from error
    try:
        return checked(_definition(content), house_bots)
    except _Refused as refused:
        line = _line_of(refused.path, text)
        place = where if line is None else f"{where}:{line}"
        raise TournamentFileError(f"{place}: {refused}") from None


def checked(
    definition: TournamentDefinition, house_bots: Collection[str] | None = None
) -> TournamentDefinition:
    """`definition` as an arena may keep it: its name cleaned, all else as it is.

    Raises InvalidRequest if a value is not possible.
    """
    definition = replace(definition, name=" ".join(harmless(definition.name).split()))
    for problem in _problems(definition, house_bots):
        raise problem
    return definition


class _Refused(InvalidRequest):
    """Something is wrong with the value at `path`."""

    def __init__(self, path: KeyPath, text: str) -> None:
        super().__init__(text)
        self.path = path


# From what a file may hold to a definition.

_KINDS: Mapping[type, str] = {
    str: 'text in quotes, like "spring-cup"',
    int: "a whole number",
    list: 'a list, like ["my-bot", "house:greedy"]',
    dict: "a table",
}


@dataclass(frozen=True, slots=True)
class _Key:
    kind: type
    required: bool = False


_KEYS = {
    "name": _Key(str, required=True),
    "slug": _Key(str, required=True),
    "rules": _Key(str, required=True),
    "games_per_pairing": _Key(int, required=True),
    "games_at_once": _Key(int),
    "entrants": _Key(list, required=True),
    "seed": _Key(str),
    "options": _Key(dict),
    "clock": _Key(dict),
}
_CLOCK_KEYS = {field.name: _Key(int) for field in fields(Clock)}
_EXAMPLES = {
    "name": 'name = "Spring cup"',
    "slug": 'slug = "spring-cup"',
    "rules": 'rules = "classic"',
    "games_per_pairing": "games_per_pairing = 10",
    "entrants": 'entrants = ["my-bot", "house:greedy"]',
}
_GAMES_AT_ONCE = 32


def _definition(content: Mapping[str, Any]) -> TournamentDefinition:
    _check_keys((), content, _KEYS)
    clock = content.get("clock", {})
    _check_keys(("clock",), clock, _CLOCK_KEYS)
    for key, expected in _KEYS.items():
        if expected.required and key not in content:
            raise _Refused((), f"{key} is missing: expected a line like: {_EXAMPLES[key]}")
    for entrant in content["entrants"]:
        if not isinstance(entrant, str):
            raise _Refused(
                ("entrants", _said(entrant)), f"an entrant cannot be {_said(entrant)}: {_ENTRANT}"
            )
    return TournamentDefinition(
        name=content["name"],
        slug=content["slug"],
        rules=_rules(content["rules"], content.get("options", {})),
        games_per_pairing=content["games_per_pairing"],
        games_at_once=content.get("games_at_once", _GAMES_AT_ONCE),
        entrants=tuple(content["entrants"]),
        practice_seed=content.get("seed"),
        clock=Clock(**clock),
    )


def _check_keys(table: KeyPath, content: Mapping[str, Any], keys: Mapping[str, _Key]) -> None:
    for key, value in content.items():
        path = (*table, key)
        if key not in keys:
            inside = f" in [{'.'.join(table)}]" if table else ""
            raise _Refused(path, f"there is no key {_said(key)}{inside}: {_one_of(key, keys)}")
        kind = keys[key].kind
        if type(value) is not kind:
            raise _Refused(
                path, f"{'.'.join(path)} cannot be {_said(value)}: expected {_KINDS[kind]}"
            )


def _rules(name: str, options: Mapping[str, Any]) -> Ruleset:
    if name not in RULESETS.keys():  # noqa: SIM118 - asking the mapping itself raises
        raise _Refused(("rules",), f"there are no rules {_said(name)}: {_one_of(name, RULESETS)}")
    rules = RULESETS[name]
    for option, value in options.items():
        try:
            rules = rules.with_options(**{option: value})
        except InvalidOption as error:
            # Of an option that there is, the value is wrong.
            known = option in rules.options
            hint = "" if known else _did_you_mean(option, rules.options)
            told = str(error).replace(repr(option), _said(option))
            if len(repr(value)) > len(_said(value)):
                told = told.replace(repr(value), _said(value))
            raise _Refused(("options", option), f"{told}{hint and '; '}{hint}") from error
        except ValueError as error:
            told = f"option {_short(option)} cannot be {_said(value)}: expected a short value"
            raise _Refused(("options", option), told) from error
    return rules


# What the values may be, wherever they come from.

_ENTRANT = f"expected the name of a bot, {BOT_NAME}, or house: and the name of a house bot"


def _problems(
    definition: TournamentDefinition, house_bots: Collection[str] | None
) -> Iterator[_Refused]:
    if not 1 <= len(definition.name) <= MAX_NAME_LENGTH:
        yield _Refused(("name",), f"name has to have 1 to {MAX_NAME_LENGTH} characters")
    if not re.fullmatch(SLUG, definition.slug):
        yield _Refused(
            ("slug",), f"slug cannot be {_said(definition.slug)}: expected {SLUG}, like spring-cup"
        )
    yield from _out_of_range(definition)
    if definition.games_per_pairing % 2:
        yield _Refused(
            ("games_per_pairing",),
            f"games_per_pairing cannot be {definition.games_per_pairing}: expected an even number,"
            " so that both deal first equally often",
        )
    yield from _entrant_problems(definition.entrants, house_bots)
    entrant_count = len(definition.entrants)
    game_count = entrant_count * (entrant_count - 1) // 2 * definition.games_per_pairing
    if game_count > MAX_GAMES:
        yield _Refused(
            ("games_per_pairing",),
            f"that makes {game_count:,} games: expected at most {MAX_GAMES:,}; have fewer games"
            " of a pairing, or fewer entrants",
        )
    seed = definition.practice_seed
    if seed is not None and not 1 <= len(seed.encode()) <= MAX_SEED_BYTES:
        yield _Refused(
            ("seed",),
            f"seed has to have 1 to {MAX_SEED_BYTES} bytes; leave it out for secret deals",
        )


def _out_of_range(definition: TournamentDefinition) -> Iterator[_Refused]:
    ranges: dict[KeyPath, tuple[int, int, int]] = {
        ("games_per_pairing",): (definition.games_per_pairing, 2, MAX_GAMES_PER_PAIRING),
        ("games_at_once",): (definition.games_at_once, 1, MAX_GAMES_AT_ONCE),
    }
    for limit, (least, most) in CLOCK_RANGES.items():
        ranges["clock", limit] = (getattr(definition.clock, limit), least, most)
    for path, (value, least, most) in ranges.items():
        if not least <= value <= most:
            yield _Refused(
                path, f"{'.'.join(path)} cannot be {_said(value)}: expected {least} to {most}"
            )


def _entrant_problems(
    entrants: tuple[str, ...], house_bots: Collection[str] | None
) -> Iterator[_Refused]:
    seen = set()
    for entrant in entrants:
        path = ("entrants", entrant)
        name = entrant.removeprefix(HOUSE)
        if not re.fullmatch(BOT_NAME, name):
            yield _Refused(path, f"an entrant cannot be {_said(entrant)}: {_ENTRANT}")
        if name != entrant and house_bots is not None and entrant not in house_bots:
            hint = _one_of(entrant, house_bots)
            yield _Refused(path, f"there is no house bot {entrant!r}: {hint}")
        if entrant in seen:
            yield _Refused(path, f"{entrant} is entered twice: expected each entrant once")
        seen.add(entrant)
    if not 2 <= len(entrants) <= MAX_ENTRANTS:
        yield _Refused(
            ("entrants",),
            f"there cannot be {len(entrants)} entrants: expected 2 to {MAX_ENTRANTS}",
        )


# Texts.

MAX_TOLD = 200
"""Characters of what others say of a file: they may quote all of it."""


def _said(value: object) -> str:
    """A value as its author wrote it, or nearly so, and not at length."""
    if isinstance(value, bool):
        return str(value).lower()
    try:
        text = repr(value)
    except (RecursionError, ValueError):  # Nested without end, or a number of thousands of digits.
        return "something so long"
    return text if len(text) <= 60 else f"{text[:57]}..."


def _short(text: str) -> str:
    return text if len(text) <= MAX_TOLD else f"{text[: MAX_TOLD - 3]}..."


def _one_of(name: str, names: Iterable[str]) -> str:
    known = list(names)
    hint = _did_you_mean(name, known)
    return f"expected {', '.join(known) or 'none'}{hint and '; '}{hint}"


def _did_you_mean(name: str, names: Iterable[str]) -> str:
    close = get_close_matches(name, list(names), n=1)
    return f"did you mean {close[0]!r}?" if close else ""


# Lines: the parser does not tell where a value was, so it is looked for.

_PART = r"""(?:[\w-]+|"[^"\n]*"|'[^'\n]*')"""
_TABLE = re.compile(rf"\s*\[\s*({_PART}(?:\s*\.\s*{_PART})*)\s*\]")
_ASSIGNED = re.compile(rf"\s*({_PART}(?:\s*\.\s*{_PART})*)\s*=")
_AT_LINE = re.compile(r"^(?P<what>.*?) \(at (?:line (?P<line>\d+), .*|end of document)\)$")


_LONG_KEY = re.compile(rf"\s*\[*\s*{_PART}(?:\s*\.\s*{_PART}){{{MAX_KEY_PARTS}}}")


def _check_nesting(where: str, text: str) -> None:
    for number, line in enumerate(text.split("\n"), start=1):
        if _LONG_KEY.match(line):
            raise _too_deep(f"{where}:{number}")


def _too_deep(place: str) -> TournamentFileError:
    return TournamentFileError(
        f"{place}: this is nested too deeply: expected keys, [options] and [clock]"
    )


def _syntax(where: str, said: str, text: str) -> str:
    found = _AT_LINE.match(said)
    if found is None:
        return f"{where}: this is not TOML: {_short(said)}"
    line = found["line"] or text.count("\n") + 1
    return f"{where}:{line}: this is not TOML: {_short(found['what'])}"


def _line_of(path: KeyPath, text: str) -> int | None:
    """The line, from 1, of the value at `path`, or of what it is inside of."""
    lines = text.split("\n")
    places = _places(lines)
    for known in range(len(path), 0, -1):
        line = places.get(path[:known])
        if line is None:
            continue
        # The last part may be an item of a list, or a key inside an inline table.
        end = min((other for other in places.values() if other > line), default=len(lines) + 1)
        for part in path[known:]:
            wanted = re.compile(rf"(?<![\w-]){re.escape(part)}(?![\w-])")
            hits = [n for n in range(line, end) if wanted.search(lines[n - 1])]
            if hits:
                # Of something that is there twice, the second is the one too many.
                line = hits[-1]
        return line
    return None


def _places(lines: list[str]) -> dict[KeyPath, int]:
    """The line of each key, from 1, by its path."""
    table: KeyPath = ()
    places: dict[KeyPath, int] = {}
    for number, line in enumerate(lines, start=1):
        if found := _TABLE.match(line):
            table = _parts(found[1])
            places.setdefault(table, number)
        elif found := _ASSIGNED.match(line):
            path = (*table, *_parts(found[1]))
            for length in range(len(table) + 1, len(path) + 1):
                places.setdefault(path[:length], number)
    return places


def _parts(dotted: str) -> KeyPath:
    return tuple(part.strip("\"'") for part in re.findall(_PART, dotted))
