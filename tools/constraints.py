"""Writes `constraints.txt` from the packages of an environment, or compares the two.

Run by `make constraints` and `make check` with the environment's own Python.
"""

from __future__ import annotations

import re
import sys
from importlib.metadata import distributions
from pathlib import Path

CONSTRAINTS = Path(__file__).resolve().parent.parent / "constraints.txt"
OURS = "sixtysix"
HEADER = """\
# Exact versions of all that `make` installs, the tools that build included, so that every
# environment is the same. pyproject.toml has the bounds. Written by `make constraints`.
"""


def canonical(name: str) -> str:
    """The form in which package names compare equal."""
    return re.sub(r"[-_.]+", "-", name).lower()


def installed() -> dict[str, str]:
    """Versions of the packages of this environment by name, ours left out."""
    found = {canonical(each.metadata["Name"]): each.version for each in distributions()}
    found.pop(OURS, None)
    return found


def pinned() -> dict[str, str]:
    """Versions that `constraints.txt` asks for, by name."""
    lines = (line.partition("#")[0].strip() for line in CONSTRAINTS.read_text().splitlines())
    pairs = (line.split("==") for line in lines if line)
    return {canonical(name): version for name, version in pairs}


def write() -> int:
    """Pin what is installed here."""
    pins = "".join(f"{name}=={version}\n" for name, version in sorted(installed().items()))
    CONSTRAINTS.write_text(HEADER + pins)
    return 0


def check() -> int:
    """Complain about packages that are installed in another version than the pinned one."""
    pins = pinned()
    wrong = [
        f"{name} {version} is installed, and constraints.txt has {pins.get(name, 'none')}"
        for name, version in sorted(installed().items())
        if pins.get(name) != version
    ]
    for line in wrong:
        print(f"error: {line}", file=sys.stderr)
    if not wrong:
        print(f"constraints: all {len(installed())} installed packages are pinned")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit({"write": write, "check": check}[sys.argv[1]]())
