"""Playing two bots against each other in this process, without an arena."""

from __future__ import annotations

import math
import secrets
import time
import traceback
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from statistics import fmean, median
from typing import Any

from sixtysix.bot import Bot, BotError, GameOver, GameStart, answer_code, as_bot
from sixtysix.clock import Clock
from sixtysix.forced import forced_move
from sixtysix.outcome import Fault, GameEnd, GameOutcome
from sixtysix.rules import RULESETS, Deal, Game, IllegalMove, Ruleset, View
from sixtysix.shuffle import pack, tournament_key
from sixtysix.telling import short, view_lines

__all__ = ["BotFailure", "BotFigures", "PlayInterrupted", "PlayResult", "play"]

DEFAULT_GAMES = 100

SLUG = "play"
_ENTRANTS = ("a", "b")
"""What packs are made from: the seats, so that the same seed deals alike to any two bots."""

MAX_KEPT_FAILURES = 20
"""Failures that are kept with their details; a bot may fail in every game."""

_NORMAL_95 = 1.959964
_FEW = (12.706, 4.303)
"""Student's, for one and two degrees of freedom."""


@dataclass(frozen=True, slots=True)
class BotFailure:
    """How a bot failed: it raised, or its answer was no legal move."""

    bot: int
    """0 for the first bot, 1 for the second."""
    game: str
    """The public id of the game."""
    fault: Fault | None
    """What the game was forfeited for; None if it went on, since only a hook failed."""
    reason: str
    """What happened, in one sentence."""
    details: str
    """For the author, on many lines: the traceback, and the view that the bot had."""


@dataclass(frozen=True, slots=True)
class BotFigures:
    """One bot's part. Times are those of `choose` alone, in milliseconds of the wall clock."""

    name: str
    version: str
    games_won: int
    games_forfeited: int
    """Lost games that the bot forfeited."""
    decision_count: int
    mean_ms: float
    median_ms: float
    p95_ms: float
    max_ms: float


@dataclass(frozen=True, slots=True)
class PlayResult:
    """What came out. Signs are from the first bot's side."""

    rules: Ruleset
    seed: str
    """As text if it is text, else in hex."""
    bots: tuple[BotFigures, BotFigures]
    game_count: int
    """Games that are over."""
    games_drawn: int
    deal_count: int
    """Deals that are over."""
    points_per_deal: float | None
    """Game points of a deal, minus the opponent's, on average; None without deals."""
    interval_95: float | None
    """Half the width of the 95 % interval of these; None if the games cannot tell."""
    failures: tuple[BotFailure, ...]
    """The first failures of either bot, in order."""


class PlayInterrupted(KeyboardInterrupt):
    """Play was broken off by Ctrl-C; `result` is what came out until then."""

    def __init__(self, result: PlayResult) -> None:
        super().__init__()
        self.result = result


