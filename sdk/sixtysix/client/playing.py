"""The bot's side of a stream without the stream: frames of the arena in, frames of the bot out."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

from sixtysix import wire
from sixtysix.bot import Bot, BotError, GameOver, GameStart, answer_code
from sixtysix.joining import Tally
from sixtysix.names import TRIAL
from sixtysix.outcome import GameEnd
from sixtysix.rules import View
from sixtysix.telling import Teller, short
from sixtysix.v1 import play_pb2

__all__ = ["Player"]

FLUSH_S = 0.005
"""Answers wait no longer than this for the others of their frame."""
DEFAULT_FRAME_BYTES = 64 * 1024
"""The largest frame that is sent as long as the arena has not named its limit."""
MESSAGE_BYTES = 32
"""An answer or a leave has at most this many bytes in a frame."""


class Player:
    """Lets a bot play the games of a stream, and of the next stream after a reconnect."""

    def __init__(
        self,
        bot: Bot,
        teller: Teller,
        *,
        verbose: bool = False,
        now_s: Callable[[], float] = time.perf_counter,
    ) -> None:
        self.send: Callable[[play_pb2.BotFrame], object] = _nowhere
        """Takes the bot's frames; each stream brings its own."""
        self.tally = Tally()
        self.failed_trials: set[str] = set()
        """The rule sets in which the bot failed its validation."""
        self._bot = bot
        self._teller = teller
        self._verbose = verbose
        self._now_s = now_s
        self._games: dict[int, GameStart] = {}
        self._games_before: dict[int, GameStart] = {}
        self._is_back = False
        self._max_messages = _max_messages(0)
        self._frame = play_pb2.BotFrame()
        self._flushed_s = 0.0

    def welcome(self, welcome: play_pb2.Welcome) -> None:
        """Begins a new stream. The arena names the games that go on in it once more."""
        self._games_before, self._games = self._games, {}
        self._is_back = bool(self._games_before)
        self._max_messages = _max_messages(welcome.max_frame_bytes)

    def take(self, frame: play_pb2.ArenaFrame) -> None:
        """Answers the decisions of a frame, in their order, and tells the author of the rest."""
        self._flushed_s = self._now_s()
        if self._is_back and not frame.HasField("welcome"):
            self._tell_what_goes_on(frame.starts)
        for start in frame.starts:
            self._begin(start)
        if frame.decisions:
            self._decide(frame.decisions)
            self._flush()
        for stale in frame.stales if self._verbose else ():
            self._teller.tell(
                f"An answer in {self._name(stale.game)} deal {stale.deal} ply {stale.ply} came to"
                " nothing: its decision was not open."
            )
        for fault in frame.faults:
            self._tell_fault(fault)
        for over in frame.games_over:
            self._end(over)

    def _decide(self, decisions: Sequence[play_pb2.Decision]) -> None:
        if self._bot.choose_batch is None:
            for decision in decisions:
                view = self._view(decision)
                if view is not None:
                    self._answer_one(decision, view)
            return
        asked = [(each, view) for each in decisions if (view := self._view(each)) is not None]
        views = [view for _, view in asked]
        try:
            answers = _answers(self._bot.choose_batch(views), len(views))
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            self._teller.failure("choose_batch failed, so each view is asked alone", error)
            for decision, view in asked:
                self._answer_one(decision, view)
            return
        for (decision, view), answer in zip(asked, answers, strict=True):
            self._answer(decision, view, answer)

    def _answer_one(self, decision: play_pb2.Decision, view: View) -> None:
        try:
            answer = self._bot.choose(view)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            self._fail(decision, error, view)
        else:
            self._answer(decision, view, answer)

    def _answer(self, decision: play_pb2.Decision, view: View, answer: object) -> None:
        try:
            move = answer_code(answer)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # The answer is the author's code too.
            self._fail(decision, error, view)
            return
        self._frame.answers.add(game=decision.game, deal=decision.deal, ply=decision.ply, move=move)
        if self._now_s() - self._flushed_s >= FLUSH_S:
            self._flush()

    def _view(self, decision: play_pb2.Decision) -> View | None:
        start = self._games.get(decision.game)
        try:
            return wire.view(decision, "" if start is None else start.game)
        except wire.WireError as error:
            self._fail(decision, error, None, "The arena asked something that is not understood")
            return None

    def _fail(
        self,
        decision: play_pb2.Decision,
        error: BaseException,
        view: View | None,
        what: str = "The bot failed",
    ) -> None:
        """Gives up the game in which the bot failed; its other games go on."""
        self._frame.leaves.add(game=decision.game, reason=play_pb2.LEAVE_REASON_BOT_RAISED)
        where = f"{self._name(decision.game)} deal {decision.deal} ply {decision.ply}"
        self._teller.failure(f"{what} in {where}, so it leaves this game", error, view)
        if self._now_s() - self._flushed_s >= FLUSH_S:
            self._flush()

    def _flush(self) -> None:
        """Sends what has been collected, in frames that the arena accepts."""
        frame, self._frame = self._frame, play_pb2.BotFrame()
        self._flushed_s = self._now_s()
        most = self._max_messages
        if len(frame.answers) + len(frame.leaves) <= most:
            if frame.answers or frame.leaves:
                self.send(frame)
            return
        for answers in _slices(frame.answers, most):
            self.send(play_pb2.BotFrame(answers=answers))
        for leaves in _slices(frame.leaves, most):
            self.send(play_pb2.BotFrame(leaves=leaves))

    def _tell_what_goes_on(self, starts: Iterable[play_pb2.GameStart]) -> None:
        """The first frame of a stream names all games that are under way."""
        self._is_back = False
        count = sum(start.game in self._games_before for start in starts)
        before = len(self._games_before)
        ended = "" if count == before else "; the others ended, or wait for their opponents"
        self._teller.tell(f"Of the games it was playing, {count} of {before} go on{ended}.")

    def _begin(self, message: play_pb2.GameStart) -> None:
        start = GameStart(
            game=message.game_id,
            ruleset=wire.rules_of(message.rules),
            clock=wire.clock_of(message.clock),
            seat=message.seat,
            opponent=message.opponent,
        )
        self._games[message.game] = start
        if message.game in self._games_before:
            return
        if self._verbose:
            self._teller.tell(f"{_against(start)} begins.")
        if self._bot.game_started is not None:
            self._call_hook("game_started", self._bot.game_started, start)

    def _end(self, message: play_pb2.GameOver) -> None:
        start = self._games.pop(message.game, None)
        if start is None:
            return
        end = wire.GAME_ENDS.members.get(message.end)
        if end is None:
            self._teller.tell(f"{_against(start)} ended in a way that is not understood.")
            return
        score_0, score_1 = message.score
        over = GameOver(
            game=start.game,
            seat=start.seat,
            opponent=start.opponent,
            end=end,
            winner=message.winner if message.HasField("winner") else None,
            score=(score_0, score_1),
            fault=wire.FAULTS.members.get(message.fault),
            reason=message.text,
        )
        if start.game.startswith(TRIAL):
            self._note_trial(over, start)
        else:
            self._count(over)
        if self._verbose or over.fault is not None or end is GameEnd.VOID:
            self._teller.tell(_told(over, start))
        if self._bot.game_over is not None:
            self._call_hook("game_over", self._bot.game_over, over)

    def _note_trial(self, over: GameOver, start: GameStart) -> None:
        """Says what became of a trial, which is no game that counts."""
        ruleset = start.ruleset.name
        if over.fault is None:
            self.failed_trials.discard(ruleset)
        elif over.lost:
            self.failed_trials.add(ruleset)
            self._teller.tell(
                f"The bot failed its validation of {ruleset} and is not seated in tournaments"
                " of it: mend it, and join again."
            )

    def _count(self, over: GameOver) -> None:
        if over.end is GameEnd.VOID:
            self.tally.void += 1
        elif over.won:
            self.tally.won += 1
        elif over.lost:
            self.tally.lost += 1
        else:
            self.tally.drawn += 1

    def _call_hook(self, name: str, hook: Callable[[Any], object], event: object) -> None:
        try:
            hook(event)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            self._teller.failure(f"{name} failed, and the game goes on", error)

    def _tell_fault(self, notice: play_pb2.FaultNotice) -> None:
        fault = wire.FAULTS.members.get(notice.fault)
        where = f" in {self._name(notice.game)}"
        self._teller.tell(f"Fault{where}, {fault or 'of an unknown kind'}: {short(notice.text)}")

    def _name(self, game: int) -> str:
        start = self._games.get(game) or self._games_before.get(game)
        return f"game {game}" if start is None else short(start.game)


