"""What whoever looks at a running tournament is sent, and when that ends."""

from __future__ import annotations

import asyncio
import re
import socket
from contextlib import aclosing, suppress
from typing import Any

import pytest
from support.feeds import PATIENCE_S, RECORD, Cup, Got, read, rest
from support.pages import served
from support.records import events_of, play_games
from support.stored import LATER

from sixtysix.outcome import GameEnd, GameOutcome
from sixtysix.record import GameRecord
from sixtysix.reports import TournamentState
from sixtysix_arena.errors import Unavailable
from sixtysix_arena.store import GameOver
from sixtysix_arena.web import live
from sixtysix_arena.web.app import make_app
from sixtysix_arena.web.live import Feeds


def test_a_reader_hears_how_it_stands_at_once(cup: Cup) -> None:
    async def main() -> None:
        cup.play(1)
        async with aclosing(Feeds(cup.stored).of("cup").listen("", "en")) as stream:
            retry, progress = await read(stream, "progress")
            assert retry.name == "retry"
            assert "1 of 6 games" in progress.data
            assert re.fullmatch(r"[0-9a-f]{6}-1", progress.id)

    asyncio.run(main())


def test_events_are_in_the_language_of_the_reader(cup: Cup) -> None:
    async def main() -> None:
        feeds = Feeds(cup.stored)
        async with (
            aclosing(feeds.of("cup").listen("", "en")) as english,
            aclosing(feeds.of("cup").listen("", "ru")) as russian,
        ):
            one = (await read(english, "progress"))[-1]
            other = (await read(russian, "progress"))[-1]
            assert one.id == other.id
            assert "of 6" in one.data
            assert one.data != other.data
            assert re.search("[а-я]", other.data)

    asyncio.run(main())


def test_a_deal_that_ends_is_shown_and_leads_to_itself(cup: Cup) -> None:
    async def main() -> None:
        told = cup.open(2)
        async with aclosing(Feeds(cup.stored).of("cup").listen("", "en")) as stream:
            await read(stream, "progress")
            cup.store.commit(told[:2])
            deals = (await read(stream, "deals"))[-1]
            assert 'href="/g/cup.2/0?ply=0"' in deals.data
            assert "Game 2" in deals.data
            cup.store.commit(told[2:])
            got = await read(stream, "deals", "progress")
            assert "1 of 6 games" in next(each for each in got if each.name == "progress").data

    asyncio.run(main())


def test_the_board_moves_with_a_round_and_not_before(cup: Cup) -> None:
    async def main() -> None:
        first = [game.number for game in cup.stored.games("cup") if game.round == 1]
        async with aclosing(Feeds(cup.stored).of("cup").listen("", "en")) as stream:
            await read(stream, "progress")
            cup.play(first[0])
            got = await read(stream, "progress")
            assert "board" not in {each.name for each in got}
            for number in first[1:]:
                cup.play(number)
            await read(stream, "board")

    asyncio.run(main())


def test_the_end_is_told_and_ends_the_stream(cup: Cup) -> None:
    async def main() -> None:
        feeds = Feeds(cup.stored)
        stream = feeds.of("cup").listen("", "en")
        await read(stream, "progress")
        cup.finish()
        got = await rest(stream)
        assert "6 of 6 games" in [each for each in got if each.name == "progress"][-1].data
        assert got[-1].name == "board"
        assert feeds._feeds == {}

    asyncio.run(main())


def test_a_page_that_was_made_before_the_end_hears_of_it_after(cup: Cup) -> None:
    async def main() -> None:
        cup.finish()
        got = await rest(Feeds(cup.stored).of("cup").listen("", "en"))
        assert [each.name for each in got] == ["retry", "progress", "board"]

    asyncio.run(main())


