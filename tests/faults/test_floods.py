"""Bots that send without end what has no effect: slowed down, then charged; the others play on."""

from __future__ import annotations

import asyncio
import sys
import time
from pathlib import Path

import grpc.aio
import pytest
from support.arenas import RawBot, bot, definition, outcomes, running_arena, until_finished
from support.sieges import served_arena

from sixtysix.clock import Clock
from sixtysix.outcome import Fault, GameEnd
from sixtysix.v1 import play_pb2
from sixtysix_arena.conduct import USELESS_BURST, USELESS_PER_S
from sixtysix_arena.sessions import Connection, Session

PATIENT = Clock(per_move_ms=60_000, per_game_ms=60_000, grace_ms=60_000, join_ms=10_000)
STALE = play_pb2.BotFrame(answers=[play_pb2.Answer(game=999, move=1)] * 500)
FLOOD_S = 60.0
"""From the first frame to the goodbye, with time to spare."""
ATTEMPTS = 3
"""A machine that does something else in the middle of a measurement is no fault of the arena."""
FLOODER = """
import sys
import grpc
from sixtysix.v1 import play_pb2

address, token, parts = sys.argv[1], sys.argv[2], int(sys.argv[3])
hello = play_pb2.Hello(protocol_major=1, games_at_once=1, rulesets=[1])
junk = play_pb2.BotFrame(answers=[play_pb2.Answer(game=999, move=1)] * parts).SerializeToString()


def frames():
    yield play_pb2.BotFrame(hello=hello).SerializeToString()
    while True:
        yield junk


while True:
    with grpc.insecure_channel(address) as channel:
        play = channel.stream_stream("/sixtysix.v1.PlayService/Play")
        try:
            for _ in play(frames(), metadata=(("authorization", f"Bearer {token}"),)):
                pass
        except grpc.RpcError:
            pass
"""


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """When the arena read each frame of `bad`."""
    times: list[float] = []
    receive = Session.receive

    def noting(session: Session, connection: Connection, data: bytes) -> float:
        if session.name == "bad":
            times.append(time.monotonic())
        return receive(session, connection, data)

    monkeypatch.setattr(Session, "receive", noting)
    return times


async def flood(raw: RawBot, junk: play_pb2.BotFrame) -> play_pb2.ArenaBye:
    """Sends without end; what the arena says when it has had enough."""

    async def send() -> None:
        while True:
            await raw.send(junk)

    sending = asyncio.create_task(send())
    try:
        bye = await raw.until(lambda frame: frame.bye if frame.HasField("bye") else None)
    finally:
        sending.cancel()
        await asyncio.gather(sending, return_exceptions=True)
    assert isinstance(bye, play_pb2.ArenaBye)
    return bye


def test_fault_row_30_a_flood_is_slowed_down_and_then_costs_every_game_that_is_owed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, read: list[float]
) -> None:
    monkeypatch.setattr("sixtysix_arena.conduct.FLOOD_PATIENCE_MS", 1_000.0)

    async def main() -> None:
        async with (
            running_arena(tmp_path / "data") as arena,
            bot(arena, "good", RawBot.play),
            bot(arena, "other", RawBot.play),
            bot(arena, "bad") as raw,
        ):
            entrants = ("bad", "good", "other")
            await arena.create_tournament(definition(entrants, clock=PATIENT, games_at_once=64))
            await arena.start_tournament("cup")
            async with asyncio.timeout(FLOOD_S):
                bye = await flood(raw, STALE)
            assert bye.reason == play_pb2.BYE_REASON_FLOODED
            assert bye.text.startswith("bad floods: it went on sending what has no effect")
            await until_finished(arena)
            for game in arena.stored.games("cup"):
                if "bad" not in game.entrants:
                    assert game.end is GameEnd.TARGET
                    continue
                assert (game.end, game.fault) == (GameEnd.FORFEIT, Fault.FLOOD)
                assert game.winner == 1 - game.entrants.index("bad")
                assert bye.text.startswith(game.reason)
            lost = next(arena.stored.games("cup", "bad"))
            (report,) = arena.stored.faults(lost.game_id)
            assert (report.entrant, report.fault) == ("bad", Fault.FLOOD)
            assert report.stream[-1].text == "500 answers"

    asyncio.run(asyncio.wait_for(main(), 100))
    burst = USELESS_BURST / 500
    flowing = (read[-1] - read[0]) * USELESS_PER_S / 500
    assert len(read) < burst + flowing + 3, "it was not slowed down"


def test_fault_row_30_a_move_that_is_overdue_while_nothing_is_read_is_lost_by_the_flood(
    tmp_path: Path,
) -> None:
    """Its answers may lie among the junk: so it is not told that it did not answer."""

    async def main() -> None:
        async with (
            running_arena(tmp_path / "data") as arena,
            bot(arena, "good", RawBot.play),
            bot(arena, "bad") as raw,
        ):
            # Each frame keeps it quiet for some 2 s; for a moment before the next one it is not.
            clock = Clock(per_move_ms=2_600, per_game_ms=60_000, grace_ms=200, join_ms=1_000)
            await arena.create_tournament(definition(("bad", "good"), clock=clock))
            await arena.start_tournament("cup")
            await raw.decision()
            async with asyncio.timeout(FLOOD_S):
                bye = await flood(raw, STALE)
            assert bye.reason == play_pb2.BYE_REASON_FLOODED
            await until_finished(arena)
            assert [outcome.fault for outcome in outcomes(arena)] == [Fault.FLOOD] * 2

    asyncio.run(asyncio.wait_for(main(), 100))


