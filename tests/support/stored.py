"""A tournament for the tests that need one in a store."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from sixtysix.api import TournamentDefinition
from sixtysix.clock import Clock
from sixtysix.rules import ruleset
from sixtysix_arena.schedule import round_robin
from sixtysix_arena.store import Store, Tournament

NOW = "2026-01-31T12:00:00Z"
LATER = "2026-02-01T12:00:00Z"

CUP = TournamentDefinition(
    name="Spring cup",
    slug="cup",
    rules=ruleset("doubling", target=8, agreed_six=True),
    games_per_pairing=2,
    games_at_once=4,
    clock=Clock(per_move_ms=1, per_game_ms=2, grace_ms=3, join_ms=4),
    entrants=("house:random", "ada", "bob"),
)
SEED = b"s" * 32


def create(
    store: Store,
    *,
    seed: bytes = SEED,
    request_id: str = "",
    **changes: Any,
) -> Tournament:
    """Stores the spring cup, with other values of its definition where given."""
    return store.create_tournament(
        replace(CUP, **changes),
        seed=seed,
        commitment=b"c" * 32,
        at=NOW,
        request_id=request_id,
    )


def start(store: Store, slug: str = "cup") -> list[int]:
    """Starts a stored cup; the ids of its games, in the order of the schedule."""
    definition = store.tournament(slug).definition
    schedule = round_robin(definition.entrants, definition.games_per_pairing)
    store.start_tournament(slug, schedule, NOW)
    return [game.id for game in store.games(slug)]
