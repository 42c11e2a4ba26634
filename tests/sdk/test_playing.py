"""What a bot does with the frames of an arena."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from support.fake_arena import decisions, start, welcome

from sixtysix import telling
from sixtysix.bot import Bot, GameOver, GameStart, as_bot
from sixtysix.client import playing
from sixtysix.client.playing import Player
from sixtysix.outcome import Fault, GameEnd
from sixtysix.rules import View
from sixtysix.v1 import common_pb2, play_pb2


class Desk:
    """A player with everything that goes out of it."""

    def __init__(self, bot: object, *, verbose: bool = False, max_frame_bytes: int = 65_536):
        self.sent: list[play_pb2.BotFrame] = []
        self.told: list[str] = []
        self.now_s = 0.0
        teller = telling.Teller(self.told.append)
        self.player = Player(as_bot(bot), teller, verbose=verbose, now_s=lambda: self.now_s)
        self.player.send = self.sent.append
        self.player.welcome(welcome(max_frame_bytes=max_frame_bytes).welcome)

    def start(self, *games: int) -> None:
        self.player.take(play_pb2.ArenaFrame(starts=[start(game) for game in games]))

    def ask(self, *games: int) -> None:
        self.player.take(play_pb2.ArenaFrame(decisions=decisions(games)))

    def answers(self) -> list[tuple[int, int]]:
        return [(each.game, each.move) for frame in self.sent for each in frame.answers]

    def leaves(self) -> list[int]:
        return [each.game for frame in self.sent for each in frame.leaves]


def choose_first(view: View) -> int:
    return view.legal[0]


def test_a_frame_is_answered_with_one_frame_in_its_order() -> None:
    desk = Desk(choose_first)
    desk.start(7, 3, 9)
    asked = decisions([7, 3, 9])
    desk.player.take(play_pb2.ArenaFrame(decisions=asked))
    (frame,) = desk.sent
    assert [(each.game, each.deal, each.ply, each.move) for each in frame.answers] == [
        (each.game, each.deal, each.ply, each.legal[0]) for each in asked
    ]
    assert all(each.HasField("move") for each in frame.answers)


def test_a_view_knows_the_public_id_of_its_game() -> None:
    seen: list[str] = []

    def choose(view: View) -> int:
        seen.append(view.game)
        return view.legal[0]

    desk = Desk(choose)
    desk.start(3, 8)
    desk.ask(8, 3)
    assert seen == ["cup.8", "cup.3"]


def test_a_bot_that_raises_leaves_that_game_alone() -> None:
    def choose(view: View) -> int:
        if view.game == "cup.2":
            raise KeyError("no idea")
        return view.legal[0]

    desk = Desk(choose)
    desk.start(1, 2, 3)
    desk.ask(1, 2, 3)
    (frame,) = desk.sent
    assert [answer.game for answer in frame.answers] == [1, 3]
    (leave,) = frame.leaves
    assert (leave.game, leave.reason) == (2, play_pb2.LEAVE_REASON_BOT_RAISED)
    (text,) = desk.told
    assert text.startswith("The bot failed in cup.2 deal 1 ply 0, so it leaves this game: KeyError")
    assert 'raise KeyError("no idea")' in text
    assert "client/playing.py" not in text, "the traceback begins in the author's code"
    assert "\n  hand = (" in text
    assert "\n  ruleset = doubling\n" in text


@pytest.mark.parametrize("answer", [None, "TH", True, -1, 2**32])
def test_a_bot_that_answers_no_number_leaves_the_game(answer: object) -> None:
    desk = Desk(lambda view: answer)
    desk.start(1)
    desk.ask(1)
    assert desk.answers() == []
    assert desk.leaves() == [1]
    assert f"the bot answered {answer!r}: expected one of view.legal" in desk.told[0]


@pytest.mark.parametrize("answer", [99, 34, 2**32 - 1])
def test_an_illegal_number_is_for_the_arena_to_judge(answer: int) -> None:
    desk = Desk(lambda view: answer)
    desk.start(1)
    desk.ask(1)
    assert desk.answers() == [(1, answer)]
    assert desk.told == []


class Batching:
    """Counts how it is asked."""

    def __init__(self, batch: Callable[[list[View]], Any]) -> None:
        self.sizes: list[int] = []
        self.singles = 0
        self.batch = batch

    def choose_batch(self, views: list[View]) -> Any:
        self.sizes.append(len(views))
        return self.batch(views)

    def choose(self, view: View) -> int:
        self.singles += 1
        return view.legal[-1]


def test_a_bot_that_can_is_asked_for_all_at_once() -> None:
    bot = Batching(lambda views: [view.legal[0] for view in views])
    desk = Desk(bot)
    desk.start(1, 2, 3)
    desk.ask(3, 1, 2)
    assert (bot.sizes, bot.singles) == ([3], 0)
    assert [game for game, _ in desk.answers()] == [3, 1, 2]


@pytest.mark.parametrize(
    ("batch", "told"),
    [
        (lambda views: 1 // 0, "ZeroDivisionError"),
        (lambda views: [0], "choose_batch returned 1 answers to 2 views"),
        (lambda views: None, "choose_batch returned None: expected a list of moves"),
    ],
)
def test_a_batch_that_fails_is_asked_one_by_one(
    batch: Callable[[list[View]], Any], told: str
) -> None:
    bot = Batching(batch)
    desk = Desk(bot)
    desk.start(1, 2)
    desk.ask(1, 2)
    assert bot.singles == 2
    assert len(desk.answers()) == 2
    assert desk.leaves() == []
    assert told in desk.told[0]


def test_of_a_batch_only_the_games_without_an_answer_are_left() -> None:
    desk = Desk(Batching(lambda views: [views[0].legal[0], None]))
    desk.start(1, 2)
    desk.ask(1, 2)
    assert [game for game, _ in desk.answers()] == [1]
    assert desk.leaves() == [2]


def test_a_batch_alone_that_fails_leaves_only_what_it_cannot_answer() -> None:
    class Bot:
        def choose_batch(self, views: list[View]) -> list[int]:
            if any(view.game == "cup.2" for view in views):
                raise ValueError
            return [view.legal[0] for view in views]

    desk = Desk(Bot())
    desk.start(1, 2, 3)
    desk.ask(1, 2, 3)
    assert [game for game, _ in desk.answers()] == [1, 3]
    assert desk.leaves() == [2]


def test_a_slow_bot_does_not_keep_its_answers_back() -> None:
    """`per_move_ms` runs from the last answer, so answers go out while others are thought about."""

    def choose(view: View) -> int:
        desk.now_s += 0.002
        return view.legal[0]

    desk = Desk(choose)
    games = range(10)
    desk.start(*games)
    desk.ask(*games)
    assert [len(frame.answers) for frame in desk.sent] == [3, 3, 3, 1]
    assert [game for game, _ in desk.answers()] == list(games)


def test_frames_stay_below_what_the_arena_accepts() -> None:
    def choose(view: View) -> int:
        if view.game[-1] in "24":
            raise ValueError
        return view.legal[0]

    desk = Desk(choose, max_frame_bytes=100)
    games = range(2**63, 2**63 + 20)
    desk.start(*games)
    desk.ask(*games)
    assert len(desk.sent) > 5
    assert all(0 < frame.ByteSize() <= 100 for frame in desk.sent)
    left = [game for game in games if str(game)[-1] in "24"]
    assert desk.leaves() == left
    assert [game for game, _ in desk.answers()] == [game for game in games if game not in left]


def test_no_message_is_larger_than_is_reckoned_with() -> None:
    most = 2**32 - 1
    answer = play_pb2.Answer(game=2**64 - 1, deal=most, ply=most, move=most)
    leave = play_pb2.Leave(game=2**64 - 1, reason=play_pb2.LEAVE_REASON_BOT_RAISED)
    assert play_pb2.BotFrame(answers=[answer]).ByteSize() <= playing.MESSAGE_BYTES
    assert play_pb2.BotFrame(leaves=[leave]).ByteSize() <= playing.MESSAGE_BYTES


def test_a_frame_without_decisions_is_not_answered() -> None:
    desk = Desk(choose_first)
    desk.start(1)
    desk.player.take(play_pb2.ArenaFrame(stales=[play_pb2.StaleNotice(game=1)]))
    assert desk.sent == []
    assert desk.told == []


def test_stale_answers_are_told_to_who_wants_to_know() -> None:
    desk = Desk(choose_first, verbose=True)
    desk.player.take(play_pb2.ArenaFrame(stales=[play_pb2.StaleNotice(game=1, deal=2, ply=3)]))
    assert desk.told[0].startswith("An answer in game 1 deal 2 ply 3 came to nothing")
    desk.start(1)
    desk.player.welcome(play_pb2.Welcome())
    desk.player.take(play_pb2.ArenaFrame(stales=[play_pb2.StaleNotice(game=1, deal=2, ply=3)]))
    assert desk.told[-1].startswith("An answer in cup.1 deal 2 ply 3 came to nothing")


def test_a_decision_that_makes_no_sense_costs_that_game_alone() -> None:
    desk = Desk(choose_first)
    desk.start(1, 2)
    asked = decisions([1, 2])
    asked[0].hand.append(99)
    desk.player.take(play_pb2.ArenaFrame(decisions=asked))
    assert desk.leaves() == [1]
    assert [game for game, _ in desk.answers()] == [2]
    assert "something that is not understood in cup.1" in desk.told[0]


def test_faults_are_told_in_a_sentence() -> None:
    desk = Desk(choose_first)
    desk.start(4)
    notices = [
        play_pb2.FaultNotice(game=4, fault=common_pb2.FAULT_ILLEGAL, text="no\x1b[31m such card"),
        play_pb2.FaultNotice(game=5, fault=99, text="news"),  # type: ignore[arg-type]
    ]
    desk.player.take(play_pb2.ArenaFrame(faults=notices))
    assert desk.told == [
        "Fault in cup.4, illegal: no [31m such card",
        "Fault in game 5, of an unknown kind: news",
    ]


def _over(game: int, end: common_pb2.GameEnd, **more: Any) -> play_pb2.GameOver:
    return play_pb2.GameOver(game=game, end=end, score=(3, 8), **more)


ENDS = [
    _over(1, common_pb2.GAME_END_TARGET, winner=0),
    _over(2, common_pb2.GAME_END_TARGET, winner=1),
    _over(3, common_pb2.GAME_END_DEAL_LIMIT),
    _over(4, common_pb2.GAME_END_VOID, text="nobody was there"),
    _over(5, common_pb2.GAME_END_FORFEIT, winner=0, fault=common_pb2.FAULT_LEFT, text="it left"),
    _over(6, common_pb2.GAME_END_FORFEIT, winner=1, fault=common_pb2.FAULT_TIMEOUT, text="late"),
    _over(99, common_pb2.GAME_END_TARGET, winner=0),
]
FORFEITS = [
    "cup.4 against house:greedy is void: nobody was there",
    "Won cup.5 against house:greedy by forfeit (left): it left",
    "Lost cup.6 against house:greedy by forfeit (timeout).",
]


def test_games_are_counted_and_only_the_unusual_ones_are_told() -> None:
    desk = Desk(choose_first)
    desk.start(*range(1, 7))
    desk.player.take(play_pb2.ArenaFrame(games_over=ENDS))
    assert str(desk.player.tally) == "2 won, 2 lost, 1 drawn, 1 void"
    assert desk.player.tally.games == 6
    assert desk.told == FORFEITS


def test_all_games_are_told_to_who_wants_to_know() -> None:
    desk = Desk(choose_first, verbose=True)
    desk.start(*range(1, 7))
    assert desk.told[0] == "cup.1 against house:greedy begins."
    del desk.told[:]
    desk.player.take(play_pb2.ArenaFrame(games_over=ENDS))
    assert desk.told == [
        "Won cup.1 against house:greedy, 3 to 8.",
        "Lost cup.2 against house:greedy, 3 to 8.",
        "Drew cup.3 against house:greedy, 3 to 8.",
        *FORFEITS,
    ]


class Hooked:
    """Keeps what it is told."""

    def __init__(self) -> None:
        self.starts: list[GameStart] = []
        self.overs: list[GameOver] = []

    def choose(self, view: View) -> int:
        return view.legal[0]

    def game_started(self, start: GameStart) -> None:
        self.starts.append(start)

    def game_over(self, over: GameOver) -> None:
        self.overs.append(over)


def test_hooks_hear_of_games() -> None:
    bot = Hooked()
    desk = Desk(bot)
    desk.start(5)
    desk.player.take(play_pb2.ArenaFrame(games_over=ENDS))
    (begun,) = bot.starts
    assert (begun.game, begun.seat, begun.opponent) == ("cup.5", 0, "house:greedy")
    assert begun.ruleset.name == "doubling"
    (over,) = bot.overs
    assert over == GameOver(
        "cup.5", 0, "house:greedy", GameEnd.FORFEIT, 0, (3, 8), Fault.LEFT, "it left"
    )
    assert over.won
    assert not over.lost


def test_a_hook_hears_of_a_game_once_though_the_connection_broke() -> None:
    bot = Hooked()
    desk = Desk(bot)
    desk.start(1)
    desk.player.welcome(welcome().welcome)
    desk.start(1, 2)
    assert [begun.game for begun in bot.starts] == ["cup.1", "cup.2"]


def test_answers_are_not_carried_over_to_another_stream() -> None:
    class Lost(Exception):
        pass

    def break_off(frame: play_pb2.BotFrame) -> None:
        raise Lost

    desk = Desk(choose_first)
    desk.start(1)
    desk.player.send = break_off
    with pytest.raises(Lost):
        desk.ask(1)
    desk.player.send = desk.sent.append
    desk.player.welcome(welcome().welcome)
    desk.start(2)
    desk.ask(2)
    assert [game for game, _ in desk.answers()] == [2]


def test_a_hook_that_raises_costs_nothing() -> None:
    def fail(event: object) -> None:
        raise RuntimeError("hook")

    desk = Desk(Bot("bot", choose_first, game_started=fail, game_over=fail))
    desk.start(1)
    desk.ask(1)
    desk.player.take(play_pb2.ArenaFrame(games_over=ENDS[:1]))
    assert desk.leaves() == []
    assert len(desk.answers()) == 1
    assert desk.told[0].startswith("game_started failed, and the game goes on: RuntimeError: hook")


class Whim(BaseException):
    pass


@pytest.mark.parametrize("error", [SystemExit(3), GeneratorExit(), Whim("not today")])
def test_whatever_a_bot_raises_costs_that_game_alone(error: BaseException) -> None:
    class Bot:
        def choose(self, view: View) -> int:
            if view.game == "cup.2":
                raise error
            return view.legal[0]

        def choose_batch(self, views: list[View]) -> list[int]:
            raise error

        def game_started(self, start: GameStart) -> None:
            raise error

    desk = Desk(Bot())
    desk.start(1, 2, 3)
    desk.ask(1, 2, 3)
    assert [game for game, _ in desk.answers()] == [1, 3]
    assert [each.game for frame in desk.sent for each in frame.leaves] == [2]


def test_an_answer_that_fails_to_be_a_number_costs_that_game_alone() -> None:
    class Answer:
        def __index__(self) -> int:
            raise Whim("no number today")

    desk = Desk(lambda view: Answer() if view.game == "cup.2" else view.legal[0])
    desk.start(1, 2)
    desk.ask(1, 2)
    assert [game for game, _ in desk.answers()] == [1]
    assert [each.game for frame in desk.sent for each in frame.leaves] == [2]


def test_failures_without_end_are_told_briefly() -> None:
    def choose(view: View) -> int:
        raise ValueError("x" * 10_000)

    desk = Desk(choose)
    desk.start(*range(10))
    desk.ask(*range(10))
    assert desk.leaves() == list(range(10))
    full = [text for text in desk.told if "Traceback" in text]
    assert len(full) == telling.MAX_FULL_FAILURES
    assert all("\n" not in text and len(text) < 700 for text in desk.told[len(full) :])


def test_a_failed_trial_is_told_and_counts_as_no_game() -> None:
    desk = Desk(choose_first)
    rules = common_pb2.Rules(ruleset=common_pb2.RULESET_CLASSIC, target=8)
    start = play_pb2.GameStart(game=9, game_id="validation/classic", rules=rules, seat=0)
    desk.player.take(play_pb2.ArenaFrame(starts=[start]))
    over = play_pb2.GameOver(
        game=9,
        end=common_pb2.GAME_END_FORFEIT,
        winner=1,
        score=[0, 0],
        fault=common_pb2.FAULT_ILLEGAL,
        text="illegal move AH",
    )
    desk.player.take(play_pb2.ArenaFrame(games_over=[over]))
    assert desk.player.failed_trials == {"classic"}
    assert desk.player.tally.games == 0
    assert any("failed its validation of classic" in text for text in desk.told)
