"""The network between bots and arena: streams of frames that are late, stop, break and heal.

A `Link` is one call of Play. Both directions keep the order of their frames, as
TCP does; what is on its way when a link breaks arrives up to some frame, or in
part, which is not at all.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from random import Random
from typing import Any, Protocol

import grpc
import grpc.aio
from simulation.loop import VirtualLoop

from sixtysix.v1 import play_pb2

__all__ = ["Client", "Context", "Link", "Network", "Pipe", "Wire"]

Frame = play_pb2.ArenaFrame

WINDOW_BYTES = 64 * 1024
"""What a peer that does not read lets the arena write."""


class Client(Protocol):
    """The bot's end of a link."""

    def received(self, link: Link, frame: Frame) -> None:
        """A frame of the arena has arrived."""
        ...

    def ended(self, link: Link, code: grpc.StatusCode | None, text: str) -> None:
        """The link is over: with a status, or, without one, because it broke."""
        ...


class Wire:
    """How one bot's packets travel."""

    def __init__(self, delay_s: float, jitter_s: float, window_bytes: int = WINDOW_BYTES) -> None:
        self.delay_s = delay_s
        self.jitter_s = jitter_s
        self.window_bytes = window_bytes


class Pipe:
    """One direction of a link."""

    def __init__(
        self,
        network: Network,
        wire: Wire,
        rng: Random,
        deliver: Callable[[Any], None],
        link: Link,
    ) -> None:
        self._network = network
        self._loop = network.loop
        self._wire = wire
        self._rng = rng
        self._deliver = deliver
        self._link = link
        self._items: deque[tuple[float, Any]] = deque()
        self._last_due_s = 0.0
        self._scheduled = False
        self.closed = False

    def put(self, item: Any) -> None:
        """Sends something on its way."""
        if self.closed:
            return
        wire = self._wire
        due_s = self._loop.time() + wire.delay_s + wire.jitter_s * self._rng.random()
        self._last_due_s = due_s = max(due_s, self._last_due_s)
        self._items.append((due_s, item))
        self._schedule()

    def break_off(self, end: Any) -> None:
        """Loses what is on its way from some frame on; then `end` arrives."""
        if self.closed:
            return
        kept = self._rng.randint(0, len(self._items))
        while len(self._items) > kept:
            self._items.pop()
        self.put(end)
        self.closed = True

    def _schedule(self) -> None:
        if not self._scheduled and self._items:
            self._scheduled = True
            self._loop.call_at(self._items[0][0], self._pump)

    def _pump(self) -> None:
        self._scheduled = False
        now_s = self._loop.time()
        held_s = max(self._network.held_until_s, self._link.held_until_s)
        if held_s > now_s:
            self._scheduled = True
            self._loop.call_at(held_s, self._pump)
            return
        while self._items and self._items[0][0] <= now_s:
            self._deliver(self._items.popleft()[1])
        self._schedule()


class _Lost:
    """What arrives last on a link that broke."""


LOST = _Lost()


