"""What the store takes and gives: plain values, no database in sight.

Times are UTC text, `2026-01-31T12:00:00Z`, and empty while the event has not
happened. Seats are 0 and 1; pairs are by seat.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from sixtysix.api import TournamentDefinition
from sixtysix.outcome import Fault, GameOutcome
from sixtysix.reports import (
    ActionInfo,
    EntrantInfo,
    GameInfo,
    GameState,
    TournamentInfo,
    TournamentState,
)
from sixtysix_arena.schedule import ScheduledGame

__all__ = [
    "DealOver",
    "DealStarted",
    "Event",
    "FaultEvidence",
    "Game",
    "GameFilter",
    "GameOpened",
    "GameOver",
    "GamesSoFar",
    "MovesMade",
    "Progress",
    "Rounds",
    "Tournament",
    "UnfinishedGame",
    "Validation",
]


@dataclass(frozen=True, slots=True)
class Progress:
    """How many games of a tournament are in which state."""

    scheduled: int = 0
    open: int = 0
    over: int = 0

    @property
    def total(self) -> int:
        return self.scheduled + self.open + self.over


@dataclass(frozen=True, slots=True)
class GamesSoFar:
    """An entrant's games that are over, of whatever rounds; faults are those that it committed."""

    entrant: str
    won: int = 0
    drawn: int = 0
    lost: int = 0
    void: int = 0
    faults: int = 0

    @property
    def over(self) -> int:
        return self.won + self.drawn + self.lost + self.void


@dataclass(frozen=True, slots=True)
class Rounds:
    """How many rounds a schedule has, and of how many from the first all games are over."""

    total: int = 0
    whole: int = 0


@dataclass(frozen=True, slots=True)
class Tournament:
    """A stored tournament. `versions` holds the entrants that have joined.

    The seed is here, since dealing needs it, and is left out of the repr;
    `info` gives what others may know. It is empty in a tournament that came
    back from a record of before its end: that cannot go on.
    """

    id: int
    definition: TournamentDefinition
    seed: bytes = field(repr=False)
    commitment: bytes
    state: TournamentState
    unvalidated: bool
    """Whether bots play in it that were not validated."""
    versions: Mapping[str, str]
    created_at: str
    started_at: str
    finished_at: str
    join_extra_ms: int = 0
    """What the organiser added to the time for joining."""

    @property
    def slug(self) -> str:
        return self.definition.slug

    @property
    def practice(self) -> bool:
        return self.definition.practice_seed is not None

    def info(
        self,
        progress: Progress,
        *,
        waiting_for: str = "",
        actions: tuple[ActionInfo, ...] = (),
    ) -> TournamentInfo:
        """The public account. The seed is in it only once the last game is over."""
        definition = self.definition
        finished = self.state is TournamentState.FINISHED
        return TournamentInfo(
            name=definition.name,
            slug=definition.slug,
            rules=definition.rules,
            games_per_pairing=definition.games_per_pairing,
            games_at_once=definition.games_at_once,
            clock=definition.clock,
            practice=self.practice,
            commitment=self.commitment.hex(),
            seed=self.seed.hex() if finished else "",
            state=self.state,
            entrants=tuple(
                EntrantInfo(name, self.versions.get(name, "")) for name in definition.entrants
            ),
            game_count=progress.total,
            games_over_count=progress.over,
            games_open_count=progress.open,
            waiting_for=waiting_for if self.seed else "its seed is lost, so that it cannot go on",
            created_at=self.created_at,
            started_at=self.started_at,
            finished_at=self.finished_at,
            actions=actions,
            join_extra_ms=self.join_extra_ms,
        )


