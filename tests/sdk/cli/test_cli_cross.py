"""What stands beside a board, as text."""

from __future__ import annotations

from dataclasses import replace

from sixtysix.cli.text import board_text, cross_text
from sixtysix.reports import (
    Board,
    BoardRow,
    EntrantStatistics,
    Estimate,
    FirstDealer,
    HeadToHead,
    OwnerPairing,
    Statistics,
)


def row(rank: int, entrant: str, won: int, lost: int) -> BoardRow:
    return BoardRow(
        rank=rank,
        entrant=entrant,
        version="1",
        mu=25.0,
        sigma=1.0,
        rating=22.0,
        games=won + lost,
        won=won,
        drawn=0,
        lost=lost,
        deals=160,
        game_points_for=100,
        game_points_against=100,
        void=0,
    )


BOARD = Board(
    slug="cup",
    ruleset="classic",
    final=True,
    practice=False,
    round_count=3,
    rounds_total=3,
    rows=(row(1, "cy", 30, 10), row(2, "ada", 29, 11), row(3, "bob", 1, 39)),
    canonical="{}",
)
STATISTICS = Statistics(
    slug="cup",
    round_count=3,
    games=60,
    rank_agreement=1 / 3,
    first_dealer=FirstDealer(
        59, Estimate(0.5333, 0.4092, 0.6541), Estimate(0.0473, -0.2699, 0.3646)
    ),
    entrants=(
        EntrantStatistics("cy", 28.1234, 0.9, 2, 0.4451, False, 1_234, 3, 250),
        EntrantStatistics("ada", 28.5, 0.9, 1, 0.99999, True, 1_200, 0, 1),
        EntrantStatistics("bob", 18.3766, 1.5, 3, None, None, 0, None, None),
    ),
    head_to_head=(
        HeadToHead(
            ("ada", "bob"),
            20,
            0,
            0,
            100,
            140,
            10,
            Estimate(1.0, 0.8389, 1.0),
            Estimate(1.3, 1.1, 1.5),
            0.99999,
        ),
        HeadToHead(
            ("ada", "cy"),
            9,
            0,
            11,
            180,
            90,
            96,
            Estimate(0.45, 0.2582, 0.6579),
            Estimate(-1 / 30, -0.3, 7 / 30),
            0.5549,
        ),
        HeadToHead(("bob", "cy"), 1, 0, 19, 0, 0, 0, Estimate(0.05, 0.009, 0.2361), None, 0.00001),
    ),
)


def test_neighbours_that_are_not_separated_are_marked() -> None:
    assert board_text(BOARD, STATISTICS).splitlines() == [
        "cup (classic): final",
        "",
        "rank     entrant  version  rating      mu  sigma  games   W  D   L  points/deal  faults",
        "   1     cy       1        22.000  25.000  1.000     40  30  0  10        0.000  -",
        "   2  ~  ada      1        22.000  25.000  1.000     40  29  0  11        0.000  -",
        "   3     bob      1        22.000  25.000  1.000     40   1  0  39        0.000  -",
        "",
        "~ Not separated from the one above: these games cannot tell which of the two is stronger.",
    ]


def test_a_board_without_a_mark_is_as_it_was() -> None:
    apart = replace(
        STATISTICS,
        entrants=tuple(
            replace(each, separated=each.separated is not None) for each in STATISTICS.entrants
        ),
    )
    assert board_text(BOARD, apart) == board_text(BOARD)
    assert board_text(BOARD, replace(STATISTICS, games=0)) == board_text(BOARD)


def test_statistics_of_another_round_mark_nothing() -> None:
    later = replace(STATISTICS, entrants=STATISTICS.entrants[::-1])
    assert board_text(BOARD, later) == board_text(BOARD)


def test_the_cross_table() -> None:
    assert cross_text(BOARD, STATISTICS).splitlines() == [
        "Games won and lost, the row against the column of that rank:",
        "",
        "rank  entrant     1     2     3",
        "   1  cy          .  11-9  19-1",
        "   2  ada      9-11     .  20-0",
        "   3  bob      1-19  0-20     .",
        "",
        "pairing    games      won           (95 %)  points/deal              (95 %)  stronger",
        "cy - ada      20   55.0 %   (34.2 to 74.2)       +0.033  (-0.233 to +0.300)    44.5 %",
        "cy - bob      20   95.0 %   (76.4 to 99.1)            -                      > 99.9 %",
        "ada - bob     20  100.0 %  (83.9 to 100.0)       +1.300  (+1.100 to +1.500)  > 99.9 %",
        "",
        "entrant  strength  sigma  place  above the next  think ms p50  p95  of moves",
        "cy         28.123  0.900      2          44.5 %             3  250      1234",
        "ada        28.500  0.900      1        > 99.9 %             0    1      1200",
        "bob        18.377  1.500      3               -             -    -         0",
        "",
        "won: the share of games, a draw counting half. points/deal: game points minus those of",
        "the opponent. stronger: the likelihood that the first one is, by all games at once;",
        "strength and place are by the same. In brackets: 95 % intervals.",
        "Kendall's tau between the board's ranking and that by strength: 0.333.",
        "Games without a fault: 59. Whoever dealt first won 53.3 % (40.9 to 65.4) of them,",
        "and made +0.047 (-0.270 to +0.365) game points a deal.",
    ]


