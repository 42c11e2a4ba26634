"""Tournaments in which the bot `bad`, in seat 0, does what a test wants of it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from support.arenas import (
    CLOCK,
    RawBot,
    bot,
    definition,
    outcomes,
    running_arena,
    until_finished,
)

from sixtysix.clock import Clock
from sixtysix.outcome import Fault, GameEnd, GameOutcome
from sixtysix.record import DealRecord
from sixtysix.v1 import play_pb2
from sixtysix.wire import unpack_deal
from sixtysix_arena.arena import Arena
from sixtysix_arena.store import FaultEvidence

__all__ = [
    "PATIENT",
    "Behaviour",
    "Played",
    "answer",
    "check_forfeits",
    "deals",
    "read_on",
    "run",
    "tournament_of",
]

Behaviour = Callable[[RawBot], Coroutine[Any, Any, None]]
PATIENT = Clock(per_move_ms=60_000, per_game_ms=600_000, grace_ms=300, join_ms=20_000)
"""For bots that are in time on however slow a machine."""


def run(work: Coroutine[Any, Any, Any], timeout_s: float = 100) -> Any:
    """Runs a test's coroutine, with a limit to how long."""
    return asyncio.run(asyncio.wait_for(work, timeout_s))


def answer(decision: play_pb2.Decision, **changes: int | None) -> play_pb2.Answer:
    """The first legal move for an answer, or whatever a test makes of it."""
    fields: dict[str, int | None] = {
        "game": decision.game,
        "deal": decision.deal,
        "ply": decision.ply,
        "move": decision.legal[0],
    }
    return play_pb2.Answer(**fields | changes)  # type: ignore[arg-type]


async def read_on(raw: RawBot) -> None:
    """Reads and says nothing."""
    while True:
        await raw.receive()


@dataclass(frozen=True)
class Played:
    """What a tournament left in the store, in the order of the schedule."""

    results: list[GameOutcome]
    evidence: list[FaultEvidence]
    deals: list[tuple[DealRecord, ...]]


def deals(arena: Arena, game: int) -> tuple[DealRecord, ...]:
    """The stored deals of a game."""
    return tuple(unpack_deal(record) for _, record in arena.reader.deals(game))


def tournament_of(
    tmp_path: Path,
    behave: Behaviour,
    *,
    rules: str = "classic",
    clock: Clock = CLOCK,
    games_per_pairing: int = 2,
    games_at_once: int = 4,
    **hello: Any,
) -> Played:
    """`bad` behaves, `good` plays properly; returns what was stored in the end.

    What `behave` asserts is asserted for the test.
    """
    wrong: list[AssertionError] = []

    async def behave_or_fail(raw: RawBot) -> None:
        try:
            await behave(raw)
        except AssertionError as error:
            wrong.append(error)

    async def main() -> Played:
        async with (
            running_arena(tmp_path / "data") as arena,
            bot(arena, "good", RawBot.play),
            bot(arena, "bad", behave_or_fail, **hello),
        ):
            await arena.create_tournament(
                definition(
                    ("bad", "good"),
                    rules=rules,
                    clock=clock,
                    games_per_pairing=games_per_pairing,
                    games_at_once=games_at_once,
                )
            )
            await arena.start_tournament("cup")
            await until_finished(arena)
            games = range(1, games_per_pairing + 1)
            evidence = [fault for game in games for fault in arena.reader.faults(game)]
            return Played(outcomes(arena), evidence, [deals(arena, game) for game in games])

    played: Played = run(main())
    for error in wrong:
        raise error
    return played


def check_forfeits(played: Played, fault: Fault, *, count: int = 2) -> list[str]:
    """So many games are lost by `bad`, with this fault and its evidence; returns the reasons."""
    forfeits = [outcome for outcome in played.results if outcome.end is GameEnd.FORFEIT]
    assert [(outcome.fault, outcome.winner) for outcome in forfeits] == [(fault, 1)] * count
    assert len(played.evidence) == count
    assert [each.text for each in played.evidence] == [outcome.reason for outcome in forfeits]
    return [outcome.reason for outcome in forfeits]
