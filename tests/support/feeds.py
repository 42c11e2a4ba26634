"""A running tournament that a test lets go on, and what whoever looks at it is sent."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

from support.records import events_of, header, play_games
from support.stored import LATER

from sixtysix.reports import TournamentState
from sixtysix.rules import RULESETS
from sixtysix_arena.queries import StoredArena
from sixtysix_arena.store import GameOpened, Store

__all__ = ["PATIENCE_S", "RECORD", "Cup", "Got", "read", "rest"]

RECORD = header(RULESETS["doubling"], slug="cup", games_per_pairing=2)
GAMES = play_games(RECORD)
PATIENCE_S = 60.0


@dataclass
class Cup:
    """A running tournament that a test lets go on."""

    store: Store
    stored: StoredArena
    ids: list[int]

    def play(self, number: int) -> None:
        """All of a game at once."""
        self.store.commit(events_of(self.ids[number - 1], GAMES[number - 1], RECORD.rules))

    def open(self, number: int) -> list[Any]:
        """Begins a game; returns what is left to be told of it."""
        told = events_of(self.ids[number - 1], GAMES[number - 1], RECORD.rules)
        assert isinstance(told[0], GameOpened)
        self.store.commit(told[:1])
        return told[1:]

    def finish(self) -> None:
        for number, game in enumerate(self.stored.games("cup"), start=1):
            if game.state != "over":
                self.play(number)
        self.store.set_state("cup", TournamentState.FINISHED, LATER)


@dataclass(frozen=True)
class Got:
    """One event, or what is none."""

    id: str
    name: str
    data: str


def _parsed(chunk: bytes) -> Got:
    fields: dict[str, list[str]] = {}
    for line in chunk.decode().rstrip("\n").split("\n"):
        name, _, value = line.partition(": ")
        fields.setdefault(name, []).append(value)
    assert chunk.endswith(b"\n\n")
    return Got(
        "".join(fields.get("id", [""])),
        "".join(fields.get("event", ["heartbeat" if "" in fields else "retry"])),
        "\n".join(fields.get("data", [])),
    )


async def read(stream: AsyncIterator[bytes], *names: str) -> list[Got]:
    """Reads until events of all these names have come; returns all that came."""
    waiting, got = list(names), []
    async with asyncio.timeout(PATIENCE_S):
        async for chunk in stream:
            got.append(_parsed(chunk))
            if got[-1].name in waiting:
                waiting.remove(got[-1].name)
            if not waiting:
                return got
    raise AssertionError(f"the stream ended before {waiting}: {got}")


async def rest(stream: AsyncIterator[bytes]) -> list[Got]:
    """Reads to the end of a stream."""
    async with asyncio.timeout(PATIENCE_S):
        return [_parsed(chunk) async for chunk in stream]
