"""One HTTP/2 connection to an arena, of which a test decides every byte, and whether it reads.

What gRPC would never do is done here on purpose. Nothing is read, acknowledged or
granted unless a test asks for it.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Self
from urllib.parse import unquote

from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.events import (
    ConnectionTerminated,
    DataReceived,
    Event,
    RemoteSettingsChanged,
    ResponseReceived,
    StreamEnded,
    StreamReset,
    TrailersReceived,
)
from h2.settings import SettingCodes, Settings
from hpack import Encoder

from sixtysix.v1 import play_pb2

__all__ = [
    "DEFAULT_WINDOW",
    "HELLO",
    "PLAY",
    "PREFACE",
    "Answer",
    "Http2",
    "connected",
    "joined",
    "message",
    "raw_socket",
    "silent_reader",
]

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
PLAY = "/sixtysix.v1.PlayService/Play"
HELLO = play_pb2.BotFrame(
    hello=play_pb2.Hello(protocol_major=1, games_at_once=64, rulesets=["RULESET_CLASSIC"])
).SerializeToString()
DEFAULT_WINDOW = 65_535
"""Bytes that a peer may send before it is granted more, by HTTP/2's own default."""
PATIENCE_S = 60.0
READ_BYTES = 64 * 1024


def message(data: bytes, *, compressed: bool = False, length: int | None = None) -> bytes:
    """A gRPC message: its five bytes of prefix and itself; `length` may be a lie."""
    return bytes([compressed]) + (len(data) if length is None else length).to_bytes(4) + data


@dataclass(slots=True)
class Answer:
    """What has come back on a stream."""

    headers: dict[str, str] = field(default_factory=dict)
    """Headers and trailers together."""
    data: bytearray = field(default_factory=bytearray)
    reset: int | None = None
    """The code of a RST_STREAM."""
    ended: bool = False

    @property
    def over(self) -> bool:
        """Whether nothing more will come."""
        return self.ended or self.reset is not None

    @property
    def status(self) -> int | None:
        """The gRPC status code, once it has come."""
        code = self.headers.get("grpc-status")
        return None if code is None else int(code)

    @property
    def text(self) -> str:
        """The text of the status."""
        return unquote(self.headers.get("grpc-message", ""))

    def messages(self) -> list[bytes]:
        """The gRPC messages that have come whole."""
        found, rest = [], bytes(self.data)
        while len(rest) >= 5 and len(rest) >= 5 + (size := int.from_bytes(rest[1:5])):
            found.append(rest[5 : 5 + size])
            rest = rest[5 + size :]
        return found

    def frames(self) -> list[play_pb2.ArenaFrame]:
        """The arena's frames that have come whole."""
        return [play_pb2.ArenaFrame.FromString(data) for data in self.messages()]


class _Plain(Encoder):
    """Headers as they are: Huffman's code takes this library seconds for what is large."""

    def encode(self, headers: Any, huffman: bool = False) -> bytes:
        return super().encode(headers, huffman)


