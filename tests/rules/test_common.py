"""What all four rule sets share, clause by clause."""

from __future__ import annotations

from itertools import pairwise

import pytest
from rules.diagrams import (
    DEALER,
    FOREHAND,
    ask,
    before_the_sixth_trick,
    hand,
    legal,
    may,
    names,
    offered,
    paid,
    play,
    reason,
    table,
)

from sixtysix.rules import CARDS, RULESETS, Deal, Stage, beats, parse_card, parse_cards

every_ruleset = pytest.mark.parametrize("rules", RULESETS)


# The pack and the deal.


def test_common_pack_has_24_cards_and_120_points() -> None:
    points = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0}
    assert len(CARDS) == 24
    assert all(card.points == points[str(card)[0]] for card in CARDS)
    assert sum(card.points for card in CARDS) == 120


def test_common_order_of_strength_is_that_of_the_points() -> None:
    for suit in "CDHS":
        ascending = [parse_card(rank + suit) for rank in "9JQKTA"]
        assert ascending == sorted(ascending)
        for lower, higher in pairwise(ascending):
            assert lower.points < higher.points
            assert beats(higher, lower, trump_suit=0)
            assert not beats(lower, higher, trump_suit=0)


@every_ruleset
@pytest.mark.parametrize("dealer", [0, 1])
def test_common_six_cards_each_one_at_a_time_and_the_next_is_turned_up(
    rules: str, dealer: int
) -> None:
    pack = parse_cards("9C 9D JC JD QC QD KC KD TC TD AC AD 9S 9H JH QH KH TH AH JS QS KS TS AS")
    deal = Deal(RULESETS[rules], pack, dealer)
    assert hand(deal, 1 - dealer) == "9C JC QC KC TC AC"
    assert hand(deal, dealer) == "9D JD QD KD TD AD"
    assert (str(deal.view(0).trump_card), deal.trump_suit) == ("9S", 3)
    assert names(deal.talon()) == "9H JH QH KH TH AH JS QS KS TS AS 9S"
    assert deal.talon_count == 12
    assert deal.leader == 1 - dealer
    assert ask(deal).turn == 1 - dealer


@every_ruleset
def test_common_a_pack_is_checked(rules: str) -> None:
    for pack in ([*range(23)], [*range(23), 22], [*range(1, 25)], [*range(25)], []):
        with pytest.raises(ValueError, match="each of the cards"):
            Deal(RULESETS[rules], pack, 0)
    with pytest.raises(ValueError, match="the dealer is seat 0 or 1"):
        Deal(RULESETS[rules], range(24), 2)


# Tricks.


@every_ruleset
@pytest.mark.parametrize(
    ("lead", "reply", "takes"),
    [
        ("KH", "TH", DEALER),  # the ten beats the king
        ("TH", "KH", FOREHAND),
        ("AH", "9H", FOREHAND),
        ("9H", "JH", DEALER),
        ("AH", "9S", DEALER),  # any trump beats any card of another suit
        ("9S", "AH", FOREHAND),
        ("9S", "JS", DEALER),  # the higher of two trumps
        ("AS", "TS", FOREHAND),
        ("9H", "AD", FOREHAND),  # without a trump only the suit led takes
    ],
)
def test_common_who_takes_a_trick(rules: str, lead: str, reply: str, takes: int) -> None:
    others = iter(parse_cards("9C JC QC KC TC AC 9D JD QD KD"))
    hands = [" ".join([card, *(str(next(others)) for _ in range(5))]) for card in (lead, reply)]
    deal = table(rules, hands[0], hands[1], trump="QS")
    play(deal, f"{lead} {reply}")
    assert deal.tricks[0].winner == takes
    assert deal.points[takes] == parse_card(lead).points + parse_card(reply).points
    assert deal.points[1 - takes] == 0
    assert deal.leader == takes
    assert ask(deal).turn == takes


@every_ruleset
def test_common_free_phase_any_card_to_any_lead(rules: str) -> None:
    deal = table(rules, "AH KS QS 9D JC TC", "9H TH AS JS KC 9C", trump="9S")
    assert legal(play(deal, "AH")).startswith("9C KC 9H TH JS AS")


@every_ruleset
def test_common_both_draw_the_winner_first(rules: str) -> None:
    deal = table(rules, "AH KS QS 9D JC TC", "9H TH AS JS KC 9C", trump="9S", talon="AC AD QH KH")
    play(deal, "AH TH")
    assert hand(deal, FOREHAND) == "JC TC AC 9D QS KS"
    assert hand(deal, DEALER) == "9C KC AD 9H JS AS"
    assert deal.talon_count == 10
    play(deal, "JC KC")
    assert hand(deal, DEALER) == "9C AD 9H QH JS AS"
    assert hand(deal, FOREHAND) == "TC AC 9D KH QS KS"


