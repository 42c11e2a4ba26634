"""A bot joins an arena, comes back to it, and knows when it is over."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import grpc
import pytest
from support.fake_arena import FakeArena, Script, bye, decisions, start, welcome

import sixtysix
from sixtysix import JoinRefused, NotAllowed, wire
from sixtysix.bot import load_bot
from sixtysix.client import stream
from sixtysix.joining import Ending, EndReason, Tally, join
from sixtysix.rules import View
from sixtysix.v1 import common_pb2, play_pb2

Frames = Iterator[play_pb2.BotFrame]
FINISHED = bye(play_pb2.BYE_REASON_FINISHED, "the cup is over")
NOTHING_MORE = bye(play_pb2.BYE_REASON_FINISHED, "the arena has nothing more to play")


@pytest.fixture(autouse=True)
def _little_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "FIRST_PAUSE_S", 0.01)
    monkeypatch.setattr(stream, "MOST_PAUSE_S", 0.05)


@pytest.fixture
def told() -> list[str]:
    return []


def choose_first(view: View) -> int:
    return view.legal[0]


def finish(frames: Frames, context: grpc.ServicerContext) -> Iterator[play_pb2.ArenaFrame]:
    next(frames)
    yield welcome()
    yield FINISHED


def _join(arena: FakeArena, told: list[str], bot: object = choose_first, **more: Any) -> Ending:
    return join(bot, arena=arena.address, token="secret", tell=told.append, **more)


def test_a_bot_says_hello_and_plays_until_all_is_over(told: list[str]) -> None:
    heard: list[play_pb2.BotFrame] = []

    def script(frames: Frames, context: object) -> Iterator[play_pb2.ArenaFrame]:
        heard.append(next(frames))
        yield welcome()
        yield play_pb2.ArenaFrame(starts=[start(1), start(2)], decisions=decisions([1, 2]))
        heard.append(next(frames))
        yield play_pb2.ArenaFrame(
            games_over=[play_pb2.GameOver(game=1, end=1, winner=0, score=[8, 1])]  # type: ignore[arg-type]
        )
        yield FINISHED

    with FakeArena(script) as arena:
        ending = _join(
            arena,
            told,
            games_at_once=7,
            rulesets=["classic", "last-trick"],
            version="9",
            close_on_opponents_lead=True,
        )
    hello, answer = heard
    assert hello == play_pb2.BotFrame(
        hello=play_pb2.Hello(
            protocol_major=wire.PROTOCOL_MAJOR,
            protocol_minor=wire.PROTOCOL_MINOR,
            bot_version="9",
            games_at_once=7,
            rulesets=[common_pb2.RULESET_CLASSIC, common_pb2.RULESET_LAST_TRICK],
            close_on_opponents_lead=True,
        )
    )
    assert arena.metadata[0]["authorization"] == "Bearer secret"
    assert [each.game for each in answer.answers] == [1, 2]
    assert ending == Ending(EndReason.FINISHED, "the cup is over", "my-bot", Tally(won=1))
    assert told == [
        f"Joined the arena at {arena.address} as my-bot.",
        "The arena has nothing more to play (the cup is over)."
        " Games of my-bot: 1 won, 0 lost, 0 drawn.",
    ]
    assert not any("secret" in text for text in told)


def test_the_farewell_does_not_repeat_itself(told: list[str]) -> None:
    def script(frames: Frames, context: object) -> Iterator[play_pb2.ArenaFrame]:
        next(frames)
        yield welcome()
        yield NOTHING_MORE

    with FakeArena(script) as arena:
        _join(arena, told)
    assert told[-1].startswith("The arena has nothing more to play. Games of my-bot: ")


def test_what_a_bot_says_of_itself_is_told_to_the_arena(told: list[str]) -> None:
    class Bot:
        version = "3"
        rulesets = ("played-out",)

        def choose(self, view: View) -> int:
            return 0

    hellos = []

    def script(frames: Frames, context: object) -> Iterator[play_pb2.ArenaFrame]:
        hellos.append(next(frames).hello)
        yield from (welcome(), FINISHED)

    with FakeArena(script) as arena:
        _join(arena, told, Bot())
    (hello,) = hellos
    assert hello.bot_version == "3"
    assert list(hello.rulesets) == [common_pb2.RULESET_PLAYED_OUT]
    assert not hello.close_on_opponents_lead
    assert hello.games_at_once == 64


def test_a_bot_that_raises_leaves_and_its_other_games_go_on(told: list[str]) -> None:
    heard = []

    def choose(view: View) -> int:
        if view.game == "cup.1":
            raise RuntimeError("oh")
        return view.legal[0]

    def script(frames: Frames, context: object) -> Iterator[play_pb2.ArenaFrame]:
        next(frames)
        yield welcome()
        yield play_pb2.ArenaFrame(starts=[start(1), start(2)], decisions=decisions([1, 2]))
        heard.append(next(frames))
        yield play_pb2.ArenaFrame(decisions=decisions([2]))
        heard.append(next(frames))
        yield FINISHED

    with FakeArena(script) as arena:
        ending = _join(arena, told, choose)
    assert [leave.game for leave in heard[0].leaves] == [1]
    assert [answer.game for frame in heard for answer in frame.answers] == [2, 2]
    assert ending.reason is EndReason.FINISHED
    assert "RuntimeError: oh" in told[1]


def end_silently(frames: Frames, context: object) -> Iterator[play_pb2.ArenaFrame]:
    next(frames)
    yield welcome()


def end_before_welcome(frames: Frames, context: object) -> Iterator[play_pb2.ArenaFrame]:
    next(frames)
    yield from ()


def _aborting(code: grpc.StatusCode, text: str = "no") -> Script:
    def script(frames: Frames, context: grpc.ServicerContext) -> Iterator[play_pb2.ArenaFrame]:
        next(frames)
        yield welcome()
        context.abort(code, text)

    return script


def _saying_bye(reason: play_pb2.ByeReason) -> Script:
    def script(frames: Frames, context: object) -> Iterator[play_pb2.ArenaFrame]:
        next(frames)
        yield from (welcome(), bye(reason, "for a reason"))

    return script


@pytest.mark.parametrize(
    ("script", "text"),
    [
        (end_silently, "was lost; trying again, first in 0.0 s."),
        (end_before_welcome, "was lost; trying again, first in 0.0 s."),
        (_aborting(grpc.StatusCode.UNAVAILABLE), "was lost; trying again, first in 0.0 s."),
        (_aborting(grpc.StatusCode.INTERNAL), "was lost; trying again, first in 0.0 s."),
        (_aborting(grpc.StatusCode.RESOURCE_EXHAUSTED), "was lost; trying again, first in 0.0 s."),
        (_saying_bye(play_pb2.BYE_REASON_STOPPING), "for a reason; trying again, first in 0.0 s."),
        (_saying_bye(play_pb2.BYE_REASON_MALFORMED), "for a reason; trying again, first in 0.0 s."),
        (_saying_bye(play_pb2.BYE_REASON_STUCK), "for a reason; trying again, first in 0.0 s."),
        (_saying_bye(77), "for a reason; trying again, first in 0.0 s."),  # type: ignore[arg-type]
    ],
)
def test_a_bot_comes_back(told: list[str], script: Script, text: str) -> None:
    with FakeArena(script, finish) as arena:
        ending = _join(arena, told)
    assert ending.reason is EndReason.FINISHED
    assert len(arena.metadata) == 2
    assert text in "\n".join(told)
    assert told[-2].startswith("Joined" if script is end_before_welcome else "Back in")


def test_a_bot_that_came_back_is_asked_again(told: list[str]) -> None:
    asked: list[str] = []

    def break_off(frames: Frames, context: object) -> Iterator[play_pb2.ArenaFrame]:
        next(frames)
        yield welcome()
        yield play_pb2.ArenaFrame(starts=[start(5)], decisions=decisions([5]))

    def go_on(frames: Frames, context: object) -> Iterator[play_pb2.ArenaFrame]:
        assert next(frames).HasField("hello")
        yield welcome()
        yield play_pb2.ArenaFrame(starts=[start(5)], decisions=decisions([5]))
        (answer,) = next(frames).answers
        asked.append(f"game {answer.game}")
        yield FINISHED

    with FakeArena(break_off, go_on) as arena:
        _join(arena, told)
    assert asked == ["game 5"]


def break_off_with_three_games(frames: Frames, context: object) -> Iterator[play_pb2.ArenaFrame]:
    next(frames)
    yield welcome()
    yield play_pb2.ArenaFrame(starts=[start(5), start(6), start(7)], decisions=decisions([5]))


def test_a_bot_that_is_back_is_told_which_of_its_games_go_on(told: list[str]) -> None:
    def go_on(frames: Frames, context: object) -> Iterator[play_pb2.ArenaFrame]:
        next(frames)
        yield welcome()
        yield play_pb2.ArenaFrame(starts=[start(5), start(7), start(8)], decisions=decisions([5]))
        next(frames)
        yield play_pb2.ArenaFrame(starts=[start(9)])
        yield FINISHED

    with FakeArena(break_off_with_three_games, go_on) as arena:
        _join(arena, told)
    assert told[1:-1] == [
        f"The connection to the arena at {arena.address} was lost; trying again, first in 0.0 s.",
        f"Back in the arena at {arena.address} as my-bot.",
        "Of the games it was playing, 2 of 3 go on; the others ended, or wait for their opponents.",
    ]


def put_off(wait_ms: str) -> Script:
    def script(frames: Frames, context: grpc.ServicerContext) -> Iterator[play_pb2.ArenaFrame]:
        next(frames)
        context.set_trailing_metadata((("grpc-retry-pushback-ms", wait_ms),))
        context.abort(grpc.StatusCode.RESOURCE_EXHAUSTED, "my-bot joined too often")
        yield from ()

    return script


@pytest.fixture
def slept(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The pauses of a bot, which then take no time."""
    pauses: list[float] = []
    clock = SimpleNamespace(sleep=pauses.append, monotonic=time.monotonic)
    monkeypatch.setattr(stream, "time", clock)
    return pauses


