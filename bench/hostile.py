"""What an arena with many bots takes, and whether hostile ones slow the honest ones down.

The arena, the honest bots, the idle ones and the hostile ones are processes of their own.
The hostile ones are nice to the processor, as they would be on machines of their own.

- joining: from the first connection of all honest bots at once to the last welcome;
- memory: the arena's, with the honest bots playing and the idle ones connected;
- latency: from an answer to the next decision of its game, as its bots see it, without
  and with hostile bots, in turns. Other programs only ever make it longer, so the ratio
  is that of the best turns; all else is the median of the turns.

    python bench/hostile.py [--bots 500] [--idle 1000] [--hostile 50] [--seconds 5] [--repeat 3]
        [--validation] [--json]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from importlib.metadata import version
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

import psutil
from light_bots import HOSTILE, Bot, Tally

from sixtysix.api import TournamentDefinition
from sixtysix.client.calls import RemoteArena
from sixtysix.clock import Clock
from sixtysix.rules import RULESETS

SEED = "hostile"
THINK_S = 0.2
"""So that the honest bots alone leave the arena some of its core, as they should."""
ENTRANTS = 20
"""Honest bots of a tournament; each plays one game at a time."""
HOSTILE_ENTRANTS = 10
PATIENT = Clock(per_move_ms=60_000, per_game_ms=600_000, grace_ms=10_000, join_ms=600_000)
SHORT = Clock(per_move_ms=1_000, per_game_ms=10_000, grace_ms=60_000, join_ms=60_000)
SETTLE_S = 1.0
START_LIMIT_S = 60.0


# The bots' processes: orders on standard input, an answer in JSON for each on standard output.


async def play(address: str, tokens: list[str], think_s: float) -> None:
    """Honest bots, or idle ones: they join at once, and tell of a time when they are asked."""
    tally = Tally()
    bots = [Bot(address, token, tally, Random(f"{SEED} {token}"), think_s) for token in tokens]
    began_s = time.perf_counter()
    await asyncio.gather(*(bot.connect() for bot in bots))
    await asyncio.gather(*(bot.welcomed.wait() for bot in bots))
    tell(join_s=max(tally.welcomed_s) - began_s)
    process = psutil.Process()
    while order := await asyncio.to_thread(sys.stdin.readline):
        tally.latencies_s.clear()
        process.cpu_percent()
        await asyncio.sleep(float(order))
        found = sorted(tally.latencies_s)
        tell(
            count=len(found),
            p50_s=found[len(found) // 2] if found else 0.0,
            p99_s=found[len(found) * 99 // 100] if found else 0.0,
            cpu=process.cpu_percent() / 100,
            ended=tally.ended_count,
            faults=tally.fault_count,
        )


async def attack(address: str, tokens: list[str]) -> None:
    """Hostile bots, of all kinds."""
    os.nice(19)
    logging.getLogger("asyncio").setLevel(logging.ERROR)  # It tells of what is sent in vain.
    tally = Tally()
    bots = [
        HOSTILE[place % len(HOSTILE)](address, token, tally, Random(f"{SEED} {token}"))
        for place, token in enumerate(tokens)
    ]
    running = [asyncio.create_task(bot.run()) for bot in bots]
    tell()
    await asyncio.to_thread(sys.stdin.read)
    for task in running:
        task.cancel()


def tell(**figures: float) -> None:
    """Answers an order."""
    print(json.dumps(figures), flush=True)


class Part:
    """A process of bots."""

    def __init__(self, kind: str, address: str, tokens: list[str]) -> None:
        self._process = subprocess.Popen(
            [sys.executable, __file__, "--part", kind],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._order(json.dumps({"address": address, "tokens": tokens}))
        self.began = self._answer()

    def measure(self, seconds: float) -> dict[str, float]:
        """What the bots saw in so many seconds."""
        self._order(str(seconds))
        return self._answer()

    def end(self) -> None:
        """Ends the process."""
        self._process.kill()
        self._process.wait()

    def _order(self, text: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{text}\n")
        self._process.stdin.flush()

    def _answer(self) -> dict[str, float]:
        assert self._process.stdout is not None
        answer: dict[str, float] = json.loads(self._process.stdout.readline())
        return answer


# The arena, and what is asked of it.


@contextmanager
def arena(folder: Path, validation: bool) -> Iterator[tuple[psutil.Process, RemoteArena]]:
    """`sixtysix serve` on a free port."""
    data = folder / "data"
    command = (sys.executable, "-m", "sixtysix", "serve", "--data", str(data))
    env = {k: v for k, v in os.environ.items() if not k.startswith("SIXTYSIX_")}
    env |= {"SIXTYSIX_VALIDATION": str(int(validation)), "SIXTYSIX_WEB": "off"}
    with (
        (folder / "log").open("w") as log,
        subprocess.Popen([*command, "--grpc", "127.0.0.1:0"], env=env, stderr=log) as process,
    ):
        try:
            deadline_s = time.monotonic() + START_LIMIT_S
            while not (data / "address").exists() and time.monotonic() < deadline_s:
                time.sleep(0.05)
            address = (data / "address").read_text().strip()
            with RemoteArena(address, (data / "admin-token").read_text().strip()) as remote:
                yield psutil.Process(process.pid), remote
        finally:
            process.terminate()


def submit(remote: RemoteArena, kind: str, count: int) -> dict[str, str]:
    """New bots, and their tokens."""
    names = [f"{kind}-{number}" for number in range(count)]
    with ThreadPoolExecutor(8) as pool:
        submitted = pool.map(remote.submit_bot, names)
        return dict(zip(names, (token for _, token in submitted), strict=True))


def start(remote: RemoteArena, kind: str, names: list[str], group: int, clock: Clock) -> None:
    """Tournaments of so many bots each, which will not end by themselves for a while."""
    for place in range(0, len(names), group):
        slug = f"{kind}-{place}"
        definition = TournamentDefinition(
            name=slug,
            slug=slug,
            rules=RULESETS["classic"],
            games_per_pairing=2 if clock is PATIENT else 20,
            games_at_once=1 if clock is PATIENT else 8,
            entrants=tuple(sorted(names[place : place + group])),
            practice_seed=SEED,
            clock=clock,
        )
        remote.create_tournament(definition)
        remote.start_tournament(slug)


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """All figures."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        process, remote = stack.enter_context(arena(folder, options.validation))
        figures: dict[str, Any] = {"bots": options.bots, "idle": options.idle}
        figures |= {"hostile": options.hostile, "seed": SEED, "validation": options.validation}
        honest, idle, hostile = (
            submit(remote, kind, count)
            for kind, count in (
                ("honest", options.bots),
                ("idle", options.idle),
                ("bad", options.hostile),
            )
        )

        def part(kind: str, tokens: dict[str, str]) -> Part:
            started = Part(kind, remote.address, list(tokens.values()))
            stack.callback(started.end)
            return started

        figures["rss_at_start_mib"] = rss_mib(process)
        playing = part("play", honest)
        figures["join_s"] = round(playing.began["join_s"], 2)
        figures["join_idle_s"] = round(part("idle", idle).began["join_s"], 2) if idle else 0.0
        figures["rss_joined_mib"] = rss_mib(process)
        start(remote, "honest", list(honest), ENTRANTS, PATIENT)
        time.sleep(SETTLE_S)
        calm, disturbed = [], []
        start(remote, "bad", list(hostile), HOSTILE_ENTRANTS, SHORT)
        for _ in range(options.repeat):
            calm.append(observed(playing, process, options.seconds))
            attacking = part("attack", hostile)
            time.sleep(SETTLE_S)
            disturbed.append(observed(playing, process, options.seconds))
            attacking.end()
            time.sleep(SETTLE_S)
        for name, turns in (("calm", calm), ("hostile", disturbed)):
            for key in turns[0]:
                figures[f"{name}_{key}"] = round(median(turn[key] for turn in turns), 3)
        calm_all, hostile_all = (
            [round(turn["p99_ms"], 2) for turn in turns] for turns in (calm, disturbed)
        )
        last = playing.measure(0)
        return figures | {
            "calm_p99_ms_all": calm_all,
            "hostile_p99_ms_all": hostile_all,
            "p99_ratio": round(min(hostile_all) / min(calm_all), 2),
            "honest_faults": last["faults"],
            "honest_streams_ended": last["ended"],
            "load_average": round(os.getloadavg()[0], 1),
            "repetitions": options.repeat,
            "versions": {name: version(name) for name in ("sixtysix", "grpcio", "protobuf")}
            | {"python": platform.python_version()},
        }


