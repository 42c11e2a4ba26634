"""What a caller hears when something goes wrong, and what the metrics say: nothing from inside."""

from __future__ import annotations

import asyncio
import inspect
import logging
import re
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import grpc
import grpc.aio
import pytest
from prometheus_client.parser import text_string_to_metric_families
from support.arenas import RawBot, bot, definition, running_arena, until_finished
from support.misbehaving import PATIENT, run

from sixtysix.outcome import Fault
from sixtysix.v1 import arena_pb2, play_pb2
from sixtysix_arena.arena import Arena

SERVICE = arena_pb2.DESCRIPTOR.services_by_name["ArenaService"]
METHODS = [f"/{SERVICE.full_name}/{method.name}" for method in SERVICE.methods]
HIDDEN = "sqlalchemy.exc.OperationalError at 0x7f3a: the seed is 0123456789abcdef"
INTERNAL = r"internal error \(the arena's log has it as [0-9a-f]{8}\)"
INSIDE = re.compile(
    r"Traceback|<class|0x[0-9a-f]{4}|\.py\b|sqlalchemy|sqlite|sixtysix_arena|grpc\._|cygrpc"
    r"|[A-Z]\w+(Error|Exception)\b|asyncio|\bseed\b|\bNone\b"
)
GARBAGE = (b"", b"\xff\xff\xff", b"\x0a\xff\xff\xff\xff\x0f", b"\x0a\x02\xc3\x28", b"\x00" * 2_000)


async def told(arena: Arena, method: str, data: bytes, token: str | None) -> tuple[Any, str]:
    """How a call of one message ends: its status, and all texts that come with it."""
    metadata = () if token is None else (("authorization", f"Bearer {token}"),)
    async with grpc.aio.insecure_channel(arena.address) as channel:
        ask: Any = channel.unary_stream(method)
        call = ask(data, metadata=metadata, timeout=20)
        try:
            async for _ in call:
                break
            else:
                return grpc.StatusCode.OK, ""
            call.cancel()
        except grpc.aio.AioRpcError as error:
            trailing = [f"{key}={value!r}" for key, value in error.trailing_metadata()]
            return error.code(), " ".join([error.details() or "", *trailing])
        return grpc.StatusCode.OK, ""


async def told_on_joining(arena: Arena, token: str | None, first: bytes) -> tuple[Any, str]:
    """How a stream ends that begins with `first`."""
    while True:
        heard = await _told_on_joining(arena, token, first)
        # This is what our own side says if it was refused while it wrote; the arena's word is lost.
        if heard[1] != "Internal error from Core":
            return heard


async def _told_on_joining(arena: Arena, token: str | None, first: bytes) -> tuple[Any, str]:
    raw = RawBot(arena.address, token)
    try:
        with suppress(grpc.aio.AioRpcError):  # Refused before it was written: the status says why.
            await raw.send_bytes(first)
        await raw.receive()
    except grpc.aio.AioRpcError as error:
        return error.code(), error.details() or ""
    except EOFError:
        return grpc.StatusCode.OK, ""
    finally:
        await raw.vanish()
    return grpc.StatusCode.OK, ""


def check(heard: list[tuple[Any, str]]) -> None:
    """Nothing from inside is in what was heard; UNKNOWN is what gRPC makes of our exceptions."""
    assert not [text for _, text in heard if INSIDE.search(text)]
    assert not [text for code, text in heard if code is grpc.StatusCode.UNKNOWN]
    internal = [text for code, text in heard if code is grpc.StatusCode.INTERNAL]
    assert not [text for text in internal if not re.fullmatch(INTERNAL, text)]


def test_threat_13_what_cannot_be_read_is_told_in_our_words(tmp_path: Path) -> None:
    async def main() -> None:
        async with running_arena(tmp_path / "data") as arena:
            _, token = await arena.submit_bot("ada")
            tokens = (None, "wrong", token, arena._admin_token)
            heard = [
                await told(arena, method, data, each)
                for method in METHODS
                for data in GARBAGE
                for each in tokens
            ]
            check(heard)
            codes = {code for code, _ in heard}
            assert grpc.StatusCode.INTERNAL not in codes
            assert {
                grpc.StatusCode.UNAUTHENTICATED,
                grpc.StatusCode.INVALID_ARGUMENT,
                grpc.StatusCode.NOT_FOUND,
            } <= codes
            joins = [
                await told_on_joining(arena, each, data)
                for data in (*GARBAGE, b"x" * 70_000, hello(protocol_major=9), hello())
                for each in tokens
            ]
            check(joins)
            assert grpc.StatusCode.INTERNAL not in {code for code, _ in joins}

    run(main())


def hello(**says: Any) -> bytes:
    return play_pb2.BotFrame(hello=play_pb2.Hello(**says)).SerializeToString()


