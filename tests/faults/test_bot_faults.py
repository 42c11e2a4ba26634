"""What bots do wrong over a real stream: the game goes to the other, and all else goes on."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import grpc
import pytest
from support.arenas import (
    CLOCK,
    RawBot,
    bot,
    definition,
    outcomes,
    running_arena,
    until_finished,
)

from sixtysix.clock import Clock
from sixtysix.outcome import Fault, GameEnd, GameOutcome
from sixtysix.reports import GameState
from sixtysix.v1 import play_pb2
from sixtysix_arena.sessions import MAX_FRAME_BYTES
from sixtysix_arena.store import FaultEvidence

Behaviour = Callable[[RawBot], Coroutine[Any, Any, None]]


def answer(decision: play_pb2.Decision, **changes: int | None) -> play_pb2.Answer:
    fields: dict[str, int | None] = {
        "game": decision.game,
        "deal": decision.deal,
        "ply": decision.ply,
        "move": decision.legal[0],
    }
    return play_pb2.Answer(**fields | changes)  # type: ignore[arg-type]


@dataclass(frozen=True)
class Played:
    """What a tournament of two games left in the store."""

    results: list[GameOutcome]
    evidence: list[FaultEvidence]


def tournament_of(
    tmp_path: Path, behave: Behaviour, *, clock: Clock = CLOCK, games_at_once: int = 4
) -> Played:
    """`bad` behaves, `good` plays properly; returns what was stored in the end."""

    async def main() -> Played:
        async with (
            running_arena(tmp_path / "data") as arena,
            bot(arena, "good", RawBot.play),
            bot(arena, "bad", behave),
        ):
            await arena.create_tournament(
                definition(("bad", "good"), clock=clock, games_at_once=games_at_once)
            )
            await arena.start_tournament("cup")
            await until_finished(arena)
            evidence = [fault for game in (1, 2) for fault in arena.reader.faults(game)]
            return Played(outcomes(arena), evidence)

    return asyncio.run(asyncio.wait_for(main(), 60))


def check_forfeits(played: Played, fault: Fault, *, count: int = 2) -> list[str]:
    """Seat 0 is `bad`. Returns the reasons."""
    forfeits = [outcome for outcome in played.results if outcome.end is GameEnd.FORFEIT]
    assert [(outcome.fault, outcome.winner) for outcome in forfeits] == [(fault, 1)] * count
    assert len(played.evidence) == count
    assert [each.text for each in played.evidence] == [outcome.reason for outcome in forfeits]
    return [outcome.reason for outcome in forfeits]


async def one_wrong_answer(raw: RawBot, **changes: int | None) -> None:
    """Answers the first decision of each game wrongly."""
    while True:
        for decision in (await raw.receive()).decisions:
            await raw.answer(answer(decision, **changes))


def test_fault_11_an_illegal_move(tmp_path: Path) -> None:
    async def behave(raw: RawBot) -> None:
        while True:
            for decision in (await raw.receive()).decisions:
                not_held = next(card for card in range(24) if card not in decision.hand)
                await raw.answer(answer(decision, move=not_held))

    reasons = check_forfeits(tournament_of(tmp_path, behave), Fault.ILLEGAL)
    assert all("is not in your hand; legal are" in reason for reason in reasons)


@pytest.mark.parametrize("move", [36, 2**32 - 1])
def test_fault_15_a_number_that_is_no_move(tmp_path: Path, move: int) -> None:
    played = tournament_of(tmp_path, lambda raw: one_wrong_answer(raw, move=move))
    reasons = check_forfeits(played, Fault.ILLEGAL)
    assert all("moves are the numbers 0 to 35" in reason for reason in reasons)


def test_an_answer_without_a_move(tmp_path: Path) -> None:
    played = tournament_of(tmp_path, lambda raw: one_wrong_answer(raw, move=None))
    reasons = check_forfeits(played, Fault.MALFORMED)
    assert all("has no move" in reason for reason in reasons)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"\xff\xff\xff\xff", "4 bytes that are no frame"),
        (bytes(MAX_FRAME_BYTES + 1), "a frame of 65537 bytes is too large"),
    ],
    ids=["fault 13 garbage", "fault 14 over 64 KiB"],
)
def test_what_is_no_frame(tmp_path: Path, data: bytes, said: str) -> None:
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


def test_fault_14_over_1_mib_loses_the_connection(tmp_path: Path) -> None:
    async def behave(raw: RawBot) -> None:
        await raw.decision()
        await raw.send_bytes(bytes(1024 * 1024 + 1))

    check_forfeits(tournament_of(tmp_path, behave, games_at_once=2), Fault.DISCONNECT)


@pytest.mark.alone
def test_fault_6_silence(tmp_path: Path) -> None:
    async def behave(raw: RawBot) -> None:
        while True:
            await raw.receive()

    reasons = check_forfeits(tournament_of(tmp_path, behave), Fault.TIMEOUT)
    assert all("a move has 400 ms" in reason for reason in reasons)


@pytest.mark.alone
def test_fault_9_an_answer_after_the_deadline(tmp_path: Path) -> None:
    stale: list[play_pb2.StaleNotice] = []

    async def behave(raw: RawBot) -> None:
        decision = await raw.decision()
        await asyncio.sleep(0.6)
        await raw.answer(answer(decision))
        while True:
            frame = await raw.receive()
            stale.extend(frame.stales)
            for decision in frame.decisions:
                await raw.answer(answer(decision))

    # The second game begins while the bot sleeps, and has time enough left.
    played = tournament_of(tmp_path, behave, games_at_once=1)
    check_forfeits(played, Fault.TIMEOUT, count=1)
    assert [(notice.game, notice.deal) for notice in stale] == [(1, 0)]


@pytest.mark.alone
def test_an_empty_bank_is_a_time_out_of_that_game(tmp_path: Path) -> None:
    async def behave(raw: RawBot) -> None:
        while True:
            for decision in (await raw.receive()).decisions:
                await asyncio.sleep(0.1)
                await raw.answer(answer(decision))

    clock = Clock(per_move_ms=5_000, per_game_ms=250, grace_ms=1_000, join_ms=5_000)
    played = tournament_of(tmp_path, behave, clock=clock, games_at_once=1)
    check_forfeits(played, Fault.TIMEOUT)


def test_fault_17_a_bot_that_vanishes(tmp_path: Path) -> None:
    async def behave(raw: RawBot) -> None:
        await raw.decision()
        await raw.vanish()

    reasons = check_forfeits(tournament_of(tmp_path, behave), Fault.DISCONNECT)
    assert reasons == ["bad was away for more than 300 ms"] * 2


def test_fault_16_leaving_costs_that_game_only(tmp_path: Path) -> None:
    async def behave(raw: RawBot) -> None:
        left = False
        while True:
            for decision in (await raw.receive()).decisions:
                if left:
                    await raw.answer(answer(decision))
                    continue
                left = True
                leave = play_pb2.Leave(game=decision.game, reason=play_pb2.LEAVE_REASON_BOT_RAISED)
                await raw.send(play_pb2.BotFrame(leaves=[leave]))

    played = tournament_of(tmp_path, behave)
    assert check_forfeits(played, Fault.LEFT, count=1) == ["bad gave the game up: its code failed"]


def test_a_goodbye_forfeits_all_games(tmp_path: Path) -> None:
    async def behave(raw: RawBot) -> None:
        await raw.decision()
        await raw.send(play_pb2.BotFrame(bye=play_pb2.BotBye()))

    check_forfeits(tournament_of(tmp_path, behave), Fault.LEFT)


def test_fault_27_stale_and_foreign_answers_have_no_effect(tmp_path: Path) -> None:
    stale = 0

    async def behave(raw: RawBot) -> None:
        nonlocal stale
        while True:
            frame = await raw.receive()
            stale += len(frame.stales)
            for decision in frame.decisions:
                await raw.answer(
                    answer(decision, ply=decision.ply + 1),
                    answer(decision, deal=decision.deal + 1),
                    answer(decision, game=999_999),
                    answer(decision),
                    answer(decision),  # Fault 26: the first counts.
                )

    played = tournament_of(tmp_path, behave)
    results = played.results
    assert [outcome.end for outcome in results] == [GameEnd.TARGET] * 2
    assert played.evidence == []
    assert stale >= 4 * results[0].deal_count


def test_fault_1_a_bot_that_never_joins(tmp_path: Path) -> None:
    async def main() -> None:
        async with (
            running_arena(tmp_path / "data") as arena,
            bot(arena, "good", RawBot.play),
            bot(arena, "other", RawBot.play),
        ):
            for name in ("absent", "away"):
                await arena.submit_bot(name)
            await arena.create_tournament(definition(("absent", "away", "good", "other")))
            await arena.start_tournament("cup")
            assert "absent, away" in (await arena.tournament("cup")).waiting_for
            await until_finished(arena)
            games = {game.game_id: game for game in arena.stored.games("cup")}
            board = arena.stored.board("cup")
        assert all(game.state is GameState.OVER for game in games.values())
        for game in games.values():
            missing = [name for name in game.entrants if name in ("absent", "away")]
            if len(missing) == 2:
                assert game.end is GameEnd.VOID
                assert game.winner is None
            elif missing:
                assert game.fault is Fault.NO_SHOW
                assert game.entrants.index(missing[0]) == 1 - (game.winner or 0)
                assert game.reason == f"{missing[0]} did not join within 1000 ms"
            else:
                assert game.end is GameEnd.TARGET
        rows = {row.entrant: row for row in board.rows}
        assert rows["absent"].faults == {Fault.NO_SHOW: 4}
        assert rows["absent"].void == 2

    asyncio.run(asyncio.wait_for(main(), 60))


def test_fault_20_back_within_the_grace_the_same_decision_is_asked_again(tmp_path: Path) -> None:
    async def main() -> None:
        async with running_arena(tmp_path / "data") as arena, bot(arena, "good", RawBot.play):
            _, token = await arena.submit_bot("bad")
            await arena.create_tournament(definition(("bad", "good")))
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

    asyncio.run(asyncio.wait_for(main(), 60))


def test_fault_3_the_newest_connection_wins(tmp_path: Path) -> None:
    async def main() -> None:
        async with running_arena(tmp_path / "data") as arena, bot(arena, "good", RawBot.play):
            _, token = await arena.submit_bot("bad")
            await arena.create_tournament(definition(("bad", "good")))
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

    asyncio.run(asyncio.wait_for(main(), 60))


def refusal(tmp_path: Path, token: str | None = "right", **hello: object) -> grpc.aio.AioRpcError:
    """Joins in a way that is refused."""

    async def main() -> grpc.aio.AioRpcError:
        async with running_arena(tmp_path / "data") as arena, bot(arena, "good", RawBot.play):
            _, right = await arena.submit_bot("bad")
            await arena.create_tournament(definition(("bad", "good")))
            await arena.start_tournament("cup")
            for _ in range(5):
                raw = RawBot(arena.address, right if token == "right" else token)
                with pytest.raises(grpc.aio.AioRpcError) as caught:
                    await raw.hello(**hello)
                await raw.vanish()
                # A call that is refused while it writes has this status on the client's side.
                if caught.value.code() is not grpc.StatusCode.INTERNAL:
                    break
            assert not (await arena.tournament("cup")).entrants[0].connected
            return caught.value

    return asyncio.run(asyncio.wait_for(main(), 60))


@pytest.mark.parametrize("token", [None, "wrong", ""])
def test_threat_1_without_the_right_token_nobody_joins(tmp_path: Path, token: str | None) -> None:
    error = refusal(tmp_path, token)
    assert error.code() is grpc.StatusCode.UNAUTHENTICATED
    assert "token" in (error.details() or "")


def test_fault_4_another_protocol_version_is_refused_with_both_named(tmp_path: Path) -> None:
    error = refusal(tmp_path, protocol_major=2, protocol_minor=7)
    assert error.code() is grpc.StatusCode.FAILED_PRECONDITION
    assert "protocol 2.7, the arena 1.0" in (error.details() or "")


def test_fault_5_a_bot_that_does_not_play_the_rule_set_is_refused(tmp_path: Path) -> None:
    error = refusal(tmp_path, rulesets=[4])
    assert error.code() is grpc.StatusCode.FAILED_PRECONDITION
    assert "does not play classic" in (error.details() or "")


@pytest.mark.parametrize("games_at_once", [0, 257])
def test_games_at_once_has_limits(tmp_path: Path, games_at_once: int) -> None:
    error = refusal(tmp_path, games_at_once=games_at_once)
    assert error.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert f"hello.games_at_once is {games_at_once}: expected 1 to 256" in (error.details() or "")


def test_another_version_is_refused_till_the_end(tmp_path: Path) -> None:
    async def main() -> None:
        async with running_arena(tmp_path / "data") as arena, bot(arena, "good", RawBot.play):
            _, token = await arena.submit_bot("bad")
            await arena.create_tournament(definition(("bad", "good")))
            await arena.start_tournament("cup")
            first = RawBot(arena.address, token)
            await first.hello(bot_version="1.0")
            other = RawBot(arena.address, token)
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await other.hello(bot_version="1.1")
            assert caught.value.code() is grpc.StatusCode.FAILED_PRECONDITION
            assert "'1.0'" in (caught.value.details() or "")
            await other.vanish()
            await first.play_until_over(arena)
            again = RawBot(arena.address, token)
            await again.hello(bot_version="1.1")
            await again.vanish()
            await first.vanish()

    asyncio.run(asyncio.wait_for(main(), 60))


def test_a_refused_join_freezes_no_version(tmp_path: Path) -> None:
    async def main() -> None:
        async with running_arena(tmp_path / "data") as arena, bot(arena, "good", RawBot.play):
            _, token = await arena.submit_bot("bad")
            await arena.create_tournament(definition(("bad", "good")))
            await arena.start_tournament("cup")
            refused = RawBot(arena.address, token)
            with pytest.raises(grpc.aio.AioRpcError):
                await refused.hello(bot_version="1.0", rulesets=[4])
            accepted = RawBot(arena.address, token)
            await accepted.hello(bot_version="2.0")
            assert (await arena.tournament("cup")).entrants[0].version == "2.0"
            await refused.vanish()
            await accepted.vanish()

    asyncio.run(asyncio.wait_for(main(), 60))


def test_a_goodbye_ends_the_stream(tmp_path: Path) -> None:
    async def main() -> None:
        async with running_arena(tmp_path / "data") as arena, bot(arena, "bad") as raw:
            await raw.send(play_pb2.BotFrame(bye=play_pb2.BotBye()))
            frame = await raw.receive()
            assert frame.bye.reason == play_pb2.BYE_REASON_LEFT
            with pytest.raises(EOFError):
                await raw.receive()

    asyncio.run(asyncio.wait_for(main(), 60))


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

    asyncio.run(asyncio.wait_for(main(), 60))


def test_a_rotated_token_ends_the_stream_at_once(tmp_path: Path) -> None:
    async def main() -> None:
        async with running_arena(tmp_path / "data") as arena, bot(arena, "bad") as raw:
            token = await arena.rotate_token("bad")
            frame = await raw.receive()
            assert frame.bye.reason == play_pb2.BYE_REASON_REVOKED
            again = RawBot(arena.address, token)
            assert (await again.hello()).welcome.bot_name == "bad"
            await again.vanish()

    asyncio.run(asyncio.wait_for(main(), 60))
