"""What an arena tells about itself: the shapes behind its answers and `--json`.

Field for field these are the messages of `arena.proto`; `sixtysix.wire`
translates between the two by name. (A `FaultReport` is made from its message
by a function of its own, since evidence has to be read.) Times are UTC,
`2026-01-31T12:00:00Z`, and empty while the event has not happened.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from sixtysix.clock import Clock
from sixtysix.outcome import Fault, GameEnd
from sixtysix.rules import Ruleset, View

__all__ = [
    "ActionInfo",
    "ActionKind",
    "Board",
    "BoardRow",
    "BotInfo",
    "EntrantInfo",
    "EntrantStatistics",
    "Estimate",
    "FaultReport",
    "FirstDealer",
    "GameInfo",
    "GameState",
    "HeadToHead",
    "OwnerPairing",
    "Statistics",
    "StreamEvent",
    "StreamEventKind",
    "TournamentInfo",
    "TournamentState",
    "ValidationInfo",
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
class ValidationInfo:
    """How a version of a bot did in its trial of a rule set; `failure` is empty if it passed."""

    ruleset: str
    version: str
    at: str
    failure: str = ""


@dataclass(frozen=True, slots=True)
class BotInfo:
    """A registered bot; `validations` and `disabled_reason` are told of one bot, not in lists."""

    name: str
    submitted_at: str
    disabled_at: str = ""
    version: str = ""
    game_count: int = 0
    validations: tuple[ValidationInfo, ...] = ()
    disabled_reason: str = ""
    owner: str = ""
    """Whose it is, in the organiser's words; bots with the same words belong to one owner."""


class ActionKind(StrEnum):
    """What an organiser does by hand."""

    ENDED = "ended"
    """Ended the tournament before its last game was over."""
    VOIDED = "voided"
    """Made a game void, to be played anew."""
    DISABLED = "disabled"
    """Took a bot out of play."""
    EXTENDED = "extended"
    """Gave the bots more time to join."""


@dataclass(frozen=True, slots=True)
class ActionInfo:
    """Something that the organiser did by hand, and why.

    `subject` is a game's public id, or a bot's name; empty for the tournament.
    """

    at: str
    kind: ActionKind
    subject: str
    reason: str


