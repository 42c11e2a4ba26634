"""What bots write about themselves and their moves, followed to every place where it is shown."""

from __future__ import annotations

import asyncio
import dataclasses
import json
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from support.arenas import RawBot, bot, definition, running_arena, until_finished

from sixtysix.cli import main
from sixtysix.client import RemoteArena
from sixtysix.clock import Clock
from sixtysix.v1 import play_pb2

PATIENT = Clock(per_move_ms=60_000, per_game_ms=60_000, grace_ms=30_000, join_ms=30_000)
HARMFUL = {"Cc", "Cf", "Cs", "Zl", "Zp"}
NASTY = (
    "\x1b[2J\x1b]0;owned\x07",  # clears a terminal and names its window
    "\u202etxet\u202c",  # writes from right to left
    "a\u200bb\ufeffc\u00ad",  # holds what nobody sees
    'line\nline\r\n{"event":1}\u2028\u2029',
    "\x00\x7f\x80\x9b31m",
    "\U000e0041\u2066isolate\u2069",  # tags, isolates
    "=cmd|' /C calc'!A0 <script>alert(1)</script> '; DROP TABLE bot; --",
)
VERSION = "1\x1b[31m\u202e.0\n"
CLEAN_VERSION = "1 [31m .0"


async def play(raw: RawBot) -> None:
    """Plays on, with a note at each move, until it has said all of them."""
    said = 0
    while True:
        for decision in (await raw.receive()).decisions:
            sent = play_pb2.Answer(
                game=decision.game,
                deal=decision.deal,
                ply=decision.ply,
                move=decision.legal[0] if said < 3 * len(NASTY) else 36,
                comment=NASTY[said % len(NASTY)],
            )
            said += 1
            await raw.answer(sent)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Any]]:
    """A data folder with a tournament that is over, and what an arena told of it."""
    data = tmp_path_factory.mktemp("texts") / "data"

    async def run() -> list[Any]:
        async with (
            running_arena(data) as arena,
            bot(arena, "good", RawBot.play),
            bot(arena, "bad", play, bot_version=VERSION),
        ):
            await arena.create_tournament(
                definition(("bad", "good"), clock=PATIENT, games_at_once=1)
            )
            await arena.start_tournament("cup")
            await until_finished(arena)
            token = (data / "admin-token").read_text().strip()
            return await asyncio.to_thread(_told, arena.address, token)

    return data, asyncio.run(asyncio.wait_for(run(), 100))


def _told(address: str, token: str) -> list[Any]:
    with RemoteArena(address, token) as remote:
        return [
            *remote.bots(),
            *remote.tournaments(),
            remote.tournament("cup"),
            remote.board("cup"),
            remote.statistics("cup"),
            *remote.games("cup"),
            *(remote.game(f"cup.{number}") for number in (1, 2)),
            *(remote.faults(f"cup.{number}") for number in (1, 2)),
            *remote.export("cup"),
        ]


def texts_in(value: Any) -> Iterator[str]:
    """Every text in a report."""
    if isinstance(value, str):
        yield value
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        for field in dataclasses.fields(value):
            yield from texts_in(getattr(value, field.name))
    elif isinstance(value, Mapping):
        for pair in value.items():
            yield from texts_in(pair)
    elif isinstance(value, Sequence) and not isinstance(value, (bytes, bytearray)):
        for each in value:
            yield from texts_in(each)


def check_harmless(text: str) -> None:
    """Nothing in it can steer a terminal or deceive the eye."""
    found = {f"U+{ord(each):04X}" for each in text if unicodedata.category(each) in HARMFUL}
    assert not found, text[:200]


def test_threat_28_an_arena_tells_nobody_what_could_steer_a_terminal(
    played: tuple[Path, list[Any]],
) -> None:
    lines = list(texts_in(played[1]))
    for text in lines:
        check_harmless(text.removesuffix("\n"))  # A record has lines.
    told = "\n".join(lines)
    assert CLEAN_VERSION in told
    # What is harmless is kept as it was written: nothing is lost but what nobody sees.
    assert NASTY[-1] in told


def test_threat_28_a_note_in_a_record_is_harmless_once_its_json_is_read(
    played: tuple[Path, list[Any]],
) -> None:
    lines = [each for each in played[1] if isinstance(each, str)]
    assert lines
    for line in lines:
        for text in texts_in(json.loads(line)):
            check_harmless(text)


@pytest.mark.parametrize(
    "command",
    [
        ("bot", "list"),
        ("bot", "show", "bad"),
        ("tournament", "list"),
        ("tournament", "status", "cup"),
        ("leaderboard", "cup"),
        ("leaderboard", "cup", "--cross"),
        ("games", "cup"),
        ("log", "cup.1"),
        ("log", "cup.2"),
        ("log", "cup.1", "--deal", "0"),
        ("log", "cup.1", "--faults"),
        ("tournament", "export", "cup"),
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("as_json", [False, True], ids=["text", "json"])
def test_threat_28_no_command_prints_what_could_steer_a_terminal(
    played: tuple[Path, list[Any]],
    command: tuple[str, ...],
    as_json: bool,
    capsys: pytest.CaptureFixture[str],
) -> None:
    flags = ["--json"] if as_json and command[1] != "export" else []
    assert main([*command, "--data", str(played[0]), *flags]) == 0
    out, err = capsys.readouterr()
    assert out
    for line in [*out.split("\n"), *err.split("\n")]:
        check_harmless(line)
    if as_json and flags:
        for text in texts_in(json.loads(out)):
            check_harmless(text)


def test_threat_28_the_notes_are_shown_where_they_belong(
    played: tuple[Path, list[Any]], capsys: pytest.CaptureFixture[str]
) -> None:
    """Or the others of these tests would look at nothing."""
    assert main(["log", "cup.1", "--deal", "0", "--data", str(played[0])]) == 0
    assert "<script>alert(1)</script>" in capsys.readouterr().out
    assert main(["bot", "show", "bad", "--data", str(played[0])]) == 0
    assert CLEAN_VERSION in capsys.readouterr().out
