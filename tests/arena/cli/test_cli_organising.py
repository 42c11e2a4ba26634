"""What an organiser does by hand, and what is shown of it."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable
from typing import cast

import pytest
from support.serving import FakeHost, serving
from support.stored import LATER, create, start

from sixtysix.outcome import Fault, GameEnd, GameOutcome
from sixtysix.reports import BotInfo
from sixtysix_arena.cli.data import FOLDERS
from sixtysix_arena.queries import StoredArena
from sixtysix_arena.store import DataFolder, GameOver

Run = Callable[..., tuple[str, str]]


class Terminal(io.StringIO):
    """Somebody at a terminal, with what they type."""

    def isatty(self) -> bool:
        return True


HAND = {
    "end": (
        ["tournament", "end", "cup", "--reason", "the hall closes"],
        ("end_tournament", "cup", "the hall closes"),
    ),
    "void": (
        ["tournament", "void", "cup.1", "--reason", "a cut line"],
        ("void_game", "cup.1", "a cut line"),
    ),
    "extend": (
        ["tournament", "extend", "cup", "--by", "90.5", "--reason", "it snows"],
        ("extend_joining", "cup", 90_500, "it snows"),
    ),
    "remove": (["tournament", "remove", "cup"], ("remove_tournament", "cup")),
    "disable": (["bot", "disable", "ada"], ("disable_bot", "ada", "")),
}


@pytest.mark.parametrize(("command", "asked"), HAND.values(), ids=HAND)
def test_what_an_organiser_does_is_asked_about_on_a_terminal(
    run: Run,
    served: FakeHost,
    monkeypatch: pytest.MonkeyPatch,
    command: list[str],
    asked: tuple[object, ...],
) -> None:
    monkeypatch.setattr("sys.stdin", Terminal("n\n"))
    out, told = run(*command, code=1)
    assert (out, served.asked) == ("", [])
    assert told.endswith("sixtysix: nothing was changed\n")
    monkeypatch.setattr("sys.stdin", Terminal("y\n"))
    run(*command)
    assert served.asked == [asked]
    run(*command, "--yes")
    assert served.asked == [asked] * 2
    monkeypatch.setattr("sys.stdin", io.StringIO())  # A script has no terminal.
    if "extend" in command:
        run(*command)
    else:
        _, told = run(*command, code=2)
        assert "this cannot be undone, and no terminal is here to be asked: give --yes" in told
        assert served.asked == [asked] * 2
        run(*command, "--yes")
    assert served.asked == [asked] * 3


def test_an_arena_that_keeps_no_owners_is_told_of(
    run: Run, served: FakeHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An older one leaves out what it does not know, and the token is shown this once."""
    token, told = run("bot", "submit", "dee", "--owner", "Ann")
    assert served.asked[-1][:3] == ("submit_bot", "dee", "Ann")
    assert "keeps no owners" not in told

    async def forget(self: FakeHost, name: str, *_: str) -> tuple[BotInfo, str]:
        return BotInfo(name, LATER), "a token"

    monkeypatch.setattr(FakeHost, "submit_bot", forget)
    token, told = run("bot", "submit", "dee", "--owner", "Ann")
    assert token == "a token\n"
    assert "This arena is older and keeps no owners: nobody was told whose the bot is.\n" in told
    assert "keeps no owners" not in run("bot", "submit", "dee")[1]


def test_nobody_is_asked_about_a_bot_that_is_not_there(
    run: Run, served: FakeHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", Terminal("y\n"))
    _, told = run("bot", "disable", "nobody", code=3)
    assert told.startswith("sixtysix: there is no bot 'nobody'")
    assert served.asked == []


@pytest.mark.parametrize("command", HAND.values(), ids=HAND)
def test_a_reason_that_is_too_long_is_not_cut(
    run: Run, served: FakeHost, command: tuple[list[str], object]
) -> None:
    words = command[0][: command[0].index("--reason")] if "--reason" in command[0] else command[0]
    if "remove" in words:
        return
    _, told = run(*words, "--yes", "--reason", "ü" * 101, code=2)
    assert "'--reason': it has 202 bytes: expected at most 200" in told
    assert served.asked == []
    run(*words, "--yes", "--reason", "ü" * 100)


@pytest.mark.parametrize("command", [["end", "cup"], ["void", "cup.1"]], ids=lambda each: each[0])
def test_what_ends_something_needs_a_reason(run: Run, served: FakeHost, command: list[str]) -> None:
    _, told = run("tournament", *command, code=2)
    assert "--reason" in told
    assert served.asked == []


def test_extending_tells_how_long_it_is_now(run: Run, served: FakeHost) -> None:
    _, told = run("tournament", "extend", "cup", "--by", "90.5")
    # This arena notes what it is asked, and does nothing.
    assert told == "Its bots have 90.5 s more to join, 0.004 s in all.\n"


def test_status_tells_of_void_games_and_faults_and_who_is_disabled(
    run: Run, filled: DataFolder
) -> None:
    with filled.lock() as lock, filled.open_store(lock) as store:
        create(store, slug="bad")
        first, second, *_ = start(store, "bad")
        store.commit([GameOver(first, GameOutcome(GameEnd.VOID, None, (0, 0), 0))])
        fault = GameOutcome(GameEnd.FORFEIT, 1, (0, 0), 0, Fault.TIMEOUT)
        store.commit([GameOver(second, fault)])
        slow = store.game_by_id(second).entrants[0]
        store.disable_bot("ada", LATER, "it cheats")
    reader = FOLDERS.reader(filled.path)
    with reader as stored, serving(FakeHost(cast(StoredArena, stored))) as address:
        for where in ((), ("--arena", address)):
            shown, _ = run("tournament", "status", "bad", *where)
            assert "games       2 of 6 over, 1 of them void\n" in shown
            assert re.search(rf"^{slow} .*  1 fault \(timeout\)$", shown, re.MULTILINE)
            assert "why        it cheats\n" in run("bot", "show", "ada", *where)[0]


def test_status_shows_what_the_organiser_did(run: Run, filled: DataFolder) -> None:
    with filled.lock() as lock, filled.open_store(lock) as store:
        create(store, slug="winter-cup")
        store.extend_joining("winter-cup", 90_000, "it snows", LATER)
    shown, _ = run("tournament", "status", "winter-cup")
    reason = "by 1 min 30 s: it snows"
    assert shown.splitlines()[-1].split(maxsplit=2) == [LATER, "extended", reason]
    told, _ = run("tournament", "status", "winter-cup", "--json")
    assert json.loads(told)["actions"] == [
        {"at": LATER, "kind": "extended", "subject": "", "reason": reason}
    ]
