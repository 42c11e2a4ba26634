"""House bots are processes that live no longer than their arena."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import pytest
from support.arenas import running_arena
from support.misbehaving import run

from sixtysix_arena import arena as arena_module
from sixtysix_arena.tokens import new_token


def house_bot(address: str, said: bytes) -> subprocess.CompletedProcess[str]:
    """What becomes of house:random if its arena says this and no more."""
    reading, writing = os.pipe()
    os.write(writing, said)
    try:
        if not said.endswith(b"\n"):
            os.close(writing)
        return subprocess.run(
            [sys.executable, "-m", "sixtysix_arena.house", "random", address, str(reading)],
            pass_fds=(reading,),
            timeout=60,
            check=False,
            capture_output=True,
            text=True,
        )
    finally:
        os.close(reading)
        if said.endswith(b"\n"):
            os.close(writing)


@pytest.mark.parametrize("said", [b"", b"half-a-tok"], ids=["nothing", "half a token"])
def test_a_house_bot_ends_if_its_arena_dies_before_it_said_the_token(said: bytes) -> None:
    done = house_bot("127.0.0.1:1", said)
    assert (done.returncode, done.stderr) == (0, "")


def test_an_arena_that_does_not_know_a_house_bot_is_told_of_in_a_sentence(tmp_path: Path) -> None:
    async def main() -> None:
        async with running_arena(tmp_path / "data") as arena:
            said = f"{new_token()}\n".encode()
            done = await asyncio.to_thread(house_bot, arena.local_address, said)
        assert done.returncode == 1
        told = f"house:random: the arena at {arena.local_address} refuses the bot: wrong token: "
        assert done.stderr.startswith(told)
        assert done.stderr.count("\n") == 1

    run(main())


def test_a_house_bot_that_ends_while_the_arena_stops_is_not_started_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its bots are told that nothing is left to play, and end while calls are still waited for."""
    monkeypatch.setattr(arena_module, "HOUSE_SWEEP_S", 0.01)
    swept = []

    async def main() -> None:
        async with running_arena(tmp_path / "data") as arena:
            monkeypatch.setattr(
                arena._house, "restart_dead", lambda _address: swept.append(arena.is_stopping)
            )
            stop_server = arena._server.stop

            async def stop_slowly() -> None:
                await asyncio.sleep(0.2)
                await stop_server()

            monkeypatch.setattr(arena._server, "stop", stop_slowly)
            while not swept:  # noqa: ASYNC110
                await asyncio.sleep(0.01)

    run(main())
    assert set(swept) == {False}
