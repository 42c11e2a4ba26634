"""The arena as a whole: starting, stopping, and two who want the same at once."""

from __future__ import annotations

import asyncio
import socket
import threading
from pathlib import Path
from typing import Any

import grpc
import grpc.aio
import pytest
from support.arenas import RawBot, bot, definition, outcomes, running_arena, until_finished
from support.http2 import silent_reader

from sixtysix.outcome import GameEnd
from sixtysix.reports import TournamentState
from sixtysix_arena.arena import Arena
from sixtysix_arena.config import ArenaSettings
from sixtysix_arena.errors import FolderInUse, Unavailable, WrongState


def run(work: object) -> None:
    asyncio.run(asyncio.wait_for(work, 60))  # type: ignore[arg-type]


def test_two_starts_at_once_play_a_tournament_once(tmp_path: Path) -> None:
    async def main() -> None:
        async with (
            running_arena(tmp_path / "data") as arena,
            bot(arena, "a", RawBot.play),
            bot(arena, "b", RawBot.play),
        ):
            await arena.create_tournament(definition(("a", "b"), games_per_pairing=10))
            first, second = await asyncio.gather(
                arena.start_tournament("cup"), arena.start_tournament("cup")
            )
            assert first.state is second.state is TournamentState.RUNNING
            await until_finished(arena)
            assert [outcome.end for outcome in outcomes(arena)] == [GameEnd.TARGET] * 10
            assert arena.sessions.of("a").game_count == 0

    run(main())


def test_a_tournament_that_is_stopped_goes_on_without_a_void_deal(tmp_path: Path) -> None:
    async def main() -> None:
        async with (
            running_arena(tmp_path / "data") as arena,
            bot(arena, "a", RawBot.play),
            bot(arena, "b", RawBot.play),
        ):
            await arena.create_tournament(definition(("a", "b"), games_per_pairing=60))
            await arena.start_tournament("cup")
            while arena.decision_count < 2_000:  # noqa: ASYNC110
                await asyncio.sleep(0.005)
            stopped = await arena.stop_tournament("cup")
            assert stopped.state is TournamentState.STOPPED
            assert 0 < stopped.games_over_count < 60
            before = arena.decision_count
            await asyncio.sleep(0.1)
            assert arena.decision_count == before
            await arena.start_tournament("cup")
            await until_finished(arena)
            reports = [arena.stored.game(f"cup.{number}") for number in range(1, 61)]
            assert not any(deal.void for report in reports for deal in report.deals)

    run(main())


def test_a_caller_who_gives_up_waiting_leaves_nothing_half_done(tmp_path: Path) -> None:
    async def main() -> None:
        async with (
            running_arena(tmp_path / "data") as arena,
            bot(arena, "a", RawBot.play),
            bot(arena, "b", RawBot.play),
        ):
            await arena.create_tournament(definition(("a", "b"), games_per_pairing=10))
            gate = threading.Event()
            busy = asyncio.create_task(arena._store.run(lambda _store: gate.wait(30)))
            for call in (arena.start_tournament, arena.stop_tournament, arena.start_tournament):
                with pytest.raises(TimeoutError):
                    await asyncio.wait_for(call("cup"), 0.001)
            gate.set()
            assert await busy
            while (  # noqa: ASYNC110
                await arena.tournament("cup")
            ).state is not TournamentState.FINISHED:
                await asyncio.sleep(0.02)
            assert [outcome.end for outcome in outcomes(arena)] == [GameEnd.TARGET] * 10

    run(main())


def test_a_token_that_was_rotated_before_the_hello_does_not_get_in(tmp_path: Path) -> None:
    async def main() -> None:
        async with running_arena(tmp_path / "data") as arena:
            _, token = await arena.submit_bot("a")
            raw = RawBot(arena.address, token)
            await asyncio.sleep(0.1)  # The stream is there, and says nothing yet.
            await arena.rotate_token("a")
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await raw.hello()
            assert caught.value.code() is grpc.StatusCode.UNAUTHENTICATED
            assert not arena.sessions.is_connected("a")
            await raw.vanish()

    run(main())


def test_a_request_that_cannot_be_read_is_told_in_our_words(tmp_path: Path) -> None:
    async def main() -> None:
        async with (
            running_arena(tmp_path / "data") as arena,
            grpc.aio.insecure_channel(arena.address) as channel,
        ):
            get_game: Any = channel.unary_unary("/sixtysix.v1.ArenaService/GetGame")
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await get_game(b"\xff\xff\xff")
            assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT
            assert "cannot be read" in (caught.value.details() or "")

    run(main())


