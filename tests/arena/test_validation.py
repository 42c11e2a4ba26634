"""A bot's trial before its games count, over real streams."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import pytest
from support.arenas import RawBot, bot, definition, outcomes, running_arena, until_finished

from sixtysix.outcome import Fault, GameEnd
from sixtysix.record import replay
from sixtysix.rules import RULESETS
from sixtysix.v1 import play_pb2
from sixtysix.wire import unpack_deals
from sixtysix_arena.arena import Arena
from sixtysix_arena.store import Validation


def validating(tmp_path: Path) -> AbstractAsyncContextManager[Arena]:
    """An arena that puts bots through their trials."""
    return running_arena(tmp_path / "data", validation=True)


def run(work: object) -> None:
    asyncio.run(asyncio.wait_for(work, 60))  # type: ignore[arg-type]


async def verdicts(arena: Arena, name: str, count: int) -> tuple[Validation, ...]:
    """The verdicts on a bot, once there are so many."""
    for _ in range(5_000):
        found = arena.reader.validations(name)
        if len(found) >= count:
            return found
        await asyncio.sleep(0.01)
    raise AssertionError(f"waited in vain for the validation of {name}")


def test_a_new_bot_plays_a_short_game_of_each_rule_set_that_it_plays(tmp_path: Path) -> None:
    async def main() -> None:
        async with (
            validating(tmp_path) as arena,
            bot(arena, "new", RawBot.play),
        ):
            found = await verdicts(arena, "new", 4)
            assert {verdict.ruleset for verdict in found} == set(RULESETS)
            for verdict in found:
                assert verdict.failure == ""
                assert verdict.version == "1"
                deals = unpack_deals(verdict.transcript)
                assert 1 <= len(deals) <= 2
                for deal in deals:
                    replay(RULESETS[verdict.ruleset], deal)
            assert arena.sessions.of("new").game_count == 0

    run(main())


def test_only_what_it_says_it_plays_is_tried_and_its_trials_come_one_by_one(
    tmp_path: Path,
) -> None:
    started: list[list[str]] = []

    async def behave(raw: RawBot) -> None:
        live: set[int] = set()
        while True:
            frame = await raw.receive()
            live |= {start.game for start in frame.starts}
            live -= {over.game for over in frame.games_over}
            assert len(live) <= 1
            started.append([start.game_id for start in frame.starts])
            answers = [
                play_pb2.Answer(game=d.game, deal=d.deal, ply=d.ply, move=d.legal[0])
                for d in frame.decisions
            ]
            if answers:
                await raw.answer(*answers)

    async def main() -> None:
        async with (
            validating(tmp_path) as arena,
            bot(arena, "new", behave, games_at_once=1, rulesets=[1, 3]),
        ):
            found = await verdicts(arena, "new", 2)
            assert {verdict.ruleset for verdict in found} == {"classic", "played-out"}
            assert sum(started, []) == ["validation/classic", "validation/played-out"]  # noqa: RUF017

    run(main())


def test_a_validated_version_is_not_tried_again_and_a_new_one_is(tmp_path: Path) -> None:
    async def main() -> None:
        async with validating(tmp_path) as arena:
            _, token = await arena.submit_bot("new")
            for version, trials in (("1", 4), ("1", 0), ("2", 4)):
                raw = RawBot(arena.address, token)
                await raw.hello(bot_version=version)
                playing = asyncio.create_task(raw.play())
                before = arena.decision_count
                await verdicts(arena, "new", 4 if version == "1" else 8)
                await asyncio.sleep(0.1)
                assert (arena.decision_count > before) == (trials > 0)
                playing.cancel()
                await raw.vanish()

    run(main())


def bad_choice(decision: play_pb2.Decision) -> int:
    return next(card for card in range(24) if card not in decision.hand)


def tournament_with(
    tmp_path: Path, choose: Callable[[play_pb2.Decision], int] | None, check: object, **how: bool
) -> None:
    """Plays a tournament between `good` and `bad`, which chooses like this."""

    async def main() -> None:
        async with (
            validating(tmp_path) as arena,
            bot(arena, "good", RawBot.play),
            bot(arena, "bad", lambda raw: raw.play(choose)),
        ):
            await arena.create_tournament(definition(("bad", "good")))
            await arena.start_tournament("cup", **how)
            await until_finished(arena)
            check(arena)  # type: ignore[operator]

    run(main())


def test_a_bot_that_fails_its_validation_is_a_no_show_with_that_reason(tmp_path: Path) -> None:
    def check(arena: Arena) -> None:
        assert {outcome.fault for outcome in outcomes(arena)} == {Fault.NO_SHOW}
        assert [outcome.winner for outcome in outcomes(arena)] == [1, 1]
        for outcome in outcomes(arena):
            assert outcome.reason.startswith("bad failed its validation: illegal move ")
        (verdict,) = [v for v in arena.reader.validations("bad") if v.ruleset == "classic"]
        assert verdict.failure in outcomes(arena)[0].reason
        assert unpack_deals(verdict.transcript)[0].result is None

    tournament_with(tmp_path, bad_choice, check)


def test_validated_bots_play(tmp_path: Path) -> None:
    def check(arena: Arena) -> None:
        assert {outcome.end for outcome in outcomes(arena)} == {GameEnd.TARGET}

    tournament_with(tmp_path, None, check)


def test_the_organiser_may_let_unvalidated_bots_in(tmp_path: Path) -> None:
    def check(arena: Arena) -> None:
        assert {outcome.fault for outcome in outcomes(arena)} == {Fault.ILLEGAL}
        assert arena.reader.tournament("cup").unvalidated

    tournament_with(tmp_path, bad_choice, check, unvalidated=True)


def test_the_time_for_joining_stands_still_during_a_trial(tmp_path: Path) -> None:
    """The bot needs 100 ms a move, and longer for its trial than there is time to join."""

    async def slow(raw: RawBot) -> None:
        while True:
            for decision in (await raw.receive()).decisions:
                await asyncio.sleep(0.1)
                await raw.answer(
                    play_pb2.Answer(
                        game=decision.game,
                        deal=decision.deal,
                        ply=decision.ply,
                        move=decision.legal[0],
                    )
                )

    async def main() -> None:
        async with (
            validating(tmp_path) as arena,
            bot(arena, "good", RawBot.play),
            bot(arena, "slow", slow, rulesets=[1]),
        ):
            await arena.create_tournament(definition(("good", "slow"), games_at_once=1))
            await arena.start_tournament("cup")
            waiting = (await arena.tournament("cup")).waiting_for
            assert "slow (being validated)" in waiting
            await asyncio.sleep(1.2)
            assert outcomes(arena) == []
            await verdicts(arena, "slow", 1)
            for _ in range(1_000):
                if (await arena.tournament("cup")).games_open_count:
                    return
                await asyncio.sleep(0.02)
            pytest.fail("its games did not start after the trial")

    run(main())


def test_a_trial_is_no_game_of_the_store(tmp_path: Path) -> None:
    async def main() -> None:
        async with (
            validating(tmp_path) as arena,
            bot(arena, "new", RawBot.play),
        ):
            await verdicts(arena, "new", 4)
            assert list(arena.stored.tournaments()) == []
            assert arena.stored.bot("new").game_count == 0

    run(main())


def test_the_organiser_sees_what_became_of_a_trial(tmp_path: Path) -> None:
    async def main() -> None:
        async with (
            validating(tmp_path) as arena,
            bot(arena, "bad", lambda raw: raw.play(bad_choice), rulesets=[1]),
            bot(arena, "good", RawBot.play, rulesets=[1]),
        ):
            await verdicts(arena, "bad", 1)
            await verdicts(arena, "good", 1)
            await arena.create_tournament(definition(("bad", "good")))
            info = await arena.start_tournament("cup")
            assert info.waiting_for == (
                "waiting for bad (failed its validation, and may join again)"
            )
            (told,) = arena.stored.bot("bad").validations
            assert (told.ruleset, told.version) == ("classic", "1")
            assert told.failure.startswith("illegal move ")
            assert [each.failure for each in arena.stored.bot("good").validations] == [""]

    run(main())
