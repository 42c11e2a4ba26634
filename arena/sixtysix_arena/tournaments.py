"""The tournaments of an arena: created, started, stopped, continued, finished.

What is stored decides; the live tournaments in here are made from it. Changes
of one arena's tournaments happen one after another, so that no schedule is
ever played twice at once.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import suppress
from dataclasses import fields
from typing import Any

from sixtysix import shuffle
from sixtysix.api import TournamentDefinition
from sixtysix.limits import MAX_REASON_BYTES
from sixtysix.names import HOUSE
from sixtysix.reports import TournamentInfo, TournamentState
from sixtysix.tournament_file import checked
from sixtysix_arena.entrants import Verdicts
from sixtysix_arena.errors import Invalid, NotFound, Unavailable, WrongState
from sixtysix_arena.house import HouseBots, house_names
from sixtysix_arena.queries import StoredArena
from sixtysix_arena.resuming import (
    disabled_text,
    ended_text,
    how_it_was_ended,
    unfinished_games,
    void_deals,
    who_is_disabled,
)
from sixtysix_arena.schedule import round_robin
from sixtysix_arena.sessions import Bye, Connection, Presence, Session, Sessions
from sixtysix_arena.store import Store, StoreReader, StoreThread
from sixtysix_arena.tables import Tables
from sixtysix_arena.text import clean
from sixtysix_arena.times import utc_now
from sixtysix_arena.tournament import LiveTournament

__all__ = ["Tournaments"]

WATCH_S = 0.5
MAX_EXTENSION_MS = 86_400_000
"""Whoever is not there a day later does not come."""
TAKE_OFF_S = 5.0
"""How long a stop waits for a store that is slow."""

log = logging.getLogger(__name__)

Keep = Callable[[Coroutine[Any, Any, None], str], None]
"""Runs work in the background; if it fails, the arena has failed."""


class Tournaments:
    """All tournaments of an arena, and the live ones among them.

    Methods that change something raise an ArenaError if they cannot.
    """

    def __init__(
        self,
        *,
        sessions: Sessions,
        tables: Tables,
        store: StoreThread,
        reader: StoreReader,
        stored: StoredArena,
        house: HouseBots,
        verdicts: Verdicts | None,
        address: Callable[[], str],
        now_ms: Callable[[], float],
        keep: Keep,
    ) -> None:
        self._sessions = sessions
        self._tables = tables
        self._store = store
        self._reader = reader
        self._stored = stored
        self._house = house
        self._verdicts = verdicts
        self._address = address
        self._now_ms = now_ms
        self._keep = keep
        self._live: dict[str, LiveTournament] = {}
        self._latest: dict[str, str] = {}  # The version of each bot that has joined, as stored.
        self._changing = asyncio.Lock()
        self._suspended = False
        self._changed = asyncio.Event()  # Set for a moment when a tournament is over.

    # What the organiser does.

    async def create(self, definition: TournamentDefinition, request_id: str = "") -> None:
        """Stores a tournament, draws its seed and commits to it."""
        definition = checked(definition, house_names())
        await asyncio.to_thread(self._check_entrants, definition.entrants)
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
        _tell("a tournament was created", definition.slug)

    async def ensure(self, definition: TournamentDefinition) -> None:
        """Creates a tournament, unless it is stored already just like that."""
        try:
            stored = (await asyncio.to_thread(self._reader.tournament, definition.slug)).definition
        except NotFound:
            await self.create(definition)
            return
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

    async def start(self, slug: str, *, unvalidated: bool = False) -> None:
        """Starts a tournament, or continues one that was stopped.

        With `unvalidated` bots play in it, from now on, that were not validated.
        """
        await _to_the_end(self._start(slug, unvalidated))

    async def _start(self, slug: str, unvalidated: bool) -> None:
        async with self._changing:
            if self._suspended:
                raise Unavailable("the arena is stopping: try again when it runs")
            if unvalidated:
                await self._store.run(Store.allow_unvalidated, slug)
            tournament = await asyncio.to_thread(self._reader.tournament, slug)
            if slug in self._live:
                return
            definition = tournament.definition
            if tournament.state is TournamentState.CREATED:
                await asyncio.to_thread(self._check_entrants, definition.entrants)
                schedule = round_robin(definition.entrants, definition.games_per_pairing)
                await self._store.run(Store.start_tournament, slug, schedule, utc_now())
                _tell("a tournament was started", slug, games=len(schedule))
            else:
                await self._store.run(Store.set_state, slug, TournamentState.RUNNING, utc_now())
            await self._go_on(slug)

    async def stop(self, slug: str) -> None:
        """Suspends a tournament; its deals go on later from where they are."""
        await _to_the_end(self._stop(slug))

    async def _stop(self, slug: str) -> None:
        async with self._changing:
            self._check_storing()
            live = self._live.get(slug)
            if live is not None:
                if not await self._take_off(live):
                    raise Unavailable("nothing can be stored just now: try again in a while")
                if live.is_over:
                    return  # Its last games ended meanwhile.
            await self._store.run(Store.set_state, slug, TournamentState.STOPPED, utc_now())
            _tell("a tournament was stopped", slug)

    async def end(self, slug: str, reason: str) -> None:
        """Ends a tournament early: what is not over is void, and the seed is revealed."""
        await _to_the_end(self._end(slug, _reason(reason)))

    async def _end(self, slug: str, reason: str) -> None:
        async with self._changing:
            self._check_storing()
            live = self._live.get(slug)
            if live is not None:
                live.hold()
                # What was begun is known to the store as begun.
                await self._tables.take_off(())
            try:
                await self._store.run(
                    Store.end_tournament, slug, ended_text(reason), reason, utc_now()
                )
            except BaseException as error:
                # A disk may fail behind what it has stored.
                if not isinstance(error, Unavailable) or not await self._was_ended(slug):
                    if live is not None:
                        live.begin()
                    raise
            _tell("a tournament is ended", slug)
            if live is None:
                await self._go_on(slug)
            else:
                live.end(ended_text(reason))
            await self._tables.take_off(())
        await self._finish(slug)

    async def _was_ended(self, slug: str) -> bool:
        with suppress(Unavailable):
            return await asyncio.to_thread(how_it_was_ended, self._reader, slug) is not None
        return False

    async def remove(self, slug: str) -> TournamentInfo:
        """Removes a tournament that was never started; how it stood."""
        async with self._changing:
            info = await self.info(slug)
            await self._store.run(Store.remove_unstarted, slug)
            about = {"tournament": slug, "commitment": info.commitment}
            log.info("a tournament was removed", extra=about)
            return info

    async def extend_joining(self, slug: str, by_ms: int, reason: str) -> None:
        """Gives the bots of a tournament more time to join."""
        if not 0 < by_ms <= MAX_EXTENSION_MS:
            raise Invalid(f"by_ms is {by_ms}: expected 1 to {MAX_EXTENSION_MS}, which is a day")
        async with self._changing:
            reason = clean(reason, MAX_REASON_BYTES)
            await self._store.run(Store.extend_joining, slug, by_ms, reason, utc_now())
            live = self._live.get(slug)
            if live is not None:
                live.entrants.extend(by_ms)
            _tell("the time for joining is longer", slug, by_ms=by_ms)

    async def void_game(self, slug: str, number: int, reason: str) -> None:
        """Makes a game void and has it played anew, with fresh deals."""
        await _to_the_end(self._void_game(slug, number, _reason(reason)))

    async def _void_game(self, slug: str, number: int, reason: str) -> None:
        async with self._changing:
            self._check_storing()
            game = await asyncio.to_thread(self._reader.game, slug, number)
            live = self._live.get(slug)
            if live is not None:
                await self._tables.take_off((game.id,))
                live.set_down(game)
            try:
                deals = await asyncio.to_thread(
                    void_deals, self._reader, self._tables.journal, slug, number
                )
                await self._store.run(Store.void_game, slug, number, deals, reason, utc_now())
                self._tables.journal.forget(game.id)
                _tell("a game is void, and played anew", slug, number=number)
            finally:
                # If its last game ended meanwhile, `_finish` sees what is left to be played.
                if live is not None and self._live.get(slug) is live:
                    _, games = await asyncio.to_thread(
                        unfinished_games, self._reader, self._tables.journal, slug, number
                    )
                    for stored in games:
                        live.put_back(stored)

    def disabled(self, name: str, reason: str) -> None:
        """A bot was disabled: it forfeits what is left of its games."""
        for live in tuple(self._live.values()):
            if name in live.entrants:
                live.disable(name, disabled_text(name, reason))

    async def go_on(self) -> None:
        """Brings every running tournament to life, after a start of the arena."""
        async with self._changing:
            for tournament in self._reader.tournaments_in(TournamentState.RUNNING):
                await self._go_on(tournament.slug, after_restart=True)

    async def suspend(self) -> None:
        """Takes all games off the tables; in the store the tournaments run on.

        From then on none is started and nobody is charged with being away.
        """
        async with self._changing:
            self._suspended = True
            await asyncio.gather(*map(self._take_off, tuple(self._live.values())))

    # How they stand.

    @property
    def due_count(self) -> int:
        """The games, of all live tournaments, that wait to be begun."""
        return sum(live.due_count for live in tuple(self._live.values()))

    async def info(self, slug: str) -> TournamentInfo:
        """How a tournament stands."""
        live = self._live.get(slug)
        waiting_for = "" if live is None else live.waiting_for
        return await asyncio.to_thread(self._stored.tournament, slug, waiting_for=waiting_for)

    async def watch(self, slug: str) -> AsyncIterator[TournamentInfo]:
        """How a tournament stands, twice a second, until it no longer runs."""
        while True:
            info = await self.info(slug)
            yield info
            if info.state is not TournamentState.RUNNING:
                return
            with suppress(TimeoutError):
                async with asyncio.timeout(WATCH_S):
                    await self._changed.wait()

    # What bots do to them.

    async def admit(self, name: str, presence: Presence) -> None:
        """Lets a bot join, if its live tournaments allow it; freezes its version in them."""
        mine = [live for live in self._live.values() if name in live.entrants]
        rulesets = {live.tournament.definition.rules.name for live in mine}
        if rulesets and rulesets.isdisjoint(presence.rulesets):
            raise WrongState(
                f"{name} says that it does not play {' or '.join(sorted(rulesets))}, which its"
                " tournament is about: name the rule set in hello.rulesets"
            )
        version = presence.version
        known = {self._latest.get(name), *(live.entrants.frozen_as.get(name) for live in mine)}
        if known != {version}:
            # Only then: a bot that comes again and again would keep others from being stored.
            slugs = [live.slug for live in mine]
            await self._store.run(Store.freeze_version, slugs, name, version)
            self._latest[name] = version
        for live in mine:
            live.entrants.frozen.add(name)
            live.entrants.frozen_as[name] = version

    def joined(self, name: str) -> None:
        """A bot has a new stream: its games may start."""
        for live in self._live.values():
            if name in live.entrants and name not in live.entrants.frozen:
                # It was admitted when this tournament was not there yet.
                session = self._sessions.of(name)
                if session.connection is not None and session.presence is not None:
                    live.entrants.unfrozen.add(name)
                    work = self._freeze_late(
                        live, session, session.connection, session.presence.version
                    )
                    self._keep(work, f"version of {name}")
            live.joined(name)

    async def _freeze_late(
        self, live: LiveTournament, session: Session, connection: Connection, version: str
    ) -> None:
        name = session.name
        try:
            await self._tables.insist(
                lambda: self._store.run(Store.freeze_version, [live.slug], name, version)
            )
        except WrongState as error:  # Another version of it was faster.
            connection.end(Bye.BYE_REASON_STOPPING, str(error))
            session.detach(connection)
        live.entrants.frozen.add(name)
        live.entrants.unfrozen.discard(name)
        live.fill(name)

    def forgive(self) -> None:
        """Has every grace begin anew, since bots could not come back, or join."""
        for live in tuple(self._live.values()):
            live.entrants.forgive()

    def sweep(self, now_ms: float) -> None:
        """Looks after absent bots; to be called a few times a second."""
        if self._suspended:
            return
        for live in tuple(self._live.values()):
            live.sweep(now_ms)

    # How it is done.

    def _check_entrants(self, entrants: Sequence[str]) -> None:
        for name in entrants:
            if name.startswith(HOUSE):
                continue
            try:
                bot = self._reader.bot(name)
            except NotFound:
                raise NotFound(
                    f"the entrant {name!r} was never submitted here: do that with 'sixtysix bot"
                    " submit' and the same --data or --arena, or take it out of the entrants"
                ) from None
            if bot.disabled_at:
                raise Invalid(f"the entrant {name!r} is disabled: take it out of the entrants")

    def _check_storing(self) -> None:
        if self._tables.stalled:
            raise Unavailable("nothing can be stored just now: try again when play goes on")

    async def _go_on(self, slug: str, *, after_restart: bool = False) -> None:
        """Brings a running tournament to life, from the store."""
        tournament, games = await asyncio.to_thread(
            unfinished_games, self._reader, self._tables.journal, slug
        )
        live = LiveTournament(
            tournament,
            games,
            sessions=self._sessions,
            tables=self._tables,
            now_ms=self._now_ms,
            on_finished=lambda: self._finish_soon(slug),
            verdicts=None if tournament.unvalidated else self._verdicts,
            after_restart=after_restart,
        )
        live.hold()
        self._live[slug] = live  # From now on whoever joins is admitted to it.
        try:
            await self._begin(live, len(games))
        except BaseException:
            # Whoever calls again finds it as it was.
            live.close()
            self._live.pop(slug, None)
            raise

    async def _begin(self, live: LiveTournament, games_left: int) -> None:
        tournament, slug = live.tournament, live.slug
        ended = await asyncio.to_thread(how_it_was_ended, self._reader, slug)
        if ended is not None:
            live.end(ended)
            return
        for name in tournament.definition.entrants:
            session = self._sessions.of(name)
            if session.connected and session.presence and name not in tournament.versions:
                version = session.presence.version
                await self._store.run(Store.freeze_version, [slug], name, version)
                live.entrants.frozen.add(name)
            if name.startswith(HOUSE):
                self._house.start(name, self._address())
        _tell("a tournament goes on", slug, games_left=games_left)
        for name, reason in await asyncio.to_thread(who_is_disabled, self._reader, tournament):
            live.disable(name, reason)
        if games_left:
            live.begin()
        else:
            self._finish_soon(slug)

    def _finish_soon(self, slug: str) -> None:
        self._live.pop(slug, None)
        self._keep(self._finish(slug), f"finish {slug}")

    async def _finish(self, slug: str) -> None:
        was_running: bool | None = None

        async def once() -> bool:
            nonlocal was_running
            async with self._changing:
                if was_running is None:  # Of one that is ended by hand more than one call is made.
                    before = await asyncio.to_thread(self._reader.tournament, slug)
                    was_running = before.state is not TournamentState.FINISHED
                try:
                    await self._store.run(
                        Store.set_state, slug, TournamentState.FINISHED, utc_now()
                    )
                except WrongState:
                    # The organiser had a game voided meanwhile, or stopped it.
                    tournament = await asyncio.to_thread(self._reader.tournament, slug)
                    if tournament.state is TournamentState.RUNNING and slug not in self._live:
                        await self._go_on(slug)
                    return False
                return True

        if not await self._tables.insist(once) or not was_running:
            return
        _tell("a tournament is finished", slug)
        self._changed.set()
        self._changed.clear()

    async def _take_off(self, live: LiveTournament) -> bool:
        """Takes a tournament off the tables, once all that its bots did so far is durable.

        Returns False, and lets it go on, if the store is too slow for that.
        """
        live.hold()
        wait_s = 0.0 if self._tables.stalled else TAKE_OFF_S
        try:
            async with asyncio.timeout(wait_s):
                await self._tables.take_off(live.live_games)
        except TimeoutError:
            live.begin()
            return False
        live.close()
        self._live.pop(live.slug, None)
        return True


def _tell(message: str, slug: str, **fields: int) -> None:
    log.info(message, extra={"tournament": slug, **fields})


def _reason(said: str) -> str:
    """An organiser's reason, fit for the record. Raises Invalid if there is none."""
    reason = clean(said, MAX_REASON_BYTES)
    if not reason:
        raise Invalid("the reason is missing: say in a few words why; it becomes public")
    return reason


async def _to_the_end(work: Coroutine[Any, Any, None]) -> None:
    """Does all of it, also if the caller gives up waiting in the middle."""
    await asyncio.shield(asyncio.ensure_future(work))
