"""Moves: integers that are the same in Python, protobuf and records.

0-23 play that card · 24-31 lead with a marriage, 24 + 2 * suit + (0 queen,
1 king) · 32 exchange the trump nine · 33 close the talon · 34 claim 66 ·
35 pass. Never renumbered.
"""

from __future__ import annotations

from sixtysix.rules.cards import CARDS, KING, QUEEN, Card

__all__ = ["CLAIM", "CLOSE", "EXCHANGE", "MOVES", "PASS", "Move", "moves_of"]

MARRIAGE = 24
_WORDS = {32: "exchange", 33: "close", 34: "claim", 35: "pass"}
MOVE_COUNT = 36

MOVE_CARD = (
    *range(24),
    *(suit * 6 + rank for suit in range(4) for rank in (QUEEN, KING)),
    *(None for _ in _WORDS),
)
"""The card that each move lays on the table, or None."""

MARRIAGE_OF_SUIT = tuple(0b11 << (MARRIAGE + 2 * suit) for suit in range(4))
"""Both marriage leads of a suit, as bits over move codes."""


class Move(int):
    """One of the 36 moves. Compares, hashes and counts as its code."""

    __slots__ = ()

    @property
    def card(self) -> Card | None:
        """The card it lays on the table; None for exchange, close, claim and pass."""
        index = MOVE_CARD[self]
        return None if index is None else CARDS[index]

    @property
    def is_marriage(self) -> bool:
        """Whether it leads a king or queen and announces the marriage."""
        return 24 <= self < 32

    def __str__(self) -> str:
        word = _WORDS.get(self)
        return word or f"{self.card}{'+' if self.is_marriage else ''}"

    def __repr__(self) -> str:
        return f"<{self}>"


MOVES = tuple(Move(code) for code in range(MOVE_COUNT))
"""All moves by code."""

EXCHANGE = MOVES[32]
CLOSE = MOVES[33]
CLAIM = MOVES[34]
PASS = MOVES[35]

EXCHANGE_BIT = 1 << EXCHANGE
CLOSE_BIT = 1 << CLOSE
CLAIM_BIT = 1 << CLAIM
PASS_BIT = 1 << PASS


def _subsets(first: int) -> tuple[tuple[Move, ...], ...]:
    """All subsets of the twelve moves from `first`, by their bits."""
    subsets: list[tuple[Move, ...]] = [()]
    for move in MOVES[first : first + 12]:
        subsets += [(*smaller, move) for smaller in subsets]
    return tuple(subsets)


_LOW, _MIDDLE, _HIGH = _subsets(0), _subsets(12), _subsets(24)


def moves_of(bits: int) -> tuple[Move, ...]:
    """The moves in a set of bits over move codes, ascending."""
    return _LOW[bits & 0xFFF] + _MIDDLE[bits >> 12 & 0xFFF] + _HIGH[bits >> 24]


def _marriage_leads(hand: int) -> int:
    """The marriage leads that the kings and queens in a hand allow, as bits."""
    bits = 0
    for suit, leads in enumerate(MARRIAGE_OF_SUIT):
        if hand >> (suit * 6 + QUEEN) & hand >> (suit * 6 + KING) & 1:
            bits |= leads
    return bits


_QUEENS = sum(1 << (suit * 6 + QUEEN) for suit in range(4))
_BY_QUEENS = {
    queens: _marriage_leads(queens | queens << 1)
    for queens in (
        sum(1 << (suit * 6 + QUEEN) for suit in range(4) if chosen >> suit & 1)
        for chosen in range(16)
    )
}


def marriage_leads(hand: int) -> int:
    """The marriage leads from a hand given as bits, as bits over move codes."""
    return _BY_QUEENS[hand & hand >> 1 & _QUEENS]
