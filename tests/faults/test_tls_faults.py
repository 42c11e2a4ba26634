"""TLS that fails, ends or is renewed: who gets in, who stays, and what each is told."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import psutil
import pytest
from support.arenas import RawBot, definition, running_arena
from support.authorities import Authority

import sixtysix
from sixtysix.api import ArenaUnreachable, InvalidRequest
from sixtysix.client import RemoteArena
from sixtysix.client.channels import find_target
from sixtysix.clock import Clock
from sixtysix.joining import Ending, EndReason
from sixtysix_arena.arena import Arena
from sixtysix_arena.config import ArenaSettings
from sixtysix_arena.errors import Invalid

LONG = Clock(per_move_ms=20_000, per_game_ms=600_000, grace_ms=20_000, join_ms=20_000)
PATIENCE_S = 60.0


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    return Authority(tmp_path)


async def until(found: Any) -> None:
    """Waits until `found()` is true."""
    async with asyncio.timeout(PATIENCE_S):
        while not found():  # noqa: ASYNC110
            await asyncio.sleep(0.01)


class Joined:
    """A bot of the kit, in a thread."""

    def __init__(self, arena: Arena, token: str, ca: Path) -> None:
        self.told: list[str] = []
        self._ending: asyncio.Future[Ending] = asyncio.ensure_future(
            asyncio.to_thread(
                sixtysix.join,
                lambda view: view.legal[0],
                arena=arena.address.replace("127.0.0.1", "localhost"),
                token=token,
                ca=ca,
                tell=self.told.append,
            )
        )

    async def is_told(self, text: str) -> None:
        """Waits until the bot's author was told `text`."""
        await until(lambda: any(text in told for told in self.told) or self._ending.done())
        assert any(text in told for told in self.told), self.told

    async def ends(self) -> Ending:
        """Waits for its end."""
        return await asyncio.wait_for(self._ending, PATIENCE_S)


@asynccontextmanager
async def playing(arena: Arena, roots: bytes) -> AsyncIterator[None]:
    """A tournament that goes on and on, one bot in it over TLS and one without."""
    bots = []
    for name, address, trusted in (
        ("tls", arena.address, roots),
        ("plain", arena.local_address, None),
    ):
        _, token = await arena.submit_bot(name)
        bots.append(RawBot(address, token, roots=trusted))
        await bots[-1].hello()
    await arena.create_tournament(
        definition(("plain", "tls"), games_per_pairing=1_000, games_at_once=1, clock=LONG)
    )
    await arena.start_tournament("cup")
    tasks = [asyncio.create_task(bot.play()) for bot in bots]
    try:
        yield
        assert all(arena.sessions.of(name).connection_count == 1 for name in ("plain", "tls"))
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for bot in bots:
            await bot.vanish()


async def goes_on(arena: Arena) -> None:
    """Waits for some more moves of those who play."""
    count = arena.decision_count
    await until(lambda: arena.decision_count > count + 20)


def bots_of(address: str, ca: Path) -> list[str]:
    """Connects anew, and asks who there is."""
    with RemoteArena(address, ca=ca) as remote:
        return [bot.name for bot in remote.bots()]


async def serve_shortly(arena: Arena, authority: Authority) -> None:
    """Has the arena take a certificate that expires at once, and waits until it has."""
    for seconds in (2, 5, 10, 30):  # On a busy machine it may have expired before it is seen.
        ends = (datetime.now(UTC) + timedelta(seconds=seconds)).replace(microsecond=0)
        authority.sign(not_after=ends)
        try:
            await asyncio.to_thread(bots_of, arena.address, authority.pem)
        except ArenaUnreachable:
            continue
        if arena.certificate_expires_at_s == ends.timestamp():
            await asyncio.sleep((ends - datetime.now(UTC)).total_seconds() + 1)
            return
    raise AssertionError("the machine is too busy for this test")


def test_fault_row_37_a_certificate_that_expires_keeps_new_bots_out_and_no_live_one(
    tmp_path: Path, authority: Authority
) -> None:
    async def main() -> None:
        async with (
            running_arena(tmp_path / "data", **authority.sign()) as arena,
            playing(arena, authority.pem.read_bytes()),
        ):
            _, token = await arena.submit_bot("late")
            await serve_shortly(arena, authority)
            await goes_on(arena)
            late = Joined(arena, token, authority.pem)
            await late.is_told("Waiting: cannot reach localhost:")
            await late.is_told("over TLS: its certificate has expired, and whoever runs it has to")
            await goes_on(arena)
            authority.sign()
            await late.is_told("Joined the arena at localhost:")
            await goes_on(arena)
            await arena.rotate_token("late")
            assert (await late.ends()).reason is EndReason.REVOKED

    asyncio.run(main())


