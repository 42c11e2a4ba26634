"""PlayService: one reader and one writer around the session of a connected bot.

Frames are read as bytes and parsed inside the session, so that what is no
frame can be answered; one that is too large for us but not for the channel
too. Nothing but the writer ever waits for a bot to read.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from contextlib import suppress
from typing import Any

import grpc
import grpc.aio
from google.protobuf.message import DecodeError

from sixtysix import wire
from sixtysix.limits import MAX_GAMES_AT_ONCE, MAX_VERSION_BYTES
from sixtysix.v1 import play_pb2
from sixtysix_arena.errors import Invalid, NotAllowed, TooOften, Unavailable, WrongState
from sixtysix_arena.server.guard import CALLER, CALLER_DIGEST, WRONG_TOKEN
from sixtysix_arena.server.host import PlayHost
from sixtysix_arena.server.peers import address_of
from sixtysix_arena.sessions import MAX_FRAME_BYTES, Connection, Presence, Session
from sixtysix_arena.text import clean

__all__ = ["play_handler"]

HELLO_TIMEOUT_S = 10.0
MAX_NAME_BYTES = 60
"""Shown of a name that is wrong."""
HEAR_OUT_S = 0.2
"""A hello comes with the call, so that a refusal need not wait longer for it."""
HOLD_S = 1.0
MAX_HELD = 8
"""Refusals of a bot that are held back at a time: they too take room."""
BYE_TIMEOUT_S = 5.0
"""How long a goodbye may wait for a bot that does not read."""

log = logging.getLogger(__name__)


def play_handler(host: PlayHost) -> grpc.GenericRpcHandler:
    """The handler of PlayService, with frames as bytes."""
    play: grpc.RpcMethodHandler[Any, Any] = grpc.stream_stream_rpc_method_handler(_Play(host).play)
    return grpc.method_handlers_generic_handler("sixtysix.v1.PlayService", {"Play": play})


class _Play:
    def __init__(self, host: PlayHost) -> None:
        self._host = host
        self._held: Counter[str] = Counter()
        """The refusals of each bot that wait to be told."""

    async def play(self, _requests: Any, context: Any) -> None:
        """Serves one stream until either side ends it."""
        name = CALLER.get()
        session = self._host.sessions.of(name)
        try:
            if self._host.is_stopping:
                raise Unavailable("the arena is stopping: come back in a while")
            if not self._host.can_store:
                raise Unavailable("nothing can be stored just now: come back in a while")
            pace_ms = session.knock()
        except Unavailable:
            await _hear_out(context)
            raise
        except TooOften:
            await _hear_out(context)
            await self._hold(name)
            raise
        try:
            presence = await self._let_in(name, session, pace_ms, context)
        except BaseException:
            session.turned_away()
            raise
        wake = asyncio.Event()
        connection = self._host.sessions.attach(name, presence, wake.set)
        about = {"bot": name, "address": address_of(context.peer()), "stream": connection.number}
        log.info("a bot joined", extra=about | {"version": presence.version})
        self._host.joined(name)
        tasks = [
            asyncio.create_task(work)
            for work in (
                _read(session, connection, context),
                self._write(session, connection, wake, context),
                _give_up(connection),
            )
        ]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            session.detach(connection)
            log.info("a bot is away", extra=about | {"reason": _why(connection)})
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        for task in done:
            # A write fails under a stream that breaks: it has ended, like any other.
            with suppress(grpc.aio.InternalError):
                task.result()

    async def _let_in(self, name: str, session: Session, pace_ms: float, context: Any) -> Presence:
        """What the bot says of itself, once it may be in. Raises an ArenaError if it may not."""
        await asyncio.sleep(pace_ms / 1_000)
        hello = await _first_frame(context)
        if hello.bot_name not in ("", name):
            # Said before the stream counts: it would end that of the other bot.
            wanted = clean(hello.bot_name, MAX_NAME_BYTES)
            raise WrongState(f"the token is that of {name}, not of {wanted}")
        presence = _presence(hello)
        try:
            await self._host.admit(name, presence)
            still = await self._host.bot_of(CALLER_DIGEST.get())
        except Unavailable:
            session.pardon()
            raise
        if still != name:
            raise NotAllowed(WRONG_TOKEN)  # Rotated or disabled since the stream began.
        return presence

    async def _hold(self, name: str) -> None:
        """Lets a bot that comes too often wait for its refusal: it comes again the less often."""
        if self._held[name] >= MAX_HELD:
            return
        self._held[name] += 1
        try:
            await asyncio.sleep(HOLD_S)
        finally:
            self._held[name] -= 1

    async def _write(
        self, session: Session, connection: Connection, wake: asyncio.Event, context: Any
    ) -> None:
        welcome = play_pb2.Welcome(
            protocol_major=wire.PROTOCOL_MAJOR,
            protocol_minor=wire.PROTOCOL_MINOR,
            bot_name=session.name,
            max_frame_bytes=MAX_FRAME_BYTES,
            connection_count=connection.number,
        )

        async def write(frame: bytes) -> None:
            connection.write_began_ms = self._host.now_ms()
            session.stir()
            await context.write(frame)
            connection.write_began_ms = None

        await write(play_pb2.ArenaFrame(welcome=welcome).SerializeToString())
        wake.set()
        while True:
            await wake.wait()
            wake.clear()
            while session.connection is connection and (frame := _next_frame(session)):
                await write(frame)
            if connection.bye is not None:
                await write(play_pb2.ArenaFrame(bye=connection.bye).SerializeToString())
                return


def _why(connection: Connection) -> str:
    """Why a stream has ended, for the log."""
    if connection.bye is None:
        return "it ended without a goodbye"
    reason = play_pb2.ByeReason.Name(connection.bye.reason)
    return reason.removeprefix("BYE_REASON_").lower()


async def _read(session: Session, connection: Connection, context: Any) -> None:
    while True:
        data = await context.read()
        if data is grpc.aio.EOF:
            return
        try:
            pause_ms = session.receive(connection, data)
        except Exception:
            session.excuse()
            raise  # The guard logs it, and ends this bot's stream with a constant text.
        if connection.is_over:
            await asyncio.Event().wait()  # The writer ends the stream; until then nobody reads.
        if pause_ms:
            # What is not read stays with the bot, once the stream's window is full.
            await asyncio.sleep(pause_ms / 1_000)


def _next_frame(session: Session) -> bytes | None:
    try:
        return session.next_frame()
    except Exception:
        session.excuse()
        raise


async def _give_up(connection: Connection) -> None:
    """Returns a while after the arena said goodbye: the bot does not read it."""
    await connection.ending.wait()
    await asyncio.sleep(BYE_TIMEOUT_S)


async def _hear_out(context: Any) -> None:
    """Reads the hello of a stream that is refused: some libraries lose the reason otherwise."""
    with suppress(TimeoutError):
        async with asyncio.timeout(HEAR_OUT_S):
            await context.read()


async def _first_frame(context: Any) -> play_pb2.Hello:
    try:
        async with asyncio.timeout(HELLO_TIMEOUT_S):
            data = await context.read()
    except TimeoutError:
        raise Invalid(
            f"no hello within {HELLO_TIMEOUT_S:.0f} s: the first frame carries it"
        ) from None
    if data is grpc.aio.EOF:
        raise Invalid("the stream ended before its hello")
    if len(data) > MAX_FRAME_BYTES:
        raise Invalid(f"the first frame has {len(data)} bytes: at most {MAX_FRAME_BYTES} are read")
    try:
        frame = play_pb2.BotFrame.FromString(data)
    except DecodeError:
        raise Invalid(
            "the first frame cannot be read: expected a BotFrame of sixtysix.v1"
        ) from None
    if not frame.HasField("hello"):
        raise Invalid("the first frame carries no hello")
    return frame.hello


def _presence(hello: play_pb2.Hello) -> Presence:
    if hello.protocol_major != wire.PROTOCOL_MAJOR:
        raise WrongState(
            f"the bot speaks protocol {hello.protocol_major}.{hello.protocol_minor}, the arena"
            f" {wire.PROTOCOL_MAJOR}.{wire.PROTOCOL_MINOR}: the first numbers must agree"
        )
    if not 1 <= hello.games_at_once <= MAX_GAMES_AT_ONCE:
        raise Invalid(
            f"hello.games_at_once is {hello.games_at_once}: expected 1 to {MAX_GAMES_AT_ONCE}"
        )
    known = (wire.RULESETS.members.get(number) for number in hello.rulesets)
    return Presence(
        version=clean(hello.bot_version, MAX_VERSION_BYTES),
        games_at_once=hello.games_at_once,
        rulesets=frozenset(name for name in known if name is not None),
        close_on_opponents_lead=hello.close_on_opponents_lead,
    )
