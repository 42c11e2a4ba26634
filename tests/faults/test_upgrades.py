"""An arena that is replaced by a newer one in the middle of a tournament."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import grpc
import grpc.aio
import pytest
from support.arenas import RawBot, definition, outcomes, running_arena
from support.misbehaving import run

from sixtysix import wire
from sixtysix.clock import Clock
from sixtysix.outcome import GameEnd
from sixtysix.v1 import play_pb2
from sixtysix_arena.arena import Arena

CLOCK = Clock(per_move_ms=60_000, per_game_ms=600_000, grace_ms=20_000, join_ms=20_000)
NAMES = ("ada", "bob")

Tokens = dict[str, str]


async def begin(arena: Arena) -> Tokens:
    """Starts a tournament and plays its first moves."""
    tokens = {name: (await arena.submit_bot(name))[1] for name in NAMES}
    await arena.create_tournament(definition(NAMES, clock=CLOCK, games_per_pairing=20))
    await arena.start_tournament("cup")
    bots = [RawBot(arena.address, token) for token in tokens.values()]
    for raw in bots:
        await raw.hello()
    playing = [asyncio.create_task(raw.play()) for raw in bots]
    while arena.decision_count < 200:  # noqa: ASYNC110
        await asyncio.sleep(0.005)
    for task in playing:
        task.cancel()
    await asyncio.gather(*playing, return_exceptions=True)
    for raw in bots:
        await raw.vanish()
    assert (await arena.tournament("cup")).games_over_count < 20, "there is something to go on with"
    return tokens


async def finish(arena: Arena, tokens: Tokens, **hello: int) -> list[play_pb2.Welcome]:
    """Joins with both bots and plays on to the end; what the arena welcomed them with."""
    bots = [RawBot(arena.address, token) for token in tokens.values()]
    welcomes = [(await raw.hello(**hello)).welcome for raw in bots]
    playing = asyncio.create_task(bots[0].play())
    await bots[1].play_until_over(arena)
    playing.cancel()
    await asyncio.gather(playing, return_exceptions=True)
    for raw in bots:
        await raw.vanish()
    assert [outcome.end for outcome in outcomes(arena)] == [GameEnd.TARGET] * 20
    return welcomes


def upgraded(
    folder: Path, upgrade: Callable[[], None], go_on: Callable[[Arena, Tokens], object]
) -> None:
    """Plays in one arena, and goes on in the next after `upgrade`."""

    async def main() -> None:
        async with running_arena(folder) as old:
            tokens = await begin(old)
        upgrade()
        async with running_arena(folder) as new:
            await go_on(new, tokens)  # type: ignore[misc]

    run(main())


@pytest.mark.parametrize("bots_minor", [wire.PROTOCOL_MINOR, wire.PROTOCOL_MINOR + 7])
def test_fault_row_44_another_minor_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bots_minor: int
) -> None:
    minor = wire.PROTOCOL_MINOR + 1

    async def go_on(arena: Arena, tokens: Tokens) -> None:
        for welcome in await finish(arena, tokens, protocol_minor=bots_minor):
            assert (welcome.protocol_major, welcome.protocol_minor) == (1, minor)

    upgraded(tmp_path, lambda: monkeypatch.setattr(wire, "PROTOCOL_MINOR", minor), go_on)


def test_fault_row_44_another_major_is_refused_with_both_named_till_the_bot_follows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def go_on(arena: Arena, tokens: Tokens) -> None:
        for token in tokens.values():
            raw = RawBot(arena.address, token)
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await raw.hello(protocol_minor=3)
            assert caught.value.code() is grpc.StatusCode.FAILED_PRECONDITION
            assert caught.value.details() == (
                "the bot speaks protocol 1.3, the arena 2.0: the first numbers must agree"
            )
            await raw.vanish()
        for welcome in await finish(arena, tokens, protocol_major=2):
            assert welcome.protocol_major == 2

    upgraded(tmp_path, lambda: monkeypatch.setattr(wire, "PROTOCOL_MAJOR", 2), go_on)
