"""Bots that know as much of HTTP/2 and gRPC as playing takes, for thousands in one process.

A message costs them a tenth of what it costs a client of gRPC, so that it is the arena
that is measured. Some of them are hostile.
"""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random

from sixtysix.v1 import common_pb2, play_pb2

__all__ = [
    "DATA",
    "END_HEADERS",
    "HEADERS",
    "HOSTILE",
    "PING",
    "PREFACE",
    "RST_STREAM",
    "SETTINGS",
    "WINDOW_UPDATE",
    "Bot",
    "Tally",
    "call_headers",
    "frame",
]

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
PATH = "/sixtysix.v1.PlayService/Play"
DATA, HEADERS, RST_STREAM, SETTINGS, PING, GOAWAY, WINDOW_UPDATE = 0, 1, 3, 4, 6, 7, 8
ACK, END_STREAM, END_HEADERS = 1, 1, 4
INITIAL_WINDOW_SIZE = 4
STREAM = 1
DEFAULT_WINDOW = 65_535
LARGE_WINDOW = 2**31 - 1
"""Two gigabytes: no bot here lives long enough to read so much."""
MAX_FRAME_BYTES = 16_384
CONNECT_LIMIT_S = 60.0


def frame(kind: int, flags: int, stream: int, payload: bytes) -> bytes:
    """A frame of HTTP/2."""
    return len(payload).to_bytes(3) + bytes((kind, flags)) + stream.to_bytes(4) + payload


def literal(name: str, value: str) -> bytes:
    """A header as it is, in HPACK; both are shorter than 127 bytes."""
    return b"\0" + b"".join(bytes((len(text),)) + text.encode() for text in (name, value))


def call_headers(address: str, token: str) -> bytes:
    """The headers with which a bot begins to play."""
    headers = {
        ":method": "POST",
        ":scheme": "http",
        ":path": PATH,
        ":authority": address,
        "content-type": "application/grpc",
        "te": "trailers",
        "authorization": f"Bearer {token}",
    }
    return b"".join(literal(name, value) for name, value in headers.items())


@dataclass
class Tally:
    """What the bots of a process have seen."""

    latencies_s: list[float] = field(default_factory=list)
    """From an answer to the next decision of its game, whichever of its bots that is for."""
    answered_s: dict[int, float] = field(default_factory=dict)
    welcomed_s: list[float] = field(default_factory=list)
    """When each bot was welcomed."""
    ended_count: int = 0
    """Streams that the arena has ended."""
    fault_count: int = 0
    """Faults that bots were told of."""


