"""The readings of docs/rulings.md, by their numbers: where a text is silent or unclear."""

from __future__ import annotations

import pytest
from rules.diagrams import (
    DEALER,
    EVEN,
    FOREHAND,
    ask,
    before_the_sixth_trick,
    hand,
    legal,
    may,
    paid,
    play,
    table,
)

from sixtysix.rules import (
    CARDS,
    RULESETS,
    Deal,
    DealEnd,
    DealResult,
    Game,
    Stage,
    beats,
    parse_card,
)

BOTH_MARRIAGES = ("KH QH KS QS AC TC", "9H JH 9D JD JC 9C", "JS", "AD TD 9S")
"""Forehand holds both marriages and takes what he likes."""

STRONG_DEALER = ("9C KS QS KH QH JH", "9D AS TS AH TH AC", "JS", "JC TC")
"""Forehand closes with these cards, and fails."""

every_ruleset = pytest.mark.parametrize("rules", RULESETS)


def next_dealer(rules: str, winner: int | None, dealer: int) -> int:
    """Who deals after a deal of `dealer` that `winner` won."""
    game = Game(RULESETS[rules], first_dealer=dealer)
    end = DealEnd.DRAWN_NEITHER_66 if winner is None else DealEnd.FAILED_CLOSE
    game.add(DealResult(winner, 0 if winner is None else 2, (0, 0), end))
    return game.dealer


def test_r1_the_ten_beats_the_king_in_played_out() -> None:
    deal = table("played-out", "KH 9C JC QC KC TC", "TH 9D JD QD KD TD", "9S")
    assert play(deal, "KH TH").tricks[0].winner == DEALER


def test_r2_a_pack_of_played_out_has_24_cards() -> None:
    assert len(table("played-out", *EVEN).pack) == len(CARDS) == 24


@every_ruleset
def test_r3_one_card_at_a_time_forehand_first(rules: str) -> None:
    deal = Deal(RULESETS[rules], range(24), dealer=1)
    assert [int(card) for card in deal.hand(0)] == [0, 2, 4, 6, 8, 10]
    assert [int(card) for card in deal.hand(1)] == [1, 3, 5, 7, 9, 11]


@pytest.mark.parametrize("dealer", [0, 1])
def test_r4_forehand_leads_first_in_doubling(dealer: int) -> None:
    assert Deal(RULESETS["doubling"], range(24), dealer).turn == 1 - dealer


def test_r5_who_takes_a_trick_in_played_out() -> None:
    def taken(reply: str, lead: str) -> bool:
        return beats(parse_card(reply), parse_card(lead), parse_card("9S").suit)

    assert taken("AH", "TH")
    assert not taken("9H", "TH")
    assert taken("9S", "AH")
    assert not taken("AH", "9S")
    assert not taken("AD", "9H")


@every_ruleset
def test_r6_nobody_must_head_the_trick(rules: str) -> None:
    deal = play(before_the_sixth_trick(rules), "TC AH | JS")
    assert legal(deal).removesuffix(" claim") == "9S TS AS"


@pytest.mark.parametrize("rules", ["played-out", "last-trick"])
def test_r7_announcing_is_the_leaders_choice(rules: str) -> None:
    deal = ask(table(rules, *BOTH_MARRIAGES))
    for move in ("QH", "QH+", "KH", "KH+", "QS", "QS+", "KS", "KS+"):
        assert may(deal, move)
    assert play(deal, "QS 9C").points == [3, 0]


@every_ruleset
def test_r8_marriages_from_the_first_lead_and_in_both_phases(rules: str) -> None:
    assert may(ask(table(rules, *BOTH_MARRIAGES)), "QH+")
    deal = play(table(rules, *EVEN), "JH AH | JC TC | 9S 9H | KD QD | AD TD | TH JD")
    assert deal.strict
    assert may(deal, "QC+")


def test_r9_marriage_points_of_played_out_count_at_once() -> None:
    deal = play(table("played-out", *BOTH_MARRIAGES), "QS+")
    assert (deal.points, deal.pending) == ([40, 0], [0, 0])


NINE = ("AC TC KC AH TH KH", "9S 9C 9D JD 9H JH", "AS", "QC QD KD TD AD JC QH JS QS KS TS")
"""The dealer holds the trump nine and takes no trick."""


def test_r10_doubling_exchange_after_anybodys_first_trick() -> None:
    deal = play(table("doubling", *NINE), "AC")
    assert not may(deal, "exchange")
    play(deal, "9C | TC")
    assert deal.trick_counts[DEALER] == 0
    assert may(deal, "exchange")


@pytest.mark.parametrize("rules", ["doubling", "last-trick"])
def test_r11_exchange_when_leading_or_following(rules: str) -> None:
    deal = table(rules, "9C TC KC AH TH KH", "9S AC 9D JD 9H JH", "AS", "QC QD KD TD AD JC QH")
    play(deal, "9C AC")
    assert (deal.turn, deal.stage, may(deal, "exchange")) == (DEALER, Stage.LEAD, True)
    play(deal, "9D QD | TH")
    assert (deal.turn, deal.stage, may(deal, "exchange")) == (DEALER, Stage.FOLLOW, True)