def test_a_bot_waits_as_long_as_the_arena_asks(told: list[str], slept: list[float]) -> None:
    with FakeArena(put_off("12000"), put_off("3000"), finish) as arena:
        _join(arena, told)
    assert [round(pause_s, 1) for pause_s in slept] == [12.0, 3.0]
    assert told[0] == (
        "The arena lets the bot wait: my-bot joined too often; trying again, first in 12.0 s."
    )
    assert told[1].startswith("Joined")
    assert len(told) == 3


@pytest.mark.parametrize("wait_ms", ["0", "soon", "-1", "1e9"])
def test_a_wait_that_makes_no_sense_is_none(
    told: list[str], slept: list[float], wait_ms: str
) -> None:
    with FakeArena(put_off(wait_ms), finish) as arena:
        _join(arena, told)
    assert max(slept) <= 0.01


def test_after_a_flood_a_bot_pauses_for_as_long_as_it_is_barred(
    told: list[str], slept: list[float]
) -> None:
    with FakeArena(_saying_bye(play_pb2.BYE_REASON_FLOODED), finish) as arena:
        _join(arena, told)
    assert [round(pause_s, 1) for pause_s in slept] == [5.0]
    assert told[1] == (
        "The arena ended the connection: for a reason; trying again, first in 5.0 s."
    )


