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
from sixtysix.names import HOUSE
from sixtysix.reports import TournamentInfo, TournamentState
from sixtysix.tournament_file import checked
from sixtysix_arena.errors import Invalid, NotFound, Unavailable, WrongState
from sixtysix_arena.house import HouseBots, house_names
from sixtysix_arena.queries import StoredArena
from sixtysix_arena.schedule import round_robin
from sixtysix_arena.sessions import Presence, Sessions
from sixtysix_arena.store import Store, StoreReader, StoreThread, rows
from sixtysix_arena.tables import Tables
from sixtysix_arena.times import utc_now
from sixtysix_arena.tournament import LiveTournament, StoredGame, Verdicts

__all__ = ["Tournaments"]

WATCH_S = 0.5
TAKE_OFF_S = 10.0
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
        self._changing = asyncio.Lock()
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
            if self._tables.stalled:
                raise Unavailable("nothing can be stored just now: try again when play goes on")
            live = self._live.get(slug)
            if live is not None:
                if not await self._take_off(live):
                    raise Unavailable("nothing can be stored just now: try again in a while")
                if live.is_over:
                    return  # Its last games ended meanwhile.
            await self._store.run(Store.set_state, slug, TournamentState.STOPPED, utc_now())
            _tell("a tournament was stopped", slug)

    async def go_on(self) -> None:
        """Brings every running tournament to life, after a start of the arena."""
        async with self._changing:
            for tournament in self._reader.tournaments_in(TournamentState.RUNNING):
                await self._go_on(tournament.slug)

    async def suspend(self) -> None:
        """Takes all games off the tables; in the store the tournaments run on."""
        async with self._changing:
            await asyncio.gather(*map(self._take_off, tuple(self._live.values())))

    # How they stand.

    @property
    def due_count(self) -> int:
        """The games, of all live tournaments, that wait to be begun."""
        return sum(live.due_count for live in self._live.values())

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
        mine = [live for live in self._live.values() if name in live.tournament.definition.entrants]
        rulesets = {live.tournament.definition.rules.name for live in mine}
        if rulesets and rulesets.isdisjoint(presence.rulesets):
            raise WrongState(
                f"{name} says that it does not play {' or '.join(sorted(rulesets))}, which its"
                " tournament is about: name the rule set in hello.rulesets"
            )
        slugs = [live.slug for live in mine]
        await self._store.run(Store.freeze_version, slugs, name, presence.version)

    def joined(self, name: str) -> None:
        """A bot has a new stream: its games may start."""
        for live in self._live.values():
            live.joined(name)

    def sweep(self, now_ms: float) -> None:
        """Looks after absent bots; to be called a few times a second."""
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

    async def _go_on(self, slug: str) -> None:
        """Brings a running tournament to life, from the store."""
        tournament, games = await asyncio.to_thread(self._unfinished, slug)
        live = LiveTournament(
            tournament,
            games,
            sessions=self._sessions,
            tables=self._tables,
            now_ms=self._now_ms,
            on_finished=lambda: self._finish_soon(slug),
            verdicts=None if tournament.unvalidated else self._verdicts,
        )
        self._live[slug] = live  # From now on whoever joins is admitted to it.
        live.hold()
        for name in tournament.definition.entrants:
            session = self._sessions.of(name)
            if session.connected and session.presence and name not in tournament.versions:
                version = session.presence.version
                await self._store.run(Store.freeze_version, [slug], name, version)
            if name.startswith(HOUSE):
                self._house.start(name, self._address())
        _tell("a tournament goes on", slug, games_left=len(games))
        if games:
            live.begin()
        else:
            self._finish_soon(slug)

    def _unfinished(self, slug: str) -> tuple[rows.Tournament, list[StoredGame]]:
        with self._reader.snapshot() as reader:
            games = [
                StoredGame(
                    unfinished,
                    [record for _, record in reader.deals(unfinished.game.id)]
                    if unfinished.stored_deals
                    else (),
                    self._tables.journal.moves(unfinished.game.id),
                )
                for unfinished in reader.unfinished_games(slug)
            ]
            return reader.tournament(slug), games

    def _finish_soon(self, slug: str) -> None:
        self._live.pop(slug, None)
        self._keep(self._finish(slug), f"finish {slug}")

    async def _finish(self, slug: str) -> None:
        await self._tables.insist(
            lambda: self._store.run(Store.set_state, slug, TournamentState.FINISHED, utc_now())
        )
        _tell("a tournament is finished", slug)
        self._changed.set()
        self._changed.clear()

    async def _take_off(self, live: LiveTournament) -> bool:
        """Takes a tournament off the tables, once all that its bots did so far is durable.

        Returns False, and lets it go on, if the store is too slow for that.
        """
        live.hold()
        try:
            async with asyncio.timeout(TAKE_OFF_S):
                await self._tables.take_off(live.live_games)
        except TimeoutError:
            live.begin()
            return False
        live.close()
        self._live.pop(live.slug, None)
        return True


def _tell(message: str, slug: str, **fields: int) -> None:
    log.info(message, extra={"tournament": slug, **fields})


async def _to_the_end(work: Coroutine[Any, Any, None]) -> None:
    """Does all of it, also if the caller gives up waiting in the middle."""
    await asyncio.shield(asyncio.ensure_future(work))
