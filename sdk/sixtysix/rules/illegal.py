"""Why a move is not legal, in one clause that its author can act on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sixtysix.rules.cards import CARDS, NINE, SUITS
from sixtysix.rules.moves import CLAIM, CLOSE, EXCHANGE, MOVE_CARD, MOVE_COUNT, MOVES
from sixtysix.rules.ruleset import Exchange
from sixtysix.rules.stage import Stage
from sixtysix.rules.view import lead_card

if TYPE_CHECKING:
    from sixtysix.rules.deal import Deal

__all__ = ["why_illegal"]


def why_illegal(deal: Deal, code: int) -> str:
    """Says what is wrong with a move that `deal` does not allow now.

    It tells nothing that the seat on turn does not know.
    """
    if not 0 <= code < MOVE_COUNT:
        return f"moves are the numbers 0 to {MOVE_COUNT - 1}"
    if deal.turn is None:
        return "the deal is over"
    if code == CLAIM:
        return f"{deal.ruleset.name} is played out and counted, so there are no claims"
    if code == CLOSE:
        return _why_not_close(deal)
    if code == EXCHANGE:
        return _why_not_exchange(deal, deal.turn)
    card = MOVE_CARD[code]
    if card is None:
        return "a card must be played"
    return _why_not_card(deal, deal.turn, code, card)


def _why_not_card(deal: Deal, seat: int, code: int, card: int) -> str:
    if deal.stage is Stage.QUESTION:
        return "before the opponent's lead one may only close, claim or pass"
    if deal.stage is Stage.ANNOUNCED:
        return "after the marriage one may only claim or pass"
    hand = deal.hand(seat)
    if card not in hand:
        return f"{CARDS[card]} is not in your hand"
    if MOVES[code].is_marriage:
        if deal.stage is Stage.FOLLOW:
            return "a marriage is announced on one's own lead"
        return f"the other card of the marriage in {SUITS[card // 6]} is not in your hand"
    assert deal.led is not None
    suit = lead_card(deal.led) // 6
    if any(held.suit == suit for held in hand):
        return f"{SUITS[suit]} was led and must be followed"
    return f"you have no {SUITS[suit]} and must play a trump"


def _why_not_close(deal: Deal) -> str:
    rules = deal.ruleset
    if rules.close_min_talon is None:
        return f"{rules.name} has no closing"
    if deal.closed_by is not None:
        return "the talon is closed already"
    if deal.talon_count < rules.close_min_talon:
        return f"the talon must hold at least {rules.close_min_talon} cards"
    if rules.close_after_first_trick and not deal.tricks:
        return "the talon may be closed only after the first trick"
    if deal.stage is Stage.FOLLOW:
        return "the talon is closed before a lead, not after it"
    return "this is not the moment to close"


def _why_not_exchange(deal: Deal, seat: int) -> str:
    rules = deal.ruleset
    if rules.exchange is Exchange.NEVER:
        return f"{rules.name} has no exchange"
    if deal.closed_by is not None:
        return "the talon is closed"
    if deal.talon_count == 0:
        return "the trump card has been drawn"
    nine = deal.trump_suit * 6 + NINE
    if nine not in deal.hand(seat):
        return f"{CARDS[nine]} is not in your hand"
    if rules.exchange is Exchange.AFTER_FIRST_TRICK and not deal.tricks:
        return "the first trick has not been played"
    if rules.exchange is Exchange.AFTER_OWN_TRICK and not deal.trick_counts[seat]:
        return "you have not taken a trick yet"
    return "after the marriage one may only claim or pass"