def observed(playing: Part, arena_process: psutil.Process, seconds: float) -> dict[str, float]:
    """What the honest bots saw, and what the arena took, in so many seconds."""
    arena_process.cpu_percent()
    seen = playing.measure(seconds)
    return {
        "p50_ms": seen["p50_s"] * 1_000,
        "p99_ms": seen["p99_s"] * 1_000,
        "decisions_per_s": seen["count"] / seconds,
        "arena_cores": arena_process.cpu_percent() / 100,
        "honest_bots_cores": seen["cpu"],
        "rss_mib": rss_mib(arena_process),
        "fds": float(arena_process.num_fds()),
    }


def rss_mib(process: psutil.Process) -> float:
    """Resident memory."""
    return round(float(process.memory_info().rss) / 2**20, 1)


def run_part(kind: str) -> None:
    """One of the bots' processes."""
    told = json.loads(sys.stdin.readline())
    if kind == "attack":
        asyncio.run(attack(told["address"], told["tokens"]))
    else:
        asyncio.run(play(told["address"], told["tokens"], THINK_S))


def main() -> None:
    """Measures and prints; or is one of the bots' processes."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--bots", type=int, default=500, help="that play")
    parser.add_argument("--idle", type=int, default=1_000, help="bots that only are there")
    parser.add_argument("--hostile", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=5.0, help="of each measurement")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--validation", action="store_true", help="with the trials of bots")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--part", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.part:
        run_part(options.part)
        return
    figures = measure(options)
    if options.json:
        print(json.dumps(figures))
        return
    for name, figure in figures.items():
        print(f"{name:<28}{figure}")


if __name__ == "__main__":
    main()