def test_r12_doubling_one_card_besides_the_trump_card_is_enough_to_close() -> None:
    deal = play(table("doubling", *NINE), "AC 9C | TC 9D | KC JD | AH QD | TH 9H")
    assert (deal.talon_count, may(deal, "close")) == (2, True)


def test_r13_doubling_close_on_ones_own_lead_from_the_first_on() -> None:
    deal = table("doubling", *NINE)
    assert (deal.stage, may(deal, "close")) == (Stage.LEAD, True)
    assert not may(play(deal, "AC"), "close")


def test_r14_played_out_close_on_ones_own_lead_after_the_first_trick() -> None:
    deal = table("played-out", *NINE)
    assert (deal.stage, may(deal, "close")) == (Stage.LEAD, False)
    assert not may(play(deal, "AC"), "close")
    assert may(play(deal, "9C"), "close")


LAST_TRICK_OF_A_CLOSED_DEAL = "close AS 9D | KS+ 9H | QS JC | 9S JD | 9C QD"


@pytest.mark.parametrize(
    "rules", [pytest.param("classic", id="r15"), pytest.param("doubling", id="r16")]
)
def test_r15_r16_the_last_trick_counts_10_in_a_closed_deal_too(rules: str) -> None:
    deal = table(rules, "AS KS QS 9S 9C JH", "9D 9H JC JD QD KD", "JS")
    play(deal, LAST_TRICK_OF_A_CLOSED_DEAL)
    assert deal.points == [65, 0]
    assert play(deal, "JH KD").points == [65 + 2 + 4 + 10, 0]


def test_r17_doubling_has_claims() -> None:
    deal = play(table("doubling", *BOTH_MARRIAGES), "AC JC | KS+ 9C | KH+ claim")
    assert paid(deal) == ("forehand", 3, "claim")


def test_r18_played_out_has_no_claims() -> None:
    deal = play(table("played-out", *BOTH_MARRIAGES), "AC JC | KS+ 9C | KH+ 9H")
    assert deal.points == [81, 0]
    assert not may(deal, "claim")


@pytest.mark.parametrize("rules", ["classic", "doubling"])
def test_r19_a_false_claim_pays_3(rules: str) -> None:
    assert paid(play(table(rules, *BOTH_MARRIAGES), "claim")) == ("dealer", 3, "false-claim")


@pytest.mark.parametrize(("lead", "closer", "pays"), [("KS+", 40, 2), ("KH+", 20, 4), ("KH", 0, 6)])
def test_r20_doubling_failed_close_is_counted_by_the_closers_points(
    lead: str, closer: int, pays: int
) -> None:
    deal = play(table("doubling", *STRONG_DEALER), f"9C 9D | close {lead}")
    play(deal, "AS | TS QS | AH JH | TH QH | AC JC | TC KH" if lead == "KS+" else "AH | AS QS")
    if lead != "KS+":
        play(deal, "TS KS | TH QH | AC JC | TC JH")
    assert deal.points[FOREHAND] == closer
    assert paid(deal) == ("dealer", pays, "failed-close")


def test_r20_doubling_agreed_six_is_off() -> None:
    assert not RULESETS["doubling"].agreed_six


def test_r21_played_out_failed_close_is_counted_by_the_opponents_state() -> None:
    deal = table("played-out", "AS JS 9C JC 9D JD", "KS QS AH TH KH QH", "9S", "9H JH AC KC")
    play(deal, "JC QH | JS TH | close JD QS | AH 9H | KC AC | 9D KS | KH AS | 9C JH")
    assert deal.points == [49, 20]
    assert paid(deal) == ("dealer", 2, "failed-close")


def test_r21_played_out_an_opponent_with_66_is_paid_his_ordinary_win_at_least() -> None:
    deal = table("played-out", "AC TH 9C JC 9D JD", "KS QS KC KH QH QD", "JS", "9H JH")
    play(deal, "JC KS | KH+ 9D | KC AC | close KD TD | 9H TH | 9C QC | QD JD | QH JH | QS TC")
    assert deal.points == [25, 70]
    assert paid(deal) == ("dealer", 2, "failed-close")


def test_r22_doubling_both_66_the_first_wins_1_whoever_claims() -> None:
    moves = "QC+ AC | QS+ TC | KS AS | 9S AH | KH QH | AD KD | 9C JC | TD"
    deal = play(table("doubling", *EVEN), moves)
    assert deal.points == [68, 69]
    assert paid(play(deal, "claim")) == ("dealer", 1, "first-to-66")


def test_r23_played_out_both_66_is_drawn() -> None:
    deal = table("played-out", *EVEN)
    play(deal, "QC+ AH | JH QS | 9H TC | JC AS | KC KS | 9D TD")
    play(deal, "9S JS | AD JD | TH KH | KD QD | QH TS | 9C AC")
    assert deal.points == [70, 70]
    assert paid(deal) == ("nobody", 0, "drawn-both-66")


ONE_HAS_72 = (
    "JH AH | JC TC | 9S 9H | KD QD | AD TD | TH JD | KH QH | KC AC | JS AS | 9D TS | QS QC | KS 9C"
)


