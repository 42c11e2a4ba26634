"""The clauses of classic, by their numbers in the text."""

from __future__ import annotations

import pytest
from rules.diagrams import (
    DEALER,
    EVEN,
    FOREHAND,
    ask,
    legal,
    may,
    offered,
    paid,
    play,
    reason,
    table,
)

from sixtysix.rules import RULESETS, Deal, Game, Stage


def marriages(trump: str = "JS") -> Deal:
    """Forehand holds both marriages."""
    return table("classic", "KH QH KS QS 9C JC", "AH TH AS TS AD TD", trump)


def trumps() -> Deal:
    """Forehand holds the trumps, the dealer nothing."""
    return table("classic", "AS KS QS 9S 9C JH", "9D 9H JC JD QD KD", "JS")


def test_classic_s1_eight_game_points_win_the_game() -> None:
    assert RULESETS["classic"].target == 8


def test_classic_s3_whoever_was_paid_deals_next() -> None:
    rules = RULESETS["classic"]
    for moves, next_dealer in (("?claim", FOREHAND), ("claim", DEALER)):
        game = Game(rules, first_dealer=DEALER)
        deal = play(game.deal(trumps().pack), moves)
        assert deal.result is not None
        game.add(deal.result)
        assert game.dealer == next_dealer


def test_classic_s5_forehand_leads_first_then_the_winner_of_each_trick() -> None:
    deal = ask(marriages())
    assert deal.turn == FOREHAND
    assert ask(play(deal, "9C AD")).turn == FOREHAND
    assert ask(play(deal, "KH AH")).turn == DEALER


def test_classic_s7_a_trump_takes_a_plain_ace() -> None:
    deal = play(table("classic", "AC 9C JC QC KC TC", "9S JS AD TD AH TH", "QS"), "AC 9S")
    assert deal.points == [0, 11]


def test_classic_s8_first_phase_no_card_is_forced() -> None:
    deal = play(table("classic", "AC 9C JC QC 9H TH", "9S JS AD TD AH TC", "QS"), "AC")
    assert legal(deal) == "TC TD AD AH 9S JS claim"


def test_classic_s9_second_phase_suit_then_trump_then_any_card() -> None:
    deal = play(table("classic", "AC 9H AD QC 9S TH", "9C JS KD TD AS TC", "QS"), "close AC")
    assert legal(deal) == "9C TC claim"
    assert legal(play(deal, "9C | TH")) == "JS AS claim"


@pytest.mark.parametrize(("lead", "points"), [("QH+", 20), ("KS+", 40)])
def test_classic_s10_marriage_is_credited_at_once(lead: str, points: int) -> None:
    deal = play(marriages(), lead)
    assert (deal.points, deal.pending) == ([points, 0], [0, 0])


def test_classic_s11_a_marriage_that_is_not_led_counts_nothing() -> None:
    deal = play(marriages(), "9C TD | JC TH")
    assert deal.points == [12 + 10, 0]


def test_classic_s12_the_last_trick_counts_10() -> None:
    deal = play(trumps(), "close AS 9D | KS+ 9H | QS JC | 9S JD | 9C QD")
    assert deal.points == [65, 0]
    play(deal, "JH KD")
    assert deal.points == [65 + 6 + 10, 0]
    assert paid(deal) == ("forehand", 3, "counted")


def test_classic_s12_they_do_not_count_for_whoever_stops_before_it() -> None:
    deal = play(trumps(), "close AS 9D | KS+ 9H | QS JC | 9S JD | 9C QD")
    assert "claim" not in offered(deal)
    assert paid(play(deal, "claim")) == ("dealer", 3, "false-claim")


def test_classic_s13_closing_before_ones_own_lead() -> None:
    deal = play(trumps(), "close")
    assert (deal.closed_by, deal.turn, deal.strict) == (FOREHAND, FOREHAND, True)
    assert reason(deal, "close") == "the talon is closed already"


def test_classic_s13_closing_before_the_opponents_lead() -> None:
    deal = trumps()
    assert (deal.turn, deal.stage, legal(deal)) == (DEALER, Stage.QUESTION, "close claim pass")
    play(deal, "?close")
    assert (deal.closed_by, deal.turn, deal.strict) == (DEALER, FOREHAND, True)
    assert reason(deal, "close") == "the talon is closed already"


@pytest.mark.parametrize("moves", ["close AS 9D", "?close AS 9D"])
def test_classic_s13_nobody_draws_from_a_closed_talon(moves: str) -> None:
    deal = play(trumps(), moves)
    assert deal.talon_count == 12
    assert [len(deal.hand(seat)) for seat in (0, 1)] == [5, 5]


