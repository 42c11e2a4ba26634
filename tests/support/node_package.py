"""The package in TypeScript: installed and built for the tests that run it."""

from __future__ import annotations

import fcntl
import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from support.source_tree import ROOT

__all__ = ["BUILD_TIMEOUT_S", "FOLDER", "build", "npm"]

FOLDER = ROOT / "sample_bots" / "node"
BUILD_TIMEOUT_S = 240


def npm(*arguments: str) -> None:
    """Runs npm in the bot's folder; shows all that it said if it fails."""
    done = subprocess.run(
        ["npm", *arguments],
        cwd=FOLDER,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=BUILD_TIMEOUT_S,
        check=False,
    )
    assert done.returncode == 0, f"npm {' '.join(arguments)} failed:\n{done.stdout}"


def skip_without_node() -> None:
    for command in ("node", "npm"):
        if shutil.which(command) is None:
            pytest.skip(f"there is no {command} on this machine")
    wanted = json.loads((FOLDER / "package.json").read_text())["engines"]["node"]
    found = subprocess.run(["node", "--version"], capture_output=True, text=True, check=True).stdout
    if version_of(found) < version_of(wanted):
        pytest.skip(f"Node is {found.strip()}, and the bot needs {wanted}")


def version_of(text: str) -> tuple[int, ...]:
    return tuple(int(number) for number in re.findall(r"\d+", text))


def build(shared: Path) -> Path:
    """Installs and builds the package, once for all processes that share a folder; or skips.

    Returns the folder of what was built from `src`.
    """
    skip_without_node()
    with locked(shared / "node-bot.lock"):
        built = shared / "node-bot.built"
        if not built.exists():
            if not is_installed():
                npm("ci", "--no-audit", "--no-fund")
            npm("run", "build")
            built.touch()
    return FOLDER / "dist" / "src"


@contextmanager
def locked(path: Path) -> Iterator[None]:
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def is_installed() -> bool:
    """Whether npm has finished since the lock file was last changed."""
    installed = FOLDER / "node_modules" / ".package-lock.json"
    wanted = FOLDER / "package-lock.json"
    return installed.exists() and installed.stat().st_mtime >= wanted.stat().st_mtime
