"""What stands beside the board: by hand, in any order, and for what is not there."""

from __future__ import annotations

import itertools
import json
import random
from dataclasses import replace

import pytest
from support.played import play_game

from sixtysix.outcome import Fault, GameEnd, GameOutcome
from sixtysix.plain import plain
from sixtysix.record import DealRecord
from sixtysix.reports import Estimate, HeadToHead, Statistics
from sixtysix.rules import PASS, RULESETS
from sixtysix.v1 import arena_pb2
from sixtysix.wire import to_message
from sixtysix_arena import standings, statistics
from sixtysix_arena.intervals import ratio, wilson
from sixtysix_arena.schedule import ScheduledGame, round_robin
from sixtysix_arena.standings import PlayedGame, counted_games
from sixtysix_arena.statistics import ThinkTimes, think_times, timed_games
from sixtysix_arena.strengths import Strengths, fit

Outcomes = dict[int, GameOutcome]
Times = dict[int, ThinkTimes]

SCHEDULE = round_robin(["alice", "bob", "carol"], 2)
# Round 1: bob v carol; round 2: alice v carol; round 3: alice v bob. The lower id has seat 0,
# which deals first in the first game of each pairing.
OUTCOMES: Outcomes = {
    1: GameOutcome(GameEnd.TARGET, 0, (7, 3), 6),
    2: GameOutcome(GameEnd.FORFEIT, 0, (2, 5), 4, Fault.TIMEOUT, "carol took 1200 ms"),
    3: GameOutcome(GameEnd.VOID, None, (1, 0), 1, reason="both bots were away"),
    4: GameOutcome(GameEnd.TARGET, 0, (9, 6), 8),
    5: GameOutcome(GameEnd.DEAL_LIMIT, None, (40, 40), 200),
    6: GameOutcome(GameEnd.FORFEIT, 1, (0, 0), 0, Fault.NO_SHOW),
}


def statistics_of(
    outcomes: Outcomes,
    times: Times | None = None,
    *,
    owners: dict[str, str] | None = None,
    schedule: tuple[ScheduledGame, ...] = SCHEDULE,
) -> Statistics:
    """As the arena makes them: of the games that the board counts."""
    entrants = {entrant for game in schedule for entrant in game.entrants}
    board = standings.board(
        slug="cup",
        ruleset="classic",
        versions=dict.fromkeys(entrants, ""),
        schedule=schedule,
        outcomes=outcomes,
    )
    return statistics.statistics(board, counted_games(schedule, outcomes), times or {}, owners)


def win(seat: int, score: tuple[int, int] = (7, 3), deals: int = 6) -> GameOutcome:
    return GameOutcome(GameEnd.TARGET, seat, score if seat == 0 else score[::-1], deals)


def random_outcomes(
    schedule: tuple[ScheduledGame, ...], skills: dict[str, float], seed: int
) -> Outcomes:
    source = random.Random(seed)
    outcomes: Outcomes = {}
    for game in schedule:
        low, high = game.entrants
        seat = int(source.gauss(skills[low] - skills[high], 1) < 0)
        score = (7, source.randrange(7))
        deals = source.randrange(4, 15)
        fault = source.choice(list(Fault))
        outcomes[game.number] = source.choice(
            [win(seat, score, deals)] * 8
            + [
                GameOutcome(GameEnd.FORFEIT, seat, (3, 4), deals, fault),
                GameOutcome(GameEnd.DEAL_LIMIT, None, (5, 5), 200),
                GameOutcome(GameEnd.VOID, None, (0, 2), 1),
            ]
        )
    return outcomes


# By hand


