"""The live games of this process: who waits for whom, and the tick.

The tick is the one place where games advance. It takes what the sessions
delivered since the last one, lets the referees decide, makes everything that
must not be lost durable in one commit, and only then lets the bots see any of
it. So nothing that a move causes is seen before it is durable.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar

from sixtysix import wire
from sixtysix.outcome import Fault, GameOutcome
from sixtysix.record import DealRecord, MadeMove
from sixtysix_arena.errors import Unavailable
from sixtysix_arena.journal import Journal
from sixtysix_arena.referee import Referee
from sixtysix_arena.sessions import Answered, Event, Evidence, Faulted, Session
from sixtysix_arena.store import rows
from sixtysix_arena.streams import MAX_EVIDENCE_BYTES

__all__ = ["Commit", "Table", "Tables"]

Commit = Callable[[Sequence[rows.Event]], Awaitable[None]]
"""Makes the events of one tick durable, all or none; safe to repeat."""

COMMIT_RETRY_S = 1.0
FEW_TABLES = 16
GATHER_S = 0.001
"""With more than a few tables a tick waits so long for more answers: a message costs
some 250 us whatever it carries, so that grouping them is what counts."""
MAX_FAULTS = 8
"""Faults that a tick takes on. Each ends a game, and costs some hundred times what a decision
does: a bot that fails in all its games at once would hold up everybody else's."""

log = logging.getLogger(__name__)

T = TypeVar("T")


@dataclass(eq=False, slots=True)
class Table:
    """One live game: its referee and the sessions of its two seats."""

    referee: Referee
    sessions: tuple[Session, Session]
    on_over: Callable[[Table, GameOutcome], None]
    """Called once the result is durable."""
    deals_to_keep: Sequence[DealRecord] = ()
    """Deals that are void or broke off before the game came to the table."""
    transcript: list[DealRecord] | None = None
    """The deals of a trial, which is no game of the store: nothing of it is committed."""

    @property
    def game(self) -> int:
        """The number that the game has on streams."""
        return self.referee.spec.game

    def seat_of(self, name: str) -> int:
        """The seat of a bot in this game."""
        return self.referee.spec.entrants.index(name)


@dataclass(slots=True)
class _Open:
    table: Table


@dataclass(slots=True)
class _Void:
    game: int
    reason: str


@dataclass(slots=True)
class _TakeOff:
    """Games that leave the tables once all events before this one are durable."""

    games: Sequence[int]
    done: asyncio.Future[None]


_Event = Event | _Open | _Void | _TakeOff


@dataclass(slots=True)
class _Tick:
    """What one tick found: rows to commit, and what may be seen afterwards."""

    committed: list[rows.Event] = field(default_factory=list)
    """What is committed before anything of the tick is seen."""
    started: list[Table] = field(default_factory=list)
    asks: list[Table] = field(default_factory=list)
    faults: list[tuple[Table, int, Fault, str, Evidence]] = field(default_factory=list)
    over: list[tuple[Table, GameOutcome]] = field(default_factory=list)
    taken_off: list[_TakeOff] = field(default_factory=list)

    def keep(self, table: Table, row: rows.Event) -> None:
        """Has something of a game committed, unless it is a trial."""
        if table.transcript is None:
            self.committed.append(row)


