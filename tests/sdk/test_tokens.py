"""Tokens are found where they are kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from sixtysix.api import NotAllowed
from sixtysix.tokens import find_token


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("SIXTYSIX_TOKEN", raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_file_of_the_bot_is_read(folder: Path) -> None:
    (folder / "my-bot.token").write_text("secret\n")
    (folder / "other.token").write_text("secret2\n")
    assert find_token("my-bot") == "secret"
    assert find_token("other") == "secret2"


def test_the_only_token_needs_no_name(folder: Path) -> None:
    (folder / "my-bot.token").write_text("secret\n")
    assert find_token() == "secret"
    (folder / "other.token").write_text("secret2\n")
    with pytest.raises(
        NotAllowed, match=r"my-bot\.token, other\.token: name the bot with .*name=NAME"
    ):
        find_token()


def test_a_named_file_counts_before_the_variable_and_that_before_the_usual_file(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "my-bot.token").write_text("usual\n")
    (folder / "named").write_text("named\n")
    assert find_token("my-bot") == "usual"
    monkeypatch.setenv("SIXTYSIX_TOKEN", " from-elsewhere\n")
    assert find_token("my-bot") == find_token() == "from-elsewhere"
    assert find_token("my-bot", folder / "named") == "named"


@pytest.mark.parametrize(("name", "file"), [("my-bot", "my-bot.token"), (None, "NAME.token")])
def test_without_a_token_both_places_are_named(name: str | None, file: str) -> None:
    with pytest.raises(NotAllowed, match=f"variable SIXTYSIX_TOKEN or in the file {file} here"):
        find_token(name)


@pytest.mark.parametrize("token", ["two words", "", "  ", "tökén", "a\x00b"])
def test_what_is_no_token_is_refused_and_not_shown(folder: Path, token: str) -> None:
    (folder / "my-bot.token").write_text(token, encoding="utf-8")
    with pytest.raises(NotAllowed, match=r"what my-bot\.token holds is no token") as caught:
        find_token("my-bot")
    assert not token.strip() or token not in str(caught.value)


@pytest.mark.parametrize("content", [None, b"\xff\xfe"], ids=["a folder", "no text"])
def test_a_file_that_cannot_be_read_is_named(folder: Path, content: bytes | None) -> None:
    path = folder / "my-bot.token"
    if content is None:
        path.mkdir()
    else:
        path.write_bytes(content)
    with pytest.raises(NotAllowed, match=r"token file my-bot\.token cannot be read"):
        find_token("my-bot")