@pytest.mark.parametrize(
    ("page_shows", "is_old"),
    [("running-0", True), ("stopped-1", True), ("odd", True), ("running-1", False), ("", False)],
)
@pytest.mark.parametrize("is_first", [True, False], ids=["first", "later"])
def test_a_page_that_is_older_than_its_stream_is_fetched_anew(
    cup: Cup, page_shows: str, is_old: bool, is_first: bool
) -> None:
    """A round has ended, or it was stopped, before the stream was there to tell of it."""

    async def main() -> None:
        cup.play(1)
        cup.play(2)
        feeds = Feeds(cup.stored)
        async with (
            aclosing(feeds.of("cup").listen("", "en", "running-1")) as early,
            aclosing(feeds.of("cup").listen("", "en", page_shows)) as stream,
        ):
            if not is_first:
                await read(early, "progress")
            names = [each.name for each in await read(stream, "progress")]
            cup.open(3)  # So that there is more to hear in any case.
            names += [each.name for each in await read(stream, "progress")]
            assert names.count("board") == is_old

    asyncio.run(main())


def test_whoever_comes_back_is_sent_what_came_since(cup: Cup) -> None:
    async def main() -> None:
        feeds = Feeds(cup.stored)
        async with aclosing(feeds.of("cup").listen("", "en")) as stays:
            first = (await read(stays, "progress"))[-1]
            cup.play(1)
            cup.play(2)
            then = [each for each in await read(stays, "board") if each.id]
            assert then
            async with aclosing(feeds.of("cup").listen(first.id, "en")) as back:
                got = await read(back, *(each.name for each in then))
                assert got[1:] == then

    asyncio.run(main())


@pytest.mark.parametrize("last_id", ["abcdef-7", "nothing", "-", "1" * 500])
def test_whoever_was_away_for_too_long_hears_how_it_stands(cup: Cup, last_id: str) -> None:
    async def main() -> None:
        cup.play(1)
        feeds = Feeds(cup.stored)
        async with aclosing(feeds.of("cup").listen("", "en")) as stays:
            await read(stays, "progress")
            async with aclosing(feeds.of("cup").listen(last_id, "en")) as back:
                got = await read(back, "board")
                assert [each.name for each in got] == ["retry", "progress", "board"]
                assert last_id not in {each.id for each in got}

    asyncio.run(main())


def test_a_heartbeat_keeps_a_silent_stream_open(cup: Cup, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "HEARTBEAT_S", 0.05)

    async def main() -> None:
        async with aclosing(Feeds(cup.stored).of("cup").listen("", "en")) as stream:
            await read(stream, "progress")
            assert {each.name for each in await read(stream, "heartbeat")} == {"heartbeat"}

    asyncio.run(main())


def test_who_does_not_read_is_sent_away_and_misses_nothing(
    cup: Cup, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "QUEUE_LIMIT", 3)

    async def main() -> None:
        feeds = Feeds(cup.stored)
        slow = feeds.of("cup").listen("", "en")
        heard = (await read(slow, "progress"))[-1]
        async with aclosing(feeds.of("cup").listen("", "en")) as quick:
            await read(quick, "progress")
            told: list[Got] = []
            for number in range(1, 6):
                cup.play(number)
                told += await read(quick, "progress")
            assert len([each for each in told if each.id]) > 3
            assert await rest(slow) == []
            async with aclosing(feeds.of("cup").listen(heard.id, "en")) as back:
                got = await read(back, *(each.name for each in told))
                assert got[1 : 1 + len(told)] == told

    asyncio.run(main())


def test_a_full_queue_at_the_end_ends_too(cup: Cup, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "QUEUE_LIMIT", 1)

    async def main() -> None:
        feed = Feeds(cup.stored).of("cup")
        stream = feed.listen("", "en")
        await read(stream, "progress")
        (queue,) = feed._listeners
        queue.put_nowait(None)
        feed._end()
        assert await rest(stream) == []

    asyncio.run(main())