def test_head_to_head_by_hand() -> None:
    found = statistics_of(OUTCOMES)
    assert [pairing.entrants for pairing in found.head_to_head] == [
        ("alice", "bob"),
        ("alice", "carol"),
        ("bob", "carol"),
    ]
    alice_bob, alice_carol, bob_carol = found.head_to_head
    # bob and carol: 7:3 in 6 deals, and 2:5 in 4 deals before carol forfeited. Together
    # 9:8 in 10 deals, 0.1 a deal; deviations 4 - 0.6 and -3 - 0.4, squares 2 * 11.56;
    # standard error sqrt(2 * 23.12)/10 = 0.68; Student's quantile for one degree of
    # freedom 12.7062, so half the interval is 8.6402. Wilson's interval of 2 in 2 goes
    # from 1/(1 + 1.96^2/2) = 0.3424 to 1.
    assert bob_carol == HeadToHead(
        entrants=("bob", "carol"),
        won=2,
        drawn=0,
        lost=0,
        deals=10,
        game_points_for=9,
        game_points_against=8,
        win_share=bob_carol.win_share,
        points_per_deal=bob_carol.points_per_deal,
        superiority=bob_carol.superiority,
    )
    assert bob_carol.win_share is not None
    assert bob_carol.points_per_deal is not None
    assert (bob_carol.win_share.low, bob_carol.win_share.high) == pytest.approx(
        (0.3424, 1), abs=0.0001
    )
    assert bob_carol.points_per_deal.value == 0.1
    assert bob_carol.points_per_deal.high == pytest.approx(0.1 + 8.6402, abs=0.0001)
    assert bob_carol.points_per_deal.low == pytest.approx(0.1 - 8.6402, abs=0.0001)
    assert bob_carol.superiority > 0.5
    # alice and carol: game 3 is void, and one game alone has no interval.
    assert (alice_carol.won, alice_carol.drawn, alice_carol.lost) == (1, 0, 0)
    assert (alice_carol.deals, alice_carol.game_points_for) == (8, 9)
    assert alice_carol.points_per_deal is None
    # alice and bob: one game drawn after 200 deals, one that alice never came to.
    assert (alice_bob.won, alice_bob.drawn, alice_bob.lost) == (0, 1, 1)
    assert (alice_bob.deals, alice_bob.game_points_for, alice_bob.game_points_against) == (
        200,
        40,
        40,
    )
    assert alice_bob.win_share == wilson(0, 1, 2)


def test_first_dealer_by_hand() -> None:
    # Games without a fault: 1 (bob dealt first, 7:3 in 6), 4 (carol dealt first, 6:9 in 8),
    # 5 (alice dealt first, 40:40 in 200). Won 1, drawn 1 of 3; 4 - 3 + 0 points in 214 deals.
    dealer = statistics_of(OUTCOMES).first_dealer
    assert dealer.games == 3
    assert dealer.win_share == wilson(1, 1, 3)
    assert dealer.points_per_deal == ratio([(4, 6), (-3, 8), (0, 200)])
    assert dealer.points_per_deal is not None
    assert dealer.points_per_deal.value == 1 / 214


def test_an_advantage_of_the_first_dealer_is_found() -> None:
    schedule = round_robin([f"bot{number}" for number in range(6)], 60)
    source = random.Random(8)
    outcomes: Outcomes = {}
    for game in schedule:
        seat = game.first_dealer if source.random() < 0.6 else 1 - game.first_dealer
        outcomes[game.number] = win(seat, (7, source.randrange(7)), source.randrange(5, 12))
    dealer = statistics_of(outcomes, schedule=schedule).first_dealer
    assert dealer.games == 900
    assert dealer.win_share is not None
    assert dealer.points_per_deal is not None
    assert 0.55 < dealer.win_share.low < 0.6 < dealer.win_share.high < 0.65
    assert dealer.points_per_deal.low > 0


def test_faults_are_the_losers() -> None:
    rows = {row.entrant: row.faults for row in statistics_of(OUTCOMES).entrants}
    assert rows == {"alice": {Fault.NO_SHOW: 1}, "bob": {}, "carol": {Fault.TIMEOUT: 1}}


def test_strengths_are_those_of_the_fit() -> None:
    found = statistics_of(OUTCOMES)
    expected = fit(
        ["alice", "bob", "carol"],
        [(game.entrants, OUTCOMES[game.number]) for game in SCHEDULE],
    )
    for row in found.entrants:
        assert (row.strength, row.sigma) == expected.of(row.entrant)
    assert [(row.entrant, row.place) for row in found.entrants] == [
        ("bob", 1),
        ("alice", 2),
        ("carol", 3),
    ]
    assert found.entrants[0].above_next == expected.superiority("bob", "alice")
    assert found.entrants[1].above_next == expected.superiority("alice", "carol")
    assert (found.entrants[2].above_next, found.entrants[2].separated) == (None, None)
    assert (found.slug, found.round_count, found.games) == ("cup", 3, 5)
    assert found.rank_agreement == 1


