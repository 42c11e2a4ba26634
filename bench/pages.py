"""How fast the pages of a large arena are.

Two tournaments of many bots are generated, one over and one running; then every page is asked
for over HTTP from the pages' own process, once cold and then again and again.

    python bench/pages.py [--bots 200] [--repeat 20] [--data DIR] [--json]

With --data the folder is kept, and used again if it is there.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import platform
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from importlib.metadata import version
from pathlib import Path
from statistics import median
from typing import Any

import generated
import psutil

from sixtysix_arena.web.process import WebProcess

GAMES_PER_PAIRING = 2
LIMIT_MS = 200.0
WAIT_S = 300.0
LANGUAGES = ("en", "ru")


def addresses(bots: int) -> Iterator[str]:
    """Every page, those of a tournament of both."""
    game_count = bots * (bots - 1) // 2 * GAMES_PER_PAIRING
    last = f"bot-{bots - 1:03}"
    for slug in ("big", "live"):
        yield from (
            f"/t/{slug}",
            f"/t/{slug}?bot={last}",
            f"/t/{slug}.json",
            f"/t/{slug}.csv",
            f"/t/{slug}/cross.csv",
            f"/t/{slug}/games",
            f"/t/{slug}/games?after={game_count - 150}",
            f"/t/{slug}/games?result=open",
            f"/t/{slug}/games?bot={last}&result=won",
            f"/t/{slug}/games?fault=timeout",
            f"/t/{slug}/games?bot={last}&fault=any",
            f"/t/{slug}/vs/bot-000/{last}",
            f"/g/{slug}.{game_count // 2}",
            f"/g/{slug}.{game_count // 2}/0",
            f"/g/{slug}.{game_count // 2}/0?ply=5&seat=0",
            f"/g/{slug}.{game_count // 2}/record.jsonl",
            f"/fair/{slug}",
        )
    yield from (
        "/",
        "/index.json",
        "/t",
        f"/b/{last}",
        "/b/bot-000.json",
        "/leaderboard?rules=classic",
        "/leaderboard.csv?rules=classic",
        "/leaderboard?rules=doubling",
        "/rules/classic",
        "/numbers",
        "/docs",
        "/faces/ru/QS.svg",
        "/healthz",
    )


def ask(connection: http.client.HTTPConnection, address: str, language: str) -> tuple[float, int]:
    """Milliseconds till the last byte, and how many there were."""
    began = time.perf_counter()
    connection.request("GET", address, headers={"Accept-Language": language})
    answer = connection.getresponse()
    body = answer.read()
    took = (time.perf_counter() - began) * 1_000
    if answer.status != 200:
        raise RuntimeError(f"{address}: {answer.status} {body[:200]!r}")
    return took, len(body)


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """All figures."""
    with ExitStack() as stack:
        if options.data is None:
            data = Path(stack.enter_context(tempfile.TemporaryDirectory())) / "data"
        else:
            data = options.data
        generate_s = 0.0
        if not data.exists():
            began = time.perf_counter()
            generated.fill(data, bots=options.bots, games_per_pairing=GAMES_PER_PAIRING)
            generate_s = time.perf_counter() - began
        pages = WebProcess(data, "127.0.0.1:0")
        pages.start()
        stack.callback(pages.stop)
        process = next(
            each
            for each in psutil.Process().children()
            if "sixtysix_arena.web.process" in each.cmdline()
        )
        host, _, port = pages.address.partition(":")
        connection = http.client.HTTPConnection(host, int(port), timeout=WAIT_S)
        rss_at_start_mib = rss_mib(process)
        found: dict[str, dict[str, float]] = {}
        for address in addresses(options.bots):
            cold, size = ask(connection, address, "en")
            found[address] = {"cold_ms": round(cold, 1), "kib": round(size / 1024, 1)}
        for address, figures in found.items():
            before_s = cpu_s(process)
            took = [
                ask(connection, address, LANGUAGES[turn % 2])[0] for turn in range(options.repeat)
            ]
            figures["cpu_ms"] = round((cpu_s(process) - before_s) * 1_000 / options.repeat, 1)
            figures |= {"median_ms": round(median(took), 1), "max_ms": round(max(took), 1)}
        return {
            "bots": options.bots,
            "games": options.bots * (options.bots - 1) // 2 * GAMES_PER_PAIRING,
            "seed": generated.SEED,
            "repetitions": options.repeat,
            "generate_s": round(generate_s, 1),
            "database_mib": round((data / "arena.db").stat().st_size / 2**20, 1),
            "rss_at_start_mib": rss_at_start_mib,
            "rss_mib": rss_mib(process),
            "slowest_median_ms": max(each["median_ms"] for each in found.values()),
            "slowest_cold_ms": max(each["cold_ms"] for each in found.values()),
            "limit_ms": LIMIT_MS,
            "pages": found,
            "load_average": round(os.getloadavg()[0], 1),
            "versions": {name: version(name) for name in ("sixtysix", "starlette", "jinja2")}
            | {"python": platform.python_version()},
        }


def cpu_s(process: psutil.Process) -> float:
    """What it has taken of the processor."""
    times = process.cpu_times()
    return float(times.user + times.system)


def rss_mib(process: psutil.Process) -> float:
    """Resident memory."""
    return round(float(process.memory_info().rss) / 2**20, 1)


def main() -> int:
    """Measures and prints; 1 if a page is too slow."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--bots", type=int, default=200)
    parser.add_argument("--repeat", type=int, default=20)
    parser.add_argument("--data", type=Path, help="keep the generated data folder here")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args()
    figures = measure(options)
    slow = figures["slowest_median_ms"] >= LIMIT_MS
    if options.json:
        print(json.dumps(figures))
        return int(slow)
    pages = figures.pop("pages")
    print("median ms     max     cpu    cold     KiB  page")
    for address, each in sorted(pages.items(), key=lambda page: -page[1]["median_ms"]):
        print(
            f"{each['median_ms']:>9}{each['max_ms']:>8}{each['cpu_ms']:>8}{each['cold_ms']:>8}{each['kib']:>8}"
            f"  {address}"
        )
    for name, figure in figures.items():
        print(f"{name:<20}{figure}")
    return int(slow)


if __name__ == "__main__":
    sys.exit(main())
