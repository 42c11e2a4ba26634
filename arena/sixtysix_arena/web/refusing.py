"""What cannot be shown, and why, in words that can be translated."""

from __future__ import annotations

import re

from sixtysix.api import ApiError
from sixtysix.text import harmless

__all__ = ["Refused", "in_our_words", "without_commands"]

_NO_TOURNAMENT = re.compile(r"there is no tournament '(?P<slug>[^']*)'")
_NO_GAME = re.compile(r"there is no game (?P<game>[^: ]+)")
_COMMAND = re.compile(r"[:;,]? [^:;,]*'sixtysix [^']*'.*", re.DOTALL)


class Refused(Exception):
    """A page that is not there, or an address that does not make sense."""

    def __init__(self, status: int, text: str, **values: object) -> None:
        """`text` is one of those that are translated, with places for the values."""
        super().__init__(text % values)
        self.status = status
        self.text = text
        self.values = {name: harmless(str(value)) for name, value in values.items()}


def in_our_words(error: ApiError) -> Refused | None:
    """What the store said most often, as a text that is translated; None for all else."""
    told = str(error)
    if found := _NO_TOURNAMENT.match(told):
        return Refused(404, "There is no tournament %(slug)s.", slug=found["slug"])
    if found := _NO_GAME.match(told):
        return Refused(404, "There is no game %(game)s.", game=found["game"])
    return None


def without_commands(told: str) -> str:
    """A sentence without the command that would help the organiser: visitors have none."""
    return _COMMAND.sub("", told)