# Which neighbours are told apart


def cup_of_twins(seed: int) -> Statistics:
    """Two bots of the same strength, and one far above and one far below them."""
    skills = {"ace": 1.5, "twin1": 0.0, "twin2": 0.0, "weak": -1.5}
    schedule = round_robin(list(skills), 20)
    source = random.Random(seed)
    outcomes = {}
    for game in schedule:
        low, high = game.entrants
        outcomes[game.number] = win(int(source.gauss(skills[low] - skills[high], 1.4) < 0))
    return statistics_of(outcomes, schedule=schedule)


def test_strong_and_weak_are_separated_and_equals_are_not() -> None:
    cup = cup_of_twins(seed=1)
    assert [row.separated for row in cup.entrants] == [True, False, True, None]
    assert (cup.entrants[0].entrant, cup.entrants[3].entrant) == ("ace", "weak")


def test_equals_are_separated_by_chance_one_time_in_twenty() -> None:
    cups = [cup_of_twins(seed) for seed in range(150)]
    separated = sum(cup.entrants[1].separated is True for cup in cups)
    assert 1 < separated < 15
    assert sum(cup.entrants[0].separated is True for cup in cups) > 145


def test_separated_is_0975_and_more(monkeypatch: pytest.MonkeyPatch) -> None:
    for likelihood, separated in ((0.975, True), (0.9749999, False), (0.01, False)):
        monkeypatch.setattr(Strengths, "superiority", lambda *_, likely=likelihood: likely)
        assert statistics_of(OUTCOMES).entrants[0].separated is separated


def test_before_the_first_round_nothing_is_known() -> None:
    found = statistics_of({1: OUTCOMES[1]})
    assert (found.round_count, found.games, found.head_to_head) == (0, 0, ())
    assert [row.above_next for row in found.entrants] == [0.5, 0.5, None]
    assert [row.separated for row in found.entrants] == [False, False, None]
    assert found.first_dealer.win_share is None
    assert found.first_dealer.points_per_deal is None


def test_void_games_alone_say_nothing() -> None:
    found = statistics_of(dict.fromkeys(range(1, 7), OUTCOMES[3]))
    assert (found.round_count, found.games, found.head_to_head) == (3, 0, ())


# Rankings


def test_kendalls_tau() -> None:
    assert statistics._kendall("abcd", "abcd") == 1
    assert statistics._kendall("abcd", "dcba") == -1
    assert statistics._kendall("abcd", "abdc") == pytest.approx(1 - 2 / 6)
    assert statistics._kendall("abcd", "badc") == pytest.approx(1 - 4 / 6)
    assert statistics._kendall("abcd", "bcda") == pytest.approx(0)
    assert statistics._kendall("a", "a") is None
    for order in itertools.permutations("abcd"):
        swaps = sum(
            order.index(one) > order.index(other)
            for one, other in itertools.combinations("abcd", 2)
        )
        assert statistics._kendall("abcd", order) == pytest.approx((6 - 2 * swaps) / 6)


def test_a_board_that_ranks_otherwise_is_noticed() -> None:
    found = statistics_of(OUTCOMES)
    board = standings.board(
        slug="cup",
        ruleset="classic",
        versions={"alice": "", "bob": "", "carol": ""},
        schedule=SCHEDULE,
        outcomes=OUTCOMES,
    )
    turned = replace(board, rows=board.rows[::-1])
    other = statistics.statistics(turned, counted_games(SCHEDULE, OUTCOMES), {})
    assert (found.rank_agreement, other.rank_agreement) == (1, -1)
    assert [row.place for row in other.entrants] == [3, 2, 1]


def test_equal_strengths_have_places_by_id() -> None:
    schedule = round_robin(["b", "a", "d", "c"], 2)
    drawn = GameOutcome(GameEnd.DEAL_LIMIT, None, (5, 5), 200)
    found = statistics_of({game.number: drawn for game in schedule}, schedule=schedule)
    assert sorted((row.place, row.entrant) for row in found.entrants) == [
        (1, "a"),
        (2, "b"),
        (3, "c"),
        (4, "d"),
    ]


# The order of games


