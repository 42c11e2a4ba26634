"""Deals from card diagrams: hands, trump card and talon as text, and play as text.

Forehand is seat 0 here and the dealer seat 1, so that a test can speak of
FOREHAND and DEALER.
"""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from sixtysix.rules import (
    CARDS,
    RULESETS,
    Card,
    Deal,
    DealEnd,
    IllegalMove,
    Ruleset,
    Stage,
    parse_card,
    parse_cards,
    parse_move,
)

FOREHAND, DEALER = 0, 1


def pack_of(forehand: str, dealer: str, trump: str, talon: str = "") -> list[int]:
    """The pack that deals these hands and turns up `trump`.

    `talon` names the first cards to be drawn, in order; those not named
    anywhere follow in ascending order.
    """
    hands = parse_cards(forehand), parse_cards(dealer)
    assert [len(hand) for hand in hands] == [6, 6], "a hand has six cards"
    dealt = [hands[place % 2][place // 2] for place in range(12)]
    pack = [*dealt, parse_card(trump), *parse_cards(talon)]
    pack += [card for card in CARDS if card not in pack]
    assert len(pack) == len(set(pack)) == 24, "a card is named twice"
    return [int(card) for card in pack]


def table(rules: str | Ruleset, forehand: str, dealer: str, trump: str, talon: str = "") -> Deal:
    """A fresh deal with these hands."""
    if isinstance(rules, str):
        rules = RULESETS[rules]
    return Deal(rules, pack_of(forehand, dealer, trump, talon), DEALER)


def play(deal: Deal, moves: str) -> Deal:
    """Plays moves given as text, and returns the deal.

    Bars between tricks are for the reader. An answer to the follower's
    question before a lead has a question mark before it, "?close"; where none
    is given the follower passes.
    """
    for word in moves.replace("|", " ").split():
        if deal.stage is Stage.QUESTION:
            if not word.startswith("?"):
                deal.play(parse_move("pass"))
        else:
            assert not word.startswith("?"), f"nobody is asked at {word}"
        deal.play(parse_move(word.removeprefix("?")))
    return deal


def ask(deal: Deal) -> Deal:
    """Passes the follower's question if it is open, so that the leader is on turn."""
    if deal.stage is Stage.QUESTION:
        deal.play(parse_move("pass"))
    return deal


def legal(deal: Deal) -> str:
    """The legal moves as text."""
    return " ".join(str(move) for move in deal.legal_moves())


def offered(deal: Deal) -> str:
    """What the seat on turn is offered, as text."""
    assert deal.turn is not None
    return " ".join(str(move) for move in deal.view(deal.turn).legal)


def hand(deal: Deal, seat: int) -> str:
    """A hand as text, ascending."""
    return names(deal.hand(seat))


def names(cards: Iterable[Card]) -> str:
    """Cards as text."""
    return " ".join(str(card) for card in cards)


def may(deal: Deal, move: str) -> bool:
    """Whether a move is legal now."""
    return parse_move(move) in deal.legal_moves()


def reason(deal: Deal, move: str | int) -> str:
    """Why a move is refused; checks that the refusal changes nothing."""
    code = parse_move(move) if isinstance(move, str) else move
    before = everything(deal)
    with pytest.raises(IllegalMove) as caught:
        deal.play(code)
    assert everything(deal) == before, "a refused move changed the deal"
    assert caught.value.move == code
    assert caught.value.legal == deal.legal_moves()
    assert caught.value.reason in str(caught.value)
    return caught.value.reason


def everything(deal: Deal) -> tuple[object, ...]:
    """All that can be asked of a deal."""
    return (
        deal.turn,
        deal.stage,
        deal.ply,
        deal.legal_moves(),
        deal.hand(0),
        deal.hand(1),
        deal.talon(),
        deal.view(0),
        deal.view(1),
        deal.result,
    )


def paid(deal: Deal) -> tuple[str, int, DealEnd]:
    """Who is paid ("forehand", "dealer" or "nobody"), how much, and how the deal ended."""
    result = deal.result
    assert result is not None, f"the deal goes on: {legal(deal)}"
    assert (deal.turn, deal.stage, deal.legal_moves()) == (None, Stage.OVER, ())
    winner = {FOREHAND: "forehand", DEALER: "dealer", None: "nobody"}[result.winner]
    return winner, result.game_points, result.end


EVEN = ("KC QC TC JH AS 9S", "KS QS AH 9H AC JC", "JS", "TD 9D KD QD AD JD KH QH TH TS 9C")
"""A pack in which neither side is much stronger; several tests play it to its last card."""


def before_the_sixth_trick(rules: str) -> Deal:
    """Forehand leads from 9D QC KC TC QS KS; the dealer holds AC AD AS TS AH TD."""
    deal = table(
        rules,
        "9C JC 9D JD QH KH",
        "9H JH QD KD AC AD",
        trump="9S",
        talon="QC AS KC TS TC TH QS AH KS TD JS",
    )
    return ask(play(deal, "JC 9H | JD JH | QH QD | KH KD | 9C TH"))
