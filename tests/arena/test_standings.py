"""The board: what counts, how it is ranked, and that its bytes depend on results alone."""

from __future__ import annotations

import json
import random
from collections import Counter
from dataclasses import replace

import pytest

from sixtysix.outcome import Fault, GameEnd, GameOutcome
from sixtysix.reports import Board, BoardRow
from sixtysix_arena import standings
from sixtysix_arena.ratings import Rating, rate
from sixtysix_arena.schedule import ScheduledGame, round_robin
from sixtysix_arena.standings import (
    PlayedGame,
    PlayedTournament,
    board,
    canonical,
    counted_games,
    standing_board,
)

Outcomes = dict[int, GameOutcome]

WON_BY_0 = GameOutcome(GameEnd.TARGET, 0, (7, 3), 6)
WON_BY_1 = GameOutcome(GameEnd.TARGET, 1, (3, 7), 6)
DRAWN = GameOutcome(GameEnd.DEAL_LIMIT, None, (5, 5), 200)
VOID = GameOutcome(GameEnd.VOID, None, (6, 0), 4, reason="both bots were away")

VERSIONS = {"alice": "1.0", "bob": "", "carol": "ü2"}
SCHEDULE = round_robin(list(VERSIONS), 2)
# Round 1: bob v carol; round 2: alice v carol; round 3: alice v bob.
OUTCOMES: Outcomes = {
    1: GameOutcome(GameEnd.TARGET, 0, (7, 3), 6),
    2: GameOutcome(GameEnd.FORFEIT, 0, (2, 5), 4, Fault.TIMEOUT, "carol took 1200 ms"),
    3: GameOutcome(GameEnd.VOID, None, (1, 0), 1, reason="both bots were away"),
    4: GameOutcome(GameEnd.TARGET, 0, (9, 6), 8),
    5: GameOutcome(GameEnd.DEAL_LIMIT, None, (40, 40), 200),
    6: GameOutcome(GameEnd.FORFEIT, 1, (0, 0), 0, Fault.NO_SHOW),
}


def board_of(
    outcomes: Outcomes,
    *,
    versions: dict[str, str] = VERSIONS,
    schedule: tuple[ScheduledGame, ...] = SCHEDULE,
    practice: bool = False,
) -> Board:
    return board(
        slug="cup",
        ruleset="classic",
        versions=versions,
        schedule=schedule,
        outcomes=outcomes,
        practice=practice,
    )


def upto(number: int) -> Outcomes:
    return {each: outcome for each, outcome in OUTCOMES.items() if each <= number}


def random_outcomes(schedule: tuple[ScheduledGame, ...], seed: int) -> Outcomes:
    source = random.Random(seed)
    outcomes = {}
    for game in schedule:
        winner = source.randrange(2)
        score = (source.randrange(7), source.randrange(7))
        deal_count = source.randrange(1, 15)
        fault = source.choice(list(Fault))
        outcomes[game.number] = source.choice(
            [GameOutcome(GameEnd.TARGET, winner, score, deal_count)] * 6
            + [
                GameOutcome(GameEnd.FORFEIT, winner, score, deal_count, fault),
                GameOutcome(GameEnd.DEAL_LIMIT, None, score, 200),
                GameOutcome(GameEnd.VOID, None, score, deal_count),
            ]
        )
    return outcomes


def test_a_small_tournament_by_hand() -> None:
    # Won, drawn and lost, deals and game points can be added up from OUTCOMES
    # (game 3 is void and adds nothing but itself). The ratings are TrueSkill's
    # closed form applied five times, for example after game 1 bob 29.2071 and
    # 7.1942, carol 20.7929 and 7.1942, after game 2 bob 30.9903 and 6.5547.
    assert canonical(board_of(OUTCOMES)).decode() == (
        '{"rows":['
        '{"deals":210,"drawn":1,"entrant":"bob","faults":{},"game_points_against":48,'
        '"game_points_for":49,"games":4,"lost":0,"mu":"32.187","rank":1,"rating":"17.679",'
        '"sigma":"4.836","version":"","void":0,"won":3},'
        '{"deals":208,"drawn":1,"entrant":"alice","faults":{"no-show":1},'
        '"game_points_against":46,"game_points_for":49,"games":3,"lost":1,"mu":"26.767",'
        '"rank":2,"rating":"11.785","sigma":"4.994","version":"1.0","void":1,"won":1},'
        '{"deals":18,"drawn":0,"entrant":"carol","faults":{"timeout":1},'
        '"game_points_against":18,"game_points_for":14,"games":3,"lost":3,"mu":"17.194",'
        '"rank":3,"rating":"-0.929","sigma":"6.041","version":"ü2","void":1,"won":0}'
        "]}"
    )


