"""What is kept of each fault over a real stream, and who may see it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import grpc
import pytest
from support.arenas import CLOCK, RawBot, bot, definition, running_arena, until_finished
from support.misbehaving import Behaviour, answer, read_on

from sixtysix import api
from sixtysix.client import RemoteArena
from sixtysix.clock import Clock
from sixtysix.outcome import Fault, GameEnd
from sixtysix.reports import FaultReport, StreamEventKind
from sixtysix.rules import View
from sixtysix.v1 import arena_pb2, arena_pb2_grpc, play_pb2
from sixtysix_arena.arena import Arena
from sixtysix_arena.sessions import MAX_FRAME_BYTES

HOUR = Clock(per_move_ms=3_600_000, per_game_ms=3_600_000, grace_ms=300, join_ms=20_000)
"""For bots that are too good for a time-out, on however slow a machine."""


async def play(arena: Arena, *entrants: str, clock: Clock = CLOCK) -> None:
    """A tournament with one game at a time, to its end."""
    await arena.create_tournament(definition(entrants, clock=clock, games_at_once=1))
    await arena.start_tournament("cup")
    await until_finished(arena)


def evidence_of(
    tmp_path: Path, behave: Behaviour | None, *, clock: Clock = CLOCK, **hello: Any
) -> FaultReport:
    """`bad`, in seat 0, behaves; its fault in the first game of two, as the organiser sees it."""

    async def main() -> FaultReport:
        async with (
            running_arena(tmp_path / "data") as arena,
            bot(arena, "good", RawBot.play),
        ):
            if behave is None:
                await arena.submit_bot("bad")
                await play(arena, "bad", "good", clock=clock)
            else:
                async with bot(arena, "bad", behave, **hello):
                    await play(arena, "bad", "good", clock=clock)
            (report,) = arena.stored.faults("cup.1")
            info = arena.stored.game("cup.1").game
            assert (info.end, info.fault, info.winner) == (GameEnd.FORFEIT, report.fault, 1)
            assert info.reason == report.text
            return report

    report = asyncio.run(asyncio.wait_for(main(), 100))
    assert (report.game_id, report.entrant) == ("cup.1", "bad")
    assert report.at.endswith("Z")
    check_nothing_of_the_opponents(report)
    return report


def check_nothing_of_the_opponents(report: FaultReport) -> None:
    """All decisions in it are those that the bot itself was sent."""
    assert report.view is None or report.view.seat == 0
    for event in report.stream:
        assert len(event.data) in (event.byte_count, 4096)
        if event.kind is StreamEventKind.SENT:
            sent = play_pb2.ArenaFrame.FromString(event.data)
            assert {decision.seat for decision in sent.decisions} <= {0}


def check_charge(report: FaultReport, clock: Clock) -> None:
    """It was the only decision that was open, and the first: all of the time is charged."""
    assert report.waited_ms is not None
    assert report.charged_ms == pytest.approx(report.waited_ms, abs=1)
    assert report.bank_ms == pytest.approx(clock.per_game_ms - report.waited_ms, abs=1)


def texts(report: FaultReport) -> list[str]:
    return [event.text for event in report.stream]


def asked(report: FaultReport) -> View:
    assert report.view is not None
    assert (report.view.deal, report.view.ply) == (report.deal, report.ply)
    assert report.view.game == "cup.1"
    assert report.view.legal
    return report.view


async def wrong_answers(raw: RawBot, **changes: int | None) -> None:
    """Answers properly, but the third decision of each frame's games."""
    seen = 0
    while True:
        for decision in (await raw.receive()).decisions:
            seen += 1
            await raw.answer(answer(decision, **changes if seen % 3 == 0 else {}))


