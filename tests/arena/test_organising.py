"""What an organiser does by hand, in a running arena: end, void, disable, extend."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path

import pytest
from support.arenas import CLOCK, RawBot, bot, definition, outcomes, running_arena, until_finished

from sixtysix import wire
from sixtysix.outcome import Fault, GameEnd
from sixtysix.record import DealRecord, TournamentRecord, read_record
from sixtysix.reports import ActionKind, GameState, TournamentState
from sixtysix.v1 import play_pb2
from sixtysix.verify import verify
from sixtysix_arena.arena import Arena
from sixtysix_arena.errors import Invalid, NotFound, WrongState

PATIENT = replace(CLOCK, per_move_ms=60_000, per_game_ms=600_000, grace_ms=20_000, join_ms=20_000)
NAMES = ("ada", "bob")


class Author:
    """A bot that makes its first legal moves, as long as a test lets it."""

    def __init__(self, raw: RawBot) -> None:
        self.raw = raw
        self.heard: list[play_pb2.ArenaFrame] = []
        self.owed: list[play_pb2.Decision] = []
        self.answer_limit = 0
        self.answer_count = 0

    async def listen(self) -> None:
        while True:
            frame = await self.raw.receive()
            self.heard.append(frame)
            self.owed += frame.decisions
            await self.answer()

    async def answer(self) -> None:
        while self.owed and self.answer_count < self.answer_limit:
            each = self.owed.pop(0)
            self.answer_count += 1
            await self.raw.answer(
                play_pb2.Answer(game=each.game, deal=each.deal, ply=each.ply, move=each.legal[0])
            )

    async def play_on(self, more: int = 1_000_000) -> None:
        """Answers so many more decisions, those that are owed first."""
        self.answer_limit = self.answer_count + more
        await self.answer()


Play = Callable[[Arena, dict[str, Author]], Awaitable[None]]


def in_arena(data: Path, play: Play, *, games_per_pairing: int = 4, games_at_once: int = 2) -> None:
    """Runs `play` in an arena with a started tournament of ada and bob, who are there."""

    async def main() -> None:
        async with running_arena(data) as arena, AsyncExitStack() as stack:
            authors = {}
            for name in NAMES:
                authors[name] = Author(await stack.enter_async_context(bot(arena, name)))
                task = asyncio.create_task(authors[name].listen())
                stack.push_async_callback(ended, task)
            await arena.create_tournament(
                definition(
                    NAMES,
                    games_per_pairing=games_per_pairing,
                    games_at_once=games_at_once,
                    clock=PATIENT,
                )
            )
            await arena.start_tournament("cup")
            await play(arena, authors)

    asyncio.run(asyncio.wait_for(main(), 30))


async def ended(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


async def some_moves(arena: Arena, authors: dict[str, Author], count: int = 8) -> None:
    """Lets the bots answer so many decisions in all, in the first deals; more are open then."""
    for _ in range(count):
        await until(lambda: any(author.owed for author in authors.values()))
        owing = next(author for author in authors.values() if author.owed)
        before = arena.decision_count
        await owing.play_on(1)
        await until(lambda: arena.decision_count > before)  # noqa: B023
    await until(lambda: any(author.owed for author in authors.values()))


async def until(what: Callable[[], bool]) -> None:
    while not what():  # noqa: ASYNC110 - a store tells nobody
        await asyncio.sleep(0.005)


async def play_out(arena: Arena, authors: dict[str, Author]) -> None:
    """Lets the bots play until the tournament is finished."""
    for author in authors.values():
        await author.play_on()
    await until_finished(arena)


def deals(arena: Arena, number: int) -> list[DealRecord]:
    game = arena.reader.game("cup", number)
    return [wire.unpack_deal(record) for _, record in arena.reader.deals(game.id)]


def check_record(arena: Arena) -> None:
    verdict = verify(arena.stored.export("cup"))
    assert verdict.difference is None, verdict.difference


def actions(arena: Arena) -> list[tuple[ActionKind, str, str]]:
    told = arena.stored.tournament("cup").actions
    assert all(each.at.endswith("Z") for each in told)
    return [(each.kind, each.subject, each.reason) for each in told]


def test_a_tournament_that_is_ended_is_over_and_can_be_checked(tmp_path: Path) -> None:
    async def play(arena: Arena, authors: dict[str, Author]) -> None:
        await some_moves(arena, authors)
        info = await arena.end_tournament("cup", "the hall closes")
        assert info.state is TournamentState.FINISHED
        assert info.seed == b"42".hex()
        assert info.finished_at
        reason = "the organiser ended the tournament: the hall closes"
        assert [(each.end, each.reason) for each in outcomes(arena)] == [(GameEnd.VOID, reason)] * 4
        # What was played of the deals in progress is there.
        assert [len(deals(arena, number)) for number in range(1, 5)] == [1, 1, 0, 0]
        assert all(deal.moves for number in (1, 2) for deal in deals(arena, number))
        assert actions(arena) == [(ActionKind.ENDED, "", "the hall closes")]
        for author in authors.values():
            await until(lambda: any(frame.games_over for frame in author.heard))  # noqa: B023
            overs = [over for frame in author.heard for over in frame.games_over]
            assert {over.text for over in overs} == {reason}
        check_record(arena)
        with pytest.raises(WrongState, match="finished"):
            await arena.end_tournament("cup", "again")

    in_arena(tmp_path, play)


def test_a_stopped_tournament_can_be_ended(tmp_path: Path) -> None:
    async def play(arena: Arena, authors: dict[str, Author]) -> None:
        await some_moves(arena, authors)
        await arena.stop_tournament("cup")
        info = await arena.end_tournament("cup", "no time")
        assert info.state is TournamentState.FINISHED
        assert {each.end for each in outcomes(arena)} == {GameEnd.VOID}
        assert deals(arena, 1)[0].moves
        check_record(arena)

    in_arena(tmp_path, play)


@pytest.mark.parametrize("is_stopped", [False, True], ids=["running", "stopped"])
def test_the_end_of_a_tournament_is_logged_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, is_stopped: bool
) -> None:
    async def play(arena: Arena, authors: dict[str, Author]) -> None:
        await some_moves(arena, authors)
        if is_stopped:
            await arena.stop_tournament("cup")
        await arena.end_tournament("cup", "the hall closes")

    with caplog.at_level(logging.INFO):
        in_arena(tmp_path, play)
    assert [record.message for record in caplog.records].count("a tournament is finished") == 1


def test_only_what_was_started_can_be_ended_and_for_a_reason(tmp_path: Path) -> None:
    async def play(arena: Arena, authors: dict[str, Author]) -> None:
        with pytest.raises(Invalid, match="reason is missing"):
            await arena.end_tournament("cup", " \x1b ")
        with pytest.raises(NotFound):
            await arena.end_tournament("cap", "no reason")
        await arena.create_tournament(definition(NAMES, slug="later"))
        with pytest.raises(WrongState, match="created"):
            await arena.end_tournament("later", "it rains")
        await play_out(arena, authors)  # It goes on as if nothing had been.

    in_arena(tmp_path, play)


def test_only_what_was_never_started_can_be_removed(tmp_path: Path) -> None:
    async def play(arena: Arena, authors: dict[str, Author]) -> None:
        with pytest.raises(NotFound):
            await arena.remove_tournament("cap")
        with pytest.raises(WrongState, match=r"running: only one that was never .* tournament end"):
            await arena.remove_tournament("cup")
        created = await arena.create_tournament(definition(NAMES, slug="later"))
        assert arena.stored.board("later").ruleset == "classic"
        with pytest.raises(WrongState, match=r"created: .* 'sixtysix tournament remove'"):
            await arena.end_tournament("later", "it rains")
        assert await arena.remove_tournament("later") == created
        with pytest.raises(NotFound):
            await arena.tournament("later")
        # Nothing of it is left, not even a board.
        again = await arena.create_tournament(definition(NAMES, slug="later", rules="doubling"))
        assert again.rules.name == "doubling"
        assert arena.stored.board("later").ruleset == "doubling"
        await play_out(arena, authors)
        with pytest.raises(WrongState, match=r"finished: .* 'sixtysix prune' removes it"):
            await arena.remove_tournament("cup")

    in_arena(tmp_path, play)


def test_an_end_that_a_crash_interrupted_is_brought_to_its_end(tmp_path: Path) -> None:
    async def play(arena: Arena, authors: dict[str, Author]) -> None:
        await some_moves(arena, authors)
        await arena.stop_tournament("cup")
        # As far as the store goes in its first step.
        text = "the organiser ended the tournament: enough"
        await arena._store.run(
            lambda store: store.end_tournament("cup", text, "enough", "2026-01-31T12:00:00Z")
        )
        await arena.start_tournament("cup")
        await until_finished(arena)
        assert [each.reason for each in outcomes(arena)] == [text] * 4

    in_arena(tmp_path, play)


@pytest.mark.parametrize("when", ["in play", "over", "stopped"])
def test_a_game_that_is_made_void_is_played_anew_with_fresh_deals(
    tmp_path: Path, when: str
) -> None:
    async def play(arena: Arena, authors: dict[str, Author]) -> None:
        if when == "over":
            for author in authors.values():
                await author.play_on()
            await until(lambda: arena.reader.game("cup", 1).state is GameState.OVER)
        else:
            await some_moves(arena, authors)
        if when == "stopped":
            await arena.stop_tournament("cup")
        info = await arena.void_game("cup.1", "ada's line was cut")
        # In play it may have begun again by now.
        assert info.score == (0, 0)
        assert info.deal_count == 0
        first_play = deals(arena, 1)
        assert first_play
        assert all(deal.void and deal.result is None for deal in first_play)
        assert any(deal.moves for deal in first_play)
        assert actions(arena) == [(ActionKind.VOIDED, "cup.1", "ada's line was cut")]
        if when == "stopped":
            await arena.start_tournament("cup")
        await play_out(arena, authors)
        all_deals = deals(arena, 1)
        assert all_deals[: len(first_play)] == first_play
        second_play = all_deals[len(first_play) :]
        assert [deal.deal for deal in all_deals] == list(range(len(all_deals)))
        assert second_play[0].dealer == arena.reader.game("cup", 1).scheduled.first_dealer
        assert not any(deal.void for deal in second_play)
        assert len({deal.pack for deal in all_deals}) == len(all_deals)
        outcome = arena.reader.outcomes("cup")[1]
        assert outcome.end is GameEnd.TARGET
        assert outcome.deal_count == len(second_play)
        assert arena.stored.board("cup").final
        check_record(arena)
        header = next(iter(read_record(arena.stored.export("cup"))))
        assert isinstance(header, TournamentRecord)
        assert [each.subject for each in header.actions] == ["cup.1"]

    in_arena(tmp_path, play, games_per_pairing=10)


def test_the_board_follows_a_game_that_was_played_anew(tmp_path: Path) -> None:
    """A fault is gone from the board with the game that it cost."""

    async def play(arena: Arena, authors: dict[str, Author]) -> None:
        ada = authors["ada"]
        await authors["bob"].play_on(1)
        await until(lambda: bool(ada.owed))
        decision = ada.owed.pop()
        not_held = next(card for card in range(24) if card not in decision.hand)
        answer = play_pb2.Answer(
            game=decision.game, deal=decision.deal, ply=decision.ply, move=not_held
        )
        await ada.raw.answer(answer)
        await until(lambda: any(frame.faults for frame in ada.heard))
        number = next(iter(arena.reader.outcomes("cup")))
        faults = arena.reader.faults(arena.reader.game("cup", number).id)
        assert [each.fault for each in faults] == [Fault.ILLEGAL]
        before = {row.entrant: dict(row.faults) for row in arena.stored.board("cup").rows}
        await arena.void_game(f"cup.{number}", "the rules were not clear")
        assert arena.reader.faults(arena.reader.game("cup", number).id) == ()
        await play_out(arena, authors)
        rows = {row.entrant: row for row in arena.stored.board("cup").rows}
        assert rows["ada"].games == 2
        assert rows["ada"].faults == {}
        assert before["ada"] in ({}, {Fault.ILLEGAL: 1})
        check_record(arena)

    in_arena(tmp_path, play, games_per_pairing=2, games_at_once=1)


def test_what_is_finished_or_has_not_begun_cannot_be_made_void(tmp_path: Path) -> None:
    async def play(arena: Arena, authors: dict[str, Author]) -> None:
        with pytest.raises(WrongState, match="has not begun"):
            await arena.void_game("cup.4", "why not")
        with pytest.raises(NotFound, match=r"cup\.9"):
            await arena.void_game("cup.9", "why not")
        with pytest.raises(Invalid, match="is no game"):
            await arena.void_game("cup", "why not")
        await play_out(arena, authors)
        with pytest.raises(WrongState, match="its seed is public"):
            await arena.void_game("cup.1", "too late")
        assert actions(arena) == []

    in_arena(tmp_path, play, games_at_once=1)


def test_fault_row_71_a_bot_that_is_disabled_forfeits_what_is_left(tmp_path: Path) -> None:
    async def play(arena: Arena, authors: dict[str, Author]) -> None:
        for author in authors.values():
            await author.play_on()
        await until(lambda: len(arena.reader.outcomes("cup")) >= 2)
        played = arena.reader.outcomes("cup")
        await arena.disable_bot("ada", "it insults the others")
        await until_finished(arena)
        after = arena.reader.outcomes("cup")
        assert {number: after[number] for number in played} == played
        rest = [outcome for number, outcome in after.items() if number not in played]
        assert rest
        decided = [each for each in rest if each.end is GameEnd.FORFEIT]
        reason = "ada was disabled by the organiser: it insults the others"
        assert {(each.winner, each.fault, each.reason) for each in decided} == {
            (1, Fault.LEFT, reason)
        }
        # Those that ended by themselves while the bot was being disabled are few.
        assert len(rest) - len(decided) <= 4
        board = {row.entrant: row for row in arena.stored.board("cup").rows}
        assert board["ada"].faults == {Fault.LEFT: len(decided)}
        assert actions(arena) == [(ActionKind.DISABLED, "ada", "it insults the others")]
        check_record(arena)

    in_arena(tmp_path, play, games_per_pairing=40)


def test_two_disabled_bots_void_their_games_and_a_restart_remembers(tmp_path: Path) -> None:
    async def play(arena: Arena, authors: dict[str, Author]) -> None:
        await some_moves(arena, authors, 3)
        await arena.stop_tournament("cup")
        for name in NAMES:
            await arena.disable_bot(name)
        await arena.start_tournament("cup")
        await until_finished(arena)
        assert {each.end for each in outcomes(arena)} == {GameEnd.VOID}
        assert {each.reason for each in outcomes(arena)} == {
            "ada was disabled by the organiser; bob was disabled by the organiser"
        }
        check_record(arena)

    in_arena(tmp_path, play)


def test_more_time_to_join_is_given_and_remembered(tmp_path: Path) -> None:
    hurried = replace(CLOCK, grace_ms=100, join_ms=1_400)

    async def main() -> None:
        async with running_arena(tmp_path) as arena:
            for name in NAMES:
                await arena.submit_bot(name)
            await arena.create_tournament(definition(NAMES, clock=hurried))
            await arena.extend_joining("cup", 400)
            began = asyncio.get_running_loop().time()
            await arena.start_tournament("cup")
            await arena.extend_joining("cup", 700, "the network is down")
            await until_finished(arena)
            took_s = asyncio.get_running_loop().time() - began
            assert took_s > 2.4
            assert {each.end for each in outcomes(arena)} == {GameEnd.VOID}
            assert arena.reader.tournament("cup").join_extra_ms == 1_100
            told = [(ActionKind.EXTENDED, "", "by 0.4 s")]
            told += [(ActionKind.EXTENDED, "", "by 0.7 s: the network is down")]
            assert actions(arena) == told
            for by_ms in (0, 86_400_001):
                with pytest.raises(Invalid, match="by_ms"):
                    await arena.extend_joining("cup", by_ms)
            with pytest.raises(WrongState, match="finished"):
                await arena.extend_joining("cup", 1_000)

    asyncio.run(asyncio.wait_for(main(), 30))