def test_fault_row_37_a_renewed_certificate_is_for_new_connections_and_live_ones_stay(
    tmp_path: Path, authority: Authority
) -> None:
    other = Authority(tmp_path, "other")

    async def main() -> None:
        async with (
            running_arena(tmp_path / "data", **authority.sign()) as arena,
            playing(arena, authority.pem.read_bytes()),
        ):
            await asyncio.to_thread(bots_of, arena.address, authority.pem)
            with pytest.raises(ArenaUnreachable, match="no authority that is known here signed"):
                await asyncio.to_thread(bots_of, arena.address, other.pem)
            other.sign()
            await asyncio.to_thread(bots_of, arena.address, other.pem)
            with pytest.raises(ArenaUnreachable, match="no authority that is known here signed"):
                await asyncio.to_thread(bots_of, arena.address, authority.pem)
            await goes_on(arena)
            # What is broken, or no longer good, is not taken.
            (tmp_path / "arena.pem").write_text("nonsense")
            await asyncio.to_thread(bots_of, arena.address, other.pem)
            authority.sign_expired()
            await asyncio.to_thread(bots_of, arena.address, other.pem)
            await goes_on(arena)

    asyncio.run(main())


@pytest.mark.parametrize("address", ["0.0.0.0:0", "[::]:0", "192.0.2.1:0", "example.org:0"])
def test_threat_38_other_machines_are_not_served_without_tls(address: str) -> None:
    with pytest.raises(Invalid, match="without TLS, since tokens could be read on the way"):
        ArenaSettings(grpc=address)
    ArenaSettings(grpc=address, insecure=True)


def test_threat_38_without_tls_an_arena_with_a_certificate_listens_to_this_machine_alone(
    tmp_path: Path, authority: Authority
) -> None:
    async def main() -> None:
        settings = ArenaSettings(tmp_path / "data", "0.0.0.0:0", **authority.sign())
        arena = Arena(settings)
        await arena.start()
        try:
            ports = {
                connection.laddr.port: connection.laddr.ip
                for connection in psutil.Process().net_connections("tcp")
                if connection.status == psutil.CONN_LISTEN
            }
            local = int(arena.local_address.rpartition(":")[2])
            public = int(arena.address.rpartition(":")[2])
            assert ports[local].removeprefix("::ffff:") == "127.0.0.1"
            assert ports[public] in ("0.0.0.0", "::")
            # And on the other port nobody is heard who does not speak TLS.
            plain = RemoteArena(f"127.0.0.1:{public}")
            with plain, pytest.raises(ArenaUnreachable, match="if it wants TLS"):
                await asyncio.to_thread(lambda: list(plain.bots()))
            assert await asyncio.to_thread(bots_of, f"localhost:{public}", authority.pem) == []
            assert arena.counts.calls["/sixtysix.v1.ArenaService/ListBots", "OK"] == 1
        finally:
            await arena.stop()

    asyncio.run(main())


@pytest.mark.parametrize(
    "address", ["example.org:6650", "10.0.0.1:6650", "127.example.org:1", "localhost.example:1"]
)
def test_threat_38_a_bot_does_not_speak_to_other_machines_without_tls(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert find_target(address).tls
    assert not find_target(address, insecure=True).tls
    monkeypatch.setenv("SIXTYSIX_INSECURE", "1")
    assert not find_target(address).tls
    monkeypatch.setenv("SIXTYSIX_INSECURE", "perhaps")
    with pytest.raises(InvalidRequest, match="expected 1 or 0"):
        find_target(address)


def test_threat_38_a_bot_that_wants_tls_tells_its_token_to_nobody_else(
    authority: Authority,
) -> None:
    heard = bytearray()

    def listen(listening: socket.socket) -> None:
        while True:
            try:
                peer, _ = listening.accept()
            except OSError:
                return
            with peer:
                heard.extend(peer.recv(65_536))
                peer.sendall(b"\0\0\0\4\0\0\0\0\0")  # What a server without TLS says first.

    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        thread = threading.Thread(target=listen, args=(listening,), daemon=True)
        thread.start()
        address = f"127.0.0.1:{listening.getsockname()[1]}"
        remote = RemoteArena(address, bot_token="my-very-secret-token", ca=authority.pem)
        with remote, pytest.raises(ArenaUnreachable, match="speaks no TLS: --insecure goes with"):
            remote.faults("cup.1")
        listening.shutdown(socket.SHUT_RDWR)
        thread.join(PATIENCE_S)
    assert heard[:2] == b"\x16\x03"  # A handshake of TLS.
    assert b"secret" not in heard
