"""Deals with known values, played card by card: what each of them must pay.

The numbers in the names are those of the list at the end of docs/rulings.md.
"""

from __future__ import annotations

import pytest
from rules.diagrams import DEALER, FOREHAND, ask, legal, may, offered, paid, play, table

from sixtysix.rules import Deal, Ruleset, Stage, ruleset

# 1. The ordinary count.


@pytest.mark.parametrize("rules", ["classic", "doubling", "last-trick"])
@pytest.mark.parametrize(
    ("dealers_tricks", "loser", "pays"),
    [("AC AS | AD 9C | JC TC", 33, 1), ("AC AS | TD 9C | JC TC", 32, 2), ("AC 9D", 0, 3)],
)
def test_value_1_the_ordinary_count(rules: str, dealers_tricks: str, loser: int, pays: int) -> None:
    deal = table(
        rules, "KS QS KH QH AC TC", "AS AD TD 9D JC 9H", trump="JS", talon="JH 9C JD QD QC KC"
    )
    play(deal, f"{dealers_tricks} | KS+ 9H | KH+ claim")
    assert deal.points[DEALER] == loser
    assert paid(deal) == ("forehand", pays, "claim")


@pytest.mark.parametrize(
    ("moves", "loser", "pays"),
    [
        ("QS+ KH | close KS TH | AS 9D | TC 9C | TS TD | 9H AH | AD AC", 33, 1),
        ("QS+ TH | close AS 9D | TS KH | KS TD | AC 9C | 9H AH | AD TC", 32, 2),
        ("QS+ TD | close AS 9D | TS KH | KS AD | AC 9C | TC TH | 9H AH", 11, 2),
    ],
)
def test_value_1_the_ordinary_count_of_played_out(moves: str, loser: int, pays: int) -> None:
    deal = table("played-out", "AC AS TS KS QS 9H", "AH TH KH AD TD 9D", trump="JS", talon="TC 9C")
    play(deal, moves)
    assert deal.points[DEALER] == loser
    assert paid(deal) == ("forehand", pays, "counted")


def test_value_1_played_out_no_trick_but_40_announced_is_none() -> None:
    deal = table("played-out", "KS QS 9C JC 9D JD", "AS TS AH TH AD TD", trump="9S", talon="AC 9H")
    play(deal, "KS+ AS | close TS QS | AH 9H | TH 9C | AD JD | TD 9D | AC JC")
    assert (deal.points[FOREHAND], deal.trick_counts[FOREHAND]) == (40, 0)
    assert paid(deal) == ("dealer", 3, "counted")


@pytest.mark.parametrize("rules", ["classic", "doubling"])
def test_value_1_no_trick_but_20_announced_is_not_none(rules: str) -> None:
    deal = table(rules, "QH KH 9C JC 9D JD", "AH AS TS KS QS TH", trump="JS", talon="AC 9H")
    play(deal, "QH+ AH | KS+ 9C | AS JC | claim")
    assert (deal.points[FOREHAND], deal.trick_counts[FOREHAND]) == (20, 0)
    assert paid(deal) == ("dealer", 2, "claim")


@pytest.mark.parametrize(
    ("rules", "last_moves", "pays"), [("doubling", "claim", 3), ("played-out", "JD", 2)]
)
def test_value_1_one_trick_of_two_nines(rules: str, last_moves: str, pays: int) -> None:
    deal = table(rules, "9C JC JD QD KD QH", "9D AC AS TS KS QS", trump="JS", talon="9H AH KH TH")
    play(deal, f"9C 9D | JC AC | close AS 9H | TS QH | KS+ {last_moves}")
    if rules == "played-out":
        play(deal, "QS QD | AH TH | KH KD")
    assert (deal.points[FOREHAND], deal.trick_counts[FOREHAND]) == (0, 1)
    assert paid(deal)[:2] == ("dealer", pays)


# 2. The example of classic §16.


@pytest.mark.parametrize("last_moves", ["TC AD", "claim"])
def test_value_2_the_example_of_classic_s16(last_moves: str) -> None:
    deal = table("classic", "AS TS AC TC KC QC", "KS QS AH TH AD TD", trump="JS")
    assert (deal.turn, deal.stage) == (DEALER, Stage.QUESTION)
    play(deal, "?close AS QS | TS KS | KC+ TH | QC AH | AC TD")
    assert deal.points[DEALER] == 0
    assert paid(play(deal, last_moves)) == ("forehand", 4, "failed-close")


# 3. The example of doubling.


def test_value_3_doubling_example() -> None:
    deal = table(
        "doubling", "KS QS TS KH QH KC", "JC AH 9D AD TD 9C", trump="JS", talon="JH QC QD 9H"
    )
    play(deal, "KC JC")
    assert deal.points == [6, 0]
    play(deal, "QH+ AH")
    assert deal.points == [26, 14]
    play(deal, "9D TS")
    assert deal.points == [36, 14]
    play(deal, "KS+")
    assert deal.points == [76, 14]
    assert (deal.turn, offered(deal)) == (FOREHAND, "claim pass")
    assert paid(play(deal, "claim")) == ("forehand", 2, "claim")