@dataclass(frozen=True, slots=True)
class EntrantInfo:
    """A bot in a tournament; `id` is its name, or `house:` and a house bot's.

    `connection_count` is how often it has connected since the arena started,
    `away_ms` for how long it has been away since, None if it is here or never was.
    `faults` are the games that it has forfeited so far, told where a
    tournament's `games_void_count` is.
    """

    id: str
    version: str = ""
    connected: bool = False
    connection_count: int = 0
    away_ms: int | None = None
    faults: Mapping[Fault, int] = field(default_factory=dict)


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
    actions: tuple[ActionInfo, ...] = ()
    """What the organiser did by hand, in order; not told in lists."""
    join_extra_ms: int = 0
    """What the organiser added to the time for joining."""
    games_void_count: int | None = None
    """Games that are over and void; None in lists and while a tournament is watched."""


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
class Estimate:
    """A number that games tell, and its 95 % interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class EntrantStatistics:
    """What is known of one entrant beside its row of the board.

    `strength` comes from all games at once, whatever their order, on the scale
    of `mu`; `sigma` is its standard deviation against the mean of all entrants,
    and `place` is by it. `above_next` is the likelihood that this entrant is
    stronger than the next on the board, and `separated` says whether that is
    0.975 or more; both are None in the last row. `faults` are the games it
    forfeited. Think times are milliseconds that it was charged for a move of
    its own, `timed_move_count` moves in all; None if there are none.
    """

    entrant: str
    strength: float
    sigma: float
    place: int
    above_next: float | None
    separated: bool | None
    timed_move_count: int
    think_p50_ms: int | None
    think_p95_ms: int | None
    faults: Mapping[Fault, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """All rated games of two entrants, lower id first, seen from its side.

    `win_share` counts a draw as half a game. `points_per_deal` are the game
    points of a deal minus the opponent's; None if the games are too few to tell.
    `superiority` is the likelihood that the first is stronger than the second,
    by the games of all.
    """

    entrants: tuple[str, str]
    won: int
    drawn: int
    lost: int
    deals: int
    game_points_for: int
    game_points_against: int
    win_share: Estimate | None
    points_per_deal: Estimate | None
    superiority: float


@dataclass(frozen=True, slots=True)
class OwnerPairing:
    """Two bots of one owner against each other, beside what both did against bots of others.

    `won`, `drawn` and `lost` are the rated games without a fault, from the side of the
    first, whose id is the lower. `expected_share` is the share of them, a draw counting
    half, that it should have by the other games of both, and `chance` how often chance
    alone is at least as far from that. `thrown` are games that either lost by a fault of
    its own doing (an illegal move, a game given up, its bank used up), and `thrown_chance`
    is how often chance alone puts as many of all that one of them threw into these. What
    is lost for being away or silent is left out. `is_odd` says that one of the two is so
    small that chance alone would do such a thing in hardly one of a hundred tournaments.
    """

    owner: str
    entrants: tuple[str, str]
    won: int
    drawn: int
    lost: int
    expected_share: float
    chance: float
    thrown: int
    thrown_chance: float
    is_odd: bool

    @property
    def games(self) -> int:
        """Games without a fault."""
        return self.won + self.drawn + self.lost

    @property
    def share(self) -> float | None:
        """The share of them that the first won, a draw counting half; None if there are none."""
        return (self.won + self.drawn / 2) / self.games if self.games else None


@dataclass(frozen=True, slots=True)
class FirstDealer:
    """What dealing the first deal of a game is worth, over all games without a fault.

    From the side of the seat that dealt first, as in `HeadToHead`.
    """

    games: int
    win_share: Estimate | None
    points_per_deal: Estimate | None


@dataclass(frozen=True, slots=True)
class Statistics:
    """What stands beside the board of a tournament, from the same games.

    None of it depends on the order of games. `rank_agreement` is Kendall's tau
    between the board's ranking and that by strength: 1 if they are the same.
    `entrants` are in the board's order; `head_to_head` has the pairings that
    played, by ids, and is left out where there are more than 100 entrants.
    `owner_pairings` are those of bots of one owner, the least likely results first,
    100 at most.
    """

    slug: str
    round_count: int
    games: int
    rank_agreement: float | None
    first_dealer: FirstDealer
    entrants: tuple[EntrantStatistics, ...]
    head_to_head: tuple[HeadToHead, ...]
    owner_pairings: tuple[OwnerPairing, ...] = ()


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


class StreamEventKind(StrEnum):
    """What happens on a bot's stream."""

    JOINED = "joined"
    """The bot joined with a new stream."""
    ENDED = "ended"
    """The stream ended."""
    SENT = "sent"
    """The arena sent a frame."""
    RECEIVED = "received"
    """The bot sent a frame."""
    REFUSED = "refused"
    """The bot sent what is no frame, or too much; it was not read."""


@dataclass(frozen=True, slots=True)
class StreamEvent:
    """Something that happened on a bot's stream, `before_ms` before its fault.

    Of a frame, `byte_count` is the size, `data` the first bytes (at most 4,096,
    and 16,384 of all frames together), and `text` what is in it.
    """

    kind: StreamEventKind
    before_ms: int
    text: str
    byte_count: int = 0
    data: bytes = b""


@dataclass(frozen=True, slots=True)
class FaultReport:
    """What a bot did wrong in a game: all that its author needs to mend it.

    `text` says it in one sentence. `deal`, `ply` and `view` are of the decision
    that was open, as it was sent; None if none was. `answer` is the move that
    came, or what came in place of one; empty if nothing did. `waited_ms` is how
    long the decision was out, `charged_ms` what it was charged, None if it was
    not sent yet; `bank_ms` was then left of the bank of the game. `stream` are
    the last events of the bot's stream, oldest first; its frames may carry
    decisions of other games too. Nothing of the opponent's is in here.
    """

    game_id: str
    entrant: str
    fault: Fault
    text: str
    at: str
    deal: int | None
    ply: int | None
    view: View | None
    answer: str
    waited_ms: int | None
    charged_ms: int | None
    bank_ms: int
    stream: tuple[StreamEvent, ...]
