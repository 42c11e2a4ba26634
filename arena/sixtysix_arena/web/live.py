"""A tournament, live: what changed is sent to whoever looks, as server-sent events.

One feed for each tournament that somebody looks at reads the store twice a
second, whatever the number of readers; it ends with the last of them, or with
the tournament. Events carry HTML, made once for each language. They are
numbered, so that a browser that comes back is sent what it missed.
"""

from __future__ import annotations

import asyncio
import math
import secrets
from collections import deque
from collections.abc import AsyncGenerator, Callable
from contextlib import suppress
from dataclasses import dataclass, field

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from sixtysix.api import ApiError
from sixtysix.outcome import GameEnd
from sixtysix.reports import GameInfo, TournamentInfo, TournamentState
from sixtysix_arena.queries import StoredArena
from sixtysix_arena.store import GameFilter, GamesSoFar
from sixtysix_arena.web.i18n import LANGUAGES
from sixtysix_arena.web.rendering import Reader, fragment
from sixtysix_arena.web.sofar import games_so_far

__all__ = ["Feeds", "events", "shown"]

POLL_S = 0.5
HEARTBEAT_S = 15.0
RETRY_MS = 2_000
EVENTS_KEPT = 200
"""What a browser that was away for a minute or two may have missed."""
QUEUE_LIMIT = 100
"""Events that wait for a reader; whoever is slower is sent away, and comes back."""
OPEN_GAMES_LOOKED_AT = 500
DEALS_SHOWN = 8
RATE_POLLS = 40
"""The rate is that of the last twenty seconds."""
MOMENT_S = 1.5
"""Whoever has heard of an end fetches the page again within this time."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something that changed; `html` by language."""

    id: str
    name: str
    html: dict[str, str]

    def lines(self, language: str) -> bytes:
        """As it is sent."""
        data = "".join(f"data: {line}\n" for line in self.html[language].splitlines() or [""])
        return f"id: {self.id}\nevent: {self.name}\n{data}\n".encode()


@dataclass(frozen=True, slots=True)
class Ended:
    """A deal that has ended since the last look, or a game that was forfeited or made void."""

    game: GameInfo
    deal: int | None
    """The deal's number in the game; None for the game."""


def shown(info: TournamentInfo, round_count: int) -> str:
    """What a page shows that changes only when it is fetched anew, in a word."""
    return f"{info.state}-{round_count}"


@dataclass(slots=True)
class _Seen:
    """What the last look at a tournament found."""

    info: TournamentInfo
    round_count: int
    absent: tuple[str, ...] = ()
    """Entrants who have not joined yet."""
    open_games: dict[str, GameInfo] = field(default_factory=dict)
    so_far: tuple[GamesSoFar, ...] = ()
    """While no round is complete."""

    @property
    def basis(self) -> tuple[object, ...]:
        """As long as this is the same, so are the games that are over."""
        return self.round_count, self.info.games_over_count, self.info.actions

    @property
    def shown(self) -> str:
        """What a page shows that was made just now."""
        return shown(self.info, self.round_count)


