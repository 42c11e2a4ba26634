"""Where a command finds its arena."""

from __future__ import annotations

import os
from pathlib import Path

import click
import pytest

from sixtysix.cli.places import DEFAULT_DATA, Place, find_place


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in tuple(os.environ):
        if name.startswith("SIXTYSIX_"):
            monkeypatch.delenv(name)
    return tmp_path


def test_with_nothing_named_it_is_the_usual_address() -> None:
    assert find_place(None, None) == Place()


def test_a_bot_is_submitted_to_the_usual_folder() -> None:
    assert find_place(None, None, make=True) == Place(data=DEFAULT_DATA)
    assert not DEFAULT_DATA.exists()


def test_flags_then_environment_then_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    DEFAULT_DATA.mkdir()
    assert find_place(None, None) == Place(data=DEFAULT_DATA)
    monkeypatch.setenv("SIXTYSIX_DATA", "elsewhere")
    assert find_place(None, None) == Place(data=Path("elsewhere"))
    monkeypatch.setenv("SIXTYSIX_ARENA", "far:1")
    assert find_place(None, None) == Place(arena="far:1")
    assert find_place(Path("here"), None) == Place(data=Path("here"), given=True)
    assert find_place(None, "near:1") == Place(arena="near:1", given=True)
    with pytest.raises(click.UsageError):
        find_place(Path("here"), "near:1")


def test_commands_that_are_printed_name_what_was_named() -> None:
    assert Place().flags == ""
    assert Place(data=DEFAULT_DATA).flags == ""
    assert Place(data=Path("my data"), given=True).flags == " --data 'my data'"
    assert Place(arena="near:1", given=True).flags == " --arena near:1"
