"""A backup of a running arena, restored elsewhere, is played to the same end."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack, suppress
from dataclasses import replace
from pathlib import Path

from support.arenas import RawBot, definition, running_arena, until_finished

from sixtysix.clock import Clock
from sixtysix.record import GameRecord, read_record
from sixtysix.v1 import play_pb2
from sixtysix_arena.arena import Arena
from sixtysix_arena.restoring import restore_backup
from sixtysix_arena.store import Contents, DataFolder

BOTS = ("ada", "bob")
CUP = definition(
    BOTS,
    rules="doubling",
    games_per_pairing=10,
    games_at_once=2,
    clock=Clock(per_move_ms=20_000, per_game_ms=60_000, grace_ms=5_000, join_ms=10_000),
)


def last_legal(decision: play_pb2.Decision) -> int:
    return decision.legal[-1]


async def join(stack: AsyncExitStack, arena: Arena, token: str) -> None:
    """Lets a bot play whose choices follow from what it is asked."""
    raw = RawBot(arena.address, token)
    await raw.hello()
    task = asyncio.create_task(raw.play(last_legal))

    async def leave() -> None:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await raw.vanish()

    stack.push_async_callback(leave)


async def back_up_in_the_middle(arena: Arena, data: Path, backup: Path) -> Contents:
    """Makes a backup of an arena while a game is over and others are being played."""

    def in_the_middle() -> bool:
        return arena.reader.progress("cup").over > 0 and bool(arena.reader.deals_in_progress())

    while not in_the_middle():  # noqa: ASYNC110 - nothing tells of it
        await asyncio.sleep(0.001)
    folder = DataFolder.open(data, create=False)
    return await asyncio.to_thread(folder.back_up, backup)


def games_of(arena: Arena) -> list[GameRecord]:
    """All games with all their moves, without the time that these took."""
    games = []
    for record in read_record(arena.stored.export("cup")):
        if isinstance(record, GameRecord):
            deals = tuple(replace(deal, charged_ms=()) for deal in record.deals)
            games.append(replace(record, deals=deals))
    return games


def test_a_backup_of_a_running_arena_goes_on_elsewhere_as_the_arena_does(tmp_path: Path) -> None:
    async def first(backup: Path) -> tuple[list[str], Contents, list[GameRecord], str]:
        async with running_arena(tmp_path / "one") as arena, AsyncExitStack() as stack:
            tokens = [(await arena.submit_bot(name))[1] for name in BOTS]
            for token in tokens:
                await join(stack, arena, token)
            await arena.ensure_tournament(CUP)
            await arena.start_tournament("cup")
            contents = await back_up_in_the_middle(arena, tmp_path / "one", backup)
            await until_finished(arena)
            return tokens, contents, games_of(arena), arena.stored.board("cup").canonical

    async def second(tokens: list[str]) -> tuple[int, list[GameRecord], str]:
        async with running_arena(tmp_path / "two") as arena, AsyncExitStack() as stack:
            over = arena.reader.progress("cup").over
            for token in tokens:
                await join(stack, arena, token)
            await until_finished(arena)
            return over, games_of(arena), arena.stored.board("cup").canonical

    tokens, contents, games, board = asyncio.run(first(tmp_path / "cup.db"))
    (cup,) = contents.tournaments
    assert 1 <= cup.games_over < cup.games, "it was over before the backup was made"
    restored = restore_backup(tmp_path / "cup.db", tmp_path / "two")
    assert restored.unfinished == ("cup",)
    over, games_again, board_again = asyncio.run(second(tokens))
    assert over == cup.games_over
    assert board_again == board
    assert games_again == games
    assert not any(deal.void for game in games_again for deal in game.deals)


def test_a_token_of_before_the_backup_is_one_of_after_it(tmp_path: Path) -> None:
    """What was replaced since has to be replaced again, as `restore` says."""

    async def play() -> str:
        async with running_arena(tmp_path / "one") as arena:
            _, token = await arena.submit_bot("ada")
            DataFolder.open(tmp_path / "one", create=False).back_up(tmp_path / "ada.db")
            await arena.rotate_token("ada")
            return token

    async def greet(token: str) -> str:
        async with running_arena(tmp_path / "two") as arena:
            raw = RawBot(arena.address, token)
            with suppress(EOFError):
                await raw.hello()
            await raw.vanish()
            return raw.name

    token = asyncio.run(play())
    restore_backup(tmp_path / "ada.db", tmp_path / "two")
    assert asyncio.run(greet(token)) == "ada"