# 4. Failed closes.

AFTER_TRICK_OF_NINES = "9C 9D | close"
DEALER_TAKES_THE_REST = {
    "KS+": "KS+ AS | TS QS | AH JH | TH QH | AC JC | TC KH",
    "KH+": "KH+ AH | AS QS | TS KS | TH QH | AC JC | TC JH",
    "KH": "KH AH | AS QS | TS KS | TH QH | AC JC | TC JH",
}


def against_strong_dealer(rules: str | Ruleset) -> Deal:
    return table(rules, "9C KS QS KH QH JH", "9D AS TS AH TH AC", trump="JS", talon="JC TC")


@pytest.mark.parametrize(
    ("rules", "lead", "closer", "pays"),
    [
        ("classic", "KS+", 40, 2),
        ("classic", "KH+", 20, 3),
        ("classic", "KH", 0, 4),
        ("doubling", "KS+", 40, 2),
        ("doubling", "KH+", 20, 4),
        ("doubling", "KH", 0, 6),
    ],
)
def test_value_4_failed_close_by_the_closers_points(
    rules: str, lead: str, closer: int, pays: int
) -> None:
    deal = play(against_strong_dealer(rules), AFTER_TRICK_OF_NINES)
    play(deal, DEALER_TAKES_THE_REST[lead])
    assert (deal.points[FOREHAND], deal.trick_counts[FOREHAND]) == (closer, 1)
    assert paid(deal) == ("dealer", pays, "failed-close")


def test_value_4_a_claim_against_a_closer_is_a_failed_close_too() -> None:
    deal = play(against_strong_dealer("classic"), AFTER_TRICK_OF_NINES)
    play(deal, "KH+ AH | AS QS | TS KS | TH QH | AC JC | claim")
    assert paid(deal) == ("dealer", 3, "failed-close")


@pytest.mark.parametrize(("rules", "pays"), [("doubling", 6), ("classic", 2)])
def test_value_4_closer_without_a_trick_but_40_announced(rules: str, pays: int) -> None:
    deal = table(rules, "KS QS KH QH JH 9C", "AS TS AH TH AC TC", trump="JS")
    play(deal, "close KS+ AS | TS QS | AH JH | TH QH | AC 9C | TC KH")
    assert (deal.points[FOREHAND], deal.trick_counts[FOREHAND]) == (40, 0)
    assert paid(deal) == ("dealer", pays, "failed-close")


@pytest.mark.parametrize(("agreed_six", "pays"), [(False, 2), (True, 6)])
def test_value_4_agreed_six_against_a_trickless_opponent(agreed_six: bool, pays: int) -> None:
    rules = ruleset("doubling", agreed_six=agreed_six)
    deal = table(rules, "AS TS JS 9S AC AH", "9C JC 9D JD 9H JH", trump="QS")
    play(deal, "close AS 9D | TS JD | JS 9C | 9S 9H | AC JC | AH JH")
    assert deal.points == [61, 0]
    assert deal.trick_counts == [6, 0]
    assert paid(deal) == ("dealer", pays, "failed-close")


def test_value_4_agreed_six_needs_a_trickless_opponent() -> None:
    rules = ruleset("doubling", agreed_six=True)
    deal = table(rules, "AS TS JS 9S 9C AH", "TC JC 9D JD 9H JH", trump="QS")
    play(deal, "close AS 9D | TS JD | JS JC | 9S 9H | AH JH | 9C TC")
    assert deal.trick_counts == [5, 1]
    assert paid(deal) == ("dealer", 2, "failed-close")


@pytest.mark.parametrize(
    ("opponent", "closer", "pays", "moves"),
    [
        (40, 29, 1, "9C KH | JS JH | close 9D QS | QH 9H | TH AS | JD KS | KC JC | AH AC"),
        (20, 49, 2, "JC QH | JS TH | close JD QS | AH 9H | KC AC | 9D KS | KH AS | 9C JH"),
    ],
)
def test_value_4_played_out_failed_close_by_the_opponents_points(
    opponent: int, closer: int, pays: int, moves: str
) -> None:
    deal = table(
        "played-out", "AS JS 9C JC 9D JD", "KS QS AH TH KH QH", trump="9S", talon="9H JH AC KC"
    )
    play(deal, moves)
    assert (deal.closed_by, deal.points) == (FOREHAND, [closer, opponent])
    assert paid(deal) == ("dealer", pays, "failed-close")


