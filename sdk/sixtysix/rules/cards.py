"""Cards: integers that know their suit, rank and points, and sets of them as bits.

A card is `suit * 6 + rank` with suits C D H S = 0..3 and ranks 9 J Q K T A =
0..5. The rank is also the order of strength: the ten beats the king. A set of
cards is a 24-bit integer with bit `card` set.
"""

from __future__ import annotations

__all__ = ["CARDS", "RANKS", "SUITS", "Card", "beats", "cards_of"]

SUITS = "CDHS"
RANKS = "9JQKTA"
RANK_POINTS = (0, 2, 3, 4, 10, 11)

NINE, JACK, QUEEN, KING, TEN, ACE = range(6)
ALL_CARDS = (1 << 24) - 1
SUIT_CARDS = tuple(0b111111 << (6 * suit) for suit in range(4))
"""The six cards of each suit, as bits."""


class Card(int):
    """One of the 24 cards. Compares, hashes and counts as its integer, 0 to 23."""

    __slots__ = ()

    @property
    def suit(self) -> int:
        """0 to 3: clubs, diamonds, hearts, spades."""
        return self // 6

    @property
    def rank(self) -> int:
        """0 to 5: nine, jack, queen, king, ten, ace; also the order of strength."""
        return self % 6

    @property
    def points(self) -> int:
        """Card points: A 11, T 10, K 4, Q 3, J 2, 9 0."""
        return RANK_POINTS[self % 6]

    def __str__(self) -> str:
        return RANKS[self % 6] + SUITS[self // 6]

    def __repr__(self) -> str:
        return f"<{self}>"


CARDS = tuple(Card(index) for index in range(24))
"""All cards by index."""

CARD_POINTS = tuple(card.points for card in CARDS)


def _subsets(first: int) -> tuple[tuple[Card, ...], ...]:
    """All subsets of the twelve cards from `first`, by their bits."""
    subsets: list[tuple[Card, ...]] = [()]
    for card in CARDS[first : first + 12]:
        subsets += [(*smaller, card) for smaller in subsets]
    return tuple(subsets)


_LOWER, _UPPER = _subsets(0), _subsets(12)


def cards_of(bits: int) -> tuple[Card, ...]:
    """The cards in a set of bits, ascending."""
    return _LOWER[bits & 0xFFF] + _UPPER[bits >> 12]


def beats(reply: int, lead: int, trump_suit: int) -> bool:
    """Whether the follower's card takes the trick from the card led.

    classic §7 and its like: the higher card of the suit led, or a trump on a
    plain suit.
    """
    if reply // 6 == lead // 6:
        return reply > lead
    return reply // 6 == trump_suit
