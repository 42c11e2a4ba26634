"""Text for cards, moves and packs: `TH`, `QH+`, `close`."""

from __future__ import annotations

from sixtysix.rules.cards import CARDS, Card
from sixtysix.rules.errors import NotationError
from sixtysix.rules.moves import MOVES, Move

__all__ = ["parse_card", "parse_cards", "parse_move"]

_CARD_NAMES = {str(card): card for card in CARDS}
_MOVE_NAMES = {str(move): move for move in MOVES}


def parse_card(text: str) -> Card:
    """The card that `text` names: rank 9 J Q K T A, then suit C D H S.

    Raises NotationError for anything else.
    """
    try:
        return _CARD_NAMES[text]
    except KeyError:
        raise NotationError(
            f"{text!r} is no card: expected a rank of 9JQKTA, then a suit of CDHS, like TH"
        ) from None


def parse_cards(text: str) -> tuple[Card, ...]:
    """The cards named in `text`, separated by white space, in that order."""
    return tuple(parse_card(word) for word in text.split())


def parse_move(text: str) -> Move:
    """The move that `text` names: `TH`, `QH+`, `exchange`, `close`, `claim` or `pass`.

    Raises NotationError for anything else.
    """
    try:
        return _MOVE_NAMES[text]
    except KeyError:
        raise NotationError(
            f"{text!r} is no move: expected a card like TH, a king or queen with a plus like QH+,"
            " or one of exchange, close, claim, pass"
        ) from None