def test_no_order_changes_a_byte() -> None:
    skills = {f"bot{number}": number / 4 for number in range(7)}
    schedule = round_robin(list(skills), 6)
    outcomes = random_outcomes(schedule, skills, seed=5)
    source = random.Random(6)
    times = {
        number: ThinkTimes(tuple(tuple(source.choices(range(500), k=9)) for _ in range(2)))  # type: ignore[arg-type]
        for number in outcomes
    }
    expected = statistics_of(outcomes, times, schedule=schedule)
    text = json.dumps(plain(expected))
    data = to_message(expected, arena_pb2.Statistics).SerializeToString(deterministic=True)
    assert len(expected.head_to_head) == 21
    for _ in range(50):
        numbers, games = list(outcomes), list(schedule)
        source.shuffle(numbers)
        source.shuffle(games)
        shuffled = statistics_of(
            {number: outcomes[number] for number in numbers},
            {number: times[number] for number in numbers},
            schedule=tuple(games),
        )
        assert json.dumps(plain(shuffled)) == text
        message = to_message(shuffled, arena_pb2.Statistics)
        assert message.SerializeToString(deterministic=True) == data


def test_the_order_in_which_games_are_handed_in_does_not_matter() -> None:
    board = standings.board(
        slug="cup",
        ruleset="classic",
        versions={"alice": "", "bob": "", "carol": ""},
        schedule=SCHEDULE,
        outcomes=OUTCOMES,
    )
    games = list(counted_games(SCHEDULE, OUTCOMES))
    expected = statistics.statistics(board, games, {})
    assert statistics.statistics(board, games[::-1], {}) == expected


def test_identities_that_hold_on_every_board() -> None:
    skills = {f"bot{number}": number / 4 for number in range(9)}
    schedule = round_robin(list(skills), 4)
    outcomes = random_outcomes(schedule, skills, seed=3)
    found = statistics_of(outcomes, schedule=schedule)
    board = standings.board(
        slug="cup",
        ruleset="classic",
        versions=dict.fromkeys(skills, ""),
        schedule=schedule,
        outcomes=outcomes,
    )
    assert [row.entrant for row in found.entrants] == [row.entrant for row in board.rows]
    assert [row.faults for row in found.entrants] == [row.faults for row in board.rows]
    for row in board.rows:
        firsts = [each for each in found.head_to_head if each.entrants[0] == row.entrant]
        seconds = [each for each in found.head_to_head if each.entrants[1] == row.entrant]
        both = [*firsts, *seconds]
        assert row.won == sum(e.won for e in firsts) + sum(e.lost for e in seconds)
        assert row.drawn == sum(each.drawn for each in both)
        assert row.deals == sum(each.deals for each in both)
        assert row.game_points_for == sum(e.game_points_for for e in firsts) + sum(
            e.game_points_against for e in seconds
        )
    played = sum(each.won + each.drawn + each.lost for each in found.head_to_head)
    assert played == found.games == sum(row.games for row in board.rows) / 2
    assert found.first_dealer.games == found.games - sum(
        sum(row.faults.values()) for row in found.entrants
    )


# Think times


def test_think_times_by_hand() -> None:
    # Seat 1 is forehand and holds 9C QC TC 9D QD TD, seat 0 JC KC AC JD KD AD. Seat 0 is
    # asked before the lead, and its referee passes. Seat 1 leads TC, seat 0 takes it with
    # AC. Now seat 1 is asked, and passes itself; seat 0 leads AD, seat 1 follows with 9D.
    record = DealRecord(
        deal=0,
        dealer=0,
        pack=tuple(range(24)),
        moves=(PASS, 4, 5, PASS, 11, 6),
        charged_ms=(0, 120, 45, 8, 7, 30),
        referee_plies=frozenset({0}),
    )
    assert think_times(RULESETS["classic"], [record]) == ThinkTimes(((45, 7), (120, 8, 30)))
    twice = think_times(RULESETS["classic"], [record, replace(record, void=True)])
    assert twice == ThinkTimes(((45, 7, 45, 7), (120, 8, 30, 120, 8, 30)))
    assert think_times(RULESETS["classic"], []) == ThinkTimes(((), ()))


@pytest.mark.parametrize("name", RULESETS)
def test_think_times_are_all_moves_but_the_referees(name: str) -> None:
    records = play_game(RULESETS[name], seed=4).records
    found = think_times(RULESETS[name], records)
    own = [
        charged_ms
        for record in records
        for ply, charged_ms in enumerate(record.charged_ms)
        if ply not in record.referee_plies
    ]
    assert any(record.referee_plies for record in records)
    assert sorted([*found.by_seat[0], *found.by_seat[1]]) == sorted(own)
    assert min(map(len, found.by_seat)) > len(own) / 4


