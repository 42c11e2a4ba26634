"""Illegal moves: every kind in every rule set is refused with its reason, and changes nothing."""

from __future__ import annotations

import pytest
from rules.diagrams import ask, before_the_sixth_trick, play, reason, table

from sixtysix.rules import RULESETS, IllegalMove, SixtySixError

HANDS = ("KH QH KS QS AC TD", "9H AH 9D JD TC 9S", "AS", "AD KD JC QC KC TH 9C")
"""Forehand has two marriages; the dealer has the trump nine."""

EVERYWHERE = [
    # Moves, the illegal move, why.
    ("", "AH", "AH is not in your hand"),
    ("", "QC+", "QC is not in your hand"),
    ("TD JD", "KD+", "KD is not in your hand"),
    ("AC", "AC", "AC is not in your hand"),
    ("AC TC", "AC", "AC is not in your hand"),
    ("KH", "QH+", "QH is not in your hand"),
    ("TD", "pass", "a card must be played"),
    ("AC TC", "pass", "a card must be played"),
]

OF_A_RULESET = {
    "classic": [
        ("", "exchange", "classic has no exchange"),
        ("AC", "close", "the talon is closed before a lead, not after it"),
        ("close", "close", "the talon is closed already"),
        ("close KS", "close", "the talon is closed already"),
        ("close KH", "9S", "H was led and must be followed"),
        ("AC TC | TD JD | KS 9S | QH 9D", "close", "the talon must hold at least 5 cards"),
        ("TD JD | KS+ 9D | KH+", "QH", "after the marriage one may only claim or pass"),
        ("TD JD | KS+ 9D | KH+", "close", "this is not the moment to close"),
        ("TD JD | KS+ 9D | KH+", "exchange", "classic has no exchange"),
    ],
    "doubling": [
        ("", "exchange", "9S is not in your hand"),
        ("AC", "exchange", "the first trick has not been played"),
        ("AC", "close", "the talon is closed before a lead, not after it"),
        ("close", "close", "the talon is closed already"),
        ("close KS", "exchange", "the talon is closed"),
        ("close KS", "AH", "S was led and must be followed"),
        ("TD JD | KS 9S", "exchange", "9S is not in your hand"),
        ("AC TC | KS exchange", "exchange", "9S is not in your hand"),
        ("TD JD | KS+ 9D | KH+", "QH", "after the marriage one may only claim or pass"),
        ("TD JD | KS+ 9D | KH+", "close", "this is not the moment to close"),
    ],
    "played-out": [
        ("", "claim", "played-out is played out and counted, so there are no claims"),
        ("", "exchange", "played-out has no exchange"),
        ("", "close", "the talon may be closed only after the first trick"),
        ("AC", "close", "the talon may be closed only after the first trick"),
        ("AC TC | TD", "close", "the talon is closed before a lead, not after it"),
        ("AC TC | close", "close", "the talon is closed already"),
        ("AC TC | close KH", "JD", "H was led and must be followed"),
        ("AC TC | close TD", "9H", "D was led and must be followed"),
    ],
    "last-trick": [
        ("", "close", "last-trick has no closing"),
        ("AC TC", "close", "last-trick has no closing"),
        ("AC", "exchange", "you have not taken a trick yet"),
        ("AC TC | TD", "exchange", "you have not taken a trick yet"),
        ("AC TC", "exchange", "9S is not in your hand"),
        ("TD JD | KS+ 9D | KH+", "QH", "after the marriage one may only claim or pass"),
        ("TD JD | KS+ 9D | KH+", "exchange", "9S is not in your hand"),
    ],
}

ALL = [(rules, *row) for rules in RULESETS for row in EVERYWHERE + OF_A_RULESET[rules]]


@pytest.mark.parametrize(("rules", "moves", "move", "why"), ALL)
def test_illegal_move_is_refused_with_its_reason(
    rules: str, moves: str, move: str, why: str
) -> None:
    deal = play(table(rules, *HANDS), moves)
    assert reason(ask(deal), move) == why


@pytest.mark.parametrize("rules", RULESETS)
@pytest.mark.parametrize("code", [-1, 36, 1000, -36])
def test_a_number_that_is_no_move(rules: str, code: int) -> None:
    assert reason(table(rules, *HANDS), code) == "moves are the numbers 0 to 35"


@pytest.mark.parametrize("rules", RULESETS)
@pytest.mark.parametrize(
    ("moves", "move", "why"),
    [
        ("KC", "AD", "C was led and must be followed"),
        ("KC", "9S", "C was led and must be followed"),
        ("JS", "AC", "S was led and must be followed"),
        ("QC AC | AD 9D | TD", "KC", "you have no D and must play a trump"),
        ("QC AC | AD 9D | TD", "KC+", "a marriage is announced on one's own lead"),
        ("9D AD | AC", "KS+", "a marriage is announced on one's own lead"),
        ("9D AD", "KC+", "KC is not in your hand"),
    ],
)
def test_illegal_in_the_strict_phase(rules: str, moves: str, move: str, why: str) -> None:
    deal = play(before_the_sixth_trick(rules), f"TC AH | {moves}")
    assert reason(deal, move) == why


@pytest.mark.parametrize("move", ["AC", "KH+", "9D"])
def test_illegal_before_the_opponents_lead_in_classic(move: str) -> None:
    why = "before the opponent's lead one may only close, claim or pass"
    assert reason(table("classic", *HANDS), move) == why


def test_an_illegal_move_says_what_was_expected() -> None:
    deal = play(table("doubling", *HANDS), "AC TC | close KH")
    with pytest.raises(IllegalMove) as caught:
        deal.play(11)
    assert str(caught.value) == (
        "illegal move AD: AD is not in your hand; legal are 9H, AH"
        " (led KH, trump AS, talon 10 closed)"
    )
    assert (caught.value.move, [str(move) for move in caught.value.legal]) == (
        11,
        ["9H", "AH", "claim"],
    )
    assert isinstance(caught.value, SixtySixError)
    assert isinstance(caught.value, ValueError)
