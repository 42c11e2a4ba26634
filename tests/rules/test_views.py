"""What a seat is shown."""

from __future__ import annotations

import dataclasses

import pytest
from rules.diagrams import DEALER, EVEN, FOREHAND, before_the_sixth_trick, names, play, table

from sixtysix.rules import RULESETS, Card, Move, View

NINE = ("AC TC KC AH TH KH", "9S 9C 9D JD 9H JH", "AS", "QC QD KD TD AD JC QH JS QS KS TS")
"""The dealer holds the trump nine."""


def known(rules: str, hands: tuple[str, ...], moves: str, seat: int) -> str:
    """The cards of the opponent that `seat` knows, after these moves."""
    forehand, dealer, trump, *talon = hands
    deal = play(table(rules, forehand, dealer, trump, *talon), moves)
    view = deal.view(seat)
    assert not set(view.known) & set(view.unseen)
    return names(view.known)


MARRIAGE = ("KH QH 9C JC TC KC", "AH TH 9D JD TD KD", "AS", "QC QD")


@pytest.mark.parametrize(
    ("moves", "shown"),
    [
        ("KH+", "QH"),
        ("QH+", "KH"),
        ("KH", ""),
        ("KH+ AH", "QH"),
        ("KH+ AH | TD QH", ""),
        ("KH+ 9D | QH", ""),
    ],
)
def test_the_other_card_of_a_marriage_is_known_until_it_is_played(moves: str, shown: str) -> None:
    assert known("doubling", MARRIAGE, moves, seat=DEALER) == shown
    assert known("doubling", MARRIAGE, moves, seat=FOREHAND) == ""


def test_the_exchanged_trump_card_is_known_until_it_is_played() -> None:
    assert known("doubling", NINE, "AC 9C | TC exchange", seat=FOREHAND) == "AS"
    assert known("doubling", NINE, "AC 9C | TC exchange", seat=DEALER) == ""
    assert known("doubling", NINE, "AC 9C | TC exchange AS", seat=FOREHAND) == ""


def test_an_exchange_is_shown_to_both() -> None:
    deal = play(table("doubling", *NINE), "AC 9C | TC exchange")
    for view in (deal.view(0), deal.view(1)):
        assert view.exchanged_by == DEALER
        assert (str(view.exchanged_card), str(view.trump_card)) == ("AS", "9S")
        assert view.talon_count == 10


@pytest.mark.parametrize("rules", RULESETS)
def test_the_trump_card_is_known_to_whoever_did_not_draw_it(rules: str) -> None:
    deal = play(before_the_sixth_trick(rules), "TC AH")
    assert names(deal.view(FOREHAND).known) == "9S"
    assert names(deal.view(DEALER).known) == ""
    assert deal.view(FOREHAND).trump_card is None
    assert len(deal.view(FOREHAND).unseen) == 5


def test_a_closed_talon_keeps_its_trump_card_in_sight() -> None:
    view = play(table("doubling", *NINE), "close AC 9C").view(DEALER)
    assert (str(view.trump_card), view.talon_count, view.closed_by) == ("AS", 12, FOREHAND)
    assert view.strict
    assert len(view.unseen) == 24 - 5 - 1 - 2


def test_a_view_of_a_fresh_deal() -> None:
    view = table("doubling", *NINE).view(FOREHAND)
    assert view.ruleset is RULESETS["doubling"]
    assert (view.seat, view.opponent, view.dealer, view.leader) == (0, 1, DEALER, FOREHAND)
    assert names(view.hand) == "KC TC AC KH TH AH"
    assert (view.trump_suit, str(view.trump_card), view.talon_count) == (3, "AS", 12)
    assert (view.points, view.pending, view.trick_counts) == ((0, 0), (0, 0), (0, 0))
    assert (view.tricks, view.led, view.led_card, view.closed_by) == ((), None, None, None)
    assert (view.exchanged_by, view.exchanged_card, view.known) == (None, None, ())
    assert len(view.unseen) == 17
    assert (view.ply, view.strict) == (0, False)
    assert type(view.hand[0]) is Card
    assert type(view.legal[0]) is Move


def test_a_view_in_the_middle_of_a_trick() -> None:
    deal = play(table("played-out", *MARRIAGE), "KH+ AH | TD QH | KD")
    view = deal.view(FOREHAND)
    assert (view.ply, view.leader, str(view.led), str(view.led_card)) == (5, DEALER, "KD", "KD")
    assert view.points == (20, 28)
    assert view.trick_counts == (0, 2)
    first, second = view.tricks
    assert (first.leader, str(first.lead), str(first.reply), first.winner) == (0, "KH+", "AH", 1)
    assert (str(first.lead_card), first.points) == ("KH", 15)
    assert (second.leader, str(second.lead), str(second.reply), second.winner) == (
        1,
        "TD",
        "QH",
        1,
    )
    marriage = play(table("played-out", *MARRIAGE), "KH+").view(DEALER)
    assert (str(marriage.led), str(marriage.led_card)) == ("KH+", "KH")


def test_a_view_carries_what_the_arena_knows() -> None:
    deal = table("classic", *EVEN)
    view = deal.view(1, game="cup.7", deal=3, score=(2, 5), move_ms=900, game_ms=60000)
    assert (view.game, view.deal, view.score) == ("cup.7", 3, (2, 5))
    assert (view.move_ms, view.game_ms) == (900, 60000)
    plain = deal.view(1)
    assert (plain.game, plain.deal, plain.score) == ("", 0, (0, 0))
    assert (plain.move_ms, plain.game_ms) == (None, None)


def test_a_view_never_changes() -> None:
    deal = table("classic", *EVEN)
    view = deal.view(0)
    before = dataclasses.astuple(view)
    play(deal, "TC 9H | JH")
    assert dataclasses.astuple(view) == before
    for field in dataclasses.fields(View):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(view, field.name, None)
