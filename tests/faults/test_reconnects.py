"""Connections that break, are replaced, or come again and again: what the games make of it."""

from __future__ import annotations

import asyncio
import logging
import math
import re
import threading
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import grpc
import grpc.aio
import pytest
from support.arenas import RawBot, bot, definition, outcomes, running_arena, until_finished
from support.http2 import HELLO, Http2, connected, message
from support.relay import relayed

from sixtysix.client import Ending, EndReason, join, stream
from sixtysix.clock import Clock
from sixtysix.outcome import Fault, GameEnd
from sixtysix.rules import View
from sixtysix.v1 import play_pb2
from sixtysix_arena.arena import Arena
from sixtysix_arena.conduct import JOIN_BURST
from sixtysix_arena.server import serve
from sixtysix_arena.server.play import MAX_HELD

PATIENT = Clock(per_move_ms=60_000, per_game_ms=60_000, grace_ms=30_000, join_ms=30_000)
GAMES = 4


def first_of(decision: play_pb2.Decision) -> play_pb2.Answer:
    """The answer that every bot in here gives: so all deals are the same in each run."""
    return play_pb2.Answer(
        game=decision.game, deal=decision.deal, ply=decision.ply, move=decision.legal[0]
    )


@dataclass
class Good:
    """The other bot, and what it hears: without the time, which differs in each run."""

    heard: list[play_pb2.Decision]

    async def play(self, raw: RawBot) -> None:
        """Answers everything."""
        while True:
            for decision in (await raw.receive()).decisions:
                timeless = play_pb2.Decision()
                timeless.CopyFrom(decision)
                timeless.game_ms = timeless.charged_ms = 0
                self.heard.append(timeless)
                await raw.answer(first_of(decision))


Moves = list[list[tuple[int, ...]]]


def moves_of(arena: Arena) -> Moves:
    """The moves of each deal of each game."""
    games = (arena.stored.game(f"cup.{number}") for number in range(1, GAMES + 1))
    return [[deal.moves for deal in game.deals] for game in games]


@asynccontextmanager
async def cup(
    tmp_path: Path, *, clock: Clock = PATIENT, games_at_once: int = 1, good: Good | None = None
) -> AsyncIterator[tuple[Arena, str]]:
    """A tournament of `bad` and `good` that has started, and the token of `bad`."""
    good = good or Good([])
    async with running_arena(tmp_path / "data") as arena, bot(arena, "good", good.play):
        _, token = await arena.submit_bot("bad")
        await arena.create_tournament(
            definition(
                ("bad", "good"), clock=clock, games_per_pairing=GAMES, games_at_once=games_at_once
            )
        )
        await arena.start_tournament("cup")
        yield arena, token


class Kit:
    """A bot of the kit, in a thread that a test which fails does not wait for."""

    def __init__(self, address: str, token: str, pause_s: float = 0.0) -> None:
        self.told: list[str] = []
        self.ending: Ending | None = None

        def choose(view: View) -> int:
            time.sleep(pause_s)
            return view.legal[0]

        def play() -> None:
            self.ending = join(choose, arena=address, token=token, tell=self.told.append)

        self._thread = threading.Thread(target=play, daemon=True)
        self._thread.start()

    async def finished(self) -> bool:
        """Waits for its end; whether it ended as it should."""
        await asyncio.to_thread(self._thread.join, 60)
        return self.ending is not None and self.ending.reason is EndReason.FINISHED


def run(main: Any) -> Any:
    return asyncio.run(asyncio.wait_for(main, 100))


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Moves, list[play_pb2.Decision]]:
    """What is played, and what `good` hears, if nothing happens."""
    good = Good([])

    async def main() -> Moves:
        async with cup(tmp_path_factory.mktemp("calm"), good=good) as (arena, token):
            raw = RawBot(arena.address, token)
            await raw.hello()
            await raw.play_until_over(arena)
            await raw.vanish()
            return moves_of(arena)

    return run(main()), good.heard


async def answers(raw: RawBot, count: int) -> None:
    """Answers so many decisions."""
    for _ in range(count):
        await raw.answer(first_of(await raw.decision()))


def check_undisturbed(
    arena: Arena, good: Good, undisturbed: tuple[Moves, list[play_pb2.Decision]]
) -> None:
    """Nobody was charged, no move was lost or made twice, and the opponent noticed nothing."""
    assert {outcome.end for outcome in outcomes(arena)} == {GameEnd.TARGET}
    assert moves_of(arena) == undisturbed[0]
    assert good.heard == undisturbed[1]


