"""Commands that are printed can be typed as they stand."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from sixtysix.cli import output


@pytest.mark.parametrize(
    ("program", "on_path", "shown"),
    [
        ("/usr/bin/sixtysix", "/usr/bin/sixtysix", "sixtysix games cup"),
        ("{here}/.venv/bin/sixtysix", None, ".venv/bin/sixtysix games cup"),
        ("/else where/bin/sixtysix", None, "'/else where/bin/sixtysix' games cup"),
        ("/lib/sixtysix/__main__.py", None, "sixtysix games cup"),
    ],
    ids=["installed", "an environment here", "an environment elsewhere", "python -m"],
)
def test_a_command_line(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, program: str, on_path: str | None, shown: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", [program.format(here=tmp_path)])
    monkeypatch.setattr(output, "which", lambda _name: on_path)
    assert output.command("games cup") == shown
