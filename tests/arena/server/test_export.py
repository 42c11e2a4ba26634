"""Exports as the server sends them: in parts, to anybody, one at a time."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import grpc
import pytest
from support.forgeries import LINES
from support.played import events, play_game
from support.serving import FakeHost, serving
from support.stored import create, start

from sixtysix import api
from sixtysix.client import RemoteArena
from sixtysix.rules import RULESETS
from sixtysix.v1 import arena_pb2, arena_pb2_grpc
from sixtysix_arena.queries import StoredArena
from sixtysix_arena.server import service
from sixtysix_arena.store import DataFolder

RULES = RULESETS["classic"]


@pytest.fixture
def host(tmp_path: Path) -> Iterator[FakeHost]:
    """An arena with one tournament that is being played."""
    folder = DataFolder.open(tmp_path / "data", create=True)
    with folder.lock() as lock, folder.open_store(lock) as store:
        create(store, rules=RULES)
        for seed, game in enumerate(start(store)[:4]):
            store.commit(events(game, play_game(RULES, seed, seed % 2)))
    with folder.open_reader() as reader:
        yield FakeHost(StoredArena(reader))


@pytest.fixture
def address(host: FakeHost) -> Iterator[str]:
    with serving(host) as address:
        yield address


def chunks(address: str, slug: str = "cup") -> list[bytes]:
    """What the bare protocol gives, without a token."""
    with grpc.insecure_channel(address) as channel:
        stub: Any = arena_pb2_grpc.ArenaServiceStub(channel)  # type: ignore[no-untyped-call]
        request = arena_pb2.ExportTournamentRequest(slug=slug)
        return [response.chunk for response in stub.ExportTournament(request, timeout=20)]


def test_anybody_may_read_a_record(address: str, host: FakeHost) -> None:
    with RemoteArena(address) as anybody:
        lines = list(anybody.export("cup"))
        assert len(lines) == 1 + 4 + 1
        assert lines == list(host.stored.export("cup"))
        with pytest.raises(api.NotFound, match="no tournament 'nix'"):
            next(anybody.export("nix"))


@pytest.mark.parametrize("size", [7, 1_000, 10**6])
def test_parts_are_of_one_size(
    address: str, host: FakeHost, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    monkeypatch.setattr(service, "CHUNK_BYTES", size)
    whole = "".join(host.stored.export("cup")).encode()
    if size == 7:
        monkeypatch.setattr(host.stored, "export", lambda slug: iter(["ü\n", "x" * 20, "y"]))
        whole = ("ü\n" + "x" * 20 + "y").encode()
    got = chunks(address)
    assert b"".join(got) == whole
    assert {len(chunk) for chunk in got[:-1]} <= {size}
    assert 0 < len(got[-1]) <= size


def test_a_part_is_at_most_64_kib() -> None:
    assert service.CHUNK_BYTES == 65_536


def test_records_are_made_one_at_a_time(
    address: str, host: FakeHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many read, so that threads remain for whoever asks something else."""
    at_once = 0
    most = 0
    lock, pause = threading.Lock(), threading.Event()

    def export(_slug: str) -> Iterator[str]:
        nonlocal at_once, most
        for line in LINES * 3:
            with lock:
                at_once += 1
                most = max(most, at_once)
            pause.wait(0.001)
            with lock:
                at_once -= 1
            yield line

    monkeypatch.setattr(host.stored, "export", export)
    readers = [threading.Thread(target=chunks, args=(address,)) for _ in range(6)]
    for reader in readers:
        reader.start()
    for reader in readers:
        reader.join(20)
    assert most == 1


def test_a_reader_that_does_not_read_keeps_nobody_waiting(
    address: str, host: FakeHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(host.stored, "export", lambda slug: iter(["x" * 65_536] * 200))
    with grpc.insecure_channel(address) as channel:
        stub: Any = arena_pb2_grpc.ArenaServiceStub(channel)  # type: ignore[no-untyped-call]
        idle = stub.ExportTournament(arena_pb2.ExportTournamentRequest(slug="cup"))
        assert len(next(idle).chunk) == 65_536
        assert sum(map(len, chunks(address))) == 200 * 65_536
        idle.cancel()