class Feed:
    """The events of one tournament, and who listens to them."""

    def __init__(
        self,
        stored: StoredArena,
        slug: str,
        on_empty: Callable[[str, Feed], None],
        on_end: Callable[[], None] = lambda: None,
    ) -> None:
        self._stored = stored
        self._slug = slug
        self._on_empty = on_empty
        self._on_end = on_end
        self._epoch = secrets.token_hex(3)
        self._count = 0
        self._kept: deque[Event] = deque(maxlen=EVENTS_KEPT)
        self._listeners: set[asyncio.Queue[Event | None]] = set()
        self._overs: deque[int] = deque(maxlen=RATE_POLLS)
        self._task: asyncio.Task[None] | None = None
        self._seen: _Seen | None = None
        self._progress: Event | None = None
        self._so_far: Event | None = None
        self._first_pages: set[str] = set()
        """What those show who listen before the first look."""

    async def listen(
        self, last_id: str, language: str, page_shows: str = ""
    ) -> AsyncGenerator[bytes, None]:
        """What a browser is sent that last heard of event `last_id`, or whose page shows this."""
        queue: asyncio.Queue[Event | None] = asyncio.Queue(QUEUE_LIMIT)
        self._listeners.add(queue)
        if self._seen is None and page_shows:
            self._first_pages.add(page_shows)
        if self._task is None:
            self._task = asyncio.create_task(self._watch())
        try:
            yield f"retry: {RETRY_MS}\n\n".encode()
            for event in self._missed(last_id, page_shows):
                yield event.lines(language)
            while True:
                try:
                    async with asyncio.timeout(HEARTBEAT_S):
                        next_event = await queue.get()
                except TimeoutError:
                    yield b": still here\n\n"
                    continue
                if next_event is None:
                    return
                yield next_event.lines(language)
        finally:
            self._listeners.discard(queue)
            if not self._listeners:
                self._stop()

    def _missed(self, last_id: str, page_shows: str) -> list[Event]:
        """What came after an event; of one that is not known any more, how it stands now."""
        kept = list(self._kept)
        for place, event in enumerate(kept):
            if event.id == last_id:
                return kept[place + 1 :]
        now = [] if self._progress is None else [self._progress]
        is_old = self._seen is not None and page_shows not in ("", self._seen.shown)
        if last_id or is_old:  # A round may have ended since: the page is fetched anew.
            now.append(Event(f"{self._epoch}-{self._count}", "board", dict.fromkeys(LANGUAGES, "")))
        elif self._so_far is not None:
            now.append(self._so_far)
        return now

    async def look_once_more(self) -> None:
        """Sends what has changed since the last look, which will be the last one."""
        if self._task is not None:
            self._task.cancel()
            with suppress(ApiError):
                await self._step()

    async def _watch(self) -> None:
        while True:
            with suppress(ApiError):
                if not await self._step():
                    return
            await asyncio.sleep(POLL_S)

    async def _step(self) -> bool:
        """Looks, and sends what has changed; whether more can come."""
        now = await run_in_threadpool(self._look)
        if now.info.state is TournamentState.RUNNING:
            self._overs.append(now.info.games_over_count)
        else:
            self._overs.clear()
        seen, self._seen = self._seen, now
        await self._compare(seen, now)
        if now.info.state is TournamentState.FINISHED:
            self._end()
            return False
        return True

    def _look(self) -> _Seen:
        info = self._stored.with_void_count(self._stored.tournament(self._slug))
        board = self._stored.board(self._slug)
        wanted = GameFilter(result="open")
        games = self._stored.filtered_games(self._slug, wanted, 0, OPEN_GAMES_LOOKED_AT)
        now = _Seen(
            info,
            board.round_count,
            self._stored.not_yet_joined(self._slug),
            {game.game_id: game for game in games},
        )
        seen = self._seen
        if seen is not None and seen.basis == now.basis:
            now.so_far = seen.so_far
        else:
            now.so_far = games_so_far(self._stored, info, board.round_count)
        return now

    async def _compare(self, seen: _Seen | None, now: _Seen) -> None:
        if seen is None or (seen.info, seen.absent) != (now.info, now.absent):
            self._progress = self._send(
                "progress",
                "progress.html.j2",
                info=now.info,
                absent=now.absent,
                left_s=self._left_s(now.info),
            )
        if now.round_count:
            self._so_far = None
        elif now.so_far != (seen.so_far if seen is not None else ()):
            self._so_far = self._send("so-far", "sofar.html.j2", info=now.info, so_far=now.so_far)
        if seen is None:
            # Since a page was made there may have come more.
            if now.info.state is TournamentState.FINISHED or self._first_pages - {now.shown}:
                self._send("board", "empty.html.j2")
            self._first_pages.clear()
            return
        ended = await run_in_threadpool(self._ended, seen, now)
        if ended:
            self._send("deals", "deals.html.j2", ended=ended)
        if seen.round_count != now.round_count or seen.info.state is not now.info.state:
            self._send("board", "empty.html.j2")

    def _ended(self, seen: _Seen, now: _Seen) -> list[Ended]:
        """Some of what has ended between two looks, each thing once."""
        moved = [
            before
            for game_id, before in seen.open_games.items()
            if (game := now.open_games.get(game_id)) is None or game.deal_count > before.deal_count
        ]
        ended = []
        for before in moved[-DEALS_SHOWN:]:
            report = self._stored.game(before.game_id)
            counted = [deal.deal for deal in report.deals if deal.result is not None]
            if report.game.end in (GameEnd.FORFEIT, GameEnd.VOID):
                ended.append(Ended(report.game, None))
            elif len(counted) > before.deal_count:
                ended.append(Ended(report.game, counted[-1]))
        return ended

    def _left_s(self, info: TournamentInfo) -> float | None:
        """How long the rest takes at the present rate; None while that is not known."""
        if not self._overs:
            return None
        done = self._overs[-1] - self._overs[0]
        if len(self._overs) < 4 or not done:
            return None
        return (info.game_count - info.games_over_count) * POLL_S * (len(self._overs) - 1) / done

    def _send(self, name: str, template: str, **values: object) -> Event:
        self._count += 1
        rules = "" if self._seen is None else self._seen.info.rules.name
        html = {language: fragment(template, language, rules, **values) for language in LANGUAGES}
        event = Event(f"{self._epoch}-{self._count}", name, html)
        self._kept.append(event)
        for queue in tuple(self._listeners):
            try:
                queue.put_nowait(event)
            except asyncio.QueueFull:
                self._listeners.discard(queue)
                _send_away(queue)
        return event

    def _end(self) -> None:
        """The tournament is over: everybody has heard of that."""
        if self._listeners:
            self._on_end()
        for queue in self._listeners:
            if queue.full():
                _send_away(queue)
            else:
                queue.put_nowait(None)
        self._stop()

    def _stop(self) -> None:
        task, self._task = self._task, None
        if task is not None and task is not asyncio.current_task():
            task.cancel()
        self._on_empty(self._slug, self)


