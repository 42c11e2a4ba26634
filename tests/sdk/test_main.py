"""`python my_bot.py`: one sentence and an exit code, whatever happens, and at whatever moment."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import grpc
import pytest
from support.fake_arena import FakeArena, Script, bye, decisions, start, welcome

import sixtysix
from sixtysix import joining
from sixtysix.bot import load_bot
from sixtysix.cli import failures
from sixtysix.v1 import play_pb2
from sixtysix.v1.common_pb2 import FAULT_ILLEGAL, GAME_END_FORFEIT

Frames = Iterator[play_pb2.BotFrame]
PATIENCE_S = 20.0
BOT = """
import sys
import time

import sixtysix
from sixtysix.client import stream

def say(text):
    print(text, file=sys.stderr, flush=True)

def choose(view):
    {choose}
    return view.legal[0]

if __name__ == "__main__":
    if {hurry}:
        stream.FIRST_PAUSE_S = stream.MOST_PAUSE_S = 0.01
    sixtysix.main(choose{options})
"""


@contextmanager
def running(
    folder: Path,
    address: str,
    *,
    choose: str = "pass",
    options: str = "",
    token: str = "secret",
    hurry: bool = False,
) -> Iterator[subprocess.Popen[str]]:
    """Runs a bot's file by itself."""
    path = folder / "my_bot.py"
    path.write_text(BOT.format(choose=choose, options=options, hurry=hurry))
    kept = {k: v for k, v in os.environ.items() if not k.startswith("SIXTYSIX_")}
    env = kept | {"SIXTYSIX_ARENA": address, "XDG_CONFIG_HOME": str(folder)}
    if token:
        env["SIXTYSIX_TOKEN"] = token
    with subprocess.Popen(
        [sys.executable, str(path)], env=env, cwd=folder, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def end_of(process: subprocess.Popen[str]) -> tuple[int, list[str]]:
    """Its exit code, and the lines that it wrote on standard error."""
    _, told = process.communicate(timeout=PATIENCE_S)
    assert "Traceback" not in told
    return process.returncode, told.splitlines()


def says(reason: play_pb2.ByeReason, *frames: play_pb2.ArenaFrame) -> Script:
    def script(hellos: Frames, context: object) -> Iterator[play_pb2.ArenaFrame]:
        next(hellos)
        yield from (welcome(), *frames, bye(reason, "for a reason"))

    return script


def aborts(code: grpc.StatusCode, text: str) -> Script:
    def script(hellos: Frames, context: grpc.ServicerContext) -> Iterator[play_pb2.ArenaFrame]:
        next(hellos)
        context.abort(code, text)
        yield from ()

    return script


FAILED_TRIAL = (
    play_pb2.ArenaFrame(
        starts=[play_pb2.GameStart(game=7, game_id="validation/classic", rules={"ruleset": 1})]
    ),
    play_pb2.ArenaFrame(
        games_over=[
            play_pb2.GameOver(
                game=7,
                end=GAME_END_FORFEIT,
                winner=1,
                score=[0, 0],
                fault=FAULT_ILLEGAL,
                text="bad",
            )
        ]
    ),
)


@pytest.mark.parametrize(
    ("script", "code", "last"),
    [
        (says(play_pb2.BYE_REASON_FINISHED), 0, "The arena has nothing more to play (for a"),
        (says(play_pb2.BYE_REASON_FENCED), 1, "Another connection of this bot has taken over"),
        (says(play_pb2.BYE_REASON_REVOKED), 1, "The arena took the bot out of play"),
        (says(play_pb2.BYE_REASON_FINISHED, *FAILED_TRIAL), 4, "The arena has nothing more"),
        (
            aborts(grpc.StatusCode.UNAUTHENTICATED, "wrong token: it is unknown here"),
            1,
            "sixtysix: the arena at {} refuses the bot: wrong token: it is unknown here",
        ),
        (
            aborts(grpc.StatusCode.FAILED_PRECONDITION, "my-bot joined as version '1'"),
            1,
            "sixtysix: the arena at {} refuses the bot: my-bot joined as version '1'",
        ),
    ],
    ids=["finished", "fenced", "revoked", "failed its trial", "wrong token", "wrong version"],
)
def test_how_it_ended_is_told_and_is_the_exit_code(
    tmp_path: Path, script: Script, code: int, last: str
) -> None:
    with FakeArena(script) as arena, running(tmp_path, arena.address) as process:
        ended, told = end_of(process)
    assert ended == code
    assert told[-1].startswith(last.format(arena.address))
    assert "secret" not in "".join(told)


def test_what_is_wrong_before_anything_is_tried_is_one_sentence(tmp_path: Path) -> None:
    for options, token, code, said in (
        ("", "", 1, "sixtysix: there is no token"),
        (', arena="nowhere:port"', "x", 2, "sixtysix: 'nowhere:port' is no address"),
        (", rulesets=['chess']", "x", 4, "sixtysix: choose says it plays 'chess'"),
    ):
        with running(tmp_path, "127.0.0.1:1", options=options, token=token) as process:
            ended, told = end_of(process)
        assert ended == code, told
        (line,) = told
        assert line.startswith(said)


def test_the_exit_codes_are_those_of_the_command_line() -> None:
    assert joining.BOT_FAILED == failures.BOT_FAILED
    assert joining.INTERRUPTED == failures.INTERRUPTED


def test_a_mistake_in_the_call_is_shown_with_its_traceback() -> None:
    with pytest.raises(ValueError, match="games_at_once is 1 to 256"):
        sixtysix.main(lambda view: 0, games_at_once=0, token="x")


def test_main_outside_its_place_is_explained_where_the_bot_is_loaded(tmp_path: Path) -> None:
    path = tmp_path / "bot.py"
    path.write_text("import sixtysix\ndef choose(view): return 0\nsixtysix.main(choose)\n")
    with pytest.raises(sixtysix.BotError, match=r"main\(\) was called .*__main__"):
        load_bot(str(path))


def asking(hellos: Frames, context: object) -> Iterator[play_pb2.ArenaFrame]:
    """Asks for a move, and takes in whatever comes."""
    next(hellos)
    yield welcome()
    yield play_pb2.ArenaFrame(starts=[start(1)], decisions=decisions([1]))
    for _ in hellos:
        pass


def idle(hellos: Frames, context: object) -> Iterator[play_pb2.ArenaFrame]:
    """Welcomes the bot and asks nothing."""
    next(hellos)
    yield welcome()
    for _ in hellos:
        pass


def deaf(hellos: Frames, context: grpc.ServicerContext) -> Iterator[play_pb2.ArenaFrame]:
    """Welcomes the bot, and does not hear that it leaves."""
    next(hellos)
    yield welcome()
    while context.is_active():
        time.sleep(0.01)


def breaks(hellos: Frames, context: object) -> Iterator[play_pb2.ArenaFrame]:
    next(hellos)
    yield welcome()


def puts_off(hellos: Frames, context: grpc.ServicerContext) -> Iterator[play_pb2.ArenaFrame]:
    next(hellos)
    context.set_trailing_metadata((("grpc-retry-pushback-ms", "600000"),))
    context.abort(grpc.StatusCode.RESOURCE_EXHAUSTED, "my-bot joined too often")
    yield from ()


@pytest.mark.parametrize(
    ("scripts", "choose", "until", "times"),
    [
        ((idle,), "pass", "Joined", 1),
        ((asking,), "say('asked'); time.sleep(60)", "asked", 1),
        ((asking,), "say('asked')\n    while True: pass", "asked", 1),
        ((breaks,), "pass", "The connection to", 1),
        ((puts_off,), "pass", "The arena lets the bot wait", 1),
        ((deaf,), "pass", "Joined", 1),
        ((deaf,), "pass", "Joined", 2),
    ],
    ids=["idle", "thinking", "computing", "pausing", "put off", "saying goodbye", "twice"],
)  # fmt: skip
def test_ctrl_c_ends_it_at_any_moment_without_a_traceback(
    tmp_path: Path, scripts: tuple[Script, ...], choose: str, until: str, times: int
) -> None:
    with FakeArena(*scripts) as arena, running(tmp_path, arena.address, choose=choose) as process:
        assert process.stderr is not None
        while not process.stderr.readline().startswith(until):
            assert process.poll() is None
        began = time.monotonic()
        for _ in range(times):
            process.send_signal(signal.SIGINT)
            time.sleep(0.1)
        code, told = end_of(process)
        assert code == 130
        left = "Leaving the arena: games that are not over are given up."
        assert (left in told) == (until in ("Joined", "asked"))
        assert time.monotonic() - began < 8


def test_ctrl_c_while_there_is_no_arena(tmp_path: Path) -> None:
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{nobody.getsockname()[1]}"
        with running(tmp_path, address) as process:
            assert process.stderr is not None
            assert process.stderr.readline() == f"Waiting: no arena answers at {address}.\n"
            process.send_signal(signal.SIGINT)
            assert end_of(process) == (130, [])


@pytest.mark.parametrize("delay_s", [0.0, 0.003, 0.007, 0.02, 0.05])
def test_ctrl_c_at_a_chance_moment_of_streams_that_always_break(
    tmp_path: Path, delay_s: float
) -> None:
    """Joining, reading, closing, pausing: wherever it strikes."""
    with FakeArena(breaks) as arena, running(tmp_path, arena.address, hurry=True) as process:
        assert process.stderr is not None
        process.stderr.readline()
        time.sleep(delay_s)
        process.send_signal(signal.SIGINT)
        assert end_of(process)[0] == 130
