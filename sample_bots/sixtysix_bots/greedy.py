"""A bot that takes what it can get now, by rules of thumb.

It claims, exchanges and announces whenever it may, and never closes. On lead
it keeps its good cards back while the talon is open and plays them out
afterwards. As the follower it takes the trick if that costs no trump, or if
the trick is worth one; otherwise it throws its cheapest card away. It
remembers nothing of the cards that were played.
"""

from __future__ import annotations

from sixtysix.rules import CLAIM, CLOSE, EXCHANGE, PASS, Card, Move, View, beats

version = "1"

WORTH_A_TRUMP = 10
"""Card points on the table for which it spends a trump while the talon is open."""


def choose(view: View) -> Move:
    """Picks a move for this view."""
    for move in (CLAIM, EXCHANGE, PASS):
        if move in view.legal:
            return move
    if view.led_card is None:
        return _lead(view)
    return _follow(view, view.led_card)


def _lead(view: View) -> Move:
    marriages = [move for move in view.legal if move.is_marriage]
    if marriages:
        return max(marriages, key=lambda move: (_card(move).suit == view.trump_suit, -move))
    cards = [move for move in view.legal if move != CLOSE]
    if view.strict:
        return max(cards, key=lambda move: _cost(view, move))
    return min(cards, key=lambda move: _cost(view, move))


def _follow(view: View, led: Card) -> Move:
    takers = [move for move in view.legal if beats(move, led, view.trump_suit)]
    plain = [move for move in takers if _card(move).suit == led.suit != view.trump_suit]
    if plain:
        return max(plain, key=lambda move: _card(move).points)
    if takers and (view.strict or led.points >= WORTH_A_TRUMP):
        return min(takers, key=lambda move: _cost(view, move))
    return min(view.legal, key=lambda move: _cost(view, move))


def _cost(view: View, move: Move) -> int:
    """How loath it is to part with a card: its points, more for a trump or half a marriage."""
    card = _card(move)
    cost = card.points
    if card.suit == view.trump_suit:
        cost += 12
    if str(card)[0] in "QK" and card ^ 1 in view.hand:
        cost += 20
    return cost


def _card(move: Move) -> Card:
    assert move.card is not None
    return move.card
