"""One simulated world: real arenas, one after another on the same data, and everything around them.

The arena, its store, its sessions and the handlers of its streams are the real
ones. Its loop, its network, its threads, its disk and its time of day are
simulated. When it crashes, its tasks get no further, what they still do on
their way out reaches nobody, and the next arena finds what a process would
have found that starts after a kill -9.
"""

from __future__ import annotations

import asyncio
import logging
import shutil
import sqlite3
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from contextvars import copy_context
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any
from unittest import mock

from simulation.bots import SimulatedBot
from simulation.loop import Hang, VirtualLoop
from simulation.network import Frame, Link, Network
from simulation.process import LIFE, Life, SimulatedServer, hand_over, settle, task_factory
from simulation.scenario import Happening, Scenario
from simulation.storage import Disk, cut_short, new_folder, twin
from simulation.witness import Witness

from sixtysix.reports import TournamentState
from sixtysix.verify import verify
from sixtysix_arena import journal, times, tournaments
from sixtysix_arena.arena import Arena
from sixtysix_arena.config import ArenaSettings
from sixtysix_arena.errors import ArenaError
from sixtysix_arena.rerating import RATER
from sixtysix_arena.store import thread

__all__ = ["Broken", "World"]

LIMIT_S = 600.0
"""Virtual seconds after which a world that is not at its end hangs."""
PATIENCE_S = 30.0
"""How long the organiser waits for bots that will not come."""
MAX_LIVES = 200
"""Arenas in a row; more means that none gets anywhere."""


class Broken(Exception):
    """An arena failed in a way that must not be."""


@dataclass(slots=True)
class Acts:
    """What the organiser has set about; it may have come to nothing."""

    voided: set[str] = field(default_factory=set)
    """Games by their public ids."""
    disabled: set[str] = field(default_factory=set)
    ended: bool = False