class Tables:
    """All live games, and the tick that moves them."""

    def __init__(
        self, commit: Commit, utc_now: Callable[[], str], journal: Journal | None = None
    ) -> None:
        self.journal = journal or Journal()
        """The moves of the deals in progress."""
        self._commit = commit
        self._utc_now = utc_now
        self._tables: dict[int, Table] = {}
        self._inbox: list[_Event] = []
        self._wake = asyncio.Event()
        self._failing_writes = 0
        self._storing_since: float | None = None
        self.decision_count = 0
        """Answers that were judged."""

    @property
    def stalled(self) -> bool:
        """Whether a write has failed and will be tried again; no time is charged until then."""
        return self._failing_writes > 0

    @property
    def storing_s(self) -> float:
        """How long the present commit has taken so far; 0 if there is none."""
        if self._storing_since is None:
            return 0.0
        return asyncio.get_running_loop().time() - self._storing_since

    def __len__(self) -> int:
        return len(self._tables)

    def open(self, table: Table) -> None:
        """Begins or continues a game with the next tick."""
        self._tables[table.game] = table
        self.deliver(_Open(table))

    def deliver(self, event: _Event) -> None:
        """Takes what a session found into the next tick."""
        self._inbox.append(event)
        self._wake.set()

    def forfeit(self, game: int, name: str, fault: Fault, text: str) -> None:
        """Charges a bot with a fault that is not about an answer."""
        self.deliver(Faulted(game, name, fault, text))

    def void(self, game: int, reason: str) -> None:
        """Ends a game with nobody charged."""
        self.deliver(_Void(game, reason))

    async def take_off(self, games: Sequence[int]) -> None:
        """Takes games away that go on later, once all that was delivered so far is durable.

        A caller who gives up waiting leaves them where they are.
        """
        done = asyncio.get_running_loop().create_future()
        self.deliver(_TakeOff(games, done))
        await done

    async def run(self) -> None:
        """Ticks until it is cancelled."""
        while True:
            await self._wake.wait()
            if len(self._tables) > FEW_TABLES:
                await asyncio.sleep(GATHER_S)
            self._wake.clear()
            tick = _Tick()
            for event in self._take():
                self._apply(event, tick)
            moves = self.journal.take()
            if moves is not None:
                tick.committed.append(moves)
            if tick.committed:
                await self.insist(partial(self._commit, tick.committed))
            self._release(tick)

    def _take(self) -> list[_Event]:
        """What a tick is about: all that was delivered, but not too many faults at a time.

        What the organiser or a tournament wants of games waits behind the faults that are left.
        """
        taken: list[_Event] = []
        left: list[_Event] = []
        fault_count = 0
        for event in self._inbox:
            fault_count += isinstance(event, Faulted)
            waits = fault_count > MAX_FAULTS and not isinstance(event, Answered | _Open)
            (left if waits else taken).append(event)
        self._inbox = left
        if left:
            self._wake.set()
        return taken

    async def insist(self, write: Callable[[], Awaitable[T]]) -> T:
        """Writes, and tries again for as long as the store cannot: never a bot's loss."""
        loop = asyncio.get_running_loop()
        failed = stored = False
        try:
            while True:
                self._storing_since = loop.time()
                try:
                    done = await write()
                    stored = True
                    return done
                except Unavailable as error:
                    if not self.stalled:
                        log.error(
                            "play pauses, since nothing can be stored", extra={"reason": str(error)}
                        )
                    self._failing_writes += not failed
                    failed = True
                finally:
                    self._storing_since = None
                await asyncio.sleep(COMMIT_RETRY_S)
        finally:
            self._failing_writes -= failed
            if failed and stored and not self.stalled:
                log.warning("play goes on")

    def _apply(self, event: _Event, tick: _Tick) -> None:
        if isinstance(event, _Open):
            self._apply_open(event.table, tick)
            return
        if isinstance(event, _TakeOff):
            tick.taken_off.append(event)
            return
        table = self._tables.get(event.game)
        if table is None or table.referee.outcome is not None:
            return
        if isinstance(event, Answered):
            self._apply_answer(table, event, tick)
        elif isinstance(event, Faulted):
            self._apply_fault(table, event, tick)
        elif isinstance(event, _Void):
            self._advance(table, table.referee.void(event.reason), tick)

    def _apply_open(self, table: Table, tick: _Tick) -> None:
        for record in table.deals_to_keep:
            self._keep_deal(table, record, tick)
        outcome = table.referee.outcome
        if outcome is not None:
            if outcome.fault is not None and outcome.winner is not None:
                # It never began, and may be one of thousands: the events tell enough.
                seat = 1 - outcome.winner
                evidence = table.sessions[seat].evidence(table.game)
                self._keep_fault(table, seat, outcome.fault, outcome.reason, evidence, tick, 0)
            self._advance(table, None, tick)
            return
        tick.keep(table, rows.GameOpened(table.game, table.referee.wants_question))
        tick.started.append(table)
        self._advance(table, None, tick)

    def _apply_answer(self, table: Table, event: Answered, tick: _Tick) -> None:
        self.decision_count += 1
        referee = table.referee
        seat, deal, ply = referee.seat_on_turn, referee.deal_number, referee.ply
        assert seat is not None
        charged_ms = round(event.charged_ms)
        record = referee.answer(event.move, charged_ms, event.comment)
        outcome = referee.outcome
        if outcome is not None and outcome.fault is not None:
            self._note_fault(table, seat, outcome.fault, outcome.reason, event.evidence, tick)
        elif record is None and table.transcript is None:
            self.journal.note(
                MadeMove(table.game, deal, ply, event.move, charged_ms, event.comment)
            )
        self._advance(table, record, tick)

    def _apply_fault(self, table: Table, event: Faulted, tick: _Tick) -> None:
        seat = table.seat_of(event.name)
        record = table.referee.forfeit(seat, event.fault, event.text)
        evidence = event.evidence or table.sessions[seat].evidence(table.game)
        self._note_fault(table, seat, event.fault, event.text, evidence, tick)
        self._advance(table, record, tick)

    def _note_fault(
        self,
        table: Table,
        seat: int,
        fault: Fault,
        text: str,
        evidence: Evidence,
        tick: _Tick,
    ) -> None:
        tick.faults.append((table, seat, fault, text, evidence))
        self._keep_fault(table, seat, fault, text, evidence, tick, MAX_EVIDENCE_BYTES)

    def _keep_fault(
        self,
        table: Table,
        seat: int,
        fault: Fault,
        text: str,
        evidence: Evidence,
        tick: _Tick,
        max_bytes: int,
    ) -> None:
        deal, ply = evidence.place or (None, None)
        packed = evidence.packed(table.referee.bank_ms[seat], max_bytes)
        tick.keep(
            table,
            rows.FaultEvidence(table.game, seat, fault, text, self._utc_now(), deal, ply, packed),
        )

    def _advance(self, table: Table, record: DealRecord | None, tick: _Tick) -> None:
        """Goes on after a move: the next decision, the next deal, or the end of the game."""
        referee = table.referee
        if record is not None:
            self._keep_deal(table, record, tick)
        if referee.outcome is not None:
            tick.keep(table, rows.GameOver(table.game, referee.outcome))
            tick.over.append((table, referee.outcome))
            return
        if referee.seat_on_turn is None:
            referee.begin_deal()
            tick.keep(table, rows.DealStarted(table.game, referee.deal_number))
        tick.asks.append(table)

    def _keep_deal(self, table: Table, record: DealRecord, tick: _Tick) -> None:
        """Has a deal that is over committed, or noted if the game is a trial."""
        if table.transcript is not None:
            table.transcript.append(record)
            return
        self.journal.forget(table.game)
        tick.committed.append(
            rows.DealOver(
                table.game,
                record.deal,
                wire.pack_deal(record),
                table.referee.score,
                counted=record.result is not None,
            )
        )

    def _release(self, tick: _Tick) -> None:
        """Shows the bots what the tick brought; everything in it is durable now."""
        touched: dict[Session, None] = {}  # In an order that any run would have.
        for table in tick.started:
            spec = table.referee.spec
            for own_seat, session in enumerate(table.sessions):
                session.start(spec, own_seat)
                touched[session] = None
        for table in tick.asks:
            referee = table.referee
            on_turn = referee.seat_on_turn
            if on_turn is None:
                continue  # The game ended later in the same tick.
            session = table.sessions[on_turn]
            session.ask(
                table.game,
                referee.view(),
                charged_ms=referee.charged_ms[on_turn],
                bank_ms=referee.bank_ms[on_turn],
                per_move_ms=referee.spec.clock.per_move_ms,
            )
            touched[session] = None
        for table, seat, fault, text, evidence in tick.faults:
            table.sessions[seat].tell_fault(table.game, fault, text, evidence)
            spec = table.referee.spec
            about = {"bot": spec.entrants[seat], "game": spec.game_id, "fault": str(fault)}
            log.info("a bot committed a fault", extra=about | {"reason": text})
            touched[table.sessions[seat]] = None
        for table, outcome in tick.over:
            del self._tables[table.game]
            for session in table.sessions:
                session.over(table.game, outcome)
                touched[session] = None
            table.on_over(table, outcome)
        for each in tick.taken_off:
            if not each.done.done():
                self._remove(each.games)
                each.done.set_result(None)
        for session in touched:
            session.release()

    def _remove(self, games: Sequence[int]) -> None:
        for game in games:
            table = self._tables.pop(game, None)
            if table is not None:
                for session in table.sessions:
                    session.park(game)
