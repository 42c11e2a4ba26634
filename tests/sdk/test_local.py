"""Two bots in one process: dealt to as in a tournament, asked as by a referee, judged fairly."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise
from statistics import NormalDist, stdev

import pytest

from sixtysix.bot import BotError, GameOver, GameStart
from sixtysix.local import MAX_KEPT_FAILURES, PlayInterrupted, PlayResult, play, points_per_deal
from sixtysix.outcome import Fault, GameEnd
from sixtysix.rules import CLOSE, PASS, RULESETS, Deal, UnknownRuleset, View, ruleset
from sixtysix.shuffle import pack, tournament_key


def first(view: View) -> int:
    return view.legal[0]


class Watcher:
    """Plays the last card that is legal, never closes, and remembers what it saw."""

    def __init__(self) -> None:
        self.views: list[View] = []
        self.told: list[GameStart | GameOver] = []

    def choose(self, view: View) -> int:
        self.views.append(view)
        return [move for move in view.legal if move != CLOSE][-1]

    def game_started(self, start: GameStart) -> None:
        self.told.append(start)

    def game_over(self, over: GameOver) -> None:
        self.told.append(over)


class Curious(Watcher):
    close_on_opponents_lead = True


def shape(result: PlayResult) -> tuple[object, ...]:
    """All but the times."""
    return (
        result.game_count,
        result.games_drawn,
        result.deal_count,
        result.points_per_deal,
        result.interval_95,
        [(bot.games_won, bot.games_forfeited, bot.decision_count) for bot in result.bots],
    )


# What bots are shown


@pytest.mark.parametrize("name", RULESETS)
def test_packs_are_those_of_the_seed_and_each_deals_first_in_turn(name: str) -> None:
    watcher, other = Watcher(), Watcher()
    play(watcher, other, rules=name, games=4, seed="66")
    key = tournament_key(b"66", {})
    opened: set[tuple[str, int]] = set()
    for view in watcher.views + other.views:
        index = int(view.game.removeprefix("play.")) - 1
        cards = pack(
            key,
            ruleset=name,
            tournament="play",
            entrants=("a", "b"),
            game=index,
            deal=view.deal,
        )
        deal = Deal(RULESETS[name], cards, view.dealer)
        if not view.tricks:
            opened.add((view.game, view.deal))
            laid = () if view.led_card is None or view.seat == view.leader else (view.led_card,)
            assert set(view.hand) == set(deal.hand(view.seat))
            assert set(laid) <= set(deal.hand(view.opponent))
        if view.deal == 0:
            assert view.dealer == index % 2
            assert view.score == (0, 0)
        else:
            assert max(view.score) < view.ruleset.target
        assert (view.move_ms, view.game_ms) == (None, None)
    assert {game for game, _ in opened} == {"play.1", "play.2", "play.3", "play.4"}


def test_bots_are_asked_only_where_there_is_something_to_decide() -> None:
    watcher, curious = Watcher(), Curious()
    result = play(watcher, curious, games=10, seed="66")
    assert all(len(view.legal) > 1 for view in watcher.views + curious.views)
    assert [view for view in curious.views if PASS in view.legal and CLOSE in view.legal]
    assert not [view for view in watcher.views if PASS in view.legal and CLOSE in view.legal]
    assert result.bots[0].decision_count == len(watcher.views)
    assert result.bots[1].decision_count == len(curious.views)


def test_the_score_in_the_views_is_the_one_that_is_counted() -> None:
    watcher = Watcher()
    result = play(watcher, first, games=20, seed="66")
    overs = [told for told in watcher.told if isinstance(told, GameOver)]
    assert [over.game for over in overs] == [f"play.{number}" for number in range(1, 21)]
    assert all(over.end is GameEnd.TARGET and max(over.score) >= 8 for over in overs)
    for over in overs:
        shown = {view.deal: view.score for view in watcher.views if view.game == over.game}
        scores = [(0, 0), *(shown[deal] for deal in sorted(shown)), over.score]
        gains = [(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(scores)]
        assert all(min(gain) == 0 and max(gain) <= 4 for gain in gains), (over.game, scores)
    difference = sum(over.score[0] - over.score[1] for over in overs)
    assert result.points_per_deal == difference / result.deal_count
    assert result.bots[0].games_won == sum(over.won for over in overs)
    assert result.bots[1].games_won == sum(over.lost for over in overs)


def test_options_and_limits_are_kept() -> None:
    watcher = Watcher()
    result = play(watcher, first, rules=ruleset("doubling", target=8), deals=37, seed="66")
    assert result.deal_count == 37
    assert {view.ruleset.target for view in watcher.views} == {8}
    started = {view.game for view in watcher.views}
    assert result.game_count in (len(started), len(started) - 1)


def test_the_same_seed_gives_the_same_result() -> None:
    results = [play(first, Watcher(), games=8, seed=seed) for seed in ("a", b"a", "b")]
    assert shape(results[0]) == shape(results[1]) != shape(results[2])
    assert [result.seed for result in results] == ["a", "61", "b"]
    drawn = play(first, first, games=2)
    assert shape(drawn) == shape(play(first, first, games=2, seed=drawn.seed))


def test_progress_is_told_after_every_deal_and_game() -> None:
    told: list[tuple[int, int]] = []
    result = play(first, first, games=3, seed="66", progress=lambda *now: told.append(now))
    assert told[-1] == (3, result.deal_count)
    assert told == sorted(set(told))
    assert [deals for _, deals in told] == list(range(1, result.deal_count + 1))


def test_times_are_those_of_the_bot() -> None:
    result = play(first, Watcher(), games=2, seed="66")
    for bot in result.bots:
        assert 0 < bot.median_ms <= bot.p95_ms <= bot.max_ms
        assert 0 < bot.mean_ms <= bot.max_ms


# Bots that fail


def failing(view: View) -> int:
    if view.deal == 1:
        raise KeyError("no such card")
    return view.legal[0]


def leaving(view: View) -> int:
    raise SystemExit(3)


class Whim(BaseException):
    pass


def closing(view: View) -> int:
    raise GeneratorExit


def whimsical(view: View) -> int:
    raise Whim("not today")


@pytest.mark.parametrize(
    ("bot", "fault", "reason"),
    [
        (failing, Fault.LEFT, "KeyError: 'no such card'"),
        (leaving, Fault.LEFT, "SystemExit: 3"),
        (closing, Fault.LEFT, "GeneratorExit"),
        (whimsical, Fault.LEFT, "Whim: not today"),
        (lambda view: None, Fault.LEFT, "the bot answered None: expected one of view.legal"),
        (lambda view: True, Fault.LEFT, "the bot answered True: expected one of view.legal"),
        (lambda view: 40, Fault.ILLEGAL, "illegal move 40: moves are the numbers 0 to 35"),
        (lambda view: 32, Fault.ILLEGAL, "illegal move exchange: classic has no exchange"),
    ],
)
@pytest.mark.parametrize("seat", [0, 1])
def test_a_bot_that_fails_forfeits_the_game_and_its_author_learns_why(
    bot: Callable[[View], object], fault: Fault, reason: str, seat: int
) -> None:
    watcher = Watcher()
    result = play(*((bot, watcher) if seat == 0 else (watcher, bot)), games=30, seed="66")
    assert result.bots[seat].games_forfeited == result.bots[1 - seat].games_won == 30
    assert result.bots[1 - seat].games_forfeited == result.bots[seat].games_won == 0
    assert result.game_count == 30
    assert result.deal_count == (30 if bot is failing else 0)
    assert len(result.failures) == MAX_KEPT_FAILURES
    told = result.failures[0]
    assert (told.bot, told.game, told.fault) == (seat, "play.1", fault)
    assert reason in told.reason
    assert "in game play.1 deal " in told.reason
    assert f"  seat = {seat}" in told.details.splitlines()
    over = next(each for each in watcher.told if isinstance(each, GameOver))
    assert (over.end, over.fault, over.won) == (GameEnd.FORFEIT, fault, True)
    assert over.reason == told.reason


def test_the_traceback_starts_in_the_authors_code() -> None:
    (told, *_) = play(failing, first, games=1, seed="66").failures
    lines = told.details.splitlines()
    assert lines[0] == "Traceback (most recent call last):"
    assert "in failing" in lines[1]


def test_it_ends_even_if_no_deal_ever_does() -> None:
    result = play(leaving, first, deals=7, seed="66")
    assert (result.game_count, result.deal_count) == (7, 0)
    assert (result.points_per_deal, result.interval_95) == (None, None)


@pytest.mark.parametrize("error", [OSError("disk full"), Whim("disk full")])
def test_a_hook_that_fails_costs_no_game(error: BaseException) -> None:
    class Bot(Watcher):
        def game_over(self, over: GameOver) -> None:
            raise error

    result = play(Bot(), first, games=2, seed="66")
    assert [bot.games_forfeited for bot in result.bots] == [0, 0]
    assert [(told.bot, told.fault) for told in result.failures] == [(0, None), (0, None)]
    assert "disk full" in result.failures[0].reason


def test_what_was_played_before_an_interruption_is_kept() -> None:
    def interrupted(view: View) -> int:
        if view.game == "play.3" and view.deal == 2:
            raise KeyboardInterrupt
        return view.legal[0]

    with pytest.raises(PlayInterrupted) as caught:
        play(interrupted, first, games=9, seed="66")
    result = caught.value.result
    whole = play(first, first, games=2, seed="66")
    assert result.game_count == 2
    assert result.deal_count == whole.deal_count + 2
    assert result.points_per_deal is not None
    # The deals of the game that is not over count: the mean is of all of them.
    points = result.points_per_deal * result.deal_count
    assert points == pytest.approx(round(points))
    assert not result.failures


def test_what_cannot_be_played_is_refused() -> None:
    with pytest.raises(ValueError, match="games or deals, not both"):
        play(first, first, games=1, deals=1)
    with pytest.raises(ValueError, match="deals must be at least 1, not 0"):
        play(first, first, deals=0)
    with pytest.raises(UnknownRuleset):
        play(first, first, rules="tarot")
    with pytest.raises(BotError, match="has no method choose"):
        play(first, 66)
    watcher = Watcher()
    watcher.rulesets = ("doubling",)  # type: ignore[attr-defined]
    with pytest.raises(BotError, match="does not play classic: it plays doubling"):
        play(first, watcher)


# The interval


def test_the_interval_of_games_of_one_deal_is_the_usual_one() -> None:
    points = [3, -1, 0, 2, -2, 1, 1, 0, -3, 2]
    mean, interval = points_per_deal([(each, 1) for each in points])
    assert mean == pytest.approx(sum(points) / 10)
    assert interval == pytest.approx(2.2622 * stdev(points) / math.sqrt(10), rel=1e-3)


def test_the_interval_of_many_games_is_normal() -> None:
    points = [3, -1, 0, 2, -2, 1, 1, 0, -3, 2] * 1000
    _, interval = points_per_deal([(each, 1) for each in points])
    expected = NormalDist().inv_cdf(0.975) * stdev(points) / math.sqrt(10_000)
    assert interval == pytest.approx(expected, rel=1e-3)


@pytest.mark.parametrize(
    ("games", "student"), [(2, 12.7062), (3, 4.3027), (4, 3.1824), (5, 2.7764), (31, 2.0423)]
)
def test_few_games_have_the_interval_of_student(games: int, student: float) -> None:
    points = [*range(games - 1), 40]
    _, interval = points_per_deal([(each, 1) for each in points])
    assert interval == pytest.approx(student * stdev(points) / math.sqrt(games), rel=0.01)


def test_deals_of_a_game_count_together() -> None:
    mean, interval = points_per_deal([(8, 4), (-8, 4)] * 500)
    assert mean == 0
    assert interval == pytest.approx(1.96 * 8 / 4 / math.sqrt(1000), rel=0.01)


@pytest.mark.parametrize("games", [[], [(0, 0)], [(8, 4)], [(8, 4), (0, 0)], [(8, 4), (4, 2)]])
def test_where_games_cannot_tell_there_is_no_interval(games: list[tuple[int, int]]) -> None:
    assert points_per_deal(games) == (2.0 if (8, 4) in games else None, None)