def test_a_row_in_full() -> None:
    final = board_of(OUTCOMES)
    alice = final.rows[1]
    assert alice == BoardRow(
        rank=2,
        entrant="alice",
        version="1.0",
        mu=alice.mu,
        sigma=alice.sigma,
        rating=alice.mu - 3 * alice.sigma,
        games=3,
        won=1,
        drawn=1,
        lost=1,
        deals=208,
        game_points_for=49,
        game_points_against=46,
        void=1,
        faults={Fault.NO_SHOW: 1},
    )
    assert (alice.mu, alice.sigma) == pytest.approx((26.76723, 4.99414), abs=0.00001)
    assert (final.slug, final.ruleset, final.final, final.practice) == (
        "cup",
        "classic",
        True,
        False,
    )
    assert (final.round_count, final.rounds_total) == (3, 3)


def test_canonical_is_what_the_board_carries() -> None:
    final = board_of(OUTCOMES)
    assert canonical(final) == final.canonical.encode()
    shuffled_faults = replace(
        final, rows=(replace(final.rows[0], faults={Fault.TIMEOUT: 2, Fault.ILLEGAL: 1}),)
    )
    text = canonical(shuffled_faults).decode()
    assert '"faults":{"illegal":1,"timeout":2}' in text
    assert json.dumps(json.loads(text), sort_keys=True, separators=(",", ":")) == text


