"""Joining an arena: one stream that carries all games of a bot, opened again when it breaks."""

from __future__ import annotations

import sys
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Any

import grpc

from sixtysix import wire
from sixtysix.api import JoinRefused
from sixtysix.bot import Bot
from sixtysix.client.channels import CallFailure, Target, bearer
from sixtysix.client.pauses import Pauses
from sixtysix.client.playing import Player
from sixtysix.joining import Ending, EndReason
from sixtysix.telling import Teller, short
from sixtysix.v1 import play_pb2, play_pb2_grpc

__all__ = ["Joining"]

FIRST_PAUSE_S = 0.5
MOST_PAUSE_S = 5.0
"""Pauses between two tries are at most this long. There are tries without end: arenas come back."""
STEADY_S = 5.0
"""A connection that lasted so long was a good one: the pauses start small again."""
FLOOD_PAUSE_S = 5.0
"""A bot that flooded is not let in before."""
GOODBYE_S = 1.0
"""How long a goodbye may take; cutting the stream off at once could overtake it."""
CLOSE_S = 10.0
"""How long a cancelled call may take to end, on a machine with much else to do."""
POLL_S = 0.5
"""Where Ctrl-C does not interrupt waiting, it is looked for this often."""
WAIT_KEY = "grpc-retry-pushback-ms"
"""Where a refusal says how long to wait; gRPC's own word for that."""

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


@dataclass(frozen=True, slots=True)
class _Loss:
    """A stream is over, and another one is to follow."""

    state: str
    """What the author is told once, as long as it stays like that; see `Teller.state`."""
    text: str
    asked_s: float = 0.0
    """How long the arena asks the bot to wait."""

    def told(self, pause_s: float) -> str:
        """What the author is told, and when the bot tries again."""
        if self.state == "waiting":
            return f"{self.text}."  # For as long as it takes.
        return f"{self.text}; trying again, first in {pause_s:.1f} s."


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
            bot_name=name or "",
            rulesets=[wire.RULESETS.number(each) for each in bot.rulesets],
            close_on_opponents_lead=bot.close_on_opponents_lead,
        )
        self._target = target
        self._token = token
        self._name = name
        self._teller = teller
        self._player = Player(bot, teller, verbose=verbose)
        self._bot_name = name or ""
        self._was_in = False

    def run(self) -> Ending:
        """Plays until the end, stream after stream."""
        pauses = Pauses(FIRST_PAUSE_S, MOST_PAUSE_S)
        while True:
            began_s = time.monotonic()
            end = self._play_once()
            if isinstance(end, Ending):
                self._teller.tell(_farewell(end))
                return end
            if time.monotonic() - began_s > STEADY_S:
                pauses.reset()
            pause_s = pauses.next(end.asked_s)
            self._teller.state(end.state, end.told(pause_s))
            time.sleep(pause_s)

    def _play_once(self) -> Ending | _Loss:
        """Plays on one stream, to its end."""
        stream = _Stream(self._target, self._hello, self._token)
        try:
            stream.begin()
            bye = self._read(stream)
        except grpc.RpcError as error:
            return self._judge(error)
        except (KeyboardInterrupt, SystemExit):
            if self._teller.is_in("joined"):
                self._teller.tell("Leaving the arena: games that are not over are given up.")
            stream.say_goodbye()
            raise
        finally:
            stream.close()
        if bye is None:
            return self._lost()
        text = short(bye.text)
        reason = _ENDS.get(bye.reason)
        if reason is None:
            asked_s = FLOOD_PAUSE_S if bye.reason == play_pb2.BYE_REASON_FLOODED else 0.0
            return _Loss("lost", f"The arena ended the connection: {text}", asked_s)
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
        verb = "Back in" if self._was_in else "Joined"
        self._was_in = True
        self._teller.state("joined", f"{verb} the arena at {self._target.address} as {bot_name}.")

    def _judge(self, error: grpc.RpcError) -> _Loss:
        """What follows from the failure of a stream. Raises JoinRefused if no other may follow."""
        ours = self._target.error_of(error)
        if error.code() in _REFUSALS:
            raise JoinRefused(
                f"the arena at {self._target.address} refuses the bot: {ours}"
            ) from None
        asked_s = _asked_s(error)
        if asked_s:
            return _Loss("put off", f"The arena lets the bot wait: {ours}", asked_s)
        if self._teller.is_in("joined") or self._teller.is_in("lost"):
            return self._lost()
        return _Loss("waiting", f"Waiting: {ours}")

    def _lost(self) -> _Loss:
        return _Loss("lost", f"The connection to the arena at {self._target.address} was lost")


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

    def begin(self) -> None:
        """Opens the call."""
        self._thread.start()

    def receive(self, timeout_s: float | None = None) -> play_pb2.ArenaFrame | None:
        """The next frame; None when the stream has ended. Raises what the stream failed with.

        Raises queue.Empty when the time is over.
        """
        received = self._get(timeout_s)
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
        threads = [self._thread]
        call = self._call
        if call is not None:
            threads.append(threading.Thread(target=call.cancel, daemon=True))
            threads[-1].start()
            del call
        # An interpreter that ends while gRPC still works in a thread may hang.
        end_s = time.monotonic() + CLOSE_S
        for thread in threads:
            with suppress(RuntimeError):  # It was not even begun.
                thread.join(max(0.0, end_s - time.monotonic()))

    def _get(self, timeout_s: float | None) -> play_pb2.ArenaFrame | BaseException | None:
        if timeout_s is not None or not sys.platform.startswith("win"):
            return self._received.get(timeout=timeout_s)
        while True:  # Waiting without end does not hear Ctrl-C there.
            with suppress(Empty):
                return self._received.get(timeout=POLL_S)

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
        except grpc.RpcError as error:
            end = CallFailure(error)
        except BaseException as error:
            end = error
        finally:
            self._call = None
        self._received.put(end)


def _asked_s(error: grpc.RpcError) -> float:
    """How long an arena that refuses a bot for now asks it to wait; 0 if it does not say."""
    metadata: Any = error.trailing_metadata() or ()
    for key, value in metadata:
        if key == WAIT_KEY and str(value).isdecimal():
            return int(value) / 1_000
    return 0.0


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
