"""The arena: one data folder, its bots, its live tournaments, and the server around them.

Everything is put together here and nowhere else. The event loop runs four
kinds of tasks: the tick of the tables, the sweep, and a reader and a writer
for each stream. One thread writes to the store.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
import secrets
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from dataclasses import fields

import sixtysix.shuffle as shuffle
from sixtysix.api import TournamentDefinition
from sixtysix.reports import BotInfo, TournamentInfo, TournamentState
from sixtysix_arena.bots import StoredBots, utc_now
from sixtysix_arena.clocks import ArenaClock
from sixtysix_arena.config import ArenaSettings, checked
from sixtysix_arena.errors import Invalid, NotFound, WrongState
from sixtysix_arena.house import HOUSE, HouseBots, house_names
from sixtysix_arena.queries import StoredArena
from sixtysix_arena.schedule import round_robin
from sixtysix_arena.server import Server
from sixtysix_arena.sessions import Bye, Presence, Sessions
from sixtysix_arena.store import DataFolder, FolderLock, Store, StoreReader, StoreThread, rows
from sixtysix_arena.tables import Tables
from sixtysix_arena.tournament import LiveTournament, StoredGame

__all__ = ["Arena"]

SWEEP_S = 0.02
"""Deadlines are looked at this often, so a time-out is at most this late."""
TOURNAMENT_SWEEP_S = 0.1
HOUSE_SWEEP_S = 1.0
WATCH_S = 0.5
DRAIN_S = 10.0
"""How long a stop waits for deals in progress; what is not over by then is void."""

log = logging.getLogger(__name__)


class Arena:
    """One running arena. Methods that change something raise an ArenaError if they cannot."""

    def __init__(self, settings: ArenaSettings) -> None:
        self.settings = settings
        self._clock = ArenaClock(lambda: time.monotonic() * 1_000)
        self._tables = Tables(self._commit, utc_now)
        self.sessions = Sessions(self._clock.now_ms, self._tables.deliver)
        self._live: dict[str, LiveTournament] = {}
        self._changed = asyncio.Event()
        self._house = HouseBots()
        self._admin_token = secrets.token_urlsafe(32)
        self._tasks: set[asyncio.Task[None]] = set()
        self._failure: asyncio.Future[None]
        self._folder: DataFolder
        self._lock: FolderLock
        self._store: StoreThread
        self.reader: StoreReader
        """What is stored, as rows; read-only."""
        self._server: Server
        self.stored: StoredArena
        """What this arena has stored, for reading."""

    # Life.

    async def start(self) -> None:
        """Takes the data folder and the port, and continues what was running."""
        folder = self._folder = DataFolder.open(self.settings.data, create=True)
        lock = self._lock = folder.lock()
        self._store = StoreThread(lambda: folder.open_store(lock))
        try:
            await self._store.start()
            self.reader = folder.open_reader()
            self.stored = StoredArena(self.reader, connected=self._is_connected)
            self._server = Server(self, self.settings.grpc, self.settings.open_submission)
            await self._server.start()
            folder.write_admin_token(self._admin_token)
            folder.write_address(self._server.address)
        except BaseException:
            await self._store.close()
            lock.close()
            raise
        self._failure = asyncio.get_running_loop().create_future()
        for name, work in (
            ("tick", self._tables.run()),
            ("sweep", self._sweep()),
            ("house", self._watch_house()),
        ):
            self._keep(asyncio.create_task(work, name=name))
        for tournament in self.reader.tournaments_in(TournamentState.RUNNING):
            await self._go_on(tournament)

    async def stop(self, *, finished: bool = False) -> None:
        """Lets the present deals end, then stops; `finished` tells the bots not to come back."""
        await self._drain(tuple(self._live.values()))
        reason, text = (
            (Bye.BYE_REASON_FINISHED, "the arena has nothing more to play")
            if finished
            else (Bye.BYE_REASON_STOPPING, "the arena stops for now")
        )
        self.sessions.end_all(reason, text)
        await self._server.stop()
        tasks = tuple(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._house.stop()
        await self._store.close()
        self.reader.close()
        self._folder.remove_address()
        self._lock.close()

    @property
    def address(self) -> str:
        """Where it serves, HOST:PORT."""
        return self._server.address

    @property
    def decision_count(self) -> int:
        """Decisions that were answered since the start."""
        return self._tables.decision_count

    def now_ms(self) -> float:
        """The clock by which bots are charged: monotonic, without the arena's own lag."""
        return self._clock.now_ms()

    async def failure(self) -> None:
        """Waits as long as the arena works; raises what ended one of its own tasks."""
        await asyncio.shield(self._failure)

    # Bots.

    async def submit_bot(self, name: str, request_id: str = "") -> tuple[BotInfo, str]:
        """Registers a bot; returns it and its token, which is kept nowhere."""
        return await self._store.run(lambda store: StoredBots(store).submit_bot(name, request_id))

    async def rotate_token(self, name: str, request_id: str = "") -> str:
        """Replaces a bot's token and ends its stream."""
        token = await self._store.run(
            lambda store: StoredBots(store).rotate_token(name, request_id)
        )
        self._revoke(name, "the token was rotated")
        return token

    async def disable_bot(self, name: str) -> BotInfo:
        """Takes a bot out of play; what it played stands."""
        bot = await self._store.run(lambda store: StoredBots(store).disable_bot(name))
        self._revoke(name, "the bot was disabled")
        return bot

    async def bot_of(self, token_sha256: bytes) -> str | None:
        """The bot that a token's digest belongs to; None if there is none in play."""
        house = self._house.name_of(token_sha256)
        if house is not None:
            return house
        return await self._store.run(Store.bot_name_by_token, token_sha256)

    def is_admin(self, token: str) -> bool:
        """Whether this is the admin token."""
        return hmac.compare_digest(token.encode(), self._admin_token.encode())

    async def admit(self, name: str, presence: Presence) -> None:
        """Lets a bot join, if its tournaments allow it; freezes its version in them."""
        mine = [live for live in self._live.values() if name in live.tournament.definition.entrants]
        rulesets = {live.tournament.definition.rules.name for live in mine}
        if rulesets and rulesets.isdisjoint(presence.rulesets):
            raise WrongState(
                f"{name} says that it does not play {' or '.join(sorted(rulesets))}, which its"
                " tournament is about: name the rule set in hello.rulesets"
            )
        for live in mine:
            await self._store.run(Store.freeze_version, live.slug, name, presence.version)
        if not name.startswith(HOUSE):
            await self._store.run(Store.set_bot_version, name, presence.version)

    def joined(self, name: str) -> None:
        """A bot has a new stream: its games may start."""
        for live in self._live.values():
            live.joined(name)

    # Tournaments.

    async def create_tournament(
        self, definition: TournamentDefinition, request_id: str = ""
    ) -> TournamentInfo:
        """Stores a tournament, draws its seed and commits to it."""
        definition = checked(definition, house_names())
        self._check_entrants(definition.entrants)
        practice = definition.practice_seed
        seed = secrets.token_bytes(32) if practice is None else practice.encode()
        await self._store.run(
            Store.create_tournament,
            definition,
            seed=seed,
            commitment=shuffle.commitment(seed),
            at=utc_now(),
            request_id=request_id,
        )
        return self.tournament(definition.slug)

    async def ensure_tournament(self, definition: TournamentDefinition) -> TournamentInfo:
        """Creates a tournament, unless it is stored already just like that."""
        try:
            stored = self.reader.tournament(definition.slug).definition
        except NotFound:
            return await self.create_tournament(definition)
        wanted = checked(definition, house_names())
        changed = [
            field.name
            for field in fields(TournamentDefinition)
            if getattr(stored, field.name) != getattr(wanted, field.name)
        ]
        if changed:
            raise WrongState(
                f"the tournament {stored.slug!r} is stored with another {' and '.join(changed)}:"
                " put the file back as it was to go on with it, or choose another slug"
            )
        return self.tournament(stored.slug)

    async def start_tournament(self, slug: str) -> TournamentInfo:
        """Starts a tournament, or continues one that was stopped."""
        tournament = self.reader.tournament(slug)
        if slug in self._live:
            return self.tournament(slug)
        self._check_entrants(tournament.definition.entrants)
        if tournament.state is TournamentState.CREATED:
            definition = tournament.definition
            schedule = round_robin(definition.entrants, definition.games_per_pairing)
            tournament = await self._store.run(Store.start_tournament, slug, schedule, utc_now())
        else:
            running = TournamentState.RUNNING
            tournament = await self._store.run(Store.set_state, slug, running, utc_now())
        await self._go_on(tournament)
        return self.tournament(slug)

    async def stop_tournament(self, slug: str) -> TournamentInfo:
        """Suspends a tournament once its deals in progress are over."""
        live = self._live.get(slug)
        if live is not None:
            await self._drain((live,))
        await self._store.run(Store.set_state, slug, TournamentState.STOPPED, utc_now())
        return self.tournament(slug)

    def tournament(self, slug: str) -> TournamentInfo:
        """How a tournament stands."""
        live = self._live.get(slug)
        return self.stored.tournament(slug, waiting_for="" if live is None else live.waiting_for)

    async def watch_tournament(self, slug: str) -> AsyncIterator[TournamentInfo]:
        """How a tournament stands, twice a second, until it no longer runs."""
        while True:
            if self._failure.done():
                await self.failure()
            info = self.tournament(slug)
            yield info
            if info.state is not TournamentState.RUNNING:
                return
            if slug in self._live:
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._changed.wait(), WATCH_S)
            else:
                await asyncio.sleep(WATCH_S)

    def _check_entrants(self, entrants: Sequence[str]) -> None:
        for name in entrants:
            if name.startswith(HOUSE):
                continue
            try:
                bot = self.reader.bot(name)
            except NotFound:
                raise NotFound(
                    f"the entrant {name!r} was never submitted: do that with"
                    f" 'sixtysix bot submit {name}'"
                ) from None
            if bot.disabled_at:
                raise Invalid(f"the entrant {name!r} is disabled: take it out of the entrants")

    async def _go_on(self, tournament: rows.Tournament) -> None:
        """Brings a running tournament to life, from the store."""
        slug = tournament.slug
        games = await asyncio.to_thread(self._unfinished, slug)
        live = LiveTournament(
            tournament,
            games,
            sessions=self.sessions,
            tables=self._tables,
            now_ms=self._clock.now_ms,
            on_finished=lambda: self._finish_soon(slug),
        )
        for name in tournament.definition.entrants:
            session = self.sessions.of(name)
            if session.connected and session.presence and name not in tournament.versions:
                version = session.presence.version
                await self._store.run(Store.freeze_version, slug, name, version)
            if name.startswith(HOUSE):
                self._house.start(name, self._server.address)
        self._live[slug] = live
        if games:
            live.fill()
        else:
            self._finish_soon(slug)

    def _unfinished(self, slug: str) -> list[StoredGame]:
        return [
            StoredGame(
                unfinished.game,
                unfinished.broken_deals,
                (record for _, record in self.reader.deals(unfinished.game.id))
                if unfinished.stored_deals
                else (),
            )
            for unfinished in self.reader.unfinished_games(slug)
        ]

    def _finish_soon(self, slug: str) -> None:
        self._live.pop(slug, None)
        self._keep(asyncio.create_task(self._finish(slug), name=f"finish {slug}"))

    async def _finish(self, slug: str) -> None:
        await self._store.run(Store.set_state, slug, TournamentState.FINISHED, utc_now())
        self._changed.set()
        self._changed.clear()

    async def _drain(self, tournaments: Sequence[LiveTournament]) -> None:
        """Lets the deals in progress end, and takes the games off the tables."""
        for live in tournaments:
            live.hold()
        games = [game for live in tournaments for game in live.live_games]
        with suppress(TimeoutError):
            await asyncio.wait_for(self._tables.between_deals(games), DRAIN_S)
        self._tables.remove(games)
        for live in tournaments:
            live.close()
            self._live.pop(live.slug, None)

    # What runs all the time.

    def _keep(self, task: asyncio.Task[None]) -> None:
        """Keeps a task of our own, and notes if it fails: then nothing goes on as it should."""
        self._tasks.add(task)
        task.add_done_callback(self._task_ended)

    def _task_ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if task.cancelled() or (error := task.exception()) is None:
            return
        log.critical("the task %s failed", task.get_name(), exc_info=error)
        if not self._failure.done():
            self._failure.set_exception(error)
            self._failure.exception()  # Whoever waits for it gets it; else the log has it.

    async def _commit(self, events: Sequence[rows.Event]) -> None:
        await self._store.run(Store.commit, events)

    async def _sweep(self) -> None:
        next_round = 0.0
        while True:
            await asyncio.sleep(SWEEP_S)
            if self._tables.stalled:
                continue  # Without a beat the clock stands still, and nobody is charged.
            self._clock.beat()
            now_ms = self._clock.now_ms()
            self.sessions.sweep(now_ms)
            if now_ms >= next_round:
                next_round = now_ms + TOURNAMENT_SWEEP_S * 1_000
                for live in tuple(self._live.values()):
                    live.sweep(now_ms)

    async def _watch_house(self) -> None:
        while True:
            await asyncio.sleep(HOUSE_SWEEP_S)
            self._house.restart_dead(self._server.address)

    def _is_connected(self, name: str) -> bool:
        return self.sessions.of(name).connected

    def _revoke(self, name: str, text: str) -> None:
        connection = self.sessions.of(name).connection
        if connection is not None:
            connection.end(Bye.BYE_REASON_REVOKED, text)
