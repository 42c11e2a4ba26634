"""Joining an arena: one stream that carries all games of a bot, opened again when it breaks."""

from __future__ import annotations

import random
import threading
import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from queue import SimpleQueue
from typing import Any

import grpc

from sixtysix import wire
from sixtysix.api import JoinRefused
from sixtysix.bot import Bot, as_bot, is_loading
from sixtysix.client.channels import bearer, error_of, find_address, open_channel
from sixtysix.client.playing import Player, Tally
from sixtysix.client.telling import Tell, Teller, short, to_stderr
from sixtysix.tokens import checked_token, find_token
from sixtysix.v1 import play_pb2, play_pb2_grpc

__all__ = ["EndReason", "Ending", "join"]

MAX_GAMES_AT_ONCE = 256
LEAST_PAUSE_S = 0.2
MOST_PAUSE_S = 5.0
"""Pauses between two tries grow up to this. There are tries without end: arenas come back."""
STEADY_S = 5.0
"""A connection that lasted so long was a good one: the pauses start small again."""
GOODBYE_S = 1.0
"""How long a goodbye may take to be delivered."""

_REFUSALS = {
    grpc.StatusCode.UNAUTHENTICATED,
    grpc.StatusCode.PERMISSION_DENIED,
    grpc.StatusCode.FAILED_PRECONDITION,
    grpc.StatusCode.INVALID_ARGUMENT,
    grpc.StatusCode.UNIMPLEMENTED,
}
"""What would be refused again."""


class EndReason(StrEnum):
    """Why a bot's time in an arena is over."""

    FINISHED = "finished"
    """The arena has nothing more to play."""
    FENCED = "fenced"
    """The same bot has joined from elsewhere."""
    REVOKED = "revoked"
    """The token was rotated, or the bot was disabled."""


_ENDS = {
    play_pb2.BYE_REASON_FINISHED: EndReason.FINISHED,
    play_pb2.BYE_REASON_FENCED: EndReason.FENCED,
    play_pb2.BYE_REASON_REVOKED: EndReason.REVOKED,
}


