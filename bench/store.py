"""What it costs to make deals durable, beside what SQLite alone would cost.

Each commit is a tick: so many deals are over, and as many start. Three ways,
from one run, interleaved, since machines are noisy:

- store: `Store.commit`, as the arena uses it;
- thread: the same through the thread that writes, from an event loop;
- sqlite: the same rows with the standard library's sqlite3, by hand.

    python bench/store.py [--ticks 300] [--json]
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import platform
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from importlib.metadata import version
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from sixtysix.api import TournamentDefinition
from sixtysix.rules import RULESETS
from sixtysix_arena.schedule import round_robin
from sixtysix_arena.store import DataFolder, DealOver, DealStarted, Event, Store, StoreThread

NOW = "2026-01-31T12:00:00Z"
SEED = "store"
ENTRANTS = tuple(f"bot-{number}" for number in range(12))
GAMES_PER_PAIRING = 20
RECORD_BYTES = 110
TICK_SIZES = (1, 4, 16, 64)


def prepare(store: Store) -> list[int]:
    """Starts a tournament; the ids of its games."""
    definition = TournamentDefinition(
        name="Bench",
        slug="bench",
        rules=RULESETS["classic"],
        games_per_pairing=GAMES_PER_PAIRING,
        games_at_once=32,
        entrants=ENTRANTS,
        practice_seed=SEED,
    )
    store.create_tournament(definition, seed=SEED.encode(), commitment=bytes(32), at=NOW)
    store.start_tournament("bench", round_robin(ENTRANTS, GAMES_PER_PAIRING), NOW)
    return [game.id for game in store.games("bench")]


def ticks(games: list[int], size: int) -> Iterator[list[Event]]:
    """Ticks of `size` deals each, over and over through the games."""
    deals = ((game, deal) for deal in itertools.count() for game in games)
    while True:
        batch: list[Event] = []
        for game, deal in itertools.islice(deals, size):
            batch.append(DealOver(game, deal, bytes(RECORD_BYTES), (deal % 8, 0)))
            batch.append(DealStarted(game, deal + 1))
        yield batch


def by_hand(connection: sqlite3.Connection, batch: list[Event]) -> None:
    """A tick without the store."""
    over = [event for event in batch if isinstance(event, DealOver)]
    connection.execute("BEGIN IMMEDIATE")
    connection.executemany(
        "INSERT INTO deal (game_id, number, record) VALUES (?, ?, ?)",
        [(event.game_id, event.deal, event.record) for event in over],
    )
    connection.executemany(
        "UPDATE game SET score0 = ?, score1 = ?, deal_count = deal_count + 1, "
        "deals_started = ? WHERE id = ?",
        [(*event.score, event.deal + 2, event.game_id) for event in over],
    )
    connection.execute("COMMIT")


def timed(call: Callable[[], object]) -> float:
    """Microseconds of one call."""
    began = time.perf_counter()
    call()
    return (time.perf_counter() - began) * 1e6


def measure(size: int, tick_count: int) -> dict[str, list[float]]:
    """Microseconds of each commit of `size` deals, by the way it was done."""
    took: dict[str, list[float]] = {"store": [], "thread": [], "sqlite": []}
    with tempfile.TemporaryDirectory() as scratch, asyncio.Runner() as runner:
        folders = {way: DataFolder.open(Path(scratch) / way, create=True) for way in took}
        locks = [folder.lock() for folder in folders.values()]
        stores = {
            way: folder.open_store(lock)
            for (way, folder), lock in zip(folders.items(), locks, strict=True)
        }
        batches = {way: ticks(prepare(store), size) for way, store in stores.items()}
        stores["sqlite"].close()
        alone = sqlite3.connect(folders["sqlite"].database, isolation_level=None)
        alone.execute("PRAGMA synchronous = NORMAL")
        thread = StoreThread(lambda: stores["thread"])
        runner.run(thread.start())
        for _ in range(tick_count):
            batch = next(batches["store"])
            took["store"].append(timed(partial(stores["store"].commit, batch)))
            call = thread.run(Store.commit, next(batches["thread"]))
            took["thread"].append(timed(partial(runner.run, call)))
            batch = next(batches["sqlite"])
            took["sqlite"].append(timed(partial(by_hand, alone, batch)))
        runner.run(thread.close())
        stores["store"].close()
        alone.close()
        for lock in locks:
            lock.close()
    return took


def figures(tick_count: int) -> dict[str, Any]:
    """All that is printed."""
    found: dict[str, Any] = {"seed": SEED, "ticks": tick_count, "record_bytes": RECORD_BYTES}
    for size in TICK_SIZES:
        took = measure(size, tick_count)
        for way, times in took.items():
            found[f"{way}_{size}_us_per_commit"] = round(median(times))
            found[f"{way}_{size}_us_per_commit_p99"] = round(quantiles(times, n=100)[98])
            found[f"{way}_{size}_us_per_deal"] = round(median(times) / size, 1)
        found[f"store_to_sqlite_{size}_ratio"] = round(
            median(took["store"]) / median(took["sqlite"]), 2
        )
    found["versions"] = {name: version(name) for name in ("sixtysix", "sqlalchemy")} | {
        "python": platform.python_version(),
        "sqlite": sqlite3.sqlite_version,
    }
    return found


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--ticks", type=int, default=300, help="of each size")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args()
    found = figures(options.ticks)
    if options.json:
        print(json.dumps(found))
        return
    print("deals in a commit  us a commit (p99)     us a deal  through the thread  to sqlite alone")
    for size in TICK_SIZES:
        print(
            f"{size:>17}  {found[f'store_{size}_us_per_commit']:>11} "
            f"({found[f'store_{size}_us_per_commit_p99']:>5})  "
            f"{found[f'store_{size}_us_per_deal']:>12}  "
            f"{found[f'thread_{size}_us_per_deal']:>18}  "
            f"{found[f'store_to_sqlite_{size}_ratio']:>15}"
        )


if __name__ == "__main__":
    main()