Item = TypeVar("Item")


def _nowhere(frame: play_pb2.BotFrame) -> None:
    raise AssertionError("there is no stream yet")


def _answers(answers: Any, count: int) -> list[object]:
    """What choose_batch returned for `count` views, as a list. Raises BotError if it is none."""
    try:
        listed = list(answers)
    except TypeError:
        raise BotError(f"choose_batch returned {answers!r}: expected a list of moves") from None
    if len(listed) != count:
        raise BotError(f"choose_batch returned {len(listed)} answers to {count} views")
    return listed


def _slices(items: Sequence[Item], most: int) -> Iterator[Iterable[Item]]:
    for begin in range(0, len(items), most):
        yield items[begin : begin + most]


def _max_messages(max_frame_bytes: int) -> int:
    """How many answers and leaves a frame of so many bytes holds."""
    return max(1, (max_frame_bytes or DEFAULT_FRAME_BYTES) // MESSAGE_BYTES)


def _against(start: GameStart) -> str:
    return f"{short(start.game)} against {short(start.opponent)}"


def _told(over: GameOver, start: GameStart) -> str:
    """One sentence on how a game ended."""
    game = _against(start)
    reason = short(over.reason)
    if over.end is GameEnd.VOID:
        return f"{game} is void: {reason or 'the arena gave no reason'}"
    own, other = over.score[over.seat], over.score[1 - over.seat]
    verb = "Won" if over.won else "Lost" if over.lost else "Drew"
    if over.fault is None:
        return f"{verb} {game}, {own} to {other}."
    # The bot was told of its own fault in full when it committed it.
    return f"{verb} {game} by forfeit ({over.fault})" + (f": {reason}" if over.won else ".")
