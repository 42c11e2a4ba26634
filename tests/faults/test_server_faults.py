"""What its surroundings do to an arena: ports, files, the log, its own slowness; its health."""

from __future__ import annotations

import asyncio
import json
import logging
import resource
import socket
import threading
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import grpc
import grpc.aio
import psutil
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from support.arenas import RawBot, bot, definition, outcomes, running_arena, until_finished
from support.commands import Workplace, wait_for
from support.misbehaving import PATIENT, answer, run

import sixtysix
from sixtysix.client import RemoteArena
from sixtysix.clock import Clock
from sixtysix.outcome import GameEnd
from sixtysix_arena import logs
from sixtysix_arena.arena import Arena
from sixtysix_arena.config import ArenaSettings
from sixtysix_arena.errors import Unavailable
from sixtysix_arena.logs import logging_to, lost_line_count
from sixtysix_arena.store import DataFolder, Store

SERVING = health_pb2.HealthCheckResponse.SERVING
NOT_SERVING = health_pb2.HealthCheckResponse.NOT_SERVING
PATIENCE_S = 60.0
FREE_FILES = 20
"""What an arena without files still has: gRPC tries once a second to take more connections."""


async def until(found: Any) -> None:
    """Waits until `found()` is true."""
    async with asyncio.timeout(PATIENCE_S):
        while not found():  # noqa: ASYNC110
            await asyncio.sleep(0.01)


def test_fault_row_54_a_second_arena_on_a_port_is_refused_and_told_whose_it_is(
    tmp_path: Path,
) -> None:
    async def main() -> None:
        async with running_arena(tmp_path / "first") as first:
            second = Arena(ArenaSettings(data=tmp_path / "second", grpc=first.address))
            with pytest.raises(Unavailable) as caught:
                await second.start()
            me = psutil.Process()
            assert str(caught.value) == (
                f"the address {first.address} cannot be used: process {me.pid} ({me.name()}) has"
                " the port; choose another one with --grpc HOST:PORT"
            )
            assert not (tmp_path / "second" / "address").exists()
            await first.submit_bot("a")  # Which is served as before.

    run(main())


def test_fault_row_47_with_a_full_disk_for_the_log_games_go_on_and_the_loss_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(logs, "RETRY_S", 0.05)
    path = tmp_path / "arena.log"
    path.symlink_to("/dev/full")  # Where every write fails for want of space.

    async def main() -> None:
        async with (
            running_arena(tmp_path / "data", metrics="127.0.0.1:0") as arena,
            bot(arena, "a", RawBot.play),
            bot(arena, "b", RawBot.play),
        ):
            await arena.create_tournament(definition(("a", "b"), clock=PATIENT))
            await arena.start_tournament("cup")
            await until_finished(arena)
            assert [outcome.end for outcome in outcomes(arena)] == [GameEnd.TARGET] * 2
            await until(lambda: lost_line_count() > 4)
            before = lost_line_count()
            lost = await asyncio.to_thread(scraped, arena, "sixtysix_lost_log_lines_total")
            assert before <= lost <= lost_line_count()
            path.unlink()  # Somebody made room.
            await until(lambda: path.exists() and b"were lost" in path.read_bytes())

    with logging_to(path, is_service=True):
        run(main())
    news, *lines = map(json.loads, path.read_text().splitlines())
    assert news["message"] == "lines of the log were lost"
    assert news["lines"] > 4
    assert lines[-1]["message"] == "the arena has stopped"


def scraped(arena: Arena, name: str) -> float:
    """The value of a metric without labels."""
    from urllib.request import urlopen

    with urlopen(f"http://{arena.metrics_address}/metrics") as response:
        lines = response.read().decode().splitlines()
    (value,) = (line.partition(" ")[2] for line in lines if line.startswith(f"{name} "))
    return float(value)