def test_fault_row_11_an_illegal_move(tmp_path: Path) -> None:
    async def behave(raw: RawBot) -> None:
        while True:
            for decision in (await raw.receive()).decisions:
                not_held = next(card for card in range(24) if card not in decision.hand)
                await raw.answer(answer(decision, move=not_held))

    report = evidence_of(tmp_path, behave, clock=HOUR)
    view = asked(report)
    assert report.fault is Fault.ILLEGAL
    assert report.answer not in map(str, view.hand)
    assert report.text.startswith(f"illegal move {report.answer}: {report.answer} is not in your")
    assert ", ".join(map(str, view.legal)) in report.text
    assert report.waited_ms is not None
    check_charge(report, HOUR)
    assert texts(report)[-2].endswith("1 decision: this one")
    assert texts(report)[-1] == "1 answer: to this decision"


def check_no_move(tmp_path: Path, move: int | None, fault: Fault, shown: str) -> None:
    report = evidence_of(tmp_path, lambda raw: wrong_answers(raw, move=move), clock=HOUR)
    assert (report.fault, report.answer) == (fault, shown)
    assert asked(report).tricks, "it was the third decision"
    assert texts(report)[-1] == "1 answer: to this decision"


def test_fault_row_15_a_number_that_is_no_move(tmp_path: Path) -> None:
    check_no_move(tmp_path, 36, Fault.ILLEGAL, "36, which is no move")


def test_an_answer_without_a_number(tmp_path: Path) -> None:
    check_no_move(tmp_path, None, Fault.MALFORMED, "an answer without a move")


def check_no_frame(tmp_path: Path, data: bytes, shown: str) -> None:
    async def behave(raw: RawBot) -> None:
        await raw.decision()
        await raw.send_bytes(data)
        await read_on(raw)

    report = evidence_of(tmp_path, behave)
    asked(report)
    assert report.fault is Fault.MALFORMED
    assert report.answer.startswith(shown)
    assert report.stream[-1].kind is StreamEventKind.REFUSED
    assert report.stream[-1].byte_count == len(data)
    assert texts(report)[-2].endswith("1 decision: this one")


def test_fault_row_13_garbage(tmp_path: Path) -> None:
    check_no_frame(tmp_path, b"\x12 hello, arena", "14 bytes: 12 20 68")


def test_fault_row_14_over_64_kib(tmp_path: Path) -> None:
    check_no_frame(tmp_path, bytes(MAX_FRAME_BYTES + 1), "65537 bytes: 00 00")


def test_fault_row_06_silence(tmp_path: Path) -> None:
    report = evidence_of(tmp_path, read_on)
    asked(report)
    assert (report.fault, report.answer) == (Fault.TIMEOUT, "")
    assert report.waited_ms is not None
    assert CLOCK.per_move_ms <= report.waited_ms < CLOCK.per_move_ms + 200
    check_charge(report, CLOCK)
    last = report.stream[-1]
    assert last.kind is StreamEventKind.SENT
    assert last.text.endswith("1 decision: this one")
    assert abs(last.before_ms - report.waited_ms) <= 1


def test_an_empty_bank(tmp_path: Path) -> None:
    async def behave(raw: RawBot) -> None:
        while True:
            for decision in (await raw.receive()).decisions:
                await asyncio.sleep(0.1)
                await raw.answer(answer(decision))

    clock = replace(HOUR, per_game_ms=1_000)
    report = evidence_of(tmp_path, behave, clock=clock)
    asked(report)
    assert (report.fault, report.bank_ms) == (Fault.TIMEOUT, 0)
    assert "the bank of the game held" in report.text
    assert "1 answer" in texts(report), "the answers before are still to be seen"


def test_fault_row_17_a_bot_that_vanishes(tmp_path: Path) -> None:
    async def behave(raw: RawBot) -> None:
        await raw.decision()
        await raw.vanish()

    report = evidence_of(tmp_path, behave, clock=HOUR)
    asked(report)
    assert (report.fault, report.answer) == (Fault.DISCONNECT, "")
    assert report.waited_ms is not None
    assert report.waited_ms > HOUR.grace_ms
    ended = report.stream[-1]
    assert (ended.kind, ended.text) == (StreamEventKind.ENDED, "without a goodbye")
    assert ended.before_ms > HOUR.grace_ms