def test_fault_row_03_and_threat_09_the_newest_of_many_streams_plays_on_and_no_move_is_lost(
    tmp_path: Path, undisturbed: tuple[Moves, list[play_pb2.Decision]]
) -> None:
    good = Good([])

    async def main() -> None:
        async with cup(tmp_path, good=good) as (arena, token):
            old = RawBot(arena.address, token)
            await old.hello()
            for number in range(2, 8):
                await answers(old, number)
                owed = await old.decision()
                new = RawBot(arena.address, token)
                welcome = await new.hello()
                assert welcome.welcome.connection_count == number
                bye = await old.until(lambda frame: frame.bye if frame.HasField("bye") else None)
                assert bye.reason == play_pb2.BYE_REASON_FENCED
                with pytest.raises(EOFError):
                    await old.receive()
                await old.vanish()
                frame = await new.until(lambda frame: frame if frame.decisions else None)
                assert list(frame.decisions) == [owed]
                assert [start.game for start in frame.starts] == [owed.game]
                await new.answer(first_of(owed))
                old = new
            await old.play_until_over(arena)
            await old.vanish()
            check_undisturbed(arena, good, undisturbed)

    run(main())


def test_fault_rows_20_and_21_a_bot_that_is_back_in_time_plays_as_if_it_had_not_been_away(
    tmp_path: Path, undisturbed: tuple[Moves, list[play_pb2.Decision]]
) -> None:
    """Away on its own turn and, having just answered, on its opponent's."""
    good = Good([])

    async def main() -> None:
        async with cup(tmp_path, good=good) as (arena, token):
            for count in range(2, 12):
                raw = RawBot(arena.address, token)
                await raw.hello()
                await answers(raw, count)
                if count % 2:
                    await raw.decision()
                await raw.vanish()
                while arena.sessions.is_connected("bad"):  # noqa: ASYNC110
                    await asyncio.sleep(0.005)
            raw = RawBot(arena.address, token)
            await raw.hello()
            await raw.play_until_over(arena)
            await raw.vanish()
            check_undisturbed(arena, good, undisturbed)

    run(main())


def test_fault_row_20_the_bank_runs_on_while_a_bot_is_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Here the bot's time is that of the machine, whatever the arena's own lag.
    monkeypatch.setattr("sixtysix_arena.clocks.MAX_BEAT_GAP_MS", math.inf)

    async def main() -> None:
        async with cup(tmp_path) as (arena, token):
            raw = RawBot(arena.address, token)
            await raw.hello()
            owed = await raw.decision()
            await raw.vanish()
            await asyncio.sleep(0.4)
            raw = RawBot(arena.address, token)
            await raw.hello()
            assert await raw.decision() == owed
            await raw.answer(first_of(owed))
            assert 390 <= (await raw.decision()).charged_ms < 30_000
            await raw.vanish()

    run(main())


