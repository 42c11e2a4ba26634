"""The server's ports: one for the world, one for this machine."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from support.arenas import RawBot, definition, outcomes, running_arena, until_finished
from support.authorities import Authority
from support.misbehaving import PATIENT, run

from sixtysix.outcome import GameEnd
from sixtysix_arena.arena import Arena
from sixtysix_arena.config import ArenaSettings
from sixtysix_arena.store import DataFolder


def test_without_tls_on_this_machine_one_port_does(tmp_path: Path) -> None:
    async def main() -> None:
        async with running_arena(tmp_path / "data") as arena:
            assert arena.address == arena.local_address
            assert arena.certificate_expires_at_s is None

    run(main())


def test_house_bots_and_local_commands_need_no_certificate(tmp_path: Path) -> None:
    """They use the second port; whoever joins from elsewhere uses the first."""
    authority = Authority(tmp_path)

    async def main() -> None:
        async with running_arena(tmp_path / "data", **authority.sign()) as arena:
            assert arena.address != arena.local_address
            assert arena.local_address.startswith("127.0.0.1:")
            assert DataFolder(tmp_path / "data").address() == arena.local_address
            _, token = await arena.submit_bot("ada")
            raw = RawBot(arena.address, token, roots=authority.pem.read_bytes())
            await raw.hello()
            await arena.create_tournament(definition(("ada", "house:greedy"), clock=PATIENT))
            await arena.start_tournament("cup")
            await raw.play_until_over(arena)
            assert [outcome.end for outcome in outcomes(arena)] == [GameEnd.TARGET] * 2
            await raw.vanish()

    run(main())


def test_an_insecure_arena_for_other_machines_has_a_local_port_too(tmp_path: Path) -> None:
    """Its own is perhaps no address that can be dialled: 0.0.0.0."""

    async def main() -> None:
        arena = Arena(ArenaSettings(tmp_path / "data", "0.0.0.0:0", insecure=True))
        await arena.start()
        try:
            assert arena.local_address.startswith("127.0.0.1:")
            await arena.create_tournament(
                definition(("house:greedy", "house:random"), clock=PATIENT)
            )
            await arena.start_tournament("cup")
            await until_finished(arena)
        finally:
            await arena.stop()

    run(main())


def test_an_arena_ends_if_its_server_ends_by_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Bots would come back for ever, to an arena that accepts no calls."""

    async def end(_server: object) -> None:
        raise UnicodeDecodeError("utf-8", b"\xf6", 0, 1, "invalid start byte")

    monkeypatch.setattr("grpc.aio._server.Server.wait_for_termination", end)

    async def main() -> None:
        async with running_arena(tmp_path / "data") as arena:
            with pytest.raises(UnicodeDecodeError):
                await asyncio.wait_for(arena.failure(), 5)

    run(main())
    told = next(record for record in caplog.records if record.message == "a task failed")
    assert vars(told)["task"] == "server"