def test_classic_s13_in_the_middle_of_the_deal() -> None:
    deal = table("classic", "9C JC TC KC 9H JH", "9D QD AC AD KS QS", "JS", talon="KD 9S")
    play(deal, "9C 9D | JC AC")
    assert (deal.turn, deal.stage, deal.talon_count) == (FOREHAND, Stage.QUESTION, 8)
    play(deal, "?close")
    assert (deal.closed_by, deal.turn) == (FOREHAND, DEALER)
    play(deal, "AD")
    assert legal(deal) == "JD KD claim"


def test_classic_s13_the_follower_decides_first_and_once() -> None:
    deal = play(trumps(), "?pass")
    assert (deal.turn, deal.stage, may(deal, "close")) == (FOREHAND, Stage.LEAD, True)
    play(deal, "close")
    assert (deal.closed_by, deal.turn, deal.stage) == (FOREHAND, FOREHAND, Stage.LEAD)


def test_classic_s13_not_once_a_card_is_led() -> None:
    deal = play(trumps(), "AS")
    assert reason(deal, "close") == "the talon is closed before a lead, not after it"


def test_classic_s14_not_with_four_cards_in_the_talon() -> None:
    deal = table("classic", *EVEN)
    play(deal, "TC 9H | JH JC | QC QS")
    assert (deal.talon_count, deal.stage) == (6, Stage.QUESTION)
    play(deal, "AD TD")
    assert (deal.talon_count, deal.stage, may(deal, "close")) == (4, Stage.LEAD, False)
    assert reason(deal, "close") == "the talon must hold at least 5 cards"


def test_classic_s16_paid_even_if_the_opponent_has_nothing() -> None:
    deal = table("classic", "AS TS JS 9S AC AH", "9C JC 9D JD 9H JH", "QS")
    play(deal, "close AS 9D | TS JD | JS 9C | 9S 9H | AC JC | AH JH")
    assert (deal.points, deal.trick_counts) == ([61, 0], [6, 0])
    assert paid(deal) == ("dealer", 2, "failed-close")


def test_classic_s16_a_follower_who_closed_fails_as_well() -> None:
    deal = play(trumps(), "?close AS 9D | KS+ 9H | QS JC | 9S JD | 9C QD | JH KD")
    assert paid(deal) == ("forehand", 4, "failed-close")


def test_classic_s17_neither_66_is_drawn_and_the_same_deals_again() -> None:
    game = Game(RULESETS["classic"], first_dealer=DEALER)
    deal = game.deal(table("classic", *EVEN).pack)
    play(deal, "QC AC | 9H KC | KS JH | KD QD | KH 9D | TD 9S")
    play(deal, "JD AD | AH QH | JC TC | 9C QS | TH AS | TS JS")
    assert deal.points == [65, 65]
    assert paid(deal) == ("nobody", 0, "drawn-neither-66")
    assert deal.result is not None
    game.add(deal.result)
    assert (game.dealer, game.score) == (DEALER, (0, 0))


def test_classic_s17_both_66_is_value_9_and_the_same_deals_again() -> None:
    game = Game(RULESETS["classic"], first_dealer=DEALER)
    deal = game.deal(table("classic", "KS QS AC KH QH TC", "AS TS AD KD QD TD", "JS").pack)
    play(deal, "close KS+ AS | QD+ QS | QH+ pass TS | KD AC | AD TC")
    assert paid(deal) == ("nobody", 0, "drawn-both-66")
    assert deal.result is not None
    game.add(deal.result)
    assert game.dealer == DEALER


def test_classic_order_1_a_claim_instead_of_an_answer() -> None:
    deal = table("classic", "9H JH 9D AH 9C TC", "KS QS KH QH AD JC", "JS")
    play(deal, "9D AD | KS+ JH | KH+ pass AH")
    assert (deal.turn, deal.stage, deal.points[DEALER]) == (DEALER, Stage.QUESTION, 77)
    assert offered(deal) == "close claim pass"
    assert paid(play(deal, "?claim")) == ("dealer", 2, "claim")


@pytest.mark.parametrize("move", ["AS", "KS+", "exchange"])
def test_classic_order_1_no_card_before_the_opponents_lead(move: str) -> None:
    assert reason(trumps(), move)


@pytest.mark.parametrize("moves", ["close AS 9D", "?close AS 9D"])
def test_classic_order_1_no_question_once_the_talon_is_closed(moves: str) -> None:
    deal = play(trumps(), moves)
    assert (deal.turn, deal.stage) == (FOREHAND, Stage.LEAD)


def test_classic_has_no_exchange() -> None:
    deal = play(trumps(), "AS 9D")
    assert not may(ask(deal), "exchange")
    assert reason(deal, "exchange") == "classic has no exchange"
