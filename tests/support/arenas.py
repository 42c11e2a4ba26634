"""A real arena on a free port, and bots of which every byte is in a test's hands."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import grpc
import grpc.aio

from sixtysix.api import TournamentDefinition
from sixtysix.clock import Clock
from sixtysix.outcome import GameOutcome
from sixtysix.reports import TournamentState
from sixtysix.rules import RULESETS
from sixtysix.v1 import common_pb2, play_pb2
from sixtysix_arena.arena import Arena
from sixtysix_arena.config import ArenaSettings

__all__ = ["CLOCK", "RawBot", "bot", "definition", "outcomes", "running_arena", "until_finished"]

CLOCK = Clock(per_move_ms=400, per_game_ms=20_000, grace_ms=300, join_ms=1_000)
"""Short enough for tests, long enough for a busy machine."""
PATIENCE_S = 60.0


@asynccontextmanager
async def running_arena(data: Path, **settings: Any) -> AsyncIterator[Arena]:
    """An arena in this process; without trials, so that a bot's first game is a real one."""
    settings = {"grpc": "127.0.0.1:0", "validation": False, **settings}
    arena = Arena(ArenaSettings(data=data, **settings))
    await arena.start()
    try:
        yield arena
    finally:
        await arena.stop()


def definition(
    entrants: Sequence[str],
    *,
    rules: str = "classic",
    games_per_pairing: int = 2,
    games_at_once: int = 4,
    clock: Clock = CLOCK,
    slug: str = "cup",
) -> TournamentDefinition:
    """A practice tournament."""
    return TournamentDefinition(
        name="Cup",
        slug=slug,
        rules=RULESETS[rules],
        games_per_pairing=games_per_pairing,
        games_at_once=games_at_once,
        entrants=tuple(entrants),
        practice_seed="42",
        clock=clock,
    )


async def until_finished(arena: Arena, slug: str = "cup") -> None:
    """Waits for the end of a tournament."""

    async def watch() -> None:
        async for info in arena.watch_tournament(slug):
            if info.state is TournamentState.FINISHED:
                return
        raise AssertionError("the tournament stopped without being over")

    await asyncio.wait_for(watch(), PATIENCE_S)


def outcomes(arena: Arena, slug: str = "cup") -> list[GameOutcome]:
    """The stored outcomes in the order of the schedule."""
    stored = arena.reader.outcomes(slug)
    return [stored[number] for number in sorted(stored)]


class RawBot:
    """One stream, frame by frame."""

    def __init__(
        self,
        address: str,
        token: str | None,
        options: Sequence[tuple[str, int]] = (),
        roots: bytes | None = None,
    ) -> None:
        """With `roots`, certificates that it trusts, it speaks TLS."""
        if roots is None:
            self._channel = grpc.aio.insecure_channel(address, options=options)
        else:
            credentials = grpc.ssl_channel_credentials(roots)
            self._channel = grpc.aio.secure_channel(address, credentials, options=options)
        metadata = () if token is None else (("authorization", f"Bearer {token}"),)
        play: Any = self._channel.stream_stream("/sixtysix.v1.PlayService/Play")
        self._call = play(metadata=metadata)
        self._writing = asyncio.Lock()  # A call stands one write at a time.
        self.name = ""

    async def hello(self, **changes: Any) -> play_pb2.ArenaFrame:
        """Introduces the bot; returns the welcome's frame."""
        says: dict[str, Any] = {
            "protocol_major": 1,
            "bot_version": "1",
            "games_at_once": 64,
            "rulesets": [
                common_pb2.RULESET_CLASSIC,
                common_pb2.RULESET_DOUBLING,
                common_pb2.RULESET_PLAYED_OUT,
                common_pb2.RULESET_LAST_TRICK,
            ],
        }
        with suppress(grpc.aio.AioRpcError):  # Refused before it was written: the status says why.
            await self.send(play_pb2.BotFrame(hello=play_pb2.Hello(**says | changes)))
        frame = await self.receive()
        self.name = frame.welcome.bot_name
        return frame

    async def send(self, frame: play_pb2.BotFrame) -> None:
        """Writes a frame."""
        await self.send_bytes(frame.SerializeToString())

    async def send_bytes(self, data: bytes) -> None:
        """Writes what is perhaps no frame."""
        async with self._writing:
            await self._call.write(data)

    async def answer(self, *answers: play_pb2.Answer) -> None:
        """Answers decisions."""
        await self.send(play_pb2.BotFrame(answers=answers))

    async def receive(self) -> play_pb2.ArenaFrame:
        """The next frame. Raises EOFError at the end of the stream, AioRpcError if refused."""
        # Unlike wait_for, a timeout never swallows that the test cancels its bot.
        async with asyncio.timeout(PATIENCE_S):
            data = await self._call.read()
        if data is grpc.aio.EOF:
            code = await self._call.code()
            if code is not grpc.StatusCode.OK:
                raise grpc.aio.AioRpcError(
                    code,
                    await self._call.initial_metadata(),
                    await self._call.trailing_metadata(),
                    await self._call.details(),
                )
            raise EOFError
        return play_pb2.ArenaFrame.FromString(data)

    async def decision(self) -> play_pb2.Decision:
        """The first decision of the next frame that has any."""
        while True:
            frame = await self.receive()
            if frame.decisions:
                return frame.decisions[0]

    async def until(self, found: Callable[[play_pb2.ArenaFrame], Any]) -> Any:
        """Reads, without answering, until `found` returns something of a frame."""
        while True:
            result = found(await self.receive())
            if result:
                return result

    async def play(self, choose: Callable[[play_pb2.Decision], int] | None = None) -> None:
        """Answers everything, with the first legal move, until the stream ends."""
        choose = choose or (lambda decision: decision.legal[0])
        try:
            while True:
                frame = await self.receive()
                if frame.HasField("bye"):
                    return
                if frame.decisions:
                    await self.answer(
                        *(
                            play_pb2.Answer(game=d.game, deal=d.deal, ply=d.ply, move=choose(d))
                            for d in frame.decisions
                        )
                    )
        except (EOFError, grpc.aio.AioRpcError):
            return

    async def play_until_over(self, arena: Arena, slug: str = "cup") -> None:
        """Plays on until a tournament is over."""
        task = asyncio.create_task(self.play())
        await until_finished(arena, slug)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    async def vanish(self) -> None:
        """Goes without a word."""
        self._call.cancel()
        await self._channel.close()


@asynccontextmanager
async def bot(
    arena: Arena,
    name: str,
    behave: Callable[[RawBot], Coroutine[Any, Any, None]] | None = None,
    **hello: Any,
) -> AsyncIterator[RawBot]:
    """Submits and joins a bot; `behave` runs beside the test."""
    _, token = await arena.submit_bot(name)
    raw = RawBot(arena.address, token)
    await raw.hello(**hello)
    task = asyncio.create_task(behave(raw)) if behave is not None else None
    try:
        yield raw
    finally:
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
        await raw.vanish()
