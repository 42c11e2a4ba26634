"""An arena that does as a test says, one script for each connection of a bot."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import grpc

from sixtysix import wire
from sixtysix.clock import Clock
from sixtysix.rules import RULESETS, Deal, View
from sixtysix.v1 import arena_pb2_grpc, play_pb2, play_pb2_grpc

__all__ = ["FakeArena", "Script", "bye", "decisions", "start", "views", "welcome"]

Script = Callable[
    [Iterator[play_pb2.BotFrame], grpc.ServicerContext], Iterator[play_pb2.ArenaFrame]
]
"""What the arena does on one stream: takes frames with `next`, and yields frames."""


class FakeArena:
    """Serves PlayService by scripts, in the order of the connections; the last one repeats."""

    def __init__(self, *scripts: Script, service: Any = None, address: str = "127.0.0.1:0") -> None:
        """`service` are the other calls, if there are any."""
        self.metadata: list[dict[str, Any]] = []
        """What came with each connection."""
        self._scripts = scripts
        self._pool = ThreadPoolExecutor(8)
        self._server = grpc.server(self._pool, options=(("grpc.so_reuseport", 0),))
        play_pb2_grpc.add_PlayServiceServicer_to_server(self, self._server)  # type: ignore[no-untyped-call]
        if service is not None:
            arena_pb2_grpc.add_ArenaServiceServicer_to_server(service, self._server)  # type: ignore[no-untyped-call]
        port = self._server.add_insecure_port(address)
        self.address = f"127.0.0.1:{port}"

    def __enter__(self) -> FakeArena:
        self._server.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.stop(None).wait()
        self._pool.shutdown()

    def Play(  # noqa: N802 - the protocol's name
        self, frames: Iterator[play_pb2.BotFrame], context: grpc.ServicerContext
    ) -> Iterator[play_pb2.ArenaFrame]:
        """Serves one connection."""
        number = len(self.metadata)
        self.metadata.append(dict(context.invocation_metadata()))
        yield from self._scripts[min(number, len(self._scripts) - 1)](frames, context)


def welcome(bot_name: str = "my-bot", **more: Any) -> play_pb2.ArenaFrame:
    """The frame that answers a hello."""
    message = play_pb2.Welcome(
        protocol_major=wire.PROTOCOL_MAJOR,
        protocol_minor=wire.PROTOCOL_MINOR,
        bot_name=bot_name,
        max_frame_bytes=65_536,
        connection_count=1,
    )
    message.MergeFrom(play_pb2.Welcome(**more))
    return play_pb2.ArenaFrame(welcome=message)


def start(game: int, seat: int = 0, opponent: str = "house:greedy") -> play_pb2.GameStart:
    """Announces the game that is called `cup.` and its number."""
    return play_pb2.GameStart(
        game=game,
        game_id=f"cup.{game}",
        rules=wire.rules_message(RULESETS["doubling"]),
        clock=wire.clock_message(Clock()),
        seat=seat,
        opponent=opponent,
    )


def views(count: int) -> list[View]:
    """First decisions of as many deals, each another one."""
    rng = random.Random(66)
    made = []
    for number in range(count):
        pack = list(range(24))
        rng.shuffle(pack)
        deal = Deal(RULESETS["doubling"], pack, dealer=1)
        made.append(deal.view(0, game=f"cup.{number}", deal=number, move_ms=1000, game_ms=60_000))
    return made


def decisions(games: Sequence[int]) -> list[play_pb2.Decision]:
    """One decision in each of these games."""
    return [
        wire.decision(view, game, charged_ms=0)
        for game, view in zip(games, views(len(games)), strict=True)
    ]


def bye(reason: play_pb2.ByeReason, text: str = "") -> play_pb2.ArenaFrame:
    """The frame that ends a stream."""
    return play_pb2.ArenaFrame(bye=play_pb2.ArenaBye(reason=reason, text=text))
