"""The clauses of doubling, in the order of the text."""

from __future__ import annotations

import pytest
from rules.diagrams import (
    DEALER,
    EVEN,
    FOREHAND,
    hand,
    legal,
    may,
    names,
    paid,
    play,
    reason,
    table,
)

from sixtysix.rules import RULESETS, Deal, Game, Stage

SPADES_LAST = "QC QD KD TD AD JC QH JS QS KS TS"
"""A talon; the trump card is the ace of spades."""


def nine_with_dealer() -> Deal:
    """Forehand takes the tricks, the dealer holds the trump nine."""
    return table("doubling", "AC TC KC AH TH KH", "9S 9C 9D JD 9H JH", "AS", SPADES_LAST)


def nine_with_forehand() -> Deal:
    """Forehand holds the trump nine and an ace."""
    return table("doubling", "9S AC 9D JD 9H JH", "9C TC KC AH TH KH", "AS", SPADES_LAST)


def game_after(deal: Deal, first_dealer: int = DEALER) -> Game:
    """A game whose first deal was this one."""
    game = Game(RULESETS["doubling"], first_dealer)
    assert deal.result is not None
    game.add(deal.result)
    return game


# "В начале каждой последующей игры сдача принадлежит тому, кто сделает 66."


def test_doubling_next_deal_is_his_who_made_66() -> None:
    deal = table("doubling", "KH QH KS QS AC TC", "9H JH 9D JD JC 9C", "JS", "AD TD 9S")
    play(deal, "AC JC | KS+ 9C | KH+ claim")
    assert paid(deal) == ("forehand", 3, "claim")
    assert game_after(deal).dealer == FOREHAND


# "Перекрывать же карту пошедшего можно только старшею картою однородной масти."


def test_doubling_a_card_is_covered_by_a_higher_one_of_its_suit_or_a_trump() -> None:
    for reply, winner in (("KD", DEALER), ("JD", FOREHAND), ("AH", FOREHAND), ("9S", DEALER)):
        deal = table("doubling", "QD 9C JC QC KC TC", "KD JD AH 9S AD TD", "AS")
        assert play(deal, f"QD {reply}").tricks[0].winner == winner


# "может сказать 20 и обязан пройти с короля или дамы"


@pytest.mark.parametrize(("lead", "points"), [("KH+", 20), ("QH+", 20), ("KS+", 40), ("QS+", 40)])
def test_doubling_marriage_counts_at_once_and_stays_though_the_card_is_beaten(
    lead: str, points: int
) -> None:
    deal = table("doubling", "KH QH KS QS 9C JC", "AH TH AS TS AD TD", "JS")
    assert play(deal, lead).points == [points, 0]
    play(deal, "AH" if "H" in lead else "AS")
    assert deal.points[FOREHAND] == points
    assert deal.trick_counts == [0, 1]


# "Девяткой козырей можно подменить вскрытого козыря, но лишь только после первой взятки."


@pytest.mark.parametrize("moves", ["", "AC"])
def test_doubling_no_exchange_before_the_first_trick_is_over(moves: str) -> None:
    deal = play(nine_with_dealer() if moves else nine_with_forehand(), moves)
    assert not may(deal, "exchange")
    assert reason(deal, "exchange") == "the first trick has not been played"


def test_doubling_exchange_by_a_player_without_a_trick_and_when_following() -> None:
    deal = play(nine_with_dealer(), "AC 9C | TC")
    assert (deal.turn, deal.trick_counts) == (DEALER, [1, 0])
    assert may(deal, "exchange")


def test_doubling_exchange_when_leading() -> None:
    deal = play(nine_with_forehand(), "AC 9C")
    assert (deal.turn, deal.stage, may(deal, "exchange")) == (FOREHAND, Stage.LEAD, True)


def test_doubling_exchange_takes_the_trump_card_and_leaves_the_nine() -> None:
    deal = play(nine_with_dealer(), "AC 9C | TC exchange")
    assert hand(deal, DEALER) == "9D JD QD 9H JH AS"
    assert names(deal.talon()) == "KD TD AD JC QH JS QS KS TS 9S"
    assert (str(deal.view(FOREHAND).trump_card), deal.trump_suit) == ("9S", 3)
    assert (deal.turn, deal.stage) == (DEALER, Stage.FOLLOW)
    assert reason(deal, "exchange") == "9S is not in your hand"


def test_doubling_exchanged_nine_is_drawn_last() -> None:
    deal = play(nine_with_dealer(), "AC 9C | TC exchange 9D | KC JD | AH QD | TH 9H")
    assert names(deal.talon()) == "TS 9S"
    play(deal, "KH AS")
    assert "TS" in hand(deal, DEALER)
    assert "9S" in hand(deal, FOREHAND)


def test_doubling_exchange_with_two_cards_left_but_not_with_none() -> None:
    deal = play(nine_with_dealer(), "AC 9C | TC 9D | KC JD | AH QD | TH 9H | KH")
    assert (deal.talon_count, may(deal, "exchange")) == (2, True)
    play(deal, "JH | QC")
    assert deal.talon_count == 0
    assert reason(deal, "exchange") == "the trump card has been drawn"


def test_doubling_no_exchange_once_the_talon_is_closed() -> None:
    deal = play(nine_with_dealer(), "AC 9C | close TC")
    assert reason(deal, "exchange") == "the talon is closed"
    deal = play(nine_with_forehand(), "AC 9C | close")
    assert reason(deal, "exchange") == "the talon is closed"


