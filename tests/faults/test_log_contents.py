"""What stands in the log: who came and went and why; no token, and no line that a bot wrote."""

from __future__ import annotations

import asyncio
import json
import re
import sqlite3
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import grpc
import grpc.aio
import psutil
import pytest
from support.arenas import RawBot, bot, definition, running_arena, until_finished
from support.misbehaving import PATIENT, answer, run

from sixtysix_arena.logs import logging_to

FORGED = 'x\n{"event": "forged", "level": "INFO"}\r\n\x1b[2J\u202e\u2028{"event": "forged"}'
LINE = {"time", "level", "logger", "message"}


def lines_of(path: Path) -> list[dict[str, Any]]:
    """The objects in a log; fails unless each line is one."""
    return [json.loads(line) for line in path.read_bytes().split(b"\n")[:-1]]


async def refused(address: str, token: str | None, **hello: Any) -> None:
    """A join that does not get in."""
    raw = RawBot(address, token)
    with pytest.raises(grpc.aio.AioRpcError):
        await raw.hello(**hello)
    await raw.vanish()


def test_threat_26_a_bot_cannot_write_lines_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "arena.log"

    async def forging(raw: RawBot) -> None:
        decision = await raw.decision()
        await raw.answer(answer(decision, comment=FORGED))  # type: ignore[arg-type]
        decision = await raw.decision()
        await raw.answer(answer(decision, move=99, comment=FORGED))  # type: ignore[arg-type]
        await raw.play()

    async def main() -> None:
        async with (
            running_arena(tmp_path / "data") as arena,
            bot(arena, "bad", forging, bot_version=FORGED),
            bot(arena, "good", RawBot.play),
        ):
            async with grpc.aio.insecure_channel(arena.address) as channel:
                get: Any = channel.unary_unary("/sixtysix.v1.ArenaService/GetBot")
                with pytest.raises(grpc.aio.AioRpcError):
                    await get(b"\x0a" + bytes([len(FORGED.encode())]) + FORGED.encode())
            await refused(arena.address, FORGED.encode().hex(), bot_version=FORGED)
            await arena.create_tournament(definition(("bad", "good"), clock=PATIENT))
            await arena.start_tournament("cup")
            await until_finished(arena)

    with logging_to(path, is_service=True):
        run(main())
    data = path.read_bytes()
    assert all(0x20 <= byte < 0x7F or byte == 0x0A for byte in data)
    lines = lines_of(path)
    assert all(set(line) >= LINE and "event" not in line for line in lines)
    assert [line["message"] for line in lines].count("a bot committed a fault") >= 1
    (joined,) = (
        line for line in lines if line["message"] == "a bot joined" and line["bot"] == "bad"
    )
    assert "\n" not in joined["version"]