def test_fault_row_22_who_is_back_too_late_has_lost_those_games_and_plays_the_next(
    tmp_path: Path,
) -> None:
    clock = Clock(per_move_ms=60_000, per_game_ms=60_000, grace_ms=1_000, join_ms=30_000)

    async def main() -> None:
        async with cup(tmp_path, clock=clock, games_at_once=2) as (arena, token):
            raw = RawBot(arena.address, token)
            await raw.hello()
            await raw.decision()
            await raw.vanish()
            while (  # noqa: ASYNC110
                await arena.tournament("cup")
            ).games_over_count < 2:
                await asyncio.sleep(0.02)
            raw = RawBot(arena.address, token)
            await raw.hello()
            frame = await raw.until(lambda frame: frame if frame.starts else None)
            assert {start.game_id for start in frame.starts} == {"cup.3", "cup.4"}
            await raw.answer(*map(first_of, frame.decisions))
            await raw.play_until_over(arena)
            await raw.vanish()
            results = outcomes(arena)
            lost, played = results[:2], results[2:]
            assert [(each.fault, each.winner) for each in lost] == [(Fault.DISCONNECT, 1)] * 2
            assert [each.end for each in played] == [GameEnd.TARGET] * 2

    run(main())


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody is made to wait for being let in, or refused."""
    monkeypatch.setattr("sixtysix_arena.conduct.JOIN_PACE_MS", 0.0)
    monkeypatch.setattr("sixtysix_arena.server.play.HOLD_S", 0.0)


@pytest.mark.usefixtures("hurried")
def test_fault_row_23_a_hundred_joins_end_in_a_disconnect_and_the_log_stays_short(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, "sixtysix_arena")

    refusals: list[grpc.aio.AioRpcError] = []

    async def main() -> None:
        async with cup(tmp_path, games_at_once=2) as (arena, token):
            for _ in range(100):
                raw = RawBot(arena.address, token)
                try:
                    await raw.hello()
                except grpc.aio.AioRpcError as error:
                    refusals.append(error)
                else:
                    await raw.decision()
                await raw.vanish()
                while arena.sessions.is_connected("bad"):  # noqa: ASYNC110
                    await asyncio.sleep(0.002)
            games = list(arena.stored.games("cup"))
            lost = [game for game in games if game.fault is Fault.DISCONNECT]
            # Its next games begin only when it is there: the limit costs what was owed, no more.
            assert [game.game_id for game in lost] == ["cup.1", "cup.2"]
            (report,) = arena.stored.faults("cup.1")
            assert report.text == "bad joined more than 30 times in a short while"
            assert len(report.stream) <= 8

    run(main())
    assert 100 - JOIN_BURST - 5 <= len(refusals) <= 100 - JOIN_BURST
    for error in refusals:
        assert error.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
        assert (error.details() or "").startswith(
            "bad joined more than 30 times in a short while: come back in "
        )
        assert 0 < int(dict(error.trailing_metadata())["grpc-retry-pushback-ms"]) <= 10_000
    joins = [each for each in caplog.records if each.message == "a bot joined"]
    assert len(joins) < JOIN_BURST + 5


def test_fault_row_23_who_joins_too_often_is_made_to_wait(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that no storm of joins takes time from those who play."""
    hold_s = 4.0  # So long that nobody else comes so late.
    monkeypatch.setattr("sixtysix_arena.server.play.HOLD_S", hold_s)

    async def join_s(arena: Arena, token: str) -> float:
        began_s = time.monotonic()
        raw = RawBot(arena.address, token)
        with suppress(grpc.aio.AioRpcError):
            await raw.hello()
        await raw.vanish()
        return time.monotonic() - began_s

    async def main() -> None:
        async with cup(tmp_path) as (arena, token):
            for _ in range(25):
                arena.sessions.of("bad").knock()
            assert await join_s(arena, token) >= 1.0, "the 26th is paced"
            for _ in range(4):
                arena.sessions.of("bad").knock()
            refused = await asyncio.gather(*(join_s(arena, token) for _ in range(MAX_HELD + 3)))
            held = [each_s for each_s in refused if each_s >= hold_s]
            assert len(held) == MAX_HELD

    run(main())


def test_fault_row_23_a_bot_of_the_kit_waits_as_long_as_it_is_told_and_plays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sixtysix_arena.conduct.JOINS_PER_S", 0.25)

    async def main() -> None:
        async with cup(tmp_path) as (arena, token):
            for _ in range(JOIN_BURST):
                arena.sessions.of("bad").knock()
            kit = Kit(arena.address, token)
            await until_finished(arena)
            assert {outcome.end for outcome in outcomes(arena)} == {GameEnd.TARGET}
            assert arena.sessions.of("bad").connection_count == 1
            await arena.stop(finished=True)
            assert await kit.finished()
            put_off, joined, _ = kit.told
            assert re.match(
                "The arena lets the bot wait: bad joined more than 30 times in a short while: come"
                " back in [1-4] s; trying again, first in ",
                put_off,
            )
            assert joined == f"Joined the arena at {arena.address} as bad."

    run(main())


def test_fault_row_24_a_bot_may_come_back_from_another_address(
    tmp_path: Path,
    undisturbed: tuple[Moves, list[play_pb2.Decision]],
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO, "sixtysix_arena")
    good = Good([])

    async def main() -> None:
        async with cup(tmp_path, good=good) as (arena, token):
            first = RawBot(arena.address, token)
            await first.hello()
            await answers(first, 3)
            owed = await first.decision()
            async with relayed(arena.address, source="127.0.0.2") as line:
                second = RawBot(line.address, token)
                await second.hello()
                assert await second.decision() == owed
                await second.answer(first_of(owed))
                await second.play_until_over(arena)
                await second.vanish()
            await first.vanish()
            check_undisturbed(arena, good, undisturbed)

    run(main())
    joins = [each.__dict__ for each in caplog.records if each.message == "a bot joined"]
    seen = {each["address"].partition(":")[0] for each in joins if each["bot"] == "bad"}
    assert seen == {"127.0.0.1", "127.0.0.2"}