def test_value_4_played_out_failed_close_against_a_trickless_opponent() -> None:
    deal = table("played-out", "AS TS JS QS 9C 9D", "JC JD 9H JH QH QC", trump="KS", talon="9S KC")
    play(deal, "9C JH | close JS QC | TS JD | 9S JC | 9D 9H | AS QH | QS KC")
    assert (deal.points, deal.trick_counts) == ([42, 0], [7, 0])
    assert paid(deal) == ("dealer", 3, "failed-close")


def test_value_4_played_out_trickless_opponent_with_40_announced() -> None:
    deal = table("played-out", "KS QS 9C JC 9D JD", "AS TS JS 9H JH QH", trump="9S", talon="KH KD")
    play(deal, "KS+ AS | close TS QS | JS 9D | KH KD | QH JC | JH 9C | 9H JD")
    assert (deal.points[FOREHAND], deal.trick_counts) == (40, [0, 7])
    assert paid(deal) == ("forehand", 3, "failed-close")


@pytest.mark.parametrize(
    ("dealers_hand", "talon", "opponent", "pays", "moves"),
    [
        (
            "KS QS KC 9H JH QD",
            "QH KH",
            50,
            1,
            "9C KC | QD KH | QC TC | close KD TD | QS JC | JH TH | JD KS | 9H AC | QH 9D",
        ),
        (
            "KS QS KC KH QH QD",
            "9H JH",
            70,
            2,
            "JC KS | KH+ 9D | KC AC | close KD TD | 9H TH | 9C QC | QD JD | QH JH | QS TC",
        ),
    ],
)
def test_value_4_played_out_closer_with_25(
    dealers_hand: str, talon: str, opponent: int, pays: int, moves: str
) -> None:
    deal = table("played-out", "AC TH 9C JC 9D JD", dealers_hand, trump="JS", talon=talon)
    play(deal, moves)
    assert (deal.closed_by, deal.points) == (FOREHAND, [25, opponent])
    assert paid(deal) == ("dealer", pays, "failed-close")


# 5. Talon sizes at which closing is legal before a lead.


@pytest.mark.parametrize(
    ("rules", "sizes"),
    [
        ("classic", [12, 10, 8, 6]),
        ("doubling", [12, 10, 8, 6, 4, 2]),
        ("played-out", [10, 8, 6, 4]),
        ("last-trick", []),
    ],
)
def test_value_5_talon_sizes_for_closing(rules: str, sizes: list[int]) -> None:
    deal = any_deal(rules)
    leader_may, follower_may = [], []
    while deal.turn is not None:
        if deal.stage is Stage.QUESTION:
            assert legal(deal) == "close claim pass"
            assert deal.turn != deal.leader
            follower_may.append(deal.talon_count)
            play(deal, "?pass")
        if may(deal, "close"):
            assert deal.stage is Stage.LEAD
            leader_may.append(deal.talon_count)
        deal.play(deal.legal_moves()[0])
    assert leader_may == sizes
    assert follower_may == (sizes if rules == "classic" else [])


def any_deal(rules: str) -> Deal:
    return table(rules, "9C JC QD TD AH KS", "QC KC 9D JH TH AS", trump="JS")


# 6. Marriages in last-trick wait for a trick.


def test_value_6_last_trick_marriage_of_a_trickless_player_counts_nothing() -> None:
    deal = table(
        "last-trick",
        "KS QS 9C JC 9D JD",
        "AS TS AH TH AD TD",
        trump="9S",
        talon="AC 9H TC JH KC QH JS KD KH QD QC",
    )
    play(deal, "QS+ AS")
    assert (deal.points[FOREHAND], deal.pending[FOREHAND]) == (0, 40)
    play(deal, "TS KS | AH 9C | TH JC | AD 9D | TD JD")
    play(deal, "JS 9S | KH QH | AC JH | TC 9H | KC KD | QC QD")
    assert (deal.points, deal.trick_counts) == ([0, 120], [0, 12])
    assert paid(deal) == ("dealer", 3, "counted")


@pytest.mark.parametrize(("lead", "gain"), [("KH+", 20), ("QS+", 40)])
def test_value_6_last_trick_pending_points_appear_with_the_first_trick(
    lead: str, gain: int
) -> None:
    deal = table("last-trick", "KS QS KH QH AC 9D", "AS TS AH TH JC TD", trump="JS")
    play(deal, f"{lead} {'AH' if lead == 'KH+' else 'AS'}")
    assert (deal.points[FOREHAND], deal.pending[FOREHAND]) == (0, gain)
    play(deal, "JC")
    assert (deal.points[FOREHAND], deal.pending[FOREHAND]) == (0, gain)
    play(deal, "AC")
    assert (deal.points[FOREHAND], deal.pending[FOREHAND]) == (13 + gain, 0)