@every_ruleset
def test_common_loser_of_the_sixth_trick_takes_the_trump_card(rules: str) -> None:
    deal = before_the_sixth_trick(rules)
    assert (deal.talon_count, str(deal.view(0).trump_card)) == (2, "9S")
    play(deal, "TC AH")
    assert deal.tricks[-1].winner == FOREHAND
    assert hand(deal, FOREHAND) == "QC KC 9D JS QS KS"
    assert hand(deal, DEALER) == "AC TD AD 9S TS AS"
    assert (deal.talon_count, deal.talon(), deal.view(0).trump_card) == (0, (), None)


# The strict phase; more of it under value 7.


@every_ruleset
def test_common_strict_phase_begins_when_the_talon_is_used_up(rules: str) -> None:
    deal = before_the_sixth_trick(rules)
    assert not deal.strict
    assert legal(play(deal, "TC")).startswith("AC TD AD AH TS AS")
    play(deal, "AH")
    assert deal.strict


@every_ruleset
@pytest.mark.parametrize(
    ("moves", "replies"),
    [
        ("9D", "TD AD"),  # the suit led
        ("KC", "AC"),
        ("JS", "9S TS AS"),  # a trump to a trump, higher or lower
        ("QC AC | AD 9D | TD", "JS QS KS"),  # void: a trump
        ("QC AC | AS JS | TS QS | 9S KS | KC", "TD AD"),  # void, no trump: any card
    ],
)
def test_common_strict_phase_suit_then_trump_then_any_card(
    rules: str, moves: str, replies: str
) -> None:
    deal = play(before_the_sixth_trick(rules), f"TC AH | {moves}")
    assert legal(deal).removesuffix(" claim") == replies


# Marriages.


@every_ruleset
@pytest.mark.parametrize(
    ("lead", "points"), [("QH+", 20), ("KH+", 20), ("QS+", 40), ("KS+", 40), ("KH", 0), ("QS", 0)]
)
def test_common_marriage_counts_20_or_40_if_it_is_announced(
    rules: str, lead: str, points: int
) -> None:
    deal = play(table(rules, "KH QH KS QS AC 9C", "AH TH AS TS AD TD", trump="9S"), lead)
    assert deal.points[FOREHAND] + deal.pending[FOREHAND] == points
    assert deal.points[DEALER] + deal.pending[DEALER] == 0


@every_ruleset
def test_common_marriage_needs_both_cards_in_hand(rules: str) -> None:
    deal = ask(table(rules, "KH QD KS QS AC 9C", "QH TH AS TS AD TD", trump="9S"))
    assert "H+" not in legal(deal)
    assert legal(deal).startswith("9C AC QD KH QS KS QS+ KS+")
    assert "the other card" in reason(deal, "KH+")
    assert "QH is not in your hand" in reason(deal, "QH+")


@every_ruleset
def test_common_marriage_is_not_announced_when_following(rules: str) -> None:
    deal = play(table(rules, "AH TH AS TS AD TD", "KH QH KS QS AC 9C", trump="9S"), "AH")
    assert "+" not in legal(deal)
    assert "own lead" in reason(deal, "KH+")


@every_ruleset
def test_common_marriage_that_is_not_led_counts_nothing(rules: str) -> None:
    deal = play(table(rules, "KH QH KS QS AC 9C", "AH TH AS TS AD TD", trump="9S"), "AC AD | KH AH")
    assert deal.points[FOREHAND] == 22
    assert deal.pending[FOREHAND] == 0


@every_ruleset
def test_common_marriage_counts_once(rules: str) -> None:
    deal = play(table(rules, "KH QH KS QS AC 9C", "9H TH 9D JD AD TD", trump="9S"), "KH+ 9H | QH")
    assert deal.points[FOREHAND] == 24


# The order of decisions.

with_claims = pytest.mark.parametrize("rules", ["classic", "doubling", "last-trick"])

TWO_MARRIAGES = ("KH QH KS QS AC TC", "9H JH 9D JD JC 9C", "JS", "AD TD 9S")


@every_ruleset
@pytest.mark.parametrize("moves", ["AC", "AC JC | KS+", "AC JC | KS+ 9C | KH"])
def test_order_2_a_claim_at_any_decision_of_a_turn(rules: str, moves: str) -> None:
    claims = RULESETS[rules].claims
    assert claims == (rules != "played-out")
    deal = play(table(rules, *TWO_MARRIAGES), moves)
    assert deal.stage is Stage.FOLLOW
    assert may(deal, "claim") == claims
    play(deal, "9H")
    assert may(deal, "claim") == claims
    assert may(ask(deal), "claim") == claims