def test_a_disabled_bot_does_not_keep_a_stopped_tournament_from_going_on(tmp_path: Path) -> None:
    async def main() -> None:
        async with (
            running_arena(tmp_path / "data") as arena,
            bot(arena, "a", RawBot.play),
            bot(arena, "b"),
        ):
            await arena.create_tournament(
                definition(("a", "b"), games_per_pairing=20, games_at_once=1)
            )
            await arena.start_tournament("cup")
            # The deals in progress wait for b until it times out: it is stopped between games.
            assert (await arena.stop_tournament("cup")).state is TournamentState.STOPPED
            await arena.disable_bot("b")
            await arena.start_tournament("cup")
            await until_finished(arena)

    run(main())


def test_a_finished_tournament_is_not_started_again(tmp_path: Path) -> None:
    async def main() -> None:
        async with (
            running_arena(tmp_path / "data") as arena,
            bot(arena, "a", RawBot.play),
            bot(arena, "b", RawBot.play),
        ):
            await arena.create_tournament(definition(("a", "b")))
            await arena.start_tournament("cup")
            await until_finished(arena)
            with pytest.raises(WrongState, match="'cup' is finished"):
                await arena.start_tournament("cup")

    run(main())


def test_a_second_arena_on_the_folder_is_refused_and_leaves_the_first_alone(
    tmp_path: Path,
) -> None:
    async def main() -> None:
        async with running_arena(tmp_path / "data") as arena:
            second = Arena(ArenaSettings(data=tmp_path / "data", grpc="127.0.0.1:0"))
            with pytest.raises(FolderInUse):
                await second.start()
            await arena.submit_bot("a")

    run(main())


def test_a_busy_port_is_refused_and_the_folder_is_free_again(tmp_path: Path) -> None:
    async def main() -> None:
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            address = f"127.0.0.1:{taken.getsockname()[1]}"
            arena = Arena(ArenaSettings(data=tmp_path / "data", grpc=address))
            with pytest.raises(Unavailable, match="cannot be used"):
                await arena.start()
        async with running_arena(tmp_path / "data"):
            pass
        assert not (tmp_path / "data" / "address").exists()

    run(main())


def test_fault_28_a_bot_that_never_reads_does_not_hold_a_tournament_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its window is closed from the first byte, as an HTTP/2 client may do."""
    monkeypatch.setattr("sixtysix_arena.sessions.session.WRITE_TIMEOUT_MS", 300.0)

    async def main() -> None:
        async with running_arena(tmp_path / "data") as arena, bot(arena, "good", RawBot.play):
            _, token = await arena.submit_bot("bad")
            await arena.create_tournament(definition(("bad", "good")))
            await arena.start_tournament("cup")
            async with silent_reader(arena.address, token):
                await until_finished(arena)
            assert [outcome.winner for outcome in outcomes(arena)] == [1, 1]

    run(main())


def test_the_version_that_a_bot_joined_with_last_is_kept_without_any_tournament(
    tmp_path: Path,
) -> None:
    async def main() -> None:
        async with running_arena(tmp_path / "data") as arena:
            _, token = await arena.submit_bot("a")
            for version in ("1", "2", "2", "1"):
                raw = RawBot(arena.address, token)
                await raw.hello(bot_version=version)
                assert arena.stored.bot("a").version == version
                await raw.vanish()

    run(main())


def test_while_a_write_waits_to_be_tried_again_no_time_passes_and_then_all_have_theirs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also if something else can be stored meanwhile."""

    async def main() -> None:
        async with running_arena(tmp_path / "data") as arena:
            forgiven = asyncio.Event()
            monkeypatch.setattr(arena.sessions, "forgive", forgiven.set)
            failing, has_room = asyncio.Event(), asyncio.Event()

            async def write() -> None:
                failing.set()
                if not has_room.is_set():
                    raise Unavailable("the disk is full")

            waiting = asyncio.create_task(arena._tables.insist(write))
            await failing.wait()
            await asyncio.sleep(0.1)
            before_ms = arena.now_ms()
            assert (await arena.submit_bot("ada"))[1], "the store works"
            await asyncio.sleep(0.1)
            assert arena.now_ms() == before_ms
            assert not forgiven.is_set()
            has_room.set()
            await waiting
            await forgiven.wait()

    asyncio.run(asyncio.wait_for(main(), 30))
