"""The simulation is only worth something if it finds mistakes: here they are made on purpose.

Each changes one thing in the arena, most of them mistakes that somebody might
make or has made, and has to be noticed within some hundred worlds.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import partial
from typing import Any
from unittest import mock

import pytest
from simulation.bots import Upset
from simulation.found import (
    an_outage_while_bots_join,
    joining_while_the_tournament_is_started,
    stopping_a_tournament,
)
from simulation.running import run_scenario
from simulation.scenario import Scenario, plain, scenario_of

from sixtysix.outcome import Fault
from sixtysix.v1 import play_pb2
from sixtysix_arena import journal
from sixtysix_arena.clocks import BotClock
from sixtysix_arena.dealing import Dealer
from sixtysix_arena.entrants import Entrants
from sixtysix_arena.errors import Unavailable
from sixtysix_arena.journal import Journal
from sixtysix_arena.referee import Referee
from sixtysix_arena.sessions.session import Session
from sixtysix_arena.store import StoreThread, Tournament, rows
from sixtysix_arena.tables import Table, Tables, _Tick
from sixtysix_arena.tournaments import Tournaments

# Worlds take what a machine has to give; each bounds itself in its own time.
pytestmark = pytest.mark.timeout(900)

WORLDS = 1_000

Patch = tuple[object, str, object]


def _shown_before_it_is_stored() -> Iterator[Patch]:
    async def run(self: Tables) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            events, self._inbox = self._inbox, []
            tick = _Tick()
            for event in events:
                self._apply(event, tick)
            moves = self.journal.take()
            if moves is not None:
                tick.committed.append(moves)
            self._release(tick)
            if tick.committed:
                await self.insist(partial(self._commit, tick.committed))

    yield Tables, "run", run


def _a_journal_entry_is_lost_now_and_then() -> Iterator[Patch]:
    take = Journal.take

    def forgetful(self: Journal) -> rows.MovesMade | None:
        taken = take(self)
        return None if taken is not None and taken.tick % 7 == 0 else taken

    yield Journal, "take", forgetful


def _a_checkpoint_has_the_last_moves_alone() -> Iterator[Patch]:
    take = Journal.take

    def take_news(self: Journal) -> rows.MovesMade | None:
        moves, self._moves = self._moves, {}
        try:
            return take(self)
        finally:
            self._moves = moves

    yield Journal, "take", take_news


def _the_wrong_seat_is_charged() -> Iterator[Patch]:
    seat_of = Table.seat_of

    def other_seat(self: Table, name: str) -> int:
        return 1 - seat_of(self, name)

    yield Table, "seat_of", other_seat


def _clocks_run_while_nothing_can_be_stored() -> Iterator[Patch]:
    yield StoreThread, "waiting_s", 0.0
    yield StoreThread, "failing", property(lambda _: False, lambda _self, _value: None)


def _bots_are_charged_too_much() -> Iterator[Patch]:
    close = BotClock.close

    def close_late(self: BotClock, game: int, now_ms: float) -> float:
        return close(self, game, now_ms) + 200

    yield BotClock, "close", close_late


def _what_is_owed_is_not_asked_again_after_a_reconnect() -> Iterator[Patch]:
    attach = Session.attach

    def attach_only(self: Session, *arguments: Any) -> Any:
        connection = attach(self, *arguments)
        self._line.clear()
        return connection

    yield Session, "attach", attach_only


def _any_answer_counts_for_the_decision_that_is_open() -> Iterator[Patch]:
    receive = Session._receive_answer

    def receive_any(self: Session, answer: play_pb2.Answer, now_ms: float) -> bool:
        asked = self._asked.get(answer.game)
        if asked is not None:
            answer.deal, answer.ply = asked.decision.deal, asked.decision.ply
        return receive(self, answer, now_ms)

    yield Session, "_receive_answer", receive_any


def _evidence_is_not_kept() -> Iterator[Patch]:
    yield Tables, "_keep_fault", lambda *_: None


def _the_seed_is_told_before_the_end() -> Iterator[Patch]:
    info = Tournament.info

    def info_with_seed(self: Tournament, *arguments: Any, **more: Any) -> Any:
        told = info(self, *arguments, **more)
        object.__setattr__(told, "seed", self.seed.hex())
        return told

    yield Tournament, "info", info_with_seed


def _a_version_is_not_kept_if_its_bot_joins_in_a_moment() -> Iterator[Patch]:
    def joined(self: Tournaments, name: str) -> None:
        for live in self._live.values():
            live.joined(name)

    yield Tournaments, "joined", joined


def _there_is_no_grace() -> Iterator[Patch]:
    yield Entrants, "_away_since_ms", lambda _self, _session: -1e9


def _a_deal_is_dealt_anew_after_a_crash() -> Iterator[Patch]:
    yield Referee, "_resume", lambda _self, _moves: None


def _a_pack_is_dealt_twice() -> Iterator[Patch]:
    pack = Dealer._pack
    yield Dealer, "_pack", lambda self, game, deal: pack(self, game, deal % 3)


def _a_stop_loses_what_has_just_arrived() -> Iterator[Patch]:
    async def take_off(self: Tables, games: Sequence[int]) -> None:
        self._remove(games)

    yield Tables, "take_off", take_off


def _a_commit_that_fails_is_not_tried_again() -> Iterator[Patch]:
    async def insist(_self: Tables, write: Callable[[], Awaitable[Any]]) -> Any:
        try:
            return await write()
        except Unavailable:
            return None

    yield Tables, "insist", insist


def _a_bot_that_leaves_a_game_loses_all() -> Iterator[Patch]:
    leave = Session._receive_leave

    def leave_all(self: Session, left: play_pb2.Leave) -> bool:
        games = [game for game in self._starts if game != left.game]
        for game in games:
            leave(self, play_pb2.Leave(game=game, reason=left.reason))
        return leave(self, left)

    yield Session, "_receive_leave", leave_all


def _moves_of_older_deals_are_read_back_too() -> Iterator[Patch]:
    class Anything(dict[int, int]):
        def get(self, _key: int, _default: Any = None) -> Any:
            return _Equal()

    read = Journal.__init__

    def read_all(self: Journal, stored: Any = (), _in_progress: Any = None) -> None:
        read(self, stored, Anything({0: 0}))

    yield Journal, "__init__", read_all


def _a_silent_bot_is_waited_for_without_end() -> Iterator[Patch]:
    yield Session, "sweep", lambda _self, _now_ms: None


def _a_stream_that_was_cut_off_halfway_fails_its_arena() -> Iterator[Patch]:
    detach = Session.detach

    def detach_badly(self: Session, connection: Any) -> None:
        detach(self, connection)
        asyncio.get_running_loop().call_soon(lambda: 1 // 0)

    yield Session, "detach", detach_badly


class _Equal:
    def __eq__(self, _other: object) -> bool:
        return True

    __hash__ = object.__hash__


PLANTED = (
    _shown_before_it_is_stored,
    _a_journal_entry_is_lost_now_and_then,
    _a_checkpoint_has_the_last_moves_alone,
    _the_wrong_seat_is_charged,
    _clocks_run_while_nothing_can_be_stored,
    _bots_are_charged_too_much,
    _what_is_owed_is_not_asked_again_after_a_reconnect,
    _any_answer_counts_for_the_decision_that_is_open,
    _evidence_is_not_kept,
    _the_seed_is_told_before_the_end,
    _a_version_is_not_kept_if_its_bot_joins_in_a_moment,
    _there_is_no_grace,
    _a_deal_is_dealt_anew_after_a_crash,
    _a_pack_is_dealt_twice,
    _a_stop_loses_what_has_just_arrived,
    _a_commit_that_fails_is_not_tried_again,
    _a_bot_that_leaves_a_game_loses_all,
    _moves_of_older_deals_are_read_back_too,
    _a_silent_bot_is_waited_for_without_end,
    _a_stream_that_was_cut_off_halfway_fails_its_arena,
)


@contextmanager
def _planted(plant: Callable[[], Iterator[Patch]]) -> Iterator[None]:
    with ExitStack() as patches:
        for target, name, wrong in plant():
            patches.enter_context(mock.patch.object(target, name, wrong, create=True))
        yield


@pytest.mark.parametrize("plant", PLANTED, ids=lambda plant: plant.__name__.strip("_"))
def test_a_planted_bug_is_found(plant: Callable[[], Iterator[Patch]]) -> None:
    assert journal.CHECKPOINT_TICKS == 1_000
    with _planted(plant):
        assert any(run_scenario(scenario).wrongs for scenario in _worlds(plant))


def _worlds(plant: Callable[[], Iterator[Patch]]) -> Iterator[Scenario]:
    """Those in which such a thing is found soon, then those of the seeds."""
    yield from _SHORT_CUTS.get(plant, list)()
    yield from map(scenario_of, range(WORLDS))


def _leaving_a_game() -> Iterator[Scenario]:
    for at in range(1, 10):
        scenario = plain(
            upsets={"ada": [Upset("leave", at)]}, may_commit={"ada": frozenset((Fault.LEFT,))}
        )
        ada, bob = scenario.bots
        yield replace(scenario, bots=(replace(ada, most_faults=1), bob))


_SHORT_CUTS: Mapping[Callable[[], Iterator[Patch]], Callable[[], Iterable[Scenario]]] = {
    _a_bot_that_leaves_a_game_loses_all: _leaving_a_game,
    _a_stop_loses_what_has_just_arrived: stopping_a_tournament,
    _a_version_is_not_kept_if_its_bot_joins_in_a_moment: joining_while_the_tournament_is_started,
    _clocks_run_while_nothing_can_be_stored: an_outage_while_bots_join,
}
