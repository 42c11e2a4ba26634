"""The clauses of played-out, in the order of the text."""

from __future__ import annotations

import pytest
from rules.diagrams import (
    DEALER,
    EVEN,
    FOREHAND,
    legal,
    may,
    offered,
    paid,
    play,
    reason,
    table,
)

from sixtysix.rules import RULESETS, Deal, Game, Stage


def both_marriages() -> Deal:
    """Forehand holds both marriages and wins what he likes."""
    return table("played-out", "KH QH KS QS AC TC", "9H JH 9D JD JC 9C", "JS", "AD TD 9S")


def next_dealer_after(deal: Deal, first_dealer: int) -> int:
    game = Game(RULESETS["played-out"], first_dealer)
    assert deal.result is not None
    game.add(deal.result)
    return game.dealer


# "Карты сдает участник, выигравший предыдущую игру. Партию составляют восемь игр"


def test_played_out_the_winner_deals_next() -> None:
    deal = table("played-out", *EVEN)
    play(deal, "JH AH | JC TC | 9S 9H | KD QD | AD TD | TH JD")
    play(deal, "KH QH | KC AC | JS AS | 9D TS | QS QC | KS 9C")
    assert paid(deal) == ("forehand", 1, "counted")
    assert next_dealer_after(deal, DEALER) == FOREHAND


def test_played_out_a_game_is_8() -> None:
    assert RULESETS["played-out"].target == 8


# "На карту, выхоженную противником, кладется любая карта."


def test_played_out_any_card_may_be_played_while_the_talon_is_open() -> None:
    assert legal(play(both_marriages(), "AC")) == "9C JC 9D JD 9H JH"


# "За ход с простого марьяжа приписывается 20 очков, с козырного - 40 очков."


@pytest.mark.parametrize(("lead", "points"), [("KH+", 20), ("QH+", 20), ("KS+", 40), ("QS+", 40)])
def test_played_out_marriage_counts_at_once(lead: str, points: int) -> None:
    deal = play(both_marriages(), lead)
    assert (deal.points, deal.pending) == ([points, 0], [0, 0])
    assert (deal.turn, deal.stage) == (DEALER, Stage.FOLLOW)


# "После окончания розыгрыша производится подсчет очков."


def test_played_out_has_no_claims() -> None:
    deal = play(both_marriages(), "AC JC | KS+ 9C | KH+ 9H")
    assert deal.points == [81, 0]
    assert (deal.turn, may(deal, "claim")) == (FOREHAND, False)
    assert "claim" not in offered(deal)
    assert reason(deal, "claim") == "played-out is played out and counted, so there are no claims"
    assert reason(deal, "pass") == "a card must be played"


def test_played_out_points_taken_after_66_count_too() -> None:
    # The dealer has nothing when forehand comes to 66, and 11 when the deal is counted.
    deal = table("played-out", "AC AS TS KS QS 9H", "AH TH KH AD TD 9D", "JS", "TC 9C")
    play(deal, "QS+ TD | close AS 9D | TS KH | KS AD | AC 9C")
    assert deal.points == [104, 0]
    assert paid(play(deal, "TC TH | 9H AH")) == ("forehand", 2, "counted")
    assert deal.points == [124, 11]


def test_played_out_has_no_bonus_for_the_last_trick() -> None:
    deal = table("played-out", *EVEN)
    play(deal, "JH KS | AH 9D | QS AS | QC AC | TD KC | KD TS")
    play(deal, "TC JC | 9S JS | JD QD | AD KH | QH TH")
    before = sum(deal.points)
    play(deal, "9H 9C")
    assert (before, sum(deal.points)) == (120, 120)


# "Если ни один из игроков не набрал 66 очков, игра считается розыгрышем."


def test_played_out_neither_66_is_drawn_and_the_same_deals_again() -> None:
    deal = table("played-out", *EVEN)
    play(deal, "JH KS | AH 9D | QS AS | QC AC | TD KC | KD TS")
    play(deal, "TC JC | 9S JS | JD QD | AD KH | QH TH | 9H 9C")
    assert deal.points == [60, 60]
    assert paid(deal) == ("nobody", 0, "drawn-neither-66")
    assert [next_dealer_after(deal, dealer) for dealer in (0, 1)] == [0, 1]


# "в середине розыгрыша он может объявить колоду закрытой"


def test_played_out_closing_after_the_first_trick_on_ones_own_lead() -> None:
    deal = both_marriages()
    assert (deal.turn, deal.stage) == (FOREHAND, Stage.LEAD)
    assert reason(deal, "close") == "the talon may be closed only after the first trick"
    play(deal, "AC")
    assert not may(deal, "close")
    play(deal, "JC")
    assert may(deal, "close")
    play(deal, "TC")
    assert reason(deal, "close") == "the talon is closed before a lead, not after it"


def test_played_out_closing_needs_three_cards() -> None:
    deal = table("played-out", *EVEN)
    play(deal, "JH KS | AH 9D | QS AS | QC AC")
    assert (deal.talon_count, may(deal, "close")) == (4, True)
    play(deal, "TD KC")
    assert deal.talon_count == 2
    assert reason(deal, "close") == "the talon must hold at least 3 cards"


# "После закрытия колоды игра ведется как при ее окончании."


def test_played_out_a_closed_deal_is_strict_and_nobody_draws() -> None:
    deal = play(both_marriages(), "AC JC | close TC")
    assert (deal.talon_count, deal.strict) == (10, True)
    assert legal(deal) == "9C"
    play(deal, "9C")
    assert [len(deal.hand(seat)) for seat in (0, 1)] == [5, 5]


# "его партнер, взявший игру, ... записывает ее в двойном размере" is value 1.
# "Если игрок объявил колоду закрытой и не набрал 66 очков" is value 4.


def test_played_out_failed_close_the_opponent_deals_next() -> None:
    deal = table("played-out", "AS TS JS QS 9C 9D", "JC JD 9H JH QH QC", "KS", "9S KC")
    play(deal, "9C JH | close JS QC | TS JD | 9S JC | 9D 9H | AS QH | QS KC")
    assert paid(deal) == ("dealer", 3, "failed-close")
    assert next_dealer_after(deal, FOREHAND) == DEALER


@pytest.mark.parametrize(
    ("moves", "points", "closed_by"),
    [
        (
            "QC+ AH | JH QS | 9H TC | JC AS | KC KS | 9D TD | 9S JS | AD JD | TH KH | KD QD"
            " | QH TS | 9C AC",
            [70, 70],
            None,
        ),
        (
            "TC AH | KC+ JC | 9S QD | KD 9H | close QC AC | KS+ AS | AD 9D | JH QH | JD TD | KH QS",
            [92, 66],
            FOREHAND,
        ),
    ],
    ids=["open", "closed"],
)
def test_played_out_both_66_is_drawn(moves: str, points: list[int], closed_by: int | None) -> None:
    deal = play(table("played-out", *EVEN), moves)
    assert (deal.points, deal.closed_by) == (points, closed_by)
    assert paid(deal) == ("nobody", 0, "drawn-both-66")


def test_played_out_has_no_exchange() -> None:
    deal = play(table("played-out", *EVEN), "9S JC")
    assert reason(deal, "exchange") == "played-out has no exchange"