def test_fault_row_30_after_a_flood_a_bot_is_let_in_again_and_plays_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sixtysix_arena.conduct.FLOOD_PATIENCE_MS", 100.0)
    monkeypatch.setattr("sixtysix_arena.conduct.FLOOD_PAUSE_MS", 2_000.0)

    async def main() -> None:
        async with running_arena(tmp_path / "data") as arena, bot(arena, "good", RawBot.play):
            _, token = await arena.submit_bot("bad")
            await arena.create_tournament(
                definition(("bad", "good"), clock=PATIENT, games_at_once=1)
            )
            await arena.start_tournament("cup")
            raw = RawBot(arena.address, token)
            await raw.hello()
            await raw.decision()
            await flood(raw, STALE)
            refused = RawBot(arena.address, token)
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await refused.hello()
            assert caught.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
            assert caught.value.details() == "bad was sent away for flooding: come back in 2 s"
            wait_ms = int(dict(caught.value.trailing_metadata())["grpc-retry-pushback-ms"])
            assert 0 < wait_ms <= 2_000
            back_ms = arena.now_ms() + wait_ms  # Its clock, which stands still while it lags.
            while arena.now_ms() <= back_ms:  # noqa: ASYNC110
                await asyncio.sleep(0.02)
            again = RawBot(arena.address, token)
            await again.hello()
            await again.play_until_over(arena)
            assert [outcome.fault for outcome in outcomes(arena)] == [Fault.FLOOD, None]
            for each in (raw, refused, again):
                await each.vanish()

    asyncio.run(asyncio.wait_for(main(), 100))


def test_answers_said_three_times_and_empty_frames_are_no_flood(tmp_path: Path) -> None:
    """Sloppy, but no more than what it was asked for brings with it."""

    async def sloppy(raw: RawBot) -> None:
        while True:
            frame = await raw.receive()
            answers = [
                play_pb2.Answer(game=d.game, deal=d.deal, ply=d.ply, move=d.legal[0])
                for d in frame.decisions
            ]
            for _ in range(3):
                await raw.answer(*answers)

    async def main() -> None:
        async with (
            running_arena(tmp_path / "data") as arena,
            bot(arena, "bad", sloppy),
            bot(arena, "good", RawBot.play),
        ):
            await arena.create_tournament(
                definition(("bad", "good"), clock=PATIENT, games_per_pairing=100, games_at_once=50)
            )
            await arena.start_tournament("cup")
            await until_finished(arena)
            assert {outcome.end for outcome in outcomes(arena)} == {GameEnd.TARGET}

    asyncio.run(asyncio.wait_for(main(), 100))


@pytest.mark.alone
@pytest.mark.parametrize("parts", [1, 1_000])
def test_threat_20_a_flood_does_not_slow_the_others_down(tmp_path: Path, parts: int) -> None:
    """Each in a process of its own: two bots that play, one that floods, and the arena."""

    async def main() -> None:
        async with served_arena(tmp_path) as arena:
            times: list[float] = []
            bots = [await arena.join(name) for name in ("a", "b")]
            playing = [asyncio.create_task(play_on(each, times)) for each in bots]
            await arena.start("cup", ("a", "b"), games_per_pairing=5_000, games_at_once=1)
            await asyncio.sleep(0.5)
            for attempt in range(ATTEMPTS):
                times.clear()
                await asyncio.sleep(1.5)
                calm = times.copy()
                flooder = await asyncio.create_subprocess_exec(
                    *(sys.executable, "-c", FLOODER, arena.address),
                    *(await arena.token(f"flooder-{attempt}"), str(parts)),
                )
                times.clear()
                await asyncio.sleep(3)
                assert flooder.returncode is None
                flooder.kill()
                await flooder.wait()
                if len(times) > len(calm) and p99(times) < 2 * p99(calm):
                    break
            else:
                pytest.fail(f"p99 is {p99(times):.4f} s, in calm {p99(calm):.4f} s")
            for task in playing:
                task.cancel()
            await asyncio.gather(*playing, return_exceptions=True)
            for each in bots:
                await each.vanish()

    asyncio.run(asyncio.wait_for(main(), 100))


async def play_on(raw: RawBot, times: list[float]) -> None:
    """Plays without end; notes how long it takes from an answer to the next decision."""
    answered = None
    while True:
        frame = await raw.receive()
        if not frame.decisions:
            continue
        if answered is not None:
            times.append(time.perf_counter() - answered)
        answers = [
            play_pb2.Answer(game=d.game, deal=d.deal, ply=d.ply, move=d.legal[0])
            for d in frame.decisions
        ]
        answered = time.perf_counter()
        await raw.answer(*answers)


def p99(times: list[float]) -> float:
    """All but a hundredth are no longer than this."""
    return sorted(times)[len(times) * 99 // 100]
