"""Which game starts when, and what becomes of absent bots, in virtual time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from sixtysix.api import TournamentDefinition
from sixtysix.clock import Clock
from sixtysix.outcome import Fault, GameEnd, GameOutcome
from sixtysix.record import MadeMove
from sixtysix.reports import GameState, TournamentState
from sixtysix.rules import RULESETS
from sixtysix.v1 import play_pb2
from sixtysix.wire import pack_moves, unpack_deal
from sixtysix_arena.journal import Journal
from sixtysix_arena.schedule import round_robin
from sixtysix_arena.sessions import Connection, Presence, Sessions
from sixtysix_arena.store import rows
from sixtysix_arena.tables import Tables
from sixtysix_arena.tournament import LiveTournament, StoredGame

CLOCK = Clock(per_move_ms=1_000, per_game_ms=60_000, grace_ms=100, join_ms=500)


class Hall:
    """A tournament with bots that join, go and answer when a test says so."""

    def __init__(
        self,
        *entrants: str,
        games_per_pairing: int = 2,
        games_at_once: int = 64,
        versions: Mapping[str, str] | None = None,
    ) -> None:
        self.time_ms = 0.0
        self.finished = False
        self.commits: list[rows.Event] = []
        self.ticks: list[tuple[rows.Event, ...]] = []
        self.tables = Tables(self.commit, lambda: "2026-01-31T12:00:00Z")
        self.sessions = Sessions(lambda: self.time_ms, self.tables.deliver)
        self.connections: dict[str, Connection] = {}
        self.owed: dict[str, list[play_pb2.Decision]] = {}
        self.tournament = rows.Tournament(
            1,
            TournamentDefinition(
                "Cup",
                "cup",
                RULESETS["last-trick"],
                games_per_pairing,
                games_at_once,
                entrants,
                "42",
                CLOCK,
            ),
            b"42",
            bytes(32),
            TournamentState.RUNNING,
            False,
            versions or {},
            "",
            "",
            "",
        )
        self.schedule = round_robin(entrants, games_per_pairing)
        self.live_numbers = [game.number for game in self.schedule]
        """The games that were not over when the tournament came to life."""
        self.live = self.make_live(self.stored())

    def stored(self) -> list[StoredGame]:
        return [
            StoredGame(
                rows.UnfinishedGame(
                    rows.Game(game.number, "cup", game, GameState.SCHEDULED, 0, (0, 0), 0, None), ()
                )
            )
            for game in self.schedule
        ]

    def make_live(self, games: object) -> LiveTournament:
        return LiveTournament(
            self.tournament,
            games,  # type: ignore[arg-type]
            sessions=self.sessions,
            tables=self.tables,
            now_ms=lambda: self.time_ms,
            on_finished=self.finish,
        )

    async def commit(self, events: Sequence[rows.Event]) -> None:
        self.commits += events
        self.ticks.append(tuple(events))

    def finish(self) -> None:
        self.finished = True

    def join(self, name: str, rulesets: Sequence[str] = tuple(RULESETS), games: int = 64) -> None:
        presence = Presence("1", games, frozenset(rulesets), close_on_opponents_lead=False)
        self.connections[name] = self.sessions.attach(name, presence, lambda: None)
        self.live.joined(name)

    def go(self, name: str) -> None:
        self.sessions.of(name).detach(self.connections[name])

    async def settle(self) -> None:
        for _ in range(5):
            await asyncio.sleep(0)
        for name in self.connections:
            while (data := self.sessions.of(name).next_frame()) is not None:
                frame = play_pb2.ArenaFrame.FromString(data)
                self.owed.setdefault(name, []).extend(frame.decisions)

    async def at(self, time_ms: float) -> None:
        """Lets time pass; absent bots are looked after on the way."""
        while self.time_ms < time_ms:
            self.time_ms = min(time_ms, self.time_ms + 10)
            self.live.sweep(self.time_ms)
            await self.settle()

    async def play(self, *, until_over: int) -> None:
        """Answers everything, without time passing, until so many games are over."""
        await self.settle()
        while len(self.outcomes) < until_over:
            moved = False
            for name, decisions in self.owed.items():
                if not self.sessions.of(name).connected:
                    continue
                self.owed[name] = []
                for decision in decisions:
                    moved = True
                    self.answer(name, decision)
            assert moved, "nobody has anything to decide"
            await self.settle()

    def answer(self, name: str, decision: play_pb2.Decision) -> None:
        answer = play_pb2.Answer(
            game=decision.game, deal=decision.deal, ply=decision.ply, move=decision.legal[0]
        )
        frame = play_pb2.BotFrame(answers=[answer]).SerializeToString()
        self.sessions.of(name).receive(self.connections[name], frame)

    @property
    def outcomes(self) -> dict[int, GameOutcome]:
        return {row.game_id: row.outcome for row in self.commits if isinstance(row, rows.GameOver)}

    @property
    def opened(self) -> list[int]:
        return [row.game_id for row in self.commits if isinstance(row, rows.GameOpened)]

    def numbers(self, *pair: str) -> list[int]:
        return [game.number for game in self.schedule if set(game.entrants) == set(pair)]


def run(hall: Hall, play: Callable[[], Awaitable[None]]) -> None:
    async def main() -> None:
        tick = asyncio.create_task(hall.tables.run())
        try:
            await asyncio.wait_for(play(), 30)
        finally:
            tick.cancel()
            await asyncio.gather(tick, return_exceptions=True)

    asyncio.run(main())


def test_games_start_in_schedule_order_as_bots_have_room() -> None:
    hall = Hall("a", "b", "c", games_per_pairing=4, games_at_once=2)

    async def play() -> None:
        for name in ("a", "b", "c"):
            hall.join(name, games=0)  # No room yet, so that all are there when it starts.
        assert hall.opened == []
        for name in ("a", "b", "c"):
            presence = hall.sessions.of(name).presence
            assert presence is not None
            hall.sessions.of(name).presence = replace(presence, games_at_once=64)
        hall.live.fill()
        await hall.settle()
        # Round 1 pairs b and c; a has nobody with room left until they are done.
        first_pair = hall.schedule[0].entrants
        assert hall.opened == hall.numbers(*first_pair)[:2]
        await hall.play(until_over=12)

    run(hall, play)
    assert hall.finished
    assert sorted(hall.outcomes) == list(range(1, 13))
    for pair in (("a", "b"), ("a", "c"), ("b", "c")):
        started = [number for number in hall.opened if number in hall.numbers(*pair)]
        assert started == hall.numbers(*pair)


def test_a_bot_is_never_in_more_games_than_it_offered() -> None:
    hall = Hall("a", "b", "c", games_per_pairing=10, games_at_once=64)

    async def play() -> None:
        hall.join("a", games=3)
        hall.join("b")
        hall.join("c", games=5)
        await hall.settle()
        assert hall.sessions.of("a").game_count == 3
        assert hall.sessions.of("c").game_count == 5
        await hall.play(until_over=30)

    run(hall, play)
    assert hall.sessions.of("a").game_count == 0


def test_a_bot_that_never_joins_is_a_no_show_once_nothing_else_can_be_played() -> None:
    hall = Hall("absent", "b", "c")

    async def play() -> None:
        hall.join("b")
        hall.join("c")
        await hall.at(600)
        assert hall.outcomes == {}  # b and c are still at it.
        await hall.play(until_over=2)
        await hall.at(700)

    run(hall, play)
    assert hall.finished
    no_shows = {**hall.outcomes}
    for number in hall.numbers("b", "c"):
        assert no_shows.pop(number).end is GameEnd.TARGET
    assert {outcome.fault for outcome in no_shows.values()} == {Fault.NO_SHOW}
    assert {outcome.reason for outcome in no_shows.values()} == {
        "absent did not join within 500 ms"
    }


def test_a_bot_that_was_here_before_the_tournament_and_is_not_now_has_to_join() -> None:
    hall = Hall("early", "b")

    async def play() -> None:
        hall.join("early")
        hall.go("early")
        hall.live = hall.make_live(hall.stored())
        hall.join("b")
        await hall.at(490)
        assert hall.outcomes == {}
        await hall.at(520)

    run(hall, play)
    assert {outcome.fault for outcome in hall.outcomes.values()} == {Fault.NO_SHOW}


def test_until_the_window_for_joining_closes_nobody_is_a_no_show() -> None:
    hall = Hall("late", "b")

    async def play() -> None:
        hall.join("b")
        await hall.at(490)
        assert hall.outcomes == {}
        assert hall.live.waiting_for == "waiting for late"
        hall.join("late")
        assert hall.live.waiting_for == ""
        await hall.play(until_over=2)

    run(hall, play)
    assert all(outcome.end is GameEnd.TARGET for outcome in hall.outcomes.values())


def test_games_of_two_bots_that_never_join_are_void() -> None:
    hall = Hall("a", "b")

    async def play() -> None:
        await hall.at(520)

    run(hall, play)
    assert hall.finished
    assert {outcome.end for outcome in hall.outcomes.values()} == {GameEnd.VOID}
    assert hall.outcomes[1].reason == ("a did not join within 500 ms; b did not join within 500 ms")


def test_live_games_of_a_bot_that_is_away_for_the_grace_are_forfeited() -> None:
    hall = Hall("a", "b", "c")

    async def play() -> None:
        for name in ("a", "b", "c"):
            hall.join(name)
        await hall.settle()
        hall.go("a")
        await hall.at(100)
        assert hall.outcomes == {}
        await hall.at(120)

    run(hall, play)
    lost = hall.numbers("a", "b") + hall.numbers("a", "c")
    assert sorted(hall.outcomes) == sorted(lost)
    for number, outcome in hall.outcomes.items():
        winner = hall.schedule[number - 1].entrants[outcome.winner or 0]
        assert winner != "a"
        assert outcome.fault is Fault.DISCONNECT
        assert outcome.reason == "a was away for more than 100 ms"


def test_due_games_of_an_absent_bot_wait_and_are_played_when_it_is_back() -> None:
    hall = Hall("a", "b", "c", games_per_pairing=2, games_at_once=1)

    async def play() -> None:
        for name in ("a", "b", "c"):
            hall.join(name)
        await hall.settle()
        hall.go("a")
        await hall.at(150)
        forfeited = set(hall.outcomes)
        assert len(forfeited) <= 1  # Only what was live.
        hall.join("a")
        await hall.play(until_over=6)
        assert {
            number for number, outcome in hall.outcomes.items() if outcome.end is GameEnd.FORFEIT
        } == forfeited

    run(hall, play)
    assert hall.finished


def test_when_only_games_of_an_absent_bot_remain_they_wait_another_grace() -> None:
    hall = Hall("a", "b", games_per_pairing=4, games_at_once=1)

    async def play() -> None:
        hall.join("a")
        hall.join("b")
        await hall.settle()
        hall.go("a")
        await hall.at(130)
        assert sorted(hall.outcomes) == [1]
        await hall.at(200)
        assert sorted(hall.outcomes) == [1]
        await hall.at(260)

    run(hall, play)
    assert sorted(hall.outcomes) == [1, 2, 3, 4]
    assert hall.outcomes[2].fault is Fault.DISCONNECT
    assert hall.outcomes[2].reason == "a was away when only its games were left"


def test_a_live_game_in_which_both_are_away_past_the_grace_is_void() -> None:
    hall = Hall("a", "b", "c", "d")

    async def play() -> None:
        for name in ("a", "b", "c", "d"):
            hall.join(name)
        await hall.settle()
        hall.go("a")
        await hall.at(50)
        hall.go("b")
        await hall.at(120)
        # a's grace is over, b's is not: who pays is not known yet.
        assert not set(hall.numbers("a", "b")) & set(hall.outcomes)
        await hall.at(200)

    run(hall, play)
    for number in hall.numbers("a", "b"):
        assert hall.outcomes[number].end is GameEnd.VOID
    for number in hall.numbers("a", "c"):
        assert hall.outcomes[number].fault is Fault.DISCONNECT


def test_when_all_bots_vanish_together_everything_waits() -> None:
    hall = Hall("a", "b", "c")

    async def play() -> None:
        for name in ("a", "b", "c"):
            hall.join(name)
        await hall.settle()
        for name in ("a", "b", "c"):
            hall.go(name)
        await hall.at(5_000)
        assert hall.outcomes == {}
        for name in ("a", "b", "c"):
            hall.join(name)
        await hall.play(until_over=6)

    run(hall, play)
    assert {outcome.end for outcome in hall.outcomes.values()} == {GameEnd.TARGET}


def test_a_goodbye_costs_the_due_games_too() -> None:
    hall = Hall("a", "b", games_per_pairing=4, games_at_once=1)

    async def play() -> None:
        hall.join("a")
        hall.join("b")
        await hall.settle()
        bye = play_pb2.BotFrame(bye=play_pb2.BotBye()).SerializeToString()
        hall.sessions.of("a").receive(hall.connections["a"], bye)
        hall.go("a")
        await hall.settle()
        await hall.at(30)

    run(hall, play)
    assert sorted(hall.outcomes) == [1, 2, 3, 4]
    assert {outcome.fault for outcome in hall.outcomes.values()} == {Fault.LEFT}


def test_a_bot_that_says_goodbye_gets_no_more_games_while_its_stream_is_open() -> None:
    hall = Hall("a", "b", games_per_pairing=4, games_at_once=1)

    async def play() -> None:
        hall.join("a")
        hall.join("b")
        await hall.settle()
        bye = play_pb2.BotFrame(bye=play_pb2.BotBye()).SerializeToString()
        hall.sessions.of("a").receive(hall.connections["a"], bye)
        await hall.settle()
        assert hall.opened == [1]
        hall.go("a")
        await hall.at(30)

    run(hall, play)
    assert {outcome.fault for outcome in hall.outcomes.values()} == {Fault.LEFT}


def test_a_bot_that_does_not_play_the_rule_set_is_a_no_show_with_that_reason() -> None:
    hall = Hall("a", "b")

    async def play() -> None:
        hall.join("a", rulesets=["classic"])
        hall.join("b")
        await hall.at(520)

    run(hall, play)
    assert {(outcome.fault, outcome.reason) for outcome in hall.outcomes.values()} == {
        (Fault.NO_SHOW, "a does not play last-trick")
    }


def played(hall: Hall) -> Hall:
    """The hall, when its bots have played all games."""

    async def play() -> None:
        hall.join("a")
        hall.join("b")
        await hall.play(until_over=len(hall.live_numbers))

    run(hall, play)
    assert hall.finished
    return hall


def deals(events: Iterable[rows.Event]) -> dict[tuple[int, int], bytes]:
    """The records of the deals that are over, by game and deal; each is there once."""
    overs = [event for event in events if isinstance(event, rows.DealOver)]
    records = {(over.game_id, over.deal): over.record for over in overs}
    assert len(records) == len(overs)
    return records


def restarted(ticks: Iterable[Sequence[rows.Event]]) -> Hall:
    """The hall as an arena finds it that was killed after these ticks."""
    hall = Hall("a", "b", versions={"a": "1", "b": "1"})
    events = [event for tick in ticks for event in tick]
    opened = {event.game_id: event for event in events if isinstance(event, rows.GameOpened)}
    over = {event.game_id for event in events if isinstance(event, rows.GameOver)}
    stored: dict[int, list[rows.DealOver]] = {game: [] for game in opened}
    started = dict.fromkeys(opened, 0)
    for event in events:
        if isinstance(event, rows.DealOver):
            stored[event.game_id].append(event)
        elif isinstance(event, rows.DealStarted):
            started[event.game_id] = event.deal + 1
    unfinished = []
    for game in hall.schedule:
        number = game.number
        if number in over:
            continue
        ends = stored.get(number, [])
        row = rows.Game(
            id=number,
            slug="cup",
            scheduled=game,
            state=GameState.OPEN if number in opened else GameState.SCHEDULED,
            deals_started=started.get(number, 0),
            score=ends[-1].score if ends else (0, 0),
            deal_count=len(ends),
            outcome=None,
        )
        entry = rows.UnfinishedGame(row, tuple(end.deal for end in ends))
        unfinished.append((entry, [end.record for end in ends]))
    journal = Journal(
        [(row.tick, row.moves) for row in events if isinstance(row, rows.MovesMade)],
        {
            entry.game.id: entry.deal_in_progress
            for entry, _ in unfinished
            if entry.deal_in_progress is not None
        },
    )
    hall.tables.journal = journal
    hall.live = hall.make_live(
        [StoredGame(entry, records, journal.moves(entry.game.id)) for entry, records in unfinished]
    )
    hall.live_numbers = [entry.game.number for entry, _ in unfinished]
    return hall


def test_killed_after_any_tick_every_deal_goes_on_where_it_was() -> None:
    undisturbed = played(Hall("a", "b"))
    assert len(undisturbed.ticks) > 100
    all_deals, outcomes = deals(undisturbed.commits), undisturbed.outcomes
    in_the_middle = 0
    for killed_after in range(0, len(undisturbed.ticks), 3):
        before = undisturbed.ticks[:killed_after]
        hall = restarted(before)
        in_the_middle += any(hall.tables.journal.moves(game) for game in hall.live_numbers)
        played(hall)
        events = [*(event for tick in before for event in tick), *hall.commits]
        assert deals(events) == all_deals
        overs = {row.game_id: row.outcome for row in events if isinstance(row, rows.GameOver)}
        assert overs == outcomes
        # Not one deal was begun anew, and not one is void.
        started = [(row.game_id, row.deal) for row in events if isinstance(row, rows.DealStarted)]
        assert len(started) == len(set(started))
    assert in_the_middle > 20


def test_after_a_restart_an_open_decision_is_asked_again_under_its_old_number() -> None:
    first = Hall("a", "b")
    open_decisions: list[play_pb2.Decision] = []

    async def begin() -> None:
        first.join("a")
        first.join("b")
        for _ in range(5):
            await first.settle()
            for name, decisions in first.owed.items():
                first.owed[name] = []
                for decision in decisions:
                    first.answer(name, decision)
        await first.settle()
        open_decisions.extend(each for owed in first.owed.values() for each in owed)

    run(first, begin)
    second = restarted(first.ticks)

    async def go_on() -> None:
        second.join("a")
        second.join("b")
        await second.settle()

    run(second, go_on)
    asked = [decision for owed in second.owed.values() for decision in owed]

    def by_game(decisions: list[play_pb2.Decision]) -> list[play_pb2.Decision]:
        return sorted(decisions, key=lambda decision: decision.game)

    assert len(asked) == 2
    assert by_game(asked) == by_game(open_decisions)


def test_a_deal_whose_journal_cannot_be_used_makes_its_game_void_and_no_other() -> None:
    first = Hall("a", "b")

    async def begin() -> None:
        first.join("a")
        first.join("b")
        await first.settle()
        for name, decisions in first.owed.items():
            for decision in decisions:
                first.answer(name, decision)
        await first.settle()

    run(first, begin)
    spoilt = MadeMove(game=1, deal=0, ply=17, move=3, charged_ms=0)
    bad = rows.MovesMade(1_000, pack_moves([spoilt]))
    hall = played(restarted([*first.ticks, (bad,)]))
    assert hall.outcomes[1].end is GameEnd.VOID
    assert hall.outcomes[2].end is GameEnd.TARGET
    (record,) = [row.record for row in hall.commits if isinstance(row, rows.DealOver)][:1]
    assert unpack_deal(record).void


def test_a_deal_in_progress_breaks_off_when_its_bot_does_not_come_back() -> None:
    first = Hall("a", "b")

    async def begin() -> None:
        first.join("a")
        first.join("b")
        for _ in range(5):
            await first.settle()
            for name, decisions in first.owed.items():
                first.owed[name] = []
                for decision in decisions:
                    first.answer(name, decision)
        await first.settle()

    run(first, begin)
    hall = restarted(first.ticks)

    async def go_on() -> None:
        hall.join("b")
        await hall.at(620)

    run(hall, go_on)
    assert {outcome.fault for outcome in hall.outcomes.values()} == {Fault.DISCONNECT}
    records = [unpack_deal(row.record) for row in hall.commits if isinstance(row, rows.DealOver)]
    assert len(records) == 2
    for record in records:
        assert record.moves
        assert (record.result, record.void) == (None, False)


def test_after_a_restart_bots_have_the_time_for_joining_to_come_back() -> None:
    hall = Hall("a", "b", versions={"a": "1", "b": "1"})

    async def play() -> None:
        hall.join("b")
        await hall.at(510)
        assert hall.outcomes == {}
        await hall.at(620)

    run(hall, play)
    assert {outcome.fault for outcome in hall.outcomes.values()} == {Fault.DISCONNECT}


def test_another_version_does_not_go_on_with_a_tournament() -> None:
    hall = Hall("a", "b", versions={"a": "0.9"})  # Its bots join as version 1.

    async def play() -> None:
        hall.join("a")
        hall.join("b")
        await hall.at(520)

    run(hall, play)
    assert {(outcome.fault, outcome.reason) for outcome in hall.outcomes.values()} == {
        (Fault.NO_SHOW, "a joined as version '0.9' and is another now")
    }
