"""Nobody gets other cards, or another record, by going away and coming back."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

import grpc.aio
import pytest
from support.arenas import RawBot, bot, definition, running_arena, until_finished

from sixtysix.clock import Clock
from sixtysix.outcome import Fault, GameEnd
from sixtysix.record import DealRecord
from sixtysix.reports import BoardRow
from sixtysix.shuffle import pack, tournament_key
from sixtysix.v1 import play_pb2
from sixtysix_arena.arena import Arena
from sixtysix_arena.errors import Exists

PATIENT = Clock(per_move_ms=20_000, per_game_ms=600_000, grace_ms=20_000, join_ms=20_000)
KEY = tournament_key(b"42", {})
DROPS = 12


def answer(decision: play_pb2.Decision) -> play_pb2.Answer:
    return play_pb2.Answer(
        game=decision.game, deal=decision.deal, ply=decision.ply, move=decision.legal[0]
    )


@dataclass
class Dropper:
    """A bot that goes away whenever it does not like its cards, and comes back at once."""

    arena: Arena
    token: str
    likes: Callable[[play_pb2.Decision], bool]
    drops: int = 0

    async def play(self) -> None:
        """Plays until it is told that there is nothing more."""
        disliked: dict[tuple[int, int, int], play_pb2.Decision] = {}
        while True:
            raw = RawBot(self.arena.address, self.token)
            try:
                await raw.hello(games_at_once=1)
                await self._play_on(raw, disliked)
            finally:
                await raw.vanish()

    async def _play_on(
        self, raw: RawBot, disliked: dict[tuple[int, int, int], play_pb2.Decision]
    ) -> None:
        while True:
            for decision in (await raw.receive()).decisions:
                place = decision.game, decision.deal, decision.ply
                if place in disliked:
                    assert decision == disliked[place], "it was dealt something else"
                elif self.drops < DROPS and not self.likes(decision):
                    disliked[place] = decision
                    self.drops += 1
                    return
                await raw.answer(answer(decision))


def is_good(decision: play_pb2.Decision) -> bool:
    """Whether there is an ace or a ten of trumps; asked at the beginning of a deal alone."""
    best = {6 * decision.trump_suit + rank for rank in (4, 5)}
    return bool(decision.tricks) or bool(best & set(decision.hand))


@dataclass(frozen=True)
class Result:
    """What a tournament came to."""

    board: str
    deals: dict[str, Sequence[DealRecord]]
    drops: int


def played(data: Path, likes: Callable[[play_pb2.Decision], bool]) -> Result:
    """A tournament of two games, in which one of the bots may drop."""

    async def main() -> Result:
        async with running_arena(data) as arena, bot(arena, "bob", RawBot.play):
            _, token = await arena.submit_bot("ada")
            dropper = Dropper(arena, token, likes)
            task = asyncio.create_task(dropper.play())
            await arena.create_tournament(definition(("ada", "bob"), clock=PATIENT))
            await arena.start_tournament("cup")
            finished = asyncio.create_task(until_finished(arena))
            await asyncio.wait((task, finished), return_when=asyncio.FIRST_COMPLETED)
            await finished
            task.cancel()
            with suppress(asyncio.CancelledError, grpc.aio.AioRpcError):
                await task
            games = [game.game_id for game in arena.stored.games("cup")]
            return Result(
                arena.stored.board("cup").canonical,
                {game: arena.stored.game(game).deals for game in games},
                dropper.drops,
            )

    return asyncio.run(asyncio.wait_for(main(), 100))


def test_threat_35_dropping_on_a_bad_hand_changes_nothing(tmp_path: Path) -> None:
    calm = played(tmp_path / "calm", lambda _: True)
    dropping = played(tmp_path / "dropping", is_good)
    assert calm.drops == 0
    assert dropping.drops >= 5, "too few bad hands to say anything"
    assert dropping.board == calm.board
    assert _moves(dropping) == _moves(calm)
    for game_index, deals in enumerate(dropping.deals.values()):
        for number, deal in enumerate(deals):
            assert (deal.deal, deal.void) == (number, False)
            assert deal.pack == pack(
                KEY,
                ruleset="classic",
                tournament="cup",
                entrants=("ada", "bob"),
                game=game_index,
                deal=number,
            )


def _moves(result: Result) -> list[tuple[str, int, tuple[int, ...]]]:
    return [
        (game, deal.deal, tuple(deal.moves))
        for game, deals in result.deals.items()
        for deal in deals
    ]


@pytest.mark.parametrize("way", ["leaves", "stays away", "says goodbye"])
def test_threat_35_a_game_that_is_given_up_is_lost_and_not_dealt_again(
    tmp_path: Path, way: str
) -> None:
    async def main() -> None:
        clock = replace(PATIENT, grace_ms=1_500)
        async with running_arena(tmp_path / "data") as arena, bot(arena, "bob", RawBot.play):
            _, token = await arena.submit_bot("ada")
            raw = RawBot(arena.address, token)
            await raw.hello(games_at_once=1)
            cup = definition(("ada", "bob"), clock=clock, games_per_pairing=4)
            await arena.create_tournament(cup)
            await arena.start_tournament("cup")
            given_up = await raw.decision()
            if way == "leaves":
                leave = play_pb2.Leave(game=given_up.game, reason=play_pb2.LEAVE_REASON_RESIGNED)
                await raw.send(play_pb2.BotFrame(leaves=[leave]))
            elif way == "says goodbye":
                await raw.send(play_pb2.BotFrame(bye=play_pb2.BotBye()))
            if way != "leaves":
                await raw.vanish()
            while not (await arena.tournament("cup")).games_over_count:  # noqa: ASYNC110
                await asyncio.sleep(0.02)
            if way != "leaves":
                raw = RawBot(arena.address, token)
                await raw.hello(games_at_once=1)
            asked = []

            def choose(decision: play_pb2.Decision) -> int:
                asked.append(decision.game)
                return decision.legal[0]

            playing = asyncio.create_task(raw.play(choose))
            await until_finished(arena)
            playing.cancel()
            await asyncio.gather(playing, return_exceptions=True)
            await raw.vanish()
            lost, *others = arena.stored.games("cup")
            assert (lost.end, lost.winner) == (GameEnd.FORFEIT, 1)
            assert lost.fault in (Fault.LEFT, Fault.DISCONNECT)
            assert given_up.game not in asked
            (broken_off,) = arena.stored.game(lost.game_id).deals
            assert broken_off.result is None
            if way != "says goodbye":  # That gives up all that are left too.
                assert [game.end for game in others] == [GameEnd.TARGET] * 3

    asyncio.run(asyncio.wait_for(main(), 100))


def test_threat_34_a_new_token_is_the_same_bot_and_a_new_version_another_row(
    tmp_path: Path,
) -> None:
    async def main() -> None:
        async with running_arena(tmp_path / "data") as arena, bot(arena, "bob", RawBot.play):
            _, token = await arena.submit_bot("ada")
            await cup(arena, "first", token, "1")
            (before,) = rows_of(arena, "ada")
            assert before.games == 2
            with pytest.raises(Exists):
                await arena.submit_bot("ada")
            token = await arena.rotate_token("ada")
            await cup(arena, "second", token, "1")
            (after,) = rows_of(arena, "ada")
            assert (after.version, after.games) == ("1", 4)
            assert after.lost >= before.lost
            await cup(arena, "third", token, "2")
            old, new = sorted(rows_of(arena, "ada"), key=lambda row: row.version)
            assert (old.version, old.games, old.won, old.lost) == ("1", 4, after.won, after.lost)
            assert (new.version, new.games) == ("2", 2)
            assert arena.stored.bot("ada").game_count == 6

    asyncio.run(asyncio.wait_for(main(), 100))


def rows_of(arena: Arena, name: str) -> list[BoardRow]:
    """A bot's rows of the standing board."""
    return [row for row in arena.stored.standing_board("classic").rows if row.entrant == name]