def test_fault_row_63_a_loop_that_is_held_up_is_measured_and_costs_no_bot_its_time(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Much longer than a bot has for a move: it finds its decision, and is in time."""
    clock = Clock(per_move_ms=1_000, per_game_ms=60_000, grace_ms=5_000, join_ms=5_000)
    held_up_s = 2.5

    async def main() -> None:
        async with (
            running_arena(tmp_path / "data") as arena,
            bot(arena, "a") as first,
            bot(arena, "b", RawBot.play),
        ):
            await arena.create_tournament(definition(("a", "b"), games_per_pairing=2, clock=clock))
            await arena.start_tournament("cup")
            decision = await first.decision()
            time.sleep(held_up_s)  # noqa: ASYNC251 - a long parse, say, or the collector.
            await asyncio.sleep(0.2)  # The sweep has had its chance to time the bot out.
            assert arena.counts.faults.total() == 0
            bound, slower = max(
                (bound, arena.counts.lag_s.count - count)
                for bound, count in arena.counts.lag_s.cumulative()
                if bound < held_up_s
            )
            assert bound == 2
            assert slower >= 1
            await first.answer(answer(decision))
            await first.play_until_over(arena)
            assert [outcome.end for outcome in outcomes(arena)] == [GameEnd.TARGET] * 2

    with caplog.at_level(logging.WARNING, "sixtysix_arena"):
        run(main())
    held_up = [record for record in caplog.records if "held up" in record.message]
    assert max(vars(record)["seconds"] for record in held_up) >= held_up_s - 0.1


class Probe:
    """Somebody who watches over an arena, without a token."""

    def __init__(self, arena: Arena) -> None:
        self._channel = grpc.aio.insecure_channel(arena.address)
        self._stub: Any = health_pb2_grpc.HealthStub(self._channel)

    async def check(self, service: str = "") -> int:
        """How it is now."""
        request = health_pb2.HealthCheckRequest(service=service)
        status: int = (await self._stub.Check(request)).status
        return status

    async def watch(self, seen: list[int]) -> None:
        """Notes each state, to the end."""
        with suppress(grpc.aio.AioRpcError):
            async for response in self._stub.Watch(health_pb2.HealthCheckRequest()):
                seen.append(response.status)

    async def close(self) -> None:
        await self._channel.close()


def test_fault_row_70_health_is_not_serving_while_nothing_can_be_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    full = [False]
    commit = Store.commit

    def commit_or_not(store: Store, events: Any) -> None:
        if full[0]:
            raise Unavailable("the disk is full")
        commit(store, events)

    monkeypatch.setattr(Store, "commit", commit_or_not)
    seen: list[int] = []

    async def main() -> None:
        async with (
            running_arena(tmp_path / "data") as arena,
            bot(arena, "a", RawBot.play),
            bot(arena, "b", RawBot.play),
        ):
            probe = Probe(arena)
            watching = asyncio.create_task(probe.watch(seen))
            for service in ("", "sixtysix.v1.PlayService", "sixtysix.v1.ArenaService"):
                assert await probe.check(service) == SERVING
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await probe.check("somebody.elses.Service")
            assert caught.value.code() is grpc.StatusCode.NOT_FOUND
            await until(lambda: seen == [SERVING])
            await arena.create_tournament(
                definition(("a", "b"), games_per_pairing=20, clock=PATIENT)
            )
            await arena.start_tournament("cup")
            await until(lambda: arena.decision_count > 20)
            full[0] = True
            await until(lambda: not arena.can_store)
            assert await probe.check() == NOT_SERVING
            await until(lambda: seen == [SERVING, NOT_SERVING])
            full[0] = False
            await until(lambda: arena.can_store)
            assert await probe.check() == SERVING
            await until(lambda: seen == [SERVING, NOT_SERVING, SERVING])
            await until_finished(arena)
        await asyncio.wait_for(watching, PATIENCE_S)  # Its end does not hold the arena up.
        assert seen[3:] == [NOT_SERVING]
        await probe.close()

    run(main())


def test_fault_row_70_a_commit_that_hangs_is_not_serving_either(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sixtysix_arena.arena.STUCK_STORE_S", 0.2)
    commit = Store.commit
    goes_on = threading.Event()

    def commit_slowly(store: Store, events: Any) -> None:
        goes_on.wait(PATIENCE_S)
        commit(store, events)

    monkeypatch.setattr(Store, "commit", commit_slowly)

    async def main() -> None:
        async with running_arena(tmp_path / "data") as arena, bot(arena, "a"), bot(arena, "b"):
            probe = Probe(arena)
            await arena.create_tournament(definition(("a", "b"), clock=PATIENT))
            await arena.start_tournament("cup")
            await until(lambda: not arena.can_store)
            assert await probe.check() == NOT_SERVING
            goes_on.set()
            await until(lambda: arena.can_store)
            assert await probe.check() == SERVING
            await probe.close()

    run(main())


@asynccontextmanager
async def raw_bots(address: str, *tokens: str) -> AsyncIterator[list[int]]:
    """Bots that are here already and play; what they have played so far."""
    moves: list[int] = []

    def choose(decision: Any) -> int:
        moves.append(decision.legal[0])
        return moves[-1]

    bots = [RawBot(address, token) for token in tokens]
    for each in bots:
        await each.hello()
    tasks = [asyncio.create_task(each.play(choose)) for each in bots]
    try:
        yield moves
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for each in bots:
            await each.vanish()


def test_fault_row_65_without_files_games_go_on_and_new_joins_wait(tmp_path: Path) -> None:
    work = Workplace(tmp_path)
    told: list[str] = []

    async def main(process: Any, remote: RemoteArena) -> None:
        tokens = {name: remote.submit_bot(name)[1] for name in ("a", "b", "late")}
        remote.create_tournament(definition(("a", "b"), games_per_pairing=1_000, clock=PATIENT))
        remote.start_tournament("cup")

        async with raw_bots(remote.address, tokens["a"], tokens["b"]) as moves:
            await until(lambda: len(moves) > 100)  # All is open that is opened once.
            limit = psutil.Process(process.pid).num_fds() + FREE_FILES
            resource.prlimit(process.pid, resource.RLIMIT_NOFILE, (limit, limit))
            host, _, port = remote.address.rpartition(":")
            crowd = [socket.create_connection((host, int(port))) for _ in range(4 * FREE_FILES)]
            await until(lambda: psutil.Process(process.pid).num_fds() >= limit)
            joining = asyncio.create_task(
                asyncio.to_thread(
                    sixtysix.join,
                    lambda view: view.legal[0],
                    arena=remote.address,
                    token=tokens["late"],
                    tell=told.append,
                )
            )
            before = len(moves)
            await until(lambda: len(moves) > before + 500)
            assert not any("Joined" in text for text in told)
            for each in crowd:
                each.close()
            await until(lambda: any("Joined" in text for text in told))
            remote.disable_bot("late")
            await asyncio.wait_for(joining, PATIENCE_S)

    command = work.command("serve", "--grpc", "127.0.0.1:0", "--log", "arena.log")
    with work.running(*command, SIXTYSIX_VALIDATION="0") as process:
        data = tmp_path / "sixtysix-data"
        wait_for(lambda: (data / "address").exists(), "the arena")
        folder = DataFolder.open(data, create=False)
        with RemoteArena(folder.address(), folder.admin_token()) as remote:
            run(main(process, remote))
        assert process.poll() is None
    assert "Traceback" not in (tmp_path / "arena.log").read_text()
