"""A game: deals to the target, who deals next, and the limit of 200 deals."""

from __future__ import annotations

import pytest

from sixtysix.rules import RULESETS, Deal, DealEnd, DealResult, Game, Ruleset, ruleset

PACK = tuple(range(24))


def won(winner: int, game_points: int) -> DealResult:
    return DealResult(winner, game_points, (0, 0), DealEnd.CLAIM)


DRAWN = DealResult(None, 0, (65, 65), DealEnd.DRAWN_NEITHER_66)


@pytest.mark.parametrize("name", RULESETS)
@pytest.mark.parametrize("first_dealer", [0, 1])
def test_the_first_dealer_is_as_told_and_the_other_is_forehand(
    name: str, first_dealer: int
) -> None:
    game = Game(RULESETS[name], first_dealer)
    deal = game.deal(PACK)
    assert isinstance(deal, Deal)
    assert (deal.dealer, deal.leader) == (first_dealer, 1 - first_dealer)
    assert deal.ruleset is RULESETS[name]
    assert (game.score, game.deal_count, game.over, game.winner) == ((0, 0), 0, False, None)


@pytest.mark.parametrize("first_dealer", [-1, 2])
def test_a_dealer_is_a_seat(first_dealer: int) -> None:
    with pytest.raises(ValueError, match="seat 0 or 1"):
        Game(RULESETS["classic"], first_dealer)


@pytest.mark.parametrize("name", ["classic", "doubling", "played-out"])
@pytest.mark.parametrize("first_dealer", [0, 1])
def test_whoever_was_paid_deals_next_and_after_a_draw_the_same(
    name: str, first_dealer: int
) -> None:
    game = Game(RULESETS[name], first_dealer)
    dealers = []
    for result in (DRAWN, won(0, 1), DRAWN, won(1, 1), won(1, 1), DRAWN, won(0, 1)):
        game.add(result)
        dealers.append(game.dealer)
    assert dealers == [first_dealer, 0, 0, 1, 1, 1, 0]


@pytest.mark.parametrize("first_dealer", [0, 1])
def test_last_trick_deals_in_turn(first_dealer: int) -> None:
    game = Game(RULESETS["last-trick"], first_dealer)
    dealers = []
    for winner in (0, 0, 1, 0):
        dealers.append(game.dealer)
        game.add(won(winner, 1))
    assert dealers == [first_dealer, 1 - first_dealer, first_dealer, 1 - first_dealer]


@pytest.mark.parametrize(
    ("rules", "target"),
    [
        (RULESETS["classic"], 8),
        (RULESETS["doubling"], 7),
        (ruleset("doubling", target=8), 8),
        (RULESETS["played-out"], 8),
        (RULESETS["last-trick"], 8),
    ],
    ids=["classic", "doubling", "doubling-8", "played-out", "last-trick"],
)
@pytest.mark.parametrize("winner", [0, 1])
def test_the_target_ends_the_game(rules: Ruleset, target: int, winner: int) -> None:
    game = Game(rules, first_dealer=0)
    game.add(won(1 - winner, 2))
    for points in range(1, target + 1):
        assert not game.over
        assert game.winner is None
        game.add(won(winner, 1))
        assert game.score[winner] == points
    assert (game.over, game.target_reached, game.winner) == (True, True, winner)
    assert game.score[1 - winner] == 2


def test_points_above_the_target_do_not_matter() -> None:
    game = Game(RULESETS["classic"], first_dealer=0)
    for result in (won(0, 4), won(0, 3), won(1, 4), won(1, 3), won(0, 4)):
        game.add(result)
    assert (game.over, game.winner, game.score) == (True, 0, (11, 7))


def test_nothing_is_added_to_a_game_that_is_over() -> None:
    game = Game(RULESETS["classic"], first_dealer=0)
    game.add(won(0, 4))
    game.add(won(0, 4))
    with pytest.raises(ValueError, match="the game is over"):
        game.add(won(0, 1))
    with pytest.raises(ValueError, match="the game is over"):
        game.deal(PACK)
    assert (game.score, game.deal_count) == ((8, 0), 2)


@pytest.mark.parametrize(
    ("points", "winner"), [((0, 0), None), ((2, 1), 0), ((3, 5), 1), ((4, 4), None)]
)
def test_after_200_deals_the_score_stands(points: tuple[int, int], winner: int | None) -> None:
    game = Game(RULESETS["classic"], first_dealer=0)
    for seat in (0, 1):
        for _ in range(points[seat]):
            game.add(won(seat, 1))
    while game.deal_count < 200:
        assert not game.over
        assert game.winner is None
        game.add(DRAWN)
    assert (game.over, game.target_reached) == (True, False)
    assert (game.winner, game.score, game.deal_count) == (winner, points, 200)
    with pytest.raises(ValueError, match="the game is over"):
        game.deal(PACK)


def test_a_deal_that_is_void_changes_nothing() -> None:
    game = Game(RULESETS["last-trick"], first_dealer=1)
    game.deal(PACK)
    assert (game.dealer, game.deal_count, game.score) == (1, 0, (0, 0))
