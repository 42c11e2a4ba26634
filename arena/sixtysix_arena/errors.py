"""The errors that the arena raises when a call cannot be carried out.

    ArenaError
    ├── NotFound        there is no such bot, tournament, game or folder
    ├── Exists          the name is taken, or the call was carried out before
    ├── WrongState      it exists, but it is not in a state that allows this
    ├── Invalid         what was asked for makes no sense, whatever the state
    └── Unavailable     the arena, its disk or its database cannot do it now
        └── FolderInUse     another arena holds the data folder

Each message is one sentence that says what is wrong and what to do about it,
and is fit to be shown to whoever made the call. Anything else that is raised
is a mistake of ours.
"""

from __future__ import annotations

__all__ = [
    "ArenaError",
    "Exists",
    "FolderInUse",
    "Invalid",
    "NotFound",
    "Unavailable",
    "WrongState",
]


class ArenaError(Exception):
    """A call that the arena cannot carry out; always one of the classes below."""


class NotFound(ArenaError):
    """There is no such bot, tournament, game or folder."""


class Exists(ArenaError):
    """The name is taken, or the call was carried out before."""


class WrongState(ArenaError):
    """The thing exists, but it is not in a state that allows this."""


class Invalid(ArenaError):
    """What was asked for makes no sense, whatever the state."""


class Unavailable(ArenaError):
    """The arena, its disk or its database cannot do it now."""


class FolderInUse(Unavailable):
    """Another arena holds the data folder; talk to that arena instead."""