def test_the_store_is_read_while_somebody_looks_and_no_longer(
    cup: Cup, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = 0
    look = live.Feed._look

    def counted(feed: live.Feed) -> Any:
        nonlocal looks
        looks += 1
        return look(feed)

    monkeypatch.setattr(live.Feed, "_look", counted)

    async def main() -> None:
        feeds = Feeds(cup.stored)
        streams = [feeds.of("cup").listen("", "en") for _ in range(20)]
        for stream in streams:
            await read(stream, "progress")
        task = feeds.of("cup")._task
        assert task is not None
        before = looks
        for stream in streams[1:]:
            await stream.aclose()
        assert not task.done()
        await streams[0].aclose()
        with suppress(asyncio.CancelledError):
            await task
        assert task.done()
        assert feeds._feeds == {}
        after = looks
        await asyncio.sleep(0.1)
        assert looks == after
        # Twenty readers, and one look at a time.
        assert before < 200

    asyncio.run(main())


def test_a_store_that_cannot_be_read_for_a_moment_ends_nothing(
    cup: Cup, monkeypatch: pytest.MonkeyPatch
) -> None:
    look, failures = live.Feed._look, iter(range(3))

    def failing(feed: live.Feed) -> Any:
        if next(failures, None) is not None:
            raise Unavailable("the disk is busy")
        return look(feed)

    monkeypatch.setattr(live.Feed, "_look", failing)

    async def main() -> None:
        async with aclosing(Feeds(cup.stored).of("cup").listen("", "en")) as stream:
            await read(stream, "progress")

    asyncio.run(main())


def test_a_feed_that_has_ended_does_not_forget_the_next_one(cup: Cup) -> None:
    async def main() -> None:
        feeds = Feeds(cup.stored)
        old = feeds.of("cup")
        stream = old.listen("", "en")
        await read(stream, "progress")
        old._end()
        async with aclosing(feeds.of("cup").listen("", "en")) as newer:
            await read(newer, "progress")
            new = feeds.of("cup")
            assert new is not old
            await rest(stream)
            assert feeds.of("cup") is new

    asyncio.run(main())


def test_the_rest_of_the_time_is_told_once_it_is_known(cup: Cup) -> None:
    async def main() -> None:
        async with aclosing(Feeds(cup.stored).of("cup").listen("", "en")) as stream:
            got = await read(stream, "progress")
            assert "left" not in got[-1].data
            for number in range(1, 6):
                cup.play(number)
                got = await read(stream, "progress")
            assert "left" in got[-1].data

    asyncio.run(main())


def test_over_the_network_a_reader_that_goes_is_forgotten(cup: Cup) -> None:
    app = make_app(cup.stored, cup.stored._reader, ())
    with served(app) as pages:
        with socket.create_connection(("127.0.0.1", pages.port), PATIENCE_S) as stream:
            stream.sendall(b"GET /t/cup/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
            said = b""
            while b"of 6 games" not in said:
                said += stream.recv(65_536)
            head = said.partition(b"\r\n\r\n")[0].lower()
            assert b"content-type: text/event-stream" in head
            assert b"cache-control: no-store" in head
            assert b"x-content-type-options: nosniff" in head
            assert list(app.state.feeds._feeds) == ["cup"]
        for _ in range(500):
            if not app.state.feeds._feeds:
                break
            pages.get("/healthz")
        assert not app.state.feeds._feeds


async def ended(cup: Cup, kinds: dict[int, str], *parts: int) -> list[str]:
    """The first game, told in parts that end at these places: what was said to have ended."""
    game: GameRecord = play_games(RECORD, kinds)[0]
    told = events_of(cup.ids[0], game, RECORD.rules)
    cup.store.commit(told[:1])
    said = []
    async with aclosing(Feeds(cup.stored).of("cup").listen("", "en")) as stream:
        await read(stream, "progress")
        for begin, end in zip((1, *parts), (*parts, len(told)), strict=True):
            cup.store.commit(told[begin:end])
            said.append((await read(stream, "deals"))[-1].data)
    return said


@pytest.mark.parametrize("kind", ["illegal", "left"])
def test_a_forfeited_game_is_shown_with_whose_fault_it_was(cup: Cup, kind: str) -> None:
    """Also one that was forfeited in its first deal, which nobody won."""
    game = play_games(RECORD, {1: kind})[0]
    assert game.outcome.winner is not None
    (said,) = asyncio.run(ended(cup, {1: kind}))
    assert f"{game.entrants[1 - game.outcome.winner]} forfeited the game" in said
    assert ("illegal move" if kind == "illegal" else "left") in said
    assert 'href="/g/cup.1"' in said
    assert said.count("<li") == 1


def test_what_has_ended_is_shown_once(cup: Cup) -> None:
    """A deal, and then the game, which is forfeited in the next one."""
    said = asyncio.run(ended(cup, {1: "illegal"}, 3))
    deal, game = said
    assert re.findall('id="([^"]+)"', deal) == ["ended-cup.1-0"]
    assert re.findall('id="([^"]+)"', game) == ["ended-cup.1"]
    assert "/g/cup.1/0?" not in game


def test_a_void_game_is_shown_as_such(cup: Cup) -> None:
    void = GameOutcome(GameEnd.VOID, None, (0, 0), 0, reason="both bots were away")

    async def main() -> None:
        cup.open(1)
        async with aclosing(Feeds(cup.stored).of("cup").listen("", "en")) as stream:
            await read(stream, "progress")
            cup.store.commit([GameOver(cup.ids[0], void)])
            said = (await read(stream, "deals"))[-1].data
            assert ": void" in said
            assert "forfeited" not in said

    asyncio.run(main())


def test_a_stopped_tournament_keeps_its_stream_since_it_may_go_on(cup: Cup) -> None:
    async def main() -> None:
        cup.open(1)
        async with aclosing(Feeds(cup.stored).of("cup").listen("", "en")) as stream:
            assert "1 being played" in (await read(stream, "progress"))[-1].data
            cup.store.set_state("cup", TournamentState.STOPPED, LATER)
            got = {each.name: each for each in await read(stream, "board")}
            assert "being played" not in got["progress"].data
            cup.store.set_state("cup", TournamentState.RUNNING, LATER)
            got = {each.name: each for each in await read(stream, "board")}
            assert "1 being played" in got["progress"].data
        async with aclosing(Feeds(cup.stored).of("cup").listen("", "en")) as stream:
            cup.store.set_state("cup", TournamentState.STOPPED, LATER)
            await read(stream, "progress")
            cup.finish()
            assert (await rest(stream))[-1].name == "board"

    asyncio.run(main())


def test_the_last_words_tell_the_end_and_leave_time_to_look(
    cup: Cup, monkeypatch: pytest.MonkeyPatch
) -> None:
    slept: list[float] = []

    async def main() -> None:
        feeds = Feeds(cup.stored)
        stream = feeds.of("cup").listen("", "en")
        await read(stream, "progress")
        monkeypatch.setattr(live, "POLL_S", PATIENCE_S)
        await asyncio.sleep(0.1)
        cup.finish()
        sleep = asyncio.sleep

        async def noted(seconds: float) -> None:
            slept.append(seconds)
            await sleep(0)

        monkeypatch.setattr(asyncio, "sleep", noted)
        await feeds.farewell()
        assert (await rest(stream))[-1].name == "board"

    asyncio.run(main())
    assert 0 < max(slept) <= live.MOMENT_S


def test_nobody_waits_for_the_last_words_of_what_goes_on(
    cup: Cup, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "MOMENT_S", 1_000)

    async def main() -> None:
        feeds = Feeds(cup.stored)
        async with aclosing(feeds.of("cup").listen("", "en")) as stream:
            await read(stream, "progress")
            async with asyncio.timeout(PATIENCE_S):
                await feeds.farewell()
        await feeds.farewell()

    asyncio.run(main())


def test_a_script_that_comes_back_says_in_the_address_what_it_heard(cup: Cup) -> None:
    app = make_app(cup.stored, cup.stored._reader, ())
    cup.play(1)

    def heard(query: str) -> bytes:
        with socket.create_connection(("127.0.0.1", pages.port), PATIENCE_S) as stream:
            stream.sendall(f"GET /t/cup/events{query} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            said = b""
            while b"of 6 games" not in said or (query and b"event: board" not in said):
                said += stream.recv(65_536)
            return said

    with served(app) as pages:
        pages.get("/healthz")
        assert b"event: board" not in heard("").partition(b"of 6 games")[0]
        assert b"event: board" in heard("?last=abcdef-7")