@with_claims
@pytest.mark.parametrize(
    ("lead", "points", "payment"),
    [("QH+", 65, ("dealer", 3, "false-claim")), ("KH+", 66, ("forehand", 3, "claim"))],
)
def test_order_4_66_is_enough_and_65_is_not(
    rules: str, lead: str, points: int, payment: tuple[str, int, str]
) -> None:
    deal = table(rules, "KH QH KS QS 9C JC", "AS JD TD AD TC AC", "JS")
    play(deal, f"{lead} JD | KS+")
    if points == 65:
        play(deal, "AS | TD")
    assert deal.points[FOREHAND] == points
    assert paid(play(deal, "claim")) == payment


@with_claims
def test_order_3_after_a_marriage_with_66_only_claim_or_pass(rules: str) -> None:
    deal = play(table(rules, *TWO_MARRIAGES), "AC JC | KS+")
    assert (deal.points[FOREHAND], deal.turn, deal.stage) == (53, DEALER, Stage.FOLLOW)
    play(deal, "9C | KH+")
    assert (deal.points[FOREHAND], deal.turn, deal.stage) == (77, FOREHAND, Stage.ANNOUNCED)
    assert legal(deal) == offered(deal) == "claim pass"
    assert "claim or pass" in reason(deal, "TC")
    assert reason(deal, "close")
    assert reason(deal, "exchange")
    play(deal, "pass")
    assert (deal.turn, deal.stage) == (DEALER, Stage.FOLLOW)
    assert str(deal.view(DEALER).led) == "KH+"


@with_claims
def test_order_3_even_if_he_had_66_before(rules: str) -> None:
    deal = table(rules, "KH QH KS QS AC TC", "9H JH AD TD JC AS", trump="JS", talon="9D")
    play(deal, "AC AD | TC TD | KS+ pass JC")
    assert deal.points[FOREHAND] == 88
    play(deal, "KH+")
    assert (deal.turn, legal(deal)) == (FOREHAND, "claim pass")


@every_ruleset
def test_order_3_not_without_66_nor_without_an_announcement(rules: str) -> None:
    deal = play(table(rules, *TWO_MARRIAGES), "KS+")
    assert (deal.turn, deal.stage) == (DEALER, Stage.FOLLOW)
    play(deal, "JC | AC JD | TC 9C | KH")
    assert (deal.turn, deal.stage) == (DEALER, Stage.FOLLOW)


def test_order_3_not_in_played_out() -> None:
    deal = play(table("played-out", *TWO_MARRIAGES), "AC JC | KS+ 9C | KH+")
    assert (deal.points[FOREHAND], deal.turn, deal.stage) == (77, DEALER, Stage.FOLLOW)


@with_claims
@pytest.mark.parametrize(
    ("moves", "payment"),
    [("claim", ("forehand", 3, "false-claim")), ("QS | claim", ("dealer", 2, "claim"))],
)
def test_order_4_a_trick_on_the_table_belongs_to_nobody(
    rules: str, moves: str, payment: tuple[str, int, str]
) -> None:
    deal = table(rules, "AC TC AD TD 9H JD", "AS TS KS QS AH TH", trump="JS", talon="9C KC KH KD")
    play(deal, "TC TS | KS+ 9H | 9C AC | AD")
    assert deal.points[DEALER] == 64
    assert paid(play(deal, moves)) == payment


@with_claims
def test_order_4_a_good_claim_pays_the_ordinary_count(rules: str) -> None:
    deal = play(table(rules, *TWO_MARRIAGES), "AC JC | KS+ 9C | KH+ pass 9H")
    assert paid(play(deal, "claim")) == ("forehand", 3, "claim")


@with_claims
@pytest.mark.parametrize("moves", ["claim", "AC claim", "AC JC | claim"])
def test_order_4_a_false_claim_pays_the_opponent_3(rules: str, moves: str) -> None:
    deal = play(table(rules, *TWO_MARRIAGES), moves)
    winner, game_points, end = paid(deal)
    assert (game_points, end) == (3, "false-claim")
    assert winner == ("forehand" if moves == "AC claim" else "dealer")


@with_claims
def test_order_4_offered_is_a_good_claim_alone(rules: str) -> None:
    deal = ask(table(rules, *TWO_MARRIAGES))
    assert may(deal, "claim")
    assert "claim" not in offered(deal)
    assert "claim" in offered(play(deal, "AC JC | KS+ 9C | KH+"))


@every_ruleset
def test_order_8_nothing_is_legal_once_the_deal_is_over(rules: str) -> None:
    deal = table(rules, *TWO_MARRIAGES)
    while deal.turn is not None:
        deal.play(deal.legal_moves()[0])
    assert deal.legal_moves() == ()
    assert deal.stage is Stage.OVER
    assert deal.view(0).legal == deal.view(1).legal == ()
    assert reason(deal, "AC") == "the deal is over"
