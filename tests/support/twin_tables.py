"""One world of a deal at a real table: what reaches one seat, down to the bytes.

The table, its referee and the sessions are the arena's own; the bots and the
clock are scripted. Time follows the plies, so that it does not matter which
moves the referee makes itself: that a forced reply comes at once is known and
documented, and the only thing about hidden cards that time may tell.
"""

from __future__ import annotations

import asyncio
import gc
import sys
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

import sixtysix
import sixtysix_arena
from sixtysix import wire
from sixtysix.clock import Clock
from sixtysix.outcome import GameOutcome
from sixtysix.record import DealRecord, MadeMove
from sixtysix.rules import RULESETS, Deal, IllegalMove, Ruleset
from sixtysix.v1 import play_pb2
from sixtysix_arena.referee import GameSpec, Progress, Referee
from sixtysix_arena.sessions import Connection, Presence, Sessions
from sixtysix_arena.store import rows
from sixtysix_arena.tables import Table, Tables

__all__ = ["CLOCK", "NAMES", "Probe", "Scene", "Seen", "differing_bytes", "seen_in", "shown"]

CLOCK = Clock(per_move_ms=1_000, per_game_ms=60_000)
NAMES = ("alpha", "beta")
GAME = 7
OUR_CODE = tuple(str(Path(file).parent) for file in (sixtysix.__file__, sixtysix_arena.__file__))

# What tells of a deal that is over, and what no bot and no reading call gets to see.
SECRET_ROWS = (rows.DealOver, rows.MovesMade)


@dataclass(frozen=True)
class Probe:
    """What the seat does at last, and what the arena says to it.

    Bytes are a frame of the seat's, a number lets so many milliseconds pass,
    and None is a new stream.
    """

    name: str
    steps: Sequence[bytes | float | None]


@dataclass(frozen=True)
class Scene:
    """All that is the same in twin worlds."""

    deal: Deal
    """The deal so far; its pack is one of the worlds."""
    seat: int
    wants_question: tuple[bool, bool]
    think_ms: Sequence[int]
    """How long each ply takes, whoever makes its move."""
    before: Sequence[DealRecord]
    """Deals of the game that are over."""
    probe: Probe
    restarts: bool = False
    """Whether the arena is killed and started again before the probe."""

    @property
    def rules(self) -> Ruleset:
        """The rules that are played."""
        return self.deal.ruleset


class Seen(NamedTuple):
    """All that reaches the seat in one world."""

    frames: tuple[bytes, ...]
    """The frames of its streams, in order, each behind the time when it was written."""
    stored: tuple[bytes, ...]
    """What is stored before the deal is over, and the evidence of the seat's fault."""
    shown: tuple[bytes, ...]
    """The view, its forms, and why each illegal move is refused."""
    asked: frozenset[int]
    """The plies at which the opponent was asked: the others' moves the referee made."""
    lines: tuple[int, ...]
    """Lines of ours that ran from an answer to each decision of the seat, if they were counted."""

    @property
    def parts(self) -> tuple[bytes, ...]:
        """What has to be the same in all twin worlds."""
        return self.frames + self.stored + self.shown


def differing_bytes(one: Seen, other: Seen) -> int:
    """How many bytes differ; a missing byte differs too."""
    count = 0
    for a, b in zip_longest(one.parts, other.parts, fillvalue=b""):
        if a != b:
            count += sum(x != y for x, y in zip_longest(a, b))
    return count


def shown(deal: Deal, seat: int) -> tuple[bytes, ...]:
    """What the kit shows to a seat, in all its forms, and what it says to each illegal move."""
    view = deal.view(seat, game="cup.7", deal=3, score=(1, 2), move_ms=1_000, game_ms=50_000)
    sent = wire.decision(view, game=GAME, charged_ms=0).SerializeToString()
    told = [repr(view), repr(view.unseen), repr(view.strict), repr(view.trick_counts)]
    if deal.turn == seat:
        told += refusals(deal)
    return (sent, *(text.encode() for text in told))


def refusals(deal: Deal) -> Iterator[str]:
    """What is said to each illegal move of the seat on turn."""
    legal = deal.legal_moves()
    for code in (*range(37), 255, 2**32 - 1):
        if code not in legal:
            try:
                deal.play(code)
            except IllegalMove as error:
                yield f"{error} | {error.reason} | {error.move} | {error.legal}"


@dataclass
class _Lines:
    """Counts the lines of ours that run, if that is wanted."""

    is_wanted: bool
    count: int = 0

    def _trace(self, frame: FrameType, event: str, _argument: Any) -> Any:
        if event == "call" and not frame.f_code.co_filename.startswith(OUR_CODE):
            return None
        self.count += event == "line"
        return self._trace

    @contextmanager
    def counting(self) -> Iterator[None]:
        """Counts while it is open."""
        if not self.is_wanted:
            yield
            return
        before, collects = sys.gettrace(), gc.isenabled()
        gc.disable()  # What ends when it is found dead may be of ours too.
        sys.settrace(self._trace)
        try:
            yield
        finally:
            sys.settrace(before)
            if collects:
                gc.enable()


