"""What no honest client would do, of an arena in a process of its own at which others play on.

Every test here is also one of `besieged`: while it attacks, two honest bots finish all their
games without a fault, a bot that was never here joins within two seconds, the arena takes
less than 50 MiB for it, and afterwards has no more files open than before.
"""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import grpc
import pytest
from h2.errors import ErrorCodes
from support.http2 import (
    DEFAULT_WINDOW,
    PLAY,
    PREFACE,
    Answer,
    Http2,
    connected,
    joined,
    message,
    raw_socket,
)
from support.sieges import CLOCK as PATIENT
from support.sieges import MEMORY_LIMIT_MIB, Siege, besieged

from sixtysix.clock import Clock
from sixtysix.outcome import Fault, GameEnd
from sixtysix.v1 import play_pb2

LIST_BOTS = "/sixtysix.v1.ArenaService/ListBots"
"""A call that needs no token."""
CREATE = "/sixtysix.v1.ArenaService/CreateTournament"
"""One that needs the organiser's."""
FLOOD_LIMIT_MIB = 200.0
"""What gRPC may take for a while for hundreds of MB a second of frames that mean nothing."""
CALLS_LIMIT_MIB = 100.0
"""For six thousand calls of some 10 KB."""
MAX_BYTES = 1024 * 1024
"""The largest message that the channel admits."""
EXHAUSTED = grpc.StatusCode.RESOURCE_EXHAUSTED.value[0]
INVALID = grpc.StatusCode.INVALID_ARGUMENT.value[0]
UNAUTHENTICATED = grpc.StatusCode.UNAUTHENTICATED.value[0]
UNIMPLEMENTED = grpc.StatusCode.UNIMPLEMENTED.value[0]

CLOCK = Clock(per_move_ms=1_500, per_game_ms=60_000, grace_ms=500, join_ms=10_000)
"""For bots that do not answer, against ones that share a process with this test."""

Attack = Callable[[Siege], Coroutine[Any, Any, None]]


def under_attack(
    tmp_path: Path, attack: Attack, memory_limit_mib: float = MEMORY_LIMIT_MIB
) -> None:
    """Attacks an arena; whether it stands that is checked by `besieged`."""

    async def main() -> None:
        async with besieged(tmp_path, memory_limit_mib) as siege:
            await attack(siege)

    asyncio.run(asyncio.wait_for(main(), 100))


@asynccontextmanager
async def opposed(siege: Siege, name: str, **changes: Any) -> AsyncIterator[str]:
    """A tournament of a bot, whose token it gives, against one that plays; both named after it."""
    token = await siege.token(name)
    good = await siege.join(f"{name}-not")
    playing = asyncio.create_task(good.play())
    await siege.start(name, (name, f"{name}-not"), **{"clock": CLOCK} | changes)
    try:
        yield token
    finally:
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)
        await good.vanish()


async def loses(siege: Siege, name: str, fault: Fault) -> None:
    """Checks that the honest opponent of a bot has won all games of their tournament."""
    for game in await siege.games(name):
        assert game.entrants == (name, f"{name}-not")
        assert (game.end, game.winner, game.fault) == (GameEnd.FORFEIT, 1, fault), name


@asynccontextmanager
async def beside(work: Coroutine[Any, Any, None]) -> AsyncIterator[None]:
    """Something that goes on meanwhile."""
    task = asyncio.create_task(work)
    try:
        yield
        if task.done():
            await task
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


# Reading and sending slowly.


async def nothing(_http2: Http2, _stream: int) -> None:
    """Does not even acknowledge the arena's settings."""
    await asyncio.Event().wait()


async def pings_alone(http2: Http2, _stream: int) -> None:
    """Looks alive, and grants no more room than it did."""
    http2.grants = False
    await http2.stay()


async def a_byte_a_second(http2: Http2, stream: int) -> None:
    """Grants one byte after another."""
    http2.grants = False

    async def grant() -> None:
        while True:
            http2.h2.increment_flow_control_window(1, stream)
            await http2.flush()
            await asyncio.sleep(1)

    async with beside(grant()):
        await http2.stay()