class Context:
    """The arena's end of a link: as much of `grpc.aio.ServicerContext` as a stream needs."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self._inbox: deque[bytes] = deque()
        self._reader: asyncio.Future[None] | None = None
        self._writer: asyncio.Future[None] | None = None
        self._unread_bytes = 0
        self.broken = False
        """Whether nothing can be written any more."""
        self.over = False
        """Whether the arena knows that the peer is gone."""

    def peer(self) -> str:
        """Where the bot is, as gRPC spells it."""
        return f"ipv4:10.0.0.{self._link.address}:40000"

    def invocation_metadata(self) -> tuple[tuple[str, str], ...]:
        """What the call came with."""
        return self._link.metadata

    def time_remaining(self) -> float | None:
        """A stream has no deadline."""
        return None

    def set_trailing_metadata(self, metadata: object) -> None:
        """Nobody reads it."""

    async def read(self) -> Any:
        """The next frame of the bot, or EOF."""
        while not self._inbox:
            if self.over:
                return grpc.aio.EOF
            self._reader = asyncio.get_running_loop().create_future()
            await self._reader
        return self._inbox.popleft()

    async def write(self, data: bytes) -> None:
        """Sends a frame; waits while the bot has not read enough of what came before."""
        link = self._link
        frame = Frame.FromString(data)
        link.network.sending(link, frame)
        while self._unread_bytes and self._unread_bytes + len(data) > link.window_bytes:
            self._check()
            self._writer = asyncio.get_running_loop().create_future()
            await self._writer
        self._check()
        self._unread_bytes += len(data)
        link.down.put((frame, len(data)))

    async def abort(self, code: grpc.StatusCode, details: str = "", *_: object) -> None:
        """Ends the call with a status."""
        self._link.finish(code, details)
        raise grpc.aio.AbortError("Locally aborted.")

    def arrived(self, item: Any) -> None:
        """A frame of the bot is here, or the news that no more will come."""
        if item is LOST:
            self.over = True
            self._wake_writer()
        else:
            self._inbox.append(item)
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)

    def read_by_bot(self, byte_count: int) -> None:
        """The bot has read so much more."""
        self._unread_bytes -= byte_count
        self._wake_writer()

    def _check(self) -> None:
        if self.over or self.broken:
            raise grpc.aio.InternalError('Failed "execute_batch": (SendMessageOperation)')

    def _wake_writer(self) -> None:
        if self._writer is not None and not self._writer.done():
            self._writer.set_result(None)


class Link:
    """One call of Play, from the bot's dialling to the end that both sides know of."""

    def __init__(
        self,
        network: Network,
        client: Client,
        name: str,
        token: str,
        address: int,
        wire: Wire,
        rng: Random,
    ) -> None:
        self.network = network
        self.name = name
        """Whose it is."""
        self.metadata = (("authorization", f"Bearer {token}"),)
        self.address = address
        self.window_bytes = wire.window_bytes
        self.held_until_s = 0.0
        """Nothing arrives before, in either direction."""
        self.reading = True
        """Whether the bot takes frames out of its window."""
        self.rng = rng
        self.context = Context(self)
        self.call: asyncio.Task[Any] | None = None
        """The arena's handler."""
        self.finished = False
        self._client: Client | None = client
        self.up = Pipe(network, wire, rng, self.context.arrived, self)
        self.down = Pipe(network, wire, rng, self._arrived, self)

    @property
    def is_open(self) -> bool:
        """Whether the bot may still use it."""
        return self._client is not None

    def send(self, data: bytes) -> None:
        """Sends a frame of the bot."""
        self.up.put(data)

    def hold(self, seconds: float) -> None:
        """Lets nothing through for a while; what was sent meanwhile comes then."""
        self.held_until_s = max(self.held_until_s, self.network.loop.time() + seconds)

    def cut(self) -> None:
        """Breaks the link: both sides learn of it."""
        self.down.break_off(LOST)
        self._cut_up()

    def reset(self) -> None:
        """Breaks the link under a frame that is being written: that write fails."""
        self.context.broken = True
        self.cut()

    def abandon(self, unnoticed_s: float) -> None:
        """The bot's machine is gone: the arena learns of that only by its keepalive."""
        self._client = None
        self.down.closed = True
        self.up.closed = True
        self.network.unnoticed += 1
        self.network.loop.call_later(unnoticed_s, self._notice_at_last)

    def crashed(self) -> None:
        """The arena's process died: the bot gets some of what was on its way, then the end."""
        self.up.closed = True
        self.down.break_off(LOST)

    def finish(self, code: grpc.StatusCode, text: str) -> None:
        """The arena ends the call."""
        if self.finished:
            return
        self.finished = True
        self.down.put((code, text))
        self.down.closed = True
        self.up.closed = True

    def _cut_up(self) -> None:
        # Mostly the end of a broken stream looks like a polite one; at times the handler is
        # cancelled, as at a deadline.
        if self.rng.random() < 0.3:
            self.up.closed = True
            self.network.loop.call_later(self.rng.random() * 0.01, self._notice)
        else:
            self.up.break_off(LOST)

    def _notice_at_last(self) -> None:
        self.network.unnoticed -= 1
        self._notice()

    def _notice(self) -> None:
        self.context.arrived(LOST)
        if self.call is not None and self.rng.random() < 0.5:
            self.call.cancel()

    def _arrived(self, item: Any) -> None:
        client = self._client
        if client is None:
            return
        if item is LOST:
            self._client = None
            client.ended(self, None, "")
            return
        what, detail = item
        if isinstance(what, Frame):
            if self.reading:
                self.network.loop.call_soon(self.context.read_by_bot, detail)
                client.received(self, what)
            return
        self._client = None
        client.ended(self, what, detail)


class Network:
    """Carries calls to whichever arena listens now."""

    def __init__(self, loop: VirtualLoop, sending: Callable[[Link, Frame], None]) -> None:
        """`sending` is told of each frame that an arena writes, before it is on its way."""
        self.loop = loop
        self.sending = sending
        self.held_until_s = 0.0
        """The arena's own network lets nothing through before."""
        self.parted_until_s = 0.0
        """Nobody reaches the arena before."""
        self.accept: Callable[[Link], None] | None = None
        """Takes a call; None while nobody listens."""
        self.links: list[Link] = []
        self.unnoticed = 0
        """Links whose bot is gone, without the arena knowing."""

    def hold(self, seconds: float) -> None:
        """Cuts the arena off for a while; what was sent meanwhile comes then."""
        self.held_until_s = max(self.held_until_s, self.loop.time() + seconds)

    def part(self, seconds: float) -> None:
        """Breaks all links, and lets nobody through for a while."""
        for link in self.links:
            if not link.finished:
                link.cut()
        self.parted_until_s = max(self.parted_until_s, self.loop.time() + seconds)

    def dial(
        self, client: Client, name: str, token: str, address: int, wire: Wire, rng: Random
    ) -> Link:
        """Calls the arena; the link ends at once if nobody listens there."""
        link = Link(self, client, name, token, address, wire, rng)
        self.links = [each for each in self.links if each.is_open or each.call is not None]
        self.links.append(link)
        self.loop.call_later(wire.delay_s + wire.jitter_s * rng.random(), self._connect, link)
        return link

    def _connect(self, link: Link) -> None:
        held_s = max(self.held_until_s, link.held_until_s)
        if held_s > self.loop.time():
            self.loop.call_at(held_s, self._connect, link)
        elif self.accept is None or self.parted_until_s > self.loop.time():
            link.crashed()
        elif link.is_open:
            self.accept(link)