@pytest.mark.parametrize(("rules", "loser"), [("doubling", 58), ("last-trick", 48)])
def test_r24_hands_empty_and_one_side_has_66_it_wins_unclaimed(rules: str, loser: int) -> None:
    deal = play(table(rules, *EVEN), ONE_HAS_72)
    assert deal.points == [72, loser]
    assert paid(deal) == ("forehand", 1, "counted")


def test_r25_doubling_neither_66_is_drawn() -> None:
    deal = table("doubling", *EVEN)
    play(deal, "TC 9H | JH JC | QC QS | AD TD | QD KD | KC AH")
    play(deal, "9C AC | KS 9S | JS AS | TH KH | JD 9D | QH TS")
    assert deal.points == [65, 65]
    assert paid(deal) == ("nobody", 0, "drawn-neither-66")


@pytest.mark.parametrize("dealer", [0, 1])
@pytest.mark.parametrize("rules", ["classic", "doubling", "played-out"])
def test_r26_who_deals_next(rules: str, dealer: int) -> None:
    assert next_dealer(rules, winner=0, dealer=dealer) == 0
    assert next_dealer(rules, winner=1, dealer=dealer) == 1
    assert next_dealer(rules, winner=None, dealer=dealer) == dealer


@every_ruleset
@pytest.mark.parametrize("dealer", [0, 1])
def test_r27_the_first_dealer_is_handed_in(rules: str, dealer: int) -> None:
    assert Game(RULESETS[rules], first_dealer=dealer).dealer == dealer


def test_r28_doubling_target_is_7_unless_told() -> None:
    assert RULESETS["doubling"].target == 7
    assert RULESETS["doubling"].with_options(target=8).target == 8


@pytest.mark.parametrize("rules", ["doubling", "last-trick"])
def test_r29_exchange_with_two_cards_in_the_talon(rules: str) -> None:
    deal = table(rules, "9C TC KC AH TH KH", "9S AC 9D JD 9H JH", "AS", "QC QD KD TD AD JC QH")
    play(deal, "9C AC | 9D QD | TH JD | AH JH | KH 9H | QH")
    assert (deal.turn, deal.talon_count, may(deal, "exchange")) == (DEALER, 2, True)
    play(deal, "exchange QC")
    assert "AS" not in hand(deal, FOREHAND)
    assert "9S" in hand(deal, DEALER)


def test_r30_classic_the_follower_decides_first_and_once() -> None:
    deal = table("classic", *BOTH_MARRIAGES)
    assert (deal.turn, legal(deal)) == (DEALER, "close claim pass")
    play(deal, "?pass")
    assert (deal.turn, deal.stage, may(deal, "close")) == (FOREHAND, Stage.LEAD, True)
    play(deal, "close")
    assert (deal.turn, deal.stage, deal.closed_by) == (FOREHAND, Stage.LEAD, FOREHAND)


def test_r30_classic_the_leader_has_his_turn_after_the_follower_closed() -> None:
    deal = play(table("classic", *BOTH_MARRIAGES), "?close")
    assert (deal.turn, deal.stage, deal.closed_by) == (FOREHAND, Stage.LEAD, DEALER)
    assert not may(deal, "close")


@every_ruleset
def test_r31_the_trump_card_is_one_of_the_talons_cards(rules: str) -> None:
    deal = table(rules, *EVEN)
    assert deal.talon_count == len(deal.talon()) == 12
    assert str(deal.talon()[-1]) == "JS"


@pytest.mark.parametrize("rules", ["classic", "doubling", "last-trick"])
@pytest.mark.parametrize("moves", ["", "AC", "AC JC", "AC JC | KS", "AC JC | KS+ 9C | KH+"])
def test_r32_a_claim_at_any_decision_of_ones_own(rules: str, moves: str) -> None:
    deal = play(table(rules, *BOTH_MARRIAGES), moves)
    assert may(deal, "claim")
    assert may(ask(deal), "claim")


@pytest.mark.parametrize("rules", ["classic", "doubling"])
def test_r33_a_false_claim_against_a_closer_pays_him_3(rules: str) -> None:
    deal = table(rules, *STRONG_DEALER)
    assert paid(play(deal, "close KH AH | claim")) == ("forehand", 3, "false-claim")


@pytest.mark.parametrize(("rules", "pays"), [("classic", 4), ("doubling", 6)])
def test_r33_a_false_claim_of_a_closer_pays_the_larger(rules: str, pays: int) -> None:
    deal = table(rules, *STRONG_DEALER)
    assert paid(play(deal, "close KH AH | TS claim")) == ("dealer", pays, "false-claim")
    deal = play(table(rules, *STRONG_DEALER), "9C 9D | close KS+ AS | TS claim")
    assert paid(deal) == ("dealer", 3, "false-claim")


def test_r34_a_game_has_200_deals_at_most() -> None:
    game = Game(RULESETS["played-out"], first_dealer=0)
    for _ in range(200):
        assert not game.over
        game.add(DealResult(None, 0, (60, 60), DealEnd.DRAWN_NEITHER_66))
    assert (game.over, game.winner) == (True, None)