def play(
    bot_a: object,
    bot_b: object,
    *,
    rules: Ruleset | str = "classic",
    games: int | None = None,
    deals: int | None = None,
    seed: str | bytes | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> PlayResult:
    """Plays two bots, in any of the forms of `sixtysix.bot`, against each other.

    Ends after so many `games`, or so many `deals`, in which case the last game
    may not be over; after 100 games if neither is given. The first bot has
    seat 0, and each deals first in every other game. Packs follow from the
    rule set's name and `seed` alone, which is drawn if it is not given; views
    carry the ids `play.1`, `play.2`, ... and no times.

    A bot that raises, or answers with no legal move, forfeits that game; the
    deal that breaks off counts for nothing. `progress` is called after each
    deal and game with the numbers of games and deals that are over. Raises
    BotError for what is no bot, or does not play these rules, and
    PlayInterrupted after Ctrl-C.

    The interval is that of a ratio, points by deals, with games as clusters:
    the deals of a game hang together, for they share their dealers and decide
    when it ends; games share nothing.
    """
    if games is not None and deals is not None:
        raise ValueError("give games or deals, not both")
    for name, count in (("games", games), ("deals", deals)):
        if count is not None and count < 1:
            raise ValueError(f"{name} must be at least 1, not {count}")
    if seed is None:
        seed = secrets.token_hex(8)
    if isinstance(rules, str):
        rules = RULESETS[rules]
    bots = as_bot(bot_a), as_bot(bot_b)
    for bot in bots:
        if rules.name not in bot.rulesets:
            plays = ", ".join(bot.rulesets)
            raise BotError(f"{bot.label} does not play {rules.name}: it plays {plays}")
    pairing = _Pairing(bots, rules, seed, progress)
    # A game has at least one deal, or is forfeited: so this ends with any bots.
    try:
        for index in range(games or deals or DEFAULT_GAMES):
            pairing.play_game(index, deals)
            if deals is not None and pairing.deal_count >= deals:
                break
    except KeyboardInterrupt:
        raise PlayInterrupted(pairing.result()) from None
    return pairing.result()


def points_per_deal(games: Iterable[tuple[int, int]]) -> tuple[float | None, float | None]:
    """The mean of points by deals, and half its 95 % interval, from both numbers of each game.

    There is no mean without deals, and no interval if the games do not show how
    much they scatter: fewer than two with deals, or all alike.
    """
    counted = [(points, deals) for points, deals in games if deals]
    if not counted:
        return None, None
    deal_count = sum(deals for _, deals in counted)
    mean = sum(points for points, _ in counted) / deal_count
    squares = sum((points - mean * deals) ** 2 for points, deals in counted)
    freedom = len(counted) - 1
    if not freedom or not squares:
        return mean, None
    return mean, _student_95(freedom) * math.sqrt(squares * len(counted) / freedom) / deal_count


def _student_95(freedom: int) -> float:
    """Half the width of 95 % of Student's distribution, to 1 %."""
    if freedom <= len(_FEW):
        return _FEW[freedom - 1]
    # The first terms of its expansion around the normal one.
    z = _NORMAL_95
    return (
        z
        + (z**3 + z) / (4 * freedom)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * freedom**3)
    )


class _Forfeit(Exception):
    """Ends a game from inside a deal."""

    def __init__(self, seat: int, fault: Fault, reason: str) -> None:
        super().__init__(reason)
        self.seat = seat
        self.fault = fault
        self.reason = reason


