"""Joining late, wrongly, as somebody else, or not at all."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import grpc
import grpc.aio
import pytest
from support.arenas import (
    PATIENCE_S,
    RawBot,
    bot,
    definition,
    outcomes,
    running_arena,
    until_finished,
)
from support.misbehaving import run

from sixtysix.clock import Clock
from sixtysix.outcome import Fault, GameEnd
from sixtysix.reports import GameState
from sixtysix.v1 import play_pb2
from sixtysix_arena.arena import Arena
from sixtysix_arena.tokens import digest


def test_fault_row_01_a_bot_that_never_joins(tmp_path: Path) -> None:
    async def main() -> None:
        async with (
            running_arena(tmp_path / "data") as arena,
            bot(arena, "good", RawBot.play),
            bot(arena, "other", RawBot.play),
        ):
            for name in ("absent", "away"):
                await arena.submit_bot(name)
            await arena.create_tournament(definition(("absent", "away", "good", "other")))
            await arena.start_tournament("cup")
            assert "absent, away" in (await arena.tournament("cup")).waiting_for
            await until_finished(arena)
            games = {game.game_id: game for game in arena.stored.games("cup")}
            board = arena.stored.board("cup")
        assert all(game.state is GameState.OVER for game in games.values())
        for game in games.values():
            missing = [name for name in game.entrants if name in ("absent", "away")]
            if len(missing) == 2:
                assert game.end is GameEnd.VOID
                assert game.winner is None
            elif missing:
                assert game.fault is Fault.NO_SHOW
                assert game.entrants.index(missing[0]) == 1 - (game.winner or 0)
                assert game.reason == f"{missing[0]} did not join within 1000 ms"
            else:
                assert game.end is GameEnd.TARGET
        rows = {row.entrant: row for row in board.rows}
        assert rows["absent"].faults == {Fault.NO_SHOW: 4}
        assert rows["absent"].void == 2

    run(main())


def refusal(
    tmp_path: Path, token: Callable[[str], str | None] = str, **hello: object
) -> grpc.aio.AioRpcError:
    """Joins in a way that is refused, with what `token` makes of the right one."""

    async def main() -> grpc.aio.AioRpcError:
        async with running_arena(tmp_path / "data") as arena, bot(arena, "good", RawBot.play):
            _, right = await arena.submit_bot("bad")
            await arena.create_tournament(definition(("bad", "good"), clock=LATE))
            await arena.start_tournament("cup")
            for _ in range(5):
                raw = RawBot(arena.address, token(right))
                with pytest.raises(grpc.aio.AioRpcError) as caught:
                    await raw.hello(**hello)
                await raw.vanish()
                # A call that is refused while it writes has this status on the client's side.
                if caught.value.code() is not grpc.StatusCode.INTERNAL:
                    break
            bad = (await arena.tournament("cup")).entrants[0]
            assert (bad.id, bad.connected, bad.version) == ("bad", False, "")
            assert arena.sessions.of("bad").connection_count == 0
            return caught.value

    error: grpc.aio.AioRpcError = run(main())
    return error


NOT_THE_TOKEN: dict[str, Callable[[str], str | None]] = {
    "none": lambda _: None,
    "empty": lambda _: "",
    "guessed": lambda _: secrets.token_urlsafe(32),
    "cut short": lambda right: right[:-1],
    "too long": lambda right: right + right[-1],
    "in other letters": str.swapcase,
    "what is stored of it": lambda right: digest(right).hex(),
}


@pytest.mark.parametrize("token", NOT_THE_TOKEN.values(), ids=NOT_THE_TOKEN)
def test_threat_01_without_the_right_token_nobody_joins(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, token: Callable[[str], str | None]
) -> None:
    tokens: set[str | None] = set()

    def noted(right: str) -> str | None:
        made = token(right)
        tokens.update((right, made))
        return made

    with caplog.at_level(logging.DEBUG):
        error = refusal(tmp_path, noted)
    assert error.code() is grpc.StatusCode.UNAUTHENTICATED
    said = error.details() or ""
    assert said.startswith("no token: " if None in tokens else "wrong token: ")
    for secret in filter(None, tokens):
        assert secret not in said
        assert secret not in caplog.text


def test_threat_01_a_bot_is_whoever_its_token_says(tmp_path: Path) -> None:
    async def main() -> None:
        async with running_arena(tmp_path / "data") as arena:
            _, token = await arena.submit_bot("ada")
            await arena.submit_bot("bob")
            async with grpc.aio.insecure_channel(arena.address) as channel:
                play: Any = channel.stream_stream("/sixtysix.v1.PlayService/Play")
                metadata = (("authorization", f"Bearer {token}"), ("bot-name", "bob"))
                call = play(metadata=(*metadata, ("name", "bob")))
                hello = play_pb2.Hello(protocol_major=1, bot_version="bob", games_at_once=1)
                await call.write(play_pb2.BotFrame(hello=hello).SerializeToString())
                frame = play_pb2.ArenaFrame.FromString(await call.read())
                assert frame.welcome.bot_name == "ada"
                assert arena.sessions.is_connected("ada")
                assert not arena.sessions.is_connected("bob")
                call.cancel()

    run(main())


def test_fault_row_04_another_protocol_version_is_refused_with_both_named(tmp_path: Path) -> None:
    error = refusal(tmp_path, protocol_major=2, protocol_minor=7)
    assert error.code() is grpc.StatusCode.FAILED_PRECONDITION
    assert "protocol 2.7, the arena 1.0" in (error.details() or "")


def test_fault_row_05_a_bot_that_does_not_play_the_rule_set_is_refused(tmp_path: Path) -> None:
    error = refusal(tmp_path, rulesets=[4])
    assert error.code() is grpc.StatusCode.FAILED_PRECONDITION
    assert "does not play classic" in (error.details() or "")


@pytest.mark.parametrize("games_at_once", [0, 257])
def test_games_at_once_has_limits(tmp_path: Path, games_at_once: int) -> None:
    error = refusal(tmp_path, games_at_once=games_at_once)
    assert error.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert f"hello.games_at_once is {games_at_once}: expected 1 to 256" in (error.details() or "")


LATE = Clock(per_move_ms=60_000, per_game_ms=600_000, grace_ms=20_000, join_ms=20_000)
"""Nothing runs out by itself in a test that is done within seconds."""


def test_fault_row_02_a_bot_that_joins_late_plays_all_its_games(tmp_path: Path) -> None:
    async def main() -> None:
        async with running_arena(tmp_path / "data") as arena, bot(arena, "good", RawBot.play):
            _, token = await arena.submit_bot("late")
            await arena.create_tournament(definition(("good", "late"), clock=LATE))
            await arena.start_tournament("cup")
            await asyncio.sleep(0.5)
            assert "late" in (await arena.tournament("cup")).waiting_for
            late = RawBot(arena.address, token)
            await late.hello()
            await late.play_until_over(arena)
            assert [outcome.end for outcome in outcomes(arena)] == [GameEnd.TARGET] * 2
            await late.vanish()

    run(main())


def test_fault_row_02_after_the_window_a_bot_plays_what_is_not_forfeited_yet(
    tmp_path: Path,
) -> None:
    """`gone` was here and has its grace, so its games with `late` still wait."""

    async def main() -> None:
        async with running_arena(tmp_path / "data") as arena:
            names = ("gone", "here", "late")
            tokens = {name: (await arena.submit_bot(name))[1] for name in names}
            gone = RawBot(arena.address, tokens["gone"])
            await gone.hello()
            await arena.create_tournament(definition(names, clock=replace(LATE, join_ms=2_000)))
            await arena.start_tournament("cup")
            await gone.vanish()
            while arena.sessions.is_connected("gone"):  # noqa: ASYNC110
                await asyncio.sleep(0.01)
            here = RawBot(arena.address, tokens["here"])
            await here.hello()
            playing = asyncio.create_task(here.play())
            await until_over(arena, {"here", "late"})
            late, back = (RawBot(arena.address, tokens[name]) for name in ("late", "gone"))
            await late.hello()
            await back.hello()
            answering = asyncio.create_task(back.play())
            await late.play_until_over(arena)
            for task in (playing, answering):
                task.cancel()
            await asyncio.gather(playing, answering, return_exceptions=True)
            for raw in (here, late, back):
                await raw.vanish()
            games = tuple(arena.stored.games("cup"))
        assert len(games) == 6
        for game in games:
            expected = Fault.NO_SHOW if set(game.entrants) == {"here", "late"} else None
            assert game.fault is expected, game
            assert game.end is (GameEnd.TARGET if expected is None else GameEnd.FORFEIT)

    run(main())


async def until_over(arena: Arena, pair: set[str]) -> None:
    """Waits until all games of a pairing are over."""

    async def watch() -> None:
        while any(  # noqa: ASYNC110
            game.state is not GameState.OVER
            for game in arena.stored.games("cup")
            if set(game.entrants) == pair
        ):
            await asyncio.sleep(0.02)

    await asyncio.wait_for(watch(), PATIENCE_S)


def test_another_version_is_refused_till_the_end(tmp_path: Path) -> None:
    async def main() -> None:
        async with running_arena(tmp_path / "data") as arena, bot(arena, "good", RawBot.play):
            _, token = await arena.submit_bot("bad")
            await arena.create_tournament(definition(("bad", "good"), clock=LATE))
            await arena.start_tournament("cup")
            first = RawBot(arena.address, token)
            await first.hello(bot_version="1.0")
            other = RawBot(arena.address, token)
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await other.hello(bot_version="1.1")
            assert caught.value.code() is grpc.StatusCode.FAILED_PRECONDITION
            assert "'1.0'" in (caught.value.details() or "")
            await other.vanish()
            await first.play_until_over(arena)
            again = RawBot(arena.address, token)
            await again.hello(bot_version="1.1")
            await again.vanish()
            await first.vanish()

    run(main())


def test_a_refused_join_freezes_no_version(tmp_path: Path) -> None:
    async def main() -> None:
        async with running_arena(tmp_path / "data") as arena, bot(arena, "good", RawBot.play):
            _, token = await arena.submit_bot("bad")
            await arena.create_tournament(definition(("bad", "good"), clock=LATE))
            await arena.start_tournament("cup")
            refused = RawBot(arena.address, token)
            with pytest.raises(grpc.aio.AioRpcError):
                await refused.hello(bot_version="1.0", rulesets=[4])
            accepted = RawBot(arena.address, token)
            await accepted.hello(bot_version="2.0")
            assert (await arena.tournament("cup")).entrants[0].version == "2.0"
            await refused.vanish()
            await accepted.vanish()

    run(main())


def test_a_rotated_token_ends_the_stream_at_once(tmp_path: Path) -> None:
    async def main() -> None:
        async with running_arena(tmp_path / "data") as arena, bot(arena, "bad") as raw:
            token = await arena.rotate_token("bad")
            frame = await raw.receive()
            assert frame.bye.reason == play_pb2.BYE_REASON_REVOKED
            again = RawBot(arena.address, token)
            assert (await again.hello()).welcome.bot_name == "bad"
            await again.vanish()

    run(main())