class World:
    """Runs a scenario to its end. What was seen is with the witness, what is stored in `data`."""

    def __init__(self, scenario: Scenario, trace: Callable[[str], object] | None = None) -> None:
        self.scenario = scenario
        self.loop = VirtualLoop(LIMIT_S)
        self.witness = Witness(scenario)
        self.network = Network(self.loop, self._frame_out)
        self.disk = Disk()
        self.data = new_folder()
        self.lives = 0
        self.board = ""
        """The board as the arena said it at the end."""
        self._trace = trace
        self._rng = Random(f"world {scenario.seed}")
        self.counts: Counter[str] = Counter()
        """How often each counter was raised."""
        self._due: dict[str, dict[int, Happening]] = {}
        for happening in scenario.happenings:
            self._due.setdefault(happening.counter, {})[happening.at] = happening
        self._stalled_until_s = 0.0
        self._wall = datetime(2026, 1, 31, 12, tzinfo=UTC)
        self._life: Life | None = None
        self._writing: Link | None = None
        self.acts = Acts()
        self._crashed = asyncio.Event()
        self.bots = [
            SimulatedBot(self, plan, number) for number, plan in enumerate(scenario.bots, start=1)
        ]

    def close(self) -> None:
        """Leaves nothing behind."""
        self.loop.close()
        shutil.rmtree(self.data.parent, ignore_errors=True)

    def run(self) -> None:
        """Plays the tournament to its end. Raises Hang if it does not come."""
        loop = self.loop
        loop.offload = self._offload
        loop.set_task_factory(task_factory)
        loop.set_exception_handler(self._unhandled)
        steps = self._due.get("steps")
        if steps:
            loop.on_break = self._break
            loop.break_at = min(steps)
        with self._pretence():
            loop.run_until_complete(self._live())

    def abandon(self) -> None:
        """Gives up on a world that hangs, and lets go of what it holds."""
        life, self._life = self._life, None
        self.network.accept = None
        self.loop.limit_s *= 2
        if life is not None:
            life.dead = True

        async def end() -> None:
            tasks = asyncio.all_tasks() - {asyncio.current_task()}
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            if life is not None:
                await self._bury(life)

        with suppress(Hang):
            self.loop.run_until_complete(end())

    def note(self, what: str, *details: object) -> None:
        """A line of the trace."""
        if self._trace is not None:
            told = " ".join(" ".join(str(detail).split()) for detail in details)
            told = told.replace(str(self.data.parent), "DATA")
            self._trace(f"{self.loop.time():10.4f} {what:8} {told}")

    # What is not real.

    @contextmanager
    def _pretence(self) -> Iterator[None]:
        chance = Random(f"secrets {self.scenario.seed}")
        clock = SimpleNamespace(now=lambda _zone: self._wall + timedelta(seconds=self.loop.time()))
        logged = _Logged(self)
        root = logging.getLogger("sixtysix_arena")
        level, propagates = root.level, root.propagate
        root.addHandler(logged)
        root.setLevel(logging.WARNING)
        root.propagate = False
        try:
            with (
                mock.patch("secrets.token_bytes", lambda count=32: chance.randbytes(count or 32)),
                mock.patch.object(times, "datetime", clock),
                mock.patch.object(journal, "CHECKPOINT_TICKS", self.scenario.checkpoint_ticks),
                mock.patch.object(thread, "QUICK_S", 0.0),
                # Looking through what is installed takes longer than a game.
                mock.patch.object(tournaments, "house_names", tuple),
            ):
                yield
        finally:
            root.removeHandler(logged)
            root.setLevel(level)
            root.propagate = propagates

    def _offload(
        self, executor: object, future: asyncio.Future[Any], call: Callable[[], Any]
    ) -> None:
        """Carries out what a thread would, some time from now."""
        life = LIFE.get()
        if life is not None and life.dead:
            settle(future, call)
            return
        if executor is None or life is None:
            self.loop.call_later(self._store_s(), self._read, life, future, call)
            return
        life.calls.append((future, call))
        if not life.writes:
            self._write_next(life)

    def _store_s(self) -> float:
        return self._rng.uniform(*self.scenario.store_s)

    def _read(
        self, life: Life | None, future: asyncio.Future[Any], call: Callable[[], Any]
    ) -> None:
        if not (life is not None and life.dead):
            settle(future, call)

    def _write_next(self, life: Life) -> None:
        """The one thread that writes takes one call after another."""
        life.writes = bool(life.calls)
        if life.writes:
            stalled_s = max(0.0, self._stalled_until_s - self.loop.time())
            self.loop.call_later(stalled_s + self._store_s(), self._write, life)

    def _write(self, life: Life) -> None:
        future, call = life.calls.popleft()
        if not life.dead and not future.cancelled():
            self.count("calls")
        if life.dead:
            return
        if future.cancelled():
            self._write_next(life)
            return
        self.disk.delay_s = 0.0
        done: asyncio.Future[Any] = self.loop.create_future()
        settle(done, call)
        delay_s = self.disk.delay_s + self._store_s()
        self.count("called")
        if life.dead:
            done.exception()  # Nobody will ask for it.
        else:
            self.loop.call_later(delay_s, self._written, life, done, future)

    def _written(self, life: Life, done: asyncio.Future[Any], future: asyncio.Future[Any]) -> None:
        hand_over(done, future)
        self._write_next(life)

    def _unhandled(self, _loop: object, context: dict[str, Any]) -> None:
        self.witness.wrong(f"the loop was told: {context.get('message')} {context!r}")

    def _frame_out(self, link: Link, frame: Frame) -> None:
        life = LIFE.get()
        if life is None or life.dead:
            return
        self.witness.sent(link, frame)
        self._writing = link
        self.count("frames")
        self._writing = None

    # What happens.

    def count(self, counter: str) -> None:
        """Something has happened once more; perhaps something else is due by that."""
        self.counts[counter] += 1
        due = self._due.get(counter)
        if due and (happening := due.pop(self.counts[counter], None)):
            self._happen(happening)

    def _break(self) -> None:
        steps = self._due["steps"]
        happening = steps.pop(self.loop.break_at)
        self.loop.break_at = min(steps, default=-1)
        self._happen(happening)

    def _happen(self, happening: Happening) -> None:
        self.note("HAPPENS", happening)
        match happening.kind:
            case "crash":
                self.crash()
            case "power-cut":
                self.crash(power_cut=True)
            case "block":
                self.loop.block(happening.seconds)
            case "export":
                if self._life is not None and not self._life.dead:
                    self._own(self._life, self._export(self._life))
            case "outage":
                assert happening.outage is not None
                self.disk.outages.append(happening.outage)
            case "silence":
                self.network.hold(happening.seconds)
            case "partition":
                # One bot that vanishes alone, or at another time, may have its own reasons.
                here = [bot for bot in self.bots if bot.is_welcome]
                missing = [bot for bot in self.bots if bot.plan.is_blameless and bot not in here]
                if len(here) > 1 and not missing and not self.network.unnoticed:
                    self.network.part(happening.seconds)
            case "jump":
                self._wall += timedelta(hours=self._rng.choice((-1, 1)))
            case "stall":
                self._stalled_until_s = self.loop.time() + happening.seconds
            case "reset":
                if self._writing is not None:
                    self._writing.reset()
            case "stop" | "restart":
                if self._life is not None and not self._life.dead:
                    order = self._stop_for if happening.kind == "stop" else self._restart
                    self._own(self._life, order(self._life, happening.seconds))
            case "extend" | "void" | "end" | "disable":
                if self._life is not None and not self._life.dead:
                    self._own(self._life, self._act(self._life, happening))
            case _:
                raise AssertionError(f"nothing is called {happening.kind!r}")

    def crash(self, *, power_cut: bool = False) -> None:
        """The arena's process dies now; with the power goes what was stored last, perhaps."""
        life = self._life
        if life is None or life.dead:
            return
        self.network.accept = None
        life.dead = True
        self._life = None
        self.data = twin(life.data, life.number + 1)
        if power_cut and cut_short(self.data, life.data, self._rng):
            self.witness.forget()
            for bot in self.bots:
                self.loop.call_later(0.5, bot.hears_of_power_cut)
        for link in self.network.links:
            if not link.finished:
                link.crashed()
        for task in life.tasks:
            task.cancel()
        self.witness.check_durable(self.data)
        self.note("CRASHED", "life", life.number)
        self._crashed.set()

    async def _stop_for(self, life: Life, seconds: float) -> None:
        """The organiser stops the tournament, and starts it again."""
        if life.arena is None:
            return
        slug = self.scenario.definition.slug
        life.stopped = True
        with suppress(ArenaError):
            await life.arena.stop_tournament(slug)
            self.note("STOPPED")
            await asyncio.sleep(seconds)
        while not life.dead:
            try:
                await life.arena.start_tournament(slug)
                life.stopped = False
                return
            except ArenaError as error:
                if self._is_finished(life):
                    life.stopped = False
                    return
                self.note("REFUSED", error)
                await asyncio.sleep(0.5)

    async def _act(self, life: Life, act: Happening) -> None:
        """The organiser does something by hand."""
        arena, slug = life.arena, self.scenario.definition.slug
        if arena is None:
            return
        with suppress(ArenaError):
            if arena.reader.tournament(slug).state is not TournamentState.RUNNING:
                return
            match act.kind:
                case "extend":
                    await arena.extend_joining(slug, 1_000, "patience")
                case "void":
                    games = arena.reader.games(slug)
                    if games:
                        game = games[act.which % len(games)]
                        self.acts.voided.add(game.public_id)
                        self.witness.voiding(game.id)
                        await arena.void_game(game.public_id, "a doubt")
                case "end":
                    self.acts.ended = True
                    await arena.end_tournament(slug, "late")
                case "disable":
                    names = self.scenario.definition.entrants
                    name = names[act.which % len(names)]
                    self.acts.disabled.add(name)
                    await arena.disable_bot(name, "misconduct")

    async def _export(self, life: Life) -> None:
        """Somebody takes the record while play goes on, and checks it."""
        if life.arena is None:
            return
        slug, seed = self.scenario.definition.slug, f"seed {self.scenario.seed}".encode().hex()
        with suppress(ArenaError):
            lines = list(life.arena.stored.export(slug))
            verdict = verify((line.encode() for line in lines), lambda: RATER)
            if not verdict.ok:
                self.witness.wrong(f"a record taken on the way is not right: {verdict.difference}")
            state = life.arena.reader.tournament(slug).state
            if state is not TournamentState.FINISHED and any(seed in line for line in lines):
                self.witness.wrong("a record taken on the way has the seed")

    async def _restart(self, life: Life, seconds: float) -> None:
        """The operator stops the program, and starts it again."""
        if life.arena is None or life.stopping:
            return
        life.stopping = True
        await life.arena.stop()
        self.note("ENDED", "life", life.number)
        await asyncio.sleep(seconds)
        self.crash()

    # Arenas.

    async def _live(self) -> None:
        while True:
            if self.lives > MAX_LIVES:
                raise Hang(f"{MAX_LIVES} arenas in a row did not get to the end")
            life = self._life = Life(self.lives, self.data)
            self.lives += 1
            self._crashed.clear()
            work = self._own(life, self._play(life))
            crashed = asyncio.ensure_future(self._crashed.wait())
            await asyncio.wait((work, crashed), return_when=asyncio.FIRST_COMPLETED)
            crashed.cancel()
            if not life.dead:
                finished = work.result()
                if finished:
                    break
                self.crash()
                await asyncio.sleep(1.0)
            await self._bury(life)
            await asyncio.sleep(self._rng.random() * self.scenario.downtime_s)
        # What is under way may arrive: then every bot knows that it is over.
        await asyncio.sleep(1.0)
        await self._bury(life)

    def _own(self, life: Life, work: Any) -> asyncio.Task[Any]:
        context = copy_context()
        context.run(LIFE.set, life)
        task = self.loop.create_task(work, context=context)
        task.add_done_callback(self._work_done)
        return task

    def _work_done(self, task: asyncio.Task[Any]) -> None:
        if not task.cancelled() and (error := task.exception()) is not None:
            told = "".join(traceback.format_exception(error))
            self.witness.wrong(f"a call of the arena raised {error!r}: {told}")

    async def _play(self, life: Life) -> bool:
        """What `sixtysix run FILE` does; True once the tournament is finished."""
        definition = self.scenario.definition
        settings = ArenaSettings(
            data=life.data, grpc="127.0.0.1:1", validation=self.scenario.validation
        )
        arena = Arena(settings, self._server)
        try:
            await arena.start()
        except ArenaError as error:
            self.note("FAILED", error)
            return False
        life.arena = arena
        slug = definition.slug
        created = False
        while True:
            try:
                if not created:
                    await arena.ensure_tournament(definition)
                    created = True
                if not life.stopped:
                    await arena.start_tournament(slug)
                await self._until_it_does_not_run(arena)
                if self._is_finished(life):
                    break
            except ArenaError as error:
                self.note("REFUSED", error)
                if self._is_finished(life):
                    break
                await asyncio.sleep(0.4)
            await asyncio.sleep(0.1)
        while True:
            try:
                self.board = (await asyncio.to_thread(arena.stored.board, slug)).canonical
                break
            except ArenaError:
                await asyncio.sleep(0.5)
        if life.stopping:
            await asyncio.sleep(LIMIT_S)  # It ends in a moment.
        life.stopping = True
        await arena.stop(finished=True)
        return True

    def _server(self, arena: Arena) -> SimulatedServer:
        return SimulatedServer(self.network, arena, self.witness.wrong)

    async def _until_it_does_not_run(self, arena: Arena) -> None:
        watched = asyncio.ensure_future(self._watch(arena))
        failed = asyncio.ensure_future(arena.failure())
        deserted = asyncio.ensure_future(self._end_deserted(arena))
        await asyncio.wait((watched, failed), return_when=asyncio.FIRST_COMPLETED)
        failed.cancel()
        deserted.cancel()
        if not watched.done():
            watched.cancel()
            told = "".join(traceback.format_exception(failed.exception()))
            self.witness.wrong(f"the arena failed: {told}")
            raise Broken("the arena failed")
        watched.result()

    async def _end_deserted(self, arena: Arena) -> None:
        """Ends the tournament if it waits for bots that will not come.

        If all vanish within a moment it does so for ever: nobody can tell that from a partition.
        """
        waited_s = 0.0
        while waited_s < PATIENCE_S:
            await asyncio.sleep(1.0)
            deserted = all(bot.gone or bot.plan.join_at_s < 0 for bot in self.bots)
            waited_s = waited_s + 1.0 if deserted else 0.0
        self.acts.ended = True
        self.note("DESERTED")
        with suppress(ArenaError):
            await arena.end_tournament(self.scenario.definition.slug, "all are gone")

    async def _watch(self, arena: Arena) -> None:
        """Watches the tournament, in some worlds as the command line does, while it runs."""
        slug = self.scenario.definition.slug
        if self.scenario.watched:
            async for info in arena.watch_tournament(slug):
                self.witness.told(info)
            return
        while True:
            if _state(arena.settings.data, slug) != "running":
                return
            await asyncio.sleep(0.1)

    def _is_finished(self, life: Life) -> bool:
        return _state(life.data, self.scenario.definition.slug) == "finished"

    async def _bury(self, life: Life) -> None:
        """Lets what is left of an arena's tasks end, unseen, and its files be closed."""
        life.dead = True
        while left := [task for task in life.tasks if not task.done()]:
            for task in left:
                task.cancel()
            await asyncio.gather(*left, return_exceptions=True)
        if life.arena is not None:
            context = copy_context()
            context.run(LIFE.set, life)
            await self.loop.create_task(life.arena._open.aclose(), context=context)


class _Logged(logging.Handler):
    """Notes what the arena logs. A dead one logs nothing."""

    def __init__(self, world: World) -> None:
        super().__init__(logging.WARNING)
        self._world = world

    def emit(self, record: logging.LogRecord) -> None:
        life = LIFE.get()
        if life is not None and life.dead:
            return
        self._world.note("LOGS", record.levelname, record.getMessage())
        self._world.witness.logged(record)


def _state(data: Path, slug: str) -> str:
    """How a tournament stands; looked up below everything that could keep it back."""
    with closing(sqlite3.connect(data / "arena.db")) as database:
        row = database.execute("SELECT state FROM tournament WHERE slug = ?", (slug,)).fetchone()
    return "" if row is None else str(row[0])
