"""`log --faults` at a running arena: which token is found, and what it shows."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.arenas import RawBot, bot, definition, running_arena, until_finished
from support.command_line import enter

from sixtysix.cli import main
from sixtysix.clock import Clock
from sixtysix.v1 import play_pb2
from sixtysix_arena.arena import Arena

Capture = pytest.CaptureFixture[str]
Run = Callable[..., Coroutine[Any, Any, str]]

SLOW_ENOUGH = Clock(per_move_ms=60_000, per_game_ms=600_000, grace_ms=5_000, join_ms=5_000)
GAME = "cup.1"
"""bad against good, in which bad answers without a move."""


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for an author to work in, and no settings from outside."""
    author = tmp_path / "author"
    author.mkdir()
    enter(author, monkeypatch)
    return tmp_path


@pytest.fixture
def run(capsys: Capture) -> Run:
    """Runs a command beside the arena; what it printed, on the output that its code says."""

    async def run(*argv: str, code: int = 0) -> str:
        found = await asyncio.to_thread(main, argv)
        captured = capsys.readouterr()
        assert found == code, captured
        assert (captured.err if code == 0 else captured.out) == ""
        return captured.out or captured.err

    return run


async def without_a_move(raw: RawBot) -> None:
    while True:
        for d in (await raw.receive()).decisions:
            await raw.answer(play_pb2.Answer(game=d.game, deal=d.deal, ply=d.ply))


def write(name: str, text: str) -> None:
    Path(name).write_text(text)


def link(name: str, folder: Path) -> None:
    Path(name).symlink_to(folder)


def with_a_forfeit(place: Path, check: Callable[[Arena], Coroutine[Any, Any, None]]) -> None:
    """Checks while the arena still runs on which `bad` has forfeited its games."""

    async def play() -> None:
        async with (
            running_arena(place / "data") as arena,
            bot(arena, "bad", without_a_move),
            bot(arena, "good", RawBot.play),
            bot(arena, "other", RawBot.play),
        ):
            for slug, entrants in (("cup", ("bad", "good")), ("rest", ("good", "other"))):
                tournament = definition(entrants, clock=SLOW_ENOUGH)
                await arena.create_tournament(replace(tournament, slug=slug))
                await arena.start_tournament(slug)
                await until_finished(arena, slug)
            await check(arena)

    asyncio.run(asyncio.wait_for(play(), 60))


def test_the_author_reads_it_with_the_bots_token(
    place: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def check(arena: Arena) -> None:
        there = ("--arena", arena.address)
        token = await arena.rotate_token("bad")
        # Nowhere yet.
        told = await run("log", GAME, "--faults", *there, code=1)
        assert "is for its author and the organiser: expected a bot's token in" in told
        assert "or the file bad.token here or the file good.token here" in told
        # In the file that is named after the bot; in any other that is named; in the variable.
        write("bad.token", f"{token}\n")
        seen = await run("log", GAME, "--faults", *there)
        assert "bad: malformed, " in seen
        assert "answered  an answer without a move" in seen
        write("mine", token)
        write("bad.token", "no longer it")
        assert await run("log", GAME, "--faults", "--token-file", "mine", *there) == seen
        monkeypatch.setenv("SIXTYSIX_TOKEN", token)
        assert await run("log", GAME, "--faults", *there) == seen
        (fault,) = json.loads(await run("log", GAME, "--faults", "--json", *there))
        assert (fault["entrant"], fault["fault"]) == ("bad", "malformed")
        assert fault["answer"] == "an answer without a move"
        assert fault["view"]["legal"]
        told = await run("log", GAME, "--faults", "--token-file", "none", *there, code=2)
        assert "there is no token file none" in told

    with_a_forfeit(place, check)


def test_nobody_else_does(place: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    async def check(arena: Arena) -> None:
        there = ("--arena", arena.address)
        write("good.token", await arena.rotate_token("good"))
        write("other.token", await arena.rotate_token("other"))
        told = await run("log", GAME, "--faults", *there)
        assert "The fault is bad's (malformed), and its evidence is for its author and" in told
        assert "answered" not in told
        assert await run("log", GAME, "--faults", "--json", *there) == "[]\n"
        theirs = ("--token-file", "other.token")
        told = await run("log", GAME, "--faults", *theirs, *there, code=1)
        assert told.startswith("sixtysix: other does not play in cup.1")
        told = await run("log", "rest.1", "--faults", *theirs, *there)
        assert "No fault: " in told
        monkeypatch.setenv("SIXTYSIX_TOKEN", "guessed")
        told = await run("log", GAME, "--faults", *there, code=1)
        assert told.startswith("sixtysix: wrong token")

    with_a_forfeit(place, check)


def test_the_organiser_reads_it_of_the_folder_or_with_the_admin_token(
    place: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def check(arena: Arena) -> None:
        data, there = ("--data", str(place / "data")), ("--arena", arena.address)
        seen = await run("log", GAME, "--faults", *data)
        assert "bad: malformed, " in seen
        assert "No fault: " in await run("log", "rest.1", "--faults", *data)
        hint = (await run("log", GAME, *data)).splitlines()[-1]
        assert hint == f"To see what went wrong: sixtysix log cup.1 --faults --data {data[1]}"
        admin_token = (place / "data" / "admin-token").read_text()
        monkeypatch.setenv("SIXTYSIX_ADMIN_TOKEN", admin_token)
        assert await run("log", GAME, "--faults", *there) == seen
        monkeypatch.delenv("SIXTYSIX_ADMIN_TOKEN")
        # In the organiser's own folder it needs no flag; a bot's token asks the arena there.
        monkeypatch.chdir(place)
        link("sixtysix-data", place / "data")
        assert await run("log", GAME, "--faults") == seen
        write("good.token", await arena.rotate_token("good"))
        told = await run("log", GAME, "--faults", "--token-file", "good.token")
        assert "The fault is bad's" in told

    with_a_forfeit(place, check)
