"""Joining an arena with a bot: what an author calls. Light to import; gRPC comes with the call."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, NoReturn

from sixtysix.api import JoinRefused
from sixtysix.bot import as_bot, is_loading
from sixtysix.limits import MAX_GAMES_AT_ONCE
from sixtysix.telling import Tell, Teller, to_stderr

__all__ = ["EndReason", "Ending", "Tally", "join", "main"]


BOT_FAILED = 4
INTERRUPTED = 130
"""Exit codes, as the command line has them too."""


class EndReason(StrEnum):
    """Why a bot's time in an arena is over."""

    FINISHED = "finished"
    """The arena has nothing more to play."""
    FENCED = "fenced"
    """The same bot has joined from elsewhere."""
    REVOKED = "revoked"
    """The token was rotated, or the bot was disabled."""


@dataclass(slots=True)
class Tally:
    """The games that a bot has finished since it joined."""

    won: int = 0
    lost: int = 0
    drawn: int = 0
    void: int = 0

    @property
    def games(self) -> int:
        """All of them."""
        return self.won + self.lost + self.drawn + self.void

    def __str__(self) -> str:
        text = f"{self.won} won, {self.lost} lost, {self.drawn} drawn"
        return f"{text}, {self.void} void" if self.void else text


@dataclass(frozen=True, slots=True)
class Ending:
    """How a bot's time in an arena ended."""

    reason: EndReason
    text: str
    """The arena's own words."""
    bot_name: str
    """The name that the token stands for."""
    games: Tally
    """The games that were finished, trials left out."""
    failed_trials: tuple[str, ...] = ()
    """The rule sets in which the bot failed its validation, so that it is not seated in them."""


def join(
    bot: object,
    *,
    arena: str | None = None,
    token: str | None = None,
    name: str | None = None,
    games_at_once: int = 64,
    rulesets: Sequence[str] | None = None,
    version: str | None = None,
    close_on_opponents_lead: bool | None = None,
    ca: Path | str | None = None,
    insecure: bool = False,
    verbose: bool = False,
    tell: Tell = to_stderr,
) -> Ending:
    """Lets `bot` play in an arena until that has nothing more to play.

    `bot` is a function `choose(view)`, or an object with such a method (see
    sixtysix.bot). If it raises, or returns what is no number, the traceback
    and the view are shown, and it gives up that one game.

    `arena` is HOST:PORT; without it, the variable SIXTYSIX_ARENA, or else
    127.0.0.1:6650. Waits for an arena that is not there yet, and comes back
    to one that went away. `token` is what the arena gave out for the bot; it is
    better kept in the variable SIXTYSIX_TOKEN, or in the file of the bot
    called `name` (see sixtysix.tokens). With a `name`, a token that stands
    for another bot is refused.

    An arena that is not on this machine is spoken to over TLS. `ca` is a file
    with the certificate of the authority that is trusted for it instead of
    those that this machine trusts, and asks for TLS on this machine too;
    without it the variable SIXTYSIX_CA says. `insecure`, or SIXTYSIX_INSECURE=1,
    does without TLS: then the token can be read on the way.

    `games_at_once` is 1 to 256. `rulesets`, `version` and
    `close_on_opponents_lead` replace what the bot says of itself. `tell` shows
    what goes on; `verbose` tells of each game.

    Raises JoinRefused if the arena does not let the bot play, NotAllowed
    without a token, InvalidRequest for what is no address or no certificate,
    BotError if `bot` is none. Ctrl-C says goodbye, which
    forfeits the games that are not over, and raises KeyboardInterrupt.
    """
    _refuse_loading("join")
    if not 1 <= games_at_once <= MAX_GAMES_AT_ONCE:
        raise ValueError(f"games_at_once is 1 to {MAX_GAMES_AT_ONCE}, not {games_at_once}")
    says = as_bot(bot).saying(rulesets, version, close_on_opponents_lead)
    # What follows is heavy, and whoever only loads a bot's file does not need it.
    from sixtysix.client.channels import find_target
    from sixtysix.client.stream import Joining
    from sixtysix.tokens import checked_token, find_token

    secret = find_token(name) if token is None else checked_token(token, "the argument token")
    target = find_target(arena, ca=ca, insecure=insecure)
    teller = Teller(tell)
    try:
        return Joining(says, games_at_once, target, secret, name, teller, verbose=verbose).run()
    except KeyboardInterrupt:
        # Where in gRPC it struck is of no interest to anybody.
        raise KeyboardInterrupt from None


def main(bot: object, **options: Any) -> NoReturn:
    """Joins an arena with `bot`, and ends the program; for a bot's file that is run by itself.

    `options` are those of `join`. What is wrong is told in one sentence, without
    a traceback, and the exit code says how it went: 0 the arena has nothing
    more to play, 1 it does not let the bot play or has sent it away, 2 an option
    is wrong, 4 the bot is none or failed its validation, 130 Ctrl-C.

        if __name__ == "__main__":
            sixtysix.main(choose)
    """
    _refuse_loading("main")
    try:
        code = _exit_code(bot, **options)
    except KeyboardInterrupt:
        code = INTERRUPTED
    sys.exit(code)


def _exit_code(bot: object, **options: Any) -> int:
    # Else gRPC's core, once it is imported, adds lines of its own to what we tell.
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    try:
        ending = join(bot, **options)
    except Exception as error:
        from sixtysix.cli.failures import tell

        code = tell(error)
        if code is None:
            raise
        return code
    if ending.failed_trials:
        return BOT_FAILED
    return 0 if ending.reason is EndReason.FINISHED else 1


def _refuse_loading(name: str) -> None:
    if is_loading():
        raise JoinRefused(
            f"{name}() was called while the bot was being loaded:"
            ' put it under `if __name__ == "__main__":`'
        )