class Broken:
    """Raises whatever is asked of it."""

    def __getattr__(self, name: str) -> Any:
        raise RuntimeError(HIDDEN)


def test_threat_13_a_mistake_of_ours_is_an_id_for_the_caller_and_a_trace_in_the_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def fail(*_arguments: Any, **_more: Any) -> Any:
        raise RuntimeError(HIDDEN)

    async def fail_in_the_middle(*_arguments: Any, **_more: Any) -> AsyncIterator[Any]:
        raise RuntimeError(HIDDEN)
        yield

    async def main() -> None:
        async with running_arena(tmp_path / "data") as arena:
            _, token = await arena.submit_bot("ada")
            stored = arena.stored
            with monkeypatch.context() as patch:
                for name, _ in inspect.getmembers(Arena, inspect.iscoroutinefunction):
                    if not name.startswith("_") and name not in ("bot_of", "start", "stop"):
                        patch.setattr(arena, name, fail)
                patch.setattr(arena, "watch_tournament", fail_in_the_middle)
                arena.stored = Broken()  # type: ignore[assignment]
                heard = {
                    method: await told(arena, method, b"", arena._admin_token) for method in METHODS
                }
                heard["Play"] = await told_on_joining(
                    arena, token, hello(protocol_major=1, games_at_once=1)
                )
                patch.setattr(arena, "reader", Broken())
                heard["Play, before the hello"] = await told_on_joining(arena, token, b"")
                arena.stored = stored
            check(list(heard.values()))
            # What asks for more than nothing, or says nothing, is refused before it fails.
            refused = {name for name, (code, _) in heard.items() if code.name != "INTERNAL"}
            assert {name.rpartition("/")[2] for name in refused} <= {
                "CreateTournament",
                "GetBoard",
                "Play, before the hello",
            }

    with caplog.at_level(logging.ERROR, "sixtysix_arena"):
        run(main())
    ids = [vars(record)["error_id"] for record in caplog.records if record.exc_info]
    assert len(ids) == len(set(ids)) >= len(METHODS) - 1
    assert all(HIDDEN in str(record.exc_info) for record in caplog.records if record.exc_info)


def test_threat_13_nothing_can_be_asked_that_is_no_call_of_ours(tmp_path: Path) -> None:
    """No reflection, no statistics of channels, and no word on what there is instead."""
    strange = (
        "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
        "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo",
        "/grpc.channelz.v1.Channelz/GetServers",
        "/sixtysix.v1.ArenaService/__init__",
        "/sixtysix.v1.ArenaService/submit_bot",
        "/sixtysix.v2.ArenaService/GetBot",
        "/",
        "/../../etc/passwd",
    )

    async def main() -> None:
        async with running_arena(tmp_path / "data") as arena:
            heard = [await told(arena, method, b"", None) for method in strange]
            check(heard)
            assert {code for code, _ in heard} == {grpc.StatusCode.UNIMPLEMENTED}
            assert not arena.counts.calls

    run(main())


def test_threat_13_metrics_name_no_bot_and_no_card(tmp_path: Path) -> None:
    """Their labels are ours alone, and so is all else."""

    async def main() -> None:
        async with (
            running_arena(tmp_path / "data", metrics="127.0.0.1:0") as arena,
            bot(arena, "ada-of-the-north", RawBot.play),
            bot(arena, "bob-of-the-south", RawBot.play),
        ):
            await arena.create_tournament(
                definition(("ada-of-the-north", "bob-of-the-south"), clock=PATIENT)
            )
            await arena.start_tournament("cup")
            await until_finished(arena)
            for method in METHODS:
                await told(arena, method, b"\xff", "wrong-token-of-mine")
            await told(arena, "/sixtysix.v1.PlayService/Call-of-mine", b"", None)
            await told_on_joining(arena, "wrong-token-of-mine", b"")
            text = await asyncio.to_thread(scrape, arena)
            for hidden in ("of-the-", "of-mine", "cup", arena._admin_token, str(tmp_path)):
                assert hidden not in text
            ours: dict[str, set[str]] = {
                "fault": set(Fault),
                "method": {*METHODS, "/sixtysix.v1.PlayService/Play"},
                "status": {code.name for code in grpc.StatusCode},
            }
            labels = [
                label
                for family in text_string_to_metric_families(text)
                for sample in family.samples
                for label in sample.labels.items()
                if family.name not in ("sixtysix_build",) and label[0] != "le"
            ]
            assert {name for name, _ in labels} <= {*ours, "version", "python", "grpc"}
            assert all(value in ours[name] for name, value in labels if name in ours)
            assert {name for name, _ in labels} >= set(ours)

    run(main())


def scrape(arena: Arena) -> str:
    """All metrics as Prometheus reads them."""
    with urlopen(f"http://{arena.metrics_address}/metrics") as response:
        return str(response.read().decode())
