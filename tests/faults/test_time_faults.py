"""Bots that answer too late, or never: the arena's clock decides, and what it says is kept."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from support.arenas import RawBot
from support.misbehaving import Behaviour, answer, check_forfeits, tournament_of

from sixtysix import wire
from sixtysix.clock import Clock
from sixtysix.outcome import Fault, GameEnd
from sixtysix.record import DealRecord
from sixtysix.reports import FaultReport
from sixtysix.rules import RULESETS, Deal
from sixtysix.shuffle import pack, tournament_key
from sixtysix.v1 import play_pb2
from sixtysix_arena.referee import GameSpec, Referee
from sixtysix_arena.sessions import Answered, Connection, Event, Faulted, Presence, Sessions
from sixtysix_arena.store import FaultEvidence

MOVE_MS = 1_000
SECOND = Clock(per_move_ms=MOVE_MS, per_game_ms=60_000, grace_ms=5_000, join_ms=5_000)


def report_of(fault: FaultEvidence) -> FaultReport:
    packed = fault.evidence
    return wire.fault_of(wire.fault_message("cup", "bad", fault.fault, fault.text, "", packed))


def hanging_after(
    count: int, waited_s: list[float] | None = None, pause_s: float = 0.0
) -> Behaviour:
    """Answers so many decisions and no more; notes how long it was waited for."""

    async def behave(raw: RawBot) -> None:
        answered = 0
        since = None
        while True:
            frame = await raw.receive()
            if since is not None and frame.games_over and waited_s is not None:
                waited_s.append(time.monotonic() - since)
                since = None
            for decision in frame.decisions:
                if answered < count:
                    answered += 1
                    await asyncio.sleep(pause_s)
                    await raw.answer(answer(decision))
                else:
                    since = time.monotonic()

    return behave


@pytest.mark.alone
def test_fault_row_06_silence_at_the_first_move_is_a_time_out_at_the_limit(tmp_path: Path) -> None:
    waited_s: list[float] = []
    played = tournament_of(
        tmp_path, hanging_after(0, waited_s), clock=SECOND, games_per_pairing=4, games_at_once=1
    )
    reasons = check_forfeits(played, Fault.TIMEOUT, count=4)
    assert all("a move has 1000 ms" in reason for reason in reasons)
    assert all(outcome.deal_count == 0 for outcome in played.results)
    for fault in played.evidence:
        waited_ms = report_of(fault).waited_ms
        assert waited_ms is not None
        assert MOVE_MS <= waited_ms <= 1.1 * MOVE_MS
    # As the bot sees it. What the arena's own clock leaves out is the arena's lag.
    assert len(waited_s) >= 3, "that of the last game may come after the test's end"
    assert sorted(waited_s)[1] == pytest.approx(MOVE_MS / 1_000, rel=0.1)


def test_fault_row_07_silence_in_the_middle_is_a_time_out_with_the_time_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Here the bot's time is that of the machine, whatever the arena's own lag.
    monkeypatch.setattr("sixtysix_arena.clocks.MAX_BEAT_GAP_MS", math.inf)
    played = tournament_of(tmp_path, hanging_after(9, pause_s=0.02), clock=SECOND, games_at_once=1)
    check_forfeits(played, Fault.TIMEOUT)
    first, second = map(report_of, played.evidence)
    assert first.view is not None
    assert second.view is not None
    assert (second.deal, second.ply) <= (0, 1), "it hung at once in the second game"
    assert first.view.tricks or first.deal
    # What was used before is in the record, and what the last decision took in the evidence.
    used_ms = time_used(played.deals[0], seat=0)
    assert used_ms >= 9 * 20
    assert first.waited_ms is not None
    assert first.charged_ms is not None
    assert first.bank_ms is not None
    assert SECOND.per_move_ms <= first.charged_ms == first.waited_ms
    left_ms = SECOND.per_game_ms - used_ms - first.charged_ms
    assert first.bank_ms == pytest.approx(left_ms, abs=10), "each time is rounded"


def time_used(records: Sequence[DealRecord], seat: int) -> int:
    """What a seat was charged in deals of classic, as their records have it."""
    used_ms = 0
    for record in records:
        deal = Deal(RULESETS["classic"], record.pack, record.dealer)
        for move, charged_ms in zip(record.moves, record.charged_ms, strict=True):
            used_ms += charged_ms if deal.turn == seat else 0
            deal.play(move)
    return used_ms


def test_fault_row_08_silence_at_the_end_of_a_deal_already_decided_is_a_time_out_too(
    tmp_path: Path,
) -> None:
    """Of the last trick nobody is asked: the trick before it is the last that can be hung at."""
    hung_at: list[play_pb2.Decision] = []

    async def behave(raw: RawBot) -> None:
        while True:
            for decision in (await raw.receive()).decisions:
                assert len(decision.hand) >= 2
                decided = max(decision.points) >= 66
                if decision.deal >= 2 and len(decision.hand) == 2 and decided:
                    hung_at.append(decision)
                else:
                    await raw.answer(answer(decision))

    played = tournament_of(tmp_path, behave, rules="played-out", games_at_once=1)
    check_forfeits(played, Fault.TIMEOUT, count=len(hung_at))
    assert hung_at, "no deal was decided before its end"
    for decision in hung_at:
        broken = played.deals[decision.game - 1][-1]
        assert (broken.deal, broken.result) == (decision.deal, None), "the deal pays nothing"
        assert played.results[decision.game - 1].score == tuple(decision.score)


def test_fault_row_09_an_answer_after_the_deadline_has_no_effect(tmp_path: Path) -> None:
    stale: list[play_pb2.StaleNotice] = []

    async def behave(raw: RawBot) -> None:
        late = await raw.decision()
        while True:
            frame = await raw.receive()
            stale.extend(frame.stales)
            if late.game in {over.game for over in frame.games_over}:
                await raw.answer(answer(late))
            for decision in frame.decisions:
                await raw.answer(answer(decision))

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


# At the limit itself, in virtual time


class Asked:
    """A bot that owes its first decision since 0 ms, and the referee of its game."""

    def __init__(self) -> None:
        self.time_ms = 0.0
        self.events: list[Event] = []
        self.session = Sessions(lambda: self.time_ms, self.events.append).of("ada")
        presence = Presence("1", 64, frozenset(RULESETS), close_on_opponents_lead=False)
        self.connection: Connection = self.session.attach(presence, lambda: None)
        rules, key = RULESETS["doubling"], tournament_key(b"42", {})
        names = ("ada", "bob")
        spec = GameSpec(1, "cup.1", names, 1, rules, SECOND)
        self.referee = Referee(
            spec,
            lambda deal: pack(
                key, ruleset=rules.name, tournament="cup", entrants=names, game=0, deal=deal
            ),
            (False, False),
        )
        self.referee.begin_deal()
        assert self.referee.seat_on_turn == 0
        self.session.start(spec, 0)
        self.session.ask(1, self.referee.view(), charged_ms=0, bank_ms=60_000, per_move_ms=MOVE_MS)
        frame = self.session.next_frame()
        assert frame is not None
        (self.decision,) = play_pb2.ArenaFrame.FromString(frame).decisions

    def answer_at(self, time_ms: float) -> Event:
        """What an answer at this moment is for the arena."""
        self.time_ms = time_ms
        frame = play_pb2.BotFrame(answers=[answer(self.decision)])
        self.session.receive(self.connection, frame.SerializeToString())
        (event,) = self.events
        return event


@pytest.mark.parametrize("late_ms", [0.001, 1, 1_000])
def test_fault_row_09_however_little_too_late_is_too_late(late_ms: float) -> None:
    asked = Asked()
    event = asked.answer_at(MOVE_MS + late_ms)
    assert isinstance(event, Faulted)
    assert event.fault is Fault.TIMEOUT
    assert "a move has 1000 ms" in event.text
    # The time-out is noticed once, by the answer or by the sweep, whichever comes first.
    asked.session.sweep(asked.time_ms)
    assert len(asked.events) == 1


@pytest.mark.parametrize("time_ms", [MOVE_MS - 1, MOVE_MS])
def test_fault_row_10_exactly_at_the_limit_is_in_time_and_the_record_shows_it(
    time_ms: float,
) -> None:
    for _ in range(3):
        asked = Asked()
        asked.session.sweep(time_ms)
        event = asked.answer_at(time_ms)
        assert isinstance(event, Answered)
        ply = asked.referee.ply
        asked.referee.answer(event.move, round(event.charged_ms))
        record = asked.referee.forfeit(1, Fault.LEFT, "enough")
        assert record is not None
        assert record.charged_ms[ply] == time_ms
        assert asked.referee.outcome is not None
        assert asked.referee.outcome.end is GameEnd.FORFEIT