class Bot(asyncio.Protocol):
    """An honest bot, on a connection of its own, that plays at random after some thinking."""

    window = LARGE_WINDOW
    """What it grants the arena to send, once and for all."""

    def __init__(
        self, address: str, token: str, tally: Tally, random: Random, think_s: float = 0.0
    ) -> None:
        self.address = address
        self.token = token
        self.tally = tally
        self.random = random
        self.think_s = think_s
        self._transport: asyncio.Transport | None = None
        self._reset()

    def _reset(self) -> None:
        self.welcomed = asyncio.Event()
        self.ended = asyncio.Event()
        self.drained = asyncio.Event()
        self._received = bytearray()
        self._message = bytearray()
        self._waiting = bytearray()
        self._room = [DEFAULT_WINDOW, DEFAULT_WINDOW]  # Of the connection, and of the stream.

    async def connect(self) -> None:
        """Opens a connection and says hello on it."""
        self._reset()
        host, _, port = self.address.rpartition(":")
        loop = asyncio.get_running_loop()
        async with asyncio.timeout(CONNECT_LIMIT_S):
            await loop.create_connection(lambda: self, host, int(port))

    async def run(self) -> None:
        """Is there until the arena ends it; hostile bots come again."""
        await self.connect()
        await self.ended.wait()

    def close(self) -> None:
        """Goes without a word."""
        if self._transport is not None:
            self._transport.abort()

    # What it does.

    def take(self, arena_frame: play_pb2.ArenaFrame) -> None:
        """Answers the decisions of a frame, each in its time."""
        now_s = time.perf_counter()
        tally = self.tally
        if arena_frame.HasField("welcome"):
            tally.welcomed_s.append(now_s)
            self.welcomed.set()
        tally.fault_count += len(arena_frame.faults)
        for over in arena_frame.games_over:
            tally.answered_s.pop(over.game, None)
        for decision in arena_frame.decisions:
            answered_s = tally.answered_s.pop(decision.game, None)
            if answered_s is not None:
                tally.latencies_s.append(now_s - answered_s)
            think_s = self.think_s * self.random.uniform(0.5, 1.5)
            asyncio.get_running_loop().call_later(think_s, self.answer, decision)

    def answer(self, decision: play_pb2.Decision) -> None:
        """Answers a decision."""
        move = self.random.choice(decision.legal)
        said = play_pb2.Answer(game=decision.game, deal=decision.deal, ply=decision.ply, move=move)
        self.tally.answered_s[decision.game] = time.perf_counter()
        self.send(play_pb2.BotFrame(answers=[said]).SerializeToString())

    def send(self, data: bytes) -> None:
        """Sends a message, as soon as there is room for it."""
        self._waiting += b"\0" + len(data).to_bytes(4) + data
        self._send_waiting()

    # How it does that.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Sends all that a call begins with."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        setting = INITIAL_WINDOW_SIZE.to_bytes(2) + self.window.to_bytes(4)
        more = max(0, self.window - DEFAULT_WINDOW)
        transport.write(
            PREFACE
            + frame(SETTINGS, 0, 0, setting)
            + (frame(WINDOW_UPDATE, 0, 0, more.to_bytes(4)) if more else b"")
            + frame(HEADERS, END_HEADERS, STREAM, call_headers(self.address, self.token))
        )
        hello = play_pb2.Hello(
            protocol_major=1,
            bot_version="1",
            games_at_once=64,
            rulesets=[common_pb2.RULESET_CLASSIC],
        )
        self.send(play_pb2.BotFrame(hello=hello).SerializeToString())

    def connection_lost(self, _error: Exception | None) -> None:
        """The arena, or the bot itself, has closed the connection."""
        self._transport = None
        self.ended.set()

    def data_received(self, data: bytes) -> None:
        """Takes apart what has come."""
        received = self._received
        received += data
        start = 0
        while len(received) - start >= 9:
            end = start + 9 + int.from_bytes(received[start : start + 3])
            if len(received) < end:
                break
            kind, flags = received[start + 3], received[start + 4]
            on_stream = any(received[start + 5 : start + 9])
            self._take_frame(kind, flags, on_stream, bytes(received[start + 9 : end]))
            start = end
        del received[:start]

    def _take_frame(self, kind: int, flags: int, on_stream: bool, payload: bytes) -> None:
        transport = self._transport
        if transport is None:
            return
        if kind == DATA:
            self._take_data(payload)
        elif kind == SETTINGS and not flags & ACK:
            for place in range(0, len(payload), 6):
                if int.from_bytes(payload[place : place + 2]) == INITIAL_WINDOW_SIZE:
                    window = int.from_bytes(payload[place + 2 : place + 6])
                    self._room[1] += window - DEFAULT_WINDOW
            transport.write(frame(SETTINGS, ACK, 0, b""))
            self._send_waiting()
        elif kind == PING and not flags & ACK:
            transport.write(frame(PING, ACK, 0, payload))
        elif kind == WINDOW_UPDATE:
            self._room[on_stream] += int.from_bytes(payload)
            self._send_waiting()
        elif kind in (RST_STREAM, GOAWAY) or (kind == HEADERS and flags & END_STREAM):
            self.tally.ended_count += 1
            transport.close()

    def _take_data(self, payload: bytes) -> None:
        data = self._message
        data += payload
        while len(data) >= 5 and len(data) >= (end := 5 + int.from_bytes(data[1:5])):
            arena_frame = play_pb2.ArenaFrame.FromString(bytes(data[5:end]))
            del data[:end]
            self.take(arena_frame)

    def _send_waiting(self) -> None:
        waiting = self._waiting
        while waiting and self._transport is not None:
            size = min(len(waiting), MAX_FRAME_BYTES, *self._room)
            if size <= 0:
                return
            self._transport.write(frame(DATA, 0, STREAM, bytes(waiting[:size])))
            del waiting[:size]
            self._room = [room - size for room in self._room]
        self.drained.set()


class _Again(Bot):
    """A bot that comes again and again, however often it is sent away."""

    pause_s = 0.0

    async def run(self) -> None:
        """Comes, is hostile, and comes again."""
        while True:
            with suppress(OSError, TimeoutError):
                await self.connect()
                await self.attack()
            self.close()
            await asyncio.sleep(self.pause_s)

    async def attack(self) -> None:
        """What it does once it is connected."""
        await self.ended.wait()


class NeverReads(_Again):
    """Grants the arena nothing."""

    window = 0


class Floods(_Again):
    """Sends what has no effect, as fast as it is read."""

    junk = play_pb2.BotFrame(answers=[play_pb2.Answer(game=9, move=1)] * 500).SerializeToString()

    async def attack(self) -> None:
        """Never stops."""
        while not self.ended.is_set():
            self.drained.clear()
            self.send(self.junk)
            waits = [asyncio.create_task(each.wait()) for each in (self.drained, self.ended)]
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
            for wait in waits:
                wait.cancel()


class Stale(_Again):
    """Plays, and says again and again what has been answered long ago."""

    def answer(self, decision: play_pb2.Decision) -> None:
        """Answers a decision, and others."""
        super().answer(decision)
        wrong = [play_pb2.Answer(game=decision.game, deal=each, ply=99) for each in range(5)]
        self.send(play_pb2.BotFrame(answers=wrong).SerializeToString())


class Reconnects(_Again):
    """Is gone as soon as it was welcomed, or refused, and comes again at once."""

    async def attack(self) -> None:
        """Waits for no more than a word."""
        waits = [asyncio.create_task(each.wait()) for each in (self.welcomed, self.ended)]
        await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        for wait in waits:
            wait.cancel()


class Garbage(_Again):
    """Sends bytes that are no frame."""

    async def attack(self) -> None:
        """Sends garbage until it is sent away."""
        while not self.ended.is_set():
            self.send(self.random.randbytes(self.random.randrange(1, 5_000)))
            await asyncio.sleep(0.05)


HOSTILE: tuple[type[_Again], ...] = (NeverReads, Floods, Stale, Reconnects, Garbage)
"""What a hostile bot may be."""