def test_fault_row_16_leaving(tmp_path: Path) -> None:
    async def behave(raw: RawBot) -> None:
        while True:
            for decision in (await raw.receive()).decisions:
                leave = play_pb2.Leave(game=decision.game, reason=play_pb2.LEAVE_REASON_BOT_RAISED)
                await raw.send(play_pb2.BotFrame(leaves=[leave]))

    report = evidence_of(tmp_path, behave, clock=HOUR)
    asked(report)
    assert report.text == "bad gave the game up: its code failed"
    assert texts(report)[-2].endswith("1 decision: this one")
    assert texts(report)[-1] == "1 leave"


def test_a_goodbye(tmp_path: Path) -> None:
    async def behave(raw: RawBot) -> None:
        await raw.decision()
        await raw.send(play_pb2.BotFrame(bye=play_pb2.BotBye()))

    report = evidence_of(tmp_path, behave, clock=HOUR)
    asked(report)
    assert (report.fault, texts(report)[-1]) == (Fault.LEFT, "1 goodbye")


def test_a_game_that_is_forfeited_before_it_began_has_its_evidence_too(tmp_path: Path) -> None:
    async def behave(raw: RawBot) -> None:
        await raw.decision()
        await raw.vanish()

    async def main() -> tuple[FaultReport, ...]:
        async with (
            running_arena(tmp_path / "data") as arena,
            bot(arena, "good", RawBot.play),
            bot(arena, "bad", behave),
        ):
            await play(arena, "bad", "good", clock=HOUR)
            return arena.stored.faults("cup.2")

    (report,) = asyncio.run(asyncio.wait_for(main(), 100))
    assert report.fault is Fault.DISCONNECT
    assert report.text == "bad was away when only its games were left"
    assert (report.view, report.waited_ms) == (None, None)
    assert report.stream[-1].kind is StreamEventKind.ENDED
    # There may be thousands of such games: the frames themselves are not kept with each.
    assert {event.data for event in report.stream} == {b""}
    assert any(event.byte_count for event in report.stream)


def test_fault_row_01_a_bot_that_never_joins(tmp_path: Path) -> None:
    report = evidence_of(tmp_path, None)
    assert (report.fault, report.text) == (Fault.NO_SHOW, "bad did not join within 1000 ms")
    assert (report.view, report.answer, report.stream) == (None, "", ())
    assert report.bank_ms == CLOCK.per_game_ms


def test_fault_row_05_a_bot_that_does_not_play_the_rules(tmp_path: Path) -> None:
    report = evidence_of(tmp_path, RawBot.play, rulesets=[4])
    assert (report.fault, report.text) == (Fault.NO_SHOW, "bad does not play classic")
    assert texts(report) == ["stream 1 of this bot"]


# Who may see it


@dataclass(frozen=True)
class Served:
    """A running arena, its bots' tokens, and a game that `bad` forfeited to `good`."""

    arena: Arena
    tokens: dict[str, str]
    game: str

    @property
    def admin(self) -> str:
        return (self.arena.settings.data / "admin-token").read_text()

    async def seen(self, **token: Any) -> tuple[FaultReport, ...]:
        """What the client sees with a token."""

        def ask() -> tuple[FaultReport, ...]:
            with RemoteArena(self.arena.address, **token) as remote:
                return remote.faults(self.game)

        return await asyncio.to_thread(ask)


