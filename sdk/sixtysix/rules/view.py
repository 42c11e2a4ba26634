"""What a seat may know: the one thing that is shown to a bot."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from sixtysix.rules.cards import ALL_CARDS, CARDS, Card, beats, cards_of
from sixtysix.rules.moves import MOVES, Move
from sixtysix.rules.ruleset import Ruleset

__all__ = ["Trick", "View"]


class Trick(NamedTuple):
    """A trick that is over."""

    leader: int
    """The seat that led."""
    lead: Move
    """The leader's move: a card, or a marriage with its card."""
    reply: Card
    """The follower's card."""
    winner: int
    """The seat that took it."""

    @property
    def lead_card(self) -> Card:
        """The card that was led."""
        return CARDS[lead_card(self.lead)]

    @property
    def points(self) -> int:
        """The card points of its two cards."""
        return self.lead_card.points + self.reply.points


def lead_card(lead: int) -> int:
    """The card index of a leader's move, 0 to 31."""
    return lead if lead < 24 else (lead - 24) // 2 * 6 + 2 + lead % 2


@cache
def trick(leader: int, lead: int, reply: int, trump_suit: int) -> Trick:
    """The trick of these cards; made once, for there are only a few thousand."""
    follower_wins = beats(reply, lead_card(lead), trump_suit)
    return Trick(leader, MOVES[lead], CARDS[reply], 1 - leader if follower_wins else leader)


@dataclass(frozen=True, slots=True)
class View:
    """All that one seat may know of a deal at one moment, and nothing else.

    Seats are 0 and 1; a pair of numbers has seat 0 first. Cards, moves and
    points are integers with friendly text. `Deal.view` is the only source of
    views; an arena adds the fields from `game` on.
    """

    ruleset: Ruleset
    seat: int
    """The seat whose view this is."""
    dealer: int
    ply: int
    """Moves of this deal that were made before."""
    hand: tuple[Card, ...]
    """The cards held, ascending."""
    trump_suit: int
    trump_card: Card | None
    """The card under the talon; None once it has been drawn."""
    talon_count: int
    """Cards in the talon, the trump card included: 12 after the deal."""
    closed_by: int | None
    """The seat that closed the talon."""
    leader: int
    """The seat that leads, or that has led, to the present trick."""
    led: Move | None
    """The leader's move of the present trick, if it has been made."""
    points: tuple[int, int]
    """Credited card points."""
    pending: tuple[int, int]
    """Marriage points that wait for their owner's first trick."""
    tricks: tuple[Trick, ...]
    """The tricks so far, oldest first."""
    known: tuple[Card, ...]
    """Cards that the opponent is known to hold: shown, and not played since."""
    exchanged_by: int | None
    """The seat that exchanged the trump nine."""
    exchanged_card: Card | None
    """The trump card that it took."""
    legal: tuple[Move, ...]
    """The legal moves, ascending, without a claim that would be false; empty off turn."""
    game: str = ""
    """The public id of the game."""
    deal: int = 0
    """The deal within the game, from 0."""
    score: tuple[int, int] = (0, 0)
    """Game points."""
    move_ms: int | None = None
    """The longest that this bot may owe decisions without answering any, in milliseconds."""
    game_ms: int | None = None
    """Milliseconds left in this game's bank."""

    @property
    def opponent(self) -> int:
        """The other seat."""
        return 1 - self.seat

    @property
    def led_card(self) -> Card | None:
        """The card on the table, if one was led."""
        return None if self.led is None else CARDS[lead_card(self.led)]

    @property
    def trick_counts(self) -> tuple[int, int]:
        """Tricks taken."""
        won_by_1 = sum(trick.winner for trick in self.tricks)
        return len(self.tricks) - won_by_1, won_by_1

    @property
    def strict(self) -> bool:
        """Whether suit must be followed: the talon is closed or used up."""
        return self.closed_by is not None or self.talon_count == 0

    @property
    def unseen(self) -> tuple[Card, ...]:
        """Cards whose place this seat does not know, ascending.

        They are in the talon or in the opponent's hand.
        """
        seen = 0
        for card in self.hand:
            seen |= 1 << card
        for card in self.known:
            seen |= 1 << card
        for trick in self.tricks:
            seen |= 1 << lead_card(trick.lead) | 1 << trick.reply
        if self.led is not None:
            seen |= 1 << lead_card(self.led)
        if self.trump_card is not None:
            seen |= 1 << self.trump_card
        return cards_of(ALL_CARDS & ~seen)
