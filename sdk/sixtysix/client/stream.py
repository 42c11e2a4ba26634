"""Joining an arena: one stream that carries all games of a bot, opened again when it breaks."""

from __future__ import annotations

import random
import threading
import time
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Any

import grpc

from sixtysix import wire
from sixtysix.api import JoinRefused
from sixtysix.bot import Bot
from sixtysix.client.channels import Target, bearer
from sixtysix.client.playing import Player
from sixtysix.joining import Ending, EndReason
from sixtysix.telling import Teller, short
from sixtysix.v1 import play_pb2, play_pb2_grpc

__all__ = ["Joining"]

LEAST_PAUSE_S = 0.2
MOST_PAUSE_S = 5.0
"""Pauses between two tries grow up to this. There are tries without end: arenas come back."""
STEADY_S = 5.0
"""A connection that lasted so long was a good one: the pauses start small again."""
GOODBYE_S = 1.0
"""How long a goodbye may take; cutting the stream off at once could overtake it."""
CLOSE_S = 10.0
"""How long a cancelled call may take to end, on a machine with much else to do."""

_REFUSALS = {
    grpc.StatusCode.UNAUTHENTICATED,
    grpc.StatusCode.PERMISSION_DENIED,
    grpc.StatusCode.FAILED_PRECONDITION,
    grpc.StatusCode.INVALID_ARGUMENT,
    grpc.StatusCode.UNIMPLEMENTED,
}
"""What would be refused again."""


_ENDS = {
    play_pb2.BYE_REASON_FINISHED: EndReason.FINISHED,
    play_pb2.BYE_REASON_FENCED: EndReason.FENCED,
    play_pb2.BYE_REASON_REVOKED: EndReason.REVOKED,
}


class Joining:
    """A bot's time in an arena: one stream after another."""

    def __init__(
        self,
        bot: Bot,
        games_at_once: int,
        target: Target,
        token: str,
        name: str | None,
        teller: Teller,
        *,
        verbose: bool,
    ) -> None:
        """What the arguments mean is told by `sixtysix.join`."""
        self._hello = play_pb2.Hello(
            protocol_major=wire.PROTOCOL_MAJOR,
            protocol_minor=wire.PROTOCOL_MINOR,
            bot_version=bot.version,
            games_at_once=games_at_once,
            rulesets=[wire.RULESETS.number(each) for each in bot.rulesets],
            close_on_opponents_lead=bot.close_on_opponents_lead,
        )
        self._target = target
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
        stream = _Stream(self._target, self._hello, self._token)
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
        return Ending(
            reason,
            text,
            self._bot_name,
            self._player.tally,
            tuple(sorted(self._player.failed_trials)),
        )

    def _read(self, stream: _Stream) -> play_pb2.ArenaBye | None:
        """Plays until the arena says goodbye, or the stream ends without a word."""
        self._player.send = stream.send
        while (frame := stream.receive()) is not None:
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
        self._teller.state("joined", f"Joined the arena at {self._target.address} as {bot_name}.")

    def _judge(self, error: grpc.RpcError) -> None:
        """Says what goes on after a stream failed. Raises JoinRefused if nothing does."""
        ours = self._target.error_of(error)
        if error.code() in _REFUSALS:
            raise JoinRefused(
                f"the arena at {self._target.address} refuses the bot: {ours}"
            ) from None
        if self._teller.is_in("joined"):
            self._lost()
        elif not self._teller.is_in("lost"):
            self._teller.state("waiting", f"Waiting: {ours}.")

    def _lost(self) -> None:
        self._teller.state(
            "lost", f"The connection to the arena at {self._target.address} was lost; coming back."
        )


class _Stream:
    """One call of Play, in a thread of its own.

    So Ctrl-C never strikes inside gRPC, whose locks do not survive that, and
    frames are read even while the bot thinks.
    """

    def __init__(self, target: Target, hello: play_pb2.Hello, token: str) -> None:
        self._frames: SimpleQueue[play_pb2.BotFrame | None] = SimpleQueue()
        self._received: SimpleQueue[play_pb2.ArenaFrame | BaseException | None] = SimpleQueue()
        self._call: Any = None
        self._closed = False
        self.send = self._frames.put
        self.send(play_pb2.BotFrame(hello=hello))
        self._thread = threading.Thread(target=self._run, args=(target, token), daemon=True)
        self._thread.start()

    def receive(self, timeout_s: float | None = None) -> play_pb2.ArenaFrame | None:
        """The next frame; None when the stream has ended. Raises what the stream failed with.

        Raises queue.Empty when the time is over.
        """
        received = self._received.get(timeout=timeout_s)
        if isinstance(received, BaseException):
            raise received
        return received

    def say_goodbye(self) -> None:
        """Leaves for good, and waits a moment for the arena to have heard of it."""
        self.send(play_pb2.BotFrame(bye=play_pb2.BotBye()))
        self._frames.put(None)
        end_s = time.monotonic() + GOODBYE_S
        with suppress(grpc.RpcError, Empty):
            while self.receive(max(0.0, end_s - time.monotonic())) is not None:
                pass

    def close(self) -> None:
        """Ends the call, whatever state it is in."""
        self._closed = True
        self._frames.put(None)
        if self._call is not None:
            self._call.cancel()
        # An interpreter that ends while gRPC still works in a thread may hang.
        self._thread.join(CLOSE_S)

    def _run(self, target: Target, token: str) -> None:
        end: BaseException | None = None
        try:
            with target.open() as channel:
                stub: Any = play_pb2_grpc.PlayServiceStub(channel)  # type: ignore[no-untyped-call]
                self._call = stub.Play(iter(self._frames.get, None), metadata=(bearer(token),))
                if self._closed:
                    self._call.cancel()
                for frame in self._call:
                    self._received.put(frame)
        except BaseException as error:
            end = error
        self._received.put(end)


def _farewell(ending: Ending) -> str:
    why = {
        EndReason.FINISHED: "The arena has nothing more to play",
        EndReason.FENCED: "Another connection of this bot has taken over",
        EndReason.REVOKED: "The arena took the bot out of play",
    }[ending.reason]
    # What the arena says in the same words needs no saying twice.
    same = ending.text.casefold().rstrip(".") == why.casefold()
    text = f" ({ending.text})" if ending.text and not same else ""
    return f"{why}{text}. Games of {ending.bot_name}: {ending.games}."
