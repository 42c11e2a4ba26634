"""The kit to write a bot that plays Sixty-Six in an arena.

>>> import sixtysix
>>> def choose(view: sixtysix.View) -> int:
...     return view.legal[0]

`sixtysix.main(choose)` then plays in an arena and ends the program; `join` does
the same inside a program of yours. `python -m sixtysix` is the command line. The
game itself is in `sixtysix.rules`.
"""

from __future__ import annotations

from sixtysix.api import (
    AlreadyExists,
    ApiError,
    ArenaUnreachable,
    InvalidRequest,
    JoinRefused,
    NotAllowed,
    NotFound,
    WrongState,
)
from sixtysix.bot import BotError
from sixtysix.joining import join, main
from sixtysix.record import RecordError, ReplayMismatch
from sixtysix.rules import (
    Card,
    IllegalMove,
    InvalidOption,
    Move,
    NotationError,
    SixtySixError,
    UnknownRuleset,
    View,
)

__all__ = [
    "AlreadyExists",
    "ApiError",
    "ArenaUnreachable",
    "BotError",
    "Card",
    "IllegalMove",
    "InvalidOption",
    "InvalidRequest",
    "JoinRefused",
    "Move",
    "NotAllowed",
    "NotFound",
    "NotationError",
    "RecordError",
    "ReplayMismatch",
    "SixtySixError",
    "UnknownRuleset",
    "View",
    "WrongState",
    "join",
    "main",
]