def _send_away(queue: asyncio.Queue[Event | None]) -> None:
    """Ends a stream before what still waits in it: whoever comes back is sent that again."""
    while not queue.empty():
        queue.get_nowait()
    queue.put_nowait(None)


class Feeds:
    """The feeds of all tournaments that somebody looks at."""

    def __init__(self, stored: StoredArena) -> None:
        self._stored = stored
        self._feeds: dict[str, Feed] = {}
        self._ended_at = -math.inf

    def of(self, slug: str) -> Feed:
        """The feed of a tournament."""
        feed = self._feeds.get(slug)
        if feed is None:
            feed = Feed(self._stored, slug, self._forget, self._note_end)
            self._feeds[slug] = feed
        return feed

    async def farewell(self) -> None:
        """The last words: how it stands now, and time to look at it where that is the end."""
        for feed in tuple(self._feeds.values()):
            await feed.look_once_more()
        left_s = self._ended_at + MOMENT_S - asyncio.get_running_loop().time()
        if left_s > 0:
            await asyncio.sleep(left_s)

    def _note_end(self) -> None:
        self._ended_at = asyncio.get_running_loop().time()

    def _forget(self, slug: str, feed: Feed) -> None:
        if self._feeds.get(slug) is feed:
            del self._feeds[slug]


async def events(request: Request) -> Response:
    """The stream of a tournament."""
    slug = request.path_params["slug"]
    await run_in_threadpool(request.app.state.stored.tournament, slug)
    feeds: Feeds = request.app.state.feeds
    # A browser sends the header when it comes back by itself; the page's script cannot.
    last_id = request.headers.get("last-event-id") or request.query_params.get("last", "")
    page_shows = request.query_params.get("shown", "")
    return StreamingResponse(
        feeds.of(slug).listen(last_id, Reader.of(request).language, page_shows),
        media_type="text/event-stream",
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )
