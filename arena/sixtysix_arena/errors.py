"""The errors that the arena raises when a call cannot be carried out.

    ArenaError (sixtysix.api.ApiError)
    ├── NotFound        there is no such bot, tournament, game or folder
    ├── Exists          the name is taken, or the call was carried out before
    ├── WrongState      it exists, but it is not in a state that allows this
    ├── Invalid         what was asked for makes no sense, whatever the state
    ├── NotAllowed      the token is missing, wrong or not enough for this
    │   └── NotYours        it is right, and what was asked for is another's
    ├── TooOften        it was done too often; after a while it can be done again
    └── Unavailable     the arena, its disk or its database cannot do it now
        ├── FolderInUse     another arena holds the data folder
        └── NotReady        it is being made, and too many wait for it already

Each is also the error of `sixtysix.api` that a caller over the network gets for
it, so that reading a data folder and asking an arena fail alike. Each message
is one sentence that says what is wrong and what to do about it, and is fit to
be shown to whoever made the call. Anything else that is raised is a mistake of
ours.
"""

from __future__ import annotations

from sixtysix import api

__all__ = [
    "ArenaError",
    "Exists",
    "FolderInUse",
    "Invalid",
    "NotAllowed",
    "NotFound",
    "NotReady",
    "NotYours",
    "TooOften",
    "Unavailable",
    "WrongState",
]


class ArenaError(api.ApiError):
    """A call that the arena cannot carry out; always one of the classes below."""


class NotFound(ArenaError, api.NotFound):
    """There is no such bot, tournament, game or folder."""


class Exists(ArenaError, api.AlreadyExists):
    """The name is taken, or the call was carried out before."""


class WrongState(ArenaError, api.WrongState):
    """The thing exists, but it is not in a state that allows this."""


class Invalid(ArenaError, api.InvalidRequest):
    """What was asked for makes no sense, whatever the state."""


class NotAllowed(ArenaError, api.NotAllowed):
    """The token is missing, wrong or not enough for this."""


class NotYours(NotAllowed):
    """The token is right, and what was asked for is another's."""


class TooOften(ArenaError):
    """It was done too often; the caller may come back after `wait_ms`."""

    def __init__(self, text: str, wait_ms: float = 1_000.0) -> None:
        super().__init__(text)
        self.wait_ms = wait_ms


class Unavailable(ArenaError):
    """The arena, its disk or its database cannot do it now."""


class FolderInUse(Unavailable):
    """Another arena holds the data folder; talk to that arena instead."""


class NotReady(Unavailable):
    """It is being made, and too many wait for it already; it is there in a moment."""