@dataclass(frozen=True, slots=True)
class Ending:
    """How a bot's time in an arena ended."""

    reason: EndReason
    text: str
    """The arena's own words."""
    bot_name: str
    """The name that the token stands for."""
    games: Tally
    """The games that were finished."""


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

    `games_at_once` is 1 to 256. `rulesets`, `version` and
    `close_on_opponents_lead` replace what the bot says of itself. `tell` shows
    what goes on; `verbose` tells of each game.

    Raises JoinRefused if the arena does not let the bot play, TokenError
    without a token, BotError if `bot` is none. Ctrl-C says goodbye, which
    forfeits the games that are not over, and raises KeyboardInterrupt.
    """
    if is_loading():
        raise JoinRefused(
            "join() was called while the bot was being loaded:"
            ' put it under `if __name__ == "__main__":`'
        )
    if not 1 <= games_at_once <= MAX_GAMES_AT_ONCE:
        raise ValueError(f"games_at_once is 1 to {MAX_GAMES_AT_ONCE}, not {games_at_once}")
    made = as_bot(bot)
    says = made.saying(rulesets, version, close_on_opponents_lead)
    hello = play_pb2.Hello(
        protocol_major=wire.PROTOCOL_MAJOR,
        protocol_minor=wire.PROTOCOL_MINOR,
        bot_version=says.version,
        games_at_once=games_at_once,
        rulesets=[wire.RULESETS.number(each) for each in says.rulesets],
        close_on_opponents_lead=says.close_on_opponents_lead,
    )
    address = find_address(arena)
    secret = find_token(name) if token is None else checked_token(token, "the argument token")
    joining = _Joining(says, hello, address, secret, name, Teller(tell), verbose)
    try:
        return joining.run()
    except KeyboardInterrupt:
        # Where in gRPC it struck is of no interest to anybody.
        raise KeyboardInterrupt from None


class _Joining:
    """A bot's time in an arena: one stream after another."""

    def __init__(
        self,
        bot: Bot,
        hello: play_pb2.Hello,
        address: str,
        token: str,
        name: str | None,
        teller: Teller,
        verbose: bool,
    ) -> None:
        self._hello = hello
        self._address = address
        self._token = token
        self._name = name
        self._teller = teller
        self._player = Player(bot, teller, verbose=verbose)
        self._bot_name = name or ""

    def run(self) -> Ending:
        """Plays until the end, stream after stream."""
        pause_s = LEAST_PAUSE_S
        while True:
            began_s = time.monotonic()
            ending = self._play_once()
            if ending is not None:
                self._teller.tell(_farewell(ending))
                return ending
            if time.monotonic() - began_s > STEADY_S:
                pause_s = LEAST_PAUSE_S
            # Many bots that lost one arena at once do not come back all at once.
            time.sleep(pause_s)
            pause_s = random.uniform(LEAST_PAUSE_S, min(MOST_PAUSE_S, 3 * pause_s))

    def _play_once(self) -> Ending | None:
        """Plays on one stream; None if another one is to follow."""
        with open_channel(self._address) as channel:
            stream = _Stream(channel, self._hello, self._token)
            try:
                bye = self._read(stream)
            except grpc.RpcError as error:
                self._judge(error)
                return None
            except (KeyboardInterrupt, SystemExit):
                stream.say_goodbye()
                raise
            finally:
                stream.close()
        if bye is None:
            self._lost()
            return None
        text = short(bye.text)
        reason = _ENDS.get(bye.reason)
        if reason is None:
            self._teller.state("lost", f"The arena ended the connection: {text}; coming back.")
            return None
        return Ending(reason, text, self._bot_name, self._player.tally)

    def _read(self, stream: _Stream) -> play_pb2.ArenaBye | None:
        """Plays until the arena says goodbye, or the stream ends without a word."""
        self._player.send = stream.send
        for frame in stream:
            if frame.HasField("welcome"):
                self._welcome(frame.welcome)
            self._player.take(frame)
            if frame.HasField("bye"):
                return frame.bye
        return None

    def _welcome(self, welcome: play_pb2.Welcome) -> None:
        if welcome.protocol_major != wire.PROTOCOL_MAJOR:
            raise JoinRefused(
                f"the arena speaks protocol {welcome.protocol_major}.{welcome.protocol_minor}, this"
                f" kit {wire.PROTOCOL_MAJOR}.{wire.PROTOCOL_MINOR}: the first numbers must agree"
            )
        bot_name = short(welcome.bot_name)
        if self._name is not None and welcome.bot_name != self._name:
            raise JoinRefused(f"the token is that of {bot_name}, not of {self._name}")
        self._bot_name = bot_name
        self._player.welcome(welcome)
        self._teller.state("joined", f"Joined the arena at {self._address} as {bot_name}.")

    def _judge(self, error: grpc.RpcError) -> None:
        """Says what goes on after a stream failed. Raises JoinRefused if nothing does."""
        ours = error_of(error, self._address)
        if error.code() in _REFUSALS:
            raise JoinRefused(f"the arena at {self._address} refuses the bot: {ours}") from error
        if self._teller.is_in("joined"):
            self._lost()
        elif not self._teller.is_in("lost"):
            self._teller.state("waiting", f"Waiting: {ours}.")

    def _lost(self) -> None:
        self._teller.state(
            "lost", f"The connection to the arena at {self._address} was lost; coming back."
        )


class _Stream:
    """One call of Play."""

    def __init__(self, channel: grpc.Channel, hello: play_pb2.Hello, token: str) -> None:
        self._frames: SimpleQueue[play_pb2.BotFrame | None] = SimpleQueue()
        self.send = self._frames.put
        self.send(play_pb2.BotFrame(hello=hello))
        stub: Any = play_pb2_grpc.PlayServiceStub(channel)  # type: ignore[no-untyped-call]
        self._call = stub.Play(iter(self._frames.get, None), metadata=(bearer(token),))

    def __iter__(self) -> Iterator[play_pb2.ArenaFrame]:
        return iter(self._call)

    def say_goodbye(self) -> None:
        """Leaves for good, and waits a moment for the arena to have heard of it."""
        self.send(play_pb2.BotFrame(bye=play_pb2.BotBye()))
        self._frames.put(None)
        drain = threading.Thread(target=self._drain, daemon=True)
        drain.start()
        drain.join(GOODBYE_S)

    def close(self) -> None:
        """Ends the call, whatever state it is in."""
        self._frames.put(None)
        self._call.cancel()

    def _drain(self) -> None:
        with suppress(grpc.RpcError):
            deque(self._call, maxlen=0)


def _farewell(ending: Ending) -> str:
    why = {
        EndReason.FINISHED: "The arena has nothing more to play",
        EndReason.FENCED: "Another connection of this bot has taken over",
        EndReason.REVOKED: "The arena took the bot out of play",
    }[ending.reason]
    text = f" ({ending.text})" if ending.text else ""
    return f"{why}{text}. Games of {ending.bot_name}: {ending.games}."