@pytest.mark.parametrize("cut", [1, 5, 9, 14, 20, 30])
def test_fault_row_35_a_reset_in_the_middle_of_a_message_is_like_any_loss(
    tmp_path: Path, undisturbed: tuple[Moves, list[play_pb2.Decision]], cut: int
) -> None:
    """What was cut has no effect; what it would have answered is asked again."""
    good = Good([])

    async def main() -> None:
        async with cup(tmp_path, good=good) as (arena, token):
            async with relayed(arena.address) as line:
                raw = RawBot(line.address, token)
                await raw.hello()
                await answers(raw, 3)
                owed = await raw.decision()
                line.cut_after(cut)
                padded = first_of(owed)
                padded.comment = "a" * 100
                with suppress(EOFError, grpc.aio.AioRpcError):
                    await raw.answer(padded)
                    await raw.receive()
                await line.was_cut()
                await raw.vanish()
            raw = RawBot(arena.address, token)
            await raw.hello()
            assert await raw.decision() == owed
            await raw.answer(first_of(owed))
            await raw.play_until_over(arena)
            await raw.vanish()
            check_undisturbed(arena, good, undisturbed)

    run(main())


@pytest.mark.parametrize("cuts", [(2, 300, 700), (20, 500, 1_100)])
def test_fault_row_35_a_bot_of_the_kit_outlives_resets_at_any_byte(
    tmp_path: Path, undisturbed: tuple[Moves, list[play_pb2.Decision]], cuts: Sequence[int]
) -> None:
    good = Good([])

    async def main() -> None:
        async with cup(tmp_path, good=good) as (arena, token), relayed(arena.address) as line:
            line.cut_after(cuts[0])
            kit = Kit(line.address, token)
            await line.was_cut()
            for cut in cuts[1:]:
                line.cut_after(cut)
                await line.was_cut()
            await until_finished(arena)
            check_undisturbed(arena, good, undisturbed)
            await arena.stop(finished=True)
            assert await kit.finished()

    run(main())


@pytest.mark.usefixtures("hurried")
def test_fault_row_36_connections_that_are_too_old_are_replaced_and_nobody_is_charged(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    undisturbed: tuple[Moves, list[play_pb2.Decision]],
) -> None:
    young = {"grpc.max_connection_age_ms": 400, "grpc.max_connection_age_grace_ms": 200}
    # On a slow machine they are replaced more often than a bot may come.
    monkeypatch.setattr("sixtysix_arena.conduct.JOIN_BURST", 10_000)
    monkeypatch.setattr(stream, "STEADY_S", 0.2)
    monkeypatch.setattr(stream, "FIRST_PAUSE_S", 0.1)
    usual = serve.OPTIONS
    monkeypatch.setattr(serve, "OPTIONS", tuple({**dict(usual), **young}.items()))

    async def main() -> None:
        async with running_arena(tmp_path / "data") as arena:
            kits = {}
            for name in ("bad", "good"):
                _, token = await arena.submit_bot(name)
                kits[name] = Kit(arena.address, token, pause_s=0.002)
            await arena.create_tournament(
                definition(("bad", "good"), clock=PATIENT, games_per_pairing=GAMES, games_at_once=1)
            )
            await arena.start_tournament("cup")
            await until_finished(arena)
            assert {outcome.end for outcome in outcomes(arena)} == {GameEnd.TARGET}
            assert moves_of(arena) == undisturbed[0]
            assert all(arena.sessions.of(name).connection_count > 2 for name in kits)
        # The goodbye is for those who are there: not between two connections.
        monkeypatch.setattr(serve, "OPTIONS", usual)
        async with running_arena(tmp_path / "data", grpc=arena.address) as arena:
            while not all(map(arena.sessions.is_connected, kits)):  # noqa: ASYNC110
                await asyncio.sleep(0.02)
            await arena.stop(finished=True)
            assert all([await kit.finished() for kit in kits.values()])

    run(main())


def test_threat_22_a_hello_that_drips_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sixtysix_arena.server.play.HELLO_TIMEOUT_S", 1.0)

    async def drip(http2: Http2, call: int) -> None:
        for byte in message(HELLO):
            await http2.write(call, bytes([byte]))
            await asyncio.sleep(0.2)

    async def main() -> None:
        async with running_arena(tmp_path / "data") as arena, connected(arena.address) as http2:
            _, token = await arena.submit_bot("bad")
            call = await http2.call(token=token)
            dripping = asyncio.create_task(drip(http2, call))
            refused = await http2.finished(call)
            dripping.cancel()
            await asyncio.gather(dripping, return_exceptions=True)
            assert refused.status == grpc.StatusCode.INVALID_ARGUMENT.value[0]
            assert refused.text == "no hello within 1 s: the first frame carries it"
            assert not arena.sessions.of("bad").connected

    run(main())
