"""The command in the test's own process, in a folder of the test's own."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from sixtysix.cli import main

__all__ = ["Run", "enter", "nothing_from_outside", "runner"]

Run = Callable[..., tuple[str, str]]
"""Runs a command, which ends with `code`; what it printed on both outputs."""


def enter(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Works in a folder from now on, without settings from outside."""
    monkeypatch.chdir(folder)
    nothing_from_outside(monkeypatch)
    return folder


def nothing_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    """Takes all settings out of the environment."""
    for name in tuple(os.environ):
        if name.startswith("SIXTYSIX_"):
            monkeypatch.delenv(name)


def runner(capsys: pytest.CaptureFixture[str]) -> Run:
    """What runs commands."""

    def run(*argv: str, code: int = 0) -> tuple[str, str]:
        found = main(argv)
        captured = capsys.readouterr()
        assert found == code, captured
        return captured.out, captured.err

    return run