def test_a_move_that_took_no_time_is_a_move() -> None:
    records = [
        replace(record, charged_ms=(0,) * len(record.moves))
        for record in play_game(RULESETS["classic"], seed=4).records
    ]
    counts = [len(seat) for seat in think_times(RULESETS["classic"], records).by_seat]
    total = sum(len(record.moves) - len(record.referee_plies) for record in records)
    assert sum(counts) == total


def test_think_times_of_entrants_are_over_all_their_games() -> None:
    # bob has seat 0 against carol and seat 1 against alice.
    times = {
        1: ThinkTimes(((30, 10), (900,))),
        2: ThinkTimes(((20,), ())),
        6: ThinkTimes(((5,), (40, 50))),
    }
    rows = {row.entrant: row for row in statistics_of(OUTCOMES, times).entrants}
    bob, carol, alice = rows["bob"], rows["carol"], rows["alice"]
    assert (bob.timed_move_count, bob.think_p50_ms, bob.think_p95_ms) == (5, 30, 50)
    assert (carol.timed_move_count, carol.think_p50_ms, carol.think_p95_ms) == (1, 900, 900)
    assert (alice.timed_move_count, alice.think_p50_ms) == (1, 5)
    untimed = statistics_of(OUTCOMES).entrants[0]
    assert (untimed.timed_move_count, untimed.think_p50_ms, untimed.think_p95_ms) == (0, None, None)


def test_all_games_are_timed_if_they_are_few(monkeypatch: pytest.MonkeyPatch) -> None:
    games = counted_games(SCHEDULE, OUTCOMES)
    assert sorted(played.game.number for played in timed_games(games)) == [1, 2, 3, 4, 5, 6]
    assert len(timed_games(games * 1_000)) == statistics.TIMED_GAMES
    monkeypatch.setattr(statistics, "TIMED_GAMES", 4)
    # The first game of each pairing, and then the second of the first round.
    assert [played.game.number for played in timed_games(games[::-1])] == [1, 3, 5, 2]


@pytest.mark.parametrize("limit", [10, 37, 120])
def test_of_many_games_as_many_of_each_entrant_are_timed(
    limit: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(statistics, "TIMED_GAMES", limit)
    schedule = round_robin([f"bot{number}" for number in range(8)], 10)
    games = [PlayedGame(game, win(0)) for game in schedule]
    timed = timed_games(games)
    assert len(timed) == limit
    counts = [
        sum(entrant in played.game.entrants for played in timed)
        for entrant in {entrant for game in schedule for entrant in game.entrants}
    ]
    assert max(counts) - min(counts) <= 1


# What goes over the wire


def test_the_table_of_a_hundred_entrants_fits_into_a_message() -> None:
    versions = {f"{number:0>32}": "" for number in range(statistics.HEAD_TO_HEAD_ENTRANTS)}
    schedule = round_robin(list(versions), 2)
    outcomes = {
        game.number: win(game.number % 3 % 2, (900_000, 3), 900_000 + game.number)
        for game in schedule
    }
    board = standings.board(
        slug="c" * 40, ruleset="classic", versions=versions, schedule=schedule, outcomes=outcomes
    )
    found = statistics.statistics(board, counted_games(schedule, outcomes), {})
    assert len(found.head_to_head) == 4_950
    response = arena_pb2.GetBoardResponse(
        board=to_message(board, arena_pb2.Board),
        statistics=to_message(found, arena_pb2.Statistics),
    )
    assert response.ByteSize() < 1024 * 1024


def test_more_entrants_have_no_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(statistics, "HEAD_TO_HEAD_ENTRANTS", 2)
    found = statistics_of(OUTCOMES)
    assert found.head_to_head == ()
    assert len(found.entrants) == 3


def test_estimates_are_values_with_bounds() -> None:
    assert wilson(1, 0, 2) == Estimate(0.5, *_bounds(wilson(1, 0, 2)))


def _bounds(estimate: Estimate | None) -> tuple[float, float]:
    assert estimate is not None
    return estimate.low, estimate.high