def test_threat_02_no_token_is_in_the_log_the_metrics_the_store_or_a_command_line(
    tmp_path: Path,
) -> None:
    path = tmp_path / "arena.log"
    secrets: list[str] = []
    places: dict[str, str] = {}

    async def main() -> None:
        async with running_arena(tmp_path / "data", metrics="127.0.0.1:0") as arena:
            _, old = await arena.submit_bot("ada")
            raw = RawBot(arena.address, old)
            await raw.hello()
            new = await arena.rotate_token("ada")
            await raw.play()  # Until it is sent away.
            await raw.vanish()
            again = RawBot(arena.address, new)
            await again.hello()
            playing = asyncio.create_task(again.play())
            _, disabled = await arena.submit_bot("bob")
            await arena.disable_bot("bob")
            wrong = "a-token-that-somebody-made-up"
            secrets.extend((old, new, disabled, wrong, arena._admin_token))
            for token in (old, disabled, wrong):
                await refused(arena.address, token)
            await refused(arena.address, new, protocol_major=9)
            async with grpc.aio.insecure_channel(arena.address) as channel:
                submit: Any = channel.unary_unary("/sixtysix.v1.ArenaService/SubmitBot")
                for token in (wrong, new):
                    with pytest.raises(grpc.aio.AioRpcError):
                        await submit(b"", metadata=(("authorization", f"Bearer {token}"),))
            await arena.create_tournament(definition(("ada", "house:random"), clock=PATIENT))
            await arena.start_tournament("cup")
            await until_finished(arena)
            me = psutil.Process()
            children = me.children(recursive=True)
            assert children  # The house bot.
            places["command lines"] = "\n".join(" ".join(each.cmdline()) for each in children)
            places["environments"] = "\n".join(str(each.environ()) for each in children)
            places["metrics"] = await asyncio.to_thread(scrape, arena.metrics_address)
            house = [arena._house._running[name].token_sha256 for name in arena._house._running]
            assert len(house) == 1
            playing.cancel()
            await again.vanish()

    with logging_to(path, is_service=True):
        run(main())
    places["log"] = path.read_text()
    connection = sqlite3.connect(tmp_path / "data" / "arena.db")
    places["store"] = "\n".join(connection.iterdump())
    connection.close()
    assert [
        (place, secret) for place, text in places.items() for secret in secrets if secret in text
    ] == []
    # 43 characters are what a token has; a house bot's, too, is nowhere.
    assert not re.search(r"(?<![\w-])[\w-]{43}(?![\w-])", places["log"] + places["command lines"])
    # The lines are there all the same.
    told = [(line["message"], line.get("reason", "")) for line in lines_of(path)]
    assert [message for message, _ in told].count("a bot was refused") == 4
    assert [message for message, _ in told].count("a call was refused") == 2
    assert ("a bot is away", "revoked") in told


def scrape(address: str) -> str:
    """All metrics."""
    with urlopen(f"http://{address}/metrics") as response:
        return str(response.read().decode())


async def until_told(path: Path, message: str) -> None:
    """Waits until a log has a message."""
    async with asyncio.timeout(60):
        while message not in await asyncio.to_thread(path.read_text):  # noqa: ASYNC110
            await asyncio.sleep(0.02)


def test_fault_row_33_the_log_tells_that_everything_waits_for_the_bots(tmp_path: Path) -> None:
    path = tmp_path / "arena.log"
    expected = [
        "all bots vanished together: everything waits",
        "a bot is back: play goes on",
    ]

    async def main() -> None:
        async with running_arena(tmp_path / "data") as arena:
            tokens = [(await arena.submit_bot(name))[1] for name in ("ada", "bob")]
            bots = [RawBot(arena.address, token) for token in tokens]
            for each in bots:
                await each.hello()
            await arena.create_tournament(definition(("ada", "bob"), clock=PATIENT))
            await arena.start_tournament("cup")
            await asyncio.gather(*(each.vanish() for each in bots))
            await until_told(path, expected[0])
            again = RawBot(arena.address, tokens[0])
            await again.hello()
            await until_told(path, expected[1])
            await again.vanish()

    with logging_to(path, is_service=True):
        run(main())
    told = [line["message"] for line in lines_of(path) if line["level"] == "WARNING"]
    assert told[:2] == expected


def test_the_log_tells_who_came_who_went_and_why(tmp_path: Path) -> None:
    path = tmp_path / "arena.log"

    async def main() -> None:
        async with running_arena(tmp_path / "data") as arena:
            _, token = await arena.submit_bot("ada")
            first, second = RawBot(arena.address, token), RawBot(arena.address, token)
            await first.hello()
            await second.hello(bot_version="2.1")
            await first.play()  # Until it is fenced.
            await first.vanish()
            await second.vanish()
            async with asyncio.timeout(30):
                while arena.sessions.is_connected("ada"):  # noqa: ASYNC110
                    await asyncio.sleep(0.01)

    with logging_to(path, is_service=True):
        run(main())
    lines = [line for line in lines_of(path) if line.get("bot") == "ada"]
    assert [(line["message"], line.get("stream"), line.get("reason")) for line in lines] == [
        ("a bot was submitted", None, None),
        ("a bot joined", 1, None),
        ("a bot joined", 2, None),
        ("a bot is away", 1, "fenced"),
        ("a bot is away", 2, "it ended without a goodbye"),
    ]
    assert lines[2]["version"] == "2.1"
    assert re.fullmatch(r"127\.0\.0\.1:\d+", lines[1]["address"])
