"""What can be asked of an arena: one interface, over the network or over a data folder.

    ApiError (SixtySixError)
    ├── NotFound (LookupError)     there is no such bot, tournament or game
    ├── AlreadyExists              the name is taken
    ├── WrongState                 it exists, but does not allow this now
    ├── InvalidRequest (ValueError)  what was asked for makes no sense
    ├── NotAllowed                 the token is missing, wrong or not enough
    ├── ArenaUnreachable           no arena answers, or it cannot serve now
    └── JoinRefused                the arena does not let the bot play, and will not later

The text of each is one sentence, the arena's own where it has one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Protocol

from sixtysix.clock import Clock
from sixtysix.record import DealRecord
from sixtysix.reports import Board, BotInfo, FaultReport, GameInfo, Statistics, TournamentInfo
from sixtysix.rules import Ruleset, SixtySixError

__all__ = [
    "AlreadyExists",
    "ApiError",
    "ArenaApi",
    "ArenaReader",
    "ArenaUnreachable",
    "GameReport",
    "InvalidRequest",
    "JoinRefused",
    "NotAllowed",
    "NotFound",
    "TournamentDefinition",
    "WrongState",
]


class ApiError(SixtySixError):
    """A call that was not carried out; one of the classes below, or a failure of the arena."""


class NotFound(ApiError, LookupError):
    """There is no such bot, tournament or game."""


class AlreadyExists(ApiError):
    """The name is taken."""


class WrongState(ApiError):
    """The thing exists, but it is not in a state that allows this."""


class InvalidRequest(ApiError, ValueError):
    """What was asked for makes no sense, whatever the state."""


class NotAllowed(ApiError):
    """The token is missing, wrong, or not enough for this."""


class ArenaUnreachable(ApiError):
    """No arena answers, or it cannot serve now; trying again later may help."""


class JoinRefused(ApiError):
    """The arena does not let the bot play, and trying again would not help."""


@dataclass(frozen=True, slots=True)
class TournamentDefinition:
    """A tournament as its organiser wants it.

    `entrants` are ids: names of bots, or `house:` and the name of a house bot.
    With a `practice_seed` the deals are predictable, and the tournament never
    counts in a standing board. Two definitions are equal if they say the same:
    entrants are kept in ascending order, whatever order they came in.
    """

    name: str
    slug: str
    rules: Ruleset
    games_per_pairing: int
    games_at_once: int
    entrants: tuple[str, ...]
    practice_seed: str | None = None
    clock: Clock = field(default_factory=Clock)

    def __post_init__(self) -> None:
        object.__setattr__(self, "entrants", tuple(sorted(self.entrants, key=str.encode)))


@dataclass(frozen=True, slots=True)
class GameReport:
    """A game with the deals of it that are over, in order, and its time limits."""

    game: GameInfo
    rules: Ruleset
    deals: tuple[DealRecord, ...]
    clock: Clock


class ArenaReader(Protocol):
    """The calls that only read.

    Each raises an ApiError if it cannot be carried out. What returns an
    iterator may raise while it is read.
    """

    def bot(self, name: str) -> BotInfo:
        """One bot."""
        ...

    def bots(self) -> Iterator[BotInfo]:
        """All bots, by name."""
        ...

    def tournament(self, slug: str) -> TournamentInfo:
        """How a tournament stands."""
        ...

    def tournaments(self) -> Iterator[TournamentInfo]:
        """All tournaments, the latest first."""
        ...

    def watch_tournament(self, slug: str) -> Iterator[TournamentInfo]:
        """How a tournament stands, again and again until it no longer runs."""
        ...

    def board(self, slug: str) -> Board:
        """The board of a tournament."""
        ...

    def statistics(self, slug: str) -> Statistics:
        """What stands beside the board of a tournament."""
        ...

    def standing_board(self, ruleset: str) -> Board:
        """The standing board of a rule set, over all ranked tournaments."""
        ...

    def games(self, slug: str, entrant: str | None = None) -> Iterator[GameInfo]:
        """The games of a tournament in the order of the schedule, or one entrant's."""
        ...

    def game(self, game_id: str) -> GameReport:
        """One game with the deals of it that are over."""
        ...

    def faults(self, game_id: str) -> tuple[FaultReport, ...]:
        """What went wrong in a game, with its evidence, by seat; empty if nothing did.

        The organiser sees both sides, a bot only its own faults. Raises
        NotAllowed without a token, and for a bot that does not play this game.
        """
        ...

    def export(self, slug: str) -> Iterator[str]:
        """The public record of a tournament as it stands: lines, each with its line feed.

        `sixtysix.verify.verify` checks them; `sixtysix.record` reads them.
        """
        ...


class ArenaApi(ArenaReader, Protocol):
    """The calls of an arena; those that change something need the organiser's token."""

    def submit_bot(self, name: str, owner: str = "") -> tuple[BotInfo, str]:
        """Registers a bot. The text is its token, which is told this once.

        `owner` says whose it is, in at most 60 bytes; it becomes public.
        """
        ...

    def rotate_token(self, name: str) -> str:
        """Replaces a bot's token, and returns the new one; the old one ends at once."""
        ...

    def set_owner(self, name: str, owner: str) -> BotInfo:
        """Says whose a bot is; nobody's if `owner` is empty."""
        ...

    def disable_bot(self, name: str, reason: str = "") -> BotInfo:
        """Takes a bot out of play; what it played stands, the rest it forfeits."""
        ...

    def create_tournament(self, definition: TournamentDefinition) -> TournamentInfo:
        """Stores a tournament, draws its seed and publishes the commitment."""
        ...

    def start_tournament(self, slug: str, *, unvalidated: bool = False) -> TournamentInfo:
        """Starts a tournament, or continues one that was stopped.

        With `unvalidated` bots play in it, from now on, that were not validated.
        """
        ...

    def stop_tournament(self, slug: str) -> TournamentInfo:
        """Suspends a tournament."""
        ...

    def end_tournament(self, slug: str, reason: str) -> TournamentInfo:
        """Ends a tournament early: what is not over is void, and the seed is revealed."""
        ...

    def remove_tournament(self, slug: str) -> TournamentInfo:
        """Removes a tournament that was never started, and returns how it stood."""
        ...

    def extend_joining(self, slug: str, by_ms: int, reason: str = "") -> TournamentInfo:
        """Gives the bots of a tournament more time to join."""
        ...

    def void_game(self, game_id: str, reason: str) -> GameInfo:
        """Makes a game void and has it played anew, with fresh deals."""
        ...
