"""How fast an arena referees, beside what the same machine could do at best.

Three figures from one run, interleaved, since machines are noisy:

- in process: the same games, referee and bots in one process, no network;
- ping-pong: a bare gRPC stream, one 90-byte message at a time, both ways;
- over gRPC: a real arena, and two bots in processes of their own.

    python bench/refereeing.py [--games-at-once 64] [--seconds 6] [--repeat 3] [--json]
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
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from statistics import median
from typing import Any

import grpc
import grpc.aio

from sixtysix.api import TournamentDefinition
from sixtysix.bot import load_bot
from sixtysix.client import join
from sixtysix.clock import Clock
from sixtysix.rules import RULESETS, View
from sixtysix.shuffle import pack, tournament_key
from sixtysix_arena.referee import GameSpec, Referee

SEED = "refereeing"
NAMES = ("alpha", "beta")
CLASSIC = RULESETS["classic"]
PING = bytes(90)
GAMES_PER_PAIRING = 10_000


def bot_chooser() -> Callable[[View], Any]:
    """The bot of all three measurements: the house bot that plays at random."""
    return load_bot("house:random").choose


def in_process(games_at_once: int, seconds: float) -> float:
    """Decisions a second with referee and bots in one process."""
    choose = bot_chooser()
    key = tournament_key(SEED.encode(), {})
    clock = Clock()
    number = 0

    def new_game() -> Referee:
        nonlocal number
        game = number
        number += 1
        spec = GameSpec(game, f"bench.{game + 1}", NAMES, game % 2, CLASSIC, clock)
        return Referee(
            spec,
            lambda deal: pack(
                key, ruleset="classic", tournament="bench", entrants=NAMES, game=game, deal=deal
            ),
            (False, False),
        )

    games = [new_game() for _ in range(games_at_once)]
    decisions = 0
    began = time.perf_counter()
    while time.perf_counter() - began < seconds:
        for place, game in enumerate(games):
            if game.outcome is not None:
                games[place] = game = new_game()
            if game.seat_on_turn is None:
                game.begin_deal()
            game.answer(choose(game.view()), 1)
            decisions += 1
    return decisions / (time.perf_counter() - began)


async def ping_pong(seconds: float) -> float:
    """Round trips a second of a bare stream, one message at a time."""
    served = 0

    async def echo(_requests: Any, context: Any) -> None:
        nonlocal served
        while (data := await context.read()) is not grpc.aio.EOF:
            await context.write(data)
            served += 1

    handler: Any = grpc.stream_stream_rpc_method_handler(echo)
    server = grpc.aio.server(options=(("grpc.so_reuseport", 0),))
    server.add_generic_rpc_handlers(
        (grpc.method_handlers_generic_handler("bench.Ping", {"Pong": handler}),)
    )
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    client = spawn("ping", f"127.0.0.1:{port}", str(seconds))
    while served == 0:
        await asyncio.sleep(0.01)
    before, began = served, time.perf_counter()
    await asyncio.to_thread(client.wait)
    rate = (served - before) / (time.perf_counter() - began)
    await server.stop(0)
    return rate


def ping(address: str, seconds: float) -> None:
    """The other side of the ping-pong."""
    from queue import SimpleQueue

    outgoing: SimpleQueue[bytes | None] = SimpleQueue()
    outgoing.put(PING)
    with grpc.insecure_channel(address) as channel:
        pong: Any = channel.stream_stream("/bench.Ping/Pong")
        call = pong(iter(outgoing.get, None))
        deadline = time.perf_counter() + seconds
        for _ in call:
            if time.perf_counter() > deadline:
                break
            outgoing.put(PING)
        outgoing.put(None)


async def over_grpc(games_at_once: int, seconds: float) -> tuple[float, float]:
    """Decisions a second of a real arena, and its CPU microseconds a decision."""
    from sixtysix_arena.arena import Arena  # Not needed by the bots' processes.
    from sixtysix_arena.config import ArenaSettings

    with tempfile.TemporaryDirectory() as folder:
        arena = Arena(ArenaSettings(data=Path(folder), grpc="127.0.0.1:0"))
        await arena.start()
        bots = []
        for name in NAMES:
            _, token = await arena.submit_bot(name)
            bots.append(spawn("bot", arena.address, str(games_at_once), token=token))
        definition = TournamentDefinition(
            name="Bench",
            slug="bench",
            rules=CLASSIC,
            games_per_pairing=GAMES_PER_PAIRING,
            games_at_once=games_at_once,
            entrants=NAMES,
            practice_seed=SEED,
        )
        await arena.create_tournament(definition)
        await arena.start_tournament("bench")
        while arena.decision_count < 5_000:
            await asyncio.sleep(0.05)
        decisions, began, cpu = arena.decision_count, time.perf_counter(), time.process_time()
        await asyncio.sleep(seconds)
        decisions = arena.decision_count - decisions
        took, cpu = time.perf_counter() - began, time.process_time() - cpu
        await arena.stop(finished=True)
        for bot in bots:
            await asyncio.to_thread(bot.wait)
    return decisions / took, cpu / decisions * 1e6


def spawn(part: str, *arguments: str, token: str = "") -> subprocess.Popen[bytes]:
    """This script again, in a process of its own."""
    return subprocess.Popen(
        [sys.executable, __file__, "--part", part, *arguments],
        env={**os.environ, "SIXTYSIX_TOKEN": token},
    )


def measure(games_at_once: int, seconds: float, repeat: int) -> dict[str, Any]:
    """All figures, as medians over the repetitions."""
    alone, pings, rates, cpus = [], [], [], []
    for _ in range(repeat):
        alone.append(in_process(games_at_once, seconds / 3))
        pings.append(asyncio.run(ping_pong(seconds / 3)))
        rate, cpu = asyncio.run(over_grpc(games_at_once, seconds))
        rates.append(rate)
        cpus.append(cpu)
    return {
        "seed": SEED,
        "games_at_once": games_at_once,
        "repetitions": repeat,
        "in_process_decisions_per_s": round(median(alone)),
        "ping_pong_round_trips_per_s": round(median(pings)),
        "over_grpc_decisions_per_s": round(median(rates)),
        "over_grpc_decisions_per_s_all": [round(rate) for rate in rates],
        "arena_cpu_us_per_decision": round(median(cpus), 1),
        "over_grpc_to_in_process_ratio": round(median(rates) / median(alone), 2),
        "over_grpc_to_ping_pong_ratio": round(median(rates) / median(pings), 2),
        "versions": {
            name: version(name) for name in ("sixtysix", "grpcio", "protobuf", "sqlalchemy")
        }
        | {"python": platform.python_version()},
    }


def main() -> None:
    """Measures and prints; or plays one of the parts in a process of its own."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games-at-once", type=int, default=64)
    parser.add_argument("--seconds", type=float, default=6.0, help="of each measurement")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--part", nargs="+", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.part:
        part, address, argument = options.part
        if part == "ping":
            ping(address, float(argument))
        else:
            join(
                load_bot("house:random"),
                arena=address,
                games_at_once=int(argument),
                tell=lambda _text: None,
            )
        return
    figures = measure(options.games_at_once, options.seconds, options.repeat)
    if options.json:
        print(json.dumps(figures))
        return
    print(f"{options.games_at_once} games at once, medians of {options.repeat} runs")
    print(f"  in process     {figures['in_process_decisions_per_s']:>8,} decisions a second")
    print(f"  ping-pong      {figures['ping_pong_round_trips_per_s']:>8,} round trips a second")
    print(f"  over gRPC      {figures['over_grpc_decisions_per_s']:>8,} decisions a second")
    print(f"  arena's CPU    {figures['arena_cpu_us_per_decision']:>8} us a decision")
    print(f"  to in process  {figures['over_grpc_to_in_process_ratio']:>8}")
    print(f"  to ping-pong   {figures['over_grpc_to_ping_pong_ratio']:>8}")


if __name__ == "__main__":
    main()