class Http2:
    """A connection. Writes at once, reads only in `read`, `until` and `stay`."""

    def __init__(self, sock: socket.socket, authority: str, *, window: int) -> None:
        self.h2 = H2Connection(
            H2Configuration(
                client_side=True,
                header_encoding="utf-8",
                validate_outbound_headers=False,
                normalize_outbound_headers=False,
                # Chance decides whether a peer that is going away still says all that it should.
                validate_inbound_headers=False,
            )
        )
        self.h2.encoder = _Plain()
        # To set a single value would only take effect with a second frame of settings.
        self.h2.local_settings = Settings(
            client=True, initial_values={SettingCodes.INITIAL_WINDOW_SIZE: window}
        )
        self.grants = window > 0
        """Whether what was read is granted anew."""
        self.goaway: int | None = None
        """The code of the arena's GOAWAY."""
        self.greeted = False
        """Whether the arena's settings have come, and were acknowledged."""
        self.lost = False
        """Whether the arena has closed the connection."""
        self.answers: dict[int, Answer] = {}
        self.sock = sock
        self._authority = authority

    @property
    def over(self) -> bool:
        """Whether the arena wants no more of this connection."""
        return self.lost or self.goaway is not None

    async def begin(self) -> Self:
        """Sends the preface and our settings."""
        self.h2.initiate_connection()
        await self.flush()
        return self

    async def send(self, data: bytes) -> None:
        """Sends raw bytes; notes if the arena is gone."""
        try:
            await asyncio.get_running_loop().sock_sendall(self.sock, data)
        except (ConnectionError, BrokenPipeError):
            self.lost = True

    async def flush(self) -> None:
        """Sends what h2 has made ready."""
        await self.send(self.h2.data_to_send())

    async def call(
        self, path: str = PLAY, token: str | None = None, *more: tuple[str, str], **changed: str
    ) -> int:
        """Begins a call; returns its stream. `changed` replaces pseudo and other headers."""
        stream = self.request(path, token, *more, **changed)
        await self.flush()
        return stream

    def request(
        self, path: str = PLAY, token: str | None = None, *more: tuple[str, str], **changed: str
    ) -> int:
        """Like `call`, but only makes it ready."""
        headers = {
            ":method": "POST",
            ":scheme": "http",
            ":path": path,
            ":authority": self._authority,
            "content-type": "application/grpc",
            "te": "trailers",
        }
        if token is not None:
            headers["authorization"] = f"Bearer {token}"
        headers |= {name.replace("_", "-"): value for name, value in changed.items()}
        stream = self.h2.get_next_available_stream_id()
        self.h2.send_headers(stream, [*headers.items(), *more])
        return stream

    async def write(self, stream: int, data: bytes, *, end: bool = False) -> None:
        """Sends bytes of a call, in as many frames as it takes, waiting for room if need be."""
        while True:
            room = min(self.h2.local_flow_control_window(stream), self.h2.max_outbound_frame_size)
            part, data = data[:room], data[room:]
            if part or not data:
                self.h2.send_data(stream, part, end_stream=end and not data)
                await self.flush()
            if not data:
                return
            if self.lost or self.answer(stream).over:
                return
            if room == 0:
                await self.read()

    def answer(self, stream: int) -> Answer:
        """What has come back on a stream so far."""
        return self.answers.setdefault(stream, Answer())

    async def read(self) -> None:
        """Reads once, acknowledges what h2 acknowledges, and grants what was read."""
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(PATIENCE_S):
                data = await loop.sock_recv(self.sock, READ_BYTES)
        except ConnectionError:
            data = b""
        if not data:
            self.lost = True
            return
        for event in self.h2.receive_data(data):
            self._take(event)
        await self.flush()

    async def until(self, found: Callable[[], Any]) -> Any:
        """Reads until `found()` returns something, or the connection is lost."""
        while not (result := found()) and not self.lost:
            await self.read()
        return result

    async def finished(self, stream: int) -> Answer:
        """Reads until a call is over, or the connection is."""
        answer = self.answer(stream)
        await self.until(lambda: answer.over)
        return answer

    async def greet(self) -> None:
        """Reads until the arena's settings are acknowledged: only then do all of them hold."""
        await self.until(lambda: self.greeted)

    async def stay(self) -> None:
        """Reads until the arena closes the connection."""
        await self.until(lambda: False)

    def _take(self, event: Event) -> None:
        if isinstance(event, ConnectionTerminated):
            self.goaway = int(event.error_code or 0)
            return
        self.greeted |= isinstance(event, RemoteSettingsChanged)
        stream = getattr(event, "stream_id", None)
        if stream is None:
            return
        answer = self.answer(stream)
        if isinstance(event, (ResponseReceived, TrailersReceived)):
            answer.headers |= {str(name): str(value) for name, value in event.headers or ()}
        elif isinstance(event, DataReceived):
            answer.data += event.data or b""
            if self.grants and event.flow_controlled_length:
                self.h2.acknowledge_received_data(event.flow_controlled_length, stream)
        elif isinstance(event, StreamReset):
            answer.reset = int(event.error_code or 0)
        elif isinstance(event, StreamEnded):
            answer.ended = True


async def raw_socket(
    address: str, *, receive_buffer: int | None = None, source: str = ""
) -> socket.socket:
    """A TCP connection on which nothing was said.

    `receive_buffer` makes the kernel hold less; `source` is the address to come from.
    """
    host, _, port = address.rpartition(":")
    sock = socket.socket()
    if source:
        sock.bind((source, 0))
    if receive_buffer is not None:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
    sock.setblocking(False)
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    try:
        await asyncio.get_running_loop().sock_connect(sock, (host, int(port)))
    except BaseException:
        sock.close()
        raise
    return sock


@asynccontextmanager
async def connected(
    address: str,
    *,
    window: int = DEFAULT_WINDOW,
    receive_buffer: int | None = None,
    source: str = "",
) -> AsyncIterator[Http2]:
    """A connection with its preface sent. `window` is what each stream grants the arena."""
    sock = await raw_socket(address, receive_buffer=receive_buffer, source=source)
    with sock:
        yield await Http2(sock, address, window=window).begin()


@asynccontextmanager
async def joined(
    address: str,
    token: str,
    *,
    window: int = DEFAULT_WINDOW,
    receive_buffer: int | None = None,
    source: str = "",
    hello: bytes = HELLO,
) -> AsyncIterator[tuple[Http2, int]]:
    """A bot that has said hello and read nothing: its connection and the stream of its call."""
    async with connected(
        address, window=window, receive_buffer=receive_buffer, source=source
    ) as http2:
        stream = http2.request(PLAY, token)
        http2.h2.send_data(stream, message(hello))
        await http2.flush()
        yield http2, stream


@asynccontextmanager
async def silent_reader(
    address: str, token: str, window: int = 0
) -> AsyncIterator[tuple[Http2, int]]:
    """A bot that answers pings and settings, grants no more than `window`, and answers nothing."""
    async with joined(address, token, window=window) as (http2, stream):
        http2.grants = False
        staying = asyncio.create_task(http2.stay())
        try:
            yield http2, stream
        finally:
            staying.cancel()
            await asyncio.gather(staying, return_exceptions=True)
