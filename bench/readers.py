"""Whether people who read the pages slow the bots down.

An arena with bots that play, its pages in a process of their own, and readers in another: each
asks for a page every five seconds and follows a running tournament live. Latency is from an
answer to the next decision of its game, as the bots see it, without and with readers, in turns;
their ratio is the median of those of the turns. The readers are nice to the processor, as they
would be on machines of their own.

    python bench/readers.py [--bots 100] [--readers 50] [--seconds 10] [--repeat 3] [--json]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from importlib.metadata import version
from itertools import cycle
from pathlib import Path
from statistics import median
from typing import Any

import psutil
from hostile import ENTRANTS, PATIENT, SEED, SETTLE_S, Part, arena, observed, rss_mib, start, submit

from sixtysix_arena.web.process import WebProcess

PAUSE_S = 5.0
PAGES = ("/t/{0}", "/", "/t/{0}/games", "/b/{1}", "/g/{0}.1", "/t/{0}", "/leaderboard")


async def read(address: str, slugs: list[str], count: int) -> None:
    """Readers, until standard input ends; then they tell what they saw."""
    os.nice(19)
    host, _, port = address.partition(":")
    took: list[float] = []
    seen = {"events": 0, "failed": 0}

    async def ask(path: str) -> None:
        began_s = time.perf_counter()
        reader, writer = await asyncio.open_connection(host, int(port))
        writer.write(f"GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
        answer = await reader.read(-1)
        writer.close()
        took.append(time.perf_counter() - began_s)
        seen["failed"] += not answer.startswith(b"HTTP/1.1 200")

    async def follow(slug: str) -> None:
        reader, writer = await asyncio.open_connection(host, int(port))
        writer.write(f"GET /t/{slug}/events HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
        while line := await reader.readline():
            seen["events"] += line.startswith(b"event:")

    async def person(place: int) -> None:
        slug = slugs[place % len(slugs)]
        following = asyncio.create_task(follow(slug))
        await asyncio.sleep(PAUSE_S * place / count)
        for page in cycle(PAGES[place % len(PAGES) :] + PAGES[: place % len(PAGES)]):
            asking = asyncio.create_task(ask(page.format(slug, f"honest-{place % ENTRANTS}")))
            await asyncio.sleep(PAUSE_S)
            await asking
            assert not following.done(), "a live stream ended"

    people = [asyncio.create_task(person(place)) for place in range(count)]
    await asyncio.to_thread(sys.stdin.read)
    broken = sum(each.done() for each in people)
    print(json.dumps(seen | {"broken": broken, "pages": len(took), "page_s": median(took or [0])}))
    sys.stdout.flush()
    os._exit(0)


def readers(address: str, slugs: list[str], count: int) -> subprocess.Popen[str]:
    """The process of the readers."""
    command = [sys.executable, __file__, "--part", json.dumps([address, slugs, count])]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """All figures."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        process, remote = stack.enter_context(arena(folder, validation=False))
        bots = submit(remote, "honest", options.bots)
        playing = Part("play", remote.address, list(bots.values()))
        stack.callback(playing.end)
        start(remote, "honest", list(bots), ENTRANTS, PATIENT)
        slugs = [f"honest-{place % ENTRANTS}" for place in range(0, options.bots, ENTRANTS)]
        web = WebProcess(folder / "data", "127.0.0.1:0")
        web.start()
        stack.callback(web.stop)
        pages = next(
            each
            for each in psutil.Process().children()
            if "sixtysix_arena.web.process" in each.cmdline()
        )
        time.sleep(SETTLE_S)
        calm, read_by, told = [], [], []
        for _ in range(options.repeat):
            calm.append(observed(playing, process, options.seconds))
            reading = readers(web.address, slugs, options.readers)
            time.sleep(PAUSE_S)
            pages.cpu_percent()
            read_by.append(observed(playing, process, options.seconds))
            read_by[-1]["pages_cores"] = pages.cpu_percent() / 100
            told.append(json.loads(reading.communicate()[0]))
            time.sleep(SETTLE_S)
        figures: dict[str, Any] = {"bots": options.bots, "readers": options.readers, "seed": SEED}
        for name, turns in (("calm", calm), ("read", read_by)):
            for key in turns[0]:
                figures[f"{name}_{key}"] = round(median(turn[key] for turn in turns), 3)
        ratios = [busy["p99_ms"] / good["p99_ms"] for busy, good in zip(read_by, calm, strict=True)]
        return figures | {
            "p99_ratio": round(median(ratios), 2),
            "p99_ratio_all": [round(ratio, 2) for ratio in ratios],
            "events": sum(each["events"] for each in told),
            "pages": sum(each["pages"] for each in told),
            "page_ms": round(median(each["page_s"] for each in told) * 1_000, 1),
            "pages_failed": sum(each["failed"] + each["broken"] for each in told),
            "pages_rss_mib": rss_mib(pages),
            "honest_faults": playing.measure(0)["faults"],
            "load_average": round(os.getloadavg()[0], 1),
            "repetitions": options.repeat,
            "versions": {name: version(name) for name in ("sixtysix", "grpcio", "starlette")}
            | {"python": platform.python_version()},
        }


def main() -> None:
    """Measures and prints; or is the readers' process."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--bots", type=int, default=100, help="that play")
    parser.add_argument("--readers", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=10.0, help="of each measurement")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--part", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.part:
        asyncio.run(read(*json.loads(options.part)))
        return
    figures = measure(options)
    if options.json:
        print(json.dumps(figures))
        return
    for name, figure in figures.items():
        print(f"{name:<28}{figure}")


if __name__ == "__main__":
    main()
