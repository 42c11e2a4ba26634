"""The errors of the SDK, split by whose mistake it is.

SixtySixError
├── NotationError (ValueError)      text that is no card or move
├── IllegalMove (ValueError)        a move the rules do not allow now
├── UnknownRuleset (LookupError)    a rule set that does not exist
└── InvalidOption (ValueError)      an option or value that the rule set does not have
"""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["IllegalMove", "InvalidOption", "NotationError", "SixtySixError", "UnknownRuleset"]


class SixtySixError(Exception):
    """Any error of this library that a caller may want to catch."""


class NotationError(SixtySixError, ValueError):
    """A text is not the name of a card or a move."""


class UnknownRuleset(SixtySixError, LookupError):
    """There is no rule set of that name."""


class InvalidOption(SixtySixError, ValueError):
    """The rule set has no such option, or the option not that value."""


class IllegalMove(SixtySixError, ValueError):
    """A move that the rules do not allow; the deal is unchanged.

    `move` is the code as given, `reason` one clause that says what is wrong,
    and `legal` the codes that are legal, ascending. The text tells only what
    the seat on turn may know.
    """

    def __init__(self, move: int, reason: str, legal: Sequence[int], text: str) -> None:
        super().__init__(text)
        self.move = move
        self.reason = reason
        self.legal = tuple(legal)

    def __reduce__(self) -> tuple[object, ...]:
        # Exceptions are pickled by their text alone unless they say otherwise.
        return type(self), (self.move, self.reason, self.legal, str(self))
