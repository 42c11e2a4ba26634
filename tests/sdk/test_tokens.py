"""Tokens are found where they are kept, and kept where nobody else reads them."""

from __future__ import annotations

from pathlib import Path

import pytest

from sixtysix.api import NotAllowed
from sixtysix.tokens import find_token, save_token, token_path


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("SIXTYSIX_TOKEN", raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    return tmp_path / "sixtysix" / "tokens"


def test_a_token_is_kept_for_its_user_alone(folder: Path) -> None:
    path = save_token("my-bot", "old")
    assert save_token("my-bot", "secret") == path == token_path("my-bot")
    assert path.parent == folder
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700
    assert [each.name for each in folder.iterdir()] == ["my-bot.token"]
    assert find_token("my-bot") == "secret"


def test_the_only_token_needs_no_name() -> None:
    save_token("my-bot", "secret")
    assert find_token() == "secret"
    save_token("other", "secret2")
    with pytest.raises(NotAllowed, match="so name one of them: my-bot, other"):
        find_token()


def test_the_variable_counts_before_the_files(monkeypatch: pytest.MonkeyPatch) -> None:
    save_token("my-bot", "secret")
    monkeypatch.setenv("SIXTYSIX_TOKEN", " from-elsewhere\n")
    assert find_token("my-bot") == find_token() == "from-elsewhere"


@pytest.mark.parametrize(("name", "file"), [("my-bot", "my-bot.token"), (None, "NAME.token")])
def test_without_a_token_both_places_are_named(name: str | None, file: str) -> None:
    with pytest.raises(NotAllowed, match=f"variable SIXTYSIX_TOKEN or in .*/tokens/{file}"):
        find_token(name)


@pytest.mark.parametrize("name", ["", "My-Bot", "../x", "a/b", "a" * 33, "x\n", "house:greedy"])
def test_a_path_is_made_from_a_bots_name_alone(name: str) -> None:
    with pytest.raises(NotAllowed, match="is no bot's name"):
        token_path(name)


@pytest.mark.parametrize("token", ["two words", "", "  ", "tökén", "a\x00b"])
def test_what_is_no_token_is_refused_and_not_shown(token: str) -> None:
    path = save_token("my-bot", token)
    with pytest.raises(NotAllowed, match="is no token") as caught:
        find_token("my-bot")
    assert str(path) in str(caught.value)
    assert not token.strip() or token not in str(caught.value)


def test_a_file_that_cannot_be_read_is_named(folder: Path) -> None:
    token_path("my-bot").mkdir(parents=True)
    with pytest.raises(NotAllowed, match=r"my-bot\.token cannot be read"):
        find_token("my-bot")


def test_without_a_configuration_folder_it_is_in_the_home(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("XDG_CONFIG_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert token_path("a") == tmp_path / ".config" / "sixtysix" / "tokens" / "a.token"