async def cup(arena: Arena, slug: str, token: str, version: str) -> None:
    """Plays a tournament that is no practice."""
    raw = RawBot(arena.address, token)
    await raw.hello(bot_version=version)
    playing = asyncio.create_task(raw.play())
    ranked = replace(definition(("ada", "bob"), slug=slug, clock=PATIENT), practice_seed=None)
    await arena.create_tournament(ranked)
    await arena.start_tournament(slug)
    await until_finished(arena, slug)
    playing.cancel()
    await asyncio.gather(playing, return_exceptions=True)
    await raw.vanish()


def test_threat_34_who_withdraws_has_lost_what_was_left(tmp_path: Path) -> None:
    async def main() -> None:
        async with running_arena(tmp_path / "data") as arena, bot(arena, "bob", RawBot.play):
            _, token = await arena.submit_bot("ada")
            raw = RawBot(arena.address, token)
            await raw.hello(games_at_once=1)
            ranked = definition(("ada", "bob"), clock=replace(PATIENT, grace_ms=100))
            await arena.create_tournament(replace(ranked, practice_seed=None))
            await arena.start_tournament("cup")
            await raw.decision()
            await raw.send(play_pb2.BotFrame(bye=play_pb2.BotBye()))
            await until_finished(arena)
            await raw.vanish()
            (row,) = rows_of(arena, "ada")
            assert (row.games, row.won, row.lost) == (2, 0, 2)
            assert row.faults == {Fault.LEFT: 2}

    asyncio.run(asyncio.wait_for(main(), 100))