def test_states_are_told_once_each_however_many_tries_they_take(told: list[str]) -> None:
    with FakeArena(*[end_silently] * 4, finish) as arena:
        _join(arena, told)
    assert len(arena.metadata) == 5
    kinds = [text.split()[0] for text in told]
    assert kinds == ["Joined", "The"] + ["Back", "The"] * 4
    with FakeArena(*[end_before_welcome] * 4, finish) as arena:
        del told[:]
        _join(arena, told)
    assert [text.split()[0] for text in told] == ["The", "Joined", "The"]


def test_a_bot_waits_for_an_arena_that_starts_later(told: list[str]) -> None:
    endings: list[Ending] = []

    def wait() -> None:
        endings.append(join(choose_first, arena=address, token="x", tell=told.append))

    waiting = threading.Thread(target=wait)
    with socket.socket() as reserved:  # Nobody else is given this port meanwhile.
        reserved.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        reserved.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{reserved.getsockname()[1]}"
        waiting.start()
        while not told:
            time.sleep(0.01)
        time.sleep(0.2)
        with FakeArena(finish, address=address):
            waiting.join(60)
    assert [ending.reason for ending in endings] == [EndReason.FINISHED]
    assert told[0] == f"Waiting: no arena answers at {address}."
    assert told[1] == f"Joined the arena at {address} as my-bot."
    assert len(told) == 3


