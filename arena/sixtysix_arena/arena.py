"""The arena: one data folder, its bots, its tournaments, and the server around them.

Everything is put together here and nowhere else. The event loop runs four
kinds of tasks: the tick of the tables, the sweep, the watch over the house
bots, and a few for each stream. One thread writes to the store.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import AsyncExitStack, suppress
from typing import Any, Protocol

from sixtysix.api import TournamentDefinition
from sixtysix.record import RecordError
from sixtysix.reports import BotInfo, GameInfo, TournamentInfo
from sixtysix_arena.clocks import ArenaClock
from sixtysix_arena.config import ArenaSettings
from sixtysix_arena.counts import Counts
from sixtysix_arena.errors import ArenaError, Unavailable
from sixtysix_arena.house import HouseBots
from sixtysix_arena.journal import Journal
from sixtysix_arena.metrics import MetricsServer
from sixtysix_arena.queries import StoredArena, game_place
from sixtysix_arena.registrar import Registrar
from sixtysix_arena.server import Server
from sixtysix_arena.sessions import Answered, Bye, Event, Presence, Sessions
from sixtysix_arena.store import DataFolder, Store, StoreReader, StoreThread, rows
from sixtysix_arena.tables import Tables
from sixtysix_arena.times import utc_now
from sixtysix_arena.tokens import new_token
from sixtysix_arena.tournaments import Tournaments
from sixtysix_arena.validation import Validator
from sixtysix_arena.web.process import WebProcess

__all__ = ["Arena"]

SWEEP_S = 0.02
"""Deadlines are looked at this often, so a time-out is at most this late."""
TOURNAMENT_SWEEP_S = 0.1
HOUSE_SWEEP_S = 1.0
FOLDER_SWEEP_S = 1.0
SLOW_STORE_S = 0.2
"""A call to the store that takes longer holds play up, and no clock runs meanwhile."""
STUCK_STORE_S = 5.0
"""A call to the store that takes longer will hardly come to an end by itself."""
PROBE_S = 1.0
"""While nothing can be stored, the store is tried this often."""
TELLING_S = 1.0
"""A commit or a lag that takes longer is worth a line in the log."""

log = logging.getLogger(__name__)


class Serving(Protocol):
    """What brings calls to an arena: `Server`, or what a test has in its place."""

    address: str
    """HOST:PORT, once it has started."""
    local_address: str
    """HOST:PORT on this machine, without TLS: for house bots and local commands."""

    @property
    def certificate_expires_at_s(self) -> int | None:
        """When the certificate that is used expires, in seconds since 1970; None without TLS."""
        ...

    async def start(self) -> None:
        """Raises an ArenaError if it cannot serve."""
        ...

    async def stop(self) -> None:
        """Lets the goodbyes be written, then ends every call."""
        ...


def _serve(arena: Arena) -> Serving:
    return Server(arena)


class Arena:
    """One running arena. Methods that change something raise an ArenaError if they cannot.

    It is made inside of a running event loop, and goes by that loop's clock.
    """

    def __init__(
        self, settings: ArenaSettings, make_server: Callable[[Arena], Serving] = _serve
    ) -> None:
        self.settings = settings
        loop = asyncio.get_running_loop()
        self._clock = ArenaClock(lambda: loop.time() * 1_000)
        self._tables = Tables(self._commit, utc_now)
        self.sessions = Sessions(self._clock.now_ms, self._deliver)
        self.counts = Counts()
        """What is counted since the start."""
        self.can_store = True
        """Whether play goes on, as far as the store is concerned; may be asked from any thread."""
        self._alone = False
        self.starts_empty = False
        """Whether nothing was ever stored in its folder before it started."""
        self.metrics_address = ""
        """Where metrics are served, HOST:PORT; empty if they are not."""
        self._house = HouseBots()
        self._pages: WebProcess | None = None
        self.is_stopping = False
        self._admin_token = new_token()
        self._names: dict[bytes, str] = {}  # Of bots whose token was looked up, by its digest.
        self._tasks: dict[asyncio.Task[None], None] = {}
        self._open = AsyncExitStack()
        self._failure: asyncio.Future[None]
        self._store: StoreThread
        self.reader: StoreReader
        """What is stored, as rows; read-only."""
        self.stored: StoredArena
        """What is stored, for reading."""
        self._tournaments: Tournaments
        self._validator: Validator
        self._make_server = make_server
        self._server: Serving

    # Life.

    async def start(self) -> None:
        """Takes the data folder and the port, and continues what was running.

        Raises an ArenaError if it cannot; then all is as it was before.
        """
        self._failure = asyncio.get_running_loop().create_future()
        folder = DataFolder.open(self.settings.data, create=True)
        try:
            await self._start(folder)
        except BaseException:
            if folder.is_new:
                folder.remove_unused()
            raise

    async def _start(self, folder: DataFolder) -> None:
        async with AsyncExitStack() as opening:
            lock = opening.enter_context(folder.lock())
            self.starts_empty = not folder.has_data
            self._store = await opening.enter_async_context(
                StoreThread(lambda: folder.open_store(lock))
            )
            self.reader = opening.enter_context(folder.open_reader())
            self.stored = StoredArena(self.reader, present=self.sessions.present)
            self._tables.journal = self._read_journal(folder)
            opening.callback(self._house.stop)
            self._validator = Validator(
                sessions=self.sessions,
                tables=self._tables,
                store=self._store,
                reader=self.reader,
                now_ms=self._clock.now_ms,
                keep=self._keep,
                on_verdict=lambda name: self._tournaments.joined(name),
            )
            self._tournaments = Tournaments(
                sessions=self.sessions,
                tables=self._tables,
                store=self._store,
                reader=self.reader,
                stored=self.stored,
                house=self._house,
                verdicts=self._validator if self.settings.validation else None,
                address=lambda: self._server.local_address,
                now_ms=self._clock.now_ms,
                keep=self._keep,
            )
            opening.push_async_callback(self._end_tasks)
            self._keep(self._tables.run(), "tick")
            self._keep(self._sweep(), "sweep")
            self._keep(self._probe(), "probe")
            self._keep(self._watch_house(), "house")
            self._keep(self._watch_folder(folder), "folder")
            self._server = self._make_server(self)
            await self._server.start()
            opening.push_async_callback(self._server.stop)
            folder.write_admin_token(self._admin_token)
            folder.write_address(self._server.local_address)
            opening.callback(folder.remove_address)
            if self.settings.metrics is not None:
                metrics = MetricsServer(self, self.settings.metrics)
                opening.push_async_callback(asyncio.to_thread, metrics.close)
                self.metrics_address = metrics.address
            if self.settings.web is not None:
                self._pages = WebProcess(
                    folder.path,
                    self.settings.web,
                    self.settings.web_host,
                    log_file=self.settings.log,
                )
                opening.push_async_callback(asyncio.to_thread, self._pages.stop)
                await self._start_pages(self._pages)
            log.info("the arena serves", extra=self._about())
            if self.starts_empty:
                log.info("the data folder is new", extra={"data": str(self.settings.data)})
            await self._tournaments.go_on()
            self._open = opening.pop_all()

    async def stop(self, *, finished: bool = False) -> None:
        """Stops; deals go on at the next start. `finished` tells the bots not to come back."""
        self.is_stopping = True
        async with self._open:
            await self._tournaments.suspend()
            reason, text = (
                (Bye.BYE_REASON_FINISHED, "the arena has nothing more to play")
                if finished
                else (Bye.BYE_REASON_STOPPING, "the arena stops for now")
            )
            self.sessions.end_all(reason, text)
            await self._server.stop()  # Before all else is taken down around it.
        log.info("the arena has stopped", extra={"finished": finished})

    async def _start_pages(self, pages: WebProcess) -> None:
        try:
            await asyncio.to_thread(pages.start)
        except Unavailable as error:
            if self.settings.web_is_wished:
                raise
            log.warning("there are no pages", extra={"reason": str(error)})
            self._pages = None

    @property
    def web_address(self) -> str:
        """Where the pages are, HOST:PORT; empty if there are none."""
        return "" if self._pages is None else self._pages.address

    def _about(self) -> dict[str, Any]:
        about = {
            "address": self._server.address,
            "local_address": self._server.local_address,
            "tls": self._server.certificate_expires_at_s is not None,
            "data": str(self.settings.data.absolute()),
        }
        about |= {"metrics": self.metrics_address} if self.metrics_address else {}
        return about | ({"web": self.web_address} if self.web_address else {})

    @property
    def address(self) -> str:
        """Where it serves, HOST:PORT."""
        return self._server.address

    @property
    def local_address(self) -> str:
        """Where it serves this machine without TLS, HOST:PORT."""
        return self._server.local_address

    @property
    def decision_count(self) -> int:
        """Decisions that were answered since the start."""
        return self._tables.decision_count

    @property
    def live_game_count(self) -> int:
        """Games that are being played."""
        return len(self._tables)

    @property
    def waiting_game_count(self) -> int:
        """Games of running tournaments that wait to be begun."""
        return self._tournaments.due_count

    @property
    def certificate_expires_at_s(self) -> int | None:
        """When the certificate that is used expires, in seconds since 1970; None without TLS."""
        return self._server.certificate_expires_at_s

    def now_ms(self) -> float:
        """The clock by which bots are charged: monotonic, without the arena's own lag."""
        return self._clock.now_ms()

    async def failure(self) -> None:
        """Waits as long as the arena works; raises what ended one of its own tasks."""
        await asyncio.shield(self._failure)

    # Bots.

    async def submit_bot(
        self, name: str, owner: str = "", request_id: str = ""
    ) -> tuple[BotInfo, str]:
        """Registers a bot; returns it and its token, which is kept nowhere."""
        bot = await self._store.run(
            lambda store: Registrar(store).submit_bot(name, owner, request_id)
        )
        log.info("a bot was submitted", extra={"bot": name, "owner": bot[0].owner})
        return bot

    async def rotate_token(self, name: str, request_id: str = "") -> str:
        """Replaces a bot's token and ends its stream."""
        token = await self._store.run(lambda store: Registrar(store).rotate_token(name, request_id))
        self._revoke(name, "the token was rotated")
        log.info("a token was rotated", extra={"bot": name})
        return token

    async def set_owner(self, name: str, owner: str) -> BotInfo:
        """Says whose a bot is."""
        bot = await self._store.run(lambda store: Registrar(store).set_owner(name, owner))
        log.info("a bot was given an owner", extra={"bot": name, "owner": bot.owner})
        return bot

    async def disable_bot(self, name: str, reason: str = "") -> BotInfo:
        """Takes a bot out of play; what it played stands, the rest it forfeits."""
        bot = await self._store.run(lambda store: Registrar(store).disable_bot(name, reason))
        self._tournaments.disabled(name, reason)
        self._revoke(name, "the bot was disabled")
        log.info("a bot was disabled", extra={"bot": name})
        return bot

    async def bot_of(self, token_sha256: bytes) -> str | None:
        """The bot that a token's digest belongs to; None if there is none in play."""
        house = self._house.name_of(token_sha256)
        if house is not None:
            return house
        name = self._names.get(token_sha256)
        if name is None:
            names = self._names
            name = await asyncio.to_thread(self.reader.bot_name_by_token, token_sha256)
            if name is not None:
                names[token_sha256] = name  # Not in use any more if a token was revoked meanwhile.
        return name

    def is_admin(self, token: str) -> bool:
        """Whether this is the admin token."""
        return hmac.compare_digest(token.encode(), self._admin_token.encode())

    async def admit(self, name: str, presence: Presence) -> None:
        """Lets a bot join, if its tournaments allow it."""
        await self._tournaments.admit(name, presence)
        await self._validator.admit(name, presence.version)

    def joined(self, name: str) -> None:
        """A bot has a new stream: its games may start."""
        self.counts.joins += 1
        self._tournaments.joined(name)
        if self.settings.validation:
            self._validator.joined(name)

    # Tournaments.

    async def create_tournament(
        self, definition: TournamentDefinition, request_id: str = ""
    ) -> TournamentInfo:
        """Stores a tournament, draws its seed and commits to it."""
        await self._tournaments.create(definition, request_id)
        return await self.tournament(definition.slug)

    async def ensure_tournament(self, definition: TournamentDefinition) -> TournamentInfo:
        """Creates a tournament, unless it is stored already just like that."""
        await self._tournaments.ensure(definition)
        return await self.tournament(definition.slug)

    async def start_tournament(self, slug: str, *, unvalidated: bool = False) -> TournamentInfo:
        """Starts a tournament, or continues one that was stopped."""
        await self._tournaments.start(slug, unvalidated=unvalidated)
        return await self.tournament(slug)

    async def stop_tournament(self, slug: str) -> TournamentInfo:
        """Suspends a tournament; its deals go on later from where they are."""
        await self._tournaments.stop(slug)
        return await self.tournament(slug)

    async def end_tournament(self, slug: str, reason: str) -> TournamentInfo:
        """Ends a tournament early: what is not over is void, and the seed is revealed."""
        await self._tournaments.end(slug, reason)
        return await self.tournament(slug)

    async def remove_tournament(self, slug: str) -> TournamentInfo:
        """Removes a tournament that was never started; how it stood."""
        return await self._tournaments.remove(slug)

    async def extend_joining(self, slug: str, by_ms: int, reason: str = "") -> TournamentInfo:
        """Gives the bots of a tournament more time to join."""
        await self._tournaments.extend_joining(slug, by_ms, reason)
        return await self.tournament(slug)

    async def void_game(self, game_id: str, reason: str) -> GameInfo:
        """Makes a game void and has it played anew, with fresh deals."""
        slug, number = game_place(game_id)
        await self._tournaments.void_game(slug, number, reason)
        game = await asyncio.to_thread(self.reader.game, slug, number)
        return game.info()

    async def tournament(self, slug: str) -> TournamentInfo:
        """How a tournament stands."""
        return await self._tournaments.info(slug)

    def watch_tournament(self, slug: str) -> AsyncIterator[TournamentInfo]:
        """How a tournament stands, twice a second, until it no longer runs."""
        return self._tournaments.watch(slug)

    # What runs all the time.

    def _read_journal(self, folder: DataFolder) -> Journal:
        try:
            with self.reader.snapshot() as reader:
                return Journal(reader.journal(), reader.deals_in_progress())
        except RecordError as error:
            raise Unavailable(
                f"the database {folder.database} is damaged ({error}): put a copy back in its place"
            ) from error

    def _keep(self, work: Coroutine[Any, Any, None], name: str) -> None:
        """Runs work of our own, and notes if it fails: then nothing goes on as it should."""
        task = asyncio.create_task(work, name=name)
        self._tasks[task] = None
        task.add_done_callback(self._task_ended)

    def _task_ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.pop(task, None)
        if not task.cancelled() and (error := task.exception()) is not None:
            self.fail(task.get_name(), error)

    def fail(self, part: str, error: BaseException) -> None:
        """Ends the arena: one of its parts has failed, and nothing goes on as it should."""
        if isinstance(error, ArenaError):
            log.critical("the arena cannot go on", extra={"reason": str(error)})
        else:
            log.critical("a task failed", exc_info=error, extra={"task": part})
        if not self._failure.done():
            self._failure.set_exception(error)
            self._failure.exception()  # Whoever waits for it gets it; else the log has it.

    async def _end_tasks(self) -> None:
        tasks = tuple(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _commit(self, events: Sequence[rows.Event]) -> None:
        loop = asyncio.get_running_loop()
        began_s = loop.time()
        await self._store.run(Store.commit, events)
        took_s = loop.time() - began_s
        self.counts.committed(events, took_s, self._tables.decision_count)
        if took_s > TELLING_S:
            log.warning("a commit was slow", extra={"seconds": round(took_s, 3)})

    def _deliver(self, event: Event) -> None:
        """What a session found goes into the next tick."""
        if isinstance(event, Answered):
            self.counts.answer_ms.observe(event.charged_ms)
        self._tables.deliver(event)

    async def _sweep(self) -> None:
        loop = asyncio.get_running_loop()
        next_round = 0.0
        has_failed = False
        while True:
            due_s = loop.time() + SWEEP_S
            await asyncio.sleep(SWEEP_S)
            self._note_lag(loop.time() - due_s)
            # The store may work again, and what failed still waits to be tried again.
            failing = self._store.failing or self._tables.stalled
            self.can_store = not failing and self._store.waiting_s < STUCK_STORE_S
            has_failed = has_failed or failing
            if failing or self._store.waiting_s > SLOW_STORE_S:
                continue  # Without a beat the clock stands still, and nobody is charged.
            if has_failed:
                has_failed = False
                # Perhaps bots could not come back meanwhile.
                self._tournaments.forgive()
                self.sessions.forgive()
            self._clock.beat()
            now_ms = self._clock.now_ms()
            self.sessions.sweep(now_ms)
            if now_ms >= next_round:
                next_round = now_ms + TOURNAMENT_SWEEP_S * 1_000
                self._tournaments.sweep(now_ms)
                self._validator.sweep(now_ms)
                self._note_absence()

    async def _probe(self) -> None:
        """Tries until something can be stored: if no game is on, nobody else does."""
        while True:
            await asyncio.sleep(PROBE_S)
            if self._store.failing:
                with suppress(Unavailable):
                    await self._store.run(Store.probe)

    def _note_absence(self) -> None:
        """Logs that nobody is charged, since all bots went away at once."""
        alone = self.live_game_count > 0 and self.sessions.vanished_together
        if alone is not self._alone:
            self._alone = alone
            if alone:
                log.warning("all bots vanished together: everything waits")
            else:
                log.warning("a bot is back: play goes on")

    def _note_lag(self, lag_s: float) -> None:
        self.counts.lag_s.observe(max(0.0, lag_s))
        if lag_s > TELLING_S:
            log.warning("the event loop was held up", extra={"seconds": round(lag_s, 3)})

    async def _watch_house(self) -> None:
        while True:
            await asyncio.sleep(HOUSE_SWEEP_S)
            if self._pages is not None and not self.is_stopping:
                await asyncio.to_thread(self._pages.restart_if_dead)
            if not self.is_stopping:  # Else what ends now is meant to.
                self._house.restart_dead(self._server.local_address)

    async def _watch_folder(self, folder: DataFolder) -> None:
        database = folder.database.stat()
        while True:
            await asyncio.sleep(FOLDER_SWEEP_S)
            folder.check_same(database)

    def _revoke(self, name: str, text: str) -> None:
        self._names = {}
        session = self.sessions.of(name)
        if session.connection is not None:
            session.connection.end(Bye.BYE_REASON_REVOKED, text)
            session.detach(session.connection)  # Whether or not it reads that.
