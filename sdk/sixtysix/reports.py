"""What an arena tells about itself: the shapes behind its answers and `--json`.

Field for field these are the messages of `arena.proto`; `sixtysix.wire`
translates between the two by name. Times are UTC, `2026-01-31T12:00:00Z`,
and empty while the event has not happened.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from sixtysix.clock import Clock
from sixtysix.outcome import Fault, GameEnd
from sixtysix.rules import Ruleset

__all__ = [
    "Board",
    "BoardRow",
    "BotInfo",
    "EntrantInfo",
    "GameInfo",
    "GameState",
    "TournamentInfo",
    "TournamentState",
]


class TournamentState(StrEnum):
    """Where a tournament is in its life."""

    CREATED = "created"
    """Stored, not started."""
    RUNNING = "running"
    """Being played, or ready to be as soon as its arena runs."""
    STOPPED = "stopped"
    """Suspended by the organiser."""
    FINISHED = "finished"
    """Over."""


class GameState(StrEnum):
    """Where a game is in its life."""

    SCHEDULED = "scheduled"
    """In the schedule, not begun."""
    OPEN = "open"
    """Begun, not over."""
    OVER = "over"
    """Over."""


@dataclass(frozen=True, slots=True)
class BotInfo:
    """A registered bot."""

    name: str
    submitted_at: str
    disabled_at: str = ""
    version: str = ""
    game_count: int = 0


@dataclass(frozen=True, slots=True)
class EntrantInfo:
    """A bot in a tournament; `id` is its name, or `house:` and a house bot's."""

    id: str
    version: str = ""
    connected: bool = False


@dataclass(frozen=True, slots=True)
class TournamentInfo:
    """A tournament and how it stands.

    `commitment` and `seed` are hex; the seed is empty until the last game is
    over. `waiting_for` is one sentence, empty while play goes on.
    """

    name: str
    slug: str
    rules: Ruleset
    games_per_pairing: int
    games_at_once: int
    clock: Clock
    practice: bool
    commitment: str
    seed: str
    state: TournamentState
    entrants: tuple[EntrantInfo, ...]
    game_count: int
    games_over_count: int
    games_open_count: int
    waiting_for: str
    created_at: str
    started_at: str
    finished_at: str


@dataclass(frozen=True, slots=True)
class BoardRow:
    """One entrant's row; `rating` is mu - 3 sigma, what the board is ranked by."""

    rank: int
    entrant: str
    version: str
    mu: float
    sigma: float
    rating: float
    games: int
    won: int
    drawn: int
    lost: int
    deals: int
    game_points_for: int
    game_points_against: int
    void: int
    faults: Mapping[Fault, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Board:
    """The ranked table of a tournament, or of a rule set (then `slug` is empty).

    While games are missing only whole rounds count: `round_count` of
    `rounds_total`. `canonical` is the form that is compared byte for byte.
    """

    slug: str
    ruleset: str
    final: bool
    practice: bool
    round_count: int
    rounds_total: int
    rows: tuple[BoardRow, ...]
    canonical: str


@dataclass(frozen=True, slots=True)
class GameInfo:
    """A game of a schedule; `entrants` and `score` are by seat."""

    game_id: str
    number: int
    round: int
    entrants: tuple[str, str]
    game_index: int
    state: GameState
    score: tuple[int, int]
    deal_count: int
    end: GameEnd | None = None
    winner: int | None = None
    fault: Fault | None = None
    reason: str = ""