@pytest.mark.parametrize(
    ("reason", "end", "text"),
    [
        (play_pb2.BYE_REASON_FENCED, EndReason.FENCED, "Another connection of this bot has"),
        (play_pb2.BYE_REASON_REVOKED, EndReason.REVOKED, "The arena took the bot out of play"),
    ],
)
def test_a_bot_that_is_sent_away_stays_away(
    told: list[str], reason: play_pb2.ByeReason, end: EndReason, text: str
) -> None:
    with FakeArena(_saying_bye(reason), finish) as arena:
        ending = _join(arena, told)
    assert (ending.reason, ending.text) == (end, "for a reason")
    assert len(arena.metadata) == 1
    assert told[-1].startswith(text)


@pytest.mark.parametrize(
    "code",
    [
        grpc.StatusCode.UNAUTHENTICATED,
        grpc.StatusCode.PERMISSION_DENIED,
        grpc.StatusCode.FAILED_PRECONDITION,
        grpc.StatusCode.INVALID_ARGUMENT,
        grpc.StatusCode.UNIMPLEMENTED,
    ],
)
def test_a_refusal_is_final_and_tells_the_arenas_reason(
    told: list[str], code: grpc.StatusCode
) -> None:
    with (
        FakeArena(_aborting(code, "the bot speaks protocol 1.0, the arena 2.0"), finish) as arena,
        pytest.raises(JoinRefused, match=r"refuses the bot: .*the bot speaks protocol 1\.0"),
    ):
        _join(arena, told)
    assert len(arena.metadata) == 1


def test_an_arena_of_another_protocol_is_refused_with_both_named(told: list[str]) -> None:
    def script(frames: Frames, context: object) -> Iterator[play_pb2.ArenaFrame]:
        next(frames)
        yield welcome(protocol_major=2, protocol_minor=3)

    with (
        FakeArena(script) as arena,
        pytest.raises(JoinRefused, match=r"speaks protocol 2\.3, this kit 1\.0"),
    ):
        _join(arena, told)


def test_a_token_of_another_bot_is_refused(told: list[str]) -> None:
    with (
        FakeArena(finish) as arena,
        pytest.raises(JoinRefused, match="the token is that of my-bot, not of other"),
    ):
        _join(arena, told, name="other")


def test_what_strangers_wrote_cannot_steer_the_terminal(told: list[str]) -> None:
    def script(frames: Frames, context: object) -> Iterator[play_pb2.ArenaFrame]:
        next(frames)
        yield welcome("my\u202ebot\x1b[2J")
        yield bye(play_pb2.BYE_REASON_FINISHED, "line\nline\x07" + "x" * 10_000)

    with FakeArena(script) as arena:
        _join(arena, told)
    for text in told:
        assert text.isprintable()
        assert len(text) < 700


