"""Those who have no token, or a wrong one: limited by their address, to nobody else's harm."""

from __future__ import annotations

import ast
import asyncio
import hashlib
import hmac
import logging
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any

import grpc
import grpc.aio
import pytest
import sqlalchemy.event
from sqlalchemy.engine import Engine
from support.arenas import RawBot, bot, definition, outcomes, running_arena, until_finished

import sixtysix_arena
from sixtysix.clock import Clock
from sixtysix.outcome import GameEnd
from sixtysix.v1 import arena_pb2, play_pb2
from sixtysix_arena.arena import Arena
from sixtysix_arena.server.callers import (
    CALL_BURST,
    MAX_STREAMS,
    TOO_MANY_CALLS,
    TOO_MANY_STREAMS,
    TOO_MANY_WRONG_TOKENS,
    WRONG_TOKEN_BURST,
)
from sixtysix_arena.server.guard import NOT_ADMIN, WRONG_TOKEN

PLAY = "/sixtysix.v1.PlayService/Play"
SERVICE = "/sixtysix.v1.ArenaService/"
HELLO = play_pb2.BotFrame(
    hello=play_pb2.Hello(protocol_major=1, games_at_once=1, rulesets=[1])  # type: ignore[list-item]
).SerializeToString()
SLOW = Clock(per_move_ms=60_000, per_game_ms=60_000, grace_ms=30_000, join_ms=30_000)
Status = tuple[grpc.StatusCode, str]


def run(main: Any) -> Any:
    return asyncio.run(asyncio.wait_for(main, 100))


def bearer(token: str) -> tuple[tuple[str, str], ...]:
    return (("authorization", f"Bearer {token}"),)


async def join(channel: grpc.aio.Channel, token: str) -> Status:
    """How a stream with a wrong token ends."""
    play: Any = channel.stream_stream(PLAY)
    return await end_of(play(metadata=bearer(token)))


async def end_of(call: Any) -> Status:
    """How a call ends that brings nothing."""
    with suppress(grpc.aio.AioRpcError):
        assert await call.read() is grpc.aio.EOF
    return await call.code(), await call.details()


async def is_let_in(call: Any) -> bool:
    """Whether a call brings something."""
    with suppress(grpc.aio.AioRpcError):
        return await call.read() is not grpc.aio.EOF
    return False


async def ask(
    channel: grpc.aio.Channel, method: str, request: Any = None, token: str | None = None
) -> Status:
    """How a call ends."""
    unary: Any = channel.unary_unary(SERVICE + method)
    data = b"" if request is None else request.SerializeToString()
    try:
        await unary(data, metadata=() if token is None else bearer(token))
    except grpc.aio.AioRpcError as error:
        return error.code(), error.details() or ""
    return grpc.StatusCode.OK, ""


def test_threat_03_a_thousand_wrong_tokens_are_cut_off_and_keep_no_right_one_out(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)

    async def main() -> list[Status]:
        async with (
            running_arena(tmp_path / "data") as arena,
            bot(arena, "good", RawBot.play),
            bot(arena, "other", RawBot.play),
            grpc.aio.insecure_channel(arena.address) as channel,
        ):
            _, token = await arena.submit_bot("late")
            await arena.create_tournament(definition(("good", "late", "other"), clock=SLOW))
            await arena.start_tournament("cup")
            answers = []
            for first in range(0, 1_000, 50):
                batch = (join(channel, f"guess-{first + each}") for each in range(50))
                answers += await asyncio.gather(*batch)
            # The same address, at once: a bot, and the organiser.
            late = RawBot(arena.address, token)
            await late.hello()
            admin = (arena.settings.data / "admin-token").read_text().strip()
            submit = arena_pb2.SubmitBotRequest(name="new")
            assert (await ask(channel, "SubmitBot", submit, admin))[0] is grpc.StatusCode.OK
            playing = asyncio.create_task(late.play())
            await until_finished(arena)
            playing.cancel()
            await asyncio.gather(playing, return_exceptions=True)
            await late.vanish()
            assert {outcome.end for outcome in outcomes(arena)} == {GameEnd.TARGET}
            return answers

    counts = Counter(run(main()))
    refused = grpc.StatusCode.UNAUTHENTICATED, WRONG_TOKEN
    cut_off = grpc.StatusCode.RESOURCE_EXHAUSTED, TOO_MANY_WRONG_TOKENS
    assert set(counts) == {refused, cut_off}
    assert WRONG_TOKEN_BURST <= counts[refused] < WRONG_TOKEN_BURST + 60
    assert "guess-" not in caplog.text
    assert not any("guess-" in str(record.__dict__) for record in caplog.records)


def test_threat_03_guessing_the_admin_token_is_cut_off_too(tmp_path: Path) -> None:
    async def main() -> None:
        async with (
            running_arena(tmp_path / "data") as arena,
            grpc.aio.insecure_channel(arena.address) as channel,
        ):
            disable = arena_pb2.DisableBotRequest(name="good")
            answers = [
                await ask(channel, "DisableBot", disable, f"guess-{each}")
                for each in range(WRONG_TOKEN_BURST + 20)
            ]
            assert answers[0] == (grpc.StatusCode.UNAUTHENTICATED, NOT_ADMIN)
            assert answers[-1] == (grpc.StatusCode.RESOURCE_EXHAUSTED, TOO_MANY_WRONG_TOKENS)
            # Without a token nothing is guessed.
            assert (await ask(channel, "DisableBot"))[0] is grpc.StatusCode.UNAUTHENTICATED

    run(main())