class _Pairing:
    """Plays game after game and keeps count; the seat of a bot is its index."""

    def __init__(
        self,
        bots: tuple[Bot, Bot],
        rules: Ruleset,
        seed: str | bytes,
        progress: Callable[[int, int], object] | None,
    ) -> None:
        self.deal_count = 0
        self._bots = bots
        self._rules = rules
        self._seed = seed if isinstance(seed, str) else seed.hex()
        self._key = tournament_key(seed.encode() if isinstance(seed, str) else seed, {})
        self._progress = progress
        self._outcomes: list[GameOutcome] = []
        self._points: list[tuple[int, int]] = []
        """Of each game the points, as a difference, and the deals."""
        self._failures: list[BotFailure] = []
        self._times_ns: tuple[list[int], list[int]] = [], []

    def play_game(self, index: int, deal_limit: int | None) -> None:
        """Plays a game, but not on when `deal_limit` deals are over."""
        game_id = f"{SLUG}.{index + 1}"
        game = Game(self._rules, first_dealer=index % 2)
        self._tell_start(game_id)
        outcome = None
        try:
            while not game.over and (deal_limit is None or self.deal_count < deal_limit):
                self._play_deal(game, game_id, index)
        except _Forfeit as forfeit:
            outcome = GameOutcome(
                end=GameEnd.FORFEIT,
                winner=1 - forfeit.seat,
                score=game.score,
                deal_count=game.deal_count,
                fault=forfeit.fault,
                reason=forfeit.reason,
            )
        finally:
            # Deals that are over count, also those of a game that is broken off.
            self._points.append((game.score[0] - game.score[1], game.deal_count))
        if game.over:
            end = GameEnd.TARGET if game.target_reached else GameEnd.DEAL_LIMIT
            outcome = GameOutcome(end, game.winner, game.score, game.deal_count)
        if outcome is not None:
            self._outcomes.append(outcome)
            self._tell_end(game_id, outcome)
            self._tell_progress()

    def result(self) -> PlayResult:
        """What came out so far."""
        mean, interval = points_per_deal(self._points)
        return PlayResult(
            rules=self._rules,
            seed=self._seed,
            bots=(self._figures(0), self._figures(1)),
            game_count=len(self._outcomes),
            games_drawn=sum(outcome.winner is None for outcome in self._outcomes),
            deal_count=self.deal_count,
            points_per_deal=mean,
            interval_95=interval,
            failures=tuple(self._failures),
        )

    def _figures(self, seat: int) -> BotFigures:
        bot = self._bots[seat]
        times_ms = sorted(time_ns / 1e6 for time_ns in self._times_ns[seat]) or [0.0]
        won = [outcome for outcome in self._outcomes if outcome.winner == seat]
        lost = [outcome for outcome in self._outcomes if outcome.winner == 1 - seat]
        return BotFigures(
            name=bot.label,
            version=bot.version,
            games_won=len(won),
            games_forfeited=sum(outcome.end is GameEnd.FORFEIT for outcome in lost),
            decision_count=len(self._times_ns[seat]),
            mean_ms=fmean(times_ms),
            median_ms=median(times_ms),
            p95_ms=times_ms[len(times_ms) * 95 // 100],
            max_ms=times_ms[-1],
        )

    def _play_deal(self, game: Game, game_id: str, index: int) -> None:
        number = game.deal_count
        cards = pack(
            self._key,
            ruleset=self._rules.name,
            tournament=SLUG,
            entrants=_ENTRANTS,
            game=index,
            deal=number,
        )
        deal = game.deal(cards)
        while deal.turn is not None:
            seat = deal.turn
            move = forced_move(deal, self._bots[seat].close_on_opponents_lead)
            if move is not None:
                deal.play(move)
            else:
                view = deal.view(seat, game=game_id, deal=number, score=game.score)
                self._make_move(deal, view)
        assert deal.result is not None
        game.add(deal.result)
        self.deal_count += 1
        if not game.over:
            self._tell_progress()

    def _make_move(self, deal: Deal, view: View) -> None:
        """Asks the bot whose view it is. Raises _Forfeit if it fails."""
        where = f"in game {view.game} deal {view.deal} ply {view.ply}"
        choose, times_ns = self._bots[view.seat].choose, self._times_ns[view.seat]
        start_ns = time.perf_counter_ns()
        try:
            answer = choose(view)
            times_ns.append(time.perf_counter_ns() - start_ns)
            move = answer_code(answer)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            reason = f"the bot failed {where}: {_summary(error)}"
            self._note(view.seat, view.game, Fault.LEFT, reason, _author_traceback(error), view)
            raise _Forfeit(view.seat, Fault.LEFT, reason) from error
        try:
            deal.play(move)
        except IllegalMove as error:
            reason = f"{error} {where}"
            self._note(view.seat, view.game, Fault.ILLEGAL, reason, "", view)
            raise _Forfeit(view.seat, Fault.ILLEGAL, reason) from error

    def _tell_start(self, game_id: str) -> None:
        for seat, bot in enumerate(self._bots):
            if bot.game_started is not None:
                opponent = self._bots[1 - seat].label
                start = GameStart(game_id, self._rules, Clock(), seat, opponent)
                self._call_hook(seat, game_id, "game_started", bot.game_started, start)

    def _tell_end(self, game_id: str, outcome: GameOutcome) -> None:
        for seat, bot in enumerate(self._bots):
            if bot.game_over is not None:
                over = GameOver(
                    game=game_id,
                    seat=seat,
                    opponent=self._bots[1 - seat].label,
                    end=outcome.end,
                    winner=outcome.winner,
                    score=outcome.score,
                    fault=outcome.fault,
                    reason=outcome.reason,
                )
                self._call_hook(seat, game_id, "game_over", bot.game_over, over)

    def _call_hook(
        self, seat: int, game_id: str, name: str, hook: Callable[[Any], object], event: object
    ) -> None:
        try:
            hook(event)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            reason = f"{name} failed in game {game_id}, which went on: {_summary(error)}"
            self._note(seat, game_id, None, reason, _author_traceback(error))

    def _note(
        self,
        seat: int,
        game_id: str,
        fault: Fault | None,
        reason: str,
        details: str,
        view: View | None = None,
    ) -> None:
        if len(self._failures) >= MAX_KEPT_FAILURES:
            return
        if view is not None:
            details = f"{details}\nThe view was:\n{view_lines(view)}".lstrip()
        self._failures.append(BotFailure(seat, game_id, fault, reason, details))

    def _tell_progress(self) -> None:
        if self._progress is not None:
            self._progress(len(self._outcomes), self.deal_count)


def _summary(error: BaseException) -> str:
    return short(traceback.format_exception_only(error)[-1])


def _author_traceback(error: BaseException) -> str:
    """The traceback from where this file called the author's code."""
    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_code.co_filename == __file__:
        trace = trace.tb_next
    return "".join(traceback.format_exception(type(error), error, trace)).rstrip()