@dataclass(frozen=True, slots=True)
class Game:
    """A stored game. `id` names it on streams, `public_id` everywhere else.

    `score` and `deal_count` (void deals left out) stand as of the last deal
    that is over; `deals_started` is one more than the highest deal number
    that was ever dealt. `outcome` is there if and only if the game is over.
    `wants_question` says, once it is open, who is asked classic's question.
    """

    id: int
    slug: str
    scheduled: ScheduledGame
    state: GameState
    deals_started: int
    score: tuple[int, int]
    deal_count: int
    outcome: GameOutcome | None
    wants_question: tuple[bool, bool] = (False, False)

    @property
    def number(self) -> int:
        return self.scheduled.number

    @property
    def entrants(self) -> tuple[str, str]:
        return self.scheduled.entrants

    @property
    def public_id(self) -> str:
        return f"{self.slug}.{self.scheduled.number}"

    def info(self) -> GameInfo:
        """The public account."""
        outcome = self.outcome
        return GameInfo(
            game_id=self.public_id,
            number=self.scheduled.number,
            round=self.scheduled.round,
            entrants=self.scheduled.entrants,
            game_index=self.scheduled.game_index,
            state=self.state,
            score=self.score,
            deal_count=self.deal_count,
            end=outcome.end if outcome else None,
            winner=outcome.winner if outcome else None,
            fault=outcome.fault if outcome else None,
            reason=outcome.reason if outcome else "",
        )


@dataclass(frozen=True, slots=True)
class UnfinishedGame:
    """A game that is not over, with the numbers of its stored deals, ascending."""

    game: Game
    stored_deals: tuple[int, ...]

    @property
    def deal_in_progress(self) -> int | None:
        """The deal that was started last, if it is not over."""
        last = self.game.deals_started - 1
        return None if last < 0 or last in self.stored_deals else last

    @property
    def broken_deals(self) -> tuple[int, ...]:
        """Deals before it that were never stored: of these there is no journal."""
        known = {*self.stored_deals, self.deal_in_progress}
        return tuple(n for n in range(self.game.deals_started) if n not in known)


@dataclass(frozen=True, slots=True)
class GameFilter:
    """Which games of a tournament are wanted; what is empty does not matter.

    `result` is `won` or `lost`, by `entrant`, or `drawn`, `void`, `open`,
    `scheduled`, `over`. `fault` is a fault's name, or `any`; with an entrant,
    those that it committed. `has_deals` asks for games with a deal that counts.
    """

    entrant: str = ""
    opponent: str = ""
    result: str = ""
    fault: str = ""
    has_deals: bool = False


@dataclass(frozen=True, slots=True)
class GameOpened:
    """A scheduled game begins; `wants_question` says by seat who is asked classic's question."""

    game_id: int
    wants_question: tuple[bool, bool] = (False, False)


@dataclass(frozen=True, slots=True)
class DealStarted:
    """A deal is about to be shown to its players."""

    game_id: int
    deal: int


@dataclass(frozen=True, slots=True)
class MovesMade:
    """Moves that bots made in deals that are not over, for the store just bytes.

    Ticks ascend over the life of a data folder. A checkpoint holds all that
    the rows of earlier ticks have and is still needed.
    """

    tick: int
    moves: bytes
    is_checkpoint: bool = False


@dataclass(frozen=True, slots=True)
class DealOver:
    """A deal is over, broken off or void; `counted` is False for a void one.

    `record` is the deal's record as bytes, which the store does not look
    into; `score` is the game's after the deal.
    """

    game_id: int
    deal: int
    record: bytes
    score: tuple[int, int]
    counted: bool = True


@dataclass(frozen=True, slots=True)
class GameOver:
    """A game is over, whether it was open or still only scheduled."""

    game_id: int
    outcome: GameOutcome


@dataclass(frozen=True, slots=True)
class FaultEvidence:
    """What a seat did wrong in a game.

    `deal` and `ply` are those of the decision that was open; None if none was.
    `evidence` is a record as bytes, which the store does not look into.
    """

    game_id: int
    seat: int
    fault: Fault
    text: str
    at: str
    deal: int | None = None
    ply: int | None = None
    evidence: bytes = b""


Event = GameOpened | DealStarted | MovesMade | DealOver | GameOver | FaultEvidence
"""One thing that a tick makes durable."""


@dataclass(frozen=True, slots=True)
class Validation:
    """How a version of a bot did in its trial of a rule set."""

    bot: str
    version: str
    ruleset: str
    failure: str
    """What went wrong, in one sentence; empty if it passed."""
    at: str
    transcript: bytes = b""
    """The records of its deals, for the store just bytes."""