@asynccontextmanager
async def forfeited(tmp_path: Path) -> AsyncIterator[Served]:
    async with running_arena(tmp_path / "data") as arena:
        tokens = {}
        bots = []
        for name in ("bad", "good", "other"):
            _, tokens[name] = await arena.submit_bot(name)
            raw = RawBot(arena.address, tokens[name])
            await raw.hello()
            behave = wrong_answers(raw, move=36) if name == "bad" else raw.play()
            bots.append((raw, asyncio.create_task(behave)))
        await play(arena, "bad", "good", "other", clock=HOUR)
        game = next(
            each.game_id
            for each in arena.stored.games("cup", "bad")
            if each.entrants == ("bad", "good") and each.fault is not None
        )
        yield Served(arena, tokens, game)
        for raw, task in bots:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            await raw.vanish()


def run(check: Callable[[Served], Coroutine[Any, Any, None]], tmp_path: Path) -> None:
    async def main() -> None:
        async with forfeited(tmp_path) as served:
            await check(served)

    asyncio.run(asyncio.wait_for(main(), 100))


def test_the_author_the_organiser_and_nobody_else_see_the_evidence(tmp_path: Path) -> None:
    async def check(served: Served) -> None:
        (report,) = served.arena.stored.faults(served.game)
        assert report.entrant == "bad"
        assert await served.seen(bot_token=served.tokens["bad"]) == (report,)
        assert await served.seen(admin_token=served.admin) == (report,)
        assert await served.seen(bot_token=served.tokens["good"]) == ()
        with pytest.raises(api.NotAllowed, match=f"other does not play in {served.game}"):
            await served.seen(bot_token=served.tokens["other"])
        with pytest.raises(api.NotAllowed, match="no token"):
            await served.seen()
        with pytest.raises(api.NotAllowed, match="wrong token"):
            await served.seen(bot_token="guessed")
        await served.arena.rotate_token("bad")
        with pytest.raises(api.NotAllowed, match="was rotated"):
            await served.seen(bot_token=served.tokens["bad"])

    run(check, tmp_path)


def test_refusals_have_their_codes(tmp_path: Path) -> None:
    async def check(served: Served) -> None:
        def code(token: str | None, game: str) -> grpc.StatusCode:
            metadata = () if token is None else (("authorization", f"Bearer {token}"),)
            with grpc.insecure_channel(served.arena.address) as channel:
                stub: Any = arena_pb2_grpc.ArenaServiceStub(channel)  # type: ignore[no-untyped-call]
                try:
                    stub.GetFaults(arena_pb2.GetFaultsRequest(game_id=game), metadata=metadata)
                except grpc.RpcError as error:
                    found: grpc.StatusCode = error.code()
                    return found
                return grpc.StatusCode.OK

        own, other = served.tokens["bad"], served.tokens["other"]
        for token, game, expected in (
            (own, served.game, grpc.StatusCode.OK),
            (other, served.game, grpc.StatusCode.PERMISSION_DENIED),
            (None, served.game, grpc.StatusCode.UNAUTHENTICATED),
            ("guessed", served.game, grpc.StatusCode.UNAUTHENTICATED),
            (own, "cup.99", grpc.StatusCode.NOT_FOUND),
            (own, "nix.1", grpc.StatusCode.NOT_FOUND),
            (own, "../cup", grpc.StatusCode.INVALID_ARGUMENT),
            (None, "cup.99", grpc.StatusCode.UNAUTHENTICATED),
        ):
            assert await asyncio.to_thread(code, token, game) is expected, (token, game)

    run(check, tmp_path)


def test_a_bots_token_is_good_for_nothing_else(tmp_path: Path) -> None:
    async def check(served: Served) -> None:
        def disable() -> None:
            with RemoteArena(served.arena.address, bot_token=served.tokens["bad"]) as remote:
                remote.disable_bot("bad")

        with pytest.raises(api.NotAllowed, match="the admin token is wrong"):
            await asyncio.to_thread(disable)

    run(check, tmp_path)


def test_a_call_carries_one_token() -> None:
    with pytest.raises(api.InvalidRequest, match="give either"):
        RemoteArena("127.0.0.1:1", "admin", bot_token="bot")
