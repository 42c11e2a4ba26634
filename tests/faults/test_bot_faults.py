"""What bots do wrong over a real stream: the game goes to the other, and all else goes on."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from support.arenas import (
    RawBot,
    bot,
    definition,
    outcomes,
    running_arena,
    until_finished,
)
from support.misbehaving import PATIENT, answer, check_forfeits, run, tournament_of

from sixtysix.client import EndReason, join
from sixtysix.clock import Clock
from sixtysix.outcome import Fault, GameEnd
from sixtysix.rules import View
from sixtysix.v1 import play_pb2
from sixtysix_arena.sessions import MAX_FRAME_BYTES

STAYING = Clock(per_move_ms=60_000, per_game_ms=600_000, grace_ms=20_000, join_ms=20_000)
"""Nothing runs out by itself in a test that is done within seconds."""


def test_an_answer_without_a_move(tmp_path: Path) -> None:
    async def behave(raw: RawBot) -> None:
        while True:
            for decision in (await raw.receive()).decisions:
                await raw.answer(answer(decision, move=None))

    reasons = check_forfeits(tournament_of(tmp_path, behave), Fault.MALFORMED)
    assert all("has no move" in reason for reason in reasons)


def check_no_frame(tmp_path: Path, data: bytes, said: str) -> None:
    """What is no frame costs the open game, and the stream; the bot is told why."""
    heard: list[play_pb2.ArenaFrame] = []

    async def behave(raw: RawBot) -> None:
        await raw.decision()
        await raw.send_bytes(data)
        while True:
            heard.append(await raw.receive())

    # With one game at once the second game finds the bot gone.
    played = tournament_of(tmp_path, behave, games_at_once=1)
    results = played.results
    assert results[0].fault is Fault.MALFORMED
    assert said in results[0].reason
    assert results[1].fault is Fault.DISCONNECT
    assert [fault.fault for frame in heard for fault in frame.faults] == [2]
    assert heard[-1].bye.reason == play_pb2.BYE_REASON_MALFORMED


@pytest.mark.parametrize(
    "data",
    [b"\xff\xff\xff\xff", b"GET / HTTP/1.1\r\n", b"\x12\x05abc", b"\x12\x04\x2a\x02\xff\xff"],
    ids=["garbage", "another protocol", "cut short", "a comment that is no UTF-8"],
)
def test_fault_row_13_bytes_that_are_no_frame(tmp_path: Path, data: bytes) -> None:
    check_no_frame(tmp_path, data, f"{len(data)} bytes that are no frame")


def test_fault_row_14_a_frame_over_64_kib(tmp_path: Path) -> None:
    check_no_frame(tmp_path, bytes(MAX_FRAME_BYTES + 1), "a frame of 65537 bytes is too large")


@pytest.mark.parametrize("data", [b"\xff\xff", bytes(MAX_FRAME_BYTES + 1)], ids=["13", "14"])
def test_fault_rows_13_and_14_cost_no_game_in_which_nothing_is_owed(
    tmp_path: Path, data: bytes
) -> None:
    """The opponent `mute` has the lead in one game and says nothing: there the bot owes nothing."""

    async def main() -> None:
        async with (
            running_arena(tmp_path / "data") as arena,
            bot(arena, "good", RawBot.play),
            bot(arena, "mute"),
        ):
            _, token = await arena.submit_bot("bad")
            await arena.create_tournament(definition(("bad", "good", "mute"), clock=STAYING))
            await arena.start_tournament("cup")
            raw = RawBot(arena.address, token)
            await raw.hello()
            owed: set[int] = set()
            while len(owed) < 3:
                owed.update(decision.game for decision in (await raw.receive()).decisions)
            await raw.send_bytes(data)
            bye = await raw.until(lambda frame: frame.bye if frame.HasField("bye") else None)
            assert bye.reason == play_pb2.BYE_REASON_MALFORMED
            back = RawBot(arena.address, token)
            await back.hello()
            (goes_on,) = (await back.receive()).starts
            assert (goes_on.opponent, goes_on.seat) == ("mute", 0)
            assert goes_on.game not in owed
            lost = [game for game in arena.stored.games("cup") if game.fault is not None]
            assert {game.game_id for game in lost} == {f"cup.{number}" for number in owed}
            assert {game.fault for game in lost} == {Fault.MALFORMED}
            await raw.vanish()
            await back.vanish()

    run(main())


def test_fault_row_14_over_1_mib_loses_the_connection(tmp_path: Path) -> None:
    async def behave(raw: RawBot) -> None:
        await raw.decision()
        await raw.send_bytes(bytes(1024 * 1024 + 1))

    played = tournament_of(tmp_path, behave, clock=PATIENT, games_at_once=2)
    check_forfeits(played, Fault.DISCONNECT)


def test_fault_row_17_a_bot_that_vanishes(tmp_path: Path) -> None:
    async def behave(raw: RawBot) -> None:
        await raw.decision()
        await raw.vanish()

    reasons = check_forfeits(tournament_of(tmp_path, behave, clock=PATIENT), Fault.DISCONNECT)
    assert reasons == ["bad was away for more than 300 ms"] * 2


def test_fault_row_16_a_bot_that_raises_loses_that_game_only(tmp_path: Path) -> None:
    """The bot is one of the kit's: what it raised is for its author, and never sent."""
    asked = 0
    told: list[str] = []

    def choose(view: View) -> int:
        nonlocal asked
        asked += view.game == "cup.2"
        if asked == 5 and view.game == "cup.2":
            raise ValueError("my secret plan has a hole")
        return view.legal[0]

    async def main() -> None:
        async with running_arena(tmp_path / "data") as arena, bot(arena, "good", RawBot.play):
            _, token = await arena.submit_bot("bad")
            playing = asyncio.create_task(
                asyncio.to_thread(join, choose, arena=arena.address, token=token, tell=told.append)
            )
            try:
                await arena.create_tournament(
                    definition(("bad", "good"), clock=PATIENT, games_per_pairing=4)
                )
                await arena.start_tournament("cup")
                await until_finished(arena)
            finally:
                await arena.rotate_token("bad")
                ending = await playing
            assert ending.reason is EndReason.REVOKED
            results = outcomes(arena)
            assert [outcome.end for outcome in results] == [
                GameEnd.FORFEIT if number == 2 else GameEnd.TARGET for number in (1, 2, 3, 4)
            ]
            assert (results[1].fault, results[1].winner) == (Fault.LEFT, 1)
            assert results[1].reason == "bad gave the game up: its code failed"
            (evidence,) = arena.reader.faults(2)
            assert b"secret" not in evidence.evidence

    run(main())
    assert "my secret plan has a hole" in "".join(told)
    for path in (tmp_path / "data").iterdir():
        assert b"secret plan" not in path.read_bytes()