def test_fault_rows_28_and_29_and_threat_21_who_does_not_read_is_timed_out(tmp_path: Path) -> None:
    slow_readers = {
        "no-window": (0, None, pings_alone),
        "a-window-of-one-byte": (1, None, pings_alone),
        "a-byte-a-second": (1, None, a_byte_a_second),
        "a-socket-not-read": (DEFAULT_WINDOW, 1_024, nothing),
    }

    async def attack(siege: Siege) -> None:
        async with AsyncExitStack() as stack:
            for name, (window, receive_buffer, reads) in slow_readers.items():
                token = await stack.enter_async_context(opposed(siege, name))
                bad = await stack.enter_async_context(
                    joined(siege.address, token, window=window, receive_buffer=receive_buffer)
                )
                await stack.enter_async_context(beside(reads(*bad)))
            for name in slow_readers:
                await loses(siege, name, Fault.TIMEOUT)

    under_attack(tmp_path, attack)


def answer(decision: play_pb2.Decision) -> bytes:
    """The message with which a bot answers."""
    said = play_pb2.Answer(
        game=decision.game, deal=decision.deal, ply=decision.ply, move=decision.legal[0]
    )
    return message(play_pb2.BotFrame(answers=[said]).SerializeToString())


async def decision(http2: Http2, stream: int, after: int = 0) -> play_pb2.Decision:
    """The decision of a bot's stream that follows on so many."""

    def next_one() -> play_pb2.Decision | None:
        found = [each for frame in http2.answer(stream).frames() for each in frame.decisions]
        return found[after] if len(found) > after else None

    found = await http2.until(next_one)
    assert isinstance(found, play_pb2.Decision)
    return found


def test_threat_22_the_time_for_a_move_ends_whatever_has_arrived_of_it(tmp_path: Path) -> None:
    pauses_s = {"byte-by-byte": 0.5, "half-and-no-more": 60.0}

    async def send_slowly(http2: Http2, stream: int, pause_s: float) -> None:
        said = answer(await decision(http2, stream))
        for place, byte in enumerate(said):
            await http2.write(stream, bytes([byte]))
            if place >= len(said) // 2:
                await asyncio.sleep(pause_s)
        await http2.stay()

    async def attack(siege: Siege) -> None:
        async with AsyncExitStack() as stack:
            for name, pause_s in pauses_s.items():
                token = await stack.enter_async_context(opposed(siege, name))
                bad = await stack.enter_async_context(joined(siege.address, token))
                await stack.enter_async_context(beside(send_slowly(*bad, pause_s)))
            for name in pauses_s:
                await loses(siege, name, Fault.TIMEOUT)

    under_attack(tmp_path, attack)


def test_threat_22_who_sends_byte_by_byte_and_in_time_plays_on(tmp_path: Path) -> None:
    async def attack(siege: Siege) -> None:
        async with (
            opposed(siege, "slow", clock=PATIENT) as token,
            joined(siege.address, token) as (http2, stream),
        ):
            for count in range(5):
                for byte in answer(await decision(http2, stream, count)):
                    await http2.write(stream, bytes([byte]))
            await decision(http2, stream, 5)
            assert not any(frame.faults for frame in http2.answer(stream).frames())

    under_attack(tmp_path, attack)


def test_threat_22_requests_that_never_come_whole_are_given_up(tmp_path: Path) -> None:
    async def attack(siege: Siege) -> None:
        async with connected(siege.address) as http2:
            await http2.greet()
            streams = [await http2.call(LIST_BOTS) for _ in range(20)]
            for stream in streams[10:]:
                await http2.write(stream, message(bytes(500_000), length=MAX_BYTES))
            for stream in streams:
                given_up = await http2.finished(stream)
                assert (given_up.status, given_up.text) == (INVALID, "no request within 5 s")

    under_attack(tmp_path, attack)


# Too much of something.


def test_threat_23_thousands_of_calls_without_a_request_keep_nobody_out(tmp_path: Path) -> None:
    async def attack(siege: Siege) -> None:
        async with AsyncExitStack() as stack:
            for _ in range(60):
                http2 = await stack.enter_async_context(connected(siege.address))
                for _ in range(100):
                    http2.request(CREATE)
                await http2.flush()
            await siege.check_join()

    under_attack(tmp_path, attack, CALLS_LIMIT_MIB)


