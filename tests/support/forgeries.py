"""A record with everything in it, and what `verify` finds once somebody has changed it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from support.records import KINDS, header, lines_of, play_games, tampered

from sixtysix.verify import Difference, verify

__all__ = [
    "CUP",
    "GAMES",
    "KIND_OF",
    "LINES",
    "Change",
    "Contents",
    "difference",
    "found_after",
    "line_of",
    "told",
]

Contents = list[dict[str, Any]]
"""What the lines of a record hold."""
Change = Callable[[Contents], object]

CUP = header(games_per_pairing=4)
KIND_OF = dict(enumerate(KINDS, start=1))
"""What becomes of the games with these numbers; of all others nothing special."""
GAMES = play_games(CUP, KIND_OF)
LINES = lines_of(CUP, GAMES)

_NUMBER_OF = {kind: number for number, kind in KIND_OF.items()}


def line_of(kind: str) -> int:
    """The place in LINES, from 0, of the game of this kind; it is its number too."""
    return _NUMBER_OF[kind]


def difference(lines: Sequence[str | bytes], **more: Any) -> Difference:
    """What `verify` finds first."""
    found = verify(lines, **more).difference
    assert found is not None, "nothing was found"
    return found


def found_after(change: Change, lines: Sequence[str] = LINES) -> Difference:
    """What is found if somebody changes a record and makes all digests anew."""
    return difference(tampered(lines, change))


def told(change: Change, lines: Sequence[str] = LINES) -> str:
    """The same as a sentence."""
    return str(found_after(change, lines))
