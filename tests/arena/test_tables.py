"""The tick: nothing that a move causes is seen before it is durable."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from functools import partial

import pytest

from sixtysix.clock import Clock
from sixtysix.outcome import Fault, GameEnd, GameOutcome
from sixtysix.record import MadeMove
from sixtysix.rules import RULESETS
from sixtysix.shuffle import pack, tournament_key
from sixtysix.v1 import play_pb2, record_pb2
from sixtysix.wire import unpack_deal, unpack_moves
from sixtysix_arena import journal as journal_module
from sixtysix_arena import tables as tables_module
from sixtysix_arena.errors import Invalid, Unavailable
from sixtysix_arena.journal import Journal
from sixtysix_arena.referee import GameSpec, Referee
from sixtysix_arena.sessions import Connection, Presence, Sessions
from sixtysix_arena.store import rows
from sixtysix_arena.tables import Table, Tables

KEY = tournament_key(b"tables", {})
CLASSIC = RULESETS["classic"]
NAMES = ("alpha", "beta")


class House:
    """Tables with two joined bots that always make their first legal move."""

    def __init__(self) -> None:
        self.commits: list[Sequence[rows.Event]] = []
        self.commit_gate: Callable[[], Awaitable[None]] | None = None
        self.over: list[tuple[int, GameOutcome]] = []
        self.tables = Tables(self.commit, lambda: "2026-01-31T12:00:00Z")
        self.sessions = Sessions(lambda: 0.0, self.tables.deliver)
        presence = Presence("1", 64, frozenset(RULESETS), close_on_opponents_lead=False)
        self.connections: dict[str, Connection] = {
            name: self.sessions.attach(name, presence, lambda: None) for name in NAMES
        }
        self.seen: dict[str, list[play_pb2.ArenaFrame]] = {name: [] for name in NAMES}

    async def commit(self, events: Sequence[rows.Event]) -> None:
        if self.commit_gate is not None:
            await self.commit_gate()
        self.commits.append(tuple(events))

    def open(self, game: int) -> Table:
        spec = GameSpec(game, f"cup.{game}", NAMES, 0, CLASSIC, Clock())

        def deal(number: int) -> tuple[int, ...]:
            return pack(
                KEY, ruleset="classic", tournament="cup", entrants=NAMES, game=game, deal=number
            )

        first, second = (self.sessions.of(name) for name in NAMES)
        table = Table(
            Referee(spec, deal, (False, False)),
            (first, second),
            lambda done, outcome: self.over.append((done.game, outcome)),
        )
        self.tables.open(table)
        return table

    def read(self) -> list[tuple[str, play_pb2.Decision]]:
        """Reads whatever was sent; returns the decisions."""
        decisions = []
        for name in NAMES:
            while (data := self.sessions.of(name).next_frame()) is not None:
                frame = play_pb2.ArenaFrame.FromString(data)
                self.seen[name].append(frame)
                decisions += [(name, decision) for decision in frame.decisions]
        return decisions

    def answer(self, name: str, decision: play_pb2.Decision, move: int | None = None) -> None:
        answer = play_pb2.Answer(
            game=decision.game,
            deal=decision.deal,
            ply=decision.ply,
            move=decision.legal[0] if move is None else move,
        )
        frame = play_pb2.BotFrame(answers=[answer])
        self.sessions.of(name).receive(self.connections[name], frame.SerializeToString())

    def rows(self, kind: type) -> list[rows.Event]:
        return [event for commit in self.commits for event in commit if isinstance(event, kind)]


def run(play: Callable[[House], Awaitable[None]]) -> House:
    async def main() -> House:
        house = House()
        tick = asyncio.create_task(house.tables.run())
        try:
            await asyncio.wait_for(play(house), 20)
        finally:
            tick.cancel()
            with suppress(asyncio.CancelledError):
                await tick
        return house

    return asyncio.run(main())


async def settle() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


async def play_out(house: House, games: int) -> None:
    while len(house.over) < games:
        await settle()
        for name, decision in house.read():
            house.answer(name, decision)


def test_a_game_is_stored_deal_by_deal_and_told_to_both() -> None:
    async def play(house: House) -> None:
        house.open(1)
        await play_out(house, 1)
        house.read()

    house = run(play)
    ((game, outcome),) = house.over
    assert game == 1
    assert outcome.end is GameEnd.TARGET
    deals = [row for row in house.rows(rows.DealOver) if isinstance(row, rows.DealOver)]
    assert [row.deal for row in deals] == list(range(outcome.deal_count))
    assert all(row.counted for row in deals)
    assert deals[-1].score == outcome.score
    assert unpack_deal(deals[0].record).moves
    started = [
        row.deal for row in house.rows(rows.DealStarted) if isinstance(row, rows.DealStarted)
    ]
    assert started == list(range(outcome.deal_count))
    assert house.rows(rows.GameOver) == [rows.GameOver(1, outcome)]
    last = house.commits[-1]
    assert {type(row) for row in last} == {rows.DealOver, rows.GameOver}  # One transaction.
    for name in NAMES:
        overs = [over for frame in house.seen[name] for over in frame.games_over]
        assert [(over.game, over.winner) for over in overs] == [(1, outcome.winner)]


def test_a_deals_start_is_durable_before_its_first_view_is_sent() -> None:
    async def play(house: House) -> None:
        gate = asyncio.Event()
        house.commit_gate = gate.wait  # type: ignore[assignment]
        house.open(1)
        await settle()
        assert house.read() == []
        assert all(not frame.starts for frames in house.seen.values() for frame in frames)
        gate.set()
        await settle()
        assert len(house.read()) == 1
        assert house.commits == [(rows.GameOpened(1), rows.DealStarted(1, 0))]

    run(play)


def test_nothing_that_a_move_causes_is_seen_before_it_is_durable() -> None:
    async def play(house: House) -> None:
        house.open(1)
        await settle()
        decisions = house.read()
        while not house.rows(rows.DealOver):
            ((name, decision),) = decisions
            gate = asyncio.Event()
            house.commit_gate = gate.wait  # type: ignore[assignment]
            commit_count = len(house.commits)
            house.answer(name, decision)
            await settle()
            assert house.read() == []
            assert len(house.commits) == commit_count
            gate.set()
            await settle()
            decisions = house.read()
            made = MadeMove(1, decision.deal, decision.ply, decision.legal[0], 0)
            # A move is in the journal, or else in the record of the deal that it ended.
            journaled = [row for row in house.commits[-1] if isinstance(row, rows.MovesMade)]
            is_over = bool(house.rows(rows.DealOver))
            assert [unpack_moves(row.moves) for row in journaled] == ([] if is_over else [[made]])
        assert [decision.deal for _, decision in decisions] == [1]

    run(play)


def test_a_checkpoint_replaces_the_rows_before_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal_module, "CHECKPOINT_TICKS", 4)

    async def play(house: House) -> None:
        for game in (1, 2):
            house.open(game)
        await play_out(house, 2)

    house = run(play)
    stored: dict[int, bytes] = {}
    in_progress: dict[int, int] = {}
    played: dict[int, list[MadeMove]] = {}
    checkpoint_count = 0
    for commit in house.commits:
        for row in commit:
            if isinstance(row, rows.DealStarted):
                in_progress[row.game_id] = row.deal
            elif isinstance(row, rows.DealOver):
                in_progress.pop(row.game_id)
                played.pop(row.game_id, None)
            elif isinstance(row, rows.MovesMade):
                if row.is_checkpoint:
                    checkpoint_count += 1
                    stored.clear()
                else:
                    for made in unpack_moves(row.moves):
                        played.setdefault(made.game, []).append(made)
                stored[row.tick] = row.moves
        if not checkpoint_count:
            continue
        # Whenever it is read back, all moves of the deals in progress are there, in order.
        journal = Journal(sorted(stored.items()), in_progress)
        for game, deal in in_progress.items():
            plies = [made.ply for made in journal.moves(game)]
            assert plies == sorted(set(plies))
            assert {made.deal for made in journal.moves(game)} <= {deal}
            assert len(plies) >= len(played.get(game, ()))
        assert len(stored) <= 5
    assert checkpoint_count > 2


def test_games_of_one_tick_share_a_commit() -> None:
    async def play(house: House) -> None:
        for game in range(1, 9):
            house.open(game)
        await settle()
        assert len(house.commits) == 1
        assert len(house.commits[0]) == 16
        await play_out(house, 8)

    run(play)


def test_what_cannot_be_stored_pauses_play_and_goes_on_afterwards(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tables_module, "COMMIT_RETRY_S", 0.001)
    failures = 3

    async def play(house: House) -> None:
        async def fail() -> None:
            nonlocal failures
            if failures:
                failures -= 1
                assert house.read() == []
                raise Unavailable("the disk is full")

        house.commit_gate = fail
        house.open(1)
        await settle()
        assert house.tables.stalled
        for _ in range(1_000):
            await asyncio.sleep(0.001)
            if not house.tables.stalled:
                break
        await settle()
        decisions = house.read()
        assert len(decisions) == 1

    house = run(play)
    assert failures == 0
    assert house.commits == [(rows.GameOpened(1), rows.DealStarted(1, 0))]


def test_games_leave_the_tables_when_all_that_their_bots_did_is_durable() -> None:
    async def play(house: House) -> None:
        house.open(1)
        await settle()
        ((name, decision),) = house.read()
        gate = asyncio.Event()
        house.commit_gate = gate.wait  # type: ignore[assignment]
        house.answer(name, decision)
        taken_off = asyncio.create_task(house.tables.take_off([1]))
        await settle()
        assert not taken_off.done()
        assert len(house.tables) == 1
        gate.set()
        await taken_off
        assert len(house.tables) == 0
        assert [made.move for made in house.tables.journal.moves(1)] == [decision.legal[0]]
        assert house.read() == []

    run(play)


def test_a_bot_that_fails_in_all_its_games_does_not_hold_up_the_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tables_module, "MAX_FAULTS", 3)

    async def play(house: House) -> None:
        for game in range(1, 12):
            house.open(game)
        await settle()
        house.commits.clear()
        decisions = {decision.game: (name, decision) for name, decision in house.read()}
        for game in range(1, 11):
            house.tables.forfeit(game, "alpha", Fault.DISCONNECT, "gone")
        house.tables.void(10, "too late")
        taken_off = asyncio.create_task(house.tables.take_off([11]))
        house.answer(*decisions[11])
        while not taken_off.done():
            await settle()
        sizes = [sum(isinstance(row, rows.GameOver) for row in rows_) for rows_ in house.commits]
        assert sizes == [3, 3, 3, 1]
        assert any(isinstance(row, rows.MovesMade) for row in house.commits[0])
        assert [game for game, _ in house.over] == list(range(1, 11))
        assert {outcome.fault for _, outcome in house.over} == {Fault.DISCONNECT}

    run(play)


def test_whoever_gives_up_waiting_leaves_the_games_where_they_are() -> None:
    async def play(house: House) -> None:
        gate = asyncio.Event()
        house.commit_gate = gate.wait  # type: ignore[assignment]
        house.open(1)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.01):
                await house.tables.take_off([1])
        gate.set()
        await play_out(house, 1)

    run(play)


def test_play_pauses_until_all_that_failed_is_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables_module, "COMMIT_RETRY_S", 0.001)

    async def play(house: House) -> None:
        works = {"first": False, "second": False}

        async def write(name: str) -> None:
            if not works[name]:
                raise Unavailable("the disk is full")

        first, second = (asyncio.create_task(house.tables.insist(partial(write, n))) for n in works)
        await settle()
        works["first"] = True
        await first
        assert house.tables.stalled
        works["second"] = True
        await second
        assert not house.tables.stalled

    run(play)


def test_our_own_mistakes_are_not_tried_again() -> None:
    async def play(house: House) -> None:
        async def fail() -> None:
            raise Invalid("it contradicts what is stored")

        house.commit_gate = fail
        house.open(1)
        await settle()
        assert not house.tables.stalled

    with pytest.raises(Invalid):
        run(play)


def test_an_illegal_move_is_stored_with_its_evidence_and_told_to_the_bot() -> None:
    async def play(house: House) -> None:
        house.open(1)
        await settle()
        ((name, decision),) = house.read()
        not_held = next(card for card in range(24) if card not in decision.hand)
        house.answer(name, decision, not_held)
        await settle()
        house.read()
        (notice,) = [fault for frame in house.seen[name] for fault in frame.faults]
        assert notice.game == 1
        assert list(notice.legal) == list(decision.legal)
        (evidence,) = house.rows(rows.FaultEvidence)
        assert isinstance(evidence, rows.FaultEvidence)
        assert evidence.fault is Fault.ILLEGAL
        assert NAMES[evidence.seat] == name
        record = record_pb2.FaultRecord.FromString(evidence.evidence)
        assert record.decision == decision
        assert record.answer.move == not_held
        assert [event.text for event in record.stream][-2:] == ["1 start, 1 decision", "1 answer"]
        assert evidence.text == notice.text
        (broken_off,) = house.rows(rows.DealOver)
        assert isinstance(broken_off, rows.DealOver)
        assert not broken_off.counted

    house = run(play)
    ((_, outcome),) = house.over
    assert outcome.fault is Fault.ILLEGAL


def test_a_fault_in_one_game_leaves_the_others_alone() -> None:
    async def play(house: House) -> None:
        for game in (1, 2):
            house.open(game)
        await settle()
        house.tables.forfeit(1, "beta", Fault.DISCONNECT, "beta was away")
        await play_out(house, 2)

    house = run(play)
    outcomes = dict(house.over)
    assert (outcomes[1].winner, outcomes[1].fault) == (0, Fault.DISCONNECT)
    assert outcomes[2].end is GameEnd.TARGET


def test_answers_for_a_game_that_is_gone_have_no_effect() -> None:
    async def play(house: House) -> None:
        house.open(1)
        await settle()
        ((name, decision),) = house.read()
        house.tables.void(1, "the organiser said so")
        house.answer(name, decision)
        await settle()

    house = run(play)
    ((_, outcome),) = house.over
    assert outcome.end is GameEnd.VOID
