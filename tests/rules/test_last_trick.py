"""The clauses of last-trick, in the order of the text."""

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
    offered,
    paid,
    play,
    reason,
    table,
)

from sixtysix.rules import RULESETS, Deal, Game, Stage


def both_marriages() -> Deal:
    """Forehand holds both marriages, and an ace to get a trick with."""
    return table("last-trick", "KH QH KS QS AC TC", "9H JH 9D JD JC 9C", "JS", "AD TD 9S")


def nine_with_dealer() -> Deal:
    """The dealer holds the trump nine; the trump card is the ace."""
    return table(
        "last-trick", "9C TC KC AH TH KH", "9S AC 9D JD 9H JH", "AS", "QC QD KD TD AD JC QH"
    )


# "Победителем игры 66 становится участник, первым набравший 8 очков."


def test_last_trick_a_game_is_8() -> None:
    assert RULESETS["last-trick"].target == 8


# "В начале каждого тура один из участников (в порядке очереди) сдает"


@pytest.mark.parametrize("moves", ["claim", "AC claim"])
def test_last_trick_the_two_deal_in_turn_whoever_won(moves: str) -> None:
    game = Game(RULESETS["last-trick"], first_dealer=DEALER)
    dealers = []
    for _ in range(2):
        dealers.append(game.dealer)
        deal = play(game.deal(both_marriages().pack), moves)
        assert deal.result is not None
        game.add(deal.result)
    assert dealers == [DEALER, FOREHAND]


# "эти очки не начисляются, пока у игрока не будет хотя бы одной взятки": value 6.


def test_last_trick_pending_points_make_no_claim_good() -> None:
    deal = table("last-trick", "KS QS KH QH 9C JC", "AS TS AH TH AC TC", "JS", "AD 9D")
    play(deal, "KS+ AS | AD")
    assert (deal.points, deal.pending) == ([0, 15], [40, 0])
    assert "claim" not in offered(deal)
    assert paid(play(deal, "claim")) == ("dealer", 3, "false-claim")


# "Игрок, имеющий на руках козырную девятку и взявший хотя бы одну взятку"


def test_last_trick_exchange_needs_a_trick_of_ones_own() -> None:
    deal = play(nine_with_dealer(), "AH 9H | TH")
    assert reason(deal, "exchange") == "you have not taken a trick yet"


def test_last_trick_exchange_when_leading() -> None:
    deal = play(nine_with_dealer(), "9C AC")
    assert (deal.turn, deal.stage, may(deal, "exchange")) == (DEALER, Stage.LEAD, True)
    play(deal, "exchange")
    assert "AS" in hand(deal, DEALER)
    assert names(deal.talon()).endswith(" 9S")
    assert (deal.turn, deal.stage, deal.talon_count) == (DEALER, Stage.LEAD, 10)


def test_last_trick_exchange_when_following() -> None:
    deal = play(nine_with_dealer(), "9C AC | 9D QD | TH")
    assert (deal.turn, deal.stage, may(deal, "exchange")) == (DEALER, Stage.FOLLOW, True)


def test_last_trick_exchange_with_two_cards_left_but_not_with_none() -> None:
    deal = play(nine_with_dealer(), "9C AC | 9D QD | TH JD | AH JH | KH 9H | QH")
    assert (deal.talon_count, may(deal, "exchange")) == (2, True)
    play(deal, "QC | TC")
    assert deal.talon_count == 0
    assert reason(deal, "exchange") == "the trump card has been drawn"


# The text knows no closing.


def test_last_trick_has_no_closing() -> None:
    deal = both_marriages()
    assert not may(deal, "close")
    assert reason(deal, "close") == "last-trick has no closing"
    assert (deal.turn, deal.stage) == (FOREHAND, Stage.LEAD)


# "Игрок, набравший 66 очков, имеет право остановить раунд"


def test_last_trick_claim() -> None:
    deal = play(both_marriages(), "AC JC | KS+ 9C | KH+ claim")
    assert paid(deal) == ("forehand", 3, "claim")


# "победителем раунда считается игрок, взявший последнюю взятку"


def test_last_trick_neither_66_the_last_trick_wins_1() -> None:
    deal = table("last-trick", *EVEN)
    play(deal, "JH KS | AH 9D | QS AS | QC AC | TD KC | KD TS")
    play(deal, "TC JC | 9S JS | JD QD | AD KH | QH TH | 9H 9C")
    assert deal.points == [60, 60]
    assert deal.tricks[-1].winner == DEALER
    assert paid(deal) == ("dealer", 1, "last-trick")


def test_last_trick_has_no_bonus_and_one_side_with_66_wins() -> None:
    deal = table("last-trick", *EVEN)
    play(deal, "JH AH | JC TC | 9S 9H | KD QD | AD TD | TH JD")
    play(deal, "KH QH | KC AC | JS AS | 9D TS | QS QC | KS 9C")
    assert deal.points == [72, 48]
    assert paid(deal) == ("forehand", 1, "counted")


# "при этом очки, которые игрок заработал, объявив «20» или «40», не учитываются": value 6.


# "Если по окончании раунда оба игрока набрали 66 или более"

BOTH_66 = "QC+ AH | JH QS | 9H TC | JC AS | KC KS | 9D TD | 9S JS | AD JD | TH KH | KD QD | QH TS"


def test_last_trick_both_66_at_the_end_the_last_trick_wins_1() -> None:
    deal = play(table("last-trick", *EVEN), f"{BOTH_66} | 9C AC")
    assert (deal.points, deal.tricks[-1].winner) == ([70, 70], DEALER)
    assert paid(deal) == ("dealer", 1, "last-trick")


def test_last_trick_both_66_a_good_claim_wins_whoever_was_first() -> None:
    deal = table("last-trick", *EVEN)
    play(deal, "QC+ AC | QS+ TC | KS AS | 9S AH | KH QH | AD KD | 9C JC | TD")
    assert deal.points == [68, 69]
    assert paid(play(deal, "claim")) == ("forehand", 1, "claim")


# "Игроку плюсуется 3 больших очка, если другой игрок, остановивший раунд, не набрал 66."


@pytest.mark.parametrize("moves", ["claim", "AC JC | KS+ 9C | claim"])
def test_last_trick_a_false_claim_pays_3(moves: str) -> None:
    assert paid(play(both_marriages(), moves)) == ("dealer", 3, "false-claim")


# The strict phase, in the text's words: the suit, else a trump, else any card.


def test_last_trick_strict_phase() -> None:
    deal = table("last-trick", *EVEN)
    play(deal, "JH AH | JC TC | 9S 9H | KD QD | AD TD | TH JD")
    assert deal.strict
    assert legal(play(deal, "KH")) == "QH claim"
