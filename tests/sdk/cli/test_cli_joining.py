"""`sixtysix join`: which bot, which token, which arena, and how it ends."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from support.command_line import enter

import sixtysix.joining
from sixtysix.cli import main
from sixtysix.joining import Ending, EndReason, Tally

Capture = pytest.CaptureFixture[str]

BOT = "def choose(view):\n    return view.legal[0]\n"


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    enter(tmp_path, monkeypatch)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    (tmp_path / "my-bot.py").write_text(BOT)
    return tmp_path


@pytest.fixture
def joined(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """How `join` was called; `reason` is how it is to end."""
    seen: dict[str, Any] = {"reason": EndReason.FINISHED}

    def join(bot: object, **arguments: Any) -> Ending:
        sys.stdout.write("a bot speaks\n")
        seen.update(arguments, bot=bot)
        return Ending(seen["reason"], "all is over", "my-bot", Tally(won=3, lost=1))

    monkeypatch.setattr(sixtysix.joining, "join", join)
    return seen


def test_the_token_is_in_a_file_beside_the_bot(place: Path, joined: dict[str, Any]) -> None:
    (place / "my-bot.token").write_text("secret\n")
    assert main(["join", "my-bot.py"]) == 0
    assert joined["token"] == "secret"
    assert joined["bot"].label == "my-bot.py"
    assert (joined["arena"], joined["name"], joined["games_at_once"]) == (None, None, 64)


def test_the_file_is_named_after_the_bot(place: Path, joined: dict[str, Any]) -> None:
    (place / "ada.token").write_text("secret")
    assert main(["join", "my-bot.py", "--name", "ada", "--games-at-once", "7"]) == 0
    assert (joined["token"], joined["name"], joined["games_at_once"]) == ("secret", "ada", 7)


def test_the_variable_goes_before_the_file_and_the_flag_before_both(
    place: Path, joined: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    (place / "my-bot.token").write_text("in the file")
    (place / "other").write_text("flagged\n")
    monkeypatch.setenv("SIXTYSIX_TOKEN", "variable")
    assert main(["join", "my-bot.py"]) == 0
    assert joined["token"] == "variable"
    assert main(["join", "my-bot.py", "--token-file", "other"]) == 0
    assert joined["token"] == "flagged"


@pytest.mark.parametrize(
    ("content", "told"),
    [(b"", "is no token"), (b"two words", "is no token"), (b"\xff", "cannot be read")],
)
def test_what_is_no_token(
    place: Path, joined: dict[str, Any], capsys: Capture, content: bytes, told: str
) -> None:
    (place / "my-bot.token").write_bytes(content)
    assert main(["join", "my-bot.py"]) == 1
    assert told in capsys.readouterr().err
    assert "bot" not in joined


def test_no_token_at_all(joined: dict[str, Any], capsys: Capture) -> None:
    assert main(["join", "my-bot.py"]) == 1
    assert "there is no token" in capsys.readouterr().err
    assert main(["join", "my-bot.py", "--token-file", "none"]) == 2
    assert capsys.readouterr().err == "sixtysix: there is no token file none\n"


def test_a_token_of_another_name_is_told_of(
    place: Path, joined: dict[str, Any], capsys: Capture
) -> None:
    (place / "my_bot.token").write_text("secret")
    assert main(["join", "my-bot.py"]) == 1
    assert capsys.readouterr().err.endswith(
        " in the file my-bot.token here, as the arena gave it out when the bot was submitted; what"
        " is here is my_bot.token\n"
    )
    assert "bot" not in joined


@pytest.mark.parametrize("name", ["none.py", "house:none", "./my-bot.txt"])
def test_a_bot_that_is_not_there_is_told_of_before_its_token(
    place: Path, joined: dict[str, Any], capsys: Capture, name: str
) -> None:
    (place / "my-bot.txt").write_text("")
    assert main(["join", name]) == 2
    told = capsys.readouterr().err
    assert "token" not in told
    assert name.removeprefix("house:").removeprefix("./") in told


def test_no_token_is_told_of_before_the_bot_runs(
    place: Path, joined: dict[str, Any], capsys: Capture
) -> None:
    (place / "loud.py").write_text("print('loaded')\ndef choose(view):\n    return 0\n")
    assert main(["join", "loud.py"]) == 1
    assert "loaded" not in capsys.readouterr().err


def test_the_arena_is_the_one_that_is_named(joined: dict[str, Any], place: Path) -> None:
    (place / "my-bot.token").write_text("secret")
    assert main(["join", "my-bot.py", "--arena", "far:1"]) == 0
    assert joined["arena"] == "far:1"


@pytest.mark.parametrize(
    ("reason", "code"),
    [(EndReason.FINISHED, 0), (EndReason.FENCED, 1), (EndReason.REVOKED, 1)],
)
def test_how_it_ends(
    place: Path, joined: dict[str, Any], capsys: Capture, reason: EndReason, code: int
) -> None:
    (place / "my-bot.token").write_text("secret")
    joined["reason"] = reason
    assert main(["join", "my-bot.py"]) == code
    assert capsys.readouterr().out == ""
    assert main(["join", "my-bot.py", "--json"]) == code
    told = json.loads(capsys.readouterr().out)
    assert (told["reason"], told["bot_name"]) == (reason, "my-bot")
    assert told["games"] == {"won": 3, "lost": 1, "drawn": 0, "void": 0}


def test_what_bots_print_is_no_data(
    place: Path, joined: dict[str, Any], capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SIXTYSIX_TOKEN", "secret")
    (place / "my-bot.py").write_text(f"print('loaded')\n{BOT}")
    assert main(["join", "my-bot.py", "--json"]) == 0
    shown, noted = capsys.readouterr()
    assert json.loads(shown)["reason"] == "finished"
    assert noted == "loaded\na bot speaks\n"