def test_play_goes_on_where_nobody_reads_standard_error(monkeypatch: pytest.MonkeyPatch) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with open(writing, "w") as broken, FakeArena(finish) as arena:  # noqa: PTH123 - a descriptor
        for nobody in (broken, None):
            monkeypatch.setattr(sys, "stderr", nobody)
            assert join(choose_first, arena=arena.address, token="x").reason is EndReason.FINISHED
        monkeypatch.undo()
        with pytest.raises(BrokenPipeError):
            broken.flush()
        os.dup2(os.open(os.devnull, os.O_WRONLY), writing)


def test_without_a_token_nothing_is_tried(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("SIXTYSIX_TOKEN", raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    with pytest.raises(NotAllowed, match="there is no token"):
        join(choose_first)


@pytest.mark.parametrize("games_at_once", [0, 257])
def test_games_at_once_has_its_limits(games_at_once: int) -> None:
    with pytest.raises(ValueError, match="games_at_once is 1 to 256"):
        join(choose_first, token="x", games_at_once=games_at_once)


def test_joining_while_a_bot_is_loaded_is_explained(tmp_path: Path) -> None:
    path = tmp_path / "bot.py"
    path.write_text("import sixtysix\ndef choose(view): return 0\nsixtysix.join(choose)\n")
    with pytest.raises(sixtysix.BotError, match=r"put it under `if __name__ == \"__main__\":`"):
        load_bot(str(path))


def _until_goodbye(said: list[bool], *last_words: play_pb2.ArenaFrame) -> Script:
    """Asks once, then waits for the bot to go; it does not hear the last words."""

    def script(frames: Frames, context: object) -> Iterator[play_pb2.ArenaFrame]:
        next(frames)
        yield welcome()
        yield play_pb2.ArenaFrame(starts=[start(1)], decisions=decisions([1]))
        said.extend(frame.HasField("bye") for frame in frames)
        yield from last_words

    return script


@pytest.mark.parametrize("last_words", [(), (FINISHED, FINISHED, FINISHED)])
def test_a_bot_that_is_interrupted_says_goodbye(
    told: list[str], last_words: tuple[play_pb2.ArenaFrame, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream, "GOODBYE_S", 60.0)

    def choose(view: View) -> int:
        raise KeyboardInterrupt

    said: list[bool] = []
    with FakeArena(_until_goodbye(said, *last_words)) as arena:
        with pytest.raises(KeyboardInterrupt) as caught:
            _join(arena, told, choose)
        assert len(caught.traceback) == 3, "gRPC's part of it is of no interest"
    assert said == [True]


def test_a_file_that_is_run_by_itself_joins_and_leaves(tmp_path: Path) -> None:
    """`python BOT.py`, then Ctrl-C."""
    path = tmp_path / "bot.py"
    path.write_text(
        "import sixtysix\nfrom sixtysix.client import stream\nstream.GOODBYE_S = 60.0\n"
        "def choose(view):\n    return view.legal[0]\n"
        'if __name__ == "__main__":\n    sixtysix.join(choose)\n'
    )
    said: list[bool] = []
    with FakeArena(_until_goodbye(said)) as arena:
        environment = {**os.environ, "SIXTYSIX_ARENA": arena.address, "SIXTYSIX_TOKEN": "t"}
        with subprocess.Popen(
            [sys.executable, str(path)], env=environment, stderr=subprocess.PIPE, text=True
        ) as process:
            assert process.stderr is not None
            assert process.stderr.readline() == f"Joined the arena at {arena.address} as my-bot.\n"
            while not said:
                time.sleep(0.01)
            process.send_signal(signal.SIGINT)
            rest = process.stderr.read()
            assert process.wait() == -signal.SIGINT, "which a shell shows as 130"
    assert said == [False, True]
    assert rest.endswith("KeyboardInterrupt\n")
    assert "grpc" not in rest
    assert arena.metadata[0]["authorization"] == "Bearer t"