def test_fault_row_16_resigning_costs_that_game_only(tmp_path: Path) -> None:
    async def behave(raw: RawBot) -> None:
        left = False
        while True:
            for decision in (await raw.receive()).decisions:
                if left:
                    await raw.answer(answer(decision))
                    continue
                left = True
                leave = play_pb2.Leave(game=decision.game, reason=play_pb2.LEAVE_REASON_RESIGNED)
                await raw.send(play_pb2.BotFrame(leaves=[leave]))

    played = tournament_of(tmp_path, behave)
    assert check_forfeits(played, Fault.LEFT, count=1) == ["bad gave the game up: it resigned"]


def test_a_goodbye_forfeits_all_games(tmp_path: Path) -> None:
    async def behave(raw: RawBot) -> None:
        await raw.decision()
        await raw.send(play_pb2.BotFrame(bye=play_pb2.BotBye()))

    check_forfeits(tournament_of(tmp_path, behave), Fault.LEFT)


def test_fault_row_20_back_within_the_grace_it_is_asked_the_same_again(
    tmp_path: Path,
) -> None:
    async def main() -> None:
        async with running_arena(tmp_path / "data") as arena, bot(arena, "good", RawBot.play):
            _, token = await arena.submit_bot("bad")
            await arena.create_tournament(definition(("bad", "good"), clock=STAYING))
            await arena.start_tournament("cup")
            first = RawBot(arena.address, token)
            await first.hello()
            before = await first.decision()
            await first.vanish()
            await asyncio.sleep(0.1)
            second = RawBot(arena.address, token)
            await second.hello()
            frame = await second.until(lambda frame: frame if frame.decisions else None)
            again = {(d.game, d.deal, d.ply): d for d in frame.decisions}
            assert again[before.game, before.deal, before.ply] == before
            assert before.game in {start.game for start in frame.starts}
            await second.answer(*(answer(d) for d in frame.decisions))
            await second.play_until_over(arena)
            assert [outcome.end for outcome in outcomes(arena)] == [GameEnd.TARGET] * 2
            await second.vanish()

    run(main())


def test_fault_row_03_the_newest_connection_wins(tmp_path: Path) -> None:
    async def main() -> None:
        async with running_arena(tmp_path / "data") as arena, bot(arena, "good", RawBot.play):
            _, token = await arena.submit_bot("bad")
            await arena.create_tournament(definition(("bad", "good"), clock=STAYING))
            await arena.start_tournament("cup")
            first = RawBot(arena.address, token)
            await first.hello()
            await first.decision()
            second = RawBot(arena.address, token)
            frame = await second.hello()
            assert frame.welcome.connection_count == 2
            bye = await first.until(lambda frame: frame.bye if frame.HasField("bye") else None)
            assert bye.reason == play_pb2.BYE_REASON_FENCED
            await second.play_until_over(arena)
            assert [outcome.end for outcome in outcomes(arena)] == [GameEnd.TARGET] * 2
            await first.vanish()
            await second.vanish()

    run(main())


def test_a_goodbye_ends_the_stream(tmp_path: Path) -> None:
    async def main() -> None:
        async with running_arena(tmp_path / "data") as arena, bot(arena, "bad") as raw:
            await raw.send(play_pb2.BotFrame(bye=play_pb2.BotBye()))
            frame = await raw.receive()
            assert frame.bye.reason == play_pb2.BYE_REASON_LEFT
            with pytest.raises(EOFError):
                await raw.receive()

    run(main())


@pytest.mark.slow
def test_an_idle_bot_that_pings_politely_keeps_its_stream(tmp_path: Path) -> None:
    """By default gRPC takes three pings within five minutes for an attack."""

    async def main() -> None:
        async with running_arena(tmp_path / "data") as arena:
            _, token = await arena.submit_bot("idle")
            options = (
                ("grpc.keepalive_time_ms", 5_100),
                ("grpc.http2.max_pings_without_data", 0),
            )
            raw = RawBot(arena.address, token, options)
            await raw.hello()
            end = asyncio.create_task(raw.until(lambda frame: frame.HasField("bye")))
            await asyncio.wait({end}, timeout=5.1 * 4 + 1)
            assert not end.done()
            end.cancel()
            assert arena.sessions.of("idle").connected
            await raw.vanish()

    run(main())