def test_threat_23_streams_on_one_connection_are_limited(tmp_path: Path) -> None:
    async def attack(siege: Siege) -> None:
        token = await siege.token("bad")
        async with connected(siege.address) as http2:
            for _ in range(2_000):
                http2.request(PLAY, token)
            await http2.flush()
            answers = http2.answers.values
            await http2.until(lambda: sum(each.reset is not None for each in answers()) >= 1_872)
            reasons = {each.reset for each in answers() if each.reset is not None}
            assert reasons <= {ErrorCodes.REFUSED_STREAM, ErrorCodes.ENHANCE_YOUR_CALM}

    under_attack(tmp_path, attack, CALLS_LIMIT_MIB)


def test_threat_23_streams_that_are_reset_at_once_hold_nobody_up(tmp_path: Path) -> None:
    async def attack(siege: Siege) -> None:
        token = await siege.token("bad")
        async with connected(siege.address) as http2:
            await http2.greet()
            async with beside(http2.stay()):
                for _ in range(100):
                    for _ in range(100):
                        http2.h2.reset_stream(http2.request(PLAY, token))
                    await http2.flush()
                    await asyncio.sleep(0)
                await siege.check_join()

    under_attack(tmp_path, attack, CALLS_LIMIT_MIB)


def test_threat_23_a_flood_of_pings_ends_the_connection(tmp_path: Path) -> None:
    async def attack(siege: Siege) -> None:
        async with connected(siege.address) as http2:
            for count in range(100):
                http2.h2.ping(count.to_bytes(8))
            await http2.flush()
            await http2.until(lambda: http2.over)
            assert http2.goaway == ErrorCodes.ENHANCE_YOUR_CALM

    under_attack(tmp_path, attack, CALLS_LIMIT_MIB)


SETTINGS = bytes.fromhex("000006 04 00 00000000 0003 0000ffff")
FLOODS = {
    "settings": SETTINGS,
    "pings": bytes.fromhex("000008 06 00 00000000") + bytes(8),
    "empty data": bytes.fromhex("000000 00 00 00000001"),
    "window updates": bytes.fromhex("000004 08 00 00000000 00000001"),
    "priorities": bytes.fromhex("000005 02 00 00000001 00000000 10"),
    "frames of no type": bytes.fromhex("000008 ff 00 00000000") + bytes(8),
}


def test_threat_23_floods_of_frames_whose_answers_are_not_read(tmp_path: Path) -> None:
    async def flood(http2: Http2, frame: bytes) -> None:
        while not http2.lost:
            await http2.send(frame * 1_000)
            await asyncio.sleep(0)

    async def attack(siege: Siege) -> None:
        for frame in FLOODS.values():
            async with (
                joined(siege.address, await siege.token("bad")) as (http2, _),
                beside(flood(http2, frame)),
            ):
                await asyncio.sleep(0.3)
                await siege.check_join()

    under_attack(tmp_path, attack, FLOOD_LIMIT_MIB)


def test_threat_20_what_is_sent_faster_than_it_is_read_stays_with_the_sender(
    tmp_path: Path,
) -> None:
    stale = play_pb2.BotFrame(answers=[play_pb2.Answer(game=999, move=1)] * 1_000)
    flood = message(stale.SerializeToString()) * 100

    async def send(http2: Http2, stream: int) -> None:
        while not http2.lost:
            await http2.write(stream, flood)

    async def attack(siege: Siege) -> None:
        async with AsyncExitStack() as stack:
            for number in range(10):
                token = await siege.token(f"bad-{number}")
                bad = await stack.enter_async_context(joined(siege.address, token))
                await stack.enter_async_context(beside(send(*bad)))
            await asyncio.sleep(2)
            await siege.check_join()

    under_attack(tmp_path, attack, CALLS_LIMIT_MIB)


@pytest.mark.slow
def test_threat_23_connections_on_which_nothing_is_said_are_closed(tmp_path: Path) -> None:
    async def attack(siege: Siege) -> None:
        fd_count = siege.fd_count
        async with AsyncExitStack() as stack:
            for _ in range(1_000):
                stack.enter_context(await raw_socket(siege.address))
            while siege.fd_count < fd_count + 1_000:  # noqa: ASYNC110
                await asyncio.sleep(0.02)
            await siege.check_join()
            await siege.freed(fd_count, 9)  # Ten if only the time for settings ends them.

    under_attack(tmp_path, attack)


