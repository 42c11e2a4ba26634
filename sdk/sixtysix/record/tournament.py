"""What a record says of a tournament: its header, its games, its board."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from sixtysix.clock import Clock
from sixtysix.outcome import GameOutcome
from sixtysix.record.deals import DealRecord
from sixtysix.reports import ActionInfo, TournamentState
from sixtysix.rules import Ruleset

__all__ = [
    "BoardRecord",
    "EntrantRecord",
    "GameRecord",
    "RatingParameters",
    "Scheduled",
    "TournamentRecord",
]


@dataclass(frozen=True, slots=True)
class EntrantRecord:
    """A bot in a tournament; `version` is empty if it never joined."""

    id: str
    version: str = ""


@dataclass(frozen=True, slots=True)
class RatingParameters:
    """What the board is rated with, as decimal numerals: a record has no fractions."""

    mu: str
    sigma: str
    beta: str
    tau: str
    draw_probability: str


class Scheduled(NamedTuple):
    """A game of the schedule: `number` and `round` count from 1, `game_index` from 0."""

    number: int
    round: int
    entrants: tuple[str, str]
    game_index: int


@dataclass(frozen=True, slots=True)
class TournamentRecord:
    """The header: all that was fixed before the first card, and where the tournament is now.

    `commitment` and `seed` are hex; `seed` is None while it is secret.
    """

    name: str
    slug: str
    rules: Ruleset
    games_per_pairing: int
    clock: Clock
    entrants: tuple[EntrantRecord, ...]
    """In ascending order of the ids' UTF-8 bytes."""
    rounds: tuple[tuple[tuple[str, str], ...], ...]
    """The pairings of each round, in order; the lower id first."""
    rating: RatingParameters
    shuffle: str
    """The name of the algorithm that deals."""
    commitment: str
    practice: bool
    state: TournamentState
    seed: str | None = None
    actions: tuple[ActionInfo, ...] = ()
    """What the organiser did by hand, in order."""

    @property
    def game_count(self) -> int:
        """Games in the schedule."""
        return sum(map(len, self.rounds)) * self.games_per_pairing

    def schedule(self) -> Iterator[Scheduled]:
        """All games in order: by round, by pairing, by index in the pairing."""
        number = 0
        for round_number, pairings in enumerate(self.rounds, start=1):
            for entrants in pairings:
                for game_index in range(self.games_per_pairing):
                    number += 1
                    yield Scheduled(number, round_number, entrants, game_index)


@dataclass(frozen=True, slots=True)
class GameRecord:
    """A game that is over, with all its deals in order, void ones too."""

    game_id: str
    """The public id: slug, dot, number."""
    number: int
    round: int
    entrants: tuple[str, str]
    """By seat."""
    game_index: int
    deals: tuple[DealRecord, ...]
    outcome: GameOutcome

    @property
    def scheduled(self) -> Scheduled:
        """Its place in the schedule, as this record says."""
        return Scheduled(self.number, self.round, self.entrants, self.game_index)


@dataclass(frozen=True, slots=True)
class BoardRecord:
    """The board: rows best first, in the form in which they are compared byte for byte.

    `round_count` whole rounds count; the games of later ones do not yet.
    """

    round_count: int
    rows: tuple[Mapping[str, Any], ...]
