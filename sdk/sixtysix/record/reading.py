"""Reading JSON strictly: each value is of the kind that is expected, or its place is named."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

from sixtysix.record.chain import FormError, shown

__all__ = ["MAX_INTEGER", "Fields", "check_list", "integers", "known"]

MAX_INTEGER = 2**53 - 1
"""Every language reads whole numbers up to this one without loss."""

_T = TypeVar("_T")


class Fields:
    """An object with exactly these keys; `where` stands before their names in messages."""

    __slots__ = ("_form", "where")

    def __init__(self, form: object, where: str, keys: frozenset[str]) -> None:
        """Raises FormError if `form` is no object or has other keys."""
        place = where.rstrip(".") or "the line"
        if not isinstance(form, dict):
            raise FormError(place, "an object", shown(form))
        if form.keys() != keys:
            raise FormError(place, _only(keys), _differing(form.keys(), keys))
        self._form = form
        self.where = where

    def value(self, key: str) -> Any:
        """Whatever stands there."""
        return self._form[key]

    def text(self, key: str) -> str:
        """A text."""
        value = self._form[key]
        if not isinstance(value, str):
            raise self._wrong(key, "a text")
        return value

    def matching(self, key: str, pattern: re.Pattern[str]) -> str:
        """A text of a certain form."""
        text = self.text(key)
        if not pattern.fullmatch(text):
            raise self._wrong(key, f"a text like {pattern.pattern}")
        return text

    def flag(self, key: str) -> bool:
        """True or false."""
        value = self._form[key]
        if not isinstance(value, bool):
            raise self._wrong(key, "true or false")
        return value

    def integer(self, key: str, *, least: int = 0, most: int = MAX_INTEGER) -> int:
        """A whole number from `least` to `most`."""
        value = self._form[key]
        if type(value) is not int or not least <= value <= most:
            raise self._wrong(key, _range(least, most))
        return value

    def seat(self, key: str) -> int | None:
        """A seat, or null."""
        value = self._form[key]
        if value is not None and (type(value) is not int or value not in (0, 1)):
            raise self._wrong(key, "a seat, 0 or 1, or null")
        return value

    def one_of(self, key: str, members: Mapping[str, _T]) -> _T:
        """What one of a few texts stands for."""
        value = self._form[key]
        if not isinstance(value, str) or value not in members.keys():  # noqa: SIM118 - a rule set that is missing raises
            raise self._wrong(key, f"one of {', '.join(members)}")
        return members[value]

    def items(self, key: str) -> list[Any]:
        """A list of anything."""
        value = self._form[key]
        check_list(value, f"{self.where}{key}")
        return value  # type: ignore[no-any-return]

    def texts(self, key: str, *, count: int) -> list[str]:
        """A list of so many texts."""
        value = self.items(key)
        if len(value) != count or not all(isinstance(each, str) for each in value):
            raise self._wrong(key, f"{count} texts")
        return value

    def object(self, key: str, keys: frozenset[str]) -> Fields:
        """An object with exactly these keys."""
        return Fields(self._form[key], f"{self.where}{key}.", keys)

    def objects(self, key: str, keys: frozenset[str]) -> Iterator[Fields]:
        """Objects with exactly these keys."""
        for index, value in enumerate(self.items(key)):
            yield Fields(value, f"{self.where}{key}[{index}].", keys)

    def _wrong(self, key: str, expected: str) -> FormError:
        return FormError(f"{self.where}{key}", expected, shown(self._form[key]))


def check_list(value: object, where: str) -> None:
    """Raises FormError for what is no list."""
    if not isinstance(value, list):
        raise FormError(where, "a list", shown(value))


def integers(
    value: object, where: str, *, count: int | None = None, least: int = 0, most: int = MAX_INTEGER
) -> tuple[int, ...]:
    """Whole numbers from `least` to `most`, `count` of them if that is given."""
    check_list(value, where)
    assert isinstance(value, list)
    if count is not None and len(value) != count:
        raise FormError(where, f"{count} numbers", f"{len(value)}")
    for index, each in enumerate(value):
        if type(each) is not int or not least <= each <= most:
            raise FormError(f"{where}[{index}]", _range(least, most), shown(each))
    return tuple(value)


def known(value: object, where: str, numbers: Mapping[str, int], what: str) -> tuple[int, ...]:
    """The numbers that a list of texts stands for, cards or moves."""
    check_list(value, where)
    assert isinstance(value, list)
    for index, text in enumerate(value):
        if not isinstance(text, str) or text not in numbers:
            raise FormError(f"{where}[{index}]", f"a {what}", shown(text))
    return tuple([numbers[text] for text in value])


def _range(least: int, most: int) -> str:
    return f"a whole number from {least}" + ("" if most == MAX_INTEGER else f" to {most}")


def _only(keys: frozenset[str]) -> str:
    return f"the keys {', '.join(sorted(keys))}"


def _differing(found: Any, keys: frozenset[str]) -> str:
    missing, more = sorted(keys - found), sorted(map(str, found - keys))
    told = [f"without {', '.join(missing)}"] if missing else []
    return shown("; ".join([*told, f"with {', '.join(more)}"] if more else told))