@pytest.mark.parametrize("size", [2, 5, 8])
def test_the_order_in_which_games_finish_cannot_show(size: int) -> None:
    versions = {f"bot{index}": str(index) for index in range(size)}
    schedule = round_robin(list(versions), 6)
    outcomes = random_outcomes(schedule, seed=size)
    # As in the middle of a tournament with rounds overlapping: a tail is missing.
    for missing in (0, 1, len(schedule) // 2):
        known = {number: outcomes[number] for number in list(outcomes)[: len(outcomes) - missing]}
        expected = board_of(known, versions=versions, schedule=schedule)
        source = random.Random(66)
        for _ in range(5):
            numbers, games, names = list(known), list(schedule), list(versions)
            for each in (numbers, games, names):
                source.shuffle(each)
            shuffled = board_of(
                {number: known[number] for number in numbers},
                versions={name: versions[name] for name in names},
                schedule=tuple(games),
            )
            assert shuffled == expected
            assert canonical(shuffled) == canonical(expected)


def test_a_round_that_is_not_over_does_not_count() -> None:
    after_one = board_of(upto(2))
    assert (after_one.round_count, after_one.rounds_total, after_one.final) == (1, 3, False)
    assert canonical(board_of(upto(3))) == canonical(after_one)
    assert board_of(upto(4)).round_count == 2
    assert board_of(upto(5)) == board_of(upto(4))
    assert not board_of(upto(5)).final


def test_a_later_round_waits_for_an_earlier_one() -> None:
    gap = {number: outcome for number, outcome in OUTCOMES.items() if number != 3}
    assert board_of(gap) == board_of(upto(2))
    assert [played.game.number for played in counted_games(SCHEDULE, gap)] == [1, 2]


def test_nothing_counts_before_the_first_round_is_over() -> None:
    for outcomes in ({}, upto(1)):
        empty = board_of(outcomes)
        assert (empty.round_count, empty.final) == (0, False)
        assert [(row.rank, row.entrant, row.games) for row in empty.rows] == [
            (1, "alice", 0),
            (2, "bob", 0),
            (3, "carol", 0),
        ]
        assert '"mu":"25.000","rank":1,"rating":"0.000","sigma":"8.333"' in empty.canonical


def test_no_schedule_is_no_final_board() -> None:
    empty = board_of({}, schedule=())
    assert (empty.final, empty.round_count, empty.rounds_total) == (False, 0, 0)
    assert len(empty.rows) == 3


def test_void_games_finish_rounds_but_change_no_rating() -> None:
    void = board_of(dict.fromkeys(range(1, 7), VOID))
    assert void.final
    assert [(row.games, row.deals, row.game_points_for, row.void) for row in void.rows] == [
        (0, 0, 0, 4)
    ] * 3
    assert {row.mu for row in void.rows} == {board_of({}).rows[0].mu}


def test_an_outcome_of_no_scheduled_game_is_refused() -> None:
    with pytest.raises(ValueError, match="outcome of game 7, which is not in the schedule"):
        board_of(OUTCOMES | {9: WON_BY_0, 7: WON_BY_0})


def test_practice_is_said_and_changes_no_bytes() -> None:
    practice = board_of(OUTCOMES, practice=True)
    assert practice.practice
    assert practice == replace(board_of(OUTCOMES), practice=True)


def test_identities_that_hold_on_every_board() -> None:
    versions = {f"bot{index}": "" for index in range(9)}
    schedule = round_robin(list(versions), 4)
    outcomes = random_outcomes(schedule, seed=3)
    rows = board_of(outcomes, versions=versions, schedule=schedule).rows
    rated = [outcome for outcome in outcomes.values() if outcome.end is not GameEnd.VOID]
    forfeits = Counter(outcome.fault for outcome in rated if outcome.fault)
    assert sum(row.won for row in rows) == sum(row.lost for row in rows)
    assert sum(row.games for row in rows) == 2 * len(rated)
    assert sum(row.void for row in rows) == 2 * (len(outcomes) - len(rated))
    assert sum(row.deals for row in rows) == 2 * sum(outcome.deal_count for outcome in rated)
    assert sum(row.game_points_for for row in rows) == sum(row.game_points_against for row in rows)
    assert sum((Counter(row.faults) for row in rows), Counter()) == forfeits
    assert len(forfeits) > 3
    for row in rows:
        assert row.games == row.won + row.drawn + row.lost
        assert row.games + row.void == 8 * 4
        assert sum(row.faults.values()) <= row.lost
        assert all(row.faults.values())
    assert [row.rank for row in rows] == list(range(1, 10))
    assert [row.rating for row in rows] == sorted((row.rating for row in rows), reverse=True)


def test_the_loser_of_a_forfeit_has_the_fault() -> None:
    schedule = round_robin(["a", "b"], 2)
    for winner, sinner in ((0, "b"), (1, "a")):
        forfeit = GameOutcome(GameEnd.FORFEIT, winner, (6, 6), 9, Fault.ILLEGAL)
        rows = board_of(
            {1: forfeit, 2: forfeit}, versions={"a": "", "b": ""}, schedule=schedule
        ).rows
        assert {row.entrant: row.faults for row in rows} == {
            "a": {},
            "b": {},
            sinner: {Fault.ILLEGAL: 2},
        }


def test_equal_ratings_are_ranked_by_id() -> None:
    # Two winners and two losers who have met nobody else are exactly level.
    games = tuple(
        ScheduledGame(number, 1, entrants, 0)
        for number, entrants in enumerate([("b", "house:a"), ("a", "c-1")], start=1)
    )
    level = board_of(
        {1: WON_BY_1, 2: WON_BY_1},
        versions=dict.fromkeys(["house:a", "c-1", "b", "a"], ""),
        schedule=games,
    )
    assert [row.entrant for row in level.rows] == ["c-1", "house:a", "a", "b"]


def test_ratings_that_are_shown_equal_are_ranked_by_id(monkeypatch: pytest.MonkeyPatch) -> None:
    close = {
        ("alice", "1.0"): Rating(30.0001, 2),
        ("bob", ""): Rating(30.0004, 2),
        ("carol", "ü2"): Rating(30.0006, 2),
    }
    monkeypatch.setattr(standings, "rate", lambda entrants, results: close)
    rows = board_of(OUTCOMES).rows
    assert [row.entrant for row in rows] == ["carol", "alice", "bob"]
    assert rows[2].rating > rows[1].rating


def test_zero_is_shown_without_a_sign(monkeypatch: pytest.MonkeyPatch) -> None:
    level = {("a", ""): Rating(24.9998, 25 / 3), ("b", ""): Rating(25.0002, 25 / 3)}
    monkeypatch.setattr(standings, "rate", lambda entrants, results: level)
    rated = board_of({}, versions={"b": "", "a": ""}, schedule=round_robin(["a", "b"], 2))
    assert [row.entrant for row in rated.rows] == ["a", "b"]
    assert rated.canonical.count('"rating":"0.000"') == 2


# --- The standing board of a rule set ---


def tournament(
    versions: dict[str, str], outcomes: list[GameOutcome], *, practice: bool = False
) -> PlayedTournament:
    schedule = round_robin(list(versions), 2)
    numbered = dict(enumerate(outcomes, start=1))
    return PlayedTournament(versions, counted_games(schedule, numbered), practice)


def test_a_standing_board_goes_on_from_tournament_to_tournament() -> None:
    first = tournament({"a": "1", "b": "1"}, [WON_BY_0, WON_BY_1])
    second = tournament({"b": "1", "c": ""}, [WON_BY_0, WON_BY_0])
    standing = standing_board("classic", [first, second])
    expected = rate(
        ["a", "b", "c"],
        [
            (("a", "b"), WON_BY_0),
            (("a", "b"), WON_BY_1),
            (("b", "c"), WON_BY_0),
            (("b", "c"), WON_BY_0),
        ],
    )
    assert {row.entrant: (row.mu, row.sigma, row.games) for row in standing.rows} == {
        "a": (expected["a"].mu, expected["a"].sigma, 2),
        "b": (expected["b"].mu, expected["b"].sigma, 4),
        "c": (expected["c"].mu, expected["c"].sigma, 2),
    }
    assert [row.entrant for row in standing.rows] == ["b", "a", "c"]
    assert (standing.slug, standing.ruleset) == ("", "classic")
    assert (standing.final, standing.practice) == (False, False)
    assert (standing.round_count, standing.rounds_total) == (0, 0)
    assert canonical(standing) == standing.canonical.encode()


def test_each_version_has_a_row_of_its_own() -> None:
    standing = standing_board(
        "classic",
        [
            tournament({"a": "1", "b": "1"}, [WON_BY_1, WON_BY_1]),
            tournament({"a": "2", "b": "1"}, [WON_BY_0, WON_BY_0]),
        ],
    )
    assert [(row.entrant, row.version, row.won, row.lost) for row in standing.rows] == [
        ("a", "2", 2, 0),
        ("b", "1", 2, 2),
        ("a", "1", 0, 2),
    ]


def test_practice_never_counts_in_a_standing_board() -> None:
    ranked = tournament({"a": "1", "b": "1"}, [WON_BY_0, WON_BY_1])
    practice = tournament({"a": "1", "z": "1"}, [WON_BY_1, WON_BY_1], practice=True)
    assert standing_board("classic", [practice, ranked, practice]) == standing_board(
        "classic", [ranked]
    )
    assert standing_board("classic", [practice]).rows == ()
    assert standing_board("classic", []).canonical == '{"rows":[]}'


def test_a_standing_board_of_one_tournament_has_its_rows() -> None:
    played = PlayedTournament(VERSIONS, counted_games(SCHEDULE, OUTCOMES))
    assert standing_board("classic", [played]).rows == board_of(OUTCOMES).rows


def test_a_standing_board_does_not_depend_on_the_order_of_games_within_a_tournament() -> None:
    games = list(counted_games(SCHEDULE, OUTCOMES))
    expected = standing_board("classic", [PlayedTournament(VERSIONS, games)])
    assert standing_board("classic", [PlayedTournament(VERSIONS, games[::-1])]) == expected


def test_played_games_keep_game_and_outcome_together() -> None:
    assert counted_games(SCHEDULE, upto(2)) == (
        PlayedGame(SCHEDULE[0], OUTCOMES[1]),
        PlayedGame(SCHEDULE[1], OUTCOMES[2]),
    )
