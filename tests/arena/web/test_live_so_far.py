"""What is sent of the games that are over, while no round is complete."""

from __future__ import annotations

import asyncio
import re
from contextlib import aclosing
from typing import Any

import pytest
from support.feeds import Cup, Got, read
from support.stored import LATER

from sixtysix.outcome import GameEnd, GameOutcome
from sixtysix.reports import TournamentState
from sixtysix_arena.queries import StoredArena
from sixtysix_arena.store import GameOver
from sixtysix_arena.web import live, sofar
from sixtysix_arena.web.live import Feeds


def figures(event: Got) -> dict[str, list[int]]:
    """How many games of each entrant are over, won, drawn and lost."""
    rows = re.findall(r'<th scope="row">.*?>([^<]+(?:<wbr>\w+)?)</a></th>(.*?)</tr>', event.data)
    return {
        name.replace("<wbr>", ""): [int(each) for each in re.findall(r">(\d+)<", cells)]
        for name, cells in rows
    }


def test_the_games_so_far_are_told_as_they_end_until_a_round_is_complete(cup: Cup) -> None:
    async def main() -> None:
        first = [game.number for game in cup.stored.games("cup") if game.round == 1]
        later = [game.number for game in cup.stored.games("cup") if game.round > 1]
        async with aclosing(Feeds(cup.stored).of("cup").listen("", "en")) as stream:
            got = await read(stream, "progress")
            for number in later:
                cup.play(number)
                got = await read(stream, "so-far")
            told = figures(got[-1])
            assert list(told) == ["ada", "bob", "house:random"]
            assert sum(over for over, *_ in told.values()) == 2 * len(later)
            assert all(over == sum(results) for over, *results in told.values())
            for number in first:
                cup.play(number)
            got = await read(stream, "board")
            # Between the games of the round there may have been a look.
            assert [each.name for each in got].count("so-far") <= 1
        async with aclosing(Feeds(cup.stored).of("cup").listen("", "en")) as stream:
            await read(stream, "progress")
            cup.store.set_state("cup", TournamentState.STOPPED, LATER)
            assert "so-far" not in {each.name for each in await read(stream, "board")}

    asyncio.run(main())


def test_the_games_so_far_are_told_whoever_comes_later_and_in_their_language(cup: Cup) -> None:
    async def main() -> None:
        feeds = Feeds(cup.stored)
        async with aclosing(feeds.of("cup").listen("", "en")) as stays:
            await read(stays, "progress")
            cup.play(1)
            english = (await read(stays, "so-far"))[-1]
            async with aclosing(feeds.of("cup").listen("", "ru")) as comes:
                russian = (await read(comes, "so-far"))[-1]
            assert "So far" in english.data
            assert "Промежуточные итоги" in russian.data
            assert russian.id == english.id
            cup.play(2)
            await read(stays, "board")
            async with aclosing(feeds.of("cup").listen("", "en")) as comes:
                assert (await read(comes, "progress"))[-1].name == "progress"
                cup.play(3)
                assert "so-far" not in {each.name for each in await read(comes, "progress")}

    asyncio.run(main())


def test_a_game_that_is_to_be_played_anew_is_taken_back(cup: Cup) -> None:
    async def main() -> None:
        cup.store.commit([GameOver(cup.ids[0], GameOutcome(GameEnd.TARGET, 0, (7, 2), 5))])
        async with aclosing(Feeds(cup.stored).of("cup").listen("", "en")) as stream:
            told = figures((await read(stream, "so-far"))[-1])
            assert sorted(told.values()) == [[0, 0, 0, 0], [1, 0, 0, 1], [1, 1, 0, 0]]
            cup.store.void_game("cup", 1, (), "the fire alarm", LATER)
            anew = (await read(stream, "so-far"))[-1]
            assert figures(anew) == {}
            assert anew.data.count("<li>") == 3

    asyncio.run(main())


def test_games_are_counted_once_for_all_readers_and_only_when_some_ended(
    cup: Cup, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted, looks = [0], [0]
    count, look = StoredArena.games_so_far, live.Feed._look

    def counting(stored: StoredArena, slug: str) -> Any:
        counted[0] += 1
        return count(stored, slug)

    def looking(feed: live.Feed) -> Any:
        looks[0] += 1
        return look(feed)

    monkeypatch.setattr(StoredArena, "games_so_far", counting)
    monkeypatch.setattr(live.Feed, "_look", looking)

    async def main() -> None:
        feeds = Feeds(cup.stored)
        cup.play(1)
        streams = [feeds.of("cup").listen("", "en") for _ in range(5)]
        for stream in streams:
            await read(stream, "so-far")
        assert counted == [1]
        before = looks[0]
        cup.open(3)
        for stream in streams:
            await read(stream, "progress")
        assert looks[0] > before
        assert counted == [1]
        cup.play(4)
        for stream in streams:
            await read(stream, "so-far")
            await stream.aclose()
        assert counted == [2]

    asyncio.run(main())


def test_of_many_entrants_the_games_so_far_are_not_told(
    cup: Cup, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sofar, "ENTRANTS_COUNT", 2)

    async def main() -> None:
        async with aclosing(Feeds(cup.stored).of("cup").listen("", "en")) as stream:
            await read(stream, "progress")
            cup.play(1)
            await read(stream, "progress")
            cup.play(2)
            assert "so-far" not in {each.name for each in await read(stream, "board")}

    asyncio.run(main())