def test_threat_23_connections_on_which_nothing_is_called_keep_nobody_out(tmp_path: Path) -> None:
    async def attack(siege: Siege) -> None:
        async with AsyncExitStack() as stack:
            for _ in range(500):
                await stack.enter_async_context(connected(siege.address))
            await siege.check_join()

    under_attack(tmp_path, attack)


@pytest.mark.slow
def test_threat_23_who_never_acknowledges_the_arenas_settings_is_closed(tmp_path: Path) -> None:
    """Until then not all limits hold for it."""

    async def attack(siege: Siege) -> None:
        loop = asyncio.get_running_loop()
        async with connected(siege.address) as http2, asyncio.timeout(18):
            with suppress(ConnectionError):
                while await loop.sock_recv(http2.sock, 65_536):
                    pass

    under_attack(tmp_path, attack)


# Bombs.


async def asked(
    http2: Http2, path: str, token: str | None, request: bytes, *more: tuple[str, str]
) -> Answer:
    """The answer to a call."""
    stream = await http2.call(path, token, *more)
    await http2.write(stream, request, end=True)
    return await http2.finished(stream)


def test_threat_24_a_bomb_of_metadata_is_refused(tmp_path: Path) -> None:
    async def attack(siege: Siege) -> None:
        token = await siege.token("bad")
        async with connected(siege.address) as http2:
            await http2.greet()
            for path in (LIST_BOTS, PLAY, "/nothing"):
                for bomb in ("a" * 17_000, "a" * 1_000_000):
                    answered = await asked(http2, path, token, message(b""), ("x", bomb))
                    assert answered.status == EXHAUSTED
                    assert "metadata size exceeds hard limit" in answered.text

    under_attack(tmp_path, attack)


def test_threat_24_metadata_that_slips_through_is_refused_by_the_arena(tmp_path: Path) -> None:
    """As it may before the arena's settings are acknowledged."""

    async def attack(siege: Siege) -> None:
        async with connected(siege.address) as http2:
            streams = [await http2.call(LIST_BOTS, None, ("x", "a" * 100_000)) for _ in range(5)]
            for stream in streams:
                await http2.write(stream, message(b""), end=True)
            for stream in streams:
                answered = await http2.finished(stream)
                assert answered.status in (INVALID, EXHAUSTED)
                assert "metadata" in answered.text

    under_attack(tmp_path, attack)


def test_threat_24_a_bomb_of_compressed_headers_is_refused(tmp_path: Path) -> None:
    """After the first it takes one byte to name a header again: 16 KB are 60 MB."""

    async def attack(siege: Siege) -> None:
        async with connected(siege.address) as http2:
            await http2.greet()
            for _ in range(5):
                bomb = [("x", "a" * 4_000)] * 15_000
                answered = await asked(http2, LIST_BOTS, None, message(b""), *bomb)
                assert answered.status == EXHAUSTED

    under_attack(tmp_path, attack)


def test_threat_24_a_bomb_of_gzip_is_refused_before_it_is_inflated(tmp_path: Path) -> None:
    bomb = message(gzip.compress(bytes(50_000_000)), compressed=True)

    async def attack(siege: Siege) -> None:
        token = await siege.token("bad")
        async with connected(siege.address) as http2:
            for path in (LIST_BOTS, PLAY) * 3:
                answered = await asked(http2, path, token, bomb, ("grpc-encoding", "gzip"))
                assert answered.status == EXHAUSTED
                assert answered.text == "Decompressed message larger than max"

    under_attack(tmp_path, attack)


def test_threat_17_a_message_is_refused_for_its_length_before_it_has_come(tmp_path: Path) -> None:
    async def attack(siege: Siege) -> None:
        token = await siege.token("bad")
        async with connected(siege.address) as http2:
            for length in (5_000_000, 2**31 - 1, 2**32 - 1):
                stream = await http2.call(PLAY, token)
                await http2.write(stream, message(bytes(1_000), length=length))
                refused = await http2.finished(stream)
                assert refused.status == EXHAUSTED
                assert f"larger than max ({length} vs. {MAX_BYTES})" in refused.text
            stream = await http2.call(PLAY, token)
            await http2.write(stream, message(bytes(64 * 1024 + 1)))
            refused = await http2.finished(stream)
            assert refused.status == INVALID
            assert "65537 bytes: at most 65536 are read" in refused.text

    under_attack(tmp_path, attack)


