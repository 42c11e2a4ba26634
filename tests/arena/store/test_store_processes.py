"""Death, locks and full disks: what the store keeps, and what it says."""

from __future__ import annotations

import contextlib
import os
import resource
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator

import pytest
from sqlalchemy import text
from support.stored import NOW, create, start

from sixtysix_arena.errors import ArenaError, Unavailable
from sixtysix_arena.store import DataFolder, DealOver, DealStarted, Event, GameOpened, Store
from sixtysix_arena.store.engine import open_engine

WRITE = """
import sys
from support.stored import create, start
from sixtysix_arena.store import DataFolder, DealOver, DealStarted, GameOpened
folder = DataFolder.open(sys.argv[1], create=True)
store = folder.open_store(folder.lock())
if not store.tournaments():
    create(store)
    start(store)
ids = [game.id for game in store.games("cup")]
game = store.unfinished_games("cup")[0]
first = game.game.deals_started if game.deal_in_progress is None else game.deal_in_progress
print(first, flush=True)
for deal in range(first, 10**6):
    store.commit([DealStarted(game, deal) for game in ids])
    store.commit([DealOver(game, deal, b"%d" % deal * 20, (deal, 0)) for game in ids])
    print(deal, flush=True)
"""


@contextlib.contextmanager
def writer(folder: DataFolder) -> Iterator[subprocess.Popen[bytes]]:
    """Another process that plays deals and tells of each that it has stored."""
    with subprocess.Popen(
        [sys.executable, "-c", WRITE, str(folder.path)],
        stdout=subprocess.PIPE,
        env={"PYTHONPATH": os.pathsep.join(sys.path)},
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def told(process: subprocess.Popen[bytes]) -> int:
    assert process.stdout is not None
    return int(process.stdout.readline())


def test_fault_rows_38_to_42_a_kill_loses_nothing_that_was_committed(folder: DataFolder) -> None:
    for round_number in range(5):
        with writer(folder) as process:
            last = told(process)
            for _ in range(20 + 30 * round_number):
                last = told(process)
            process.kill()
            assert process.stdout is not None
            last = max([last, *map(int, process.stdout.read().split()[-1:])])
        # The first look is a reader's, which finds the log of the dead.
        with folder.open_reader() as reader:
            seen = [reader.deals(game.id) for game in reader.games("cup")]
        with folder.lock() as lock, folder.open_store(lock) as store:
            for game, deals in zip(store.games("cup"), seen, strict=True):
                numbers = [number for number, _ in store.deals(game.id)]
                assert store.deals(game.id) == deals
                assert numbers == list(range(len(numbers)))
                assert len(numbers) in (last + 1, last + 2)
                assert game.deal_count == len(numbers)
                assert game.score == (numbers[-1], 0)
                assert game.deals_started - len(numbers) in (0, 1)
            # The next writer goes on with the deal in progress, if there is one.
            assert len({game.deals_started for game in store.games("cup")}) == 1
            assert not any(entry.broken_deals for entry in store.unfinished_games("cup"))


def test_a_reader_beside_a_writing_process(folder: DataFolder) -> None:
    with writer(folder) as process:
        told(process)
        counts: list[int] = []
        with folder.open_reader() as reader:
            while len(counts) < 100 or counts[-1] < counts[0] + 20:
                with reader.snapshot() as snapshot:
                    games = snapshot.games("cup")
                    counts.append(games[0].deal_count)
                    # Each commit is seen whole, or not at all.
                    assert {game.deal_count for game in games} == {counts[-1]}
                    assert len(snapshot.deals(games[5].id)) == counts[-1]
        assert counts == sorted(counts)


def test_two_connections_lose_no_update(folder: DataFolder) -> None:
    with folder.lock() as lock, folder.open_store(lock) as store:
        create(store)
        (game_id, *_) = start(store)

        def count_up(times: int) -> None:
            engine = open_engine(folder.database, writing=True)
            for _ in range(times):
                with engine.begin() as connection:
                    value = connection.execute(
                        text("SELECT deals_started FROM game WHERE id = :id"), {"id": game_id}
                    ).scalar_one()
                    time.sleep(0.0005)
                    connection.execute(
                        text("UPDATE game SET deals_started = :value WHERE id = :id"),
                        {"value": value + 1, "id": game_id},
                    )
            engine.dispose()

        threads = [threading.Thread(target=count_up, args=(100,)) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert store.game_by_id(game_id).deals_started == 200


def test_fault_row_48_a_lock_of_another_process_is_waited_for(folder: DataFolder) -> None:
    with folder.lock() as lock, folder.open_store(lock, busy_timeout_ms=5_000) as store:
        other = sqlite3.connect(folder.database, isolation_level=None, check_same_thread=False)
        other.execute("BEGIN IMMEDIATE")
        release = threading.Timer(0.3, other.execute, ("ROLLBACK",))
        release.start()
        store.add_bot("ada", b"a" * 32, NOW)
        release.join()
        other.close()


def test_fault_row_48_a_lock_that_stays_is_told_and_passes(folder: DataFolder) -> None:
    with folder.lock() as lock, folder.open_store(lock, busy_timeout_ms=50) as store:
        other = sqlite3.connect(folder.database, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(Unavailable, match="another process holds its lock"):
            store.add_bot("ada", b"a" * 32, NOW)
        assert store.bots() == (), "reading goes on"
        other.close()
        store.add_bot("ada", b"a" * 32, NOW)
        assert len(store.bots()) == 1


@contextlib.contextmanager
def full_disk(folder: DataFolder) -> Iterator[None]:
    """No file may grow beyond what the largest of the folder has now."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    largest = max(path.stat().st_size for path in folder.path.iterdir())
    resource.setrlimit(resource.RLIMIT_FSIZE, (largest, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_fault_row_46_a_full_disk_is_told_and_passes(folder: DataFolder) -> None:
    with folder.lock() as lock, folder.open_store(lock) as store:
        create(store)
        (game_id, *_) = start(store)
        batch: list[Event] = [
            GameOpened(game_id),
            DealStarted(game_id, 0),
            *(DealOver(game_id, deal, bytes(50_000), (deal, 0)) for deal in range(20)),
        ]
        before = store.game_by_id(game_id)
        with full_disk(folder):
            with pytest.raises(Unavailable, match=r"nothing of this call was stored"):
                store.commit(batch)
            with pytest.raises(Unavailable, match=r"nothing of this call was stored"):
                store.commit(batch)
            assert store.game_by_id(game_id) == before
            assert store.deals(game_id) == ()
        store.commit(batch)
        assert len(store.deals(game_id)) == 20
        assert store.game_by_id(game_id).deals_started == 1


def test_fault_row_46_a_full_database_is_told(store: Store, cup: list[int]) -> None:
    limit(store, pages=40)
    with pytest.raises(Unavailable, match="the disk is full"):
        store.commit([DealOver(cup[0], 0, bytes(500_000), (1, 0))])
    assert store.deals(cup[0]) == ()
    store.commit([DealOver(cup[0], 0, b"", (1, 0))])
    limit(store, pages=1_000_000)
    store.commit([DealOver(cup[0], 1, bytes(500_000), (1, 0))])
    assert len(store.deals(cup[0])) == 2


def limit(store: Store, pages: int) -> None:
    connection = store._writer
    connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")
    connection.rollback()


def test_errors_of_the_database_stay_inside(folder: DataFolder) -> None:
    with folder.lock() as lock, folder.open_store(lock, busy_timeout_ms=0) as store:
        other = sqlite3.connect(folder.database, isolation_level=None)
        other.execute("DROP TABLE fault")
        other.execute("DROP TABLE deal")
        other.close()
        for call in (lambda: store.deals(1), lambda: store.commit([DealOver(1, 0, b"", (0, 0))])):
            with pytest.raises(ArenaError, match="no such table"):
                call()