def test_draws_and_pairings_without_games_in_the_cross_table() -> None:
    drawn = replace(STATISTICS.head_to_head[0], won=18, drawn=2)
    text = cross_text(BOARD, replace(STATISTICS, head_to_head=(drawn,)))
    assert text.splitlines()[:6] == [
        "Games won, drawn and lost, the row against the column of that rank:",
        "",
        "rank  entrant  1       2       3",
        "   1  cy       .       -       -",
        "   2  ada      -       .  18-2-0",
        "   3  bob      -  0-2-18       .",
    ]


def test_nothing_to_compare() -> None:
    assert cross_text(BOARD, replace(STATISTICS, games=0)) == (
        "No games are rated yet: there is nothing to compare."
    )


def test_too_many_entrants_for_a_table() -> None:
    text = cross_text(BOARD, replace(STATISTICS, head_to_head=()))
    assert text.startswith("Too many entrants for a cross table")
    assert "think ms p50" in text


def test_what_is_unknown_is_left_out() -> None:
    unknown = replace(STATISTICS, rank_agreement=None, first_dealer=FirstDealer(0, None, None))
    assert cross_text(BOARD, unknown).endswith("In brackets: 95 % intervals.")
    by_games = replace(STATISTICS, first_dealer=FirstDealer(1, Estimate(1.0, 0.2064, 1.0), None))
    assert cross_text(BOARD, by_games).endswith(" won 100.0 % (20.6 to 100.0) of them.")


def test_names_of_strangers_are_made_harmless() -> None:
    name = "a\x1b[2Jda"
    rows = (replace(BOARD.rows[0], entrant=name), *BOARD.rows[1:])
    entrants = (replace(STATISTICS.entrants[0], entrant=name), *STATISTICS.entrants[1:])
    pairing = replace(STATISTICS.head_to_head[0], entrants=("ada", name))
    statistics = replace(STATISTICS, entrants=entrants, head_to_head=(pairing,))
    assert "\x1b" not in cross_text(replace(BOARD, rows=rows), statistics)


def pairing(one: str, other: str, *, is_odd: bool) -> OwnerPairing:
    return OwnerPairing(
        owner="Ann\x1b",
        entrants=(one, other),
        won=9,
        drawn=1,
        lost=0,
        expected_share=0.5126,
        chance=0.0001 if is_odd else 1.0,
        thrown=2,
        thrown_chance=0.25,
        is_odd=is_odd,
    )


def test_how_bots_of_one_owner_did_is_told_where_there_are_any() -> None:
    owners = (pairing("alice", "bob", is_odd=True), pairing("alice", "carol", is_odd=False))
    text = cross_text(BOARD, replace(STATISTICS, owner_pairings=owners))
    assert text.startswith(cross_text(BOARD, STATISTICS) + "\n\nBots of one owner")
    table = text.split("Bots of one owner, against each other:\n\n")[1].splitlines()
    assert [line.rstrip() for line in table[:3]] == [
        "owner  pairing        played     won  expected  by chance  thrown  by chance",
        "Ann    alice - bob        10  95.0 %    51.3 %    0.010 %       2     25.0 %  odd",
        "Ann    alice - carol      10  95.0 %    51.3 %    100.0 %       2     25.0 %",
    ]


def test_what_is_odd_stands_under_the_board_too() -> None:
    names = [f"x{number}" for number in range(7)]
    owners = tuple(pairing("alice", name, is_odd=name != "x6") for name in names)
    told = board_text(BOARD, replace(STATISTICS, owner_pairings=owners)).splitlines()[-1]
    assert told == (
        "Odd results between bots of one owner, to be looked at and no proof: alice - x0,"
        " alice - x1, alice - x2, alice - x3, alice - x4 and 1 more. --cross tells them all."
    )
    one = board_text(BOARD, replace(STATISTICS, owner_pairings=owners[5:])).splitlines()[-1]
    assert one == (
        "Odd results between bots of one owner, to be looked at and no proof: alice - x5."
        " --cross tells them all."
    )
    none = replace(STATISTICS, owner_pairings=owners[6:])
    assert board_text(BOARD, none) == board_text(BOARD, STATISTICS)