def test_threat_17_a_message_that_is_too_long_loses_what_is_owed(tmp_path: Path) -> None:
    async def attack(siege: Siege) -> None:
        for name, length, fault in (
            ("longer", 64 * 1024 + 1, Fault.MALFORMED),
            ("longest", 2**31 - 1, Fault.DISCONNECT),
        ):
            async with opposed(siege, name, games_at_once=2, clock=PATIENT) as token:
                async with joined(siege.address, token) as (http2, stream):
                    await decision(http2, stream)
                    await http2.write(stream, message(bytes(64 * 1024 + 1), length=length))
                    await http2.finished(stream)
                games = await siege.games(name)
                assert fault in {game.fault for game in games}
                assert {game.winner for game in games} == {1}

    under_attack(tmp_path, attack)


# What is no call of ours, or no HTTP/2 at all.


def test_threat_18_calls_that_make_no_sense_are_refused(tmp_path: Path) -> None:
    async def attack(siege: Siege) -> None:
        async with connected(siege.address) as http2:
            for path in (PLAY + "er", "/", "nonsense", "/" + "a" * 5_000, "/\x7f\x01"):
                answered = await asked(http2, path, None, message(b""))
                assert answered.status == UNIMPLEMENTED, path
            answered = await asked(http2, PLAY, None, message(b""))
            assert answered.status == UNAUTHENTICATED
            for name, value in (
                ("te", "nothing"),
                ("grpc-timeout", "soon"),
                ("grpc-encoding", "none"),
                (":scheme", "gopher"),
            ):
                stream = await http2.call(LIST_BOTS, None, **{name: value})
                await http2.write(stream, message(b""), end=True)
                answered = await http2.finished(stream)
                assert answered.status == grpc.StatusCode.INTERNAL.value[0], name
            stream = await http2.call(LIST_BOTS, None, **{":method": "GET"})
            assert (await http2.finished(stream)).reset is not None
            for request in (
                b"",
                b"\0\0\0",
                message(b"\xff\xff"),
                message(b"junk", compressed=True),
            ):
                assert (await asked(http2, LIST_BOTS, None, request)).status != 0, request

    under_attack(tmp_path, attack)


def test_threat_18_what_is_no_http2_ends_the_connection(tmp_path: Path) -> None:
    async def attack(siege: Siege) -> None:
        loop = asyncio.get_running_loop()
        for garbage in (
            b"GET / HTTP/1.1\r\nHost: arena\r\n\r\n",
            b"\x16\x03\x01\x02\x00" + bytes(500),
            bytes(100),
            PREFACE + bytes(range(256)) * 10,
            PREFACE + bytes(1_000),
            PREFACE + b"\xff" * 1_000,
            PREFACE + SETTINGS + b"\0\0\x01\x09\x04\0\0\0\x01\0",  # A continuation of nothing.
            PREFACE + SETTINGS + b"\x7f\xff\xff\0\0\0\0\0\x01",  # A frame of 8 MB.
            PREFACE + SETTINGS + b"\0\0\x05\x01\x04\0\0\0\x01\xff\xff\xff\xff\xff",  # No header.
        ):
            with await raw_socket(siege.address) as sock, suppress(ConnectionError):
                await loop.sock_sendall(sock, garbage)
                async with asyncio.timeout(5):
                    while await loop.sock_recv(sock, 65_536):
                        pass

    under_attack(tmp_path, attack)


def test_threat_18_a_path_that_is_no_text_does_not_end_the_server(tmp_path: Path) -> None:
    """It did, once: gRPC decodes paths where it accepts calls."""
    headers = {":method": b"POST", ":scheme": b"http", ":path": b"/sixtysix.v1.\xf6/Play"}
    headers |= {":authority": b"arena", "content-type": b"application/grpc", "te": b"trailers"}
    block = b"".join(
        b"\0" + b"".join(bytes([len(text)]) + text for text in (name.encode(), value))
        for name, value in headers.items()
    )
    call = len(block).to_bytes(3) + b"\x01\x04\0\0\0\x01" + block

    async def attack(siege: Siege) -> None:
        for _ in range(3):
            async with connected(siege.address) as http2:
                http2.h2.get_next_available_stream_id()
                await http2.send(call)
                await asyncio.sleep(0.1)
        await siege.check_join()

    under_attack(tmp_path, attack)