def test_value_6_last_trick_the_announced_trick_may_be_the_first() -> None:
    deal = table("last-trick", "KS QS KH QH AC 9D", "AS TS AH TH JC TD", trump="JS")
    play(deal, "KH+ JC")
    assert (deal.points[FOREHAND], deal.pending[FOREHAND]) == (4 + 2 + 20, 0)


def test_value_6_last_trick_after_a_trick_at_once() -> None:
    deal = table("last-trick", "KS QS KH QH AC 9D", "AS TS AH TH JC TD", trump="JS")
    play(deal, "AC JC | QS+")
    assert (deal.points[FOREHAND], deal.pending[FOREHAND]) == (13 + 40, 0)


# 7. The strict phase.


@pytest.mark.parametrize(
    ("led", "replies"),
    [
        ("TC", "KS TS"),  # void, so any trump, here over nothing
        ("AS", "KS TS"),  # every trump, though neither takes the ace
        ("JS", "KS TS"),  # every trump, though both take the jack
        ("QH", "9H AH"),  # every heart, higher or lower
        ("KD", "JD QD"),  # every diamond, though neither takes the king
    ],
)
def test_value_7_strict_phase(led: str, replies: str) -> None:
    deal = table("doubling", "TC AS JS QH KD 9D", "KS TS 9H AH JD QD", trump="9S")
    play(deal, f"close {led}")
    assert legal(deal) == f"{replies} claim"


def test_value_7_void_and_without_a_trump_any_card() -> None:
    deal = table("doubling", "AC JC QC KC 9D TS", "TD JH 9H AH JD QD", trump="9S")
    assert legal(play(deal, "close AC")) == "JD QD TD 9H JH AH claim"


# 8. False claims.

CLOSERS_CLAIMS = [("close KH AH | TS claim", 0), ("close KH+ AH | TS claim", 20)]
CLOSERS_CLAIMS += [("close KS+ AS | TS claim", 40), ("close claim", 0)]


@pytest.mark.parametrize(("moves", "closer"), CLOSERS_CLAIMS)
@pytest.mark.parametrize(
    ("rules", "pays"), [("classic", {0: 4, 20: 3, 40: 3}), ("doubling", {0: 6, 20: 6, 40: 6})]
)
def test_value_8_false_claim_of_a_closer_without_a_trick(
    rules: str, pays: dict[int, int], moves: str, closer: int
) -> None:
    deal = table(rules, "9C KS QS KH QH JH", "9D AS TS AH TH AC", trump="JS")
    assert paid(play(deal, moves)) == ("dealer", pays[closer], "false-claim")
    assert deal.points[FOREHAND] == closer


@pytest.mark.parametrize(("moves", "pays"), [("KS+ AS", 3), ("KH+ AH", 4), ("KH AH", 6)])
def test_value_8_doubling_false_claim_of_a_closer_with_a_trick(moves: str, pays: int) -> None:
    deal = play(against_strong_dealer("doubling"), f"{AFTER_TRICK_OF_NINES} {moves} | TH claim")
    assert deal.trick_counts == [1, 1]
    assert paid(deal) == ("dealer", pays, "false-claim")


@pytest.mark.parametrize("rules", ["classic", "doubling"])
@pytest.mark.parametrize("moves", ["close KS claim", "close KH AH | claim"])
def test_value_8_false_claim_against_a_closer(rules: str, moves: str) -> None:
    deal = table(rules, "9C KS QS KH QH JH", "9D AS TS AH TH AC", trump="JS")
    assert paid(play(deal, moves)) == ("forehand", 3, "false-claim")


# 9. Both sides at 66 in classic.


@pytest.mark.parametrize(
    ("moves", "last_move", "before", "points"),
    [
        ("QH+ KD | KS+ pass AS | AD 9C | TS 9D | AH JD | TD", "TH", [67, 49], [67, 69]),
        ("QH+ TD | KS+ pass AS | AD 9C | TS 9D | AH JD", "QD+", [73, 49], [73, 69]),
        ("close KS+ AS | QD+ QS | QH+ pass TS | KD AC | AD", "TC", [66, 63], [66, 84]),
        ("close QS+ TS | AD KS | QH+ pass AS | TD TC", "KD+", [75, 47], [75, 67]),
    ],
    ids=["open-trick", "open-marriage", "closed-trick", "closed-marriage"],
)
def test_value_9_classic_both_with_66_is_drawn_at_once(
    moves: str, last_move: str, before: list[int], points: list[int]
) -> None:
    deal = table(
        "classic", "KS QS AC KH QH TC", "AS TS AD KD QD TD", "JS", talon="9C JC QC JD KC 9D AH TH"
    )
    play(deal, moves)
    ask(deal)
    assert deal.points == before
    play(deal, last_move)
    assert deal.points == points
    assert paid(deal) == ("nobody", 0, "drawn-both-66")


# 10. Conservation is a property of all play: test_properties.py.
