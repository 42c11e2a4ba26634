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

    Seats are 0 and 1; a pair of numbers has seat 0 first, so `points[seat]` are
    this seat's own. Cards and moves are integers with friendly text: a card is
    `suit * 6 + rank`, with suits C D H S = 0..3 and ranks 9 J Q K T A = 0..5,
    and has `suit`, `rank` and `points`. A move to play a card is that card's
    integer; a move has `card`, None for EXCHANGE, CLOSE, CLAIM and PASS.

    ruleset         the rules that are played, with what was agreed
    seat            the seat whose view this is
    dealer          the seat that dealt
    ply             moves of this deal that were made before
    hand            the cards held, ascending
    trump_suit      0 to 3
    trump_card      the card under the talon; None once it has been drawn
    talon_count     cards in the talon, the trump card included: 12 after the deal
    closed_by       the seat that closed the talon, or None
    leader          the seat that leads, or that has led, to the present trick
    led             the leader's move of the present trick, or None
    points          credited card points
    pending         marriage points that wait for their owner's first trick
    tricks          the tricks so far, oldest first: leader, lead, reply, winner
    known           cards that the opponent is known to hold: shown, not played since
    exchanged_by    the seat that exchanged the trump nine, or None
    exchanged_card  the trump card that it took, or None
    legal           the legal moves, ascending, without a false claim; empty off turn
    game            the public id of the game
    deal            the deal within the game, from 0
    score           game points
    move_ms         the longest that this bot may owe decisions without answering
                    any, in milliseconds; None where no clock runs
    game_ms         milliseconds left in this game's bank; None where no clock runs

    Made from these: `opponent`, `led_card`, `trick_counts`, `strict`, `unseen`.
    `Deal.view` is the only source of views; an arena adds the fields from `game`
    on.
    """

    ruleset: Ruleset
    seat: int
    dealer: int
    ply: int
    hand: tuple[Card, ...]
    trump_suit: int
    trump_card: Card | None
    talon_count: int
    closed_by: int | None
    leader: int
    led: Move | None
    points: tuple[int, int]
    pending: tuple[int, int]
    tricks: tuple[Trick, ...]
    known: tuple[Card, ...]
    exchanged_by: int | None
    exchanged_card: Card | None
    legal: tuple[Move, ...]
    game: str = ""
    deal: int = 0
    score: tuple[int, int] = (0, 0)
    move_ms: int | None = None
    game_ms: int | None = None

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