def test_doubling_exchange_then_close_then_a_card() -> None:
    deal = play(nine_with_forehand(), "AC 9C | exchange close AS")
    assert (deal.closed_by, deal.exchanged_by, deal.turn) == (FOREHAND, FOREHAND, DEALER)


def test_doubling_no_exchange_between_marriage_and_claim() -> None:
    deal = table("doubling", "KH QH KS QS AC 9S", "9C JC JD 9D JH 9H", "AS", "TC TH AD AH")
    play(deal, "AC JC | KS+ JD | KH+")
    assert legal(deal) == "claim pass"
    assert reason(deal, "exchange") == "after the marriage one may only claim or pass"


# "давать на масть должную масть, на козыря - козыря"; "обязаны непременно крыть эту масть козырем"


def test_doubling_a_trump_to_a_trump_need_not_be_higher() -> None:
    deal = table("doubling", "TS JC QC KC AC 9D", "JS KS AS 9H TD AD", "9S")
    assert legal(play(deal, "close TS")) == "JS KS AS claim"


def test_doubling_even_a_worthless_nine_is_trumped_with_the_ace() -> None:
    deal = table("doubling", "9C JC QC KC AC 9D", "AS TH KH AH TD AD", "9S")
    assert legal(play(deal, "close 9C")) == "AS claim"


# "при начале игры или в ее середине ... может объявить колоду закрытою"


def test_doubling_closing_before_the_first_lead() -> None:
    deal = play(nine_with_forehand(), "close")
    assert (deal.closed_by, deal.turn, deal.stage) == (FOREHAND, FOREHAND, Stage.LEAD)
    assert reason(deal, "close") == "the talon is closed already"
    play(deal, "9D TC")
    assert [len(deal.hand(seat)) for seat in (0, 1)] == [5, 5]


def test_doubling_closing_on_ones_own_lead_alone() -> None:
    deal = nine_with_forehand()
    assert (deal.turn, deal.stage) == (FOREHAND, Stage.LEAD)
    play(deal, "9D")
    assert reason(deal, "close") == "the talon is closed before a lead, not after it"


def test_doubling_closing_with_two_cards_but_not_with_none() -> None:
    deal = play(nine_with_dealer(), "AC 9C | TC 9D | KC JD | AH QD | TH 9H")
    assert (deal.talon_count, may(deal, "close")) == (2, True)
    play(deal, "KH JH")
    assert reason(deal, "close") == "the talon must hold at least 2 cards"


# "проигрывает вдвойне": more of it under value 4.


def test_doubling_failed_close_the_opponent_deals_next() -> None:
    deal = table("doubling", "9C KS QS KH QH JH", "9D AS TS AH TH AC", "JS")
    play(deal, "close KS AS | TS QS | AH JH | TH QH | AC 9C | 9D KH")
    assert paid(deal) == ("dealer", 6, "failed-close")
    assert game_after(deal, first_dealer=FOREHAND).dealer == DEALER


# "Игрок, взявший последнюю взятку, присчитывает ... еще десять очков."


def test_doubling_last_trick_counts_10_and_is_credited_before_the_deal_is_counted() -> None:
    deal = table("doubling", "AS KS QS 9S 9C JH", "9D 9H JC JD QD KD", "JS")
    play(deal, "close AS 9D | KS+ 9H | QS JC | 9S JD | 9C QD")
    assert deal.points == [65, 0]
    play(deal, "JH KD")
    assert deal.points == [65 + 6 + 10, 0]
    assert paid(deal) == ("forehand", 3, "counted")


# "Кто первый насчитает 66 поэнов, за тем остается и партия."


def test_doubling_both_66_at_the_end_the_first_to_have_it_wins_1() -> None:
    deal = table("doubling", *EVEN)
    play(deal, "QC+ 9H | KC AC | JC AS | TC KS | AH QH | 9D TD")
    play(deal, "9C JS | KH JH | KD QD | TH TS | AD JD")
    assert deal.points == [79, 58]
    play(deal, "9S QS")
    assert deal.points == [79, 71]
    assert paid(deal) == ("forehand", 1, "first-to-66")


def test_doubling_both_66_and_the_second_claims_the_first_wins_1() -> None:
    deal = table("doubling", *EVEN)
    play(deal, "QC+ AC | QS+ TC | KS AS | 9S AH | KH QH | AD KD | 9C JC")
    assert deal.points == [68, 69]
    play(deal, "TD claim")
    assert paid(deal) == ("dealer", 1, "first-to-66")


def test_doubling_neither_66_is_drawn_and_the_same_deals_again() -> None:
    deal = table("doubling", *EVEN)
    play(deal, "TC 9H | JH JC | QC QS | AD TD | QD KD | KC AH")
    play(deal, "9C AC | KS 9S | JS AS | TH KH | JD 9D | QH TS")
    assert deal.points == [65, 65]
    assert paid(deal) == ("nobody", 0, "drawn-neither-66")
    for dealer in (0, 1):
        assert game_after(deal, first_dealer=dealer).dealer == dealer


# "подле каждого игрока кладется по семерке или восьмерке, смотря по желанию играющих"


def test_doubling_target_is_7_unless_told() -> None:
    assert RULESETS["doubling"].target == 7