@dataclass
class _World:
    """Tables with one game, and a clock that the script sets."""

    scene: Scene
    pack: Sequence[int]
    now_ms: float = 0.0
    made: Sequence[MadeMove] | None = None
    """What the journal has of the deal, if it goes on after a restart."""
    committed: list[rows.Event] = field(default_factory=list)
    frames: list[bytes] = field(default_factory=list)
    asked: set[int] = field(default_factory=set)
    counts_lines: bool = False
    """Whether lines are counted, which takes as long again as everything else."""
    lines: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        scene = self.scene
        self.number = len(scene.before)
        self.tables = Tables(self._commit, lambda: "2026-01-31T12:00:00Z")
        self.sessions = Sessions(lambda: self.now_ms, self.tables.deliver)
        self.connections: list[Connection] = [self.join(0), self.join(1)]
        dealer = scene.before[0].dealer if scene.before else scene.deal.dealer
        spec = GameSpec(GAME, "cup.7", NAMES, dealer, scene.rules, CLOCK)
        self.referee = Referee(
            spec,
            lambda _: tuple(self.pack),
            scene.wants_question,
            Progress(scene.before, self.number)
            if self.made is None
            else Progress(scene.before, self.number + 1, in_progress=True, moves=self.made),
        )
        first, second = (self.sessions.of(name) for name in NAMES)
        self.tables.open(Table(self.referee, (first, second), _over))

    async def _commit(self, events: Sequence[rows.Event]) -> None:
        self.committed += events

    def join(self, seat: int) -> Connection:
        """Gives a seat a new stream."""
        asked = self.scene.wants_question[seat]
        presence = Presence("1", 64, frozenset(RULESETS), close_on_opponents_lead=asked)
        return self.sessions.attach(NAMES[seat], presence, lambda: None)

    def read(self, seat: int) -> None:
        """Takes what was sent to a seat."""
        session = self.sessions.of(NAMES[seat])
        while (data := session.next_frame()) is not None:
            if seat == self.scene.seat:
                self.frames.append(b"%.3f " % self.now_ms + data)
            else:
                frame = play_pb2.ArenaFrame.FromString(data)
                self.asked |= {decision.ply for decision in frame.decisions}

    def receive(self, seat: int, data: bytes) -> None:
        """Sends a frame of a bot."""
        self.sessions.of(NAMES[seat]).receive(self.connections[seat], data)

    async def play(self) -> None:
        """The moves so far, or as many of them as the arena asks for."""
        moves = self.scene.deal.moves
        lines = _Lines(self.counts_lines)
        last = -1
        while (seat := self.referee.seat_on_turn) is not None:
            ply = self.referee.ply
            if ply == last:
                return  # It asked in other worlds, and does not in this one.
            last = ply
            self.now_ms = float(sum(self.scene.think_ms[:ply]))
            for each in (seat, 1 - seat):
                with lines.counting():
                    self.read(each)
                if self.counts_lines and each == self.scene.seat == seat:
                    self.lines.append(lines.count)
            if ply >= len(moves):
                return
            self.now_ms += self.scene.think_ms[ply]
            answer = play_pb2.Answer(game=GAME, deal=self.number, ply=ply, move=moves[ply])
            data = play_pb2.BotFrame(answers=[answer]).SerializeToString()
            lines.count = 0
            with lines.counting():
                self.receive(seat, data)
                await settle()

    async def probe(self) -> None:
        """What the seat does at last."""
        seat = self.scene.seat
        self.read(seat)
        session = self.sessions.of(NAMES[seat])
        for step in self.scene.probe.steps:
            if step is None:
                session.detach(self.connections[seat])
                self.connections[seat] = self.join(seat)
            elif isinstance(step, bytes):
                self.receive(seat, step)
            else:
                self.now_ms += step
                self.sessions.sweep(self.now_ms)
            await settle()
            self.read(seat)
        bye = self.connections[seat].bye
        if bye is not None:
            self.frames.append(play_pb2.ArenaFrame(bye=bye).SerializeToString())


def _over(_table: Table, _outcome: GameOutcome) -> None:
    """Nothing more is played."""


async def settle() -> None:
    """Lets the tables do all that they can."""
    for _ in range(6):
        await asyncio.sleep(0)


@asynccontextmanager
async def _running(table: _World) -> AsyncIterator[None]:
    tick = asyncio.create_task(table.tables.run())
    try:
        await settle()
        yield
    finally:
        tick.cancel()
        with suppress(asyncio.CancelledError):
            await tick


async def seen_in(scene: Scene, world: Deal, *, counts_lines: bool = False) -> Seen:
    """What the seat sees in a world: of its deal, and of all that it does wrong at the end."""
    table = _World(scene, world.pack, counts_lines=counts_lines)
    lives = [table]
    async with _running(table):
        await table.play()
        if not scene.restarts:
            await table.probe()
    if scene.restarts and table.referee.outcome is None:
        again = _World(scene, world.pack, table.now_ms, table.tables.journal.moves(GAME))
        lives.append(again)
        async with _running(again):
            await again.probe()
    stored = [row for each in lives for row in each.committed if not isinstance(row, SECRET_ROWS)]
    return Seen(
        tuple(frame for each in lives for frame in each.frames),
        tuple(repr(row).encode() for row in stored),
        shown(world, scene.seat),
        frozenset(table.asked),
        tuple(table.lines),
    )