def test_reading_without_end_is_put_off_and_neither_bots_nor_the_organiser_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A slow machine does not come to more calls than it may make for good.
    monkeypatch.setattr("sixtysix_arena.server.callers.CALLS_PER_S", 1.0)

    async def main() -> None:
        async with (
            running_arena(tmp_path / "data") as arena,
            grpc.aio.insecure_channel(arena.address) as channel,
        ):
            ok = grpc.StatusCode.OK, ""
            put_off = grpc.StatusCode.RESOURCE_EXHAUSTED, TOO_MANY_CALLS
            answers: list[Status] = []
            while put_off not in answers:
                batch = (ask(channel, "ListBots") for _ in range(100))
                answers += await asyncio.gather(*batch)
            assert set(answers) == {ok, put_off}
            assert answers.count(ok) >= CALL_BURST
            admin = (arena.settings.data / "admin-token").read_text().strip()
            assert await ask(channel, "ListBots", token=admin) == ok
            _, token = await arena.submit_bot("bad")
            raw = RawBot(arena.address, token)
            await raw.hello()
            await raw.vanish()

    run(main())


def test_watchers_without_end_are_put_off(tmp_path: Path) -> None:
    async def main() -> None:
        async with running_arena(tmp_path / "data") as arena, bot(arena, "a"), bot(arena, "b"):
            await arena.create_tournament(definition(("a", "b"), clock=SLOW))
            await arena.start_tournament("cup")
            request = arena_pb2.WatchTournamentRequest(slug="cup").SerializeToString()
            async with (
                grpc.aio.insecure_channel(arena.address) as channel,
                grpc.aio.insecure_channel(arena.address) as other,
            ):
                watch: Any = channel.unary_stream(SERVICE + "WatchTournament")
                watching = [watch(request) for _ in range(MAX_STREAMS)]
                for each in watching:
                    assert await each.read() is not grpc.aio.EOF
                late: Any = other.unary_stream(SERVICE + "WatchTournament")
                put_off = grpc.StatusCode.RESOURCE_EXHAUSTED, TOO_MANY_STREAMS
                assert await end_of(late(request)) == put_off
                watching.pop().cancel()
                # The arena hears in a moment that there is room.
                while not await is_let_in(let_in := late(request)):
                    assert (await let_in.code(), await let_in.details()) == put_off
                    await asyncio.sleep(0.02)
                let_in.cancel()

    run(main())


def test_threat_04_a_token_is_looked_up_by_its_digest_alone(tmp_path: Path) -> None:
    """No comparison and no query ever sees the token, so none can take longer for a close guess."""
    seen: list[Any] = []

    def note(_connection: Any, _cursor: Any, statement: str, parameters: Any, *_: Any) -> None:
        if "token_sha256" in statement and statement.startswith("SELECT"):
            seen.append(parameters)
        assert "no-token-of-ours" not in repr((statement, parameters))

    async def main() -> None:
        async with running_arena(tmp_path / "data") as arena:
            _, token = await arena.submit_bot("good")
            seen.clear()
            async with grpc.aio.insecure_channel(arena.address) as channel:
                assert (await join(channel, "no-token-of-ours"))[1] == WRONG_TOKEN
            raw = RawBot(arena.address, token)
            await raw.hello()
            await raw.vanish()
            digests = {
                hashlib.sha256(each.encode()).digest() for each in (token, "no-token-of-ours")
            }
            looked_up = {bytes(each) for values in seen for each in values if len(each) == 32}
            assert looked_up == digests
            assert token not in repr(seen)

    sqlalchemy.event.listen(Engine, "before_cursor_execute", note)
    try:
        run(main())
    finally:
        sqlalchemy.event.remove(Engine, "before_cursor_execute", note)


def test_threat_04_the_admin_token_and_those_of_house_bots_are_compared_in_constant_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared: list[tuple[Any, Any]] = []
    compare = hmac.compare_digest

    def noting(one: Any, other: Any) -> bool:
        compared.append((one, other))
        return compare(one, other)

    for module in ("sixtysix_arena.arena.hmac", "sixtysix_arena.house.secrets"):
        monkeypatch.setattr(f"{module}.compare_digest", noting)

    async def main(arena: Arena) -> None:
        async with grpc.aio.insecure_channel(arena.address) as channel:
            guess = "g" * 43
            await ask(channel, "DisableBot", token=guess)
            admin = (arena.settings.data / "admin-token").read_text().strip()
            assert (guess.encode(), admin.encode()) in compared
            await join(channel, guess)
            digest = hashlib.sha256(guess.encode()).digest()
            assert any(digest in pair for pair in compared)

    async def with_house_bot() -> None:
        async with running_arena(tmp_path / "data") as arena:
            await arena.create_tournament(definition(("house:greedy", "house:random")))
            await arena.start_tournament("cup")
            await main(arena)

    run(with_house_bot())


def test_a_comparison_in_the_sources_never_names_a_token() -> None:
    """`==` on tokens would stop at the first character that differs."""
    (root,) = sixtysix_arena.__path__
    strays = [
        f"{path.name}:{node.lineno}"
        for path in sorted(Path(root).rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Compare)
        and any(isinstance(each, (ast.Eq, ast.NotEq, ast.In, ast.NotIn)) for each in node.ops)
        and any(
            isinstance(side, (ast.Name, ast.Attribute))
            and (side.id if isinstance(side, ast.Name) else side.attr).endswith("token")
            and not ast.unparse(side).endswith("page_token")
            for side in (node.left, *node.comparators)
        )
    ]
    assert strays == []
