"""Conversations with an arena that were tampered with: bytes, frames and fields.

The arena has to stay there, let a bot in between, log no mistake of its own and take
no more memory at the end than after a quarter. What is said follows from the seed and the
number of the connection; when it is heard does not.

    python bench/fuzz.py [--seconds 60] [--seed 1] [--json]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import psutil
from hostile import arena, rss_mib, start, submit
from light_bots import (
    DATA,
    END_HEADERS,
    HEADERS,
    PING,
    PREFACE,
    RST_STREAM,
    SETTINGS,
    WINDOW_UPDATE,
    Bot,
    Tally,
    call_headers,
    frame,
)

from sixtysix.clock import Clock
from sixtysix.v1 import play_pb2

AT_ONCE = 64
BOTS = 400
"""Each may join thirty times, and then hardly any more."""
VISITORS = 50
ENTRANTS = 8
ROUND = 640
"""Conversations between two looks at the arena."""
READ_S = 0.1
JOIN_LIMIT_S = 5.0
"""A bot is let in within this between two rounds, however busy the machine."""
GROWTH_LIMIT_MIB = 30.0
"""From the first quarter to the end: what an allocator keeps for itself, and no leak."""
CLOCK = Clock(per_move_ms=2_000, per_game_ms=60_000, grace_ms=60_000, join_ms=60_000)
NUMBERS = (0, 1, 2, 3, 5, 127, 128, 255, 2**15, 2**16, 2**31 - 1, 2**31, 2**32 - 1)


def bot_frame(random: Random) -> bytes:
    """A frame of a bot that makes sense, or would if other things were asked."""
    said = play_pb2.BotFrame()
    for name in random.sample(("answers", "leaves", "bye", "hello"), random.randrange(3)):
        if name == "answers":
            for _ in range(random.choice((1, 2, 50))):
                said.answers.add(
                    game=random.choice((*NUMBERS, 2**62 + 1)),
                    deal=random.randrange(4),
                    ply=random.randrange(30),
                    move=random.choice(NUMBERS),
                    comment="c" * random.choice((0, 5, 300)),
                )
        elif name == "leaves":
            said.leaves.add(game=random.randrange(50), reason=play_pb2.LEAVE_REASON_RESIGNED)
        elif name == "bye":
            said.bye.SetInParent()
        else:
            said.hello.protocol_major = random.randrange(3)
    return said.SerializeToString()


def message(data: bytes, random: Random) -> bytes:
    """A gRPC message, now and then with a wrong prefix."""
    length = random.choice(NUMBERS) if random.random() < 0.1 else len(data)
    return bytes([random.choice((0, 0, 0, 1))]) + length.to_bytes(4) + data


def conversation(address: str, token: str, random: Random) -> list[bytes]:
    """What a bot says, frame by frame, as it should be, or nearly."""
    hello = play_pb2.Hello(protocol_major=1, games_at_once=8, rulesets=["RULESET_CLASSIC"])
    said = play_pb2.BotFrame(hello=hello).SerializeToString()
    parts = [
        PREFACE,
        frame(SETTINGS, 0, 0, b"\0\4\0\0\xff\xff"),
        frame(HEADERS, END_HEADERS, 1, call_headers(address, token)),
        frame(DATA, 0, 1, b"\0" + len(said).to_bytes(4) + said),
        frame(SETTINGS, 1, 0, b""),
    ]
    for _ in range(random.randrange(8)):
        data = bot_frame(random)
        if random.random() < 0.3:
            data = tampered(data, random)
        parts.append(frame(DATA, random.choice((0, 0, 0, 1)), 1, message(data, random)))
    parts.append(frame(PING, 0, 0, random.randbytes(8)))
    parts.append(frame(WINDOW_UPDATE, 0, random.randrange(2), random.randbytes(4)))
    parts.append(frame(RST_STREAM, 0, 1, b"\0\0\0\x08"))
    return parts[: random.randrange(2, len(parts) + 1)]


def tampered(data: bytes, random: Random) -> bytes:
    """Bytes of which some are others, missing, or there twice."""
    changed = bytearray(data)
    for _ in range(random.randrange(1, 5)):
        place = random.randrange(len(changed) + 1)
        how = random.randrange(4)
        if how == 0 and place < len(changed):
            changed[place] ^= 1 << random.randrange(8)
        elif how == 1:
            changed[place:place] = random.randbytes(random.randrange(1, 20))
        elif how == 2:
            del changed[place : place + random.randrange(1, 20)]
        else:
            changed[place:place] = changed[place : place + random.randrange(1, 40)]
    return bytes(changed)


def odd_frame(random: Random) -> bytes:
    """A frame of any kind, on any stream, that may lie about its length."""
    payload = random.randbytes(random.choice((0, 1, 4, 5, 8, 100, 20_000)))
    length = random.choice(NUMBERS) % 2**24 if random.random() < 0.2 else len(payload)
    kind = bytes((random.choice((*range(11), 255)), random.randrange(256)))
    return length.to_bytes(3) + kind + random.choice(NUMBERS).to_bytes(4) + payload


def spoken(address: str, token: str, random: Random) -> bytes:
    """A conversation that was tampered with, or not."""
    parts = conversation(address, token, random)
    for _ in range(random.choice((0, 1, 1, 2, 4))):
        place = random.randrange(len(parts))
        how = random.randrange(5)
        if how == 0:
            parts[place] = tampered(parts[place], random)
        elif how == 1:
            parts.insert(place, random.choice(parts))
        elif how == 2 and len(parts) > 1:
            del parts[place]
        elif how == 3:
            random.shuffle(parts)
        else:
            parts.insert(place, odd_frame(random))
    return b"".join(parts)


async def talk(address: str, data: bytes, random: Random) -> str:
    """Says it all in pieces; how it ended."""
    host, _, port = address.rpartition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    try:
        while data and not writer.is_closing():
            size = random.choice((1, 9, 100, 10_000))
            writer.write(data[:size])
            data = data[size:]
            if random.random() < 0.2:
                await asyncio.sleep(0)
        async with asyncio.timeout(READ_S):
            await writer.drain()
            while await reader.read(65_536):
                pass
        return "closed by the arena"
    except TimeoutError:
        return "left by us"
    except ConnectionError:
        return "reset by the arena"
    finally:
        if random.random() < 0.5:
            writer.transport.abort()
        writer.close()


async def join(address: str, token: str) -> float:
    """How long it takes a bot to get in, in seconds."""
    bot = Bot(address, token, Tally(), Random(0))
    began_s = time.perf_counter()
    await bot.connect()
    async with asyncio.timeout(JOIN_LIMIT_S):
        await bot.welcomed.wait()
    bot.close()
    return time.perf_counter() - began_s


async def fuzz(
    address: str,
    process: psutil.Process,
    tokens: list[str],
    visitors: list[str],
    seed: str,
    seconds: float,
) -> dict[str, Any]:
    """Talks for so long; the figures. Raises RuntimeError if a bot is not let in."""
    began_s = time.monotonic()
    endings: Counter[str] = Counter()
    joins_s: list[float] = []
    sizes_mib: list[float] = []
    number = 0

    async def one(number: int) -> None:
        random = Random(f"{seed} {number}")
        data = spoken(address, tokens[number % len(tokens)], random)
        with suppress(OSError):
            endings[await talk(address, data, random)] += 1

    while time.monotonic() - began_s < seconds:
        for _ in range(ROUND // AT_ONCE):
            await asyncio.gather(*(one(number + place) for place in range(AT_ONCE)))
            number += AT_ONCE
        try:
            joins_s.append(await join(address, visitors[len(joins_s) % len(visitors)]))
        except (OSError, TimeoutError):
            raise RuntimeError(f"no bot gets in after conversation {number} of {seed!r}") from None
        sizes_mib.append(rss_mib(process))
    return {
        "seed": seed,
        "conversations": number,
        "conversations_per_s": round(number / (time.monotonic() - began_s)),
        "endings": dict(endings),
        "longest_join_s": round(max(joins_s), 3),
        "rss_after_a_quarter_mib": sizes_mib[len(sizes_mib) // 4],
        "rss_at_the_end_mib": sizes_mib[-1],
    }


def mistakes(log: Path) -> list[str]:
    """What the arena logged of its own mistakes; what gRPC thinks of its callers is none."""
    lines = (json.loads(line) for line in log.read_text().splitlines() if line.startswith("{"))
    return [
        str(line)
        for line in lines
        if line["level"] in ("ERROR", "CRITICAL") and not line["logger"].startswith("grpc")
    ]


def measure(seed: str, seconds: float) -> dict[str, Any]:
    """All figures. Raises RuntimeError if the arena does not stand it."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with arena(folder, validation=False) as (process, remote):
            bots = submit(remote, "bad", BOTS)
            visitors = list(submit(remote, "visitor", VISITORS).values())
            start(remote, "bad", list(bots), ENTRANTS, CLOCK)
            tokens = list(bots.values())
            talks = fuzz(remote.address, process, tokens, visitors, seed, seconds)
            figures = asyncio.run(talks)
        found = mistakes(folder / "log")
    grown_mib = figures["rss_at_the_end_mib"] - figures["rss_after_a_quarter_mib"]
    if found:
        raise RuntimeError(f"the arena made {len(found)} mistakes, seed {seed!r}: {found[0]}")
    if grown_mib > GROWTH_LIMIT_MIB:
        raise RuntimeError(f"the arena grew by {grown_mib:.0f} MiB: seed {seed!r}")
    return figures


def main() -> int:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args()
    logging.getLogger("asyncio").setLevel(logging.ERROR)  # It tells of what is sent in vain.
    try:
        figures = measure(options.seed, options.seconds)
    except RuntimeError as error:
        print(error, file=sys.stderr)
        return 1
    if options.json:
        print(json.dumps(figures))
    else:
        for name, figure in figures.items():
            print(f"{name:<28}{figure}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
