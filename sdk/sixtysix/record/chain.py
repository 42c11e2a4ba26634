"""Lines that hold together: canonical JSON, and a digest that hangs on the line before.

A line is an object in canonical JSON whose last member, behind all others, is
`sha256`: the digest over the digest of the line before and the bytes of this
line that come before that member. So no byte can change unnoticed, and the
first line that does not fit is where it happened.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from sixtysix.record.deals import RecordError

__all__ = [
    "FIRST_DIGEST",
    "MAX_LINE_BYTES",
    "FormError",
    "LineError",
    "SealedObject",
    "canonical",
    "seal",
    "seals",
    "shown",
]

FIRST_DIGEST = "0" * 64
"""What stands for the digest of the line before the first."""
MAX_LINE_BYTES = 64 * 1024 * 1024
"""No line is longer: the schedule of a thousand entrants has 6 MB, and the longest game less."""

_MARK = b',"sha256":"'
_DIGEST = re.compile(rb"[0-9a-f]{64}")
_SEAL_LENGTH = len(_MARK) + 64 + len(b'"}\n')
_MAX_SHOWN = 80

_encode = json.JSONEncoder(
    ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":")
).encode


class FormError(RecordError):
    """A line is not what its form asks for; `what` is the place in it."""

    def __init__(self, what: str, expected: str, found: str) -> None:
        super().__init__(f"{what}: expected {expected}, found {found}")
        self.what = what
        self.expected = expected
        self.found = found

    def __reduce__(self) -> tuple[type[FormError], tuple[str, str, str]]:
        return type(self), (self.what, self.expected, self.found)


class LineError(RecordError):
    """A line of a record is damaged, or not what it should be; `line` counts from 1."""

    def __init__(self, line: int, what: str, expected: str, found: str) -> None:
        super().__init__(f"line {line}: {what}: expected {expected}, found {found}")
        self.line = line
        self.what = what
        self.expected = expected
        self.found = found

    def __reduce__(self) -> tuple[type[LineError], tuple[int, str, str, str]]:
        return type(self), (self.line, self.what, self.expected, self.found)


@dataclass(frozen=True, slots=True)
class SealedObject:
    """What a line holds; `digest` is its own, and `content` all of it but that."""

    line: int
    digest: str
    content: dict[str, Any]


def canonical(value: object) -> str:
    """A JSON value in the one form that records use.

    Keys in ascending order, no spaces, and characters as they are: only the
    quotation mark, the backslash and what is below U+0020 are escaped.
    """
    return _encode(value)


def shown(value: object) -> str:
    """A value as JSON, for a message, and not at length."""
    text = json.dumps(value)
    return text if len(text) <= _MAX_SHOWN else f"{text[: _MAX_SHOWN - 3]}..."


def seal(contents: Iterable[Mapping[str, object]]) -> Iterator[str]:
    """The lines, each with its line feed, that hold these objects."""
    digest = FIRST_DIGEST
    for content in contents:
        body = canonical(content)[:-1]
        digest = sha256(digest.encode() + body.encode()).hexdigest()
        yield f'{body},"sha256":"{digest}"}}\n'


def seals(lines: Iterable[bytes | str]) -> Iterator[SealedObject]:
    """What the lines of a record hold, each checked against its digest and the one before.

    Lines come with their line feeds, as a file gives them. Raises LineError at
    the first that does not fit.
    """
    previous = FIRST_DIGEST
    for number, line in enumerate(lines, start=1):
        data = line.encode(errors="surrogatepass") if isinstance(line, str) else line
        try:
            content = _content(data, previous)
        except FormError as error:
            raise LineError(number, error.what, error.expected, error.found) from None
        previous = data[-67:-3].decode()
        yield SealedObject(number, previous, content)


def _content(data: bytes, previous: str) -> dict[str, Any]:
    body, ending = data[:-_SEAL_LENGTH], data[-_SEAL_LENGTH:]
    said = ending[len(_MARK) : -3]
    if not (ending.startswith(_MARK) and ending.endswith(b'"}\n') and _DIGEST.fullmatch(said)):
        end = ascii(data[-_SEAL_LENGTH:].decode(errors="replace"))[1:-1]
        raise FormError("the end", ',"sha256":"64 hexadecimal digits"} and a line feed', end)
    digest = sha256(previous.encode() + body).hexdigest()
    if digest != said.decode():
        raise FormError("digest", f"{digest} from what stands before it", said.decode())
    try:
        text = body.decode() + "}"
        content = json.loads(text)
        is_canonical = canonical(content) == text
    except (ValueError, RecursionError) as error:
        raise FormError("the line", "JSON in UTF-8", shown(str(error))) from None
    if not is_canonical:
        raise FormError("the line", "canonical JSON", "the same in another form")
    assert isinstance(content, dict), "nothing else ends with a brace"
    return content
