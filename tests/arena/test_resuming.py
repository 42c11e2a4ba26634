"""After a crash: every deal goes on where it was, from what the ticks before it made durable."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from support.hall import Hall, run

from sixtysix.outcome import Fault, GameEnd
from sixtysix.record import MadeMove
from sixtysix.reports import GameState
from sixtysix.v1 import play_pb2
from sixtysix.wire import pack_moves, unpack_deal
from sixtysix_arena.dealing import StoredGame
from sixtysix_arena.journal import Journal
from sixtysix_arena.store import rows


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


def restarted(ticks: Iterable[Sequence[rows.Event]], *entrants: str) -> Hall:
    """The hall as an arena finds it that was killed after these ticks."""
    names = entrants or ("a", "b")
    hall = Hall(*names, versions=dict.fromkeys(names, "1"))
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
            first.time_ms += 0.7  # What is charged are the milliseconds of the record.
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


def test_bots_keep_room_for_what_they_had_begun_while_opponents_may_come_back() -> None:
    names = ("a", "b", "c")
    first = Hall(*names)

    async def begin() -> None:
        first.join("a", games=1)
        first.join("b", games=1)
        await first.settle()

    run(first, begin)
    [begun] = first.opened
    assert set(first.schedule[begun - 1].entrants) == {"a", "b"}

    async def go_on(hall: Hall, back_ms: float, opened: list[list[int]]) -> None:
        hall.join("a", games=1)
        hall.join("c", games=1)
        await hall.at(back_ms)
        opened.append(hall.opened)
        hall.join("b", games=1)
        await hall.settle()
        opened.append(hall.opened)

    for back_ms, meanwhile in ((490, []), (510, [first.numbers("a", "c")[0]])):
        hall = restarted(first.ticks, *names)
        opened: list[list[int]] = []
        run(hall, lambda: go_on(hall, back_ms, opened))  # noqa: B023
        assert opened[0] == meanwhile
        assert opened[1] == (meanwhile or [begun])


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
