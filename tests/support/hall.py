"""A tournament in virtual time, with bots that join, go and answer when a test says so."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence

from sixtysix.api import TournamentDefinition
from sixtysix.clock import Clock
from sixtysix.outcome import GameOutcome
from sixtysix.reports import GameState, TournamentState
from sixtysix.rules import RULESETS
from sixtysix.v1 import play_pb2
from sixtysix_arena.dealing import StoredGame
from sixtysix_arena.schedule import round_robin
from sixtysix_arena.sessions import Connection, Presence, Sessions
from sixtysix_arena.store import rows
from sixtysix_arena.tables import Tables
from sixtysix_arena.tournament import LiveTournament

__all__ = ["CLOCK", "Hall", "run"]

CLOCK = Clock(per_move_ms=1_000, per_game_ms=60_000, grace_ms=100, join_ms=500)


class Hall:
    """A tournament with bots that join, go and answer when a test says so."""

    def __init__(
        self,
        *entrants: str,
        games_per_pairing: int = 2,
        games_at_once: int = 64,
        versions: Mapping[str, str] | None = None,
    ) -> None:
        self.time_ms = 0.0
        self.finished = False
        self.commits: list[rows.Event] = []
        self.ticks: list[tuple[rows.Event, ...]] = []
        self.tables = Tables(self.commit, lambda: "2026-01-31T12:00:00Z")
        self.sessions = Sessions(lambda: self.time_ms, self.tables.deliver)
        self.connections: dict[str, Connection] = {}
        self.owed: dict[str, list[play_pb2.Decision]] = {}
        self.tournament = rows.Tournament(
            1,
            TournamentDefinition(
                "Cup",
                "cup",
                RULESETS["last-trick"],
                games_per_pairing,
                games_at_once,
                entrants,
                "42",
                CLOCK,
            ),
            b"42",
            bytes(32),
            TournamentState.RUNNING,
            False,
            versions or {},
            "",
            "",
            "",
        )
        self.schedule = round_robin(entrants, games_per_pairing)
        self.live_numbers = [game.number for game in self.schedule]
        """The games that were not over when the tournament came to life."""
        self.live = self.make_live(self.stored())

    def stored(self) -> list[StoredGame]:
        return [
            StoredGame(
                rows.UnfinishedGame(
                    rows.Game(game.number, "cup", game, GameState.SCHEDULED, 0, (0, 0), 0, None), ()
                )
            )
            for game in self.schedule
        ]

    def make_live(self, games: object, *, after_restart: bool = False) -> LiveTournament:
        return LiveTournament(
            self.tournament,
            games,  # type: ignore[arg-type]
            sessions=self.sessions,
            tables=self.tables,
            now_ms=lambda: self.time_ms,
            on_finished=self.finish,
            after_restart=after_restart,
        )

    async def commit(self, events: Sequence[rows.Event]) -> None:
        self.commits += events
        self.ticks.append(tuple(events))

    def finish(self) -> None:
        self.finished = True

    def join(self, name: str, rulesets: Sequence[str] = tuple(RULESETS), games: int = 64) -> None:
        presence = Presence("1", games, frozenset(rulesets), close_on_opponents_lead=False)
        self.connections[name] = self.sessions.attach(name, presence, lambda: None)
        self.live.joined(name)

    def go(self, name: str) -> None:
        self.sessions.of(name).detach(self.connections[name])

    async def settle(self) -> None:
        for _ in range(5):
            await asyncio.sleep(0)
        for name in self.connections:
            while (data := self.sessions.of(name).next_frame()) is not None:
                frame = play_pb2.ArenaFrame.FromString(data)
                self.owed.setdefault(name, []).extend(frame.decisions)

    async def at(self, time_ms: float) -> None:
        """Lets time pass; absent bots are looked after on the way."""
        while self.time_ms < time_ms:
            self.time_ms = min(time_ms, self.time_ms + 10)
            self.live.sweep(self.time_ms)
            await self.settle()

    async def play(self, *, until_over: int) -> None:
        """Answers everything, without time passing, until so many games are over."""
        await self.settle()
        while len(self.outcomes) < until_over:
            moved = False
            for name, decisions in self.owed.items():
                if not self.sessions.of(name).connected:
                    continue
                self.owed[name] = []
                for decision in decisions:
                    moved = True
                    self.answer(name, decision)
            assert moved, "nobody has anything to decide"
            await self.settle()

    def answer(self, name: str, decision: play_pb2.Decision) -> None:
        answer = play_pb2.Answer(
            game=decision.game, deal=decision.deal, ply=decision.ply, move=decision.legal[0]
        )
        frame = play_pb2.BotFrame(answers=[answer]).SerializeToString()
        self.sessions.of(name).receive(self.connections[name], frame)

    @property
    def outcomes(self) -> dict[int, GameOutcome]:
        return {row.game_id: row.outcome for row in self.commits if isinstance(row, rows.GameOver)}

    @property
    def opened(self) -> list[int]:
        return [row.game_id for row in self.commits if isinstance(row, rows.GameOpened)]

    def numbers(self, *pair: str) -> list[int]:
        return [game.number for game in self.schedule if set(game.entrants) == set(pair)]


def run(hall: Hall, play: Callable[[], Awaitable[None]]) -> None:
    async def main() -> None:
        tick = asyncio.create_task(hall.tables.run())
        try:
            await asyncio.wait_for(play(), 30)
        finally:
            tick.cancel()
            await asyncio.gather(tick, return_exceptions=True)

    asyncio.run(main())
